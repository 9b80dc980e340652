//===- Checksum.c - What tells weights from others ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four lanes that do not wait for each other, each over every fourth word of
// 8 bytes. A lane can be computed backwards from any word that it takes, so
// that no change of a single word is lost.
//
//===----------------------------------------------------------------------===//

#include "System.h"
#include "inlay/NativeRuntime/Program.h"

enum { WORD = 8, LANES = 4, BLOCK = WORD * LANES };

/* The bits of the square roots of 2, 3, 5 and 7, made odd; and of 11. */
static const uint64_t factors[LANES] = {
    0x6a09e667f3bcc909u, 0xbb67ae8584caa73bu, 0x3c6ef372fe94f82bu,
    0xa54ff53a5f1d36f1u};

static const uint64_t spreading_factor = 0x510e527fade682d1u;

static uint64_t rotate(uint64_t value, unsigned bits) {
  return value << bits | value >> (64 - bits);
}

/* Both architectures have the lowest byte first. */
static uint64_t read_word(const unsigned char *bytes) {
  uint64_t word;
  memcpy(&word, bytes, WORD);
  return word;
}

/* Words are spread first: a bit at the top would else stay a bit, which another
 * one of the next word could cancel. */
static uint64_t spread(uint64_t word) {
  word *= spreading_factor;
  return word ^ word >> 32;
}

static uint64_t add_word(uint64_t lane, const unsigned char *bytes,
                         uint64_t factor) {
  return rotate(lane ^ spread(read_word(bytes)), 27) * factor;
}

static void add_blocks(uint64_t *lanes, const unsigned char *bytes,
                       uint64_t blocks) {
  uint64_t a = lanes[0], b = lanes[1], c = lanes[2], d = lanes[3];
  for (; blocks; --blocks, bytes += BLOCK) {
    a = add_word(a, bytes, factors[0]);
    b = add_word(b, bytes + WORD, factors[1]);
    c = add_word(c, bytes + 2 * WORD, factors[2]);
    d = add_word(d, bytes + 3 * WORD, factors[3]);
  }
  lanes[0] = a, lanes[1] = b, lanes[2] = c, lanes[3] = d;
}

void inlay_checksum_start(inlay_checksum *checksum) {
  memset(checksum, 0, sizeof *checksum);
  for (unsigned lane = 0; lane != LANES; ++lane)
    checksum->lanes[lane] = factors[LANES - 1 - lane];
}

/* Completes the block that earlier pieces began; how many bytes that took. */
static uint64_t fill_rest(inlay_checksum *checksum, const unsigned char *bytes,
                          uint64_t count) {
  uint64_t held = checksum->count % BLOCK;
  uint64_t taken = held == 0 ? 0 : BLOCK - held;
  if (taken > count)
    taken = count;
  memcpy(checksum->rest + held, bytes, taken);
  if (held + taken == BLOCK)
    add_blocks(checksum->lanes, checksum->rest, 1);
  return taken;
}

void inlay_checksum_add(inlay_checksum *checksum, const void *data,
                        uint64_t count) {
  if (count == 0)
    return;
  const unsigned char *bytes = data;
  uint64_t taken = fill_rest(checksum, bytes, count);
  uint64_t blocks = (count - taken) / BLOCK;
  add_blocks(checksum->lanes, bytes + taken, blocks);
  uint64_t done = taken + blocks * BLOCK;
  if (done != count)
    memcpy(checksum->rest, bytes + done, count - done);
  checksum->count += count;
}

static uint64_t mix(uint64_t value) {
  value = (value ^ value >> 32) * factors[0];
  value = (value ^ value >> 29) * factors[1];
  return value ^ value >> 32;
}

uint64_t inlay_checksum_finish(const inlay_checksum *checksum) {
  uint64_t lanes[LANES];
  memcpy(lanes, checksum->lanes, sizeof lanes);
  uint64_t held = checksum->count % BLOCK;
  if (held != 0) {
    unsigned char last[BLOCK] = {0};
    memcpy(last, checksum->rest, held);
    add_blocks(lanes, last, 1);
  }
  // The count tells zeros at the end from none.
  uint64_t result = checksum->count;
  for (unsigned lane = 0; lane != LANES; ++lane)
    result = mix(result ^ lanes[lane]);
  return result;
}
