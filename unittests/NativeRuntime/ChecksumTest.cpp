//===- ChecksumTest.cpp - Weights that differ are told apart --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/NativeRuntime/Program.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <set>
#include <vector>

namespace {

using Bytes = std::vector<unsigned char>;

Bytes someBytes(size_t count) {
  Bytes bytes(count);
  uint32_t state = 1;
  for (unsigned char &byte : bytes)
    byte = (state = state * 1664525 + 1013904223) >> 24;
  return bytes;
}

uint64_t checksumOf(const Bytes &bytes, size_t piece) {
  inlay_checksum checksum;
  inlay_checksum_start(&checksum);
  for (size_t begin = 0; begin < bytes.size(); begin += piece)
    inlay_checksum_add(&checksum, bytes.data() + begin,
                       std::min(piece, bytes.size() - begin));
  return inlay_checksum_finish(&checksum);
}

uint64_t checksumOf(const Bytes &bytes) {
  return checksumOf(bytes, bytes.size() + 1);
}

} // namespace

TEST(Checksum, IsTheSameInPieces) {
  for (size_t count : {0, 1, 7, 31, 32, 33, 64, 100, 1000}) {
    Bytes bytes = someBytes(count);
    for (size_t piece = 1; piece <= 70; ++piece)
      EXPECT_EQ(checksumOf(bytes, piece), checksumOf(bytes))
          << count << " bytes in pieces of " << piece;
  }
}

TEST(Checksum, CanBeAskedForInBetween) {
  Bytes bytes = someBytes(45);
  inlay_checksum checksum;
  inlay_checksum_start(&checksum);
  inlay_checksum_add(&checksum, bytes.data(), 40);
  EXPECT_EQ(inlay_checksum_finish(&checksum),
            checksumOf(Bytes(bytes.begin(), bytes.begin() + 40)));
  inlay_checksum_add(&checksum, bytes.data() + 40, 5);
  EXPECT_EQ(inlay_checksum_finish(&checksum), checksumOf(bytes));
}

TEST(Checksum, TellsEveryChangeOfABit) {
  Bytes bytes = someBytes(100);
  std::set<uint64_t> seen = {checksumOf(bytes)};
  for (size_t bit = 0; bit != 800; ++bit) {
    bytes[bit / 8] ^= 1 << bit % 8;
    EXPECT_TRUE(seen.insert(checksumOf(bytes)).second) << bit;
    bytes[bit / 8] ^= 1 << bit % 8;
  }
}

// Two of a kind must not cancel each other.
TEST(Checksum, TellsChangesOfTwoBits) {
  Bytes bytes = someBytes(96);
  const uint64_t before = checksumOf(bytes);
  auto flip = [&](size_t bit) { bytes[bit / 8] ^= 1 << bit % 8; };
  for (size_t first = 0; first != 768; ++first) {
    flip(first);
    for (size_t second = 0; second != first; ++second) {
      flip(second);
      ASSERT_NE(checksumOf(bytes), before) << first << " and " << second;
      flip(second);
    }
    flip(first);
  }
}

TEST(Checksum, TellsHowManyZerosThereAre) {
  std::set<uint64_t> seen;
  for (size_t count = 0; count != 200; ++count)
    EXPECT_TRUE(seen.insert(checksumOf(Bytes(count))).second) << count;
}

TEST(Checksum, TellsTheOrderOfWordsAndBlocks) {
  Bytes bytes = someBytes(128);
  uint64_t before = checksumOf(bytes);
  for (size_t width : {8, 32, 64}) {
    Bytes swapped = bytes;
    std::swap_ranges(swapped.begin(), swapped.begin() + width,
                     swapped.begin() + width);
    EXPECT_NE(checksumOf(swapped), before) << width;
  }
}

// Files that are written must be read by models of later versions.
TEST(Checksum, StaysAsItIs) {
  EXPECT_EQ(checksumOf({}), 9275779756940617931u);
  EXPECT_EQ(checksumOf(someBytes(1000)), 7583410051614415424u);
}
