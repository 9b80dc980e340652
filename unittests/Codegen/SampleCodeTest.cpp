//===- SampleCodeTest.cpp - Elements at places of a grid as code ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeTesting.h"

using namespace inlay;
using namespace inlay::testing;

namespace {
struct Sample {
  std::string mode, padding;
  bool alignsCorners;

  std::string getBody(llvm::StringRef x, llvm::StringRef grid,
                      llvm::StringRef y) const {
    return "%y = inlay.grid_sample %a, %b {mode = \"" + mode +
           "\", padding_mode = \"" + padding +
           "\", align_corners = " + (alignsCorners ? "1" : "0") +
           " : i64} : (tensor<" + x.str() + ">, tensor<" + grid.str() +
           ">) -> tensor<" + y.str() + ">";
  }
};
} // namespace

/// Every way to sample, with `check` for each.
static void forEachSample(llvm::function_ref<void(const Sample &)> check) {
  for (const char *mode : {"nearest", "linear", "cubic"})
    for (const char *padding : {"zeros", "border", "reflection"})
      for (bool alignsCorners : {false, true})
        check({mode, padding, alignsCorners});
}

/// The same bits as the executor's: inside, at borders, up to twice as far
/// away, and where tensors have one element.
TEST(SampleCode, ComputesAllModes) {
  forEachSample([](const Sample &sample) {
    for (auto [x, grid, y] :
         {std::tuple("2x3x5x4xf32", "2x7x9x2xf32", "2x3x7x9xf32"),
          std::tuple("1x1x1x1xf32", "1x3x3x2xf32", "1x1x3x3xf32"),
          std::tuple("1x2x2x1xf32", "1x1x17x2xf32", "1x2x1x17xf32")}) {
      std::string body = sample.getBody(x, grid, y);
      EXPECT_EQ(checkModerate({x, grid, y}, body, 0), 1u) << body;
    }
  });
}

/// What is infinite, no number, or far away, in the grid and in the tensor.
TEST(SampleCode, TakesAllNumbers) {
  forEachSample([](const Sample &sample) {
    auto x = "1x2x5x4xf32", grid = "1x7x9x2xf32", y = "1x2x7x9xf32";
    std::string body = sample.getBody(x, grid, y);
    EXPECT_EQ(check({x, grid, y}, body, 0), 1u) << body;
  });
}

TEST(SampleCode, SamplesSpace) {
  forEachSample([](const Sample &sample) {
    auto x = "1x2x3x5x4xf32", grid = "1x3x2x5x3xf32", y = "1x2x3x2x5xf32";
    if (sample.mode == "cubic")
      return;
    std::string body = sample.getBody(x, grid, y);
    EXPECT_EQ(check({x, grid, y}, body, 0), 1u) << body;
  });
}

TEST(SampleCode, TakesOtherFloats) {
  for (auto [x, grid, y] :
       {std::tuple("1x2x5x4xf64", "1x3x3x2xf64", "1x2x3x3xf64"),
        std::tuple("1x2x5x4xf16", "1x3x3x2xf32", "1x2x3x3xf16"),
        std::tuple("1x2x5x4xbf16", "1x3x3x2xbf16", "1x2x3x3xbf16"),
        std::tuple("1x2x5x4xf32", "1x3x3x2xf16", "1x2x3x3xf32")}) {
    std::string body = Sample{"cubic", "reflection", false}.getBody(x, grid, y);
    EXPECT_EQ(checkModerate({x, grid, y}, body, 0), 1u) << body;
  }
}

/// No point is no code to run; nothing to sample is the executor's error.
TEST(SampleCode, LeavesOthersAlone) {
  Sample sample{"linear", "zeros", false};
  EXPECT_EQ(checkModerate(
                {"1x2x5x4xf32", "1x0x3x2xf32", "1x2x0x3xf32"},
                sample.getBody("1x2x5x4xf32", "1x0x3x2xf32", "1x2x0x3xf32"), 0),
            1u);
  EXPECT_EQ(checkModerate(
                {"1x2x5x4xi32", "1x3x3x2xf32", "1x2x3x3xi32"},
                sample.getBody("1x2x5x4xi32", "1x3x3x2xf32", "1x2x3x3xi32"), 0),
            0u);
}

/// Coordinates and what follows are computed in the same step; what is sampled
/// is not.
TEST(SampleCode, IsPartOfKernels) {
  auto x = "1x2x5x4xf32", grid = "1x7x9x2xf32", y = "1x2x7x9xf32";
  auto checkKernel = [&](llvm::StringRef first, llvm::StringRef operands) {
    return checkModerate(
        {x, grid, y},
        ("%y = inlay.group \"cpu\" \"k\" cluster : "
         "tensor<1x2x7x9xf32> {\n" +
         first + "\n%s = inlay.grid_sample " + operands +
         " : (tensor<1x2x5x4xf32>, tensor<1x7x9x2xf32>) -> "
         "tensor<1x2x7x9xf32>\n"
         "%r = inlay.relu %s : (tensor<1x2x7x9xf32>) -> tensor<1x2x7x9xf32>\n"
         "inlay.yield %r : tensor<1x2x7x9xf32>\n}")
            .str(),
        0);
  };
  EXPECT_EQ(checkKernel("%g = inlay.neg %b : (tensor<1x7x9x2xf32>) -> "
                        "tensor<1x7x9x2xf32>",
                        "%a, %g"),
            1u);
  EXPECT_EQ(checkKernel("%n = inlay.neg %a : (tensor<1x2x5x4xf32>) -> "
                        "tensor<1x2x5x4xf32>",
                        "%n, %b"),
            0u);
}
