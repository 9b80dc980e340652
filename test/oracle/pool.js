//===- pool.js - Child processes that may crash or hang -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const path = require('node:path');
const { fork, execFile } = require('node:child_process');

// One task at a time in a process; a process that dies or takes too long is
// replaced, and its task fails with the reason.
class Worker {
  constructor(timeout, program) { Object.assign(this, { timeout, program }); }

  run(task, args) {
    this.child ??= fork(this.program, { serialization: 'advanced', stdio: 'ignore' });
    const { child } = this;
    return new Promise((resolve, reject) => {
      const finish = (settle, value) => {
        clearTimeout(timer);
        child.removeAllListeners();
        settle(value);
      };
      const abandon = reason => {
        this.stop();
        finish(reject, new Error(reason));
      };
      const timer = setTimeout(() => abandon(`no answer in ${this.timeout} s`), this.timeout * 1000);
      child.once('exit', (code, signal) => abandon(`ONNX Runtime ended with ${signal ?? `exit code ${code}`}`));
      child.once('message', ({ result, failure }) =>
        failure === undefined ? finish(resolve, result) : finish(reject, new Error(failure)));
      child.send({ task, args });
    });
  }

  stop() {
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }
}

// Calls `work(item, worker)` for every item, `jobs` at a time; results in order.
async function mapInParallel(items, jobs, work,
    { timeout = 120, program = path.join(__dirname, 'worker.js') } = {}) {
  const results = new Array(items.length);
  let next = 0;
  const lane = async () => {
    const worker = new Worker(timeout, program);
    try {
      while (next < items.length) {
        const at = next++;
        results[at] = await work(items[at], worker);
      }
    } finally {
      worker.stop();
    }
  };
  await Promise.all(Array.from({ length: jobs }, lane));
  return results;
}

// Runs a program; {code, stdout, stderr}. A signal or a timeout is code -1.
function execute(program, args, { timeout = 120 } = {}) {
  return new Promise(resolve => {
    const options = { timeout: timeout * 1000, killSignal: 'SIGKILL', maxBuffer: 1 << 28 };
    execFile(program, args, options, (error, stdout, stderr) => {
      const code = error ? typeof error.code === 'number' ? error.code : -1 : 0;
      resolve({ code, stdout, stderr: code === -1 ? `${stderr}${error.signal ?? error.message}` : stderr });
    });
  });
}

module.exports = { mapInParallel, execute };
