//===- ShapedStepTest.cpp -------------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Runtime/ModuleTesting.h"
#include "CodeTesting.h"
#include "inlay/Codegen/NativeProgram.h"
#include "inlay/Codegen/StepReference.h"
#include "inlay/Runtime/Executor.h"

using namespace inlay;
using namespace inlay::testing;

static constexpr llvm::StringLiteral products =
    "func.func @main(%a: tensor<?x24xf32>, %b: tensor<24x10xf32>) -> "
    "tensor<?x10xf32> {\n"
    "%y = inlay.group \"cpu\" \"k\" cluster : "
    "tensor<?x10xf32> {\n"
    "%0 = inlay.matmul %a, %b : (tensor<?x24xf32>, tensor<24x10xf32>) -> "
    "tensor<?x10xf32>\n"
    "%1 = inlay.relu %0 : (tensor<?x10xf32>) -> tensor<?x10xf32>\n"
    "inlay.yield %1 : tensor<?x10xf32>\n}\n"
    "return %y : tensor<?x10xf32>\n}";

static HostTensor makeRows(int64_t rows, int64_t columns) {
  HostTensor tensor(ElementType::Float, {rows, columns});
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    tensor.setDouble(i, double(i * 37 % 101) / 64 - 0.7);
  return tensor;
}

// More shapes than are kept, and some of them again; one without elements.
TEST(ShapedStep, ComputesTheSameForEachShape) {
  ParsedModule module(products.str());
  NativeProgram program =
      llvm::cantFail(NativeProgram::compile(module.get(), {}));
  ASSERT_EQ(program.getSteps().size(), 1u);
  EXPECT_TRUE(program.getSteps().front()->isShaped);
  for (int64_t rows : {3, 17, 3, 1, 64, 5, 17, 0, 3}) {
    HostTensor inputs[] = {makeRows(rows, 24), makeRows(24, 10)};
    auto expected = llvm::cantFail(execute(module.get(), inputs));
    auto found = program.run(inputs);
    ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
    TensorComparison result =
        compareTensors("y", expected.front(), found->front(), {});
    EXPECT_TRUE(result.isEqual) << rows << ": " << result.reason;
  }
}

// Who checks kernels is told of those that were made for the shapes.
TEST(ShapedStep, IsLookedInto) {
  ParsedModule module(products.str());
  NativeProgram program =
      llvm::cantFail(NativeProgram::compile(module.get(), {}));
  StepChecker checker({});
  HostTensor inputs[] = {makeRows(9, 24), makeRows(24, 10)};
  llvm::cantFail(program.run(inputs, &checker));
  EXPECT_EQ(checker.takeFindings().size(), 1u);
}

// What does not fit is the reference's to say.
TEST(ShapedStep, LeavesErrorsToTheReference) {
  ParsedModule module(
      "func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> "
      "tensor<?x?xf32> {\n"
      "%y = inlay.matmul %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> "
      "tensor<?x?xf32>\nreturn %y : tensor<?x?xf32>\n}");
  NativeProgram program =
      llvm::cantFail(NativeProgram::compile(module.get(), {}));
  HostTensor good[] = {makeRows(4, 5), makeRows(5, 6)};
  EXPECT_EQ(llvm::cantFail(program.run(good)).front().getShape(),
            llvm::ArrayRef<int64_t>({4, 6}));
  HostTensor bad[] = {makeRows(4, 5), makeRows(6, 6)};
  auto expected = execute(module.get(), bad);
  ASSERT_FALSE(bool(expected));
  auto found = program.run(bad);
  ASSERT_FALSE(bool(found));
  EXPECT_EQ(llvm::toString(found.takeError()),
            llvm::toString(expected.takeError()));
}
