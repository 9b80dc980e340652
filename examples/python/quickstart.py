# Part of the Inlay project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a model for hardware that wants NHWC, and runs it natively.

  quickstart.py [MODEL]
"""

import pathlib
import sys
import tempfile
import time

import inlay
import numpy

bundled = pathlib.Path(__file__).parent.parent / "mini_shufflenet.onnx"
model = inlay.load(sys.argv[1] if len(sys.argv) > 1 else bundled, dims={"batch": 1})
print(model)

# What the hardware wants, with the least data moved.
compiled = model.compile(target="nhwc")
moved = compiled.report["ledger"]["out"]["bytes"]
print(f"moves {moved} bytes, {'proved least' if compiled.report['proved'] else 'best found'}")

# The same as a page for a browser.
with tempfile.TemporaryDirectory() as folder:
    page = compiled.page(pathlib.Path(folder) / "page.html")
    print(f"page: {page['page_bytes'] // 1000} kB, {page['nodes_before']} nodes before, {page['nodes_after']} after")

# The same numbers, by the reference and by machine code.
generator = numpy.random.default_rng(0)
inputs = {port["name"]: generator.random(port["shape"], numpy.float32) for port in model.inputs}
expected = compiled.run(inputs)
native = model.native()
native(inputs)
begin = time.perf_counter()
found = native(inputs)
print(f"native: {1000 * (time.perf_counter() - begin):.2f} ms")
for name, array in found.items():
    error = float(numpy.abs(array - expected[name]).max() / numpy.abs(expected[name]).max())
    print(f"{name}: largest error {error:.1e} of the range")
    assert error < 1e-5
