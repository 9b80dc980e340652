# ===- long_chain.py - A model that takes minutes to execute ---------------===#
#
# Part of the Inlay project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#

TYPE = "tensor<1024x1024xf32>"
STEPS = 1000

print("module attributes {inlay.opsets = {ai.onnx = 17 : i64}} {")
print(f"func.func @main(%v0: {TYPE}) -> {TYPE} {{")
for i in range(STEPS):
    print(f"%m{i} = inlay.matmul %v{i}, %v{i} : ({TYPE}, {TYPE}) -> {TYPE}")
    print(f"%v{i + 1} = inlay.tanh %m{i} : ({TYPE}) -> {TYPE}")
print(f"return %v{STEPS} : {TYPE}\n}}\n}}")
