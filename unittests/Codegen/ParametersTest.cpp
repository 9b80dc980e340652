//===- ParametersTest.cpp - Parameters of programs that run ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Runtime/ModuleTesting.h"
#include "inlay/Codegen/NativeProgram.h"
#include <gtest/gtest.h>

using namespace inlay;

/// What a program says to parameters; nothing where it runs.
static std::string run(NativeProgram &program, const HostTensor &data,
                       llvm::ArrayRef<int64_t> parameters) {
  auto results = program.run({data, HostTensor::getInts(parameters)});
  return results ? "" : llvm::toString(results.takeError());
}

// The code is made for one shape: others are errors, as in the executor, and
// what was right before is so again.
TEST(Parameters, HaveToFit) {
  ParsedModule module(
      "func.func @main(%a: tensor<2x3xf32>, %b: tensor<2xi64>) -> "
      "tensor<4x6xf32> {\n"
      "%y = inlay.tile %a, repeats %b : (tensor<2x3xf32>, tensor<2xi64>) -> "
      "tensor<4x6xf32>\nreturn %y : tensor<4x6xf32>\n}");
  auto program = llvm::cantFail(NativeProgram::compile(module.get(), {}));
  for (const NativeStep *step : program.getSteps())
    EXPECT_EQ(step->kind, StepKind::Kernel);
  HostTensor data(ElementType::Float, {2, 3});
  EXPECT_EQ(run(program, data, {2, 2}), "");
  EXPECT_NE(run(program, data, {1, 4}), "");
  EXPECT_NE(run(program, data, {-1, 2}), "");
  EXPECT_EQ(run(program, data, {2, 2}), "");
}

// An operator that became several steps still looks at its parameters.
TEST(Parameters, HaveToFitSeveralSteps) {
  ParsedModule module("func.func @main(%a: tensor<2xf32>, %b: tensor<2xi64>) "
                      "-> tensor<3x2xf32> {\n"
                      "%0 = inlay.constant_of_shape shape %b : "
                      "(tensor<2xi64>) -> tensor<3x2xf32>\n"
                      "%y = inlay.add %0, %a : (tensor<3x2xf32>, "
                      "tensor<2xf32>) -> tensor<3x2xf32>\n"
                      "return %y : tensor<3x2xf32>\n}");
  auto program = llvm::cantFail(NativeProgram::compile(module.get(), {}));
  HostTensor data(ElementType::Float, {2});
  EXPECT_EQ(run(program, data, {3, 2}), "");
  EXPECT_NE(run(program, data, {2, 3}), "");
}
