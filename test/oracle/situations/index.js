//===- index.js - All layout situations, by number ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers are those of docs/Requirements.md: s for layouts, f for fusion,
// limits and formats, of which the formats are here.
// What has no model here says why.
//
//===----------------------------------------------------------------------===//

'use strict';

const subjects = ['elementwise', 'movement', 'reduce', 'reshape', 'window', 'contraction', 'quantize', 'control', 'formats', 'contributed'];

const situations = subjects.flatMap(subject => require(`./${subject}`)).sort((a, b) => a.number - b.number);

const withoutModel = {};

const range = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => first + i);
const numbers = { s: range(1, 51), f: range(44, 51) };

// Numbers that have neither a model nor a reason.
function missingNumbers() {
  const present = new Set(situations.map(({ list, number }) => `${list}${number}`));
  return Object.entries(numbers).flatMap(([list, all]) => all.map(number => `${list}${number}`))
      .filter(number => !present.has(number) && !withoutModel[number]);
}

module.exports = { situations, withoutModel, missingNumbers };
