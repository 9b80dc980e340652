#!/usr/bin/env node
//===- schemas.js - Which element types opsets admit ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inlay has written down which elements each operator takes in which opset. For
// random triples of these, a model of one node: where ONNX Runtime refuses it
// for its types, Inlay writes nothing, or other nodes that it takes; where it
// loads it, Inlay writes it.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const onnx = require('./onnx');
const { elements } = require('./element');
const { Draw } = require('./random-ops/draw');
const generators = require('./random-ops');
const { seedFor } = require('./random');
const { mapInParallel, execute } = require('./pool');

const usage = `usage: schemas.js --inlay BIN [options]

  --count N        triples (default 400)
  --seed N         (default 0)
  --only A,B       these operators only
  --jobs N         at a time (default 2)`;

const opsets = { first: 7, last: 26 };
const types = elements.map(({ name }) => name).filter(name => !name.startsWith('complex'));

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

const window = { kernel_shape: [2, 2] };
const quantized = t => [t, 'float', t, t, 'float', t, 'float', t];

// The inputs of operators with others than one of the type in question, and
// attributes that they need.
const forms = {
  BatchNormalization: t => [t, t, t, t, t], Clip: (t, o) => o < 11 ? [t] : [t, t, t], Conv: t => [t, t, t],
  ConvInteger: t => [t, 'uint8'], CumSum: t => [t, 'int64'], DequantizeLinear: t => [t, 'float'], Expand: t => [t, 'int64'],
  Gather: t => [t, 'int64'], GatherElements: t => [t, 'int64'], GatherND: t => [t, 'int64'], Gemm: t => [t, t, t],
  GridSample: t => [t, 'float'], GroupNormalization: t => [t, t, t], InstanceNormalization: t => [t, t, t],
  LayerNormalization: t => [t, t, t], MatMulInteger: t => [t, 'uint8'], NegativeLogLikelihoodLoss: t => [t, 'int64'],
  OneHot: t => ['int64', 'int64', t], Pad: (t, o) => o < 11 ? [t] : [t, 'int64'], QLinearConv: quantized,
  QLinearMatMul: quantized, Range: t => [t, t, t], Reshape: t => [t, 'int64'], RotaryEmbedding: t => [t, t, t],
  ScatterElements: t => [t, 'int64', t], ScatterND: t => [t, 'int64', t], Tile: t => [t, 'int64'],
  Slice: (t, o) => o < 10 ? [t] : [t, 'int64', 'int64'], TopK: (t, o) => o < 10 ? [t] : [t, 'int64'],
  Unsqueeze: (t, o) => o < 13 ? [t] : [t, 'int64'], Where: t => ['bool', t, t], CastLike: t => [t, 'float'],
  Attention: t => [t, t, t], GRU: t => [t, t, t], LSTM: t => [t, t, t], NonMaxSuppression: t => [t, t], RNN: t => [t, t, t],
  RoiAlign: t => [t, t, 'int64'],
};
for (const op of ['Add', 'And', 'BitShift', 'BitwiseAnd', 'BitwiseOr', 'BitwiseXor', 'Concat', 'ConvTranspose', 'Div', 'Einsum',
  'Equal', 'Greater', 'GreaterOrEqual', 'Less', 'LessOrEqual', 'MatMul', 'Max', 'Mean', 'Min', 'Mod', 'Mul', 'Or', 'PRelu', 'Pow',
  'QuantizeLinear', 'RMSNormalization', 'Sub', 'Sum', 'Xor'])
  forms[op] = t => [t, t];

const attributes = {
  Cast: () => ({ to: 1 }), Concat: () => ({ axis: 0 }), Einsum: () => ({ equation: 'ij,jk->ik' }), LRN: () => ({ size: 3 }),
  GroupNormalization: () => ({ num_groups: 2 }), AveragePool: () => window, MaxPool: () => window, LpPool: () => window,
  Pad: o => o < 11 ? { pads: [0, 0] } : {}, Slice: o => o < 10 ? { starts: [0], ends: [1] } : {}, Mod: () => ({ fmod: 1 }),
  Split: o => o < 18 ? {} : { num_outputs: 2 }, Unsqueeze: o => o < 13 ? { axes: [0] } : {}, TopK: o => o < 10 ? { k: 1 } : {},
  DepthToSpace: () => ({ blocksize: 2 }), SpaceToDepth: () => ({ blocksize: 2 }), BitShift: () => ({ direction: 'LEFT' }),
  GRU: () => ({ hidden_size: 2 }), LSTM: () => ({ hidden_size: 2 }), RNN: () => ({ hidden_size: 2 }),
};
const outputCounts = { Split: 2, TopK: 2, DynamicQuantizeLinear: 3 };

// Not asked about: those without a typed input, those that ONNX Runtime takes
// apart by functions that have types of their own, and Erf, which took integers
// in opsets 9 to 12 only.
const leftOut = new Set(['ConstantOfShape', 'Erf', 'Resize', 'MeanVarianceNormalization', 'ReduceLogSum', 'ReduceLogSumExp',
  'SoftmaxCrossEntropyLoss', 'Swish']);
// ONNX Runtime had these before ONNX did.
const firstOpsets = { LayerNormalization: 17, ThresholdedRelu: 10 };
const operators = Object.keys(generators).filter(op => !leftOut.has(op)).sort();

function makeModel(op, opset, type) {
  const inputs = (forms[op] ?? (t => [t]))(type, opset).map((each, i) => [`x${i}`, each]);
  const outputs = Array.from({ length: outputCounts[op] ?? 1 }, (_, i) => `y${i}`);
  const node = { op, name: 'n', inputs: inputs.map(([name]) => name), outputs, attrs: attributes[op]?.(opset) ?? {} };
  return onnx.model({ opset, inputs, outputs: outputs.map(name => [name]), nodes: [node] });
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

// Whether ONNX Runtime takes the types; undefined where it is refused for
// another reason. Types that node cannot name are accepted by then.
function judge({ loaded, refusal = '' }) {
  if (loaded || /Unsupported data type/.test(refusal)) return true;
  return /Type Error: Type '.*' of input parameter|Type parameter .* bound to different types/.test(refusal) ? false : undefined;
}

async function checkTriple(number, { seed, names, work, inlay, worker }) {
  const draw = new Draw(seedFor(seed, `schema ${number}`)), op = draw.pick(names), type = draw.pick(types);
  const opset = draw.integer(firstOpsets[op] ?? opsets.first, opsets.last), label = `${op} of ${type} in opset ${opset}`;
  const model = path.join(work, `${number}.onnx`), output = path.join(work, `${number}.out.onnx`);
  fs.writeFileSync(model, makeModel(op, opset, type));
  const expected = judge(await worker.run('run', [model, {}]));
  if (expected === undefined) return {};
  const { code, stderr } = await execute(inlay, ['compile', model, '-o', output, '--verify', 'off', '--simplify', 'off']);
  const result = code === 0 ? judge(await worker.run('run', [output, {}])) : undefined;
  for (const file of [model, output]) fs.rmSync(file, { force: true });
  const isFault = expected ? code !== 0 : result === false;
  return { asked: true, expected, fault: isFault
      ? `${label}: ONNX Runtime ${expected ? 'loads' : 'refuses'} it; inlay: exit code ${code} ${stderr.trim()}` : undefined };
}

async function main() {
  const text = { type: 'string' };
  let values;
  try {
    ({ values } = parseArgs({ options: { inlay: text, count: text, seed: text, only: text, jobs: text } }));
    if (!values.inlay) throw new Error('--inlay is required');
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-schemas-'));
  const context = { inlay: values.inlay, work, seed: Number(values.seed ?? 0), names: values.only?.split(',') ?? operators };
  const numbers = Array.from({ length: Number(values.count ?? 400) }, (_, i) => i);
  const results = await mapInParallel(numbers, Number(values.jobs ?? 2),
      (number, worker) => checkTriple(number, { ...context, worker }));
  fs.rmSync(work, { recursive: true });
  const faults = results.filter(({ fault }) => fault), asked = results.filter(result => result.asked);
  for (const { fault } of faults) console.log(`FAIL ${fault}`);
  console.log(`${asked.length} asked, ${asked.filter(({ expected }) => !expected).length} of them refused, ${faults.length} failed`);
  return faults.length || !asked.some(({ expected }) => expected) || asked.every(({ expected }) => expected) ? 1 : 0;
}

main().then(code => { process.exitCode = code; });
