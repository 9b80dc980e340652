#!/usr/bin/env node
//===- planted.js - Faults in models; inlay bisect must find them ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One weight, attribute, axis or epsilon of a model is changed, near its inputs
// or far behind them; of the model itself, of what it was compiled to, or of
// what runs as machine code. `inlay bisect` must name the node that has it; where
// it became one with others, they are at most four, and it is among them.
// `inlay reduce` must end at three nodes or fewer in 25 of 30 models, which must
// differ on the inputs that it wrote. A model must not differ from itself,
// whatever its form. Needs no ONNX Runtime.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { execFileSync } = require('node:child_process');
const onnx = require('./onnx');
const element = require('./element');
const { encoder, images } = require('./planted_models');
const { mapInParallel, execute } = require('./pool');

const usage = 'usage: planted.js --inlay BIN --work DIR [--only N,N...] [--jobs N]';

function parse(argv) {
  const text = { type: 'string' };
  const { values } = parseArgs({ args: argv, options: { inlay: text, work: text, only: text, jobs: text } });
  if (!values.inlay || !values.work) throw new Error('--inlay and --work are required');
  return { ...values, jobs: Number(values.jobs ?? 2) };
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

// Groups of a compiled model are functions, whose nodes keep their names.
const nodeOf = (proto, name) => [proto.graph, ...proto.functions ?? []].flatMap(({ node }) => node ?? [])
  .find(node => node.name === name) ?? fail(`no node ${name}`);

function fail(message) { throw new Error(message); }

// The elements of one of a node's weights, an initializer or a Constant node.
function changeWeight(at, operand, change, folder) {
  return (proto, directory) => {
    const name = nodeOf(proto, at).input[operand];
    const constant = proto.graph.node.find(node => node.output[0] === name);
    const tensor = constant ? onnx.attribute(constant, 'value') : proto.graph.initializer.find(each => each.name === name);
    const value = onnx.tensorValue(tensor, directory);
    tensor.rawData = element.bytesOf({ data: element.arrayOf(value.type, Array.from(value.data, change)) });
    for (const field of ['floatData', 'int64Data', 'dataLocation', 'externalData']) delete tensor[field];
  };
}

function changeAttribute(at, name, value) {
  return proto => {
    const node = nodeOf(proto, at);
    const index = node.attribute.findIndex(attribute => attribute.name === name);
    if (index < 0) fail(`no attribute ${name} of ${at}`);
    node.attribute[index] = onnx.attributeProto(name, value);
  };
}

const oneMore = (value, i) => i === 1 ? value + 0.25 : value;
const someMore = value => value * 1.01;
const slightly = (value, i) => i === 0 ? value + 1e-3 : value;

// Forms of a model besides the file itself: what it is compiled with, whether it
// runs as machine code.
const nhwc = { flags: ['-t', 'nhwc', '--rewrite', 'on'] };
const groups = { flags: ['-t', 'opu', '--rewrite', 'on'] };
const native = { isNative: true };

// [model, node, what is changed, of which form].
const faults = [
  // Weights.
  ['encoder', 'layer0/q/matmul', changeWeight('layer0/q/matmul', 1, oneMore)],
  ['encoder', 'layer3/up/add', changeWeight('layer3/up/add', 1, someMore)],
  ['encoder', 'layer5/down/matmul', changeWeight('layer5/down/matmul', 1, slightly)],
  ['encoder', 'layer2/norm1', changeWeight('layer2/norm1', 1, oneMore)],
  ['encoder', 'layer4/scale', changeWeight('layer4/scale', 1, someMore)],
  ['images', 'block0/conv', changeWeight('block0/conv', 1, slightly)],
  ['images', 'block2/batchnorm', changeWeight('block2/batchnorm', 3, oneMore)],
  ['images', 'block4/conv', changeWeight('block4/conv', 2, oneMore)],
  ['images', 'tail/gemm', changeWeight('tail/gemm', 1, someMore)],
  ['mini_shufflenet', '/stem/Conv', changeWeight('/stem/Conv', 1, oneMore)],
  ['mini_shufflenet', '/stage1/block2/expand/Conv', changeWeight('/stage1/block2/expand/Conv', 1, oneMore)],
  ['mobilenet_v2_dyn', '/features/features.0/features.0.0/Conv',
   changeWeight('/features/features.0/features.0.0/Conv', 2, oneMore)],
  ['mobilenet_v2_dyn', '/classifier/classifier.1/Gemm', changeWeight('/classifier/classifier.1/Gemm', 2, oneMore)],
  // Attributes.
  ['encoder', 'layer1/bend', changeAttribute('layer1/bend', 'alpha', 0.1255)],
  ['encoder', 'layer5/bend', changeAttribute('layer5/bend', 'alpha', 0.5)],
  ['images', 'block1/pool', changeAttribute('block1/pool', 'count_include_pad', 1)],
  ['images', 'tail/gemm', changeAttribute('tail/gemm', 'alpha', 0.5001)],
  ['images', 'block3/bend', changeAttribute('block3/bend', 'alpha', 0.26)],
  ['mobilenet_v2_dyn', '/features/features.3/conv/conv.0/conv.0.2/Clip',
   changeWeight('/features/features.3/conv/conv.0/conv.0.2/Clip', 1, value => value + 0.01)],
  // Axes and orders of dimensions.
  ['encoder', 'layer0/softmax', changeAttribute('layer0/softmax', 'axis', 1)],
  ['encoder', 'layer4/softmax', changeAttribute('layer4/softmax', 'axis', 0)],
  ['images', 'block0/softmax', changeAttribute('block0/softmax', 'axis', 2)],
  ['images', 'block2/mean', changeAttribute('block2/mean', 'axes', [2])],
  ['images', 'block1/turn', changeAttribute('block1/turn', 'perm', [0, 1, 2, 3])],
  ['images', 'block4/cumsum', changeWeight('block4/cumsum', 1, () => 2n)],
  ['mini_shufflenet', '/stage1/block1/shuffle/Transpose',
   changeAttribute('/stage1/block1/shuffle/Transpose', 'perm', [0, 2, 1, 4, 3])],
  // Epsilons.
  ['encoder', 'layer0/norm1', changeAttribute('layer0/norm1', 'epsilon', 1e-5)],
  ['encoder', 'layer5/norm2', changeAttribute('layer5/norm2', 'epsilon', 2e-3)],
  ['images', 'block3/batchnorm', changeAttribute('block3/batchnorm', 'epsilon', 1e-5)],
  ['images', 'block2/instancenorm', changeAttribute('block2/instancenorm', 'epsilon', 1.1e-2)],
  // Of the compiled form: stored in another order, folded, multiplied the other
  // way round, in groups. A convolution has the name of what was folded into it.
  ['images', 'block0/batchnorm', changeWeight('block0/batchnorm', 1, slightly), nhwc],
  ['images', 'block3/batchnorm', changeWeight('block3/batchnorm', 2, oneMore), nhwc],
  ['images', 'block3/bend', changeAttribute('block3/bend', 'alpha', 0.26), nhwc],
  ['images', 'block2/instancenorm', changeWeight('block2/instancenorm', 1, someMore), nhwc],
  ['images', 'block4/softmax', changeAttribute('block4/softmax', 'axis', 0), nhwc],
  ['images', 'tail/gemm', changeAttribute('tail/gemm', 'alpha', 0.5001), nhwc],
  ['encoder', 'layer0/q/add', changeWeight('layer0/q/add', 0, oneMore), nhwc],
  ['encoder', 'layer3/up/add', changeWeight('layer3/up/add', 2, someMore), nhwc],
  ['encoder', 'layer5/norm2', changeAttribute('layer5/norm2', 'epsilon', 2e-3), nhwc],
  ['images', 'block2/turn', changeAttribute('block2/turn', 'perm', [0, 1, 2, 3]), nhwc],
  ['mini_shufflenet', '/stage1/block2/expand/Conv', changeWeight('/stage1/block2/expand/Conv', 1, oneMore), nhwc],
  ['images', 'block1/batchnorm', changeWeight('block1/batchnorm', 1, someMore), groups],
  ['images', 'block3/bend', changeAttribute('block3/bend', 'alpha', 0.26), groups],
  ['mini_shufflenet', '/stem/Conv', changeWeight('/stem/Conv', 1, oneMore), groups],
  // Of machine code.
  ['images', 'block2/batchnorm', changeWeight('block2/batchnorm', 3, oneMore), native],
  ['encoder', 'layer4/softmax', changeAttribute('layer4/softmax', 'axis', 0), native],
  ['encoder', 'layer3/up/add', changeWeight('layer3/up/add', 1, someMore), native],
];

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

const root = path.join(__dirname, '..', '..');
const dims = { mini_shufflenet: ['--dim', 'batch=1'],
               mobilenet_v2_dyn: ['--dim', 'batch=1', '--dim', 'h=32', '--dim', 'w=32'] };

function prepare(work) {
  fs.rmSync(work, { recursive: true, force: true });
  fs.mkdirSync(work, { recursive: true });
  fs.writeFileSync(path.join(work, 'encoder.onnx'), onnx.write(encoder()));
  fs.writeFileSync(path.join(work, 'images.onnx'), onnx.write(images()));
  fs.copyFileSync(path.join(root, 'examples', 'mini_shufflenet.onnx'), path.join(work, 'mini_shufflenet.onnx'));
  execFileSync('node', [path.join(root, 'test', 'models', 'fill_weights.js'), work, 'mobilenet_v2_dyn']);
}

// The model, or what it is compiled to.
function makeForm(model, flags, file, { inlay, work }) {
  const source = path.join(work, `${model}.onnx`);
  if (!flags) return source;
  execFileSync(inlay, ['compile', source, ...(dims[model] ?? []), ...flags, '-o', file, '--quiet']);
  return file;
}

function plant([model, , change, form], index, options) {
  const file = path.join(options.work, `fault${index}.onnx`);
  const proto = onnx.readFile(makeForm(model, form?.flags, file, options));
  change(proto, options.work);
  fs.writeFileSync(file, onnx.write(proto));
  return file;
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

async function bisect(fault, index, options) {
  const [model, node, , form] = fault, file = path.join(options.work, `${model}.onnx`);
  const damaged = plant(fault, index, options), words = form?.isNative ? ['--native'] : [];
  const { code, stdout, stderr } = await execute(options.inlay,
    ['bisect', file, damaged, ...(dims[model] ?? []), ...words, '--format', 'json']);
  if (code !== 1) return { found: `exit code ${code}: ${stderr}`, isFound: false };
  const report = JSON.parse(stdout), found = report.first_difference?.[0]?.node, among = report.stretch ?? [];
  const isOneOfFew = form !== undefined && among.length <= 4 && among.includes(node);
  return { found: found === node ? found : `${found} of ${among.length} nodes`, isFound: found === node || isOneOfFew };
}

// How many nodes are left; undefined where these do not show the fault.
async function reduce([model, , , form], index, { inlay, work }) {
  if (form) return undefined;
  const inWork = name => path.join(work, name), part = inWork(`part${index}.onnx`);
  const { code, stdout } = await execute(inlay,
    ['reduce', inWork(`${model}.onnx`), '--differs', inWork(`fault${index}.onnx`), ...(dims[model] ?? []), '-o', part,
     '--format', 'json']);
  if (code !== 0) return undefined;
  const other = inWork(`part${index}.other.onnx`), inputs = inWork(`part${index}.npz`);
  const compared = await execute(inlay, ['compare', part, other, '--input', inputs]);
  return compared.code === 1 ? JSON.parse(stdout).nodes : undefined;
}

// Every model and form in which a fault is planted.
function listForms() {
  const all = new Map(faults.map(([model, , , form]) => [JSON.stringify([model, form]), { model, ...form }]));
  return [...all.values()];
}

const nameForm = ({ model, flags, isNative }) => [model, ...flags ?? [], ...isNative ? ['--native'] : []].join(' ');

async function findNoFault({ model, flags, isNative }, index, options) {
  const file = path.join(options.work, `${model}.onnx`), words = isNative ? ['--native'] : [];
  const other = makeForm(model, flags, path.join(options.work, `form${index}.onnx`), options);
  const { code } = await execute(options.inlay, ['bisect', file, other, ...(dims[model] ?? []), ...words]);
  return { model: nameForm({ model, flags, isNative }), isRight: code === 0 };
}

async function main(argv) {
  const options = parse(argv);
  prepare(options.work);
  const wanted = options.only?.split(',').map(Number);
  const chosen = faults.map((fault, index) => ({ fault, index })).filter(({ index }) => wanted?.includes(index) ?? true);
  const found = await mapInParallel(chosen, options.jobs, async ({ fault, index }) =>
    ({ fault, index, ...await bisect(fault, index, options), left: await reduce(fault, index, options) }));
  for (const { fault, index, found: name, isFound, left } of found)
    console.log(`${isFound ? 'ok  ' : 'FAIL'} ${index} ${nameForm({ model: fault[0], ...fault[3] })}: ${fault[1]}` +
                (fault[1] === name ? '' : `, found ${name}`) + (fault[3] ? '' : `; reduced to ${left}`));
  const forms = listForms();
  const quiet = await mapInParallel([...forms.keys()], options.jobs, i => findNoFault(forms[i], i, options));
  for (const { model, isRight } of quiet) if (!isRight) console.log(`FAIL ${model} differs from itself`);
  const numFound = found.filter(({ isFound }) => isFound).length;
  const reduced = found.filter(({ fault: [, , , form] }) => !form), numSmall = reduced.filter(({ left }) => left <= 3).length;
  console.log(`${numFound} of ${found.length} faults found; ${numSmall} of ${reduced.length} in three nodes or fewer`);
  return numFound === found.length && numSmall * 30 >= reduced.length * 25 && quiet.every(({ isRight }) => isRight) ? 0 : 1;
}

main(process.argv.slice(2)).then(code => process.exit(code), error => {
  console.error(`${error.stack}\n${usage}`);
  process.exit(2);
});
