//===- random_network.js - What random networks draw ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { uniform } = require('./random');
const { Network } = require('./small_models');

// A network that is drawn step by step, and the values that it has so far.
class RandomNetwork {
  constructor(seed) {
    const next = uniform(seed);
    Object.assign(this, { next, net: new Network(), inputs: [], values: [] });
    for (let i = 0; i < 5; ++i) next();
  }

  draw(bound) { return Math.floor(this.next() * bound); }
  pick(from) { return from[this.draw(from.length)]; }

  // Of what was computed last more often.
  value(isGood = () => true) {
    const good = this.values.filter(isGood);
    return good.length === 0 ? undefined : good[Math.max(good.length - 1 - this.draw(3) * this.draw(2), 0)];
  }
}

module.exports = { RandomNetwork };
