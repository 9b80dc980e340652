//===- RandomInputsTest.cpp - Seeded inputs -------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Runtime/RandomInputs.h"
#include "ModuleTesting.h"

using namespace inlay;

static constexpr char graph[] = R"(
    func.func @main(
        %x: tensor<?x3xf32> {inlay.name = "x"},
        %ids: tensor<100xi64> {inlay.name = "ids"},
        %rows: tensor<100xi64> {inlay.name = "rows"},
        %flags: tensor<100xi1> {inlay.name = "flags"},
        %any: tensor<*xf32> {inlay.name = "any"}) -> tensor<100x3xf32> {
      %table = inlay.constant dense<1.0> : tensor<2x3xf32>
      %0 = inlay.gather %table, %rows : (tensor<2x3xf32>, tensor<100xi64>) -> tensor<100x3xf32>
      return %0 : tensor<100x3xf32>
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

TEST(RandomInputs, IndicesStayInsideTheirTable) {
  ParsedModule module(graph);
  EXPECT_EQ(getLargest(draw(module, 2)), 1);
}

TEST(RandomInputs, BooleansAreBoth) {
  ParsedModule module(graph);
  llvm::SmallVector<int64_t> flags = draw(module, 3).getInts();
  EXPECT_TRUE(llvm::is_contained(flags, 0));
  EXPECT_TRUE(llvm::is_contained(flags, 1));
}

TEST(RandomInputs, RefuseAnUnknownRank) {
  ParsedModule module(graph);
  auto tensor = getRandomInput(module.getGraph(), 4);
  ASSERT_FALSE(tensor);
  auto [code, message] = describe(tensor.takeError());
  EXPECT_EQ(code, ExitCode::Usage);
  EXPECT_NE(message.find("'any'"), std::string::npos);
}
