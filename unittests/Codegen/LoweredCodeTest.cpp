//===- LoweredCodeTest.cpp - Operators of several steps -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeTesting.h"

using namespace inlay;
using namespace inlay::testing;

static constexpr double tolerance = 32 * 0x1p-24;

/// A loss of 5 classes at 3 x 7 places.
static bool checkLoss(llvm::StringRef op, llvm::StringRef element,
                      llvm::StringRef attributes, bool isWeighted) {
  bool isNone = attributes.contains("none");
  std::string scores = "3x5x7x" + element.str(), weights = "5x" + element.str(),
              result = (isNone ? "3x7x" : "") + element.str();
  std::string labels;
  for (int i = 0; i < 3; ++i) {
    labels += i == 0 ? "[" : ", [";
    for (int k = 0; k < 7; ++k)
      labels += (k == 0 ? "" : ", ") + std::to_string((i * 7 + k * 3) % 5);
    labels += "]";
  }
  bool hasScores = op.starts_with("softmax");
  std::string body = "%i = inlay.constant dense<[" + labels +
                     "]> : tensor<3x7xi64>\n%y" + (hasScores ? ", %p" : "") +
                     " = inlay." + op.str() + " %a, %i" +
                     (isWeighted ? ", %b" : "") + " " + attributes.str() +
                     " : (tensor<" + scores + ">, tensor<3x7xi64>" +
                     (isWeighted ? ", tensor<" + weights + ">" : "") + ") -> " +
                     (hasScores ? "(" : "") + "tensor<" + result + ">" +
                     (hasScores ? ", tensor<" + scores + ">)" : "");
  return isAllCode({scores, weights, result}, body, tolerance);
}

TEST(LoweredCode, ComputesLosses) {
  for (llvm::StringRef op :
       {"negative_log_likelihood_loss", "softmax_cross_entropy_loss"})
    for (llvm::StringRef attributes :
         {"", "{reduction = \"sum\"}", "{reduction = \"none\"}",
          "{ignore_index = 2 : i64}",
          "{ignore_index = 10 : i64, reduction = \"sum\"}",
          "{ignore_index = -5 : i64, reduction = \"none\"}"})
      for (bool isWeighted : {false, true})
        EXPECT_TRUE(checkLoss(op, "f32", attributes, isWeighted))
            << op.str() << " " << attributes.str() << " " << isWeighted;
  EXPECT_TRUE(checkLoss("negative_log_likelihood_loss", "f64", "", true));
  EXPECT_TRUE(checkLoss("negative_log_likelihood_loss", "f16", "", true));
}

TEST(LoweredCode, FindsTheLargest) {
  for (llvm::StringRef axis : {"0", "1", "-1"})
    EXPECT_TRUE(
        isAllCode({"3x5x17xf32", "3x5x17xf32"},
                  ("%y = inlay.hardmax %a {axis = " + axis +
                   " : i64} : (tensor<3x5x17xf32>) -> tensor<3x5x17xf32>")
                      .str(),
                  0));
}

// What follows from shapes is no step at all.
TEST(LoweredCode, KnowsExtents) {
  EXPECT_EQ(checkModerate({"3x4x5xf32", "2xi64"},
                          "%y = inlay.shape %a {start = 1 : i64} : "
                          "(tensor<3x4x5xf32>) -> tensor<2xi64>",
                          0),
            0u);
  EXPECT_TRUE(isAllCode({"3x4x5xf32", "i64"},
                        "%y = inlay.size %a : (tensor<3x4x5xf32>) -> "
                        "tensor<i64>",
                        0));
  EXPECT_TRUE(isAllCode({"3x4x5xf32", "3xi64"},
                        "%0 = inlay.shape %a : (tensor<3x4x5xf32>) -> "
                        "tensor<3xi64>\n"
                        "%1 = inlay.size %a : (tensor<3x4x5xf32>) -> "
                        "tensor<i64>\n"
                        "%y = inlay.add %0, %1 : (tensor<3xi64>, tensor<i64>) "
                        "-> tensor<3xi64>",
                        0));
}

// Places that are computed of where an element is, in vectors and beside them.
TEST(LoweredCode, CountsPlaces) {
  for (llvm::StringRef type : {"f32", "i8", "f64", "i1"})
    for (llvm::StringRef attributes :
         {"", "{upper = 0 : i64}", "{k = 2 : i64}",
          "{k = -3 : i64, upper = 0 : i64}", "{k = 100 : i64}"})
      EXPECT_EQ(checkModerate({"2x7x19x" + type.str(), "2x7x19x" + type.str()},
                              "%y = inlay.trilu %a " + attributes.str() +
                                  " : (tensor<2x7x19x" + type.str() +
                                  ">) -> tensor<2x7x19x" + type.str() + ">",
                              0),
                1u)
          << attributes.str() << " of " << type.str();
  EXPECT_EQ(checkModerate({"4x5xi64", "i64", "4x5xi64"},
                          "%y = inlay.trilu %a, k %b : (tensor<4x5xi64>, "
                          "tensor<i64>) -> tensor<4x5xi64>",
                          0),
            1u);
  EXPECT_EQ(checkModerate({"6x17xi32", "6x17xf32"},
                          "%y = inlay.eye_like %a {dtype = 1 : i64, k = 3 : "
                          "i64} : (tensor<6x17xi32>) -> tensor<6x17xf32>",
                          0),
            1u);
  EXPECT_TRUE(isAllCode({"2xf32", "3x21xf32"},
                        "%i = inlay.constant dense<[4, -1, 30]> : "
                        "tensor<3xi64>\n"
                        "%d = inlay.constant dense<21> : tensor<i64>\n"
                        "%y = inlay.one_hot %i, %d, %a : (tensor<3xi64>, "
                        "tensor<i64>, tensor<2xf32>) -> tensor<3x21xf32>",
                        0));
}

// Rounded once, as the executor does; f64 is so only where it has fused sums.
TEST(LoweredCode, CountsRanges) {
  for (auto [type, start, limit, delta] :
       {std::tuple("f32", "0.1", "2.0", "0.1"),
        std::tuple("f64", "3.0", "-3.0", "-0.33"),
        std::tuple("i32", "-5", "14", "1"), std::tuple("i16", "40", "2", "-2")})
    EXPECT_EQ(check({std::string(type), std::string("19x") + type},
                    std::string("%s = inlay.constant dense<") + start +
                        "> : tensor<" + type + ">\n%l = inlay.constant dense<" +
                        limit + "> : tensor<" + type +
                        ">\n%d = inlay.constant dense<" + delta +
                        "> : tensor<" + type +
                        ">\n%y = inlay.range %s, %l, %d : (tensor<" + type +
                        ">, tensor<" + type + ">, tensor<" + type +
                        ">) -> tensor<19x" + type + ">",
                    type == std::string("f64") ? 0x1p-50 : 0),
              1u)
        << type;
}

// Where shapes say what parameters must be, these need not be known.
TEST(LoweredCode, TakesParametersAtRunTime) {
  EXPECT_TRUE(isAllCode({"2x3xf32", "2xf32", "4x6xf32"},
                        "%c = inlay.constant dense<2.0> : tensor<2xf32>\n"
                        "%m = inlay.mul %b, %b : (tensor<2xf32>, "
                        "tensor<2xf32>) -> tensor<2xf32>\n"
                        "%l = inlay.min %m, %c : (tensor<2xf32>, "
                        "tensor<2xf32>) -> tensor<2xf32>\n"
                        "%x = inlay.max %l, %c : (tensor<2xf32>, "
                        "tensor<2xf32>) -> tensor<2xf32>\n"
                        "%r = inlay.cast %x {to = 7 : i64} : (tensor<2xf32>) "
                        "-> tensor<2xi64>\n"
                        "%y = inlay.tile %a, repeats %r : (tensor<2x3xf32>, "
                        "tensor<2xi64>) -> tensor<4x6xf32>",
                        0));
  std::string axis = "%f = inlay.sub %b, %b : (tensor<1xf32>, tensor<1xf32>) "
                     "-> tensor<1xf32>\n"
                     "%i = inlay.cast %f {to = 7 : i64} : (tensor<1xf32>) -> "
                     "tensor<1xi64>\n";
  EXPECT_TRUE(isAllCode({"5x7xf32", "1xf32", "1x7xf32"},
                        axis + "%y = inlay.reduce_sum %a, axes %i : "
                               "(tensor<5x7xf32>, tensor<1xi64>) -> "
                               "tensor<1x7xf32>",
                        tolerance));
  EXPECT_TRUE(isAllCode({"5x7xf32", "1xf32", "7xf32"},
                        axis + "%y = inlay.reduce_max %a, axes %i {keepdims = "
                               "0 : i64} : (tensor<5x7xf32>, tensor<1xi64>) "
                               "-> tensor<7xf32>",
                        0));
  // Either of both may be gone.
  EXPECT_FALSE(isAllCode({"5x5xf32", "1xf32", "5xf32"},
                         axis + "%y = inlay.reduce_sum %a, axes %i {keepdims "
                                "= 0 : i64} : (tensor<5x5xf32>, "
                                "tensor<1xi64>) -> tensor<5xf32>",
                         tolerance));
}

// Scales that are computed, and what no template has.
TEST(LoweredCode, Resizes) {
  for (auto [mode, coordinates, more] :
       {std::tuple("nearest", "half_pixel", ""),
        std::tuple("nearest", "align_corners",
                   ", nearest_mode = \"round_prefer_ceil\""),
        std::tuple("nearest", "asymmetric", ", nearest_mode = \"floor\""),
        std::tuple("linear", "half_pixel", ""),
        std::tuple("linear", "pytorch_half_pixel", ""),
        std::tuple("cubic", "align_corners", ""),
        std::tuple("cubic", "half_pixel", ", exclude_outside = 1 : i64")})
    EXPECT_TRUE(isAllCode(
        {"1x2x5x4xf32", "4xf32", "1x2x7x12xf32"},
        ("%0 = inlay.mul %b, %b : (tensor<4xf32>, tensor<4xf32>) -> "
         "tensor<4xf32>\n"
         "%1 = inlay.constant dense<0.0> : tensor<4xf32>\n"
         "%2 = inlay.constant dense<[1.0, 1.0, 1.5, 3.0]> : tensor<4xf32>\n"
         "%3 = inlay.min %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> "
         "tensor<4xf32>\n"
         "%s = inlay.add %3, %2 : (tensor<4xf32>, tensor<4xf32>) -> "
         "tensor<4xf32>\n"
         "%y = inlay.resize %a scales %s {mode = \"" +
         llvm::StringRef(mode) + "\", coordinate_transformation_mode = \"" +
         coordinates + "\"" + more +
         "} : (tensor<1x2x5x4xf32>, tensor<4xf32>) -> "
         "tensor<1x2x7x12xf32>")
            .str(),
        tolerance))
        << mode << " " << coordinates << more;
}

/// Numbers that are not known before the program runs.
static std::string makeParameters(llvm::StringRef values, llvm::StringRef type,
                                  llvm::StringRef name) {
  return ("%z" + name +
          " = inlay.sub %b, %b : (tensor<f32>, tensor<f32>) -> "
          "tensor<f32>\n%i" +
          name + " = inlay.cast %z" + name +
          " {to = 7 : i64} : (tensor<f32>) -> tensor<i64>\n%c" + name +
          " = inlay.constant dense<" + values + "> : tensor<" + type + ">\n%" +
          name + " = inlay.add %c" + name + ", %i" + name + " : (tensor<" +
          type + ">, tensor<i64>) -> tensor<" + type + ">\n")
      .str();
}

TEST(LoweredCode, SlicesAtRunTime) {
  for (auto [starts, ends, axes, steps, to] :
       {std::tuple("[1, -2]", "[9, 2]", "[0, -1]", "[2, -3]", "4x11xf32"),
        std::tuple("[30, 0]", "[-1000, 3]", "[1, 0]", "[-1, 1]", "3x31xf32"),
        std::tuple("[-7, 5]", "[1000, 36]", "[-2, 1]", "[3, 5]", "3x7xf32")}) {
    std::string body = makeParameters(starts, "2xi64", "s") +
                       makeParameters(ends, "2xi64", "e") +
                       makeParameters(axes, "2xi64", "x") +
                       makeParameters(steps, "2xi64", "t") +
                       "%y = inlay.slice %a starts %s ends %e axes %x steps "
                       "%t : (tensor<9x37xf32>, tensor<2xi64>, tensor<2xi64>, "
                       "tensor<2xi64>, tensor<2xi64>) -> tensor<" +
                       to + ">";
    EXPECT_TRUE(isAllCode({"9x37xf32", "f32", to}, body, 0)) << starts;
  }
  EXPECT_TRUE(isAllCode({"9x37xi8", "f32", "4x37xi8"},
                        makeParameters("2", "1xi64", "s") +
                            makeParameters("6", "1xi64", "e") +
                            "%y = inlay.slice %a starts %s ends %e : "
                            "(tensor<9x37xi8>, tensor<1xi64>, tensor<1xi64>) "
                            "-> tensor<4x37xi8>",
                        0));
}

TEST(LoweredCode, PadsAtRunTime) {
  for (llvm::StringRef mode : {"constant", "edge", "reflect", "wrap"})
    for (auto [pads, to] : {std::pair("[1, 2, 3, 19]", "9x28xf32"),
                            std::pair("[-1, 2, 0, -3]", "4x6xf32"),
                            std::pair("[0, 0, -4, 0]", "1x7xf32")})
      EXPECT_TRUE(isAllCode({"5x7xf32", "f32", to},
                            makeParameters(pads, "4xi64", "p") +
                                "%y = inlay.pad %a pads %p {mode = \"" +
                                mode.str() +
                                "\"} : (tensor<5x7xf32>, tensor<4xi64>) -> "
                                "tensor<" +
                                to + ">",
                            0))
          << mode.str() << " " << pads;
}

TEST(LoweredCode, SumsProducts) {
  for (auto [equation, a, b, to] :
       {std::tuple("bij,bjk->bik", "3x4x17xf32", "3x17x5xf32", "3x4x5xf32"),
        std::tuple("i,i", "19xf32", "19xf32", "f32"),
        std::tuple("...ij,ij->j...", "2x3x4xf32", "3x4xf32", "4x2xf32"),
        std::tuple("iij,kj->ki", "5x5x6xf32", "2x6xf32", "2x5xf32")})
    EXPECT_TRUE(isAllCode({a, b, to},
                          std::string("%y = inlay.einsum \"") + equation +
                              "\"(%a, %b) : (tensor<" + a + ">, tensor<" + b +
                              ">) -> tensor<" + to + ">",
                          tolerance))
        << equation;
  EXPECT_TRUE(isAllCode({"3x5x5xi32", "3x5xi32"},
                        "%y = inlay.einsum \"...ii->...i\"(%a) : "
                        "(tensor<3x5x5xi32>) -> tensor<3x5xi32>",
                        0));
}

// Where a part has no code the operator stays what it is.
TEST(LoweredCode, LeavesTheRest) {
  EXPECT_FALSE(isAllCode({"3x5xf8E5M2", "3x5xf8E5M2"},
                         "%y = inlay.hardmax %a : (tensor<3x5xf8E5M2>) -> "
                         "tensor<3x5xf8E5M2>",
                         0));
}
