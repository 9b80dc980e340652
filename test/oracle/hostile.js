#!/usr/bin/env node
//===- hostile.js - Files that a reader of models must survive ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');

const usage = `usage: hostile.js --list                 kinds, exit codes and patterns of the message
       hostile.js KIND OUT               writes the file, and what belongs beside it
       hostile.js --check BIN [KIND...]  runs 'BIN compile' on each kind and judges it`;

const kinds = { ...require('./hostile/wire'), ...require('./hostile/graph'), ...require('./hostile/tensor'),
    ...require('./hostile/meaning') };

const secondsAllowed = 10, bytesAllowed = 1 << 30;

//===----------------------------------------------------------------------===//
// Judging a program
//===----------------------------------------------------------------------===//

// The most memory a process had so far, in bytes; 0 where that is not known.
function peakMemory(pid) {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

// {code, signal, text, peak, late} of a run.
function watch(program, args) {
  return new Promise(resolve => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const result = { text: '', peak: 0, late: false };
    const poll = setInterval(() => {
      result.peak = Math.max(result.peak, peakMemory(child.pid));
      if (result.peak > bytesAllowed) child.kill('SIGKILL');
    }, 5);
    const timer = setTimeout(() => { result.late = true; child.kill('SIGKILL'); }, secondsAllowed * 1000);
    child.stderr.on('data', chunk => { result.text += chunk; });
    child.on('close', (code, signal) => {
      clearInterval(poll);
      clearTimeout(timer);
      resolve({ ...result, code, signal });
    });
  });
}

function judge({ exit, message }, { code, signal, text, peak, late }, leftovers) {
  if (late) return `still running after ${secondsAllowed} s`;
  if (peak > bytesAllowed) return `took ${peak >> 20} MB`;
  if (signal) return `ended by ${signal}: ${text.slice(-300)}`;
  if (!exit.includes(code)) return `exit code ${code}, not ${exit.join(' or ')}: ${text.trim()}`;
  if (code !== 0 && !message.test(text)) return `message does not match ${message}: ${text.trim()}`;
  if (code !== 0 && leftovers.length) return `left ${leftovers.join(', ')}`;
  return undefined;
}

async function check(program, names) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-hostile-'));
  let failed = 0;
  for (const name of names) {
    const model = path.join(folder, `${name}.onnx`), results = path.join(folder, 'out');
    fs.mkdirSync(results);
    kinds[name].write(model);
    const run = await watch(program, ['compile', model, '-o', path.join(results, 'out.onnx')]);
    const fault = judge(kinds[name], run, fs.readdirSync(results));
    if (fault) console.log(`FAIL ${name}: ${fault}`), ++failed;
    fs.rmSync(results, { recursive: true });
  }
  fs.rmSync(folder, { recursive: true });
  console.log(`${names.length - failed} passed, ${failed} failed`);
  return failed ? 1 : 0;
}

async function main([first, second, ...rest]) {
  if (first === '--list') {
    for (const [name, { exit, message }] of Object.entries(kinds))
      console.log(`${name}\t${exit.join('|')}\t${message.source}`);
    return 0;
  }
  const names = first === '--check' ? rest : [first], unknown = names.filter(name => !kinds[name]);
  if (!second || unknown.length) {
    console.error(`${unknown.length && second ? `no kind '${unknown}'\n\n` : ''}${usage}`);
    return 2;
  }
  if (first === '--check') return check(second, names.length ? names : Object.keys(kinds));
  kinds[first].write(second);
  return 0;
}

main(process.argv.slice(2)).then(code => { process.exitCode = code; });
