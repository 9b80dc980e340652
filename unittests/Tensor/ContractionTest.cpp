//===- ContractionTest.cpp - Tests of matmul, gemm and einsum -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Contraction.h"
#include "TensorTesting.h"
#include "inlay/Tensor/EinsumEquation.h"
#include "inlay/Tensor/Window.h"
#include <random>

using namespace inlay;
using namespace inlay::kernels;
using namespace inlay::testing;

namespace {
HostTensor randomTensor(ElementType type, llvm::ArrayRef<int64_t> shape,
                        std::mt19937 &random) {
  HostTensor tensor(type, shape);
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    tensor.setDouble(i, double(int(random() % 17)) - 8);
  return tensor;
}
} // namespace

//===----------------------------------------------------------------------===//
// MatMul
//===----------------------------------------------------------------------===//

TEST(Matmul, MultipliesMatricesOfEveryNumericType) {
  for (ElementType type :
       {ElementType::Float, ElementType::Double, ElementType::Float16,
        ElementType::BFloat16, ElementType::Int32, ElementType::UInt64}) {
    HostTensor a = makeTensor(type, {2, 3}, {1, 2, 3, 4, 5, 6});
    HostTensor b = makeTensor(type, {3, 2}, {1, 0, 2, 1, 0, 3});
    HostTensor y = take(matmul(a, b));
    EXPECT_EQ(y.getType(), type);
    EXPECT_EQ(shapeOf(y), (std::vector<int64_t>{2, 2}));
    expectValues(y, {5, 11, 14, 23});
  }
}

TEST(Matmul, VectorsAreRowsAndColumns) {
  HostTensor vector = floats({2}, {1, 2});
  HostTensor matrix = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  HostTensor dot = take(matmul(vector, vector));
  EXPECT_EQ(shapeOf(dot), (std::vector<int64_t>{}));
  expectValues(dot, {5});
  expectValues(take(matmul(vector, matrix)), {9, 12, 15});
  expectValues(take(matmul(floats({3, 2}, {1, 2, 3, 4, 5, 6}), vector)),
               {5, 11, 17});
}

TEST(Matmul, BroadcastsBatches) {
  HostTensor a = floats({2, 1, 1, 2}, {1, 2, 3, 4});
  HostTensor b = floats({2, 2, 1}, {1, 1, 2, 0});
  HostTensor y = take(matmul(a, b));
  EXPECT_EQ(shapeOf(y), (std::vector<int64_t>{2, 2, 1, 1}));
  expectValues(y, {3, 2, 7, 6});
}

TEST(Matmul, AgreesWithTheDefinitionAcrossBlocks) {
  std::mt19937 random(1);
  for (auto [m, n, k] : {std::tuple{1, 700, 300},
                         {3, 5, 600},
                         {130, 515, 259},
                         {129, 7, 1},
                         {5, 513, 257}}) {
    for (ElementType type : {ElementType::Float, ElementType::Int64}) {
      HostTensor a = randomTensor(type, {m, k}, random);
      HostTensor b = randomTensor(type, {k, n}, random);
      HostTensor y = take(matmul(a, b));
      for (int check = 0; check < 200; ++check) {
        int64_t row = random() % m, column = random() % n, sum = 0;
        for (int64_t i = 0; i < k; ++i)
          sum += a.getInt(row * k + i) * b.getInt(i * n + column);
        ASSERT_EQ(y.getInt(row * n + column), sum);
      }
    }
  }
}

TEST(Matmul, SumsInDouble) {
  // In single precision the 1 would be lost.
  HostTensor a = floats({3}, {0x1p30, 1, -0x1p30});
  expectValues(take(matmul(a, floats({3}, {1, 1, 1}))), {1});
}

TEST(Matmul, IntegersWrap) {
  HostTensor a = HostTensor::getInts({std::numeric_limits<int64_t>::max()});
  EXPECT_EQ(take(matmul(a, HostTensor::getInts({2}))).getInt(0), -2);
}

TEST(Matmul, EmptySumsAreZeroAndEmptyResultsEmpty) {
  expectValues(take(matmul(floats({1, 0}, {}), floats({0, 2}, {}))), {0, 0});
  EXPECT_EQ(shapeOf(take(matmul(floats({0, 2}, {}),
                                floats({2, 3}, {1, 2, 3, 4, 5, 6})))),
            (std::vector<int64_t>{0, 3}));
}

TEST(Matmul, RefusesShapesAndTypesThatDoNotFit) {
  HostTensor a = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_NE(takeMessage(matmul(a, a)), "");
  EXPECT_NE(takeMessage(matmul(a, floats({}, {1}))), "");
  EXPECT_NE(takeMessage(matmul(a, HostTensor(ElementType::Double, {3}))), "");
  EXPECT_NE(takeMessage(matmul(HostTensor(ElementType::Float, {2, 1, 3}),
                               HostTensor(ElementType::Float, {3, 3, 1}))),
            "");
  HostTensor strings(ElementType::String, {1, 1});
  EXPECT_NE(takeMessage(matmul(strings, strings)), "");
}

//===----------------------------------------------------------------------===//
// Gemm
//===----------------------------------------------------------------------===//

TEST(Gemm, TransposesScalesAndAdds) {
  HostTensor a = floats({3, 2}, {1, 4, 2, 5, 3, 6});
  HostTensor b = floats({2, 3}, {1, 2, 0, 0, 1, 3});
  HostTensor row = floats({2}, {1, 2});
  HostTensor column = floats({2, 1}, {1, 2});
  HostTensor scalar = floats({}, {1});
  expectValues(take(gemm(a, b, nullptr, 1, 1, true, true)), {5, 11, 14, 23});
  expectValues(take(gemm(a, b, &row, 2, 10, true, true)), {20, 42, 38, 66});
  expectValues(take(gemm(a, b, &column, 1, 1, true, true)), {6, 12, 16, 25});
  expectValues(take(gemm(a, b, &scalar, 1, -1, true, true)), {4, 10, 13, 22});
}

TEST(Gemm, DoesNotReadWhatBetaTakesAway) {
  HostTensor a = floats({1, 2}, {1, 2});
  HostTensor b = floats({2, 2}, {1, 2, 3, 4});
  HostTensor c = floats({2}, {NAN, INFINITY});
  expectValues(take(gemm(a, b, &c, 1, 0, false, false)), {7, 10});
  EXPECT_TRUE(
      std::isnan(take(gemm(a, b, &c, 1, 1, false, false)).getDouble(0)));
}

TEST(Gemm, IntegersStayExact) {
  HostTensor a = HostTensor::getInts({int64_t(1) << 60}).reshaped({1, 1});
  HostTensor three = HostTensor::getInts({3}).reshaped({1, 1});
  EXPECT_EQ(take(gemm(a, three, &three, 1, 1, false, false)).getInt(0),
            3 * (int64_t(1) << 60) + 3);
}

TEST(Gemm, RefusesAddendThatDoesNotBroadcast) {
  HostTensor a = floats({2, 2}, {1, 2, 3, 4});
  HostTensor c = floats({3}, {1, 2, 3});
  HostTensor high = floats({1, 2, 2}, {1, 2, 3, 4});
  EXPECT_NE(takeMessage(gemm(a, a, &c, 1, 1, false, false)), "");
  EXPECT_NE(takeMessage(gemm(a, a, &high, 1, 1, false, false)), "");
  EXPECT_NE(takeMessage(gemm(a, c, nullptr, 1, 1, false, false)), "");
}

//===----------------------------------------------------------------------===//
// Quantized products
//===----------------------------------------------------------------------===//

TEST(MatmulInteger, SubtractsZeroPointsPerRowAndColumn) {
  HostTensor a = makeTensor(ElementType::UInt8, {2, 2}, {11, 7, 3, 10});
  HostTensor b = makeTensor(ElementType::Int8, {2, 2}, {1, 4, 2, 5});
  HostTensor twelve = makeTensor(ElementType::UInt8, {1}, {12});
  HostTensor rows = makeTensor(ElementType::UInt8, {2}, {1, 2});
  HostTensor columns = makeTensor(ElementType::Int8, {2}, {1, 2});
  HostTensor y = take(matmulInteger(a, b, &twelve, nullptr));
  EXPECT_EQ(y.getType(), ElementType::Int32);
  expectValues(y, {-11, -29, -13, -46});
  expectValues(take(matmulInteger(a, b, &rows, &columns)), {6, 38, 8, 26});
}

TEST(MatmulInteger, RefusesOtherZeroPoints) {
  HostTensor a = makeTensor(ElementType::UInt8, {2, 2}, {11, 7, 3, 10});
  HostTensor three = makeTensor(ElementType::UInt8, {3}, {1, 2, 3});
  HostTensor typed = makeTensor(ElementType::Int8, {}, {1});
  EXPECT_NE(takeMessage(matmulInteger(a, a, &three, nullptr)), "");
  EXPECT_NE(takeMessage(matmulInteger(a, a, &typed, nullptr)), "");
  EXPECT_NE(
      takeMessage(matmulInteger(floats({1, 1}, {1}), a, nullptr, nullptr)), "");
}

TEST(QLinearMatmul, RoundsHalvesToEvenAndSaturates) {
  HostTensor a = makeTensor(ElementType::UInt8, {1, 1}, {5});
  HostTensor b = makeTensor(ElementType::UInt8, {1, 4}, {1, 3, 255, 0});
  HostTensor zero = makeTensor(ElementType::UInt8, {}, {0});
  HostTensor three = makeTensor(ElementType::UInt8, {}, {3});
  HostTensor half = floats({}, {0.5}), one = floats({}, {1});
  // 2.5 and 7.5 round to 2 and 8; the zero point is added afterwards.
  expectValues(
      take(qlinearMatmul(a, {half, zero}, b, {one, zero}, {one, three})),
      {5, 11, 255, 3});
  HostTensor columns = floats({4}, {1, 2, 1, 1});
  HostTensor zeros = makeTensor(ElementType::UInt8, {4}, {0, 0, 0, 0});
  expectValues(
      take(qlinearMatmul(a, {half, zero}, b, {columns, zeros}, {one, zero})),
      {2, 15, 255, 0});
}

//===----------------------------------------------------------------------===//
// Einsum
//===----------------------------------------------------------------------===//

TEST(Einsum, ContractsTransposesSumsAndTakesDiagonals) {
  HostTensor a = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  HostTensor b = floats({3, 2}, {1, 0, 2, 1, 0, 3});
  HostTensor square = floats({2, 2}, {1, 2, 3, 4});
  expectValues(take(einsum("ij,jk->ik", {a, b})), {5, 11, 14, 23});
  expectValues(take(einsum("ij,jk", {a, b})), {5, 11, 14, 23});
  expectValues(take(einsum(" i j -> j i ", {a})), {1, 4, 2, 5, 3, 6});
  expectValues(take(einsum("ba", {a})), {1, 4, 2, 5, 3, 6});
  expectValues(take(einsum("ij->i", {a})), {6, 15});
  expectValues(take(einsum("ii->i", {square})), {1, 4});
  expectValues(take(einsum("ii", {square})), {5});
  expectValues(take(einsum("ij,kl->", {square, square})), {100});
}

TEST(Einsum, BroadcastsEllipses) {
  HostTensor a = floats({2, 1, 2}, {1, 2, 3, 4});
  HostTensor b = floats({2, 1}, {1, 10});
  HostTensor y = take(einsum("...ij,...jk->...ik", {a, b}));
  EXPECT_EQ(shapeOf(y), (std::vector<int64_t>{2, 1, 1}));
  expectValues(y, {21, 43});
  HostTensor sum = take(einsum("...i->...", {a}));
  EXPECT_EQ(shapeOf(sum), (std::vector<int64_t>{2, 1}));
  expectValues(sum, {3, 7});
}

TEST(Einsum, DistinguishesCasesAndTakesManyOperands) {
  HostTensor x = floats({2}, {1, 2}), y = floats({3}, {1, 2, 3});
  HostTensor z = floats({2, 3}, {1, 1, 1, 1, 1, 1});
  expectValues(take(einsum("a,A,aA->Aa", {x, y, z})), {1, 2, 2, 4, 3, 6});
  expectValues(take(einsum("i,j,ij->", {x, y, z})), {18});
}

TEST(Einsum, StretchesSizesOfOne) {
  HostTensor x = floats({1}, {2}), y = floats({3}, {1, 2, 3});
  expectValues(take(einsum("i,i->i", {x, y})), {2, 4, 6});
  expectValues(take(einsum("i,i->", {x, y})), {12});
}

TEST(Einsum, AgreesWithTheDefinition) {
  std::mt19937 random(3);
  HostTensor a = randomTensor(ElementType::Int32, {2, 3, 4, 5}, random);
  HostTensor b = randomTensor(ElementType::Int32, {5, 2, 3, 6}, random);
  HostTensor y = take(einsum("abcd,dabe->bce", {a, b}));
  ASSERT_EQ(shapeOf(y), (std::vector<int64_t>{3, 4, 6}));
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < 4; ++k)
      for (int m = 0; m < 6; ++m) {
        int64_t sum = 0;
        for (int i = 0; i < 2; ++i)
          for (int l = 0; l < 5; ++l)
            sum += a.getInt(((i * 3 + j) * 4 + k) * 5 + l) *
                   b.getInt(((l * 2 + i) * 3 + j) * 6 + m);
        ASSERT_EQ(y.getInt((j * 4 + k) * 6 + m), sum);
      }
}

TEST(Einsum, RefusesEquationsThatDoNotFit) {
  HostTensor a = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  for (const char *equation : {"i->i", "ijk->i", "ij,jk->ik", "ij->k", "ij->ii",
                               "i1->i", "ii->i", "......ij->ij", "i.j->ij"})
    EXPECT_NE(takeMessage(einsum(equation, {a})), "") << equation;
  EXPECT_NE(takeMessage(einsum("ij,ij->", {a, floats({2, 2}, {1, 2, 3, 4})})),
            "");
  EXPECT_NE(takeMessage(einsum("", {})), "");
}

TEST(Einsum, InfersShapesWithUnknownSizes) {
  EXPECT_EQ(take(inferEinsumShape("bij,bjk->bik",
                                  {{unknownDim, 2, 3}, {4, 3, unknownDim}})),
            (HostTensor::Shape{4, 2, unknownDim}));
}
