//===- steps.js - What the steps of one operator copy ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// steps.js: reads a module with the steps of one operator and says how many
// tensors each step takes or makes, how many of the operator's own are copied
// more than once, how many times in all, and whether their order is the first
// one.
const text = require("fs").readFileSync(0, "utf8");
const line = /^ *(%\d+)(?::(\d+))? = inlay\.(concat|sum|max|min|split) ([^:{]*)/gm;
const steps = [...text.matchAll(line)].map(([, name, results, kind, operands]) => ({
  name, kind, results: Number(results ?? 1), operands: operands.trim().split(", "),
}));
const isCut = steps[0].kind === "split";
const widths = steps.map((step) => (isCut ? step.results : step.operands.length));
const byName = new Map(steps.map((step) => [step.name, step]));
const names = (step) =>
  isCut ? Array.from({ length: step.results }, (_, i) => `${step.name}#${i}`) : step.operands;
// A cut is the step whose operand is the name, a join the one whose result it is.
const inner = (name) =>
  isCut ? steps.find((step) => step.operands[0] === name) : byName.get(name);
const root = isCut ? steps[0] : steps[steps.length - 1];
const leaves = [];
const stack = names(root).map((name) => [name, 0]).reverse();
while (stack.length) {
  const [name, depth] = stack.pop();
  const step = inner(name);
  if (step) stack.push(...names(step).map((each) => [each, depth + 1]).reverse());
  else leaves.push([name, depth]);
}
const returned = text.match(/return ([^:]*) :/)[1].trim().split(", ");
const order = isCut
  ? returned.join() === leaves.map(([name]) => name).filter((name) => returned.includes(name)).join()
  : leaves.every(([name], i) => name === `%arg${i}`);
const again = leaves.filter(([, depth]) => depth > 0).length;
const copies = leaves.reduce((sum, [, depth]) => sum + depth, 0);
const shown = widths.length > 4 ? `${widths.length} of at most ${Math.max(...widths)}` : widths.join(" ");
console.log(`steps ${shown}; leaves ${leaves.length}; again ${again}; copies ${copies}; ${order ? "in order" : "out of order"}`);
//
//===----------------------------------------------------------------------===//

'use strict';

