//===- RowCodeTest.cpp - Reductions as code -------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Runtime/ModuleTesting.h"
#include "CodeTesting.h"
#include "inlay/Codegen/ElementInterface.h"
#include "inlay/Codegen/KernelCode.h"
#include "inlay/Codegen/NativeProgram.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace inlay;
using namespace inlay::testing;

static constexpr double tolerance = 8 * 0x1p-24;

/// What a function of one result computes as machine code.
static HostTensor run(llvm::StringRef text, const HostTensor &input) {
  ParsedModule module(text.str());
  auto program = llvm::cantFail(NativeProgram::compile(module.get(), {}));
  return llvm::cantFail(program.run({input})).front();
}

/// An operator of one operand, of numbers that are neither special nor large.
static unsigned checkRow(llvm::StringRef op, llvm::StringRef from,
                         llvm::StringRef to, llvm::StringRef attributes) {
  return checkModerate({from, to},
                       ("%y = inlay." + op + " %a " + attributes +
                        " : (tensor<" + from + ">) -> tensor<" + to + ">")
                           .str(),
                       tolerance);
}

TEST(RowCode, ReducesAllWays) {
  for (llvm::StringRef op :
       {"reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod",
        "reduce_l1", "reduce_l2", "reduce_sum_square", "reduce_log_sum_exp"})
    for (auto [to, axes] :
         {std::pair("3x5x1xf32", "{axes = array<i64: -1>}"),
          std::pair("3x37xf32", "{axes = array<i64: 1>, keepdims = 0 : i64}"),
          std::pair("5xf32", "{axes = array<i64: 0, 2>, keepdims = 0 : i64}"),
          std::pair("1x1x1xf32", "")})
      EXPECT_EQ(checkRow(op, "3x5x37xf32", to, axes), 1u)
          << op.str() << " to " << to;
}

// Rows that vectors, four of them, and lines of these divide or do not, with no
// number somewhere.
TEST(RowCode, FindsExtremesOfLongRows) {
  for (int64_t extent : {16, 17, 31, 63, 64, 65, 79, 128, 200})
    for (llvm::StringRef op : {"reduce_max", "reduce_min"})
      EXPECT_EQ(checkRow(op, llvm::formatv("3x{0}xf32", extent).str(),
                         "3x1xf32", "{axes = array<i64: 1>}"),
                1u)
          << op.str() << " " << extent;
  HostTensor input(ElementType::Float, {65, 65});
  for (int64_t i = 0; i < 65 * 65; ++i)
    input.setDouble(i, i % 66 == 0 ? std::nan("") : double(i % 7));
  HostTensor result = run("func.func @main(%a: tensor<65x65xf32>) -> "
                          "tensor<65x1xf32> {\n"
                          "%y = inlay.reduce_max %a {axes = array<i64: 1>} : "
                          "(tensor<65x65xf32>) -> tensor<65x1xf32>\n"
                          "return %y : tensor<65x1xf32>\n}",
                          input);
  for (int64_t row = 0; row < 65; ++row)
    EXPECT_TRUE(std::isnan(result.getDouble(row))) << row;
}

// In one chain, alike numbers would all be rounded the same way.
TEST(RowCode, AddsUpLongRows) {
  constexpr double lost = 4 * 256 * 0x1p-24;
  EXPECT_EQ(checkModerate({"65536x4xf32", "1x4xf32"},
                          "%s = inlay.constant dense<1.0e-9> : tensor<f32>\n"
                          "%c = inlay.constant dense<0.7> : tensor<f32>\n"
                          "%m = inlay.mul %a, %s : (tensor<65536x4xf32>, "
                          "tensor<f32>) -> tensor<65536x4xf32>\n"
                          "%x = inlay.add %m, %c : (tensor<65536x4xf32>, "
                          "tensor<f32>) -> tensor<65536x4xf32>\n"
                          "%y = inlay.reduce_mean %x {axes = array<i64: 0>} : "
                          "(tensor<65536x4xf32>) -> tensor<1x4xf32>",
                          lost),
            3u);
}

// Blocks of a row are read from different places, vectors inside of each.
TEST(RowCode, NormalisesRowsOfBlocks) {
  for (int64_t part : {20, 32, 7}) {
    std::string x = llvm::formatv("4x6x{0}xf32", part),
                half = llvm::formatv("2x6x{0}xf32", part),
                quarter = llvm::formatv("2x3x{0}xf32", part),
                y = llvm::formatv("2x3x{0}xf32", 3 * part);
    std::string body = llvm::formatv(
        "%y = inlay.group \"cpu\" \"k\" cluster : tensor<{3}> {{\n"
        "%0 = inlay.slice %a {{starts = array<i64: 0>, ends = array<i64: 9>, "
        "axes = array<i64: 0>, steps = array<i64: 2>} : (tensor<{0}>) -> "
        "tensor<{1}>\n"
        "%1 = inlay.slice %a {{starts = array<i64: 1>, ends = array<i64: 9>, "
        "axes = array<i64: 0>, steps = array<i64: 2>} : (tensor<{0}>) -> "
        "tensor<{1}>\n"
        "%2 = inlay.slice %0 {{starts = array<i64: 0>, ends = array<i64: 9>, "
        "axes = array<i64: 1>, steps = array<i64: 2>} : (tensor<{1}>) -> "
        "tensor<{2}>\n"
        "%3 = inlay.slice %1 {{starts = array<i64: 1>, ends = array<i64: 9>, "
        "axes = array<i64: 1>, steps = array<i64: 2>} : (tensor<{1}>) -> "
        "tensor<{2}>\n"
        "%4 = inlay.concat %2, %3, %2 {{axis = 2 : i64} : (tensor<{2}>, "
        "tensor<{2}>, tensor<{2}>) -> tensor<{3}>\n"
        "%5 = inlay.reduce_mean %4 {{axes = array<i64: 2>} : (tensor<{3}>) -> "
        "tensor<2x3x1xf32>\n"
        "%6 = inlay.sub %4, %5 : (tensor<{3}>, tensor<2x3x1xf32>) -> "
        "tensor<{3}>\n"
        "inlay.yield %6 : tensor<{3}>\n}",
        x, half, quarter, y);
    EXPECT_EQ(checkModerate({x, y}, body, tolerance), 1u) << part;
  }
}

// One of the parts has no elements, and none is read there.
TEST(RowCode, ReducesJoinedParts) {
  EXPECT_EQ(
      checkModerate(
          {"2x3xf32", "0x3xf32", "3xf32"},
          "%y = inlay.group \"cpu\" \"k\" cluster : tensor<3xf32> "
          "{\n%1 = inlay.concat %a, %b, %a {axis = 0 : i64} : "
          "(tensor<2x3xf32>, tensor<0x3xf32>, tensor<2x3xf32>) -> "
          "tensor<4x3xf32>\n"
          "%c = inlay.constant dense<[[1.0], [2.0], [3.0], [4.0]]> : "
          "tensor<4x1xf32>\n"
          "%2 = inlay.mul %1, %c : (tensor<4x3xf32>, tensor<4x1xf32>) -> "
          "tensor<4x3xf32>\n"
          "%3 = inlay.reduce_sum %2 {axes = array<i64: 0>, keepdims = 0 : "
          "i64} : (tensor<4x3xf32>) -> tensor<3xf32>\n"
          "inlay.yield %3 : tensor<3xf32>\n}",
          tolerance),
      1u);
}

// On the way to zero the product is larger than any f32.
TEST(RowCode, MultipliesBeyondTheRangeOfTheType) {
  EXPECT_EQ(checkModerate({"3x4xf32", "3x1xf32"},
                          "%c = inlay.constant dense<[1.0e30, 1.0e30, 1.0e-30, "
                          "0.0]> : tensor<4xf32>\n"
                          "%x = inlay.mul %a, %c : (tensor<3x4xf32>, "
                          "tensor<4xf32>) -> tensor<3x4xf32>\n"
                          "%y = inlay.reduce_prod %x {axes = array<i64: 1>} : "
                          "(tensor<3x4xf32>) -> tensor<3x1xf32>",
                          tolerance),
            2u);
}

TEST(RowCode, ReducesOtherTypes) {
  for (llvm::StringRef op :
       {"reduce_sum", "reduce_max", "reduce_min", "reduce_prod"})
    for (llvm::StringRef type : {"i8", "ui8", "i32", "i64", "f64"})
      EXPECT_EQ(checkRow(op, ("4x19x" + type).str(), ("4x1x" + type).str(),
                         "{axes = array<i64: 1>}"),
                1u)
          << op.str() << " of " << type.str();
  for (llvm::StringRef type : {"f16", "bf16"})
    EXPECT_EQ(checkRow("reduce_mean", ("4x19x" + type).str(),
                       ("4x1x" + type).str(), "{axes = array<i64: 1>}"),
              1u)
        << type.str();
  EXPECT_EQ(
      checkRow("reduce_max", "4x19xi1", "4x1xi1", "{axes = array<i64: 1>}"),
      1u);
  EXPECT_EQ(
      checkRow("reduce_mean", "4x19xi32", "4x1xi32", "{axes = array<i64: 1>}"),
      1u);
}

TEST(RowCode, TakesAllExtents) {
  for (unsigned extent : {1, 2, 7, 15, 16, 17, 31, 32, 33, 100}) {
    std::string row = "3x" + std::to_string(extent) + "xf32";
    EXPECT_EQ(checkRow("reduce_sum", row, "3x1xf32", "{axes = array<i64: 1>}"),
              1u)
        << extent;
    std::string column = std::to_string(extent) + "x3xf32";
    EXPECT_EQ(
        checkRow("reduce_sum", column, "1x3xf32", "{axes = array<i64: 0>}"), 1u)
        << extent;
    std::string wide = "3x" + row;
    EXPECT_EQ(checkRow("softmax", wide, wide, "{axis = 1 : i64}"), 1u)
        << extent;
  }
}

TEST(RowCode, PassesSpecialNumbersOn) {
  for (llvm::StringRef op : {"reduce_max", "reduce_min"})
    EXPECT_EQ(check({"5x41xf32", "5x1xf32"},
                    ("%y = inlay." + op +
                     " %a {axes = array<i64: 1>} : (tensor<5x41xf32>) -> "
                     "tensor<5x1xf32>")
                        .str()),
              1u);
}

TEST(RowCode, FindsPlaces) {
  for (llvm::StringRef op : {"argmax", "argmin"})
    for (llvm::StringRef last : {"0", "1"})
      for (llvm::StringRef type : {"f32", "i8", "f64"}) {
        std::string last64 = "select_last_index = " + last.str() + " : i64";
        std::string from = "5x41x" + type.str();
        EXPECT_EQ(check({from, "5x1xi64"}, "%y = inlay." + op.str() +
                                               " %a {axis = 1 : i64, " +
                                               last64 + "} : (tensor<" + from +
                                               ">) -> tensor<5x1xi64>"),
                  1u)
            << op.str() << " " << last64 << " of " << type.str();
        EXPECT_EQ(check({from, "41xi64"},
                        "%y = inlay." + op.str() +
                            " %a {axis = 0 : i64, keepdims = 0 : i64, " +
                            last64 + "} : (tensor<" + from +
                            ">) -> tensor<41xi64>"),
                  1u)
            << op.str() << " " << last64 << " of " << type.str();
      }
}

TEST(RowCode, ComputesSoftmax) {
  for (llvm::StringRef op : {"softmax", "log_softmax"})
    for (llvm::StringRef axis : {"0", "1", "-1"})
      EXPECT_EQ(checkRow(op, "3x5x37xf32", "3x5x37xf32",
                         ("{axis = " + axis + " : i64}").str()),
                1u)
          << op.str() << " along " << axis.str();
  // Rows that are too long to be kept, along and across.
  EXPECT_EQ(checkRow("softmax", "2x8200xf32", "2x8200xf32", "{axis = 1 : i64}"),
            1u);
  EXPECT_EQ(checkRow("softmax", "520x19xf32", "520x19xf32", "{axis = 0 : i64}"),
            1u);
}

// By numbers whose powers are zero, denormal or those of infinity.
TEST(RowCode, ComputesMaskedSoftmax) {
  EXPECT_EQ(
      checkModerate(
          {"3x4xf32", "3x4xf32"},
          "%m = inlay.constant dense<[0.0, 0xFF800000, -1.0e30, -95.0]> : "
          "tensor<4xf32>\n"
          "%y = inlay.group \"cpu\" \"k\" cluster : tensor<3x4xf32> {\n"
          "%0 = inlay.add %a, %m : (tensor<3x4xf32>, tensor<4xf32>) -> "
          "tensor<3x4xf32>\n"
          "%1 = inlay.softmax %0 : (tensor<3x4xf32>) -> tensor<3x4xf32>\n"
          "inlay.yield %1 : tensor<3x4xf32>\n}",
          tolerance),
      1u);
}

// Powers next to 2^-126, of which the lower ones are none, and of no number.
TEST(RowCode, LeavesNoDenormalPowers) {
  HostTensor input(ElementType::Float, {2, 19});
  const double none = std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < 38; ++i)
    input.setDouble(i, i == 0    ? 0
                       : i == 18 ? -none
                       : i < 19  ? -86.5 - i / 8.0
                                 : std::nan(""));
  HostTensor result = run("func.func @main(%a: tensor<2x19xf32>) -> "
                          "tensor<2x19xf32> {\n"
                          "%y = inlay.softmax %a : (tensor<2x19xf32>) -> "
                          "tensor<2x19xf32>\n"
                          "return %y : tensor<2x19xf32>\n}",
                          input);
  for (int64_t i = 1; i < 19; ++i) {
    double expected = std::exp(input.getDouble(i));
    if (expected < 0x1p-126)
      EXPECT_EQ(result.getDouble(i), 0) << input.getDouble(i);
    else
      EXPECT_NEAR(result.getDouble(i) / expected, 1, 1e-6);
  }
  for (int64_t i = 19; i < 38; ++i)
    EXPECT_TRUE(std::isnan(result.getDouble(i)));
}

// The maximum of each row is taken away from a column, so that powers may be
// infinite.
TEST(RowCode, PowersBesideAnotherMaximum) {
  HostTensor input(ElementType::Float, {2, 2});
  for (int64_t i = 0; i < 4; ++i)
    input.setDouble(i, i < 2 ? 0 : 200);
  HostTensor result = run("func.func @main(%a: tensor<2x2xf32>) -> "
                          "tensor<2x2xf32> {\n"
                          "%0 = inlay.reduce_max %a {axes = array<i64: 1>, "
                          "keepdims = 0 : i64} : (tensor<2x2xf32>) -> "
                          "tensor<2xf32>\n"
                          "%1 = inlay.sub %a, %0 : (tensor<2x2xf32>, "
                          "tensor<2xf32>) -> tensor<2x2xf32>\n"
                          "%y = inlay.exp %1 : (tensor<2x2xf32>) -> "
                          "tensor<2x2xf32>\n"
                          "return %y : tensor<2x2xf32>\n}",
                          input);
  const double expected[] = {1, 0, std::numeric_limits<double>::infinity(), 1};
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_EQ(result.getDouble(i), expected[i]) << i;
}

/// How many operations of a kind, on vectors, the code of the only step has.
template <typename OpT> static unsigned countInCode(llvm::StringRef body) {
  ParsedModule module(
      ("func.func @main(%a: tensor<4x64xf32>) -> tensor<4x64xf32> {\n" + body +
       "\nreturn %y : tensor<4x64xf32>\n}")
          .str());
  registerElementCode(*module.get().getContext());
  mlir::OwningOpRef<mlir::ModuleOp> code =
      mlir::ModuleOp::create(module.get().getLoc());
  mlir::Operation &step = module.getGraph().getBody().front().front();
  EXPECT_TRUE(emitKernel(&step, *code, "kernel", {})) << body.str();
  unsigned count = 0;
  code->walk([&](OpT op) {
    count += isa<mlir::VectorType>(op->getResult(0).getType());
  });
  return count;
}

/// exp(x - shift) over its sum, step by step.
static std::string spellSoftmax(llvm::StringRef shift) {
  return llvm::formatv(
      "%y = inlay.group \"cpu\" \"k\" cluster : tensor<4x64xf32> {\n"
      "%0 = inlay.{0} %a {{axes = array<i64: 1>} : (tensor<4x64xf32>) -> "
      "tensor<4x1xf32>\n"
      "%1 = inlay.sub %a, %0 : (tensor<4x64xf32>, tensor<4x1xf32>) -> "
      "tensor<4x64xf32>\n"
      "%2 = inlay.exp %1 : (tensor<4x64xf32>) -> tensor<4x64xf32>\n"
      "%3 = inlay.reduce_sum %2 {{axes = array<i64: 1>} : (tensor<4x64xf32>) "
      "-> tensor<4x1xf32>\n"
      "%4 = inlay.div %2, %3 : (tensor<4x64xf32>, tensor<4x1xf32>) -> "
      "tensor<4x64xf32>\n"
      // Something that has to be expanded.
      "%5 = inlay.rms_normalization %4, %4 : (tensor<4x64xf32>, "
      "tensor<4x64xf32>) -> tensor<4x64xf32>\n"
      "inlay.yield %5 : tensor<4x64xf32>\n}",
      shift);
}

TEST(RowCode, DividesOnceForARow) {
  EXPECT_EQ(countInCode<mlir::arith::DivFOp>(
                "%y = inlay.softmax %a : (tensor<4x64xf32>) -> "
                "tensor<4x64xf32>"),
            0u);
  EXPECT_EQ(countInCode<mlir::arith::DivFOp>(spellSoftmax("reduce_max")), 0u);
  // A sum that may be so small that it has no reciprocal.
  EXPECT_GT(countInCode<mlir::arith::DivFOp>(spellSoftmax("reduce_mean")), 0u);
}

// One that is no number makes its row such, wherever it is.
TEST(RowCode, KeepsNanInSoftmax) {
  for (int64_t place : {0, 20, 36})
    for (llvm::StringRef op : {"softmax", "log_softmax"}) {
      HostTensor input(ElementType::Float, {3, 37});
      for (int64_t i = 0; i < 3 * 37; ++i)
        input.setDouble(i, i == 37 + place ? std::nan("") : double(i % 7));
      HostTensor result = run("func.func @main(%a: tensor<3x37xf32>) -> "
                              "tensor<3x37xf32> {\n%y = inlay." +
                                  op.str() +
                                  " %a : (tensor<3x37xf32>) -> "
                                  "tensor<3x37xf32>\n"
                                  "return %y : tensor<3x37xf32>\n}",
                              input);
      for (int64_t i = 0; i < 3 * 37; ++i)
        EXPECT_EQ(std::isnan(result.getDouble(i)), i / 37 == 1)
            << op.str() << ", " << place << ": " << i;
    }
}

// Where everything is divided by the sum, that alone is no number.
TEST(RowCode, LeavesNanToTheSumOfSoftmax) {
  using mlir::arith::MaximumFOp, mlir::arith::MaxNumFOp;
  const std::string whole = spellSoftmax("reduce_max");
  EXPECT_EQ(countInCode<MaximumFOp>(whole), 0u);
  EXPECT_GT(countInCode<MaxNumFOp>(whole), 0u);
  // A power that the sum is added to, and differences.
  std::string added = whole;
  llvm::StringRef quotient = "inlay.div %2, %3";
  added.replace(added.find(quotient), quotient.size(), "inlay.add %2, %3");
  EXPECT_GT(countInCode<MaximumFOp>(added), 0u);
  EXPECT_EQ(countInCode<MaxNumFOp>(added), 0u);
  EXPECT_EQ(countInCode<MaxNumFOp>(
                "%y = inlay.log_softmax %a : (tensor<4x64xf32>) -> "
                "tensor<4x64xf32>"),
            0u);
}

// There is no code for what has no known rank; nothing is asked of its type.
/// How often code asks for what is ahead, for rows of 512.
static size_t countAsked(llvm::StringRef op, int64_t rows, int64_t ahead) {
  VectorUnit unit;
  unit.elementsAhead = ahead;
  std::string type = llvm::formatv("{0}x512xf32", rows);
  std::string code =
      getCode({type, type},
              llvm::formatv("%y = inlay.{0} %a : (tensor<{1}>) -> tensor<{1}>",
                            op, type)
                  .str(),
              unit);
  return llvm::StringRef(code).count("llvm.intr.prefetch");
}

// The next row once, in the pass with the powers; elements where they are read
// and written. What is small is in a cache, and not all machines were measured.
TEST(RowCode, AsksForWhatIsAhead) {
  EXPECT_EQ(countAsked("softmax", 512, 256), 1u);
  EXPECT_EQ(countAsked("gelu", 512, 256), 2u);
  for (llvm::StringRef op : {"softmax", "gelu"}) {
    EXPECT_EQ(countAsked(op, 16, 256), 0u);
    EXPECT_EQ(countAsked(op, 512, 0), 0u);
  }
}

TEST(RowCode, LeavesDivisorsOfUnknownRank) {
  ParsedModule module("func.func @main(%a: tensor<*xf64>) -> tensor<*xf64> {\n"
                      "%y = inlay.swish %a : (tensor<*xf64>) -> tensor<*xf64>\n"
                      "return %y : tensor<*xf64>\n}");
  registerElementCode(*module.get().getContext());
  mlir::OwningOpRef<mlir::ModuleOp> code =
      mlir::ModuleOp::create(module.get().getLoc());
  mlir::Operation &step = module.getGraph().getBody().front().front();
  EXPECT_FALSE(emitKernel(&step, *code, "kernel", {}));
}

// An Add behind a Mul rounds twice; inside of an operator nobody asked for it.
TEST(RowCode, FusesProductsOfOperators) {
  EXPECT_GT(countInCode<mlir::math::FmaOp>(
                "%y = inlay.mean_variance_normalization %a {axes = "
                "array<i64: 1>} : (tensor<4x64xf32>) -> tensor<4x64xf32>"),
            0u);
  llvm::StringRef body =
      "%y = inlay.group \"cpu\" \"k\" cluster : tensor<4x64xf32> {\n"
      "%0 = inlay.mul %a, %a : (tensor<4x64xf32>, tensor<4x64xf32>) -> "
      "tensor<4x64xf32>\n"
      "%1 = inlay.reduce_sum %0 {axes = array<i64: 1>} : (tensor<4x64xf32>) -> "
      "tensor<4x1xf32>\n"
      "%2 = inlay.add %0, %1 : (tensor<4x64xf32>, tensor<4x1xf32>) -> "
      "tensor<4x64xf32>\n"
      "inlay.yield %2 : tensor<4x64xf32>\n}";
  EXPECT_EQ(countInCode<mlir::math::FmaOp>(body), 0u);
}

TEST(RowCode, Normalizes) {
  EXPECT_EQ(checkModerate({"3x5x37xf32", "37xf32", "37xf32", "3x5x37xf32"},
                          "%y, %m, %v = inlay.layer_normalization %a, %b, %c : "
                          "(tensor<3x5x37xf32>, tensor<37xf32>, "
                          "tensor<37xf32>) -> (tensor<3x5x37xf32>, "
                          "tensor<3x5x1xf32>, tensor<3x5x1xf32>)",
                          tolerance),
            1u);
  EXPECT_EQ(checkModerate({"3x37xf32", "37xf32", "3x37xf32"},
                          "%y = inlay.rms_normalization %a, %b : "
                          "(tensor<3x37xf32>, tensor<37xf32>) -> "
                          "tensor<3x37xf32>",
                          tolerance),
            1u);
  EXPECT_EQ(checkModerate({"2x6x5x7xf32", "6xf32", "6xf32", "2x6x5x7xf32"},
                          "%y = inlay.instance_normalization %a, %b, %c : "
                          "(tensor<2x6x5x7xf32>, tensor<6xf32>, "
                          "tensor<6xf32>) -> tensor<2x6x5x7xf32>",
                          tolerance),
            1u);
  EXPECT_EQ(checkModerate({"2x6x5x7xf32", "6xf32", "6xf32", "2x6x5x7xf32"},
                          "%y = inlay.group_normalization %a, %b, %c "
                          "{num_groups = 3 : i64} : (tensor<2x6x5x7xf32>, "
                          "tensor<6xf32>, tensor<6xf32>) -> "
                          "tensor<2x6x5x7xf32>",
                          tolerance),
            1u);
}

TEST(RowCode, PoolsAll) {
  for (llvm::StringRef op : {"global_average_pool", "global_max_pool"}) {
    EXPECT_EQ(checkRow(op, "2x17x5x7xf32", "2x17x1x1xf32", ""), 1u);
    // Channels last: vectors lie across rows.
    std::string body =
        "%y = inlay.in_layout \"nhwc\" \"Pool\"(%a) layouts [\"NHWC\", "
        "\"NHWC\"] : (tensor<2x5x7x17xf32>) -> tensor<2x1x1x17xf32> {\n"
        "^bb0(%x: tensor<2x5x7x17xf32>):\n"
        "%0 = inlay.transpose %x {perm = array<i64: 0, 3, 1, 2>} : "
        "(tensor<2x5x7x17xf32>) -> tensor<2x17x5x7xf32>\n"
        "%1 = inlay." +
        op.str() +
        " %0 : (tensor<2x17x5x7xf32>) -> tensor<2x17x1x1xf32>\n"
        "%2 = inlay.transpose %1 {perm = array<i64: 0, 2, 3, 1>} : "
        "(tensor<2x17x1x1xf32>) -> tensor<2x1x1x17xf32>\n"
        "inlay.yield %2 : tensor<2x1x1x17xf32>\n}";
    EXPECT_EQ(checkModerate({"2x5x7x17xf32", "2x1x1x17xf32"}, body, tolerance),
              1u);
  }
}

// What is computed before, between and behind, and where it is written.
TEST(RowCode, ComputesKernels) {
  EXPECT_EQ(
      checkModerate(
          {"2x14x32xf32", "32xf32", "2x2x7x32xf32"},
          "%0, %y = inlay.group \"cpu\" \"k\" cluster : "
          "tensor<2x14x1xf32>, tensor<2x2x7x32xf32> {\n"
          "%1 = inlay.add %a, %b : (tensor<2x14x32xf32>, tensor<32xf32>) -> "
          "tensor<2x14x32xf32>\n"
          "%2 = inlay.reduce_mean %1 {axes = array<i64: -1>} : "
          "(tensor<2x14x32xf32>) -> tensor<2x14x1xf32>\n"
          "%3 = inlay.sub %1, %2 : (tensor<2x14x32xf32>, tensor<2x14x1xf32>) "
          "-> tensor<2x14x32xf32>\n"
          "%4 = inlay.reshape %3 {shape = array<i64: 2, 7, 2, 32>} : "
          "(tensor<2x14x32xf32>) -> tensor<2x7x2x32xf32>\n"
          "%5 = inlay.transpose %4 {perm = array<i64: 0, 2, 1, 3>} : "
          "(tensor<2x7x2x32xf32>) -> tensor<2x2x7x32xf32>\n"
          "inlay.yield %2, %5 : tensor<2x14x1xf32>, tensor<2x2x7x32xf32>\n}",
          tolerance),
      1u);
}

// Parts of a tensor that change places, in front of what is expanded.
TEST(RowCode, NormalisesMovedParts) {
  EXPECT_EQ(
      checkModerate(
          {"9x24xf32", "24xf32", "24xf32", "9x24xf32"},
          "%y = inlay.group \"cpu\" \"k\" cluster : "
          "tensor<9x24xf32> {\n"
          "%0 = inlay.slice %a {starts = array<i64: 0>, ends = array<i64: 4>, "
          "axes = array<i64: 0>} : (tensor<9x24xf32>) -> tensor<4x24xf32>\n"
          "%1 = inlay.slice %a {starts = array<i64: 4>, ends = array<i64: 9>, "
          "axes = array<i64: 0>} : (tensor<9x24xf32>) -> tensor<5x24xf32>\n"
          "%2 = inlay.concat %1, %0 {axis = 0 : i64} : (tensor<5x24xf32>, "
          "tensor<4x24xf32>) -> tensor<9x24xf32>\n"
          "%3, %4, %5 = inlay.layer_normalization %2, %b, %c : "
          "(tensor<9x24xf32>, tensor<24xf32>, tensor<24xf32>) -> "
          "(tensor<9x24xf32>, tensor<9x1xf32>, tensor<9x1xf32>)\n"
          "inlay.yield %3 : tensor<9x24xf32>\n}",
          tolerance),
      1u);
}

// Rows of different dimensions are no single loop.
TEST(RowCode, LeavesTheRest) {
  EXPECT_EQ(checkModerate({"4x8xf32", "1x1xf32"},
                          "%y = inlay.group \"cpu\" \"k\" cluster : "
                          "tensor<1x1xf32> {\n"
                          "%0 = inlay.reduce_sum %a {axes = array<i64: 1>} : "
                          "(tensor<4x8xf32>) -> tensor<4x1xf32>\n"
                          "%1 = inlay.reduce_max %0 {axes = array<i64: 0>} : "
                          "(tensor<4x1xf32>) -> tensor<1x1xf32>\n"
                          "inlay.yield %1 : tensor<1x1xf32>\n}",
                          tolerance),
            0u);
  EXPECT_EQ(
      checkRow("reduce_sum", "4x0xf32", "4x1xf32", "{axes = array<i64: 1>}"),
      0u);
}
