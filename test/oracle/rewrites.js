#!/usr/bin/env node
//===- rewrites.js - Operators taken apart become operators ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every form of rewrite-models, on random, large, flat, masked and extreme
// values: (1) `--rewrite on` leaves the composite operator and nothing of its
// parts, or, where the form is none, no composite operator; (2) both models
// give equal outputs in ONNX Runtime; (3) `inlay run` agrees with it.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('./onnx');
const forms = require('./rewrite-models');
const { compile, checkOutputs, checkExecutor, main } = require('./forms');

function checkNodes(file, { composite, found }) {
  const types = onnx.readFile(file).graph.node.map(({ opType }) => opType).filter(type => type !== 'Constant');
  const isFound = types.includes(composite);
  if (!found) return isFound ? [`became ${types.join(', ')}`] : [];
  return isFound && types.length === 1 ? [] : [`left ${types.join(', ')}`];
}

async function check(form, file, context) {
  const [model, output] = ['model.onnx', 'out.onnx'].map(file), faults = await compile(model, output, context);
  if (faults.length) return faults;
  faults.push(...checkNodes(output, form));
  for (const { kind, x } of form.feeds) {
    const found = [...await checkOutputs(model, output, { x }, context, kind === 'random' ? [] : true),
                   ...await checkExecutor(model, output, { x }, context)];
    faults.push(...found.map(fault => `${kind}: ${fault}`));
  }
  return faults;
}

function describe(chosen) {
  const counts = new Map();
  for (const { composite } of chosen) counts.set(composite, (counts.get(composite) ?? 0) + 1);
  return [...counts].map(([composite, count]) => `${composite} ${count}`).join(', ');
}

main('rewrites', forms, check, describe);
