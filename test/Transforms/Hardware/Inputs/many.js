//===- many.js - One operator over many tensors ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// many.js KIND N: a module with one operator over N tensors of one size, for
// KIND concat, sum, max, min (N operands) or split (N results, of which every
// 32nd is not used).
const [kind, count] = [process.argv[2], Number(process.argv[3])];
const list = (text) => Array.from({ length: count }, (_, i) => text(i)).join(", ");
const part = "tensor<2x3xf32>";
if (kind === "split") {
  const whole = `tensor<2x${3 * count}xf32>`;
  const used = Array.from({ length: count }, (_, i) => i).filter((i) => i % 32 !== 31);
  const types = used.map(() => part).join(", ");
  console.log(`func.func @main(%x: ${whole}) -> (${types}) {
  %y:${count} = inlay.split %x {axis = 1 : i64} : (${whole}) -> (${list(() => part)})
  return ${used.map((i) => `%y#${i}`).join(", ")} : ${types}
}`);
} else {
  const result = kind === "concat" ? `tensor<2x${3 * count}xf32>` : part;
  const axis = kind === "concat" ? " {axis = 1 : i64}" : "";
  console.log(`func.func @main(${list((i) => `%a${i}: ${part}`)}) -> ${result} {
  %y = inlay.${kind} ${list((i) => `%a${i}`)}${axis} : (${list(() => part)}) -> ${result}
  return %y : ${result}
}`);
}
//
//===----------------------------------------------------------------------===//

'use strict';

