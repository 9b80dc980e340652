//===- index.js - All forms of operators taken apart ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

module.exports = [...require('./activations'), ...require('./softmaxes'), ...require('./normalizations')];
