//===- referee.js - Who is right where ONNX Runtime differs with itself ---===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How ONNX Runtime rounds depends on the machine: it has kernels of its own for
// f16 on arm64, and its reciprocal of a denormal is wrong there. Where its
// results of a model and of the compiled one differ, the reference executor
// decides, which computes the same everywhere:
//   (1) in f64, the model and what it is compiled to are equal to the precision
//       of f64: rounding is gone, a wrong transform is not;
//   (2) the compiled model in its own types is equal to (1), rounded to those,
//       or to the model in them, within the limit that ONNX Runtime was to keep:
//       nothing is lost in it that was not lost before.
// What has no form in f64 is left to (2).
// The executor evaluates an operator by its own kernel, never by its
// expansion. Where it is the executor that differs with ONNX Runtime, ONNX
// Runtime in f64 decides: the executor cannot judge itself.
//
// A case so decided is a doubt: counted and listed, never silent.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { promoteModel, promoteFeeds, roundTensor } = require('./promote');
const { writeInputs, runExecutor } = require('./executor');
const { execute } = require('./pool');
const { compareOutputs } = require('./oracle');

// The outputs of `inlay run`; throws where it has none.
async function outputsOf(inlay, model, feeds, folder) {
  fs.mkdirSync(folder, { recursive: true });
  const { code, stderr, outputs } = await runExecutor(inlay, model, writeInputs(folder, feeds), folder);
  if (code !== 0) throw new Error(`inlay run, exit code ${code}: ${stderr.trim()}`);
  return outputs;
}

const roundLike = (exact, types) =>
  new Map([...exact].map(([name, value]) => [name, roundTensor(value, types.get(name))]));
const typesOf = outputs => new Map([...outputs].map(([name, { type }]) => [name, type]));

// {before, after}: the outputs of `model` and of what `flags` make of it;
// `before` is undefined where the executor does not take the model.
async function runBoth({ inlay, model, flags, feeds }, folder) {
  fs.mkdirSync(folder);
  const [compiled, own, other] = ['compiled.onnx', 'own', 'other'].map(name => path.join(folder, name));
  const before = await outputsOf(inlay, model, feeds, own).catch(() => undefined);
  if (!before) return {};
  const { code, stderr } = await execute(inlay, ['compile', model, '-o', compiled, ...flags]);
  if (code !== 0) throw new Error(`inlay compile, exit code ${code}: ${stderr.trim()}`);
  return { before, after: await outputsOf(inlay, compiled, feeds, other) };
}

async function compareCompiled(request, folder) {
  const { compare } = request, wide = path.join(folder, 'f64.onnx');
  fs.writeFileSync(wide, promoteModel(request.model));
  const feeds = promoteFeeds(request.feeds), exact = await runBoth({ ...request, model: wide, feeds }, `${wide}.run`);
  const own = await runBoth(request, path.join(folder, 'own'));
  if (!own.before) return ['the executor does not take the model'];
  const inDouble = exact.before ? compare(exact.before, exact.after) : [];
  const lost = compare(own.before, own.after);
  const rounded = exact.before && lost.length ? compare(roundLike(exact.before, typesOf(own.after)), own.after) : lost;
  return [...inDouble.map(fault => `in f64: ${fault}`), ...rounded.map(fault => `in the executor: ${fault}`)];
}

// Why what `flags` make of `model` is not equal to it; empty where ONNX Runtime
// was wrong to say so. `compare` gives the faults between two Maps of outputs.
async function judgeCompiled(request) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-referee-'));
  try {
    return await compareCompiled(request, folder);
  } catch (error) {
    return [`no answer of the executor: ${error.message}`];
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

// Why what the executor `found` for `model` is wrong by ONNX Runtime in f64.
async function judgeExecutor({ worker, model, feeds, found, compare }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-referee-')), wide = path.join(folder, 'f64.onnx');
  fs.writeFileSync(wide, promoteModel(model));
  const { refusal, outputs } = await worker.run('run', [wide, promoteFeeds(feeds)])
      .finally(() => fs.rmSync(folder, { recursive: true }));
  if (refusal !== undefined) return [`no answer in f64: ${refusal}`];
  return compare(roundLike(outputs, typesOf(found)), found).map(fault => `by ONNX Runtime in f64: ${fault}`);
}

// What `compare` is where limits are of range: `inDouble` is that of f64.
const compareWithin = (tolerance, inDouble = 1e-10) => (expected, found) => {
  const isDouble = [...expected.values()].some(({ type }) => type === 'double');
  const rows = compareOutputs(expected, found, () => undefined,
      { tolerance: isDouble ? inDouble : tolerance, allowTrivial: true });
  return rows.filter(({ equal }) => !equal).map(({ name, reason }) => `${name}: ${reason}`);
};

// Another type, shape or name is no matter of rounding.
const isStructural = fault => /\w\[[\d,]*\] became \w|missing in the |no such output/.test(fault);

// The faults of `name`, if `ask`, one of the judges above, has any too; where it
// has none, they are noted in `doubts`.
async function settle(name, faults, doubts, ask) {
  if (!faults.length || faults.some(isStructural)) return faults;
  const confirmed = await ask();
  if (confirmed.length) return [...faults, ...confirmed];
  doubts.push(`${name}: ${faults.join('; ')}`);
  return [];
}

function printDoubts(doubts) {
  for (const doubt of doubts) console.log(`judged in f64 ${doubt}`);
}

module.exports = { judgeCompiled, judgeExecutor, compareWithin, settle, printDoubts };
