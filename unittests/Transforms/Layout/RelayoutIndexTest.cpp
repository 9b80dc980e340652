//===- RelayoutIndexTest.cpp - Relayouts against the index map ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoredModule.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <random>

using namespace inlay;

namespace {
/// Random shapes and orders of them. Extents are products of small numbers, so
/// that dimensions can be split; many are equal and many are one.
class RandomOrders {
public:
  explicit RandomOrders(unsigned seed) : random(seed) {}

  /// The factors of each dimension, major first.
  using Factors = llvm::SmallVector<llvm::SmallVector<int64_t, 3>, 4>;

  Factors getFactors() {
    Factors dims(pick(1, 4));
    for (auto &factors : dims)
      for (int64_t i = pick(1, 3); i > 0; --i)
        factors.push_back(pick(1, 3));
    return dims;
  }

  /// An order in which each dimension is whole, split as `dims` says, split
  /// with its first two factors joined or, where `isBlocked`, in blocks.
  std::string getOrder(const Factors &dims, bool isBlocked = false) {
    llvm::SmallVector<std::string> atoms;
    std::string splits, blocks;
    for (auto [dim, factors] : llvm::enumerate(dims)) {
      llvm::SmallVector<int64_t, 3> own(factors);
      if (isBlocked && pick(0, 2) != 0) {
        blocks += blocks.empty() ? " block " : ", ";
        blocks += std::to_string(dim) + "=" + std::to_string(pick(2, 5));
        atoms.push_back(std::to_string(dim) + ":1");
        atoms.push_back(std::to_string(dim) + ":0");
        continue;
      }
      int64_t kind = pick(0, 2);
      if (kind == 0 || own.size() == 1) {
        atoms.push_back(std::to_string(dim));
        continue;
      }
      if (kind == 1 && own.size() == 3) {
        own[1] *= own[0];
        own.erase(own.begin());
      }
      splits += splits.empty() ? " split " : ", ";
      splits += std::to_string(dim) + "=";
      for (auto [i, factor] : llvm::enumerate(own)) {
        splits += (i ? "*" : "") + std::to_string(factor);
        atoms.push_back(std::to_string(dim) + ":" + std::to_string(i));
      }
    }
    std::shuffle(atoms.begin(), atoms.end(), random);
    if (!blocks.empty() && pick(0, 1))
      splits += " pad zero";
    return "Tensor as (" + llvm::join(atoms, ",") + ")" + blocks + splits;
  }

private:
  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }

  std::mt19937 random;
};
} // namespace

static std::string getType(const RandomOrders::Factors &dims,
                           llvm::StringRef order) {
  std::string text = "tensor<";
  for (const auto &factors : dims) {
    int64_t extent = 1;
    for (int64_t factor : factors)
      extent *= factor;
    text += std::to_string(extent) + "x";
  }
  return text + "f32, #inlay.layout<" + order.str() + ">>";
}

static HostTensor getNumbers(mlir::Type type) {
  HostTensor tensor(ElementType::Float,
                    mlir::cast<mlir::RankedTensorType>(type).getShape());
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    tensor.setDouble(i, double(i));
  return tensor;
}

TEST(Relayouts, PlaceElementsAsTheIndexMapsSay) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomOrders orders(seed);
    RandomOrders::Factors dims = orders.getFactors();
    std::string from = getType(dims, orders.getOrder(dims));
    std::string to = getType(dims, orders.getOrder(dims));
    std::string text = "func.func @main(%x: " + from + ") -> " + to +
                       " {\n  %y = inlay.relayout %x : (" + from + ") -> " +
                       to + "\n  return %y : " + to + "\n}";
    StoredModule module(text);
    mlir::Type fromType = module.getGraph().getArgumentTypes()[0];
    mlir::Type toType = module.getGraph().getResultTypes()[0];
    HostTensor logical = getNumbers(fromType);
    ASSERT_TRUE(module.materialize("")) << text;
    auto outputs = module.execute(store(logical, fromType));
    ASSERT_EQ(outputs.size(), 1u) << text;
    HostTensor expected = store(logical, toType);
    EXPECT_EQ(outputs[0].getShape(), expected.getShape()) << text;
    EXPECT_EQ(outputs[0].getBytes(), expected.getBytes()) << text;
  }
}

/// What is stored as `type` says, with `padding` behind what it does not know
/// to be zero.
static HostTensor storeWith(const HostTensor &logical, mlir::Type type,
                            float padding) {
  HostTensor ones(ElementType::Float, logical.getShape());
  for (int64_t i = 0; i < ones.getNumElements(); ++i)
    ones.setDouble(i, 1);
  HostTensor stored = store(logical, type), isElement = store(ones, type);
  if (getPadding(getStorageOrder(type)) == Padding::Zero)
    return stored;
  for (int64_t i = 0; i < stored.getNumElements(); ++i)
    if (isElement.getDouble(i) == 0)
      stored.setDouble(i, padding);
  return stored;
}

TEST(Relayouts, KeepPaddingApart) {
  unsigned numPadded = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    RandomOrders orders(seed);
    RandomOrders::Factors dims = orders.getFactors();
    std::string from = getType(dims, orders.getOrder(dims, seed % 3 != 1));
    std::string to = getType(dims, orders.getOrder(dims, seed % 3 != 2));
    std::string text = "func.func @main(%x: " + from + ") -> " + to +
                       " {\n  %y = inlay.relayout %x : (" + from + ") -> " +
                       to + "\n  return %y : " + to + "\n}";
    StoredModule module(text);
    mlir::Type fromType = module.getGraph().getArgumentTypes()[0];
    mlir::Type toType = module.getGraph().getResultTypes()[0];
    HostTensor logical = getNumbers(fromType);
    ASSERT_TRUE(module.materialize("")) << text;
    // Different padding, the same elements; zeros where they are promised.
    for (float padding : {NAN, INFINITY}) {
      auto outputs = module.execute(storeWith(logical, fromType, padding));
      ASSERT_EQ(outputs.size(), 1u) << text;
      HostTensor expected = storeWith(logical, toType, -1);
      ASSERT_EQ(outputs[0].getShape(), expected.getShape()) << text;
      for (int64_t i = 0; i < expected.getNumElements(); ++i)
        if (expected.getDouble(i) != -1)
          ASSERT_EQ(outputs[0].getDouble(i), expected.getDouble(i)) << text;
      numPadded += expected.getNumElements() != logical.getNumElements();
    }
  }
  EXPECT_GT(numPadded, 200u);
}

TEST(Relayouts, CutAndJoinBehindUnknownExtents) {
  std::string plain = "tensor<?x20x?x?xf32>";
  for (llvm::StringRef order :
       {"NC1HWC0 block 16 pad zero", "NC1HWC0 block 16", "C1NHWC0 block 32",
        "NC1HWC0 split C=4*5", "HWNC0C1 split C=4*5"}) {
    std::string blocked =
        "tensor<?x20x?x?xf32, #inlay.layout<NCHW as " + order.str() + ">>";
    for (bool isBack : {false, true}) {
      const std::string &from = isBack ? blocked : plain;
      const std::string &to = isBack ? plain : blocked;
      StoredModule module("func.func @main(%x: " + from + ") -> " + to +
                          " {\n  %y = inlay.relayout %x : (" + from + ") -> " +
                          to + "\n  return %y : " + to + "\n}");
      mlir::Type fromType = module.getGraph().getArgumentTypes()[0];
      mlir::Type toType = module.getGraph().getResultTypes()[0];
      HostTensor logical(ElementType::Float, {2, 20, 3, 4});
      for (int64_t i = 0; i < logical.getNumElements(); ++i)
        logical.setDouble(i, double(i + 1));
      ASSERT_TRUE(module.materialize("")) << order.str();
      auto outputs = module.execute(store(logical, fromType));
      ASSERT_EQ(outputs.size(), 1u) << order.str();
      HostTensor expected = store(logical, toType);
      EXPECT_EQ(outputs[0].getShape(), expected.getShape()) << order.str();
      EXPECT_EQ(outputs[0].getBytes(), expected.getBytes()) << order.str();
    }
  }
}

TEST(Relayouts, OfConstantsPlaceElementsAsTheIndexMapsSay) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    RandomOrders orders(seed);
    RandomOrders::Factors dims = orders.getFactors();
    std::string to = getType(dims, orders.getOrder(dims, seed % 2));
    std::string from = getType(dims, "Tensor");
    std::string text = "func.func @main() -> " + to +
                       " {\n  %x = inlay.constant dense<0.0> : " + from +
                       "\n  %y = inlay.relayout %x : (" + from + ") -> " + to +
                       "\n  return %y : " + to + "\n}";
    StoredModule module(text);
    mlir::Type toType = module.getGraph().getResultTypes()[0];
    HostTensor logical = getNumbers(toType);
    module.get().walk([&](ConstantOp op) {
      auto type = mlir::cast<mlir::ShapedType>(op.getType());
      op.setValueAttr(
          mlir::DenseElementsAttr::get(type, logical.getData<float>()));
    });
    ASSERT_TRUE(module.materialize("")) << text;
    module.get().walk([&](TransposeOp) { ADD_FAILURE() << text; });
    auto outputs = module.execute({});
    ASSERT_EQ(outputs.size(), 1u) << text;
    EXPECT_EQ(outputs[0].getBytes(), store(logical, toType).getBytes()) << text;
  }
}

// The twin: another order is not the same.
TEST(Relayouts, OfAnotherOrderDiffer) {
  StoredModule module(R"(
    func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32, #inlay.layout<Tensor as (1,0)>> {
      %y = inlay.relayout %x : (tensor<2x3xf32>) -> tensor<2x3xf32, #inlay.layout<Tensor as (1,0)>>
      return %y : tensor<2x3xf32, #inlay.layout<Tensor as (1,0)>>
    })");
  HostTensor logical = getNumbers(module.getGraph().getArgumentTypes()[0]);
  ASSERT_TRUE(module.materialize(""));
  auto outputs = module.execute(logical);
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_NE(outputs[0].getBytes(), logical.getBytes());
}
