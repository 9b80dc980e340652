//===- StepCheckerTest.cpp ------------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Runtime/ModuleTesting.h"
#include "inlay/Codegen/StepReference.h"

using namespace inlay;

/// Whether a result that is off by `error` in one element passes as what the
/// first operation of a function computes of its argument.
static bool passes(llvm::StringRef text, double error) {
  ParsedModule module(text.str());
  mlir::Block &block = module.getGraph().getBody().front();
  NativeStep step;
  step.op = block.getTerminator()->getOperand(0).getDefiningOp();
  step.kind = StepKind::Kernel;
  step.reads.push_back(block.getArgument(0));
  step.results.push_back(step.op->getResult(0));
  HostTensor input(ElementType::Float, {4});
  for (int64_t i = 0; i < 4; ++i)
    input.setDouble(i, double(i) - 1.3);
  auto results = llvm::cantFail(evaluateStep(step.op, step.reads, {input}));
  HostTensor found(ElementType::Float, {4});
  for (int64_t i = 0; i < 4; ++i)
    found.setDouble(i, results.front().getDouble(i) + (i == 2 ? error : 0));
  CompareOptions limits;
  limits.tolerance = 1e-5;
  StepChecker checker(limits);
  llvm::cantFail(checker.beforeStep(step, {input}));
  llvm::cantFail(checker.afterStep(step, {found}));
  std::vector<StepChecker::Finding> findings = checker.takeFindings();
  EXPECT_EQ(findings.size(), 1u);
  return findings.front().comparison.isEqual;
}

static constexpr llvm::StringLiteral sum =
    "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
    "%y = inlay.add %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
    "return %y : tensor<4xf32>\n}";

TEST(StepChecker, FindsWhatIsWrong) {
  EXPECT_TRUE(passes(sum, 0));
  EXPECT_TRUE(passes(sum, 1e-5));
  EXPECT_FALSE(passes(sum, 1e-3));
  EXPECT_FALSE(passes(sum, std::numeric_limits<double>::quiet_NaN()));
}

static constexpr llvm::StringLiteral quantised =
    "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
    "%s = inlay.constant dense<2.5e-1> : tensor<f32>\n"
    "%z = inlay.constant dense<0> : tensor<i8>\n"
    "%y = inlay.group \"cpu\" \"k\" cluster : tensor<4xf32> {\n"
    "%0 = inlay.quantize_linear %a, %s, %z : (tensor<4xf32>, tensor<f32>, "
    "tensor<i8>) -> tensor<4xi8>\n"
    "%1 = inlay.dequantize_linear %0, %s, %z : (tensor<4xi8>, tensor<f32>, "
    "tensor<i8>) -> tensor<4xf32>\n"
    "inlay.yield %1 : tensor<4xf32>\n}\n"
    "return %y : tensor<4xf32>\n}";

// What a quantiser reads is known, so it has no choice.
TEST(StepChecker, AllowsNoStepWhereNothingIsRounded) {
  EXPECT_TRUE(passes(quantised, 0));
  EXPECT_FALSE(passes(quantised, 0.25));
}
