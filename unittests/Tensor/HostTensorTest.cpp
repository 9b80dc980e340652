//===- HostTensorTest.cpp - Tests of host tensors -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/HostTensor.h"
#include "TensorTesting.h"
#include <cmath>

using namespace inlay;
using namespace inlay::testing;

TEST(HostTensor, StartsAsZeros) {
  HostTensor tensor(ElementType::Float, {2, 3});
  expectValues(tensor, {0, 0, 0, 0, 0, 0});
  EXPECT_EQ(HostTensor(ElementType::String, {2}).getStrings()[1], "");
}

TEST(HostTensor, IsFalseOnlyWithoutATensor) {
  EXPECT_FALSE(HostTensor());
  EXPECT_TRUE(HostTensor(ElementType::Int8, {0}));
}

TEST(HostTensor, CountsElementsOfShapes) {
  EXPECT_EQ(getNumElements({}), 1);
  EXPECT_EQ(getNumElements({2, 3, 4}), 24);
  EXPECT_EQ(getNumElements({2, 0}), 0);
}

TEST(HostTensor, RefusesToCountNegativeAndOverflowingShapes) {
  int64_t huge = int64_t(1) << 62;
  EXPECT_EQ(getNumElements({2, -1}), std::nullopt);
  EXPECT_EQ(getNumElements({huge, 4}), std::nullopt);
  EXPECT_EQ(getNumElements({huge, 4, 0}), std::nullopt);
}

TEST(HostTensor, AllocationRefusesAbsurdShapes) {
  int64_t huge = int64_t(1) << 45;
  EXPECT_EQ(takeMessage(HostTensor::allocate(ElementType::Float, {huge})),
            "a tensor of float of shape 35184372088832 does not fit into "
            "memory");
  EXPECT_NE(takeMessage(HostTensor::allocate(ElementType::Float, {-1})), "");
  EXPECT_NE(takeMessage(HostTensor::allocate(ElementType::String, {huge})), "");
  EXPECT_NE(takeMessage(HostTensor::allocate(ElementType::Undefined, {1})), "");
}

TEST(HostTensor, AllocatesLargeZerosLazily) {
  HostTensor tensor =
      take(HostTensor::allocate(ElementType::Float, {int64_t(1) << 28}));
  EXPECT_EQ(tensor.getDouble(12345), 0);
}

TEST(HostTensor, LargeOnesAreZerosInMemoryThatWasUsed) {
  for (int64_t count : {(1 << 20) - 1, 1 << 20, (3 << 20) + 5})
    for (int turn = 0; turn < 3; ++turn) {
      HostTensor tensor(ElementType::Float, {count});
      llvm::MutableArrayRef<float> data = tensor.getMutable<float>();
      ASSERT_TRUE(llvm::all_of(data, [](float x) { return x == 0; })) << count;
      std::ranges::fill(data, 1);
    }
}

TEST(HostTensor, CopiesShareElements) {
  HostTensor a = HostTensor::getInts({1, 2, 3});
  HostTensor b = a;
  EXPECT_EQ(a.getBytes().data(), b.getBytes().data());
  EXPECT_EQ(a.reshaped({3, 1}).getBytes().data(), a.getBytes().data());
  EXPECT_EQ(shapeOf(a.reshaped({3, 1})), (std::vector<int64_t>{3, 1}));
}

TEST(HostTensor, ViewsKeepTheirOwnerAlive) {
  auto owner = std::make_shared<std::vector<float>>(2, 1.5f);
  std::weak_ptr<std::vector<float>> watch = owner;
  llvm::ArrayRef<char> bytes(reinterpret_cast<char *>(owner->data()), 8);
  {
    HostTensor view =
        HostTensor::view(ElementType::Float, {2}, bytes, std::move(owner));
    EXPECT_FALSE(watch.expired());
    expectValues(view, {1.5, 1.5});
  }
  EXPECT_TRUE(watch.expired());
}

TEST(HostTensor, ViewsOfMisalignedBytesAreCopies) {
  alignas(8) char bytes[9] = {0, 1, 0, 0, 0, 2, 0, 0, 0};
  HostTensor view = HostTensor::view(ElementType::Int32, {2},
                                     llvm::ArrayRef<char>(bytes + 1, 8), {});
  EXPECT_NE(view.getBytes().data(), bytes + 1);
  expectValues(view, {1, 2});
}

TEST(HostTensor, StoresNumbersOfEveryNumericType) {
  for (int64_t code = 1; code <= lastElementType; ++code) {
    ElementType type = *getElementType(code);
    if (!isNumeric(type))
      continue;
    HostTensor tensor(type, {2});
    tensor.setDouble(0, 1.0);
    tensor.setInt(1, 1);
    EXPECT_EQ(tensor.getDouble(0), 1.0) << getName(type).str();
    EXPECT_EQ(tensor.getInt(1), 1) << getName(type).str();
  }
}

TEST(HostTensor, WrapsIntegersToTheirWidth) {
  HostTensor int4(ElementType::Int4, {1}), uint2(ElementType::UInt2, {1});
  HostTensor uint8(ElementType::UInt8, {1});
  int4.setInt(0, 9);
  uint2.setInt(0, 7);
  uint8.setDouble(0, -1.0);
  EXPECT_EQ(int4.getInt(0), -7);
  EXPECT_EQ(uint2.getInt(0), 3);
  EXPECT_EQ(uint8.getInt(0), 255);
}

TEST(HostTensor, TruncatesFloatsWithoutOverflow) {
  HostTensor tensor =
      makeTensor(ElementType::Double, {4}, {-2.9, 1e300, -1e300, std::nan("")});
  EXPECT_EQ(tensor.getInts(),
            (llvm::SmallVector<int64_t>{-2, INT64_MAX, INT64_MIN, 0}));
}

TEST(HostTensor, FormatsShapes) {
  EXPECT_EQ(formatShape({}), "scalar");
  EXPECT_EQ(formatShape({2, 3}), "2x3");
  EXPECT_EQ(formatShape({std::numeric_limits<int64_t>::min(), 3}), "?x3");
}
