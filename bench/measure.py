#!/usr/bin/env python3
# ===- measure.py - Time and peak memory of the inlay command --------------===#
#
# Part of the Inlay project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
#   measure.py memory  --inlay BIN --work DIR    weights are never copied
#   measure.py chain   --inlay BIN --work DIR    a million nodes, linear time
#   measure.py session --inlay BIN --work DIR --models DIR
#                                                import beside an ONNX Runtime
#                                                session of the same model
#   measure.py layouts --inlay BIN --work DIR    layouts of a million ops
#   measure.py layouts-of-models --inlay BIN --work DIR --models DIR
#                                                layouts of a folder of models
#   measure.py fusion  --inlay BIN --work DIR    groups of a million ops
#   measure.py kernels --inlay BIN --work DIR    kernels of a million ops
#   measure.py wide    --inlay BIN --work DIR    one operator with 10,000
#                                                operands
#   measure.py shared  --inlay BIN --work DIR    one constant that 20,000
#                                                kernels read
#
# Each prints a table and exits 1 when a figure misses its limit. Memory is the
# peak resident set above that of `inlay --version`, which loads the same
# libraries and does nothing.

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ORACLE = ROOT / "test" / "oracle"


def run(command):
    """Runs a command; returns (seconds, peak resident MB)."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {status}")
    return seconds, usage.ru_maxrss / 1024


def time_processor(command):
    """The seconds that a command computes."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {status}")
    return usage.ru_utime + usage.ru_stime


def best(command, repeat=5):
    """The fastest of several runs, the largest memory."""
    runs = [run(command) for _ in range(repeat)]
    return min(seconds for seconds, _ in runs), max(memory for _, memory in runs)


def generate(work, name, *arguments):
    path = work / f"{name}.onnx"
    if not path.exists():
        subprocess.run(["node", ORACLE / "big.js", arguments[0], path, *arguments[1:]], check=True)
    return path


class Table:
    """Rows of a name, figures and limits; remembers whether all held."""

    def __init__(self, *columns):
        self.rows, self.ok = [columns], True

    def add(self, name, *figures):
        cells = [name]
        for value, unit, limit in figures:
            held = limit is None or value <= limit
            self.ok &= held
            bound = "" if limit is None else f" (limit {limit:g})"
            cells.append(f"{value:.1f} {unit}{bound}{'' if held else '  MISSED'}")
        self.rows.append(cells)

    def finish(self):
        widths = [max(len(row[i]) for row in self.rows) for i in range(len(self.rows[0]))]
        for row in self.rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        print()
        return self.ok


def measure_memory(options):
    base_seconds, base = best([options.inlay, "--version"])
    table = Table("command", "time", "memory above --version")
    table.add("--version", (base_seconds * 1e3, "ms", None), (0, "MB", None))
    inline = generate(options.work, "inline", "inline")
    external = generate(options.work, "external", "external")
    for name, model in (("inspect, 500 MB inside", inline), ("inspect, 20 GB beside", external)):
        seconds, memory = best([options.inlay, "inspect", model])
        table.add(name, (seconds * 1e3, "ms", 150), (memory - base, "MB", 30))
    out = options.work / "copy" / "external.onnx"
    out.parent.mkdir(exist_ok=True)
    seconds, memory = best([options.inlay, "compile", external, "-o", out], repeat=1)
    data = pathlib.Path(f"{out}.data").stat()
    table.add("compile, 20 GB beside", (seconds * 1e3, "ms", None), (memory - base, "MB", 200))
    table.add("  its data file on disk", (data.st_size / 1e6, "MB long", None),
              (data.st_blocks * 512 / 1e6, "MB", 100))
    return table.finish()


def measure_chain(options):
    table = Table("nodes", "import + export", "per node")
    times = {}
    for nodes in (100_000, 1_000_000):
        model = generate(options.work, f"chain{nodes}", "chain", "--nodes", str(nodes))
        out = options.work / "chain-out.onnx"
        seconds, _ = best([options.inlay, "compile", model, "-o", out, "--simplify", "off"], repeat=3)
        times[nodes] = seconds
        table.add(f"{nodes}", (seconds, "s", 15), (seconds / nodes * 1e6, "us", None))
    ratio = times[1_000_000] / times[100_000]
    table.add("ratio", (ratio, "x", 13), (0, "", None))
    return table.finish()


def fill(options, name):
    """The model with weights: written by the folder's own script if it has one."""
    script = options.models / "fill_weights.js"
    if not script.exists():
        return options.models / f"{name}.onnx"
    subprocess.run(["node", script, options.work, name], check=True)
    return options.work / f"{name}.onnx"


def time_import(options, model):
    """The seconds of the fastest of five imports, as the tool reports them."""
    command = [options.inlay, "compile", model, "-o", "/dev/null", "--simplify", "off", "--format", "json"]
    runs = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(5)]
    return min(json.loads(run)["import_seconds"] for run in runs)


def measure_session(options):
    models = sorted(options.models.glob("*.onnx"), key=lambda path: -path.stat().st_size)[:5]
    table = Table("model", "inlay import", "ONNX Runtime session", "inlay / ONNX Runtime")
    for path in models:
        model = fill(options, path.stem)
        seconds = time_import(options, model)
        output = subprocess.run(["node", ROOT / "bench" / "session.js", model],
                                check=True, capture_output=True, text=True).stdout
        session = float(output)
        table.add(path.stem, (seconds * 1e3, "ms", None), (session * 1e3, "ms", None),
                  (seconds / session * 100, "%", 100 / 3))
        if model.parent == options.work:
            model.with_suffix(".weights").unlink(missing_ok=True)
    return table.finish()


def time_layouts(options, model, target, repeat, key="layout_seconds", flags=()):
    """The report of the compilation that was fastest in what `key` says."""
    out = options.work / "layouts-out.onnx"
    command = [options.inlay, "compile", model, "-t", target, "-o", out, "--verify", "off", "--format", "json", *flags]
    runs = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(repeat)]
    for written in options.work.glob("layouts-out.onnx*"):
        written.unlink()
    return min(map(json.loads, runs), key=lambda report: report[key])


def measure_layouts(options):
    table = Table("ops, target", "layouts", "per op", "of ten times fewer", "all of compile")
    for target in ("none", "nhwc"):
        before = None
        for nodes in (10_000, 100_000, 1_000_000):
            model = generate(options.work, f"residual{nodes}", "residual", "--nodes", str(nodes))
            report = time_layouts(options, model, target, repeat=1 if nodes > 100_000 else 3)
            seconds = report["layout_seconds"]
            ratio = seconds / before if before else 0
            table.add(f"{nodes} {target}", (seconds, "s", 20), (seconds / nodes * 1e6, "us", None),
                      (ratio, "x", 15), (report["seconds"], "s", None))
            before = seconds
    return table.finish()


def measure_layouts_of_models(options):
    table = Table("model", "none", "nhwc")
    seconds = {"none": [], "nhwc": []}
    for path in sorted(options.models.glob("*.onnx")):
        model = fill(options, path.stem)
        for target, times in seconds.items():
            times.append(time_layouts(options, model, target, repeat=3)["layout_seconds"] * 1e3)
        table.add(path.stem, *((times[-1], "ms", 1000) for times in seconds.values()))
        if model.parent == options.work:
            model.with_suffix(".weights").unlink(missing_ok=True)
    table.add("median", *((statistics.median(times), "ms", 50) for times in seconds.values()))
    return table.finish()


def measure_growth(options, what, target, key, limit, flags=()):
    """What `key` says of a compilation of ten thousand to a million operators."""
    table = Table("ops, strategy", what, "per op", "of ten times fewer", "all of compile")
    before = None
    for nodes in (10_000, 100_000, 1_000_000):
        model = generate(options.work, f"residual{nodes}", "residual", "--nodes", str(nodes))
        report = time_layouts(options, model, target, repeat=1 if nodes > 100_000 else 3, key=key, flags=flags)
        seconds = report[key]
        ratio = seconds / before if before else 0
        table.add(f"{nodes} greedy", (seconds, "s", limit), (seconds / nodes * 1e6, "us", None), (ratio, "x", 15),
                  (report["seconds"], "s", None))
        before = seconds
    return table.finish()


def measure_fusion(options):
    return measure_growth(options, "groups", "opu", "fusion_seconds", 10)


def measure_kernels(options):
    return measure_growth(options, "kernels", "none", "kernel_seconds", 20, ("--graph-kernels", "on"))


def measure_wide(options):
    """Processor time: what is asked for is work, not luck with other processes."""
    table = Table("operator, target", "1,000 operands", "10,000 operands", "ratio")
    out = options.work / "wide-out.onnx"
    flags = ["--verify", "off", "--rewrite", "on", "--graph-kernels", "on"]
    for op in ("Concat", "Sum", "Split"):
        for target in ("none", "nhwc", "opu", "ascend"):
            seconds = []
            for operands in (1_000, 10_000):
                model = generate(options.work, f"wide{op}{operands}", "wide", "--op", op, "--nodes", str(operands))
                seconds.append(min(time_processor([options.inlay, "compile", model, "-t", target, "-o", out, *flags])
                                   for _ in range(3)))
            table.add(f"{op} {target}", (seconds[0], "s", None), (seconds[1], "s", 2), (seconds[1] / seconds[0], "x", 20))
    out.unlink()
    return table.finish()


def write_shared(path, kernels):
    """A chain of kernels, each of which adds the same constant."""
    tensor = "tensor<4x8xf32>"
    lines = [f"func.func @main(%k0: {tensor}) -> {tensor} {{",
             f"%c = inlay.constant dense<1.0> : {tensor}"]
    for i in range(kernels):
        lines += [f"%k{i + 1} = inlay.group \"none\" \"kernel_{i}\" kernel <elementwise, space = [4, 8], "
                  f"reads = [same, same]> : {tensor} {{",
                  f"%a{i} = inlay.add %k{i}, %c : ({tensor}, {tensor}) -> {tensor}",
                  f"inlay.yield %a{i} : {tensor} }}"]
    path.write_text("\n".join([*lines, f"return %k{kernels} : {tensor} }}\n"]))


def measure_shared(options):
    """What checks a kernel looks at those who read the same constant no more than once."""
    table = Table("kernels", "parsed and verified", "of four times fewer")
    tool, before = options.inlay.with_name("inlay-opt"), None
    for kernels in (5_000, 20_000):
        model = options.work / f"shared{kernels}.mlir"
        write_shared(model, kernels)
        seconds = min(time_processor([tool, model, "-o", "/dev/null"]) for _ in range(3))
        table.add(f"{kernels}", (seconds, "s", 5), (seconds / before if before else 0, "x", 8))
        before = seconds
    return table.finish()


def main():
    parser = argparse.ArgumentParser()
    measures = {"memory": measure_memory, "chain": measure_chain, "session": measure_session,
                "layouts": measure_layouts, "layouts-of-models": measure_layouts_of_models,
                "fusion": measure_fusion, "kernels": measure_kernels, "wide": measure_wide,
                "shared": measure_shared}
    parser.add_argument("what", choices=list(measures))
    parser.add_argument("--inlay", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--models", type=pathlib.Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    sys.exit(0 if measures[options.what](options) else 1)


if __name__ == "__main__":
    main()
