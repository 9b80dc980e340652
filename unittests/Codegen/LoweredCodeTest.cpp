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

// Where a part has no code the operator stays what it is.
TEST(LoweredCode, LeavesTheRest) {
  EXPECT_FALSE(isAllCode({"3x5xf8E5M2", "3x5xf8E5M2"},
                         "%y = inlay.hardmax %a : (tensor<3x5xf8E5M2>) -> "
                         "tensor<3x5xf8E5M2>",
                         0));
}
