//===- index.js - All cases of expansions ---------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const subjects = ['activation', 'softmax', 'normalize', 'reduce', 'arithmetic', 'movement', 'places', 'recurrent', 'attention'];

module.exports = subjects.flatMap(subject => require(`./${subject}`));
