#!/usr/bin/env node
//===- integer.js - Quantised models on integer hardware ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantised models for a pipeline that takes integers only. It fails when a
// convolution or product is left in floats or outside of a group, when a weight
// is moved at run time, when no operator was recognised, when an operator is in
// ONNX Runtime more than one step off what the floats in its place give for the
// same operands, and when the pipeline computes anything else than those
// operators.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const onnx = require('./onnx');
const { parseFolder, compileModel, functionsWith, judge, checkFolder } = require('./compiled');
const { requiredInputs } = require('./inputs');
const { writeQuantised } = require('./quantised_model');
const { judgeSteps } = require('./steps');

const usage = `usage: integer.js MODELS_DIR --inlay BIN --work DIR [options]

  -t, --target FILE  a target with a pipeline of integers (default targets/int8.yaml)
  --own              MODELS_DIR is made, with a small model in it
  --only A,B         these models only`;

function parse() {
  const values = parseFolder({ target: { type: 'string', short: 't' }, own: { type: 'boolean' } });
  if (values.own) writeQuantised(values.models);
  return { ...values, targets: [values.target ?? path.join(__dirname, 'targets', 'int8.yaml')] };
}

// How many nodes multiply, in floats and in integers, in `nodes` and what they
// call.
const isFloat = ({ opType, domain }) => !domain && /^(Conv|ConvTranspose|Gemm|MatMul)$/.test(opType);
const isInteger = ({ opType }) => /^(QLinearConv|QLinearMatMul|QGemm)(_|$)/.test(opType);

// Transposes of what depends on no input.
function movedWeights(proto) {
  const live = new Set(requiredInputs(proto).map(({ name }) => name)), moved = [];
  for (const node of proto.graph.node)
    if (node.input.some(name => live.has(name))) node.output.forEach(name => live.add(name));
    else if (node.opType === 'Transpose') moved.push(node.input[0]);
  return moved;
}

// What was multiplied before and what is now: in floats, in integers inside of
// groups, and outside.
function countProducts(original, output) {
  const [before, after] = [original, output].map(file => onnx.readFile(file));
  const groups = functionsWith(after, 'inlay.group').found.flatMap(({ node }) => node);
  return {
    given: before.graph.node.filter(isFloat).length,
    floats: [...after.graph.node, ...after.functions.flatMap(({ node }) => node)].filter(isFloat).length,
    grouped: groups.filter(isInteger).length,
    loose: after.graph.node.filter(isInteger).map(({ name }) => name),
    weights: movedWeights(after),
  };
}

async function checkTarget(original, folder, target, context) {
  const [output, single] = ['integer', 'single'].map(name => path.join(folder, name, path.basename(original)));
  const compile = (to, file) => compileModel(context.inlay, original, to, ['-t', file, '--rewrite', 'on']);
  const report = await compile(output, target);
  await compile(single, path.join(__dirname, 'targets', 'int8_single.yaml'));
  const { verdict } = await judge(context.worker, single, output, 0, { strict: true });
  return { report, ...countProducts(original, output), verdict, steps: await judgeSteps(original, single) };
}

function faultsOf({ failure, given, floats, grouped, loose, weights, verdict, steps }) {
  if (failure) return [failure];
  const faults = [];
  if (given === 0 || grouped === 0) faults.push(`${given} products in the model, ${grouped} in integer stages`);
  if (floats) faults.push(`${floats} products are left in floats`);
  if (loose.length) faults.push(`${loose.length} products are in no group, first: ${loose[0]}`);
  if (weights.length) faults.push(`${weights.length} weights are moved at run time, first: ${weights[0]}`);
  if (verdict !== 'equal') faults.push(`operators and pipeline: ${verdict}`);
  if (steps.verdict !== 'equal') faults.push(`more than one step off: ${steps.verdict}`);
  if (steps.tensors === 0) faults.push('no quantised tensor shows anything');
  return faults;
}

const printHeader = () => console.log('products in integer stages, what is moved, and results');

function printRow({ name, report, given, grouped, weights, verdict, steps }) {
  if (!report) return console.log(name);
  console.log(`${name.padEnd(20)} ${given} products, ${grouped} in integer stages; ${report.ledger.out.transposes} transposes, ` +
              `${weights.length} of weights; ${steps.tensors} tensors within one step, ${steps.off} of them off; pipeline ${verdict}`);
}

checkFolder({ usage, parse, checkTarget, faultsOf, printHeader, printRow }).then(code => { process.exitCode = code; });
