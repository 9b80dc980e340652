#!/usr/bin/env node
//===- layout_situations.js - The layout situations, one by one -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every model of situations/ and each of the targets none, nhwc and ascend:
//   (1) it compiles, and its outputs are equal in ONNX Runtime;
//   (2) no more transposes are left than the situation says, and those that
//       must stay do;
//   (3) the ledger tells what transposes.js counts in the file;
//   (4) compiling the result again leaves as many transposes and bytes;
//   (5) the model in another order and renamed costs the same;
//   (6) with none: no function, no foreign domain, never more bytes than before;
//       with nhwc: every convolution reads NHWC;
//       with ascend: as many read NC1HWC0 as the situation says.
// The other strategies run on a part of the models; targets of a situation's
// own and layouts of inputs and outputs where it asks for them.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const onnx = require('./onnx');
const { situations, withoutModel, missingNumbers } = require('./situations');
const { scramble } = require('./scramble');
const { permuteTensor } = require('./permute');
const { notNhwc } = require('./convolutions');
const { mapInParallel, execute } = require('./pool');
const { compareOutputs } = require('./oracle');

const usage = `usage: layout_situations.js --inlay BIN [options]

  --only TEXT      situations whose name contains TEXT
  --work DIR       keep the models here (default: a temporary folder)
  --jobs N         situations at a time (default 2)
  --write DIR      only write the models`;

const targets = ['none', 'nhwc', 'ascend'];
const otherStrategies = ['per-op', 'region', 'region-plus'];
// One model in so many is compiled with every strategy.
const strategyStride = 4;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

// Compiles; {file, report}, or a thrown reason.
async function compile({ inlay }, model, file, flags) {
  const args = ['compile', model, '-o', file, '--format', 'json', ...flags];
  const { code, stdout, stderr } = await execute(inlay, args);
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr.trim().split('\n', 1)[0]}`);
  return { file, report: JSON.parse(stdout) };
}

async function compareWith(original, file, item, { worker }) {
  const options = { given: item.feeds, strict: true, allowTrivial: item.allowTrivial || [] };
  const result = await worker.run('compare', [original, file, options]);
  if (result.verdict === 'equal') return [];
  const details = result.outputs.filter(row => row.verdict !== 'equal')
      .map(row => `${row.name}: ${row.reason ?? row.trivial}`);
  return [`${result.verdict} ${result.reason ?? details.join('; ')}`];
}

const format = ({ transposes, bytes }) => `${transposes} transposes, ${bytes} bytes`;
const sameCost = (a, b) => a.transposes === b.transposes && a.bytes === b.bytes;

// Bytes of the ledger are bytes of a run where every extent is a number and
// nothing is nested, which a loop may run several times.
function isSized({ bytes, expect }) {
  const proto = onnx.read(bytes);
  const known = proto.graph.input.every(({ type }) =>
    onnx.describeType(type).dims?.every(dim => typeof dim === 'number'));
  return known && !expect.dynamic && onnx.allGraphs(proto).length === 1;
}

function checkPlain(proto) {
  const faults = [];
  if (proto.functions.length) faults.push(`${proto.functions.length} functions`);
  const foreign = proto.opsetImport.map(({ domain }) => domain).filter(domain => domain?.startsWith('inlay'));
  return foreign.length ? [...faults, `imports domain ${foreign}`] : faults;
}

function checkConverted(proto, { plain = 0, nested = Infinity }) {
  const left = notNhwc(proto), [, ...subgraphs] = onnx.allGraphs(proto);
  const inside = subgraphs.flatMap(({ node }) => node).filter(({ opType }) => opType === 'Transpose').length;
  const faults = left.length > plain ? left : [];
  return inside > nested ? [...faults, `${inside} transposes in subgraphs, at most ${nested} expected`] : faults;
}

// Convolutions in blocks, and masks: each cuts padding off and puts zeros in its
// place.
function checkBlocked(proto, { blocked, masks }) {
  const isBlocked = ({ domain, opType }) => domain === 'inlay.ascend' && /^Conv.*_NC1[DHW]*C0/.test(opType);
  const nodes = onnx.allGraphs(proto).flatMap(({ node }) => node);
  const calls = nodes.filter(isBlocked).length, cleared = countMasks(nodes), faults = [];
  if (blocked !== undefined && calls !== blocked) faults.push(`${calls} blocked convolutions, ${blocked} expected`);
  if (masks !== undefined && cleared !== masks) faults.push(`${cleared} masks, ${masks} expected`);
  return faults;
}

// A Pad of what a Slice gives.
function countMasks(nodes) {
  const sliced = new Set(nodes.filter(({ opType }) => opType === 'Slice').flatMap(({ output }) => output));
  return nodes.filter(({ opType, input }) => opType === 'Pad' && sliced.has(input[0])).length;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

function checkExpected({ expect }, target, before, after) {
  const faults = [], most = expect[target];
  if (most !== undefined && after.transposes > most)
    faults.push(`${format(after)} left, at most ${most} transposes expected`);
  if (target !== 'none') return faults;
  if (after.transposes < (expect.kept ?? 0)) faults.push(`${format(after)} left, ${expect.kept} transposes must stay`);
  if (after.bytes > before.bytes) faults.push(`${format(before)} became ${format(after)}`);
  if (after.bytes > (expect.noneBytes ?? Infinity))
    faults.push(`${format(after)} left, at most ${expect.noneBytes} bytes expected`);
  return faults;
}

async function checkTwice(first, counted, item, flags, context) {
  const again = await compile(context, first.file, `${first.file.slice(0, -5)}.again.onnx`, flags);
  const cost = await context.worker.run('transposes', [again.file, item.feeds]);
  const faults = await compareWith(first.file, again.file, item, context);
  // Between blocks the second run sees each step of a conversion by itself.
  const isStable = flags.includes('ascend') ? cost.bytes <= counted.bytes : sameCost(counted, cost);
  if (!isStable) faults.push(`${format(counted)} became ${format(cost)}`);
  return faults.map(text => `compiled twice: ${text}`);
}

async function checkScrambled(first, item, flags, context) {
  const model = `${first.file.slice(0, -5)}.scrambled-in.onnx`;
  fs.writeFileSync(model, scramble(item.bytes, item.number));
  const { report } = await compile(context, model, `${first.file.slice(0, -5)}.scrambled.onnx`, flags);
  const [a, b] = [first.report.ledger.out, report.ledger.out];
  return sameCost(a, b) ? [] : [`scrambled: ${format(a)} became ${format(b)}`];
}

async function checkTarget(original, before, target, item, context) {
  const flags = ['-t', target], file = path.join(path.dirname(original), `${target}.onnx`);
  const first = await compile(context, original, file, flags), { worker } = context;
  const faults = await compareWith(original, file, item, context);
  const after = await worker.run('transposes', [file, item.feeds]), { out } = first.report.ledger;
  faults.push(...checkExpected(item, target, before, after));
  // Conversions that only pad or cut are no transposes.
  const isTold = target === 'ascend' ? after.bytes <= out.bytes && after.transposes <= out.transposes :
    sameCost(out, after);
  if (isSized(item) && !isTold)
    faults.push(`the ledger says ${format(out)}, the file has ${format(after)}`);
  const proto = onnx.readFile(file);
  if (target === 'none') faults.push(...checkPlain(proto));
  if (target === 'nhwc') faults.push(...checkConverted(proto, item.expect));
  if (target === 'ascend') faults.push(...checkBlocked(proto, item.expect));
  faults.push(...await checkTwice(first, after, item, flags, context));
  faults.push(...await checkScrambled(first, item, flags, context));
  return { faults, report: first.report };
}

// Each gives equal results and costs no less than `optimal`.
async function checkStrategies(original, target, optimal, item, context) {
  const faults = [];
  for (const strategy of otherStrategies) {
    const file = path.join(path.dirname(original), `${target}.${strategy}.onnx`);
    try {
      const { report } = await compile(context, original, file, ['-t', target, '--layout-strategy', strategy]);
      faults.push(...(await compareWith(original, file, item, context)).map(text => `${strategy}: ${text}`));
      if (report.ledger.out.bytes < optimal.ledger.out.bytes)
        faults.push(`${strategy}: ${format(report.ledger.out)}, optimal ${format(optimal.ledger.out)}`);
    } catch (error) {
      faults.push(`${strategy}: ${error.message}`);
    }
  }
  return faults;
}

// Transposes of what another transpose gives, with or without reshapes between
// them.
function countChained({ graph: { node: nodes } }) {
  const makers = new Map(nodes.flatMap(node => node.output.map(name => [name, node])));
  const isTranspose = node => node?.opType === 'Transpose';
  const getMaker = ({ input }) => {
    let maker = makers.get(input[0]);
    while (maker?.opType === 'Reshape') maker = makers.get(maker.input[0]);
    return maker;
  };
  return nodes.filter(node => isTranspose(node) && isTranspose(getMaker(node))).length;
}

async function checkOwnTarget(original, { name, yaml, atLeast, atMost, chained, proved }, item, context) {
  const target = path.join(path.dirname(original), `${name}.yaml`), file = `${target}.onnx`;
  fs.writeFileSync(target, yaml);
  const { report } = await compile(context, original, file, ['-t', target]);
  const faults = await compareWith(original, file, item, context);
  const after = await context.worker.run('transposes', [file, item.feeds]);
  if (after.transposes < atLeast || after.transposes > atMost)
    faults.push(`${format(after)} left, ${atLeast} to ${atMost} transposes expected`);
  const found = countChained(onnx.read(fs.readFileSync(file)));
  if (proved && !report.proved) faults.push('is not proved least');
  if (chained !== undefined && found !== chained)
    faults.push(`${found} transposes are made from others, ${chained} expected`);
  return faults.map(text => `${name}: ${text}`);
}

const permuteSome = (tensors, perms) =>
  tensors.map(([name, tensor]) => [name, perms[name] ? permuteTensor(tensor, perms[name]) : tensor]);

// The inputs are fed, and the outputs come, in the order that was asked for.
async function checkIo(original, { layouts, perms, atMost }, item, context) {
  const file = path.join(path.dirname(original), 'io.onnx'), { worker } = context;
  await compile(context, original, file, ['-t', 'nhwc', ...layouts.flatMap(layout => ['--io-layout', layout])]);
  const feeds = Object.fromEntries(permuteSome(Object.entries(item.feeds), perms));
  const before = await worker.run('run', [original, item.feeds]), after = await worker.run('run', [file, feeds]);
  if (after.refusal) return [after.refusal];
  const expected = new Map(permuteSome([...before.outputs], perms));
  const rows = compareOutputs(expected, after.outputs, () => undefined, { tolerance: 1e-6, allowTrivial: [] });
  const faults = rows.filter(row => row.verdict !== 'equal').map(row => `${row.name}: ${row.reason ?? row.trivial}`);
  const cost = await worker.run('transposes', [file, feeds]);
  if (cost.transposes > atMost) faults.push(`${format(cost)} left, at most ${atMost} transposes expected`);
  return faults;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

// A model that ONNX Runtime refuses is left alone or refused, not more.
async function checkRefused(original, context) {
  const { code, stderr } = await execute(context.inlay, ['compile', original, '-o', `${original}.out.onnx`]);
  return code === 0 || code === 3 ? [] : [`exit code ${code}: ${stderr.trim().split('\n', 1)[0]}`];
}

async function checkSituation(item, index, context) {
  const folder = path.join(context.work, item.name), original = path.join(folder, 'model.onnx'), faults = [];
  const attempt = async (label, check) => {
    try {
      faults.push(...(await check()).map(text => `${label}${text}`));
    } catch (error) {
      faults.push(`${label}${error.message}`);
    }
  };
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(original, item.bytes);
  if (item.refused) await attempt('', () => checkRefused(original, context));
  const before = item.refused ? undefined : await context.worker.run('transposes', [original, item.feeds]);
  for (const target of before ? targets : [])
    await attempt(`-t ${target}: `, async () => {
      const { faults: found, report } = await checkTarget(original, before, target, item, context);
      if (index % strategyStride === 0) found.push(...await checkStrategies(original, target, report, item, context));
      return found;
    });
  for (const own of item.expect.also ?? []) await attempt('', () => checkOwnTarget(original, own, item, context));
  if (item.expect.io) await attempt('io: ', () => checkIo(original, item.expect.io, item, context));
  return { item, faults };
}

function report(results) {
  const failed = results.filter(({ faults }) => faults.length);
  for (const { item, faults } of failed) for (const fault of faults) console.log(`FAIL ${item.name}: ${fault}`);
  for (const [number, reason] of Object.entries(withoutModel)) console.log(`without a model: ${number}, ${reason}`);
  for (const number of missingNumbers()) console.log(`FAIL situation ${number} has no model`);
  const lost = failed.length + missingNumbers().length;
  console.log(`${results.length - failed.length} passed, ${lost} failed`);
  return lost ? 1 : 0;
}

function writeModels(folder, chosen) {
  fs.mkdirSync(folder, { recursive: true });
  for (const { name, bytes } of chosen) fs.writeFileSync(path.join(folder, `${name}.onnx`), bytes);
}

async function main() {
  const text = { type: 'string' };
  let values;
  try {
    ({ values } = parseArgs({ options: { inlay: text, only: text, work: text, jobs: text, write: text } }));
    if (!values.inlay && !values.write) throw new Error('--inlay is required');
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  const chosen = situations.map((item, index) => ({ item, index }))
      .filter(({ item }) => item.name.includes(values.only ?? ''));
  if (values.write) {
    writeModels(values.write, chosen.map(({ item }) => item));
    return 0;
  }
  const work = values.work ?? fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-situations-'));
  const results = await mapInParallel(chosen, Number(values.jobs ?? 2), ({ item, index }, worker) =>
    checkSituation(item, index, { inlay: values.inlay, work, worker }));
  if (!values.work) fs.rmSync(work, { recursive: true });
  return report(results);
}

main().then(code => { process.exitCode = code; });
