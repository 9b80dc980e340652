//===- ExecutorTest.cpp - The reference executor on small graphs ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Runtime/Executor.h"
#include "ModuleTesting.h"
#include "inlay/IR/Constants.h"

using namespace inlay;

static HostTensor getFloats(llvm::ArrayRef<float> values) {
  return HostTensor::get<float>(ElementType::Float, {int64_t(values.size())},
                                values);
}

static HostTensor getBool(bool value) {
  HostTensor tensor(ElementType::Bool, {});
  tensor.setInt(0, value);
  return tensor;
}

/// The only output, as numbers.
static std::vector<float> run(ParsedModule &module,
                              llvm::ArrayRef<HostTensor> inputs) {
  auto outputs = execute(module.get(), inputs);
  if (!outputs) {
    ADD_FAILURE() << describe(outputs.takeError()).second;
    return {};
  }
  return outputs->front().getData<float>().vec();
}

static std::pair<ExitCode, std::string>
fail(ParsedModule &module, llvm::ArrayRef<HostTensor> inputs) {
  auto outputs = execute(module.get(), inputs);
  if (outputs) {
    ADD_FAILURE() << "expected a failure";
    return {};
  }
  return describe(outputs.takeError());
}

TEST(Executor, RunsOperationsInOrder) {
  ParsedModule module(R"(
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = inlay.neg %x : (tensor<2xf32>) -> tensor<2xf32>
      %1 = inlay.add %0, %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      return %1 : tensor<2xf32>
    })");
  EXPECT_EQ(run(module, getFloats({1, -2})), (std::vector<float>{-2, 4}));
}

TEST(Executor, ReturnsInputsAndConstantsAsTheyAre) {
  ParsedModule module(R"(
    func.func @main(%x: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
      %c = inlay.constant dense<7.0> : tensor<1xf32>
      return %x, %c : tensor<1xf32>, tensor<1xf32>
    })");
  auto outputs = llvm::cantFail(execute(module.get(), getFloats({3})));
  EXPECT_EQ(outputs[0].getDouble(0), 3);
  EXPECT_EQ(outputs[1].getDouble(0), 7);
}

TEST(Executor, RunsGroups) {
  ParsedModule module(R"(
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %c = inlay.constant dense<10.0> : tensor<2xf32>
      %0 = inlay.neg %x : (tensor<2xf32>) -> tensor<2xf32>
      %g:2 = inlay.group "opu" "group_0" stages ["add", "compare"] : tensor<2xf32>, tensor<2xf32> {
        %1 = inlay.add %0, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
        %2 = inlay.relu %1 : (tensor<2xf32>) -> tensor<2xf32>
        inlay.yield %1, %2 : tensor<2xf32>, tensor<2xf32>
      }
      %3 = inlay.group "opu" "group_1" stages ["res_add"] : tensor<2xf32> {
        %4 = inlay.add %g#0, %g#1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
        %5 = inlay.add %4, %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
        inlay.yield %5 : tensor<2xf32>
      }
      return %3 : tensor<2xf32>
    })");
  EXPECT_EQ(run(module, getFloats({1, 20})), (std::vector<float>{17, -30}));
}

TEST(Executor, RunsTheBranchThatTheConditionChooses) {
  ParsedModule module(R"(
    func.func @main(%c: tensor<i1>, %x: tensor<1xf32>) -> tensor<1xf32> {
      %y = inlay.if %c : (tensor<i1>) -> tensor<1xf32> {
        %0 = inlay.neg %x : (tensor<1xf32>) -> tensor<1xf32>
        inlay.yield %0 : tensor<1xf32>
      } else {
        inlay.yield %x : tensor<1xf32>
      }
      return %y : tensor<1xf32>
    })");
  EXPECT_EQ(run(module, {getBool(true), getFloats({5})}),
            std::vector<float>{-5});
  EXPECT_EQ(run(module, {getBool(false), getFloats({5})}),
            std::vector<float>{5});
}

TEST(Executor, KeepsCapturedValuesThroughAllIterations) {
  ParsedModule module(R"(
    func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
      %n = inlay.constant dense<3> : tensor<i64>
      %step = inlay.neg %x : (tensor<1xf32>) -> tensor<1xf32>
      %y = inlay.loop(trip %n carry %x) : (tensor<i64>, tensor<1xf32>) -> tensor<1xf32> {
      ^bb0(%i: tensor<i64>, %go: tensor<i1>, %sum: tensor<1xf32>):
        %next = inlay.add %sum, %step : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
        inlay.yield %go, %next : tensor<i1>, tensor<1xf32>
      }
      return %y : tensor<1xf32>
    })");
  EXPECT_EQ(run(module, getFloats({2})), std::vector<float>{-4});
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static constexpr char identity[] = R"(
    func.func @main(
        %x: tensor<?x2xf32> {inlay.name = "x", inlay.dims = ["N", ""]},
        %y: tensor<?xf32> {inlay.name = "y", inlay.dims = ["N"]}) -> tensor<?x2xf32> {
      return %x : tensor<?x2xf32>
    })";

TEST(Executor, BindsDynamicDimensions) {
  ParsedModule module(identity);
  HostTensor x(ElementType::Float, {3, 2}), y(ElementType::Float, {3});
  EXPECT_EQ(run(module, {x, y}).size(), 6u);
}

TEST(Executor, RefusesADimensionWithTwoExtents) {
  ParsedModule module(identity);
  HostTensor x(ElementType::Float, {3, 2}), y(ElementType::Float, {4});
  auto [code, message] = fail(module, {x, y});
  EXPECT_EQ(code, ExitCode::Usage);
  EXPECT_EQ(message, "input 'y': dimension 'N' is 4 here and 3 in input 'x'");
}

TEST(Executor, SaysWhichShapeIsRequired) {
  ParsedModule module(identity);
  HostTensor x(ElementType::Float, {3, 5}), y(ElementType::Float, {3});
  auto [code, message] = fail(module, {x, y});
  EXPECT_EQ(code, ExitCode::Usage);
  EXPECT_EQ(message, "input 'x': requires shape ?x2, found 3x5");
}

TEST(Executor, SaysWhichTypeIsRequired) {
  ParsedModule module(identity);
  HostTensor x(ElementType::Int64, {3, 2}), y(ElementType::Float, {3});
  EXPECT_EQ(fail(module, {x, y}).second,
            "input 'x': requires elements of type float, found int64");
}

TEST(Executor, UsesDefaultsForInputsLeftOut) {
  ParsedModule module(R"(
    func.func @main(%x: tensor<1xf32> {inlay.name = "x",
                    inlay.default = dense<9.0> : tensor<1xf32>}) -> tensor<1xf32> {
      return %x : tensor<1xf32>
    })");
  EXPECT_EQ(run(module, HostTensor()), std::vector<float>{9});
  EXPECT_EQ(run(module, getFloats({1})), std::vector<float>{1});
}

TEST(Executor, RefusesInputsWithoutValueOrDefault) {
  ParsedModule module(identity);
  auto [code, message] = fail(module, {HostTensor(), HostTensor()});
  EXPECT_EQ(code, ExitCode::Usage);
  EXPECT_NE(message.find("input 'x'"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

TEST(Executor, ListsAllOpaqueNodesBeforeItRuns) {
  ParsedModule module(R"(
    func.func @main(%x: tensor<1xf32>) -> !inlay.unknown {
      %0 = inlay.opaque "::LSTM"(%x) : (tensor<1xf32>) -> !inlay.unknown
          loc(fused<#inlay.origin<"rnn", "LSTM", ["y"]>>[unknown])
      %1 = inlay.opaque "com.acme::Swirl"(%0) : (!inlay.unknown) -> !inlay.unknown
          loc(fused<#inlay.origin<"twist", "Swirl", ["z"]>>[unknown])
      return %1 : !inlay.unknown
    })");
  auto [code, message] = fail(module, getFloats({1}));
  EXPECT_EQ(code, ExitCode::Unsupported);
  EXPECT_NE(message.find("node 'rnn' (LSTM)"), std::string::npos) << message;
  EXPECT_NE(message.find("node 'twist' (com.acme::Swirl)"), std::string::npos)
      << message;
}

TEST(Executor, NamesTheNodeThatFails) {
  ParsedModule module(R"(
    func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %0 = inlay.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
          loc(fused<#inlay.origin<"sum", "Add", ["z"]>>[unknown])
      return %0 : tensor<?xf32>
    })");
  auto [code, message] =
      fail(module, {getFloats({1, 2}), getFloats({1, 2, 3})});
  EXPECT_TRUE(llvm::StringRef(message).starts_with("node 'sum' (Add): "))
      << message;
}

TEST(Executor, ReportsProgressForEveryNode) {
  ParsedModule module(R"(
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = inlay.neg %x : (tensor<2xf32>) -> tensor<2xf32>
      %1 = inlay.neg %0 : (tensor<2xf32>) -> tensor<2xf32>
      return %1 : tensor<2xf32>
    })");
  std::vector<std::pair<uint64_t, uint64_t>> calls;
  ExecuteOptions options;
  options.progress = [&](uint64_t done, uint64_t all) {
    calls.emplace_back(done, all);
  };
  llvm::cantFail(execute(module.get(), getFloats({1, 2}), options).takeError());
  EXPECT_EQ(calls,
            (std::vector<std::pair<uint64_t, uint64_t>>{{1, 2}, {2, 2}}));
}
