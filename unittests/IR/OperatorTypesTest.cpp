//===- OperatorTypesTest.cpp - What operators infer of their results ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParsedOperation.h"
#include <gtest/gtest.h>

using namespace inlay;
using namespace inlay::testing;

/// The inferred result types of the last operation, "invalid" when inference
/// refuses it.
static std::string infer(llvm::StringRef arguments, llvm::StringRef text) {
  ParsedOperation parsed(arguments, text);
  mlir::Operation *op = parsed.get();
  if (!op)
    return "does not parse";
  if (mlir::failed(refineResultTypes(op)))
    return "invalid";
  std::string types;
  llvm::raw_string_ostream os(types);
  llvm::interleaveComma(op->getResultTypes(), os);
  return types;
}

TEST(OperatorTypes, BinaryOperatorsBroadcast) {
  EXPECT_EQ(infer("%x: tensor<?x1xf32>, %y: tensor<4x?x5xf32>",
                  "inlay.add %x, %y : (tensor<?x1xf32>, tensor<4x?x5xf32>)"
                  " -> !inlay.unknown"),
            "tensor<4x?x5xf32>");
}

TEST(OperatorTypes, UnrankedOperandsGiveTheElementType) {
  EXPECT_EQ(infer("%x: tensor<*xf16>, %y: tensor<4xf16>",
                  "inlay.add %x, %y : (tensor<*xf16>, tensor<4xf16>)"
                  " -> !inlay.unknown"),
            "tensor<*xf16>");
}

TEST(OperatorTypes, UndeclaredOperandsGiveNothing) {
  EXPECT_EQ(infer("%x: !inlay.unknown",
                  "inlay.abs %x : (!inlay.unknown) -> !inlay.unknown"),
            "!inlay.unknown");
}

TEST(OperatorTypes, ComparisonsGiveBooleans) {
  EXPECT_EQ(infer("%x: tensor<4xi64>",
                  "inlay.less %x, %x : (tensor<4xi64>, tensor<4xi64>)"
                  " -> !inlay.unknown"),
            "tensor<4xi1>");
  EXPECT_EQ(infer("%x: tensor<4xf32>",
                  "inlay.is_nan %x : (tensor<4xf32>) -> !inlay.unknown"),
            "tensor<4xi1>");
}

TEST(OperatorTypes, PowersHaveTheTypeOfTheBase) {
  EXPECT_EQ(infer("%x: tensor<4xf32>, %y: tensor<i64>",
                  "inlay.pow %x, %y : (tensor<4xf32>, tensor<i64>)"
                  " -> !inlay.unknown"),
            "tensor<4xf32>");
}

TEST(OperatorTypes, ConversionsHaveTheTypeAskedFor) {
  EXPECT_EQ(infer("%x: tensor<?xf32>",
                  "inlay.cast %x {to = 8 : i64} : (tensor<?xf32>)"
                  " -> !inlay.unknown"),
            "tensor<?x!inlay.string>");
  EXPECT_EQ(infer("%x: tensor<?xf32>, %t: tensor<3xui8>",
                  "inlay.cast_like %x, %t : (tensor<?xf32>, tensor<3xui8>)"
                  " -> !inlay.unknown"),
            "tensor<?xui8>");
}

TEST(OperatorTypes, ReductionsDropTheirAxes) {
  EXPECT_EQ(infer("%x: tensor<2x?x4xf32>",
                  "inlay.reduce_sum %x {axes = array<i64: -1>,"
                  " keepdims = 0 : i64} : (tensor<2x?x4xf32>)"
                  " -> !inlay.unknown"),
            "tensor<2x?xf32>");
}

TEST(OperatorTypes, ReductionsWithoutAxesGiveOneElement) {
  EXPECT_EQ(infer("%x: tensor<2x?xf32>",
                  "inlay.reduce_max %x {keepdims = 0 : i64}"
                  " : (tensor<2x?xf32>) -> !inlay.unknown"),
            "tensor<f32>");
}

TEST(OperatorTypes, AxesOfRunTimeGiveTheRank) {
  const char *arguments = "%x: tensor<2x3x1xf32>, %a: tensor<2xi64>";
  EXPECT_EQ(infer(arguments, "inlay.reduce_sum %x, axes %a"
                             " : (tensor<2x3x1xf32>, tensor<2xi64>)"
                             " -> !inlay.unknown"),
            "tensor<?x?x1xf32>");
  EXPECT_EQ(infer(arguments, "inlay.reduce_sum %x, axes %a"
                             " {keepdims = 0 : i64}"
                             " : (tensor<2x3x1xf32>, tensor<2xi64>)"
                             " -> !inlay.unknown"),
            "tensor<?xf32>");
}

TEST(OperatorTypes, AxesOfUnknownNumberGiveNoRank) {
  EXPECT_EQ(infer("%x: tensor<2x3xf32>, %a: tensor<?xi64>",
                  "inlay.reduce_sum %x, axes %a {keepdims = 0 : i64}"
                  " : (tensor<2x3xf32>, tensor<?xi64>) -> !inlay.unknown"),
            "tensor<*xf32>");
}

TEST(OperatorTypes, ConstantAxesAreKnown) {
  EXPECT_EQ(infer("%x: tensor<2x3xf32>",
                  "%a = inlay.constant dense<1> : tensor<1xi64>\n"
                  "%y = inlay.reduce_sum %x, axes %a"
                  " : (tensor<2x3xf32>, tensor<1xi64>) -> !inlay.unknown"),
            "tensor<2x1xf32>");
}

TEST(OperatorTypes, PositionsAreIntegers) {
  EXPECT_EQ(infer("%x: tensor<2x3xf32>",
                  "inlay.argmax %x {axis = 1 : i64} : (tensor<2x3xf32>)"
                  " -> !inlay.unknown"),
            "tensor<2x1xi64>");
  EXPECT_EQ(infer("%x: tensor<2x3xf32>",
                  "%y:2 = inlay.topk %x {k = 2 : i64} : (tensor<2x3xf32>)"
                  " -> (!inlay.unknown, !inlay.unknown)"),
            "tensor<2x2xf32>, tensor<2x2xi64>");
}

TEST(OperatorTypes, NormalisationsReportTheirStatistics) {
  EXPECT_EQ(infer("%x: tensor<2x3x4xf16>, %s: tensor<4xf16>",
                  "%y:3 = inlay.layer_normalization %x, %s"
                  " : (tensor<2x3x4xf16>, tensor<4xf16>)"
                  " -> (!inlay.unknown, !inlay.unknown, !inlay.unknown)"),
            "tensor<2x3x4xf16>, tensor<2x3x1xf32>, tensor<2x3x1xf32>");
}

TEST(OperatorTypes, LossesAreReducedUnlessAskedOtherwise) {
  const char *arguments = "%x: tensor<2x3x4xf32>, %t: tensor<2x4xi64>";
  EXPECT_EQ(infer(arguments, "inlay.negative_log_likelihood_loss %x, %t"
                             " : (tensor<2x3x4xf32>, tensor<2x4xi64>)"
                             " -> !inlay.unknown"),
            "tensor<f32>");
  EXPECT_EQ(infer(arguments, "inlay.negative_log_likelihood_loss %x, %t"
                             " {reduction = \"none\"}"
                             " : (tensor<2x3x4xf32>, tensor<2x4xi64>)"
                             " -> !inlay.unknown"),
            "tensor<2x4xf32>");
}

TEST(OperatorTypes, QuantisedTypeIsTheZeroPoints) {
  const char *arguments =
      "%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<i8>";
  EXPECT_EQ(infer(arguments, "inlay.quantize_linear %x, %s, %z"
                             " : (tensor<2x3xf32>, tensor<f32>, tensor<i8>)"
                             " -> !inlay.unknown"),
            "tensor<2x3xi8>");
  EXPECT_EQ(infer(arguments, "inlay.quantize_linear %x, %s"
                             " : (tensor<2x3xf32>, tensor<f32>)"
                             " -> !inlay.unknown"),
            "tensor<2x3xui8>");
}

TEST(OperatorTypes, QuantisedTypeIsTheOneAskedFor) {
  EXPECT_EQ(infer("%x: tensor<2xf32>, %s: tensor<f32>",
                  "inlay.quantize_linear %x, %s {output_dtype = 22 : i64}"
                  " : (tensor<2xf32>, tensor<f32>) -> !inlay.unknown"),
            "tensor<2xi4>");
  EXPECT_EQ(infer("%x: tensor<2xi8>, %s: tensor<f32>",
                  "inlay.dequantize_linear %x, %s {output_dtype = 10 : i64}"
                  " : (tensor<2xi8>, tensor<f32>) -> !inlay.unknown"),
            "tensor<2xf16>");
}
