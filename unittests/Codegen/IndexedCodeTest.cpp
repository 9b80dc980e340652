//===- IndexedCodeTest.cpp - Running sums, the k best and scatters --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Runtime/ModuleTesting.h"
#include "CodeTesting.h"
#include "inlay/Codegen/NativeProgram.h"

using namespace inlay;
using namespace inlay::testing;

/// An operator of one operand and one result of its type.
static unsigned checkSame(llvm::StringRef op, const std::string &type,
                          const std::string &attributes) {
  return check({type, type},
               ("%y = inlay." + op + " %a {" + attributes + "} : (tensor<" +
                type + ">) -> tensor<" + type + ">")
                   .str());
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

TEST(IndexedCode, SumsAlongAnAxis) {
  for (const char *type : {"f32", "f64", "f16", "bf16", "i32", "i64", "ui8"})
    for (const char *axis : {"0", "1", "-1"})
      for (const char *order :
           {"", ", exclusive = 1 : i64", ", reverse = 1 : i64",
            ", exclusive = 1 : i64, reverse = 1 : i64"})
        EXPECT_EQ(checkSame("cumsum", std::string("5x7x3x") + type,
                            std::string("axis = ") + axis + " : i64" + order),
                  1u)
            << type << axis << order;
  EXPECT_EQ(checkSame("cumsum", "0x3xf32", "axis = 1 : i64"), 1u);
}

static std::string getTopK(llvm::StringRef type, llvm::StringRef order,
                           bool areIndices) {
  return (llvm::Twine(areIndices ? "%v, %y" : "%y, %v") +
          " = inlay.topk %a {k = 3 : i64, axis = 1 : i64" + order +
          "} : (tensor<2x17x4x" + type + ">) -> (tensor<2x3x4x" + type +
          ">, tensor<2x3x4xi64>)")
      .str();
}

// NaN are above all, and of equal ones the first comes first.
TEST(IndexedCode, FindsTheBest) {
  for (llvm::StringRef type : {"f32", "f64", "f16", "i32", "ui8"})
    for (llvm::StringRef order : {"", ", largest = 0 : i64"}) {
      std::string from = ("2x17x4x" + type).str();
      for (bool areIndices : {false, true}) {
        std::string to = ("2x3x4x" + (areIndices ? "i64" : type)).str();
        std::string body = getTopK(type, order, areIndices);
        EXPECT_EQ(check({from, to}, body), 1u) << body;
      }
    }
}

// As many passes as there are places take longer than to sort.
TEST(IndexedCode, LeavesSortsAlone) {
  EXPECT_EQ(check({"100xf32", "65xf32"},
                  "%y, %i = inlay.topk %a {k = 65 : i64} : (tensor<100xf32>) "
                  "-> (tensor<65xf32>, tensor<65xi64>)"),
            0u);
}

// It may be any, and is looked at before the code runs.
TEST(IndexedCode, ReadsTheAxis) {
  ParsedModule module("func.func @main(%a: tensor<2x3xf32>, %b: tensor<i64>) "
                      "-> tensor<2x3xf32> {\n"
                      "%y = inlay.cumsum %a, axis %b : (tensor<2x3xf32>, "
                      "tensor<i64>) -> tensor<2x3xf32>\n"
                      "return %y : tensor<2x3xf32>\n}");
  auto program = llvm::cantFail(NativeProgram::compile(module.get(), {}));
  ASSERT_EQ(program.getSteps().size(), 1u);
  EXPECT_EQ(program.getSteps().front()->kind, StepKind::Kernel);
  HostTensor data(ElementType::Float, {2, 3});
  for (int64_t i = 0; i < 6; ++i)
    data.setDouble(i, double(i + 1));
  auto run = [&](int64_t axis) {
    return program.run({data, HostTensor::getInts({axis}).reshaped({})});
  };
  for (int64_t axis : {1, 0, -1, -2}) {
    auto results = llvm::cantFail(run(axis));
    bool isInner = axis == 1 || axis == -1;
    EXPECT_EQ(results[0].getDouble(2), isInner ? 6 : 3) << axis;
    EXPECT_EQ(results[0].getDouble(3), isInner ? 4 : 5) << axis;
  }
  auto wrong = run(2);
  EXPECT_FALSE(bool(wrong));
  llvm::consumeError(wrong.takeError());
}

//===----------------------------------------------------------------------===//
// Scatters
//===----------------------------------------------------------------------===//

static constexpr llvm::StringRef reductions[] = {"none", "add", "mul", "max",
                                                 "min"};

// Two updates meet at one element, and some places have none.
TEST(IndexedCode, ScattersElements) {
  for (llvm::StringRef type : {"f32", "f64", "f16", "bf16", "i32", "ui8"})
    for (llvm::StringRef reduction : reductions)
      for (llvm::StringRef axis : {"0", "1"}) {
        std::string data = ("3x4x" + type).str(),
                    updates = ("2x3x" + type).str();
        std::string body =
            ("%i = inlay.constant dense<[[0, -1, 2], [1, 2, 2]]> : "
             "tensor<2x3xi64>\n%y = inlay.scatter_elements %a, %i, %b {axis "
             "= " +
             axis + " : i64, reduction = \"" + reduction + "\"} : (tensor<" +
             data + ">, tensor<2x3xi64>, tensor<" + updates + ">) -> tensor<" +
             data + ">")
                .str();
        EXPECT_EQ(check({data, updates, data}, body), 1u) << body;
      }
}

TEST(IndexedCode, ScattersSlices) {
  for (llvm::StringRef type : {"f32", "i64", "f16"})
    for (llvm::StringRef reduction : reductions) {
      std::string data = ("3x4x5x" + type).str(),
                  updates = ("3x5x" + type).str();
      std::string body =
          ("%i = inlay.constant dense<[[0, -1], [2, 1], [0, 3]]> : "
           "tensor<3x2xi64>\n%y = inlay.scatter_nd %a, %i, %b {reduction = \"" +
           reduction + "\"} : (tensor<" + data + ">, tensor<3x2xi64>, tensor<" +
           updates + ">) -> tensor<" + data + ">")
              .str();
      EXPECT_EQ(check({data, updates, data}, body), 1u) << body;
    }
  EXPECT_EQ(check({"3xi1", "2xi1", "3xi1"},
                  "%i = inlay.constant dense<[[2], [0]]> : tensor<2x1xi64>\n"
                  "%y = inlay.scatter_nd %a, %i, %b : (tensor<3xi1>, "
                  "tensor<2x1xi64>, tensor<2xi1>) -> tensor<3xi1>"),
            1u);
}

// An index beyond the data is the executor's error, before anything is written.
TEST(IndexedCode, ChecksWhereItWrites) {
  ParsedModule module(
      "func.func @main(%a: tensor<3xf32>, %i: tensor<2xi64>, %b: "
      "tensor<2xf32>) -> tensor<3xf32> {\n"
      "%y = inlay.scatter_elements %a, %i, %b : (tensor<3xf32>, "
      "tensor<2xi64>, tensor<2xf32>) -> tensor<3xf32>\n"
      "return %y : tensor<3xf32>\n}");
  auto program = llvm::cantFail(NativeProgram::compile(module.get(), {}));
  ASSERT_EQ(program.getSteps().size(), 1u);
  EXPECT_EQ(program.getSteps().front()->kind, StepKind::Kernel);
  auto run = [&](int64_t first, int64_t second) {
    auto results = program.run({HostTensor(ElementType::Float, {3}),
                                HostTensor::getInts({first, second}),
                                HostTensor(ElementType::Float, {2})});
    return results ? "" : llvm::toString(results.takeError());
  };
  EXPECT_EQ(run(0, -3), "");
  EXPECT_NE(run(0, 3), "");
  EXPECT_NE(run(-4, 0), "");
  EXPECT_EQ(run(2, 2), "");
}
