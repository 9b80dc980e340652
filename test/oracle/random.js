//===- random.js - Seeded numbers, the same on every machine --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

// A function that gives the next number in [0, 1): a 32-bit counter mixed by
// multiplication and shifts, so that near seeds give unrelated streams.
function uniform(seed) {
  let state = seed >>> 0;
  return () => {
    state = state + 0x9e3779b9 >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ mixed >>> 16, 0x21f0aaad);
    mixed = Math.imul(mixed ^ mixed >>> 15, 0x735a2d97);
    return ((mixed ^ mixed >>> 15) >>> 0) / 2 ** 32;
  };
}

// A seed for a named stream, so that inputs do not depend on each other's order.
function seedFor(seed, name) {
  let hash = 2166136261 ^ seed;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 16777619);
  return hash >>> 0;
}

module.exports = { uniform, seedFor };
