//===- activation.js - Functions of one element ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { tensor, numbers, extremes, ramp, vector, floats, nodeCase, infinity } = require('./describe');

const ranges = { ramp, numbers, extremes };

// Each range of numbers in each element type.
function everywhere(op, opset, { attrs, types = ['float', 'float16', 'double'], suffix = '', ...rest } = {}) {
  return types.flatMap(type => Object.entries(ranges).map(([range, values]) =>
    nodeCase(`${suffix}${type}_${range}`, op, opset, [vector(type, values)],
             { attrs, outputs: [type], by: 'element', ...rest })));
}

const narrow = ['float', 'float16'];
// ONNX Runtime computes these in single precision, doubles too.
const inFloat = { precision: 'float' };

const activations = [
  ...everywhere('Gelu', 20, { types: narrow }),
  ...everywhere('Gelu', 20, { attrs: { approximate: 'tanh' }, suffix: 'tanh_', ...inFloat }),
  ...everywhere('Swish', 24), ...everywhere('Swish', 24, { attrs: { alpha: 1.702 }, suffix: 'quick_' }),
  ...everywhere('HardSigmoid', 13, { types: narrow }),
  ...everywhere('HardSigmoid', 22, { attrs: { alpha: 0.3, beta: -0.1 }, suffix: 'other_', types: narrow }),
  ...everywhere('HardSwish', 14, { types: narrow }), ...everywhere('Mish', 18, inFloat),
  ...everywhere('Softplus', 13, { types: narrow }), ...everywhere('Softsign', 13, { types: narrow }),
  ...everywhere('Sigmoid', 13), ...everywhere('Tanh', 13), ...everywhere('Relu', 14),
  ...everywhere('LeakyRelu', 16),
  ...everywhere('LeakyRelu', 13, { attrs: { alpha: 0.3 }, suffix: 'steep_', types: narrow }),
  ...everywhere('Elu', 13, { types: narrow }),
  ...everywhere('Elu', 22, { attrs: { alpha: 2.5 }, suffix: 'steep_', types: narrow }),
  ...everywhere('Selu', 13, { types: narrow }),
  ...everywhere('Selu', 22, { attrs: { alpha: 1.5, gamma: 0.5 }, suffix: 'other_', types: narrow }),
  ...everywhere('Celu', 12, { types: ['float'] }),
  ...everywhere('Celu', 12, { attrs: { alpha: 0.4 }, suffix: 'flat_', types: ['float'] }),
  ...everywhere('ThresholdedRelu', 13, { types: narrow }),
  ...everywhere('ThresholdedRelu', 22, { attrs: { alpha: -0.5 }, suffix: 'low_', types: narrow }),
  ...everywhere('Shrink', 13, inFloat),
  ...everywhere('Shrink', 13, { attrs: { lambd: 1.5, bias: 1.5 }, suffix: 'soft_', ...inFloat }),
  ...everywhere('Reciprocal', 13),
];

const integers = [
  nodeCase('int32', 'Relu', 14, [tensor('int32', [5], [-3, 0, 4, -2147483648, 2147483647])], { outputs: ['int32'] }),
  nodeCase('int8', 'Relu', 14, [tensor('int8', [5], [-3, 0, 4, -128, 127])],
           { outputs: ['int8'], stays: 'few runtimes have a Max of int8' }),
  nodeCase('scalar', 'Gelu', 20, [tensor('float', [], [0.7])]),
  nodeCase('empty', 'Gelu', 20, [tensor('float', [0, 3], [])]),
];

const x = tensor('float', [2, 3, 4], Array.from({ length: 24 }, (_, i) => i === 5 ? NaN : i === 6 ? -infinity :
    i - 12));
const slopes = { scalar: [], one: [1], last: [4], channel: [3, 1], full: [2, 3, 4] };
const prelu = Object.entries(slopes).map(([name, dims]) => nodeCase(name, 'PRelu', 16, [x, floats(dims, -0.5, 2)]));
prelu.push(nodeCase('int32', 'PRelu', 16, [tensor('int32', [2, 2], [-3, 4, -5, 6]), tensor('int32', [2], [2, -3])],
                    { outputs: ['int32'] }));

const scalar = (type, value) => tensor(type, [], [value]);
const clip = [
  ['both', [scalar('float', -1), scalar('float', 2)]], ['low', [scalar('float', -1)]], ['high', [null, scalar('float',
      2)]],
  ['none', []], ['crossed', [scalar('float', 3), scalar('float', 1)]],
  ['lists', [tensor('float', [1], [-1]), tensor('float', [1], [2])]],
].flatMap(([name, bounds]) => [13, 12].map(opset =>
  nodeCase(name, 'Clip', opset, [vector('float', [...numbers, ...extremes]), ...bounds], { by: 'element' })));
clip.push(
  nodeCase('attributes', 'Clip', 10, [vector('float', ramp)], { attrs: { min: { float: -1 }, max: { float: 2 } },
      by: 'element' }),
  nodeCase('scalar', 'Clip', 13, [scalar('float', 5), scalar('float', -1), tensor('float', [], [2])]),
  nodeCase('int64', 'Clip', 13, [tensor('int64', [4], [-9, 0, 3, 9]), scalar('int64', -2), scalar('int64', 4)],
           { outputs: ['int64'] }),
  nodeCase('f16_unbounded', 'Clip', 13, [vector('float16', [...numbers, ...extremes])], { outputs: ['float16'],
      by: 'element' }),
  nodeCase('f16', 'Clip', 13, [vector('float16', numbers), scalar('float16', -1.5), scalar('float16', 2.5)],
           { outputs: ['float16'], by: 'element' }),
  nodeCase('int8', 'Clip', 13, [tensor('int8', [3], [-9, 0, 9]), scalar('int8', -2), scalar('int8', 4)],
           { outputs: ['int8'], stays: 'few runtimes have a Max of int8' }),
);

module.exports = [...activations, ...integers, ...prelu, ...clip];
