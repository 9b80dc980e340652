//===- PaddedFormTest.cpp - Operators on tensors with padding -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// StoredFormTest executes every form that is admitted; here is which ones are.
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/PaddedForm.h"
#include "StoredFormCases.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace inlay;
using namespace inlay::testing;

namespace {
/// The operation before the return of a function, in forms that are named as
/// layouts of class Tensor.
class PaddedOperation {
public:
  explicit PaddedOperation(llvm::StringRef text)
      : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<InlayDialect, mlir::func::FuncDialect>();
    registerEvaluation(context);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text.str();
  }

  mlir::Operation *get() {
    auto function = *module->getOps<mlir::func::FuncOp>().begin();
    return function.getBody().front().getTerminator()->getPrevNode();
  }

  static AtomSequence getOrder(llvm::StringRef text) {
    if (text.empty())
      return {};
    return AtomSequence(
        llvm::cantFail(Layout::parse(("Tensor as " + text).str())).getOrder());
  }

  static StoredForm getForm(llvm::ArrayRef<llvm::StringRef> operands,
                            llvm::ArrayRef<llvm::StringRef> results) {
    StoredForm form;
    for (llvm::StringRef text : operands)
      form.operands.push_back(getOrder(text));
    for (llvm::StringRef text : results)
      form.results.push_back(getOrder(text));
    return form;
  }

  bool admits(llvm::ArrayRef<llvm::StringRef> operands,
              llvm::StringRef result) {
    return admitsStored(get(), getForm(operands, result));
  }
  bool wraps(llvm::ArrayRef<llvm::StringRef> operands, llvm::StringRef result) {
    return admitsWrapped(get(), getForm(operands, result));
  }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};
} // namespace

static constexpr char zero[] = "(0,1:1,2,3,1:0) block 16 pad zero";
static constexpr char any[] = "(0,1:1,2,3,1:0) block 16";

/// A unary operator on 1x20x4x4.
static std::string unary(llvm::StringRef op, llvm::StringRef attributes = "") {
  return ("func.func @f(%x: tensor<1x20x4x4xf32>) {\n  %y = inlay." + op +
          " %x " + attributes +
          " : (tensor<1x20x4x4xf32>) -> tensor<1x20x4x4xf32>\n  return\n}")
      .str();
}

static unsigned countBlocked(llvm::ArrayRef<FormCase> cases,
                             llvm::StringRef op) {
  unsigned blocked = 0;
  for (const FormCase &formCase : cases)
    if (formCase.op == op)
      blocked += checkForms(formCase).blocked;
  return blocked;
}

TEST(PaddedFormTest, ZerosStayZerosWhereTheOperatorSaysSo) {
  for (llvm::StringRef op : {"relu", "tanh", "neg", "abs", "sqrt", "leaky_relu",
                             "hard_swish", "erf", "gelu"}) {
    PaddedOperation operation(unary(op));
    EXPECT_TRUE(operation.admits({zero}, zero)) << op.str();
    EXPECT_TRUE(operation.admits({any}, any)) << op.str();
    EXPECT_FALSE(operation.admits({any}, zero)) << op.str();
  }
}

TEST(PaddedFormTest, ZerosDoNotStayZerosElsewhere) {
  for (llvm::StringRef op :
       {"exp", "log", "sigmoid", "cos", "reciprocal", "softplus"}) {
    PaddedOperation operation(unary(op));
    EXPECT_FALSE(operation.admits({zero}, zero)) << op.str();
    EXPECT_TRUE(operation.admits({zero}, any)) << op.str();
  }
  PaddedOperation elu(unary("hard_sigmoid", "{beta = 0.0 : f32}"));
  EXPECT_TRUE(elu.admits({zero}, zero)) << "the attribute decides";
}

static std::string binary(llvm::StringRef op, llvm::StringRef other) {
  return ("func.func @f(%x: tensor<1x20x4x4xf32>, %r: tensor<1x20x4x4xf32>, "
          "%s: tensor<f32>) {\n  %c = inlay.constant dense<2.0> : "
          "tensor<20x1x1xf32>\n  %k = inlay.constant dense<2.0> : "
          "tensor<f32>\n  %y = inlay." +
          op + " %x, " + other + " -> tensor<1x20x4x4xf32>\n  return\n}")
      .str();
}

TEST(PaddedFormTest, SideOperandsDecide) {
  constexpr char vector[] = "(0:1,1,2,0:0) block 16 pad zero";
  std::string full = "%r : (tensor<1x20x4x4xf32>, tensor<1x20x4x4xf32>)";
  EXPECT_TRUE(PaddedOperation(binary("add", full)).admits({zero, zero}, zero));
  EXPECT_FALSE(PaddedOperation(binary("add", full)).admits({zero, any}, zero));
  EXPECT_TRUE(PaddedOperation(binary("add", full)).admits({zero, any}, any));
  // 0 / 0 and 0 * infinity are not zero.
  EXPECT_FALSE(PaddedOperation(binary("div", full)).admits({zero, zero}, zero));
  EXPECT_FALSE(PaddedOperation(binary("mul", full)).admits({zero, any}, zero));
  std::string channel = "%c : (tensor<1x20x4x4xf32>, tensor<20x1x1xf32>)";
  EXPECT_TRUE(
      PaddedOperation(binary("mul", channel)).admits({zero, vector}, zero));
  EXPECT_TRUE(
      PaddedOperation(binary("add", channel)).admits({zero, vector}, zero));
  std::string constant = "%k : (tensor<1x20x4x4xf32>, tensor<f32>)";
  EXPECT_TRUE(
      PaddedOperation(binary("mul", constant)).admits({zero, ""}, zero));
  EXPECT_FALSE(
      PaddedOperation(binary("add", constant)).admits({zero, ""}, zero));
  EXPECT_TRUE(PaddedOperation(binary("add", constant)).admits({zero, ""}, any));
  // What is computed may be infinite.
  std::string scalar = "%s : (tensor<1x20x4x4xf32>, tensor<f32>)";
  EXPECT_FALSE(PaddedOperation(binary("mul", scalar)).admits({zero, ""}, zero));
  EXPECT_TRUE(PaddedOperation(binary("mul", scalar)).admits({zero, ""}, any));
}

TEST(PaddedFormTest, IntegersThatMayBeDivisorsHaveNoPadding) {
  PaddedOperation quotient(
      "func.func @f(%x: tensor<1x20x4x4xi32>, %y: tensor<1x20x4x4xi32>) {\n"
      "  %z = inlay.div %x, %y : (tensor<1x20x4x4xi32>, "
      "tensor<1x20x4x4xi32>) -> tensor<1x20x4x4xi32>\n  return\n}");
  EXPECT_FALSE(quotient.admits({zero, zero}, any));
  constexpr char full[] = "(0,1:1,2,3,1:0) split 1=5*4";
  EXPECT_TRUE(quotient.admits({full, full}, full));
}

TEST(PaddedFormTest, ElementsDoNotMeetAlongABlockedAxis) {
  auto reduce = [](llvm::StringRef axis) {
    return ("func.func @f(%x: tensor<1x20x4x4xf32>) {\n  %y = "
            "inlay.reduce_sum %x {axes = array<i64: " +
            axis + ">} : (tensor<1x20x4x4xf32>) -> tensor<*xf32>\n  return\n}")
        .str();
  };
  PaddedOperation overH(reduce("2"));
  ASSERT_TRUE(mlir::succeeded(refineResultTypes(overH.get())));
  EXPECT_TRUE(overH.admits({zero}, zero));
  PaddedOperation overC(reduce("1"));
  ASSERT_TRUE(mlir::succeeded(refineResultTypes(overC.get())));
  EXPECT_FALSE(overC.admits({zero}, ""));
  // Full blocks are summed.
  EXPECT_TRUE(overC.admits({"(0,1:1,2,3,1:0) split 1=5*4"}, ""));
  for (auto [axis, admitted] :
       {std::pair("1", false), std::pair("3", true), std::pair("-3", false)}) {
    PaddedOperation softmax(
        unary("softmax", ("{axis = " + llvm::Twine(axis) + " : i64}").str()));
    EXPECT_EQ(softmax.admits({zero}, any), admitted) << axis;
    EXPECT_FALSE(softmax.admits({zero}, zero)) << axis;
  }
}

TEST(PaddedFormTest, OperatorsOfAllKindsAreTriedWithPadding) {
  for (llvm::StringRef op : {"relu", "exp", "add", "where", "clip", "prelu"})
    EXPECT_GT(countBlocked(getElementwiseCases(), op), 0u) << op.str();
  EXPECT_GT(countBlocked(getMovementCases(), "concat"), 0u);
  EXPECT_GT(countBlocked(getMovementCases(), "slice"), 0u);
  EXPECT_GT(countBlocked(getMovementCases(), "pad"), 0u);
  EXPECT_GT(countBlocked(getReduceCases(), "reduce_sum"), 0u);
  EXPECT_GT(countBlocked(getReduceCases(), "argmax"), 0u);
  EXPECT_GT(countBlocked(getViewCases(), "transpose"), 0u);
  EXPECT_EQ(countBlocked(getContractionCases(), "gemm"), 0u);
  EXPECT_EQ(countBlocked(getContractionCases(), "matmul"), 0u);
}

//===----------------------------------------------------------------------===//
// Concat and Split along full blocks
//===----------------------------------------------------------------------===//

TEST(PaddedFormTest, FullBlocksAreJoined) {
  auto concat = [](llvm::StringRef channels, llvm::StringRef all) {
    std::string type = "tensor<1x" + channels.str() + "x4x4xf32>";
    return "func.func @f(%x: tensor<1x8x4x4xf32>, %y: " + type +
           ") {\n  %z = inlay.concat %x, %y {axis = 1 : i64} : "
           "(tensor<1x8x4x4xf32>, " +
           type + ") -> tensor<1x" + all.str() + "x4x4xf32>\n  return\n}";
  };
  constexpr char two[] = "(0,1:1,2,3,1:0) split 1=2*4";
  constexpr char three[] = "(0,1:1,2,3,1:0) split 1=3*4";
  constexpr char five[] = "(0,1:1,2,3,1:0) split 1=5*4";
  EXPECT_TRUE(PaddedOperation(concat("12", "20")).admits({two, three}, five));
  EXPECT_FALSE(PaddedOperation(concat("12", "20"))
                   .admits({two, "(0,1:1,2,3,1:0) split 1=6*2"}, five));
  // The last block of the second would be padding in the midst.
  EXPECT_FALSE(PaddedOperation(concat("10", "18"))
                   .admits({two, "(0,1:1,2,3,1:0) block 4 pad zero"},
                           "(0,1:1,2,3,1:0) block 4"));
}

//===----------------------------------------------------------------------===//
// In functions
//===----------------------------------------------------------------------===//

static std::string conv(llvm::StringRef type, llvm::StringRef weight,
                        llvm::StringRef attributes = "") {
  std::string x = "tensor<1x20x4x4x" + type.str() + ">";
  std::string w = "tensor<" + weight.str() + "x" + type.str() + ">";
  return "func.func @f(%x: " + x + ", %w: " + w + ", %b: tensor<20x" +
         type.str() + ">) {\n  %y = inlay.conv %x, %w, %b " + attributes.str() +
         " : (" + x + ", " + w + ", tensor<20x" + type.str() + ">) -> " + x +
         "\n  return\n}";
}

static constexpr char fractal[] = "(1:1,2,3,0:1,0:0,1:0) block 16 pad zero";
static constexpr char bias[] = "(0:1,0:0) block 16 pad zero";

TEST(PaddedFormTest, ProductsWithPaddingMustBeZero) {
  PaddedOperation dense(conv("f32", "20x20x1x1"));
  EXPECT_TRUE(dense.wraps({zero, fractal, bias}, zero));
  EXPECT_FALSE(dense.wraps({any, fractal, bias}, zero));
  EXPECT_FALSE(
      dense.wraps({zero, "(1:1,2,3,0:1,0:0,1:0) block 16", bias}, zero));
  // Every tensor that has an axis has its padding.
  EXPECT_FALSE(dense.wraps({zero, fractal, ""}, zero));
  EXPECT_FALSE(dense.wraps({zero, "", bias}, zero));
  EXPECT_FALSE(dense.wraps(
      {zero, "(1:1,2,3,0:1,0:0,1:0) block 24 pad zero", bias}, zero));
}

TEST(PaddedFormTest, DepthwiseConvolutionsHaveAsManyGroupsAsLanes) {
  PaddedOperation depthwise(conv("f32", "20x1x1x1", "{group = 20 : i64}"));
  constexpr char lanes[] = "(0:1,0:0,1,2,3) block 16 pad zero";
  EXPECT_TRUE(depthwise.wraps({zero, lanes, bias}, zero));
  EXPECT_TRUE(depthwise.wraps({any, lanes, bias}, any));
  EXPECT_FALSE(depthwise.wraps({zero, fractal, bias}, zero));
  PaddedOperation grouped(conv("f32", "20x10x1x1", "{group = 2 : i64}"));
  EXPECT_FALSE(grouped.wraps({zero, fractal, bias}, zero));
  EXPECT_FALSE(grouped.wraps({zero, lanes, bias}, zero));
}
