//===- transposes.js - Counts what a model's transposes move --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Independent of Inlay's own ledger, and the same for files of Inlay and of
// ONNX Runtime. Counted are
//   * Transpose nodes of the graph and of subgraphs in If, Loop and Scan (once,
//     whatever the trip count), but not those in bodies of functions, which say
//     what a kernel computes;
//   * operands that ONNX Runtime's own ops transpose by a flag: transA, transB
//     (all transBatchA, transBatchB) of its fused MatMul and Gemm, and
//     channels_last of its reorders; constants, which it packs, do not count;
// unless they only move dimensions of extent one: those are free. The bytes are
// those of the tensor. Extents come from running the model; inside subgraphs,
// from its shape inference.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const ort = require('onnxruntime-node');
const onnx = require('./onnx');
const { byteSize, count } = require('./element');
const { runModel, sessionOptions } = require('./session');

const microsoft = /^com\.(ms|microsoft)/;

// Does the order of dimensions of more than one element change?
function movesElements(dims, perm) {
  const moved = perm.filter(axis => dims[axis] !== 1);
  return moved.some((axis, i) => i > 0 && axis < moved[i - 1]);
}

const inverse = perm => perm.map((_, i) => perm.indexOf(i));
const swapLast = rank => [...Array(rank - 2).keys(), rank - 1, rank - 2];
// transBatch: the dimension before the last comes first.
const batchLast = rank => [rank - 2, ...Array(rank - 2).keys(), rank - 1];

// `value` is the tensor to look at (`other`: the same elements, where the type
// of `value` is unknown); `perm` gives, from its rank, the order of dimensions
// on the other side.
function transposeOf(node) {
  const given = onnx.attribute(node, 'perm')?.map(Number);
  const perm = rank => given ?? Array.from({ length: rank }, (_, i) => rank - 1 - i);
  return { value: node.output[0], perm: rank => inverse(perm(rank)), other: { value: node.input[0], perm } };
}

function flagsOf(node) {
  const flag = name => Number(onnx.attribute(node, name) ?? 0) !== 0;
  const operand = (index, perm) => ({ value: node.input[index], perm });
  const found = [];
  if (flag('channels_last') && /^Reorder/.test(node.opType))
    return [{ value: node.opType === 'ReorderOutput' ? node.output[0] : node.input[0],
              perm: rank => [0, rank - 1, ...Array.from({ length: rank - 2 }, (_, i) => i + 1)] }];
  for (const [index, letter] of ['A', 'B'].entries()) {
    if (flag(`transBatch${letter}`)) found.push(operand(index, batchLast));
    else if (flag(`trans${letter}`)) found.push(operand(index, swapLast));
  }
  return found;
}

function candidates(graph) {
  const constants = new Set(graph.initializer.map(({ name }) => name));
  return graph.node.flatMap(node => {
    if (!node.domain && node.opType === 'Transpose') return [transposeOf(node)];
    return microsoft.test(node.domain) ? flagsOf(node).filter(({ value }) => !constants.has(value)) : [];
  });
}

// Types of values in subgraphs, by name: ONNX Runtime writes what it infers.
async function inferredTypes(file, work) {
  const saved = path.join(work, 'inferred.onnx');
  const session = await ort.InferenceSession.create(file, { ...sessionOptions, optimizedModelFilePath: saved });
  await session.release();
  const types = new Map();
  for (const { valueInfo, input, output } of onnx.allGraphs(onnx.readFile(saved)))
    for (const { name, type } of [...valueInfo, ...input, ...output]) {
      const { text, dims } = onnx.describeType(type);
      if (dims?.every(dim => typeof dim === 'number')) types.set(name, { type: text, dims });
    }
  return types;
}

async function nestedTypes(file) {
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-transposes-'));
  try {
    return await inferredTypes(file, work);
  } finally {
    fs.rmSync(work, { recursive: true });
  }
}

// {transposes, bytes, unsized}; `unsized` counts those of unknown extents.
async function measureTransposes(file, feeds) {
  const proto = onnx.readFile(file), [main, ...nested] = onnx.allGraphs(proto);
  const outer = candidates(main), inner = nested.flatMap(candidates);
  const inputs = new Map(Object.entries(feeds));
  const expose = [...new Set(outer.map(({ value }) => value))].filter(name => !inputs.has(name));
  const values = expose.length ? (await runModel(file, feeds, { proto, expose })).outputs : new Map();
  const types = inner.length ? await nestedTypes(file) : new Map();
  const total = { transposes: 0, bytes: 0, unsized: 0 };
  for (const candidate of outer) add(total, candidate, name => values.get(name) ?? inputs.get(name));
  for (const candidate of inner) add(total, candidate, name => types.get(name));
  return total;
}

function add(total, { value, perm, other }, known) {
  const tensor = known(value);
  if (!tensor && other) return add(total, other, known);
  if (!tensor) return ++total.unsized;
  if (!movesElements(tensor.dims, perm(tensor.dims.length))) return total;
  ++total.transposes;
  total.bytes += byteSize(tensor.type, count(tensor.dims));
  return total;
}

module.exports = { measureTransposes, nestedTypes, movesElements };
