//===- ProgramOutputsTest.cpp ---------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramOutputs.h"
#include "../Runtime/ModuleTesting.h"
#include "inlay/Runtime/Executor.h"
#include <limits>

using namespace inlay;
using namespace inlay::testing;

/// What is said of a program whose output is off by `error` in the second of
/// two elements.
static std::string judge(llvm::StringRef text, double error) {
  ParsedModule module(text);
  HostTensor input(ElementType::Float, {1, 2});
  input.setDouble(0, 0);
  input.setDouble(1, 0);
  auto expected = llvm::cantFail(execute(module.get(), {input}));
  HostTensor found(ElementType::Float, expected.front().getShape());
  found.setDouble(0, expected.front().getDouble(0));
  found.setDouble(1, expected.front().getDouble(1) + error);
  return judgeOutputs(module.get(), {input}, expected, {found}, 1e-4);
}

/// 2 - 2 * (1 - 1.25e-6) in the second channel: as much is rounded away.
static constexpr llvm::StringLiteral cancelling =
    "func.func @main(%a: tensor<1x2xf32>) -> tensor<1x2xf32> {\n"
    "%0 = inlay.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
    "%1 = inlay.constant dense<[3.0, 4.0]> : tensor<2xf32>\n"
    "%y, %m, %v = inlay.batch_normalization %a, %0, %0, %0, %1 : "
    "(tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, "
    "tensor<2xf32>) -> (tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>)\n"
    "return %y : tensor<1x2xf32>\n}";

TEST(ProgramOutputs, AllowsRoundingsOfConstantsThatCancel) {
  EXPECT_EQ(judge(cancelling, 0), "");
  EXPECT_EQ(judge(cancelling, 2e-7), "");
  EXPECT_NE(judge(cancelling, 1e-4), "");
  EXPECT_NE(judge(cancelling, std::numeric_limits<double>::quiet_NaN()), "");
}

// Last bits of a limit make a range longer. That its elements may be off by
// anything does not follow.
TEST(ProgramOutputs, AllowsNothingForAnotherShape) {
  constexpr llvm::StringLiteral text =
      "func.func @main(%a: tensor<1x2xf32>) -> tensor<?xf32> {\n"
      "%0 = inlay.constant dense<0.0> : tensor<f32>\n"
      "%1 = inlay.constant dense<1.0> : tensor<f32>\n"
      "%2 = inlay.constant dense<2.0> : tensor<f32>\n"
      "%y = inlay.range %0, %2, %1 : (tensor<f32>, tensor<f32>, tensor<f32>) "
      "-> tensor<?xf32>\n"
      "return %y : tensor<?xf32>\n}";
  EXPECT_EQ(judge(text, 0), "");
  EXPECT_EQ(judge(text, 0.5),
            "output 0 of the program is wrong: elements that are off: 1, the "
            "worst at [1]: 1.500000000e+00, not 1.000000000e+00");
}
