#!/usr/bin/env node
//===- ort_target.js - The target ort from what was measured --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes targets/ort.yaml from the rows that costs.js measured, one file for
// each architecture. Costs are bytes that a plain copy would move in the time:
// a copy whose runs are long is plain. A form's factor is the largest of all
// shapes and architectures, for it is a penalty; a copy's is the median of its
// shapes on the architecture where it is smaller, for what removing one saves
// is what it is for.
//
//   ort_target.js [--check]
//
// `--check` writes nothing and fails where the file would change.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');

const folder = path.join(__dirname, 'costs'), target = path.join(__dirname, '..', 'targets', 'ort.yaml');
const sizeOf = dims => dims.reduce((product, extent) => product * extent, 1);
const nameOf = dims => dims.join('x');

function medianOf(values) {
  const sorted = [...values].sort((a, b) => a - b), middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

// Bytes that are together before and after, and whether moving one axis is
// enough: neighbours that stay neighbours are one axis.
function describeCopy({ inputs: [dims], attrs: { perm } }) {
  const kept = perm.filter(dim => dims[dim] > 1), sorted = [...kept].sort((a, b) => a - b), axes = [];
  for (const dim of kept) {
    const isNext = axes.length && sorted.indexOf(axes.at(-1).at(-1)) + 1 === sorted.indexOf(dim);
    if (isNext) axes.at(-1).push(dim);
    else axes.push([dim]);
  }
  const natural = [...axes].sort((a, b) => a[0] - b[0]), order = axes.map(axis => natural.indexOf(axis));
  const isLastKept = order.at(-1) === order.length - 1;
  const run = 4 * (isLastKept ? sizeOf(axes.at(-1).map(dim => dims[dim])) : 1);
  const isOne = order.some((axis, from) => {
    const rest = order.filter((_, i) => i !== from);
    return rest.every((other, i) => i === 0 || rest[i - 1] < other);
  });
  return { run, isOne };
}

const timePerByte = ({ us, bytes }) => us / (bytes / 2);
const copiesOf = rows => rows.filter(({ op }) => op === 'Transpose').map(row => ({ ...row, ...describeCopy(row) }));

// Copies of long runs: microseconds for each byte that is moved.
const plainTime = rows => medianOf(copiesOf(rows).filter(({ run }) => run >= 256).map(timePerByte));

const runs = [[1, 4], [5, 16], [17, 64], [65, 255]];

function copyFactors(columns) {
  const entries = [];
  for (const isOne of [true, false])
    for (const [least, most] of runs) {
      const factors = columns.map(rows => {
        const times = copiesOf(rows).filter(copy => copy.isOne === isOne && copy.run >= least && copy.run <= most).map(timePerByte);
        return times.length ? medianOf(times) / plainTime(rows) : undefined;
      }).filter(factor => factor !== undefined);
      if (factors.length) entries.push({ least, most, isOne, factor: Math.max(1, Math.min(...factors)) });
    }
  return entries;
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

const find = (rows, name) => rows.find(row => row.name === name);

// What a form costs beside the fast one, as a factor.
const factorOf = (rows, slow, fast) => 1 + Math.max(0, slow.us - fast.us) / (plainTime(rows) * slow.bytes / 2);

// Rows along an axis beside the row of the same shape along the last one.
function alongAxes(columns, pattern) {
  return columns.flatMap(rows => rows.filter(({ op }) => pattern.test(op)).flatMap(row => {
    const [dims] = row.inputs, axis = row.attrs.axis ?? row.lists[0][0];
    const fast = find(rows, `${row.op}_${nameOf(dims)}_ax${dims.length - 1}`);
    const inner = sizeOf(dims.slice(axis + 1));
    return inner > 1 && fast ? [{ inner, factor: factorOf(rows, row, fast) }] : [];
  }));
}

const insides = [[2, 255], [256, 4095], [4096, Infinity]];

function reducedFactors(columns, key, pattern) {
  const found = alongAxes(columns, pattern);
  return insides.map(([least, most]) => {
    const factors = found.filter(({ inner }) => inner >= least && inner <= most).map(({ factor }) => factor);
    return factors.length && `{${key}, reduced: not-last, inner: [${least}, ${most === Infinity ? 'inf' : most}], factor: ${text(Math.max(...factors))}}`;
  }).filter(Boolean);
}

const products = ['128_768_768', '128_768_3072', '1500_384_1536', '3136_96_288'];
const largest = (columns, slowName, fastName) => Math.max(1, ...columns.flatMap(rows => products.flatMap(size => {
  const slow = find(rows, slowName(size)), fast = find(rows, fastName(size));
  return slow && fast ? [factorOf(rows, slow, fast)] : [];
})));

const exchanged = size => size.split('_').reverse().join('_');

function productFactors(columns) {
  const transposed = largest(columns, size => `Gemm_${size}_t10`, size => `Gemm_${size}_t00`);
  const second = largest(columns, size => `Gemm_${size}_t01`, size => `Gemm_${size}_t00`);
  const first = largest(columns, size => `Gemm_${exchanged(size)}_first_t01`, size => `Gemm_${size}_t00`);
  return ['Gemm', 'MatMul'].flatMap(op => [
    `{op: ${op}, exchanged: true, factor: ${text(Math.max(first, transposed))}}`,
    `{op: ${op}, transposed: A, factor: ${text(transposed)}}`,
    `{op: ${op}, transposed: B, factor: ${text(second)}}`,
    `{op: ${op}, transposed: both, factor: ${text(Math.max(first, transposed))}}`,
  ]);
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

const text = factor => String(Math.ceil(factor * 10) / 10);

function write(columns, architectures) {
  const copies = copyFactors(columns).map(({ least, most, isOne, factor }) =>
    `{run: [${least}, ${most}], axes: ${isOne ? 'one' : 'many'}, factor: ${text(factor)}}`);
  const forms = [...reducedFactors(columns, 'class: normalization', /^Softmax$/),
                 ...reducedFactors(columns, 'class: reduction', /^Reduce/), ...productFactors(columns)];
  const list = entries => entries.map(entry => `    - ${entry}\n`).join('');
  return `# ONNX Runtime on a CPU. What no -t means: plain ONNX operators in the orders ONNX
# knows, and layouts chosen so that the model takes no longer in that runtime.
# Written by bench/ort_target.js from bench/costs (${architectures.join(', ')}).
schema: inlay.target/1
name: ort
description: Plain ONNX for ONNX Runtime; transposes removed where that saves time

costs:
  relayout: 32768                      # a node takes as long as a copy of these bytes
  forms:
${list(forms)}  copies:
${list(copies)}
dims: {batch: 1, batch_size: 1, N: 1, default: 64}   # what symbolic dimensions count as
patterns: [layer-norm, gelu, attention, conv-activation]   # what the runtime fuses where it finds it
`;
}

function main(args) {
  const files = fs.readdirSync(folder).filter(file => file.endsWith('.json')).sort();
  const columns = files.map(file => JSON.parse(fs.readFileSync(path.join(folder, file))));
  const written = write(columns, files.map(file => path.basename(file, '.json')));
  if (!args.includes('--check')) {
    fs.writeFileSync(target, written);
    return 0;
  }
  if (fs.existsSync(target) && fs.readFileSync(target, 'utf8') === written) return 0;
  console.error('targets/ort.yaml is not what bench/costs gives: run bench/ort_target.js');
  return 1;
}

process.exitCode = main(process.argv.slice(2));
