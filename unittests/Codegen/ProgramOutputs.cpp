//===- ProgramOutputs.cpp - What programs compute, judged -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramOutputs.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Runtime/Compare.h"
#include "inlay/Runtime/Executor.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <random>

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Last bits
//===----------------------------------------------------------------------===//

/// Each float up or down by the last bit.
template <typename T>
static void nudge(llvm::MutableArrayRef<char> bytes, std::mt19937_64 &random) {
  auto *values = reinterpret_cast<T *>(bytes.data());
  for (T &value : llvm::MutableArrayRef(values, bytes.size() / sizeof(T)))
    value = std::nextafter(value, random() % 2 == 0 ? T(2) * value : T(0));
}

static HostTensor nudge(const HostTensor &tensor, std::mt19937_64 &random) {
  HostTensor copy(tensor.getType(), tensor.getShape());
  if (tensor.getType() != ElementType::String)
    llvm::copy(tensor.getBytes(), copy.getMutableBytes().begin());
  if (tensor.getType() == ElementType::Float)
    nudge<float>(copy.getMutableBytes(), random);
  if (tensor.getType() == ElementType::Double)
    nudge<double>(copy.getMutableBytes(), random);
  return copy;
}

/// What is computed of constants alone is rounded, too.
static void nudgeConstants(ModuleOp module, std::mt19937_64 &random) {
  module.walk([&](ConstantOp constant) {
    Type element = getElementTypeOrSelf(constant.getType());
    if (!element.isF32() && !element.isF64())
      return;
    HostTensor tensor = llvm::cantFail(getHostTensor(constant.getValue()));
    constant.setValueAttr(
        getConstantAttr(module.getContext(), nudge(tensor, random)));
  });
}

namespace {
/// How far each output moves when inputs do by their last bits.
class Noise {
public:
  Noise(ModuleOp module, ArrayRef<HostTensor> inputs,
        ArrayRef<HostTensor> expected);

  double operator[](size_t output) const { return noise[output]; }

private:
  void measure(ModuleOp module, ArrayRef<HostTensor> inputs,
               std::mt19937_64 &random);

  ArrayRef<HostTensor> expected;
  SmallVector<double> noise;
};
} // namespace

Noise::Noise(ModuleOp module, ArrayRef<HostTensor> inputs,
             ArrayRef<HostTensor> expected)
    : expected(expected), noise(expected.size(), 0) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    std::mt19937_64 random(seed);
    measure(module, inputs, random);
    OwningOpRef<ModuleOp> nudged = module.clone();
    nudgeConstants(*nudged, random);
    measure(*nudged, inputs, random);
  }
}

void Noise::measure(ModuleOp module, ArrayRef<HostTensor> inputs,
                    std::mt19937_64 &random) {
  auto nudgeOne = [&](const HostTensor &input) { return nudge(input, random); };
  auto moved = execute(module, llvm::map_to_vector(inputs, nudgeOne));
  if (!moved) {
    llvm::consumeError(moved.takeError());
    return;
  }
  for (auto [own, before, after] : llvm::zip_equal(noise, expected, *moved)) {
    TensorComparison result = compareTensors("", before, after, {});
    // Another shape says nothing about elements.
    if (result.reason.empty())
      own = std::max(own, result.maxAbsError);
  }
}

//===----------------------------------------------------------------------===//
// The judge
//===----------------------------------------------------------------------===//

/// Roundings of a chain, in last bits of its inputs.
static constexpr double maxRoundings = 64;

static std::string describe(const TensorComparison &result) {
  std::string what = result.reason;
  if (what.empty())
    what = llvm::formatv("elements that are off: {0}", result.numMismatches);
  if (result.hasWorst && result.type != ElementType::String)
    what += llvm::formatv(
        ", the worst at [{0:$[, ]}]: {1:e9}, not {2:e9}",
        llvm::make_range(result.worst.begin(), result.worst.end()),
        result.worstB, result.worstA);
  return result.name + " of the program is wrong: " + what;
}

/// What a chain of kernels computes is farther off than one is.
static std::string compareOutputs(ArrayRef<HostTensor> expected,
                                  ArrayRef<HostTensor> found, double tolerance,
                                  const Noise *noise) {
  CompareOptions limits;
  limits.tolerance = tolerance;
  limits.steps = 1;
  for (auto [i, wanted, own] : llvm::enumerate(expected, found)) {
    limits.least = noise ? maxRoundings * (*noise)[i] : 0;
    TensorComparison result =
        compareTensors("output " + std::to_string(i), wanted, own, limits);
    if (!result.isEqual)
      return describe(result);
  }
  return "";
}

std::string testing::judgeOutputs(ModuleOp module, ArrayRef<HostTensor> inputs,
                                  ArrayRef<HostTensor> expected,
                                  ArrayRef<HostTensor> found,
                                  double tolerance) {
  if (compareOutputs(expected, found, tolerance, nullptr).empty())
    return "";
  Noise noise(module, inputs, expected);
  return compareOutputs(expected, found, tolerance, &noise);
}
