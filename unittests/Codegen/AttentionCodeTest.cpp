//===- AttentionCodeTest.cpp - Softmaxes of products, times values --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of plain operators: that they have one step with code says that
// they were joined, as only one template takes two products.
//
//===----------------------------------------------------------------------===//

#include "../Runtime/ModuleTesting.h"
#include "CodeTesting.h"
#include "inlay/Codegen/LowerSteps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace inlay;
using namespace inlay::testing;
using llvm::formatv;

static constexpr double tolerance = 32 * 0x1p-24;

namespace {
/// 2 products of `rows` queries and `keys` keys with `depth` terms, and
/// `columns` values.
struct Sizes {
  int64_t rows, keys, depth, columns;

  std::string queries() const { return formatv("2x{0}x{1}xf32", rows, depth); }
  std::string turned() const { return formatv("2x{0}x{1}xf32", depth, keys); }
  std::string scores() const { return formatv("2x{0}x{1}xf32", rows, keys); }
  std::string values() const { return formatv("2x{0}x{1}xf32", keys, columns); }
  std::string results() const {
    return formatv("2x{0}x{1}xf32", rows, columns);
  }
};
} // namespace

/// %`to` = %`a` times %`b`.
static std::string multiply(llvm::StringRef to, llvm::StringRef a,
                            llvm::StringRef typeA, llvm::StringRef b,
                            llvm::StringRef typeB, llvm::StringRef type) {
  return formatv("%{0} = inlay.matmul %{1}, %{2} : (tensor<{3}>, tensor<{4}>) "
                 "-> tensor<{5}>\n",
                 to, a, b, typeA, typeB, type);
}

static std::string compute(llvm::StringRef to, llvm::StringRef op,
                           llvm::StringRef a, llvm::StringRef typeA,
                           llvm::StringRef b, llvm::StringRef typeB,
                           llvm::StringRef type) {
  return formatv("%{0} = inlay.{1} %{2}, %{3} : (tensor<{4}>, tensor<{5}>) -> "
                 "tensor<{6}>\n",
                 to, op, a, b, typeA, typeB, type);
}

static std::string move(llvm::StringRef to, llvm::StringRef op,
                        llvm::StringRef from, llvm::StringRef type,
                        llvm::StringRef attributes, llvm::StringRef result) {
  return formatv(
      "%{0} = inlay.{1} %{2} {{{3}} : (tensor<{4}>) -> tensor<{5}>\n", to, op,
      from, attributes, type, result);
}

static std::string softmax(llvm::StringRef to, llvm::StringRef from,
                           llvm::StringRef type, int axis = -1) {
  return move(to, "softmax", from, type,
              formatv("axis = {0} : i64", axis).str(), type);
}

/// Products of %a and %b as scores %s, `middle` that makes %t of them, its
/// softmax times %c.
static std::string write(const Sizes &sizes, llvm::StringRef middle,
                         llvm::StringRef scores) {
  return multiply("s", "a", sizes.queries(), "b", sizes.turned(),
                  sizes.scores()) +
         middle.str() + softmax("p", scores, sizes.scores()) +
         multiply("y", "p", sizes.scores(), "c", sizes.values(),
                  sizes.results());
}

TEST(AttentionCode, MultipliesRowsOfAnySize) {
  for (const Sizes &sizes :
       {Sizes{1, 64, 32, 16}, Sizes{5, 9, 3, 7}, Sizes{37, 49, 16, 32},
        Sizes{64, 64, 64, 64}, Sizes{30, 197, 5, 1}, Sizes{3, 2, 1, 5},
        Sizes{29, 100, 33, 20}, Sizes{100, 16, 8, 40}, Sizes{14, 1030, 12, 33}})
    EXPECT_EQ(checkModerate({sizes.queries(), sizes.turned(), sizes.values(),
                             sizes.results()},
                            write(sizes, "", "s"), tolerance),
              1u)
        << sizes.scores();
}

// Rows of 3,000 leave room for few of them, of 14,000 for the fewest; there is
// none for four of 16,000.
TEST(AttentionCode, TakesRowsThatHaveRoom) {
  for (auto [keys, steps] : {std::pair(3000, 1u), {12000, 1u}, {16000, 3u}}) {
    Sizes sizes = {6, keys, 2, 3};
    EXPECT_EQ(checkModerate({sizes.queries(), sizes.turned(), sizes.values(),
                             sizes.results()},
                            write(sizes, "", "s"), tolerance),
              steps)
        << keys;
  }
}

TEST(AttentionCode, ScalesAndAddsMasks) {
  Sizes sizes = {19, 35, 16, 24};
  std::string scale =
      "%k = inlay.constant dense<0.25> : tensor<f32>\n" +
      compute("r", "mul", "s", sizes.scores(), "k", "f32", sizes.scores());
  for (llvm::StringRef mask : {"2x19x35xf32", "19x35xf32", "35xf32", "19x1xf32",
                               "2x1x1xf32", "1x1x35xf32"})
    EXPECT_EQ(
        checkModerate({sizes.queries(), sizes.turned(), sizes.values(), mask,
                       sizes.results()},
                      write(sizes,
                            scale + compute("t", "add", "r", sizes.scores(),
                                            "d", mask, sizes.scores()),
                            "t"),
                      tolerance),
        1u)
        << mask.str();
}

/// Scores where a condition holds, and `other` elsewhere.
static std::string choose(const Sizes &sizes, llvm::StringRef condition,
                          llvm::StringRef type, llvm::StringRef other) {
  return formatv("%o = inlay.constant dense<{0}> : tensor<f32>\n"
                 "%t = inlay.where %{1}, %s, %o : (tensor<{2}>, tensor<{3}>, "
                 "tensor<f32>) -> tensor<{3}>\n",
                 other, condition, type, sizes.scores());
}

// Of a row that is hidden nothing is left: NaN.
TEST(AttentionCode, HidesKeysAndRows) {
  Sizes sizes = {19, 35, 16, 24};
  for (llvm::StringRef mask : {"2x19x35xi1", "35xi1", "19x1xi1", "2x1x1xi1"})
    for (llvm::StringRef other : {"0xFF800000", "0xFF7FFFFF", "-1.0e4"})
      EXPECT_EQ(
          checkModerate({sizes.queries(), sizes.turned(), sizes.values(), mask,
                         sizes.results()},
                        write(sizes, choose(sizes, "d", mask, other), "t"),
                        tolerance),
          1u)
          << mask.str() << " " << other.str();
}

TEST(AttentionCode, HidesWhatFollows) {
  Sizes sizes = {35, 35, 16, 24};
  std::string order;
  for (auto [name, shape] : {std::pair("i", "35x1"), {"j", "1x35"}}) {
    order += formatv("%{0} = inlay.constant dense<[", name);
    for (int i = 0; i < 35; ++i)
      order +=
          formatv(name[0] == 'i' ? "{0}[{1}]" : "{0}{2}{1}", i == 0 ? "" : ", ",
                  i, name[0] == 'j' && i == 0 ? "[" : "");
    order +=
        formatv("{0}]> : tensor<{1}xi64>\n", name[0] == 'j' ? "]" : "", shape);
  }
  order += "%m = inlay.less_or_equal %j, %i : (tensor<1x35xi64>, "
           "tensor<35x1xi64>) -> tensor<35x35xi1>\n";
  EXPECT_EQ(
      checkModerate(
          {sizes.queries(), sizes.turned(), sizes.values(), sizes.results()},
          write(sizes, order + choose(sizes, "m", "35x35xi1", "0xFF800000"),
                "t"),
          tolerance),
      1u + /*the mask*/ 1u);
}

// What is infinite or no number among the scores spoils its row alone.
TEST(AttentionCode, KeepsWhatIsNoNumber) {
  Sizes sizes = {4, 18, 5, 3};
  std::string mask =
      "%m = inlay.constant dense<[[0.0], [0x7F800000], "
      "[0x7FC00000], [-1.0]]> : tensor<4x1xf32>\n"
      "%n = inlay.constant dense<[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, "
      "0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, "
      "0xFF800000, 1.0]> : tensor<18xf32>\n" +
      compute("r", "add", "s", sizes.scores(), "n", "18xf32", sizes.scores()) +
      compute("t", "add", "r", sizes.scores(), "m", "4x1xf32", sizes.scores());
  EXPECT_EQ(checkModerate({sizes.queries(), sizes.turned(), sizes.values(),
                           sizes.results()},
                          write(sizes, mask, "t"), tolerance),
            1u);
}

// Heads that lie behind positions, as projections give them and want them.
TEST(AttentionCode, ReadsAndWritesMovedHeads) {
  for (int64_t size : {16, 12}) {
    std::string flat = formatv("2x21x{0}xf32", 3 * size),
                split = formatv("2x21x3x{0}xf32", size),
                heads = formatv("2x3x21x{0}xf32", size),
                turned = formatv("2x3x{0}x21xf32", size),
                shape = formatv("shape = array<i64: 2, 21, 3, {0}>", size);
    std::string body;
    for (auto [from, to, perm, type] :
         {std::tuple("a", "q", "0, 2, 1, 3", heads),
          {"b", "k", "0, 2, 3, 1", turned},
          {"c", "v", "0, 2, 1, 3", heads}})
      body +=
          move(formatv("{0}0", to).str(), "reshape", from, flat, shape, split) +
          move(to, "transpose", formatv("{0}0", to).str(), split,
               formatv("perm = array<i64: {0}>", perm).str(), type);
    body +=
        multiply("s", "q", heads, "k", turned, "2x3x21x21xf32") +
        softmax("p", "s", "2x3x21x21xf32") +
        multiply("h", "p", "2x3x21x21xf32", "v", heads, heads) +
        move("m", "transpose", "h", heads, "perm = array<i64: 0, 2, 1, 3>",
             split) +
        move("f", "reshape", "m", split,
             formatv("shape = array<i64: 2, 21, {0}>", 3 * size).str(), flat) +
        compute("z", "add", "f", flat, "a", flat, flat);
    EXPECT_EQ(checkModerate({flat, flat, flat, flat},
                            "%y = inlay.group \"cpu\" \"k\" cluster : tensor<" +
                                flat + "> {\n" + body +
                                "inlay.yield %z : tensor<" + flat + ">\n}",
                            tolerance),
              1u)
        << size;
  }
}

// As layouts have it that are turned: values times weights, both turned.
TEST(AttentionCode, MultipliesTurnedWeights) {
  Sizes sizes = {21, 34, 16, 24};
  std::string turned = "2x34x21xf32", values = "2x24x34xf32",
              results = "2x24x21xf32";
  EXPECT_EQ(
      checkModerate({sizes.queries(), sizes.turned(), values, results},
                    multiply("s", "a", sizes.queries(), "b", sizes.turned(),
                             sizes.scores()) +
                        softmax("p", "s", sizes.scores()) +
                        "%y = inlay.group \"cpu\" \"k\" cluster : tensor<" +
                        results + "> {\n" +
                        move("t", "transpose", "p", sizes.scores(),
                             "perm = array<i64: 0, 2, 1>", turned) +
                        multiply("z", "c", values, "t", turned, results) +
                        "inlay.yield %z : tensor<" + results + ">\n}",
                    tolerance),
      1u);
}

// Two heads of queries for each of keys and values; and one mask for all.
TEST(AttentionCode, SharesKeysAndValues) {
  std::string heads = "2x2x9x16xf32", all = "2x4x9x16xf32",
              wide = "2x2x1x9x16xf32", more = "2x2x2x9x16xf32",
              turned = "2x4x16x9xf32", scores = "2x4x9x9xf32";
  std::string body;
  for (auto [from, to] : {std::pair("b", "k"), {"c", "v"}})
    body += formatv(
        "%{1}0 = inlay.reshape %{0} {{shape = array<i64: 2, 2, 1, 9, 16>} : "
        "(tensor<{2}>) -> tensor<{3}>\n"
        "%{1}1 = inlay.expand %{1}0 {{shape = array<i64: 2, 2, 2, 9, 16>} : "
        "(tensor<{3}>) -> tensor<{4}>\n"
        "%{1} = inlay.reshape %{1}1 {{shape = array<i64: 2, 4, 9, 16>} : "
        "(tensor<{4}>) -> tensor<{5}>\n",
        from, to, heads, wide, more, all);
  body += move("kt", "transpose", "k", all, "perm = array<i64: 0, 1, 3, 2>",
               turned) +
          multiply("s", "a", all, "kt", turned, scores) +
          compute("m", "add", "s", scores, "d", "9x9xf32", scores) +
          softmax("p", "m", scores) + multiply("z", "p", scores, "v", all, all);
  EXPECT_EQ(checkModerate({all, heads, heads, "9x9xf32", all},
                          "%y = inlay.group \"cpu\" \"k\" cluster : tensor<" +
                              all + "> {\n" + body +
                              "inlay.yield %z : tensor<" + all + ">\n}",
                          tolerance),
            1u);
}

// Queries and keys that are turned by their places, in halves of whole vectors
// and of others, as one kernel.
TEST(AttentionCode, TurnsQueriesAndKeys) {
  for (int64_t size : {64, 32, 24}) {
    std::string heads = formatv("1x3x19x{0}xf32", size),
                angles = formatv("1x19x{0}xf32", size / 2),
                keys = formatv("1x3x{0}x19xf32", size), body;
    for (auto [from, to] : {std::pair("a", "q"), {"b", "r"}})
      body += formatv("%{1} = inlay.rotary_embedding %{0}, %d, %e : "
                      "(tensor<{2}>, tensor<{3}>, tensor<{3}>) -> "
                      "tensor<{2}>\n",
                      from, to, heads, angles);
    body += move("k", "transpose", "r", heads, "perm = array<i64: 0, 1, 3, 2>",
                 keys) +
            multiply("s", "q", heads, "k", keys, "1x3x19x19xf32") +
            softmax("p", "s", "1x3x19x19xf32") +
            multiply("z", "p", "1x3x19x19xf32", "c", heads, heads);
    EXPECT_EQ(checkModerate({heads, heads, heads, angles, angles, heads},
                            "%y = inlay.group \"cpu\" \"k\" cluster : tensor<" +
                                heads + "> {\n" + body +
                                "inlay.yield %z : tensor<" + heads + ">\n}",
                            tolerance),
              1u)
        << size;
  }
}

// Keys that all products have, and weights between views.
TEST(AttentionCode, ReadsScoresThroughViews) {
  EXPECT_EQ(
      checkModerate(
          {"4x11x8xf32", "8x13xf32", "2x1x13xf32", "2x22x13xf32", "4x13x6xf32",
           "4x11x6xf32"},
          "%z = inlay.group \"cpu\" \"k\" cluster : tensor<2x22x13xf32> "
          "{\n" +
              multiply("s", "a", "4x11x8xf32", "b", "8x13xf32", "4x11x13xf32") +
              move("v", "reshape", "s", "4x11x13xf32",
                   "shape = array<i64: 2, 22, 13>", "2x22x13xf32") +
              compute("m", "add", "v", "2x22x13xf32", "c", "2x1x13xf32",
                      "2x22x13xf32") +
              compute("n", "mul", "m", "2x22x13xf32", "d", "2x22x13xf32",
                      "2x22x13xf32") +
              "inlay.yield %n : tensor<2x22x13xf32>\n}\n" +
              softmax("p", "z", "2x22x13xf32") +
              move("w", "reshape", "p", "2x22x13xf32",
                   "shape = array<i64: 4, 11, 13>", "4x11x13xf32") +
              multiply("y", "w", "4x11x13xf32", "e", "4x13x6xf32",
                       "4x11x6xf32"),
          tolerance),
      1u);
}

/// A kernel of a product of `from` with %`weight` as heads, in an order.
static std::string project(llvm::StringRef to, llvm::StringRef from,
                           llvm::StringRef weight, llvm::StringRef perm,
                           llvm::StringRef type) {
  return formatv(
             "%{0} = inlay.group \"cpu\" \"{0}\" cluster : tensor<{1}> {{\n",
             to, type)
             .str() +
         multiply("p", from, "21x32xf32", weight, "32x48xf32", "21x48xf32") +
         move("r", "reshape", "p", "21x48xf32", "shape = array<i64: 21, 3, 16>",
              "21x3x16xf32") +
         move("t", "transpose", "r", "21x3x16xf32",
              formatv("perm = array<i64: {0}>", perm).str(), type) +
         formatv("inlay.yield %t : tensor<{0}>\n}\n", type).str();
}

static const llvm::StringRef projectedTypes[] = {
    "21x32xf32", "32x48xf32", "32x48xf32", "32x48xf32", "3x21x16xf32"};

/// Three projections, their attention, and what else is computed of keys.
static std::string attendProjected(llvm::StringRef rest) {
  return project("q", "a", "b", "1, 0, 2", "3x21x16xf32") +
         project("k", "a", "c", "1, 2, 0", "3x16x21xf32") +
         project("v", "a", "d", "1, 0, 2", "3x21x16xf32") +
         multiply("s", "q", "3x21x16xf32", "k", "3x16x21xf32", "3x21x21xf32") +
         softmax("w", "s", "3x21x21xf32") +
         multiply(rest.empty() ? "y" : "z", "w", "3x21x21xf32", "v",
                  "3x21x16xf32", "3x21x16xf32") +
         rest.str();
}

/// How many steps of `body` have a plan that begins so.
static long countPlans(llvm::StringRef body, llvm::StringRef plan) {
  std::vector<std::string> plans = getPlans(projectedTypes, body, tolerance);
  return llvm::count_if(
      plans, [&](llvm::StringRef own) { return own.starts_with(plan); });
}

// Keys are columns of their product as values are, and no rows of it: 21 rows
// by 48 columns, whatever order the attention wants them in.
TEST(AttentionCode, ReadsHeadsWhereProductsLeaveThem) {
  std::string body = attendProjected("");
  EXPECT_EQ(countPlans(body, "contraction, 21x48x32"), 3);
  EXPECT_EQ(countPlans(body, "attention"), 1);
}

// What others read stays as they want it.
TEST(AttentionCode, LeavesHeadsThatOthersNeed) {
  std::string rest = move("t", "transpose", "k", "3x16x21xf32",
                          "perm = array<i64: 0, 2, 1>", "3x21x16xf32") +
                     compute("y", "add", "z", "3x21x16xf32", "t", "3x21x16xf32",
                             "3x21x16xf32");
  std::string body = attendProjected(rest);
  EXPECT_EQ(countPlans(body, "contraction, 21x48x32"), 2);
  EXPECT_EQ(countPlans(body, "contraction, 48x21x32"), 1);
}

//===----------------------------------------------------------------------===//
// What is none
//===----------------------------------------------------------------------===//

static unsigned countSteps(const Sizes &sizes, llvm::StringRef body,
                           llvm::StringRef result) {
  return checkModerate(
      {sizes.queries(), sizes.turned(), sizes.values(), result}, body,
      tolerance);
}

TEST(AttentionCode, LeavesScoresThatOthersNeed) {
  Sizes sizes = {9, 24, 16, 24};
  std::string body = write(sizes, "", "s");
  llvm::StringRef(body).consume_back("\n");
  std::string renamed = body.replace(body.find("%y ="), 4, "%z =") +
                        compute("y", "add", "z", sizes.results(), "p",
                                sizes.scores(), sizes.results());
  EXPECT_EQ(countSteps(sizes, renamed, sizes.results()), 4u);
}

TEST(AttentionCode, LeavesSoftmaxesAcrossRows) {
  Sizes sizes = {9, 24, 16, 8};
  std::string body =
      multiply("s", "a", sizes.queries(), "b", sizes.turned(), sizes.scores()) +
      softmax("p", "s", sizes.scores(), 1) +
      multiply("y", "p", sizes.scores(), "c", sizes.values(), sizes.results());
  EXPECT_EQ(countSteps(sizes, body, sizes.results()), 3u);
}

TEST(AttentionCode, LeavesSumsOverQueries) {
  Sizes sizes = {24, 24, 16, 8};
  std::string body =
      multiply("s", "a", sizes.queries(), "b", sizes.turned(), sizes.scores()) +
      softmax("p", "s", sizes.scores()) +
      move("t", "transpose", "p", sizes.scores(), "perm = array<i64: 0, 2, 1>",
           sizes.scores()) +
      multiply("y", "t", sizes.scores(), "c", sizes.values(), sizes.results());
  EXPECT_EQ(countSteps(sizes, body, sizes.results()), 4u);
}

TEST(AttentionCode, LeavesTwoSoftmaxes) {
  Sizes sizes = {9, 24, 16, 8};
  std::string body =
      multiply("s", "a", sizes.queries(), "b", sizes.turned(), sizes.scores()) +
      softmax("o", "s", sizes.scores()) + softmax("p", "o", sizes.scores()) +
      multiply("y", "p", sizes.scores(), "c", sizes.values(), sizes.results());
  EXPECT_EQ(countSteps(sizes, body, sizes.results()), 4u);
}

TEST(AttentionCode, LeavesDoubles) {
  EXPECT_FALSE(isAllCode(
      {"2x9x16xf64", "2x16x24xf64", "2x24x8xf64", "2x9x8xf64"},
      multiply("s", "a", "2x9x16xf64", "b", "2x16x24xf64", "2x9x24xf64") +
          softmax("p", "s", "2x9x24xf64") +
          multiply("y", "p", "2x9x24xf64", "c", "2x24x8xf64", "2x9x8xf64"),
      tolerance));
}

// On any number of threads, with an arena.
TEST(AttentionCode, GivesTheSameBitsOnThreads) {
  Sizes sizes = {150, 70, 16, 24};
  ParsedModule module("func.func @main(%a: tensor<" + sizes.queries() +
                      ">, %b: tensor<" + sizes.turned() + ">, %c: tensor<" +
                      sizes.values() + ">) -> tensor<" + sizes.results() +
                      "> {\n" + write(sizes, "", "s") + "return %y : tensor<" +
                      sizes.results() + ">\n}");
  std::vector<HostTensor> inputs;
  for (mlir::Type type : module.getGraph().getArgumentTypes())
    inputs.push_back(makeInput(type, 7 * inputs.size()));
  for (HostTensor &input : inputs)
    for (int64_t i = 0; i < input.getNumElements(); ++i)
      input.setDouble(i, double(i * 2654435761u >> 13 & 127) / 64 - 1);
  EXPECT_EQ(checkProgram(module.get(), inputs, 1e-5), "");
}
