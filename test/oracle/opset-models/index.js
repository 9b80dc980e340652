//===- index.js - All opset cases -----------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const subjects = ['reduce', 'movement', 'resize', 'window', 'elementwise', 'normalize', 'attention', 'recurrent',
    'quantize', 'indexing', 'control'];

module.exports = subjects.flatMap(subject => require(`./${subject}`));
