//===- MaterializeTest.cpp - The same results after materialize -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoredModule.h"
#include "inlay/Runtime/Compare.h"
#include "inlay/Runtime/RandomInputs.h"
#include <cmath>

using namespace inlay;

static bool hasEncodings(mlir::ModuleOp module) {
  auto isEncoded = [](mlir::Type type) {
    auto ranked = mlir::dyn_cast<mlir::RankedTensorType>(type);
    return ranked && ranked.getEncoding();
  };
  bool found = false;
  module.walk([&](mlir::Operation *op) {
    found |= llvm::any_of(op->getOperandTypes(), isEncoded) ||
             llvm::any_of(op->getResultTypes(), isEncoded) ||
             mlir::isa<RelayoutOp, mlir::UnrealizedConversionCastOp>(op);
  });
  return found;
}

/// Runs the module as it stands and again after materialize (and, before that,
/// cancel where asked), and compares. Inputs and outputs that have an encoding
/// are stored as it says.
static void expectSameResults(llvm::StringRef text, bool cancel = false) {
  StoredModule module(text);
  mlir::func::FuncOp graph = module.getGraph();
  llvm::SmallVector<mlir::Type> inputTypes(graph.getArgumentTypes());
  llvm::SmallVector<mlir::Type> outputTypes(graph.getResultTypes());
  llvm::SmallVector<HostTensor> logical, stored;
  for (auto [i, type] : llvm::enumerate(inputTypes)) {
    logical.push_back(
        llvm::cantFail(getRandomInput(graph, i, {.seed = 7, .fallback = {}})));
    stored.push_back(store(logical.back(), type));
  }
  auto before = module.execute(logical);
  OriginSet origins = collectOrigins(module.get());
  if (cancel) {
    ASSERT_TRUE(module.run(createCancelRelayouts()));
    EXPECT_TRUE(findLostOrigins(origins, module.get()).empty());
  }
  ASSERT_TRUE(module.materialize());
  EXPECT_TRUE(mlir::succeeded(mlir::verify(module.get())));
  EXPECT_FALSE(hasEncodings(module.get()));
  EXPECT_TRUE(findLostOrigins(origins, module.get()).empty());
  auto after = module.execute(stored);
  ASSERT_EQ(before.size(), after.size());
  for (auto [a, b, type] : llvm::zip_equal(before, after, outputTypes)) {
    TensorComparison comparison = compareTensors("", store(a, type), b);
    EXPECT_TRUE(comparison.isEqual)
        << text.str() << comparison.reason << " " << comparison.maxAbsError;
  }
}

TEST(Materialize, KeepsConvolutionsBetweenRelayouts) {
  expectSameResults(R"(
    !n = tensor<1x3x5x4xf32, #inlay.layout<NCHW as NHWC>>
    !m = tensor<1x2x3x2xf32, #inlay.layout<NCHW as NHWC>>
    !w = tensor<2x3x3x3xf32, #inlay.layout<OIHW as HWOI>>
    func.func @main(%x: tensor<1x3x5x4xf32>, %k: tensor<2x3x3x3xf32>, %b: tensor<2xf32>) -> tensor<1x2x3x2xf32> {
      %t = inlay.relayout %x : (tensor<1x3x5x4xf32>) -> !n
      %w = inlay.relayout %k : (tensor<2x3x3x3xf32>) -> !w
      %c = inlay.conv %t, %w, %b : (!n, !w, tensor<2xf32>) -> !m
      %r = inlay.relu %c : (!m) -> !m
      %y = inlay.relayout %r : (!m) -> tensor<1x2x3x2xf32>
      return %y : tensor<1x2x3x2xf32>
    })");
}

TEST(Materialize, KeepsBroadcastOperands) {
  // All extents equal, so that shapes cannot tell a wrong axis.
  expectSameResults(R"(
    !n = tensor<4x4x4x4xf32, #inlay.layout<NCHW as NHWC>>
    func.func @main(%x: !n, %c: tensor<4x1x1xf32>, %hw: tensor<4x4xf32>, %chw: tensor<4x4x4xf32>, %s: tensor<f32>, %one: tensor<1xf32>) -> !n {
      %a = inlay.add %x, %c : (!n, tensor<4x1x1xf32>) -> !n
      %b = inlay.mul %a, %hw : (!n, tensor<4x4xf32>) -> !n
      %w = inlay.relayout %chw : (tensor<4x4x4xf32>) -> tensor<4x4x4xf32, #inlay.layout<Tensor as (1,2,0)>>
      %d = inlay.sub %b, %w : (!n, tensor<4x4x4xf32, #inlay.layout<Tensor as (1,2,0)>>) -> !n
      %e = inlay.mul %d, %s : (!n, tensor<f32>) -> !n
      %y = inlay.add %e, %one : (!n, tensor<1xf32>) -> !n
      return %y : !n
    })");
}

TEST(Materialize, KeepsConcatSplitAndReductions) {
  expectSameResults(R"(
    !n = tensor<2x4x4x4xf32, #inlay.layout<NCHW as NHWC>>
    !c = tensor<2x8x4x4xf32, #inlay.layout<NCHW as NHWC>>
    !k = tensor<2x8x1x1xf32, #inlay.layout<NCHW as NHWC>>
    func.func @main(%x: !n, %z: !n) -> (!k, tensor<2x8xf32>, tensor<2x4x4xf32>) {
      %c = inlay.concat %x, %z {axis = -3 : i64} : (!n, !n) -> !c
      %k = inlay.reduce_mean %c {axes = array<i64: 2, 3>} : (!c) -> !k
      %n = inlay.reduce_sum %c {axes = array<i64: -1, -2>, keepdims = 0 : i64} : (!c) -> tensor<2x8xf32>
      %m = inlay.reduce_max %c {axes = array<i64: 1>, keepdims = 0 : i64} : (!c) -> tensor<2x4x4xf32>
      return %k, %n, %m : !k, tensor<2x8xf32>, tensor<2x4x4xf32>
    })");
}

TEST(Materialize, KeepsFlattenBeforeGemm) {
  expectSameResults(R"(
    !n = tensor<2x3x2x2xf32, #inlay.layout<NCHW as NHWC>>
    !f = tensor<2x12xf32, #inlay.layout<NTensor as (0,1:1,1:0,1:2) split 1=3*2*2>>
    !w = tensor<12x5xf32, #inlay.layout<NTensor as (0:1,0:0,0:2,1) split 0=3*2*2>>
    func.func @main(%x: !n, %k: tensor<12x5xf32>) -> tensor<2x5xf32> {
      %w = inlay.relayout %k : (tensor<12x5xf32>) -> !w
      %f = inlay.flatten %x : (!n) -> !f
      %y = inlay.gemm %f, %w : (!f, !w) -> tensor<2x5xf32>
      return %y : tensor<2x5xf32>
    })");
}

TEST(Materialize, KeepsBranches) {
  expectSameResults(R"(
    !n = tensor<1x3x4x4xf32, #inlay.layout<NCHW as NHWC>>
    func.func @main(%x: !n, %z: tensor<1x3x4x4xf32>) -> (!n, !n) {
      %yes = inlay.constant dense<true> : tensor<i1>
      %no = inlay.constant dense<false> : tensor<i1>
      %a = inlay.if %yes : (tensor<i1>) -> !n {
        %t = inlay.relayout %z : (tensor<1x3x4x4xf32>) -> !n
        %s = inlay.sub %x, %t : (!n, !n) -> !n
        inlay.yield %s : !n
      } else {
        inlay.yield %x : !n
      }
      %b = inlay.if %no : (tensor<i1>) -> !n {
        inlay.yield %a : !n
      } else {
        %r = inlay.neg %a : (!n) -> !n
        inlay.yield %r : !n
      }
      return %a, %b : !n, !n
    })");
}

TEST(Materialize, KeepsLoops) {
  expectSameResults(R"(
    !n = tensor<1x3x4x4xf32, #inlay.layout<NCHW as NHWC>>
    func.func @main(%x: !n) -> (!n, tensor<?xi64>) {
      %n = inlay.constant dense<3> : tensor<i64>
      %y:2 = inlay.loop(trip %n carry %x) : (tensor<i64>, !n) -> (!n, tensor<?xi64>) {
      ^bb0(%i: tensor<i64>, %c: tensor<i1>, %v: !n):
        %s = inlay.add %v, %x : (!n, !n) -> !n
        inlay.yield %c, %s, %i : tensor<i1>, !n, tensor<i64>
      }
      return %y#0, %y#1 : !n, tensor<?xi64>
    })");
}

TEST(Materialize, KeepsTransposesThatAreStoredAlike) {
  expectSameResults(R"(
    !i = tensor<2x2x2xf32, #inlay.layout<Tensor as (1,2,0)>>
    !o = tensor<2x2x2xf32, #inlay.layout<Tensor as (0,1,2)>>
    func.func @main(%x: !i) -> !o {
      %t = inlay.transpose %x {perm = array<i64: 1, 2, 0>} : (!i) -> !o
      %y = inlay.neg %t : (!o) -> !o
      return %y : !o
    })");
}

TEST(Materialize, WrapsWhatHasNoForm) {
  expectSameResults(R"(
    !n = tensor<2x2x2xf32, #inlay.layout<Tensor as (2,0,1)>>
    func.func @main(%x: !n, %z: tensor<2x2x2xf32>) -> !n {
      %y = inlay.sub %x, %z : (!n, tensor<2x2x2xf32>) -> !n
      return %y : !n
    })");
}

TEST(Materialize, RefusesToWrapWithoutATarget) {
  StoredModule module(R"(
    !n = tensor<2x2x2xf32, #inlay.layout<Tensor as (2,0,1)>>
    func.func @main(%x: !n, %z: tensor<2x2x2xf32>) -> !n {
      %y = inlay.sub %x, %z : (!n, tensor<2x2x2xf32>) -> !n
      return %y : !n
    })");
  mlir::ScopedDiagnosticHandler silent(module.get().getContext(),
                                       [](mlir::Diagnostic &) {});
  EXPECT_FALSE(module.materialize(""));
}

TEST(CancelRelayouts, KeepsResultsOfTransposesInARow) {
  expectSameResults(R"(
    !n = tensor<2x2x2x2xf32, #inlay.layout<NCHW as NHWC>>
    !r = tensor<2x2x2x2xf32>
    func.func @main(%x: !n) -> (!n, !r) {
      %a = inlay.relayout %x : (!n) -> !r
      %t = inlay.transpose %a {perm = array<i64: 1, 2, 0, 3>} : (!r) -> !r loc(fused<#inlay.origin<"one", "Transpose", ["t"]>>[unknown])
      %u = inlay.transpose %t {perm = array<i64: 3, 1, 0, 2>} : (!r) -> !r loc(fused<#inlay.origin<"two", "Transpose", ["u"]>>[unknown])
      %y = inlay.relayout %u : (!r) -> !n
      return %y, %t : !n, !r
    })",
                    /*cancel=*/true);
}

TEST(CancelRelayouts, KeepsResultsOfChains) {
  expectSameResults(R"(
    !n = tensor<2x2x2xf32, #inlay.layout<NCW as NWC>>
    !m = tensor<2x2x2xf32, #inlay.layout<NCW as WNC>>
    func.func @main(%x: !n, %z: tensor<2x2x2xf32>) -> (!m, !n) {
      %a = inlay.relayout %x : (!n) -> tensor<2x2x2xf32>
      %b = inlay.relayout %a : (tensor<2x2x2xf32>) -> !m
      %c = inlay.relayout %b : (!m) -> !n
      %d = inlay.relayout %z : (tensor<2x2x2xf32>) -> !n
      %y = inlay.sub %c, %d : (!n, !n) -> !n
      return %b, %y : !m, !n
    })",
                    /*cancel=*/true);
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// Materialises for a target, runs with `padding` in the lanes of inputs that
/// may hold anything, and compares the elements; what is promised to be zero
/// must be.
static void expectNoPadding(llvm::StringRef text) {
  for (float padding : {NAN, INFINITY, -3.0f}) {
    StoredModule module(text);
    mlir::func::FuncOp graph = module.getGraph();
    llvm::SmallVector<mlir::Type> inputTypes(graph.getArgumentTypes());
    mlir::Type outputType = graph.getResultTypes()[0];
    llvm::SmallVector<HostTensor> logical, stored;
    auto withLanes = [&](const HostTensor &tensor, mlir::Type type) {
      HostTensor ones(tensor.getType(), tensor.getShape());
      for (int64_t i = 0; i < ones.getNumElements(); ++i)
        ones.setDouble(i, 1);
      HostTensor physical = store(tensor, type), filled = store(ones, type);
      if (getPadding(getStorageOrder(type)) == Padding::Any)
        for (int64_t i = 0; i < physical.getNumElements(); ++i)
          if (filled.getDouble(i) == 0)
            physical.setDouble(i, padding);
      return std::pair(physical, filled);
    };
    for (auto [i, type] : llvm::enumerate(inputTypes)) {
      logical.push_back(llvm::cantFail(
          getRandomInput(graph, i, {.seed = 7, .fallback = {}})));
      stored.push_back(withLanes(logical.back(), type).first);
    }
    auto before = module.execute(logical);
    ASSERT_EQ(before.size(), 1u);
    ASSERT_TRUE(module.materialize("ascend"));
    auto after = module.execute(stored);
    ASSERT_EQ(after.size(), 1u);
    auto [expected, isElement] = withLanes(before[0], outputType);
    ASSERT_EQ(after[0].getShape(), expected.getShape());
    bool isZero = getPadding(getStorageOrder(outputType)) == Padding::Zero;
    for (int64_t i = 0; i < expected.getNumElements(); ++i)
      if (isElement.getDouble(i) != 0 || isZero)
        ASSERT_NEAR(after[0].getDouble(i), expected.getDouble(i), 1e-5)
            << text.str() << padding;
  }
}

static std::string getPadded(llvm::StringRef op, llvm::StringRef type,
                             llvm::StringRef padding) {
  std::string layout =
      "#inlay.layout<NCHW as NC1HWC0 block 16" + padding.str() + ">";
  std::string x = "tensor<2x20x4x4xf32, " + layout + ">";
  std::string y = "tensor<2x20x" + type.str() + "xf32, " + layout + ">";
  return "func.func @main(%x: " + x + ") -> " + y + " {\n  %y = inlay." +
         op.str() + " : (" + x + ") -> " + y + "\n  return %y : " + y + "\n}";
}

TEST(MaterializePadding, DoesNotReachResultsOfPools) {
  for (llvm::StringRef padding : {"", " pad zero"}) {
    expectNoPadding(getPadded("average_pool %x {kernel_shape = array<i64: 2, "
                              "2>, strides = array<i64: 2, 2>}",
                              "2x2", padding));
    expectNoPadding(getPadded("global_average_pool %x", "1x1", padding));
    expectNoPadding(getPadded("global_max_pool %x", "1x1", padding));
    expectNoPadding(getPadded("relu %x", "4x4", padding));
    expectNoPadding(
        getPadded("reduce_max %x {axes = array<i64: 3>}", "4x1", padding));
    // What makes no zeros of zeros is wrapped where zeros are promised.
    expectNoPadding(getPadded("sigmoid %x", "4x4", padding));
    expectNoPadding(getPadded("exp %x", "4x4", padding));
  }
}

TEST(MaterializePadding, DoesNotReachResultsOfConvolutions) {
  std::string body = R"(
    !x = tensor<2x20x4x4xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
    !a = tensor<2x20x4x4xf32, #inlay.layout<NCHW as NC1HWC0 block 16>>
    !w = tensor<9x20x3x3xf32, #inlay.layout<OIHW as I1HWO1O0I0 block 16 pad zero>>
    !d = tensor<20x1x3x3xf32, #inlay.layout<OIHW as O1O0IHW block 16 pad zero>>
    !b = tensor<9xf32, #inlay.layout<Tensor as (0:1,0:0) block 16 pad zero>>
    !y = tensor<2x9x2x2xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
    !z = tensor<2x20x2x2xf32, #inlay.layout<NCHW as NC1HWC0 block 16>>
  )";
  expectNoPadding(body + R"(func.func @main(%x: !x, %w: !w, %b: !b) -> !y {
      %y = inlay.conv %x, %w, %b : (!x, !w, !b) -> !y
      return %y : !y
    })");
  // A mask lets the sum begin.
  expectNoPadding(body + R"(func.func @main(%a: !a, %w: !w, %b: !b) -> !y {
      %x = inlay.relayout %a : (!a) -> !x
      %y = inlay.conv %x, %w, %b : (!x, !w, !b) -> !y
      return %y : !y
    })");
  expectNoPadding(body + R"(func.func @main(%a: !a, %w: !d) -> !z {
      %y = inlay.conv %a, %w {group = 20 : i64} : (!a, !d) -> !z
      return %y : !z
    })");
}
