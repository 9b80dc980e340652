//===- permute.js - Permutes the dimensions of a tensor -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { count } = require('./element');

// Dimension i of the result is dimension perm[i] of `tensor`. Elements of whole
// bytes only.
function permuteTensor({ type, dims, data }, perm) {
  const strides = dims.map((_, i) => count(dims.slice(i + 1))), shape = perm.map(axis => dims[axis]);
  const result = data.slice(), index = shape.map(() => 0);
  for (let to = 0; to < result.length; ++to) {
    result[to] = data[index.reduce((from, at, i) => from + at * strides[perm[i]], 0)];
    for (let axis = shape.length - 1; axis >= 0; --axis) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
  return { type, dims: shape, data: result };
}

module.exports = { permuteTensor };
