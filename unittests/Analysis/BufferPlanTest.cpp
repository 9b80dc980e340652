//===- BufferPlanTest.cpp - Who lies where --------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/BufferPlan.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace inlay;
using namespace mlir;

namespace {
/// A graph and its plan, which the checker accepts.
class Planned {
public:
  explicit Planned(llvm::StringRef text)
      : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<InlayDialect, func::FuncDialect>();
    registerEvaluation(context);
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module) {
      ADD_FAILURE() << "the test's module does not parse";
      return;
    }
    graph = llvm::cantFail(getGraph(*module));
    plan = planBuffers(graph);
    EXPECT_EQ(check(), "");
  }

  std::string check() const {
    return llvm::toString(checkBuffers(graph, plan));
  }
  /// The result of the n-th operation of the graph or of its bodies.
  Value getResult(unsigned index) {
    SmallVector<Operation *> ops;
    graph.getBody().walk<WalkOrder::PreOrder>(
        [&](Operation *op) { ops.push_back(op); });
    return ops[index]->getResult(0);
  }
  BufferPlace &operator[](unsigned index) {
    return plan.places[getResult(index)];
  }

  BufferPlan plan;

private:
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp graph;
};
} // namespace

/// x, two MatMuls of 256 bytes, and what `rest` makes of %b.
static std::string chain(llvm::StringRef rest) {
  return ("!t = tensor<8x8xf32>\n"
          "func.func @main(%x: !t) -> !t {\n"
          "%a = inlay.matmul %x, %x : (!t, !t) -> !t\n"
          "%b = inlay.matmul %a, %a : (!t, !t) -> !t\n" +
          rest + "\nreturn %y : !t\n}")
      .str();
}

TEST(BufferPlan, WritesElementwiseResultsOverOperands) {
  Planned planned(chain("%c = inlay.relu %b : (!t) -> !t\n"
                        "%y = inlay.matmul %c, %c : (!t, !t) -> !t"));
  EXPECT_EQ(planned.plan.numInPlace, 1u);
  EXPECT_TRUE(planned[1].isSame(planned[2]));
  EXPECT_EQ(planned.plan.arenaBytes, 512u);
  EXPECT_TRUE(planned.plan.isLeast());
  EXPECT_EQ(planned[3].home, BufferHome::Output);
}

TEST(BufferPlan, KeepsOperandsThatOthersRead) {
  Planned planned(chain("%c = inlay.relu %b : (!t) -> !t\n"
                        "%y = inlay.matmul %c, %b : (!t, !t) -> !t"));
  EXPECT_EQ(planned.plan.numInPlace, 0u);
  planned[2] = planned[1];
  EXPECT_NE(planned.check().find("have been overwritten"), std::string::npos);
}

TEST(BufferPlan, WritesOverNothingThatIsReadElsewhere) {
  Planned planned(
      chain("%c = inlay.transpose %b {perm = array<i64: 1, 0>} : (!t) -> !t\n"
            "%y = inlay.matmul %c, %c : (!t, !t) -> !t"));
  EXPECT_EQ(planned.plan.numInPlace, 0u);
  planned[2] = planned[1];
  EXPECT_NE(planned.check().find("an operand that it still reads"),
            std::string::npos);
}

TEST(BufferPlan, LeavesViewsWhereTheyAre) {
  Planned planned(chain(
      "%c = inlay.reshape %b {shape = array<i64: 64>} : (!t) -> "
      "tensor<64xf32>\n"
      "%d = inlay.reshape %c {shape = array<i64: 8, 8>} : (tensor<64xf32>) -> "
      "!t\n%y = inlay.matmul %d, %b : (!t, !t) -> !t"));
  EXPECT_EQ(planned.plan.numViews, 2u);
  EXPECT_TRUE(planned[1].isSame(planned[3]));
  EXPECT_EQ(planned.plan.numBuffers, 2u);
}

// An output is computed in the caller's memory, an input is not written to.
TEST(BufferPlan, LeavesInputsAlone) {
  Planned planned("func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, "
                  "tensor<2x2xf32>) {\n"
                  "%y = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>\n"
                  "%z = inlay.reshape %x {shape = array<i64: 2, 2>} : "
                  "(tensor<4xf32>) -> tensor<2x2xf32>\n"
                  "return %y, %z : tensor<4xf32>, tensor<2x2xf32>\n}");
  EXPECT_EQ(planned[0].home, BufferHome::Output);
  EXPECT_EQ(planned[1].home, BufferHome::Input);
  EXPECT_EQ(planned.plan.arenaBytes, 0u);
  planned[0] = planned[1];
  EXPECT_NE(planned.check().find("input of the caller"), std::string::npos);
}

/// %c and %y of a group of the given kind over %b.
static std::string grouped(llvm::StringRef kind, llvm::StringRef body) {
  return chain(("%c = inlay.group \"cpu\" \"g\" " + kind + " : !t {\n" + body +
                "\ninlay.yield %r : !t\n}\n"
                "%y = inlay.matmul %c, %c : (!t, !t) -> !t")
                   .str());
}

static constexpr llvm::StringLiteral elementwise =
    "%q = inlay.relu %b : (!t) -> !t\n%r = inlay.add %q, %b : (!t, !t) -> !t";

TEST(BufferPlan, WritesKernelsOverWhatTheyReadElementByElement) {
  EXPECT_EQ(
      Planned(grouped("kernel <elementwise, space = [8, 8], reads = [same]>",
                      elementwise))
          .plan.numInPlace,
      1u);
}

TEST(BufferPlan, KeepsWhatGroupsMayReadAgain) {
  EXPECT_EQ(
      Planned(grouped("stages [\"\", \"\"]", elementwise)).plan.numInPlace, 0u);
  EXPECT_EQ(
      Planned(grouped("kernel <elementwise, space = [8, 8], reads = [other]>",
                      "%q = inlay.relu %b : (!t) -> !t\n"
                      "%r = inlay.transpose %q {perm = array<i64: 1, 0>} "
                      ": (!t) -> !t"))
          .plan.numInPlace,
      0u);
}

static constexpr llvm::StringLiteral loop = R"(
    !t = tensor<8x8xf32>
    func.func @main(%x: !t, %n: tensor<i64>) -> !t {
      %a = inlay.matmul %x, %x : (!t, !t) -> !t
      %b = inlay.matmul %x, %a : (!t, !t) -> !t
      %l = inlay.loop(trip %n carry %b) : (tensor<i64>, !t) -> !t {
      ^bb0(%i: tensor<i64>, %c: tensor<i1>, %v: !t):
        %p = inlay.matmul %v, %a : (!t, !t) -> !t
        %q = inlay.relu %p : (!t) -> !t
        inlay.yield %c, %q : tensor<i1>, !t
      }
      %y = inlay.matmul %l, %l : (!t, !t) -> !t
      return %y : !t
    })";

TEST(BufferPlan, KeepsWhatTheNextTurnOfALoopReads) {
  Planned planned(loop);
  EXPECT_EQ(planned.plan.numInPlace, 1u);
  // What the body computes, over what it captures.
  planned[3] = planned[0];
  planned[4] = planned[0];
  EXPECT_NE(planned.check(), "");
}

TEST(BufferPlan, LetsBranchesShare) {
  Planned planned(R"(
    !t = tensor<8x8xf32>
    func.func @main(%x: !t, %c: tensor<i1>) -> !t {
      %i = inlay.if %c : (tensor<i1>) -> !t {
        %a = inlay.matmul %x, %x : (!t, !t) -> !t
        %b = inlay.matmul %a, %x : (!t, !t) -> !t
        inlay.yield %b : !t
      } else {
        %d = inlay.matmul %x, %x : (!t, !t) -> !t
        inlay.yield %d : !t
      }
      %y = inlay.matmul %i, %i : (!t, !t) -> !t
      return %y : !t
    })");
  EXPECT_EQ(planned.plan.arenaBytes, 512u);
  EXPECT_TRUE(planned.plan.isLeast());
}

TEST(BufferPlan, PutsWhatHasNoSizeOnTheHeap) {
  Planned planned("func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
                  "%a = inlay.abs %x : (tensor<?xf32>) -> tensor<?xf32>\n"
                  "%y = inlay.relu %a : (tensor<?xf32>) -> tensor<?xf32>\n"
                  "return %y : tensor<?xf32>\n}");
  EXPECT_EQ(planned.plan.numOnHeap, 2u);
  EXPECT_EQ(planned.plan.arenaBytes, 0u);
}
