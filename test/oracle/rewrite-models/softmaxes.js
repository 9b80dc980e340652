//===- softmaxes.js - Softmax and LogSoftmax taken apart ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { decomposed, spelled } = require('./describe');

const kinds = ['random', 'large', 'flat', 'masked'];
const shifted = (f, x, axis) => f.sub(x, f.reduce('ReduceMax', x, [axis]));

function softmax(f, x, axis, divide) {
  const e = f.op('Exp', shifted(f, x, axis));
  return divide(f, e, f.reduce('ReduceSum', e, [axis]));
}

function logSoftmax(f, x, axis) {
  const y = shifted(f, x, axis);
  return f.sub(y, f.op('Log', f.reduce('ReduceSum', f.op('Exp', y), [axis])));
}

const byQuotient = (f, e, sum) => f.div(e, sum);
const byReciprocal = (f, e, sum) => f.mul(e, f.op('Reciprocal', sum));

const typed = ['float16', 'double'].flatMap(type => [
  decomposed('Softmax', type, { opset: 18, type }, (f, x) => softmax(f, x, -1, byQuotient)),
  decomposed('LogSoftmax', type, { opset: 18, type }, (f, x) => logSoftmax(f, x, -1)),
]);

module.exports = [13, 17, 18].flatMap(opset => [
  ...spelled('Softmax', `quotient-${opset}`, { opset, kinds }, (f, x) => softmax(f, x, -1, byQuotient)),
  ...spelled('Softmax', `reciprocal-${opset}`, { opset, kinds }, (f, x) => softmax(f, x, 1, byReciprocal)),
  decomposed('Softmax', `unshifted-${opset}`, { opset, found: false }, (f, x) => {
    const e = f.op('Exp', x);
    return f.div(e, f.reduce('ReduceSum', e, [2]));
  }),
  ...spelled('LogSoftmax', `difference-${opset}`, { opset, kinds }, (f, x) => logSoftmax(f, x, 2)),
  ...spelled('LogSoftmax', `log-sum-exp-${opset}`, { opset, kinds: ['random', 'large', 'flat'] }, (f, x) =>
    f.sub(x, f.reduce('ReduceLogSumExp', x, [-1]))),
  ...spelled('LogSoftmax', `added-back-${opset}`, { opset, kinds: ['random', 'large', 'flat'] }, (f, x) => {
    const max = f.reduce('ReduceMax', x, [2]), e = f.op('Exp', f.sub(x, max));
    return f.sub(x, f.add(max, f.op('Log', f.reduce('ReduceSum', e, [2]))));
  }),
]).concat(typed);
