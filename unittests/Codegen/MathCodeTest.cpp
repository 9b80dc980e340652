//===- MathCodeTest.cpp - How exact functions are -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Over every 1021st number of 32 bits, and those beside each power of two;
// over all of them with INLAY_ALL_FLOATS set.
//
//===----------------------------------------------------------------------===//

#include "../Runtime/ModuleTesting.h"
#include "inlay/Codegen/ElementInterface.h"
#include "inlay/Codegen/KernelCode.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace inlay;
using namespace mlir;

static constexpr unsigned chunk = 1 << 16;

namespace {
/// An operator of one operand as code, for a chunk of numbers.
class Function {
public:
  explicit Function(StringRef op)
      : module(("func.func @main(%x: tensor<65536xf32>) -> tensor<65536xf32> "
                "{\n%y = inlay." +
                op +
                " %x : (tensor<65536xf32>) -> tensor<65536xf32>\n"
                "return %y : tensor<65536xf32>\n}")
                   .str()),
        kernels(compile(module)) {
    run = llvm::cantFail(kernels.lookup("f"));
  }

  void operator()(float *x, float *y) const {
    void *buffers[] = {x, y};
    run(buffers, 0, chunk);
  }

private:
  static NativeKernels compile(ParsedModule &module) {
    MLIRContext *context = module.get().getContext();
    registerElementCode(*context);
    OwningOpRef<ModuleOp> code = ModuleOp::create(UnknownLoc::get(context));
    Operation &step = module.getGraph().getBody().front().front();
    EXPECT_TRUE(emitKernel(&step, *code, "f", {}));
    return llvm::cantFail(
        NativeKernels::compile(std::move(code), Machine::getHost()));
  }

  ParsedModule module;
  NativeKernels kernels;
  KernelFunction run;
};

/// The largest error, in units in the last place of what is exact.
struct Errors {
  double worst = 0;
  float at = 0;
  unsigned numWrong = 0;
};
} // namespace

static float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// The distance between neighbours of 32 bits at `value`.
static double getUnit(double value) {
  int exponent = value == 0 ? -126 : std::max(std::ilogb(value), -126);
  return std::ldexp(1.0, exponent - 23);
}

/// Infinities, NaN and the signs of zeros are right or wrong.
static void note(float x, float y, double exact, Errors &errors) {
  float rounded = float(exact);
  if (!std::isfinite(rounded) || !std::isfinite(y) || x == 0) {
    bool isSame =
        std::isnan(rounded)
            ? std::isnan(y)
            : y == rounded && std::signbit(y) == std::signbit(rounded);
    // The last number before infinity may be on either side of it.
    bool isBorder = std::isfinite(exact) && std::fabs(exact) > 3.4028e38;
    errors.numWrong += !isSame && !isBorder;
    return;
  }
  double error = std::fabs(y - exact) / getUnit(exact);
  if (error > errors.worst) {
    errors.worst = error;
    errors.at = x;
  }
}

/// Calls fn(bits) for the arguments.
template <typename F> static void forEachArgument(F fn) {
  uint64_t step = std::getenv("INLAY_ALL_FLOATS") ? 1 : 1021;
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += step)
    fn(uint32_t(bits));
  for (uint32_t exponent = 0; exponent < 512; ++exponent)
    for (int32_t beside = -3; beside <= 3; ++beside)
      fn((exponent << 23) + uint32_t(beside));
}

static Errors measure(StringRef op, double (*exact)(double)) {
  Function function(op);
  Errors errors;
  std::vector<float> x, y(chunk);
  auto flush = [&] {
    x.resize(chunk);
    function(x.data(), y.data());
    for (unsigned i = 0; i < chunk; ++i)
      note(x[i], y[i], exact(x[i]), errors);
    x.clear();
  };
  forEachArgument([&](uint32_t bits) {
    x.push_back(fromBits(bits));
    if (x.size() == chunk)
      flush();
  });
  flush();
  return errors;
}

static void expectExact(StringRef op, double (*exact)(double)) {
  Errors errors = measure(op, exact);
  EXPECT_EQ(errors.numWrong, 0u) << op.str();
  EXPECT_LE(errors.worst, 4) << op.str() << " of " << errors.at;
  llvm::outs() << op << ": " << llvm::format("%.2f", errors.worst)
               << " units in the last place\n";
}

TEST(MathCode, ExpIsExact) { expectExact("exp", std::exp); }
TEST(MathCode, LogIsExact) { expectExact("log", std::log); }
TEST(MathCode, TanhIsExact) { expectExact("tanh", std::tanh); }
TEST(MathCode, ErfIsExact) { expectExact("erf", std::erf); }
TEST(MathCode, SigmoidIsExact) {
  expectExact("sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); });
}
