//===- reduce.js - Random reductions --------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { range, list, scalarList } = require('./draw');
const { tensor, count } = require('../element');

const types = ['double', 'int32', 'int64'];
// The range of the operand, and the opset that made the axes an operand.
const reductions = {
  ReduceSum: [-2, 2, 13], ReduceMean: [-2, 2, 18], ReduceMax: [-2, 2, 18], ReduceMin: [-2, 2, 18],
  ReduceProd: [0.6, 1.5, 18], ReduceL1: [-2, 2, 18], ReduceL2: [-2, 2, 18], ReduceSumSquare: [-2, 2, 18],
  ReduceLogSum: [0.1, 3, 18], ReduceLogSumExp: [-4, 4, 18],
};

// Never of nothing: there ONNX Runtime leaves some of the axes as they are.
function reduceCase(op, [low, high, operandSince]) {
  return (draw, opset) => {
    const type = draw.type(/Log|Prod|L2/.test(op) ? ['double'] : types), dims = draw.shape(1, 4);
    const axes = draw.maybe(draw.spellAxes(draw.some(range(dims.length), 1), dims.length), 0.8);
    const attrs = { keepdims: draw.maybe(draw.integer(0, 1)) };
    const operands = [/int/.test(type) ? draw.tensor(type, dims) : draw.tensor(type, dims, low, high)];
    if (opset < operandSince) attrs.axes = axes;
    else if (axes || draw.chance(0.5)) operands.push(axes ? list(axes) : draw.chance(0.5) ? list([]) : null);
    if (opset >= operandSince) attrs.noop_with_empty_axes = draw.maybe(draw.integer(0, 1), 0.3);
    return { op, since: 13, operands, attrs: draw.attributes(attrs), outputs: [type] };
  };
}

// Few different values, so that there are ties.
function argCase(op) {
  return (draw, opset) => {
    const type = draw.type(['double', 'int32', 'int8', 'uint8']), dims = draw.shape(1, 4);
    const x = tensor(type, dims, range(count(dims)).map(() => draw.integer(0, 9)));
    const attrs = { axis: draw.maybe(draw.axis(dims.length)), keepdims: draw.maybe(draw.integer(0, 1)),
      select_last_index: opset >= 12 ? draw.maybe(draw.integer(0, 1)) : undefined };
    return { op, since: 11, operands: [x], attrs: draw.attributes(attrs), outputs: ['int64'] };
  };
}

function cumSum(draw) {
  const type = draw.type(types), dims = draw.shape(1, 4);
  const attrs = { exclusive: draw.maybe(draw.integer(0, 1)), reverse: draw.maybe(draw.integer(0, 1)) };
  return { op: 'CumSum', since: 11, operands: [draw.tensor(type, dims), scalarList(draw.axis(dims.length))],
    attrs: draw.attributes(attrs), outputs: [type] };
}

const all = Object.fromEntries(Object.entries(reductions).map(([op, facts]) => [op, reduceCase(op, facts)]));

module.exports = { ...all, ArgMax: argCase('ArgMax'), ArgMin: argCase('ArgMin'), CumSum: cumSum };
