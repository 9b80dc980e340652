//===- QuantizedCodeTest.cpp - Products of quantised tensors as code ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeTesting.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace inlay;
using namespace inlay::testing;

static std::string tensorOf(llvm::StringRef type) {
  return "tensor<" + type.str() + ">";
}

static constexpr std::pair<const char *, const char *> mixtures[] = {
    {"ui8", "ui8"}, {"ui8", "i8"}, {"i8", "ui8"}, {"i8", "i8"}};

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Integers of 32 bits, which wrap.
TEST(QuantizedCode, MultipliesWideIntegers) {
  for (int m : {1, 29})
    for (int n : {1, 19})
      for (int k : {1, 31}) {
        std::string a = llvm::formatv("{0}x{1}xi32", m, k),
                    b = llvm::formatv("{0}x{1}xi32", k, n),
                    y = llvm::formatv("{0}x{1}xi32", m, n);
        std::string body =
            "%c = inlay.constant dense<123456789> : tensor<i32>\n"
            "%l = inlay.mul %a, %c : (" +
            tensorOf(a) + ", tensor<i32>) -> " + tensorOf(a) +
            "\n%y = inlay.matmul %l, %b : (" + tensorOf(a) + ", " +
            tensorOf(b) + ") -> " + tensorOf(y);
        EXPECT_EQ(check({a, b, y}, body), 2u) << body;
      }
  // Others have no code: sums wrap where the type ends.
  EXPECT_EQ(check({"3x5xi64", "5x4xi64", "3x4xi64"},
                  "%y = inlay.matmul %a, %b : (tensor<3x5xi64>, "
                  "tensor<5x4xi64>) -> tensor<3x4xi64>"),
            0u);
}

/// A product with zero points of shapes `za` and `zb`, or none.
static unsigned checkMatMul(llvm::StringRef a, llvm::StringRef b,
                            llvm::StringRef y, llvm::StringRef left,
                            llvm::StringRef right,
                            std::optional<llvm::StringRef> za,
                            std::optional<llvm::StringRef> zb) {
  std::string own[] = {(a + left).str(), (b + right).str(),
                       (za.value_or("") + left).str(),
                       (zb.value_or("") + right).str()};
  std::string body = "%y = inlay.matmul_integer %a, %b";
  std::string types = tensorOf(own[0]) + ", " + tensorOf(own[1]);
  if (za) {
    body += " a_zero_point %c";
    types += ", " + tensorOf(own[2]);
  }
  if (zb) {
    body += " b_zero_point %d";
    types += ", " + tensorOf(own[3]);
  }
  std::string result = (y + "i32").str();
  body += " : (" + types + ") -> " + tensorOf(result);
  return check({own[0], own[1], own[2], own[3], result}, body);
}

TEST(QuantizedCode, MultipliesIntegers) {
  for (auto [left, right] : mixtures)
    EXPECT_EQ(checkMatMul("2x5x7x", "7x9x", "2x5x9x", left, right, "5x", "9x"),
              1u);
  using Shape = std::optional<llvm::StringRef>;
  for (auto [za, zb] : {std::pair(Shape(), Shape()),
                        {"", ""},
                        {"1x", Shape()},
                        {Shape(), "9x"},
                        {"5x1x", "1x9x"},
                        {"2x5x1x", "2x1x9x"}})
    EXPECT_EQ(checkMatMul("2x5x7x", "2x7x9x", "2x5x9x", "ui8", "i8", za, zb),
              1u);
  EXPECT_EQ(checkMatMul("1x1x", "1x1x", "1x1x", "ui8", "i8", "", ""), 1u);
  // There is no template for vectors, and nothing sums nothing.
  EXPECT_EQ(checkMatMul("7x", "7x9x", "9x", "ui8", "i8", "", ""), 0u);
  EXPECT_EQ(checkMatMul("5x0x", "0x9x", "5x9x", "ui8", "i8", "", ""), 0u);
}

/// Around the data there are zero points: zeros when they are taken away.
TEST(QuantizedCode, ConvolvesIntegers) {
  auto checkConv = [](llvm::StringRef x, llvm::StringRef w, llvm::StringRef y,
                      llvm::StringRef left, llvm::StringRef right,
                      llvm::StringRef zw, llvm::StringRef attributes) {
    std::string own[] = {(x + left).str(), (w + right).str(), left.str(),
                         (zw + right).str()};
    std::string body =
        "%y = inlay.conv_integer %a, %b x_zero_point %c w_zero_point %d " +
        attributes.str() + " : (";
    for (const std::string &type : own)
      body += (&type == own ? "" : ", ") + tensorOf(type);
    std::string result = (y + "i32").str();
    body += ") -> " + tensorOf(result);
    EXPECT_EQ(check({own[0], own[1], own[2], own[3], result}, body), 1u)
        << body;
  };
  for (auto [left, right] : mixtures)
    for (llvm::StringRef zero : {"", "6x"}) {
      checkConv("2x3x9x8x", "6x3x3x2x", "2x6x5x5x", left, right, zero,
                "{pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}");
      // Single channels are windows.
      checkConv("1x3x9x19x", "6x1x3x3x", "1x6x9x19x", left, right, zero,
                "{group = 3 : i64, pads = array<i64: 1, 1, 1, 1>}");
    }
  checkConv("1x4x7x", "6x2x3x", "1x6x5x", "ui8", "i8", "1x",
            "{group = 2 : i64}");
  checkConv("1x2x4x5x6x", "6x2x2x3x3x", "1x6x3x5x4x", "ui8", "i8", "6x",
            "{pads = array<i64: 0, 1, 0, 0, 1, 0>}");
}

//===----------------------------------------------------------------------===//
// Integers of a scale
//===----------------------------------------------------------------------===//

namespace {
/// A quantised operand: its type, and the shapes of its scale and zero point.
struct Quantised {
  std::string shape, element, scale = "", zeroPoint = "";

  std::string getType() const { return shape + element; }
  std::string getScale() const { return scale + "f32"; }
  std::string getZeroPoint() const { return zeroPoint + element; }
};
} // namespace

/// The steps with code of an operator on these operands. Scales are positive,
/// as those of models are, and that of the result is large enough for most not
/// to be out of range: a step of its own for each makes them so.
static unsigned checkQuantised(llvm::StringRef op, const Quantised &a,
                               const Quantised &b, const Quantised &y,
                               llvm::StringRef attributes = "",
                               llvm::StringRef bias = "") {
  llvm::SmallVector<std::string> types, tensors;
  auto add = [&](const std::string &type) {
    types.push_back(type);
    tensors.push_back(tensorOf(type));
    return std::string(1, char('a' + types.size() - 1));
  };
  std::string scales = "%k = inlay.constant dense<64.0> : tensor<f32>\n",
              operands;
  for (const Quantised *own : {&a, &b, &y}) {
    operands += own == &y ? "to " : "%" + add(own->getType()) + " ";
    std::string scale = add(own->getScale()), zero = add(own->getZeroPoint());
    std::string type = tensorOf(own->getScale());
    scales += "%own_" + scale + " = inlay." +
              (own == &y ? "add %" + scale + ", %k : (" + type + ", tensor<f32>"
                         : "abs %" + scale + " : (" + type) +
              ") -> " + type + "\n";
    operands += "scale %own_" + scale + " zero_point %" + zero;
    operands += own == &y ? "" : ", ";
  }
  if (!bias.empty())
    operands += ", bias %" + add(bias.str());
  std::string body = scales + "%y = inlay." + op.str() + " " + operands + " " +
                     attributes.str() + " : (" + llvm::join(tensors, ", ") +
                     ") -> " + tensorOf(y.getType());
  types.push_back(y.getType());
  llvm::SmallVector<llvm::StringRef> all(types.begin(), types.end());
  static constexpr unsigned numScales = 3;
  return checkModerate(all, body, 0) - numScales;
}

TEST(QuantizedCode, MultipliesByScales) {
  for (auto [left, right] : mixtures)
    EXPECT_EQ(checkQuantised("qlinear_matmul", {"5x7x", left, "5x", "5x"},
                             {"7x9x", right, "9x", "9x"},
                             {"5x9x", left, "5x", "5x"}),
              1u);
  EXPECT_EQ(checkQuantised("qlinear_matmul", {"5x7x", "ui8"}, {"7x9x", "i8"},
                           {"5x9x", "i8"}),
            1u);
  EXPECT_EQ(checkQuantised("qlinear_matmul", {"2x5x7x", "i8", "1x", "1x"},
                           {"2x7x9x", "i8", "2x1x9x", "2x1x9x"},
                           {"2x5x9x", "ui8", "1x", "1x"}),
            1u);
}

TEST(QuantizedCode, ConvolvesByScales) {
  auto checkBoth = [](const char *left, const char *right, const char *per,
                      const char *bias) {
    EXPECT_EQ(checkQuantised("qlinear_conv", {"2x3x9x8x", left},
                             {"6x3x3x2x", right, per, per}, {"2x6x5x5x", left},
                             "{pads = array<i64: 1, 1, 1, 1>, strides = "
                             "array<i64: 2, 2>}",
                             bias),
              1u);
    EXPECT_EQ(checkQuantised(
                  "qlinear_conv", {"1x3x9x19x", left},
                  {"6x1x3x3x", right, per, per}, {"1x6x9x19x", right},
                  "{group = 3 : i64, pads = array<i64: 1, 1, 1, 1>}", bias),
              1u);
  };
  for (auto [left, right] : mixtures)
    checkBoth(left, right, "6x", "6xi32");
  for (const char *per : {"", "1x", "6x"})
    checkBoth("ui8", "i8", per, "");
}

/// As many products as fit 32 bits whatever they are, and one more.
TEST(QuantizedCode, LeavesLongSumsAlone) {
  for (auto [depth, expected] : {std::pair(33025, 1u), std::pair(33026, 0u)}) {
    std::string k = std::to_string(depth) + "x";
    EXPECT_EQ(checkQuantised("qlinear_matmul", {"2x" + k, "ui8"},
                             {k + "3x", "i8"}, {"2x3x", "ui8"}),
              expected);
  }
}
