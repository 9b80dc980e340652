//===- RandomInputsTest.cpp - Seeded inputs -------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Runtime/RandomInputs.h"
#include "ModuleTesting.h"
#include <cmath>

using namespace inlay;

static constexpr char graph[] = R"(
    func.func @main(
        %x: tensor<?x3xf32> {inlay.name = "x"},
        %ids: tensor<100xi64> {inlay.name = "ids"},
        %flags: tensor<100xi1> {inlay.name = "flags"},
        %any: tensor<*xf32> {inlay.name = "any"}) -> tensor<?x3xf32> {
      return %x : tensor<?x3xf32>
    })";

static HostTensor draw(ParsedModule &module, unsigned index,
                       const RandomOptions &options = {}) {
  return llvm::cantFail(getRandomInput(module.getGraph(), index, options));
}

static int64_t getLargest(const HostTensor &tensor) {
  llvm::SmallVector<int64_t> values = tensor.getInts();
  return *std::max_element(values.begin(), values.end());
}

TEST(RandomInputs, AreTheSameOnEveryMachine) {
  RandomStream stream(0, "x");
  double first = stream.next(), second = stream.next();
  // The stream that the oracle's scripts draw from.
  EXPECT_DOUBLE_EQ(first, 0.33945681899785995);
  EXPECT_DOUBLE_EQ(second, 0.10456330492161214);
}

TEST(RandomInputs, DependOnSeedAndName) {
  EXPECT_NE(RandomStream(0, "x").next(), RandomStream(1, "x").next());
  EXPECT_NE(RandomStream(0, "x").next(), RandomStream(0, "y").next());
}

TEST(RandomInputs, FloatsLieAroundZero) {
  ParsedModule module(graph);
  HostTensor x = draw(module, 0);
  for (int64_t i = 0; i < x.getNumElements(); ++i) {
    EXPECT_GE(x.getDouble(i), -1);
    EXPECT_LT(x.getDouble(i), 1);
  }
}

TEST(RandomInputs, OpenDimensionsAreOneOrGiven) {
  ParsedModule module(graph);
  EXPECT_EQ(draw(module, 0).getShape(), llvm::ArrayRef<int64_t>({1, 3}));
  RandomOptions options;
  int64_t other[] = {5, 7};
  options.fallback = other;
  EXPECT_EQ(draw(module, 0, options).getShape(),
            llvm::ArrayRef<int64_t>({5, 3}));
}

TEST(RandomInputs, IntegersAreSmallAndNotNegative) {
  ParsedModule module(graph);
  HostTensor ids = draw(module, 1);
  EXPECT_EQ(getLargest(ids), 7);
  for (int64_t value : ids.getInts())
    EXPECT_GE(value, 0);
}

/// Values for an input of type `element` and 10 rows of 10 elements.
static HostTensor drawFor(const ValueDemand &demand,
                          ElementType type = ElementType::Int64) {
  RandomStream stream(1, "x");
  return llvm::cantFail(getRandomTensor(type, {10, 10}, demand, stream));
}

static std::pair<double, double> getRange(const HostTensor &tensor) {
  double low = tensor.getDouble(0), high = low;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    low = std::min(low, tensor.getDouble(i));
    high = std::max(high, tensor.getDouble(i));
  }
  return {low, high};
}

TEST(RandomInputs, IndicesReachAllOfTheirTable) {
  EXPECT_EQ(getLargest(drawFor(ValueDemand::index(2))), 1);
  EXPECT_GT(getLargest(drawFor(ValueDemand::index(30000))), 20000);
  EXPECT_LT(getLargest(drawFor(ValueDemand::index(30000))), 30000);
}

TEST(RandomInputs, IndicesStayInsideTheirType) {
  auto [low, high] =
      getRange(drawFor(ValueDemand::range(-1e9, 1e9), ElementType::Int8));
  EXPECT_GE(low, -128);
  EXPECT_LE(high, 127);
}

TEST(RandomInputs, FloatsStayInsideTheRange) {
  auto [low, high] =
      getRange(drawFor(ValueDemand::atLeast(0.5), ElementType::Float));
  EXPECT_GE(low, 0.5);
  EXPECT_LT(high, 1);
  EXPECT_GT(high, low);
}

TEST(RandomInputs, FloatsBeyondOneStartThere) {
  auto [low, high] =
      getRange(drawFor(ValueDemand::atLeast(100), ElementType::Float));
  EXPECT_GE(low, 100);
  EXPECT_LE(high, 101);
}

TEST(RandomInputs, FloatsThatCountThingsAreWhole) {
  ValueDemand demand = ValueDemand::index(5);
  HostTensor tensor = drawFor(demand, ElementType::Float);
  EXPECT_EQ(getRange(tensor), std::make_pair(0.0, 4.0));
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    EXPECT_EQ(tensor.getDouble(i), std::floor(tensor.getDouble(i)));
}

TEST(RandomInputs, NoRowOfAMaskIsEmpty) {
  for (MaskKind mask : {MaskKind::OneCounts, MaskKind::ZeroCounts})
    for (ElementType type :
         {ElementType::Int64, ElementType::Float, ElementType::Bool}) {
      HostTensor tensor = drawFor(ValueDemand::masked(mask), type);
      EXPECT_EQ(getRange(tensor), std::make_pair(0.0, 1.0));
      double counting = mask == MaskKind::OneCounts;
      for (int64_t row = 0; row < 10; ++row)
        EXPECT_EQ(tensor.getDouble(row * 10), counting);
    }
}

TEST(RandomInputs, PositionsAreNoMask) {
  ValueDemand demand = ValueDemand::index(100);
  demand.meet(ValueDemand::masked(MaskKind::OneCounts));
  EXPECT_GT(getLargest(drawFor(demand)), 1);
}

TEST(RandomInputs, ShapesAreWhatFits) {
  RandomStream stream(1, "x");
  HostTensor shape = llvm::cantFail(getRandomTensor(
      ElementType::Int64, {3}, ValueDemand::values({2, -1, 4}), stream));
  EXPECT_EQ(shape.getInts(), llvm::SmallVector<int64_t>({2, -1, 4}));
}

TEST(RandomInputs, BooleansAreBoth) {
  ParsedModule module(graph);
  llvm::SmallVector<int64_t> flags = draw(module, 2).getInts();
  EXPECT_TRUE(llvm::is_contained(flags, 0));
  EXPECT_TRUE(llvm::is_contained(flags, 1));
}

TEST(RandomInputs, RefuseAnUnknownRank) {
  ParsedModule module(graph);
  auto tensor = getRandomInput(module.getGraph(), 3);
  ASSERT_FALSE(tensor);
  auto [code, message] = describe(tensor.takeError());
  EXPECT_EQ(code, ExitCode::Usage);
  EXPECT_NE(message.find("'any'"), std::string::npos);
}
