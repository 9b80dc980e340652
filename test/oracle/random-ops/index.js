//===- index.js - All generators of random nodes --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A generator takes a Draw and the opset of the model and returns a case, or
// undefined where this opset has no such operator.
//
//===----------------------------------------------------------------------===//

'use strict';

const subjects = ['elementwise', 'cast', 'reduce', 'movement', 'slicing', 'indexing', 'contraction', 'window',
  'normalize', 'attention', 'recurrent', 'detection', 'resize', 'quantize', 'contributed'];

module.exports = Object.assign({}, ...subjects.map(subject => require(`./${subject}`)));
