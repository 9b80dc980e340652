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
template <int lanes>
using Vector = float __attribute__((vector_size(4 * lanes), aligned(4)));

/// Turns of the sum: what is loaded fits into the nearest cache.
constexpr int turns = 256;
constexpr int repeats = 50;

/// What multiplies, for the vectors of one level of the architecture.
struct Multiplier {
  int lanes, numSums;
  void (*multiply)(const float *data, float *to);
};
} // namespace

/// Adds to sums, each a chain of its own, products of two vectors a turn.
template <int lanes, int numSums>
static inline __attribute__((always_inline)) void multiply(const float *data,
                                                           float *to) {
  Vector<lanes> sums[numSums];
  std::memcpy(sums, to, sizeof sums);
#pragma clang loop unroll_count(4)
  for (int k = 0; k < turns; ++k, data += 2 * lanes) {
    Vector<lanes> loaded[2];
    std::memcpy(loaded, data, sizeof loaded);
#pragma clang loop unroll(full)
    for (int i = 0; i < numSums; ++i)
      sums[i] =
          __builtin_elementwise_fma(loaded[i % 2], loaded[1 - i % 2], sums[i]);
  }
  std::memcpy(to, sums, sizeof sums);
}

#if defined(__x86_64__)
// Clang halves the vectors of some machines unless it is told their width.
__attribute__((noinline, target("avx512f"), min_vector_width(512))) static void
multiplyByAvx512(const float *data, float *to) {
  multiply<16, 24>(data, to);
}
__attribute__((noinline, target("avx2,fma"))) static void
multiplyByAvx2(const float *data, float *to) {
  multiply<8, 12>(data, to);
}

/// By the widest vectors that this machine has.
static Multiplier getMultiplier() {
  if (__builtin_cpu_supports("avx512f"))
    return {16, 24, multiplyByAvx512};
  return {8, 12, multiplyByAvx2};
}
#else
__attribute__((noinline)) static void multiplyByNeon(const float *data,
                                                     float *to) {
  multiply<4, 24>(data, to);
}

static Multiplier getMultiplier() { return {4, 24, multiplyByNeon}; }
#endif

double benching::measurePeak() {
  auto [lanes, numSums, multiply] = getMultiplier();
  std::vector<float> data(2 * lanes * turns), sums(lanes * numSums);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = float(int(i * 53 % 103) - 51) / 64;
  for (size_t i = 0; i < sums.size(); ++i)
    sums[i] = float(i);
  BestTime time;
  time.addFor(measuredSeconds, [&, multiply = multiply] {
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
