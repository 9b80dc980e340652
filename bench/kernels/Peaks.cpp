//===- Peaks.cpp - What the machine can do at most ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Peaks.h"
#include "BestTime.h"
#include <cstring>
#include <vector>

using namespace inlay;
using namespace inlay::benching;

/// Seconds that the best run is looked for in.
static constexpr double measuredSeconds = 0.5;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

// A loop on fixed operands is no measure: some machines take half of the time
// or twice as much for it, whatever is multiplied.
namespace {
#if defined(__AVX512F__)
constexpr int lanes = 16, numSums = 24;
#elif defined(__AVX2__)
constexpr int lanes = 8, numSums = 12;
#else
constexpr int lanes = 4, numSums = 24;
#endif
using Vector = float __attribute__((vector_size(4 * lanes), aligned(4)));

/// Turns of the sum: what is loaded fits into the nearest cache.
constexpr int turns = 256;
constexpr int repeats = 50;
} // namespace

/// Adds to sums, each a chain of its own, products of two vectors a turn.
__attribute__((noinline)) static void multiply(const float *data, float *to) {
  Vector sums[numSums];
  std::memcpy(sums, to, sizeof sums);
#pragma clang loop unroll_count(4)
  for (int k = 0; k < turns; ++k, data += 2 * lanes) {
    Vector loaded[2];
    std::memcpy(loaded, data, sizeof loaded);
#pragma clang loop unroll(full)
    for (int i = 0; i < numSums; ++i)
      sums[i] =
          __builtin_elementwise_fma(loaded[i % 2], loaded[1 - i % 2], sums[i]);
  }
  std::memcpy(to, sums, sizeof sums);
}

double benching::measurePeak() {
  std::vector<float> data(2 * lanes * turns), sums(lanes * numSums);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = float(int(i * 53 % 103) - 51) / 64;
  for (size_t i = 0; i < sums.size(); ++i)
    sums[i] = float(i);
  BestTime time;
  time.addFor(measuredSeconds, [&] {
    for (int i = 0; i < repeats; ++i)
      multiply(data.data(), sums.data());
  });
  return 2.0 * lanes * numSums * turns * repeats / time.getSeconds();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

double benching::measureCopy(size_t bytes) {
  std::vector<char> from(bytes, 1), to(bytes, 2);
  BestTime time;
  time.addFor(measuredSeconds, [&] {
    std::memcpy(to.data(), from.data(), bytes);
    asm volatile("" ::"r"(to.data()) : "memory");
  });
  return 2 * double(bytes) / time.getSeconds();
}
