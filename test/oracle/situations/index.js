//===- index.js - All layout situations, by number ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers are those of the list of situations that layout code must get
// right. What has no model here says why.
//
//===----------------------------------------------------------------------===//

'use strict';

const subjects = ['elementwise', 'movement', 'reduce', 'reshape', 'window', 'contraction', 'quantize', 'control'];

const situations = subjects.flatMap(subject => require(`./${subject}`)).sort((a, b) => a.number - b.number);

const withoutModel = {
  14: 'Concat in a blocked layout: no built-in target has one yet',
  45: 'padding lanes of NCHWc: no built-in target has a blocked layout yet',
};

const numberOfSituations = 50;

// Numbers that have neither a model nor a reason.
function missingNumbers() {
  const present = new Set(situations.map(({ number }) => number));
  const numbers = Array.from({ length: numberOfSituations }, (_, i) => i + 1);
  return numbers.filter(number => !present.has(number) && !withoutModel[number]);
}

module.exports = { situations, withoutModel, missingNumbers };
