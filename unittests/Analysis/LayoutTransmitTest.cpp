//===- LayoutTransmitTest.cpp - Layouts of a whole graph ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/LayoutTransmit.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <random>

using namespace inlay;
using namespace mlir;

namespace {

/// One function over tensors of 1x4x4 elements, which any operator below takes
/// and gives: %x and %y, a weight %w and a matrix %k.
class Graph {
public:
  explicit Graph(StringRef operations) {
    context.loadDialect<InlayDialect, func::FuncDialect>();
    registerEvaluation(context);
    std::string text = ("!t = tensor<1x4x4xf32>\n!w = tensor<4x4x1xf32>\n"
                        "!k = tensor<4x4xf32>\n"
                        "func.func @f(%x: !t, %y: !t, %w: !w, %k: !k) {\n" +
                        operations + "\nreturn\n}\n")
                           .str();
    module = parseSourceString<ModuleOp>(text, &context);
  }

  func::FuncOp getFunction() { return *module->getOps<func::FuncOp>().begin(); }
  Block &getBlock() { return getFunction().getBody().front(); }

private:
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

std::string describe(LayoutAttr layout) {
  return layout ? layout.getLayout().str() : "none";
}

/// "relu", "add" and so on of random earlier values, named %0, %1...
std::string makeRandomOperations(std::mt19937 &random, unsigned count) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto pick = [&](unsigned i) -> std::string {
    unsigned number = random() % (i + 2);
    return number < 2 ? (number ? "%y" : "%x")
                      : "%" + std::to_string(number - 2);
  };
  for (unsigned i = 0; i < count; ++i) {
    std::string a = pick(i), b = pick(i);
    os << "%" << i << " = inlay.";
    switch (random() % 6) {
    case 0:
      os << "conv " << a << ", %w : (!t, !w) -> !t\n";
      break;
    case 1:
      os << "matmul " << a << ", %k : (!t, !k) -> !t\n";
      break;
    case 2:
      os << "add " << a << ", " << b << " : (!t, !t) -> !t\n";
      break;
    case 3:
      os << "transpose " << a << " {perm = array<i64: 0, 2, 1>} : (!t) -> !t\n";
      break;
    case 4:
      os << "reshape " << a << " {shape = array<i64: 1, 4, 4>} : (!t) -> !t\n";
      break;
    default:
      os << "relu " << a << " : (!t) -> !t\n";
    }
  }
  return text;
}

/// Swaps neighbours that do not depend on each other, again and again.
void shuffle(Block &block, std::mt19937 &random, unsigned rounds) {
  for (unsigned round = 0; round < rounds; ++round)
    for (Operation &op :
         llvm::make_early_inc_range(block.without_terminator())) {
      Operation *next = op.getNextNode();
      bool isFree = !next->hasTrait<OpTrait::IsTerminator>() &&
                    !llvm::is_contained(next->getOperands(), op.getResult(0));
      if (isFree && random() % 2)
        op.moveAfter(next);
    }
}

llvm::MapVector<Value, std::string> getAll(func::FuncOp function) {
  LayoutTransmit transmit(function);
  llvm::MapVector<Value, std::string> layouts;
  for (Value argument : function.getArguments())
    layouts[argument] = describe(transmit.getLayout(argument));
  for (Operation &op : function.getBody().front())
    for (Value result : op.getResults())
      layouts[result] = describe(transmit.getLayout(result));
  return layouts;
}

TEST(LayoutTransmitTest, EveryRankedValueHasALayout) {
  std::mt19937 random(7);
  Graph graph(makeRandomOperations(random, 50));
  for (auto &[value, layout] : getAll(graph.getFunction()))
    EXPECT_NE(layout, "none");
}

TEST(LayoutTransmitTest, OrderOfIndependentOperationsDoesNotMatter) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    Graph graph(makeRandomOperations(random, 30));
    auto before = getAll(graph.getFunction());
    shuffle(graph.getBlock(), random, 30);
    auto after = getAll(graph.getFunction());
    ASSERT_EQ(before.size(), after.size());
    for (auto &[value, layout] : before)
      EXPECT_EQ(layout, after[value]) << "seed " << seed;
  }
}

TEST(LayoutTransmitTest, ShufflingMovesOperations) {
  std::mt19937 random(3);
  Graph graph(makeRandomOperations(random, 30));
  auto before = getAll(graph.getFunction());
  shuffle(graph.getBlock(), random, 30);
  auto after = getAll(graph.getFunction());
  EXPECT_FALSE(llvm::equal(llvm::make_first_range(before),
                           llvm::make_first_range(after)));
}

/// `length` operations in a row between a convolution and `end`.
std::string makeChain(unsigned length, StringRef end) {
  std::string text = "%c = inlay.conv %x, %w : (!t, !w) -> !t\n"
                     "%0 = inlay.relu %c : (!t) -> !t\n";
  llvm::raw_string_ostream os(text);
  for (unsigned i = 1; i < length; ++i)
    os << "%" << i << " = inlay.relu %" << i - 1 << " : (!t) -> !t\n";
  os << "%end = inlay." << end << "\n";
  return text;
}

TEST(LayoutTransmitTest, LongChainsNeedNoStackForward) {
  constexpr unsigned length = 100000;
  Graph graph(makeChain(length, "relu %99999 : (!t) -> !t"));
  LayoutTransmit transmit(graph.getFunction());
  Operation *last = graph.getBlock().getTerminator()->getPrevNode();
  EXPECT_EQ(describe(transmit.getLayout(last->getResult(0))), "NCW");
}

TEST(LayoutTransmitTest, LongChainsNeedNoStackBackward) {
  constexpr unsigned length = 100000;
  Graph graph(makeChain(length, "matmul %99999, %k : (!t, !k) -> !t"));
  LayoutTransmit transmit(graph.getFunction());
  Operation &convolution = graph.getBlock().front();
  EXPECT_EQ(describe(transmit.getLayout(convolution.getResult(0))), "NCW");
  Operation *first = convolution.getNextNode();
  EXPECT_EQ(describe(transmit.getLayout(first->getResult(0))), "NTensor");
}

TEST(LayoutTransmitTest, BoundsComeFromTheOptions) {
  Graph graph("%0 = inlay.matmul %x, %k : (!t, !k) -> !t");
  TransmitOptions options;
  options.ranks[size_t(LayoutClass::NTensor)] = {2, 2};
  LayoutTransmit transmit(graph.getFunction(), options);
  EXPECT_EQ(describe(transmit.getLayout(graph.getFunction().getArgument(0))),
            "Tensor");
  EXPECT_EQ(describe(transmit.getLayout(graph.getFunction().getArgument(3))),
            "NTensor");
}

TEST(LayoutTransmitTest, DefaultsAreTheRequirements) {
  TransmitOptions options;
  for (LayoutClass each :
       {LayoutClass::Feature, LayoutClass::Weight, LayoutClass::NTensor})
    EXPECT_EQ(options.getBounds(each), (RankBounds{3, 6}));
  EXPECT_EQ(options.getBounds(LayoutClass::Tensor), (RankBounds{0, 6}));
}

TEST(LayoutTransferTest, NamesMoveWithTheAxes) {
  MLIRContext context;
  context.loadDialect<InlayDialect>();
  LayoutAttr nchw = getFeatureLayout(&context, 4);
  TensorAxes from{{0}, {1}, {2}, {3}};
  EXPECT_EQ(describe(transferLayout(nchw, from, {{0}, {2}, {3}, {1}})), "NHWC");
  EXPECT_EQ(describe(transferLayout(nchw, from, {{0}, {1}, {}, {4}})), "NCHW");
}

TEST(LayoutTransferTest, NamesThatAreLeftOverHaveNoPlace) {
  MLIRContext context;
  context.loadDialect<InlayDialect>();
  LayoutAttr nchw = getFeatureLayout(&context, 4);
  TensorAxes from{{0}, {1}, {2}, {3}};
  EXPECT_FALSE(transferLayout(nchw, from, {{4}, {0}, {1}, {2}}));
  EXPECT_FALSE(transferLayout(nchw, from, {{0}, {1}, {2}}));
}

TEST(LayoutTransferTest, DimensionsCutAnewHaveNoNames) {
  MLIRContext context;
  context.loadDialect<InlayDialect>();
  LayoutAttr nchw = getFeatureLayout(&context, 4);
  TensorAxes from{{0}, {1, 2}, {3}, {}};
  EXPECT_FALSE(transferLayout(nchw, from, {{0}, {1}, {2, 3}, {}}));
  EXPECT_EQ(describe(transferLayout(nchw, from, from)), "NCHW");
  // The same axes in another order: a block that moves.
  EXPECT_EQ(describe(transferLayout(nchw, from, {{0}, {2}, {3, 1}, {}})),
            "NCHW");
}

TEST(LayoutTransferTest, StrongerIsATotalOrder) {
  MLIRContext context;
  context.loadDialect<InlayDialect>();
  TensorAxes from{{0}, {1}, {2}, {3}};
  LayoutAttr nchw = getFeatureLayout(&context, 4);
  LayoutAttr nhwc = transferLayout(nchw, from, {{0}, {2}, {3}, {1}});
  LayoutList order{nchw,
                   nhwc,
                   getWeightLayout(&context, 4, true),
                   getWeightLayout(&context, 4),
                   getNTensorLayout(&context),
                   getTensorLayout(&context),
                   LayoutAttr()};
  for (size_t i = 0; i < order.size(); ++i)
    for (size_t j = i; j < order.size(); ++j) {
      EXPECT_EQ(getStronger(order[i], order[j]), order[i]);
      EXPECT_EQ(getStronger(order[j], order[i]), order[i]);
    }
}

TEST(LayoutTransferTest, RanksWithoutLettersHaveNoNames) {
  MLIRContext context;
  context.loadDialect<InlayDialect>();
  EXPECT_EQ(describe(getFeatureLayout(&context, 6)), "NCTDHW");
  EXPECT_EQ(describe(getWeightLayout(&context, 3, true)), "IOW");
  for (int64_t rank : {0, 2, 7, 100}) {
    EXPECT_FALSE(getFeatureLayout(&context, rank));
    EXPECT_FALSE(getWeightLayout(&context, rank));
  }
}

} // namespace
