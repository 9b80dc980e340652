//===- ContractionCodeTest.cpp - Products of matrices as code -------------===//
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

/// An operator of two operands.
static unsigned checkProduct(llvm::StringRef op, llvm::StringRef a,
                             llvm::StringRef b, llvm::StringRef result,
                             llvm::StringRef attributes = "") {
  return checkModerate({a, b, result},
                       ("%y = inlay." + op + " %a, %b " + attributes +
                        " : (tensor<" + a + ">, tensor<" + b + ">) -> tensor<" +
                        result + ">")
                           .str(),
                       8 * 0x1p-24);
}

/// Rows, columns and sums of one, of a few, and around what registers hold.
TEST(ContractionCode, ProductsOfAllSizes) {
  for (int m : {1, 6, 29})
    for (int n : {1, 3, 8, 15, 16, 17, 33})
      for (int k : {1, 2, 31}) {
        std::string a = llvm::formatv("{0}x{1}xf32", m, k);
        std::string b = llvm::formatv("{0}x{1}xf32", k, n);
        std::string y = llvm::formatv("{0}x{1}xf32", m, n);
        EXPECT_EQ(checkProduct("matmul", a, b, y), 1u) << a << " " << b;
      }
}

/// Sums that are computed in parts: one term in the last part, blocks that have
/// rows in common, several panels, columns that end inside of a tile, several
/// products, and what follows.
TEST(ContractionCode, SumsInParts) {
  for (auto [m, n, k] : {std::tuple(37, 75, 2300), std::tuple(3, 40, 1025),
                         std::tuple(300, 33, 1100), std::tuple(16, 500, 3072)})
    EXPECT_EQ(checkProduct("matmul", llvm::formatv("{0}x{1}xf32", m, k).str(),
                           llvm::formatv("{0}x{1}xf32", k, n).str(),
                           llvm::formatv("{0}x{1}xf32", m, n).str()),
              1u)
        << m << " " << n << " " << k;
  EXPECT_EQ(
      checkProduct("matmul", "3x17x1030xf32", "3x1030x20xf32", "3x17x20xf32"),
      1u);
  EXPECT_EQ(checkModerate({"29x1500xf32", "1500x48xf32", "29x48xf32"},
                          "%y = inlay.group \"cpu\" \"k\" cluster : "
                          "tensor<29x48xf32> {\n"
                          "%0 = inlay.matmul %a, %b : (tensor<29x1500xf32>, "
                          "tensor<1500x48xf32>) -> tensor<29x48xf32>\n"
                          "%1 = inlay.gelu %0 : (tensor<29x48xf32>) -> "
                          "tensor<29x48xf32>\n"
                          "inlay.yield %1 : tensor<29x48xf32>\n}",
                          8 * 0x1p-24),
            1u);
}

/// Rows that are packed: whole blocks and less, sums and columns that vectors
/// do not divide, and more columns than stay in a cache.
TEST(ContractionCode, PackedRows) {
  for (auto [m, k, n] : {std::tuple(6, 48, 96), std::tuple(12, 49, 97),
                         std::tuple(13, 50, 100), std::tuple(31, 51, 104),
                         std::tuple(200, 48, 98), std::tuple(30, 1024, 800)}) {
    std::string a = llvm::formatv("{0}x{1}xf32", m, k);
    std::string b = llvm::formatv("{0}x{1}xf32", k, n);
    std::string y = llvm::formatv("{0}x{1}xf32", m, n);
    EXPECT_EQ(checkProduct("matmul", a, b, y), 1u) << a << " " << b;
  }
  EXPECT_EQ(checkProduct("matmul", "3x7x52xf32", "3x52x99xf32", "3x7x99xf32"),
            1u);
  // Rows that lie side by side.
  for (int m : {6, 15, 40}) {
    std::string a = llvm::formatv("{0}x{1}xf32", 53, m);
    std::string y = llvm::formatv("{0}x{1}xf32", m, 96);
    EXPECT_EQ(checkProduct("gemm", a, "53x96xf32", y, "{transA = 1 : i64}"), 1u)
        << m;
  }
  // What is summed lies in two dimensions that were one.
  EXPECT_EQ(
      checkModerate({"4x16x20xf32", "64x96xf32", "20x96xf32", "20x96xf32"},
                    "%y = inlay.group \"cpu\" \"k\" cluster : "
                    "tensor<20x96xf32> {\n"
                    "%0 = inlay.reshape %a {shape = array<i64: 64, 20>} : "
                    "(tensor<4x16x20xf32>) -> tensor<64x20xf32>\n"
                    "%1 = inlay.gemm %0, %b {transA = 1 : i64} : "
                    "(tensor<64x20xf32>, tensor<64x96xf32>) -> "
                    "tensor<20x96xf32>\n"
                    "%2 = inlay.add %1, %c : (tensor<20x96xf32>, "
                    "tensor<20x96xf32>) -> tensor<20x96xf32>\n"
                    "inlay.yield %2 : tensor<20x96xf32>\n}",
                    8 * 0x1p-24),
      1u);
  EXPECT_EQ(
      checkProduct("conv", "1x16x9x9xf32", "100x16x3x3xf32", "1x100x5x5xf32",
                   "{pads = array<i64: 1, 1, 1, 1>, strides = "
                   "array<i64: 2, 2>}") +
          checkProduct("conv", "1x56x5x7xf32", "96x56x1x1xf32", "1x96x5x7xf32"),
      2u);
}

/// Rows that lie anywhere are packed as one line, and results are not where
/// the rows are.
TEST(ContractionCode, PacksUnevenRows) {
  for (auto [width, used] : {std::pair(14, 7), std::pair(26, 13)}) {
    std::string a = llvm::formatv("9x{0}x50xf32", width),
                taken = llvm::formatv("5x{0}x50xf32", used),
                y = llvm::formatv("5x{0}x97xf32", used);
    std::string body = llvm::formatv(
        "%y = inlay.group \"cpu\" \"k\" cluster : tensor<{2}> {{\n"
        "%0 = inlay.slice %a {{starts = array<i64: 0, 1>, ends = "
        "array<i64: 9, {3}>, axes = array<i64: 0, 1>, steps = "
        "array<i64: 2, 2>} : (tensor<{0}>) -> tensor<{1}>\n"
        "%1 = inlay.matmul %0, %b : (tensor<{1}>, tensor<50x97xf32>) -> "
        "tensor<{2}>\n"
        "%2 = inlay.add %1, %c : (tensor<{2}>, tensor<{2}>) -> tensor<{2}>\n"
        "inlay.yield %2 : tensor<{2}>\n}",
        a, taken, y, width);
    EXPECT_EQ(checkModerate({a, "50x97xf32", y, y}, body, 8 * 0x1p-24), 1u)
        << y;
  }
}

/// Long sums: fewer rows are packed at once, and of the longest none.
TEST(ContractionCode, PacksLongRows) {
  for (int k : {3750, 3751, 5000, 5001}) {
    std::string a = llvm::formatv("20x{0}xf32", k);
    std::string b = llvm::formatv("{0}x96xf32", k);
    EXPECT_EQ(checkProduct("matmul", a, b, "20x96xf32"), 1u) << k;
  }
  EXPECT_EQ(checkProduct("conv", "1x420x9x9xf32", "100x420x3x3xf32",
                         "1x100x5x5xf32",
                         "{pads = array<i64: 1, 1, 1, 1>, strides = "
                         "array<i64: 2, 2>}"),
            1u);
}

// What follows is long: tiles are finished in pairs where columns have them.
TEST(ContractionCode, FinishesPairsOfTiles) {
  for (int64_t rows : {1, 12, 25, 50})
    for (int64_t columns : {96, 104, 112, 336}) {
      std::string a = llvm::formatv("{0}x96xf32", rows),
                  b = llvm::formatv("96x{0}xf32", columns),
                  y = llvm::formatv("{0}x{1}xf32", rows, columns);
      std::string body = llvm::formatv(
          "%y = inlay.group \"cpu\" \"k\" cluster : "
          "tensor<{2}> {{\n"
          "%0 = inlay.matmul %a, %b : (tensor<{0}>, tensor<{1}>) -> "
          "tensor<{2}>\n"
          "%1 = inlay.gelu %0 : (tensor<{2}>) -> tensor<{2}>\n"
          "inlay.yield %1 : tensor<{2}>\n}",
          a, b, y);
      EXPECT_EQ(checkModerate({a, b, y}, body, 8 * 0x1p-24), 1u) << y;
    }
}

/// Tiles of three vectors, whose rows are finished in two pieces: from
/// registers where little follows, from memory where much does, where columns
/// end inside of a vector, and where they belong to heads that no tile of three
/// divides.
TEST(ContractionCode, FinishesTilesOfThreeVectors) {
  auto check = [](llvm::StringRef rows, llvm::StringRef columns,
                  llvm::StringRef op) {
    std::string a = llvm::formatv("{0}x24xf32", rows),
                b = llvm::formatv("24x{0}xf32", columns),
                y = llvm::formatv("{0}x{1}xf32", rows, columns);
    std::string body = llvm::formatv(
        "%y = inlay.group \"cpu\" \"k\" cluster : "
        "tensor<{2}> {{\n"
        "%0 = inlay.matmul %a, %b : (tensor<{0}>, tensor<{1}>) -> "
        "tensor<{2}>\n"
        "%1 = inlay.{3} %0 : (tensor<{2}>) -> tensor<{2}>\n"
        "inlay.yield %1 : tensor<{2}>\n}",
        a, b, y, op);
    EXPECT_EQ(checkModerate({a, b, y}, body, 8 * 0x1p-24), 1u)
        << y << " " << op.str();
  };
  for (llvm::StringRef rows : {"9", "19", "49"})
    for (llvm::StringRef columns :
         {"48", "96", "112", "240", "41", "40", "184"})
      for (llvm::StringRef op : {"relu", "gelu"})
        check(rows, columns, op);
  EXPECT_EQ(
      checkModerate({"20x24xf32", "24x192xf32", "3x20x64xf32"},
                    "%y = inlay.group \"cpu\" \"k\" cluster : "
                    "tensor<3x20x64xf32> {\n"
                    "%0 = inlay.matmul %a, %b : (tensor<20x24xf32>, "
                    "tensor<24x192xf32>) -> tensor<20x192xf32>\n"
                    "%1 = inlay.reshape %0 {shape = array<i64: 20, 3, 64>} : "
                    "(tensor<20x192xf32>) -> tensor<20x3x64xf32>\n"
                    "%3 = inlay.transpose %1 {perm = array<i64: 1, 0, 2>} : "
                    "(tensor<20x3x64xf32>) -> tensor<3x20x64xf32>\n"
                    "inlay.yield %3 : tensor<3x20x64xf32>\n}",
                    8 * 0x1p-24),
      1u);
}

/// Columns that lie along the sum are turned around in squares of all vectors'
/// sizes, with what is left over on both sides; also of several products, and
/// where something is computed in front of them.
TEST(ContractionCode, TurnsColumns) {
  for (auto [n, k] : {std::pair(16, 16),
                      {17, 16},
                      {16, 17},
                      {49, 37},
                      {5, 40},
                      {64, 15},
                      {33, 100}}) {
    std::string a = llvm::formatv("2x9x{0}xf32", k),
                b = llvm::formatv("2x{0}x{1}xf32", n, k),
                t = llvm::formatv("2x{1}x{0}xf32", n, k),
                y = llvm::formatv("2x9x{0}xf32", n);
    std::string body = llvm::formatv(
        "%y = inlay.group \"cpu\" \"k\" cluster : tensor<{3}> {{\n"
        "%0 = inlay.mul %b, %c : (tensor<{1}>, tensor<{4}xf32>) "
        "-> tensor<{1}>\n"
        "%1 = inlay.transpose %0 {{perm = array<i64: 0, 2, 1>} : "
        "(tensor<{1}>) -> tensor<{2}>\n"
        "%2 = inlay.matmul %a, %1 : (tensor<{0}>, tensor<{2}>) "
        "-> tensor<{3}>\n"
        "inlay.yield %2 : tensor<{3}>\n}",
        a, b, t, y, k);
    EXPECT_EQ(checkModerate({a, b, llvm::formatv("{0}xf32", k).str(), y}, body,
                            8 * 0x1p-24),
              1u)
        << n << " " << k;
  }
}

/// Numbers in hexadecimal, as a constant is written; small and all different.
static std::string getNumbers(int64_t count) {
  std::string text = "0x";
  for (int64_t i = 0; i < count; ++i) {
    float number = float(i * 37 % 101 - 50.5) / 64;
    text += llvm::toHex(
        llvm::StringRef(reinterpret_cast<const char *>(&number), 4));
  }
  return text;
}

/// Results that lie side by side along the data. Long sums leave weights, which
/// are packed once, the columns, so that one result after another is written;
/// short ones do not, nor do those of weights that the run brings.
TEST(ContractionCode, WritesResultsApart) {
  auto plan = [](int64_t rows, int64_t columns, int64_t terms, bool isKnown) {
    std::string a = llvm::formatv("{0}x{1}xf32", rows, terms),
                b = llvm::formatv("{0}x{1}xf32", terms, columns),
                m = llvm::formatv("{0}x{1}xf32", rows, columns),
                y = llvm::formatv("{1}x{0}xf32", rows, columns);
    std::string weights =
        isKnown ? llvm::formatv("%w = inlay.constant dense<\"{0}\"> : "
                                "tensor<{1}>\n",
                                getNumbers(terms * columns), b)
                : std::string();
    std::string body = llvm::formatv(
        "{4}%y = inlay.group \"cpu\" \"k\" cluster : tensor<{3}> {{\n"
        "%0 = inlay.matmul %a, %{5} : (tensor<{0}>, tensor<{1}>) -> "
        "tensor<{2}>\n"
        "%1 = inlay.relu %0 : (tensor<{2}>) -> tensor<{2}>\n"
        "%2 = inlay.transpose %1 {{perm = array<i64: 1, 0>} : "
        "(tensor<{2}>) -> tensor<{3}>\n"
        "inlay.yield %2 : tensor<{3}>\n}",
        a, b, m, y, weights, isKnown ? "w" : "b");
    llvm::SmallVector<llvm::StringRef> types = {a, y};
    if (!isKnown)
      types.insert(types.begin() + 1, b);
    return llvm::StringRef(getPlan(types, body, 8 * 0x1p-24))
        .split(':')
        .first.str();
  };
  EXPECT_EQ(plan(9, 20, 256, true), "contraction, 9x20x256");
  EXPECT_EQ(plan(49, 72, 300, true), "contraction, 49x72x300");
  EXPECT_EQ(plan(1, 33, 256, true), "contraction, 1x33x256");
  EXPECT_EQ(plan(9, 20, 40, true), "contraction, 20x9x40");
  EXPECT_EQ(plan(9, 20, 256, false), "contraction, 20x9x256");
}

TEST(ContractionCode, StacksOfProducts) {
  EXPECT_EQ(checkProduct("matmul", "3x2x5x7xf32", "3x2x7x9xf32", "3x2x5x9xf32"),
            1u);
  // One side is the same for all.
  EXPECT_EQ(checkProduct("matmul", "3x2x5x7xf32", "7x9xf32", "3x2x5x9xf32"),
            1u);
  EXPECT_EQ(checkProduct("matmul", "5x7xf32", "3x2x7x9xf32", "3x2x5x9xf32"),
            1u);
  EXPECT_EQ(checkProduct("matmul", "3x1x5x7xf32", "1x2x7x9xf32", "3x2x5x9xf32"),
            1u);
}

TEST(ContractionCode, Gemms) {
  EXPECT_EQ(checkModerate({"7x5xf32", "9x7xf32", "9xf32", "5x9xf32"},
                          "%y = inlay.gemm %a, %b, %c {transA = 1 : i64, "
                          "transB = 1 : i64, alpha = 0.5 : f32, beta = -2.0 : "
                          "f32} : (tensor<7x5xf32>, tensor<9x7xf32>, "
                          "tensor<9xf32>) -> tensor<5x9xf32>",
                          8 * 0x1p-24),
            1u);
}

TEST(ContractionCode, Convolutions) {
  EXPECT_EQ(checkProduct("conv", "2x3x9x8xf32", "5x3x3x2xf32", "2x5x5x4xf32",
                         "{pads = array<i64: 1, 0, 1, 1>, strides = "
                         "array<i64: 2, 2>, dilations = array<i64: 1, 1>}") +
                checkProduct("conv", "1x4x7xf32", "6x2x3xf32", "1x6x5xf32",
                             "{group = 2 : i64}"),
            2u);
  EXPECT_EQ(checkProduct("conv", "1x2x4x5x6xf32", "3x2x2x3x3xf32",
                         "1x3x3x5x4xf32",
                         "{pads = array<i64: 0, 1, 0, 0, 1, 0>}"),
            1u);
  // A window that begins in front of the data and ends behind it.
  EXPECT_EQ(checkProduct("conv", "1x1x2x2xf32", "1x1x5x5xf32", "1x1x2x2xf32",
                         "{pads = array<i64: 2, 2, 2, 2>}"),
            1u);
}

/// More rows than a panel has: the last panel shares some with another one.
TEST(ContractionCode, PanelsOfRows) {
  EXPECT_EQ(checkProduct("matmul", "517x5xf32", "5x9xf32", "517x9xf32"), 1u);
  EXPECT_EQ(checkProduct("conv", "1x3x37x33xf32", "5x3x3x3xf32",
                         "1x5x37x33xf32", "{pads = array<i64: 1, 1, 1, 1>}"),
            1u);
  // Parts of a line.
  EXPECT_EQ(checkProduct("conv", "1x2100x3x13xf32", "2x2100x3x3xf32",
                         "1x2x3x13xf32", "{pads = array<i64: 1, 1, 1, 1>}"),
            1u);
}

/// What is summed does not lie side by side.
/// Channels lie apart in the tensor and side by side in the copy: lines that
/// vectors divide or not, with a border or without.
TEST(ContractionCode, CopiesImages) {
  for (auto [size, pads, height, width] :
       {std::tuple("7x11", 1, 4, 6), std::tuple("9x8", 0, 4, 3),
        std::tuple("5x5", 1, 3, 3)}) {
    std::string a = llvm::formatv("1x3x{0}xf32", size),
                conv = llvm::formatv("1x20x{0}x{1}xf32", height, width),
                y = llvm::formatv("1x{0}x{1}x20xf32", height, width);
    std::string body = llvm::formatv(
        "%y = inlay.group \"cpu\" \"k\" cluster : tensor<{2}> {{\n"
        "%0 = inlay.conv %a, %b {{pads = array<i64: {3}, {3}, {3}, {3}>, "
        "strides = array<i64: 2, 2>} : (tensor<{0}>, tensor<20x3x3x3xf32>) "
        "-> tensor<{1}>\n"
        "%1 = inlay.transpose %0 {{perm = array<i64: 0, 2, 3, 1>} : "
        "(tensor<{1}>) -> tensor<{2}>\n"
        "inlay.yield %1 : tensor<{2}>\n}",
        a, conv, y, pads);
    EXPECT_EQ(checkModerate({a, "20x3x3x3xf32", y}, body, 8 * 0x1p-24), 1u)
        << a;
  }
}

/// Columns of more than a megabyte, for which windows are copied for the taps
/// of one line at a time: with borders, strides that leave lines out, more rows
/// than a panel has, and windows in time. Channels are side by side.
TEST(ContractionCode, SlicesOfWindows) {
  auto check = [](const std::string &x, const std::string &w,
                  const std::string &y, const std::string &from,
                  const std::string &to, const std::string &attributes) {
    std::string perm = w.find("x2x3x3xf32") != std::string::npos
                           ? "0, 4, 1, 2, 3"
                           : "0, 3, 1, 2",
                back = perm.size() > 12 ? "0, 2, 3, 4, 1" : "0, 2, 3, 1";
    std::string body = llvm::formatv(
        "%y = inlay.group \"cpu\" \"k\" cluster : tensor<{2}> {{\n"
        "%0 = inlay.transpose %a {{perm = array<i64: {6}>} : (tensor<{0}>) -> "
        "tensor<{3}>\n"
        "%1 = inlay.conv %0, %b {{{5}} : (tensor<{3}>, tensor<{1}>) -> "
        "tensor<{4}>\n"
        "%2 = inlay.transpose %1 {{perm = array<i64: {7}>} : (tensor<{4}>) -> "
        "tensor<{2}>\n"
        "inlay.yield %2 : tensor<{2}>\n}",
        x, w, y, from, to, attributes, perm, back);
    EXPECT_EQ(checkModerate({x, w, y}, body, 8 * 0x1p-24), 1u) << x << " " << w;
  };
  check("1x9x8x192xf32", "168x192x3x3xf32", "1x9x8x168xf32", "1x192x9x8xf32",
        "1x168x9x8xf32", "pads = array<i64: 1, 1, 1, 1>");
  check("1x13x14x192xf32", "164x192x3x3xf32", "1x7x7x164xf32",
        "1x192x13x14xf32", "1x164x7x7xf32",
        "pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>");
  check("2x19x21x136xf32", "216x136x3x3xf32", "2x9x10x216xf32",
        "2x136x19x21xf32", "2x216x9x10xf32", "strides = array<i64: 2, 2>");
  check("1x13x14x64xf32", "176x64x5x5xf32", "1x7x7x176xf32", "1x64x13x14xf32",
        "1x176x7x7xf32",
        "pads = array<i64: 2, 2, 2, 2>, strides = array<i64: 2, 2>");
  check("1x3x6x7x96xf32", "160x96x2x3x3xf32", "1x3x6x7x160xf32",
        "1x96x3x6x7xf32", "1x160x3x6x7xf32",
        "pads = array<i64: 1, 1, 1, 0, 1, 1>");
}

/// Copies of what is divided to be found, and of rows of one element.
TEST(ContractionCode, CopiesWhatLiesAnywhere) {
  EXPECT_EQ(
      checkModerate({"2x6x9xf32", "54x3xf32", "2x3xf32"},
                    "%y = inlay.group \"cpu\" \"k\" cluster : "
                    "tensor<2x3xf32> {\n"
                    "%0 = inlay.transpose %a {perm = array<i64: 0, 2, 1>} : "
                    "(tensor<2x6x9xf32>) -> tensor<2x9x6xf32>\n"
                    "%1 = inlay.flatten %0 : (tensor<2x9x6xf32>) -> "
                    "tensor<2x54xf32>\n"
                    "%2 = inlay.matmul %1, %b : (tensor<2x54xf32>, "
                    "tensor<54x3xf32>) -> tensor<2x3xf32>\n"
                    "inlay.yield %2 : tensor<2x3xf32>\n}",
                    8 * 0x1p-24),
      1u);
  EXPECT_EQ(checkModerate({"4x5x6x1xf32", "1x7xf32", "4x5x6x7xf32"},
                          "%y = inlay.group \"cpu\" \"k\" cluster : "
                          "tensor<4x5x6x7xf32> {\n"
                          "%0 = inlay.abs %a : (tensor<4x5x6x1xf32>) -> "
                          "tensor<4x5x6x1xf32>\n"
                          "%1 = inlay.matmul %0, %b : (tensor<4x5x6x1xf32>, "
                          "tensor<1x7xf32>) -> tensor<4x5x6x7xf32>\n"
                          "inlay.yield %1 : tensor<4x5x6x7xf32>\n}",
                          8 * 0x1p-24),
            1u);
}

TEST(ContractionCode, DilatedWindows) {
  // There is no room for all between the taps.
  EXPECT_EQ(checkProduct("conv", "1x70x35x37xf32", "3x70x3x3xf32",
                         "1x3x35x37xf32",
                         "{pads = array<i64: 18, 18, 18, 18>, dilations = "
                         "array<i64: 18, 18>}"),
            1u);
  EXPECT_EQ(checkProduct("conv", "1x1x9x11xf32", "3x1x3x3xf32", "1x3x7x7xf32",
                         "{pads = array<i64: 1, 0, 1, 0>, dilations = "
                         "array<i64: 2, 2>}"),
            1u);
  EXPECT_EQ(checkProduct("conv", "1x5x9x11xf32", "3x5x3x3xf32", "1x3x7x7xf32",
                         "{pads = array<i64: 1, 0, 1, 0>, dilations = "
                         "array<i64: 2, 2>}"),
            1u);
}

/// No template takes sums of doubles, or of nothing: they are evaluated.
TEST(ContractionCode, LeavesOthersAlone) {
  EXPECT_EQ(checkProduct("matmul", "5x7xf64", "7x9xf64", "5x9xf64"), 0u);
  EXPECT_EQ(checkProduct("matmul", "5x0xf32", "0x9xf32", "5x9xf32"), 0u);
  EXPECT_EQ(checkProduct("matmul", "7xf32", "7x9xf32", "9xf32"), 0u);
}
