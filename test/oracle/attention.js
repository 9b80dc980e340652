#!/usr/bin/env node
//===- attention.js - Attention taken apart, in all its forms -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every form of attention-models: (1) `--rewrite on` finds the attention, of
// rank 3 where nothing but transposes of heads is in the way, or does not where
// there is none; (2) what is exported for the model's opset gives equal outputs
// in ONNX Runtime; (3) `inlay run` agrees with it.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const forms = require('./attention-models');
const { compile, checkOutputs, checkExecutor, main } = require('./forms');

const count = (text, pattern) => (text.match(pattern) ?? []).length;

// What the module has after rewriting: rank 0 stands for no attention.
function checkFound(text, { rank, rotations = 0 }) {
  const merged = count(text, /"inlay\.attention".*q_num_heads/g), all = count(text, /"inlay\.attention"/g);
  const found = all === 0 ? 0 : merged === all ? 3 : 4, faults = [];
  if (all > 1) faults.push(`became ${all} attentions`);
  if (found !== rank) faults.push(`attention of rank ${found} instead of ${rank}`);
  if (rank && count(text, /"inlay\.softmax"/g)) faults.push('a softmax is left');
  if (rank === 3 && count(text, /"inlay\.transpose"/g)) faults.push('a transpose is left');
  const turned = count(text, /"inlay\.rotary_embedding"/g);
  if (turned !== rotations) faults.push(`${turned} rotations instead of ${rotations}`);
  return faults;
}

async function check(form, file, context) {
  const [model, module, output] = ['model.onnx', 'out.mlir', 'out.onnx'].map(file);
  const faults = [...await compile(model, module, context), ...await compile(model, output, context)];
  if (faults.length) return faults;
  return [...checkFound(fs.readFileSync(module, 'utf8'), form),
          ...await checkOutputs(model, output, form.feeds, context),
          ...await checkExecutor(model, output, form.feeds, context)];
}

function describe(chosen) {
  const [three, four, none] = [3, 4, 0].map(rank => chosen.filter(form => form.rank === rank).length);
  return `${three} of rank 3, ${four} of rank 4, ${none} that are none`;
}

main('attention', forms, check, describe);
