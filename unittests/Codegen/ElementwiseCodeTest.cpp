//===- ElementwiseCodeTest.cpp - Elementwise operators as code ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeTesting.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace inlay;
using namespace inlay::testing;

static unsigned checkUnary(llvm::StringRef op, llvm::StringRef type,
                           llvm::StringRef attributes = "",
                           double tolerance = 0) {
  std::string body = ("%y = inlay." + op + " %a " + attributes + " : (tensor<" +
                      type + ">) -> tensor<" + type + ">")
                         .str();
  return check({type, type}, body, tolerance);
}

static unsigned checkBinary(llvm::StringRef op, llvm::StringRef a,
                            llvm::StringRef b, llvm::StringRef result) {
  return check({a, b, result},
               ("%y = inlay." + op + " %a, %b : (tensor<" + a + ">, tensor<" +
                b + ">) -> tensor<" + result + ">")
                   .str());
}

TEST(ElementwiseCode, ComputesOfOneOperandWhatTheExecutorDoes) {
  for (llvm::StringRef op :
       {"abs", "neg", "floor", "ceil", "round", "sqrt", "reciprocal", "relu"})
    for (llvm::StringRef type : {"101xf32", "3x7xf64"})
      EXPECT_EQ(checkUnary(op, type), 1u) << op.str() << " of " << type.str();
  EXPECT_EQ(checkUnary("leaky_relu", "101xf32", "{alpha = 0.3 : f32}"), 1u);
  for (llvm::StringRef type : {"101xf32", "101xf64"})
    for (llvm::StringRef op : {"sign", "sin", "cos"})
      EXPECT_EQ(checkUnary(op, type, "", 8 * 0x1p-24), 1u) << op.str();
  EXPECT_EQ(checkUnary("exp", "16xf64", "", 0x1p-50), 1u);
  EXPECT_EQ(check({"77xf32", "77xf32"}, "%y = inlay.clip %a : "
                                        "(tensor<77xf32>) -> tensor<77xf32>"),
            1u);
  for (llvm::StringRef op : {"is_nan", "is_inf"})
    EXPECT_EQ(
        check({"77xf32", "77xi1"},
              ("%y = inlay." + op + " %a : (tensor<77xf32>) -> tensor<77xi1>")
                  .str()),
        1u);
  EXPECT_EQ(checkUnary("not", "37xi1"), 1u);
  EXPECT_EQ(checkUnary("neg", "37xi32"), 1u);
  EXPECT_EQ(checkUnary("relu", "37xi8"), 1u);
}

/// Several roundings where the executor has one.
TEST(ElementwiseCode, ComputesActivations) {
  for (auto [op, attributes] :
       {std::pair("swish", "{alpha = 1.7 : f32}"), std::pair("elu", ""),
        std::pair("hard_sigmoid", ""), std::pair("hard_swish", ""),
        std::pair("gelu", ""), std::pair("gelu", "{approximate = \"tanh\"}")})
    EXPECT_EQ(checkUnary(op, "203xf32", attributes, 8 * 0x1p-24), 1u) << op;
}

// A bool tells whether it is zero, however small it is.
TEST(ElementwiseCode, KeepsSmallResultsFromZero) {
  for (llvm::StringRef op : {"mish", "softplus"})
    for (llvm::StringRef type : {"67xf32", "67xf64"}) {
      std::string own = ("tensor<" + type + ">").str();
      EXPECT_EQ(checkModerate(
                    {type, "67xi1"},
                    "%c = inlay.constant dense<-50.0> : " + own +
                        "\n%y = inlay.group \"cpu\" \"k\" cluster "
                        ": tensor<67xi1> {\n%x = inlay.add %a, %c : (" +
                        own + ", " + own + ") -> " + own + "\n%s = inlay." +
                        op.str() + " %x : (" + own + ") -> " + own +
                        "\n%z = inlay.cast %s {to = 9 : i64} : (" + own +
                        ") -> tensor<67xi1>\ninlay.yield %z : tensor<67xi1>\n}",
                    /*tolerance=*/0),
                1u)
          << op.str() << " of " << type.str();
    }
}

TEST(ElementwiseCode, ComputesOfTwoOperandsWhatTheExecutorDoes) {
  for (llvm::StringRef op : {"add", "sub", "mul", "div", "max", "min", "prelu"})
    for (llvm::StringRef type : {"101xf32", "3x7xf64"})
      EXPECT_EQ(checkBinary(op, type, type, type), 1u)
          << op.str() << " of " << type.str();
  for (llvm::StringRef op : {"add", "sub", "mul", "max", "min"})
    for (llvm::StringRef type :
         {"19xi8", "19xui8", "19xi16", "19xui32", "19xi64"})
      EXPECT_EQ(checkBinary(op, type, type, type), 1u)
          << op.str() << " of " << type.str();
  for (llvm::StringRef op :
       {"equal", "less", "less_or_equal", "greater", "greater_or_equal"})
    for (llvm::StringRef type : {"f32", "f64", "i8", "ui8", "i64"})
      EXPECT_EQ(
          checkBinary(op, ("43x" + type).str(), ("43x" + type).str(), "43xi1"),
          1u)
          << op.str() << " of " << type.str();
  for (llvm::StringRef op : {"and", "or", "xor"})
    EXPECT_EQ(checkBinary(op, "43xi1", "43xi1", "43xi1"), 1u) << op.str();
}

// One rounding from f32 is the same as one from f64.
TEST(ElementwiseCode, ComputesNarrowFloats) {
  for (llvm::StringRef type : {"37xf16", "37xbf16"}) {
    for (llvm::StringRef op : {"add", "sub", "mul", "div", "max"})
      EXPECT_EQ(checkBinary(op, type, type, type), 1u) << op.str();
    for (llvm::StringRef op : {"sqrt", "neg", "floor", "relu"})
      EXPECT_EQ(checkUnary(op, type), 1u) << op.str();
  }
}

// Zero and the least number are among the operands.
TEST(ElementwiseCode, DividesIntegers) {
  for (llvm::StringRef type : {"601xi8", "601xui8", "601xi16", "601xi32",
                               "601xui32", "601xi64", "601xui64"}) {
    EXPECT_EQ(checkBinary("div", type, type, type), 1u) << type.str();
    for (llvm::StringRef fmod : {"", " {fmod = 1 : i64}"})
      EXPECT_EQ(check({type, type, type},
                      ("%y = inlay.mod %a, %b" + fmod + " : (tensor<" + type +
                       ">, tensor<" + type + ">) -> tensor<" + type + ">")
                          .str()),
                1u)
          << type.str();
    EXPECT_EQ(checkUnary("abs", type), 1u) << type.str();
    EXPECT_EQ(checkUnary("sign", type), 1u) << type.str();
    EXPECT_EQ(checkUnary("bitwise_not", type), 1u) << type.str();
  }
  EXPECT_EQ(check({"91xf32", "91xf32", "91xf32"},
                  "%y = inlay.mod %a, %b {fmod = 1 : i64} : (tensor<91xf32>, "
                  "tensor<91xf32>) -> tensor<91xf32>"),
            1u);
  for (llvm::StringRef direction : {"LEFT", "RIGHT"})
    EXPECT_EQ(check({"601xui8", "601xui8", "601xui8"},
                    ("%y = inlay.bit_shift %a, %b {direction = \"" + direction +
                     "\"} : (tensor<601xui8>, tensor<601xui8>) -> "
                     "tensor<601xui8>")
                        .str()),
              1u);
}

/// The number that ONNX has for an element type.
static std::string getNumber(llvm::StringRef type) {
  return llvm::StringSwitch<std::string>(type)
      .Case("f32", "1")
      .Case("ui8", "2")
      .Case("i8", "3")
      .Case("i32", "6")
      .Case("i64", "7")
      .Case("i1", "9")
      .Case("f16", "10")
      .Case("f64", "11")
      .Case("ui32", "12")
      .Case("ui64", "13")
      .Default("16");
}

TEST(ElementwiseCode, Casts) {
  llvm::StringRef types[] = {"f32", "ui8", "i8",   "i32",  "i64", "i1",
                             "f16", "f64", "ui32", "ui64", "bf16"};
  for (llvm::StringRef from : types)
    for (llvm::StringRef to : types) {
      bool isNarrow = to == "f16" || to == "bf16";
      unsigned expected = isNarrow && from.ends_with("i64") ? 0 : 1;
      std::string a = "101x" + from.str(), y = "101x" + to.str();
      EXPECT_EQ(check({a, y}, "%y = inlay.cast %a {to = " + getNumber(to) +
                                  " : i64} : (tensor<" + a + ">) -> tensor<" +
                                  y + ">"),
                expected)
          << from.str() << " to " << to.str();
    }
}

// A second rounding would take the even one of two neighbours.
TEST(ElementwiseCode, RoundsOnce) {
  for (llvm::StringRef number :
       {"1.00048828125931322574615478515625",
        "-1.00048828124906867742538452148", "65519.99999999999",
        "2.98023223876953161e-8", "1.0e300", "3.4e38"})
    for (auto [to, type] : {std::pair("10", "f16"), std::pair("16", "bf16")})
      EXPECT_EQ(
          check({"f64", std::string("5x") + type},
                ("%0 = inlay.constant dense<" + number +
                 "> : tensor<5xf64>\n%1 = inlay.add %a, %0 : "
                 "(tensor<f64>, tensor<5xf64>) -> tensor<5xf64>\n"
                 "%y = inlay.cast %1 {to = " +
                 to + " : i64} : (tensor<5xf64>) -> tensor<5x" + type + ">")
                    .str()),
          2u)
          << number.str() << " as " << type;
}

TEST(ElementwiseCode, Quantizes) {
  for (llvm::StringRef type : {"ui8", "i8", "ui16", "i16"})
    for (llvm::StringRef scale : {"", "3x"}) {
      std::string y = "2x3x41x" + type.str(), s = scale.str() + "f32",
                  z = scale.str() + type.str();
      EXPECT_EQ(check({"2x3x41xf32", s, z, y},
                      "%y = inlay.quantize_linear %a, %b, %c : "
                      "(tensor<2x3x41xf32>, tensor<" +
                          s + ">, tensor<" + z + ">) -> tensor<" + y + ">"),
                1u)
          << y;
      EXPECT_EQ(check({y, s, z, "2x3x41xf32"},
                      "%y = inlay.dequantize_linear %a, %b, %c : (tensor<" + y +
                          ">, tensor<" + s + ">, tensor<" + z +
                          ">) -> tensor<2x3x41xf32>"),
                1u)
          << y;
    }
}

/// By a scale that code knows no quotient is computed, and each result is the
/// one of the quotient: halves of steps and numbers beside them, the ends of
/// the range, numbers that are far too large, and none. Of a scale that is too
/// small the quotient is computed.
TEST(ElementwiseCode, QuantizesByKnownScales) {
  auto toText = [](float number) {
    return llvm::formatv("\"0x{0}\"",
                         llvm::toHex(llvm::StringRef(
                             reinterpret_cast<const char *>(&number), 4)))
        .str();
  };
  for (float scale : {0.0037f, 0.0625f, 1.9999f, 1.7e-17f, 3e17f, 1e-30f})
    for (llvm::StringRef type : {"ui8", "i8", "i16"}) {
      std::vector<float> numbers = {INFINITY, -INFINITY, NAN,   -0.0f,
                                    3e38f,    -3e38f,    1e-40f};
      for (int step = -300; step <= 300; step += 7) {
        float half = float((step + 0.5) * scale);
        numbers.insert(numbers.end(), {half, std::nextafter(half, INFINITY),
                                       std::nextafter(half, -INFINITY)});
      }
      std::string bytes(reinterpret_cast<const char *>(numbers.data()),
                        numbers.size() * sizeof(float));
      std::string x = llvm::formatv("{0}xf32", numbers.size()),
                  y = llvm::formatv("{0}x{1}", numbers.size(), type);
      std::string body = llvm::formatv(
          "%x = inlay.constant dense<\"0x{0}\"> : tensor<{1}>\n"
          "%s = inlay.constant dense<{2}> : tensor<f32>\n"
          "%z = inlay.constant dense<{3}> : tensor<{4}>\n"
          "%n = inlay.where %a, %x, %x : (tensor<i1>, tensor<{1}>, "
          "tensor<{1}>) -> tensor<{1}>\n"
          "%y = inlay.quantize_linear %n, %s, %z : (tensor<{1}>, tensor<f32>, "
          "tensor<{4}>) -> tensor<{5}>",
          llvm::toHex(bytes), x, toText(scale), type == "ui8" ? 113 : -5, type,
          y);
      EXPECT_EQ(check({"i1", y}, body), 2u) << scale << " " << y;
      // And of numbers as they are.
      std::string alone = llvm::formatv(
          "%s = inlay.constant dense<{0}> : tensor<f32>\n"
          "%z = inlay.constant dense<0> : tensor<{1}>\n"
          "%y = inlay.quantize_linear %a, %s, %z : (tensor<3x41xf32>, "
          "tensor<f32>, tensor<{1}>) -> tensor<3x41x{1}>",
          toText(scale), type);
      EXPECT_EQ(check({"3x41xf32", "3x41x" + type.str()}, alone), 1u) << scale;
    }
}

TEST(ElementwiseCode, RepeatsOperands) {
  for (auto [a, b, result] :
       {std::tuple("2x3x17xf32", "17xf32", "2x3x17xf32"),
        std::tuple("2x3x17xf32", "3x1xf32", "2x3x17xf32"),
        std::tuple("2x1x17xf32", "1x5x1xf32", "2x5x17xf32"),
        std::tuple("5x1xf32", "1x5xf32", "5x5xf32"),
        std::tuple("f32", "33xf32", "33xf32"),
        std::tuple("f32", "1x1xf32", "1x1xf32"),
        std::tuple("4x1x3x1x9xf32", "3x8x1xf32", "4x1x3x8x9xf32")})
    EXPECT_EQ(checkBinary("sub", a, b, result), 1u) << a << " and " << b;
}

TEST(ElementwiseCode, TakesAllExtents) {
  for (unsigned extent : {0, 1, 2, 7, 8, 9, 15, 16, 17, 64}) {
    std::string type = std::to_string(extent) + "xf32";
    EXPECT_EQ(checkBinary("add", type, type, type), 1u) << extent;
    std::string rows = "3x" + type, row = "3x1xf32";
    EXPECT_EQ(checkBinary("mul", rows, row, rows), 1u) << extent;
  }
}

/// Code for rows that are multiplied by a number each.
static std::string getRowCode(int64_t rows, int64_t extent) {
  std::string count = std::to_string(rows) + "x",
              type = count + std::to_string(extent) + "xf32",
              column = count + "1xf32";
  return getCode({type, column, type},
                 "%y = inlay.mul %a, %b : (tensor<" + type + ">, tensor<" +
                     column + ">) -> tensor<" + type + ">",
                 {16, 32});
}

// Where it is known what a loop leaves over: 8 elements, 4, then single ones.
TEST(ElementwiseCode, EndsInNarrowerVectors) {
  auto has = [](llvm::StringRef code, llvm::StringRef type) {
    return code.contains((": " + type + "\n").str());
  };
  std::string known = getRowCode(3, 31), whole = getRowCode(3, 32),
              unknown = getRowCode(1, 31);
  for (llvm::StringRef type : {"vector<8xf32>", "vector<4xf32>"}) {
    EXPECT_TRUE(has(known, type)) << known;
    EXPECT_FALSE(has(whole, type)) << whole;
    // The outermost loop is run in parts.
    EXPECT_FALSE(has(unknown, type)) << unknown;
  }
  EXPECT_TRUE(has(unknown, "vector<16xf32>")) << unknown;
  EXPECT_TRUE(has(unknown, "f32")) << unknown;
  EXPECT_FALSE(has(whole, "f32")) << whole;
}

TEST(ElementwiseCode, Chooses) {
  EXPECT_EQ(check({"9x1xi1", "1x33xf32", "f32", "9x33xf32"},
                  "%y = inlay.where %a, %b, %c : (tensor<9x1xi1>, "
                  "tensor<1x33xf32>, tensor<f32>) -> tensor<9x33xf32>"),
            1u);
  EXPECT_EQ(check({"77xf32", "77xf32"},
                  "%l = inlay.constant dense<-1.5> : tensor<f32>\n"
                  "%h = inlay.constant dense<2.0> : tensor<f32>\n"
                  "%y = inlay.clip %a min %l max %h : (tensor<77xf32>, "
                  "tensor<f32>, tensor<f32>) -> tensor<77xf32>"),
            1u);
}

// Several operators are one loop, and its inner values have no memory.
TEST(ElementwiseCode, ComputesKernels) {
  EXPECT_EQ(check({"6x33xf32", "33xf32", "6x1xf32", "6x33xf32"},
                  "%y = inlay.group \"cpu\" \"k\" cluster : "
                  "tensor<6x33xf32> {\n"
                  "%0 = inlay.add %a, %b : (tensor<6x33xf32>, tensor<33xf32>) "
                  "-> tensor<6x33xf32>\n"
                  "%1 = inlay.relu %0 : (tensor<6x33xf32>) -> "
                  "tensor<6x33xf32>\n"
                  "%2 = inlay.abs %c : (tensor<6x1xf32>) -> tensor<6x1xf32>\n"
                  "%3 = inlay.mul %1, %2 : (tensor<6x33xf32>, "
                  "tensor<6x1xf32>) -> tensor<6x33xf32>\n"
                  "inlay.yield %3 : tensor<6x33xf32>\n}"),
            1u);
}

// Of the C library, which is not off by more than the next number.
TEST(ElementwiseCode, CallsFunctions) {
  for (llvm::StringRef op : {"tan", "asin", "acos", "atan", "sinh", "cosh",
                             "asinh", "acosh", "atanh"})
    for (llvm::StringRef type : {"101xf32", "33xf64", "33xf16"})
      EXPECT_EQ(checkUnary(op, type, "", 8 * 0x1p-24), 1u)
          << op.str() << " of " << type.str();
  for (llvm::StringRef op : {"tanh", "erf"})
    EXPECT_EQ(checkUnary(op, "33xf64", "", 0x1p-50), 1u) << op.str();
}

TEST(ElementwiseCode, ComputesPowers) {
  for (auto [base, exponent] :
       {std::pair("f32", "i32"), std::pair("f32", "ui64"),
        std::pair("f32", "f64"), std::pair("f16", "i64"),
        std::pair("i32", "f32"), std::pair("i64", "f32"),
        std::pair("ui8", "f64"), std::pair("i32", "i32"),
        std::pair("i64", "i64"), std::pair("i8", "i64"),
        std::pair("ui16", "i8"), std::pair("i32", "ui32"),
        std::pair("ui64", "ui64")})
    EXPECT_EQ(checkBinary("pow", std::string("67x") + base,
                          std::string("67x") + exponent,
                          std::string("67x") + base),
              1u)
        << base << " to the power of " << exponent;
}

// What the template does not have stays with the others.
TEST(ElementwiseCode, LeavesTheRest) {
  EXPECT_EQ(check({"16xi64", "16xbf16"},
                  "%y = inlay.cast %a {to = 16 : i64} : (tensor<16xi64>) -> "
                  "tensor<16xbf16>"),
            0u);
}
