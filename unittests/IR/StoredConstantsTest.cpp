//===- StoredConstantsTest.cpp - Constants in another storage order -------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/StoredConstants.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Support/Error.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <numeric>
#include <random>

using namespace inlay;
using mlir::dyn_cast;
using mlir::isa;

namespace {
class StoredConstants : public ::testing::Test {
protected:
  StoredConstants() { context.loadDialect<InlayDialect>(); }

  /// A constant of numbers that differ as far as the type allows.
  mlir::TypedAttr makeConstant(ElementType type,
                               llvm::ArrayRef<int64_t> shape) {
    HostTensor tensor(type, shape);
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      tensor.setInt(i, type == ElementType::Bool ? random() % 2 : i + 1);
    return getConstantAttr(&context, tensor);
  }

  static llvm::ArrayRef<int64_t> getShape(mlir::TypedAttr value) {
    return llvm::cast<mlir::ShapedType>(value.getType()).getShape();
  }

  mlir::MLIRContext context;
  std::mt19937 random{1};
};
} // namespace

static Layout parse(llvm::StringRef text) {
  return llvm::cantFail(Layout::parse(text));
}

static HostTensor read(mlir::Attribute value) {
  auto tensor = getHostTensor(value);
  if (tensor)
    return *tensor;
  ADD_FAILURE() << llvm::toString(tensor.takeError());
  return HostTensor(ElementType::Float, {0});
}

/// `base` in the storage order `layout`, element by element.
static HostTensor storeSlowly(const HostTensor &base, const Layout &layout) {
  HostTensor::Shape shape(layout.getPhysicalShape(base.getShape()));
  HostTensor result(base.getType(), shape);
  Strides strides = getRowMajorStrides(shape);
  int64_t i = 0;
  for (IndexCounter index(base.getShape()); !index.atEnd(); index.next()) {
    auto position = *layout.getPhysicalIndex(index.getIndex());
    int64_t place = 0;
    for (size_t dim = 0; dim < position.size(); ++dim)
      place += position[dim] * strides[dim];
    result.setInt(place, base.getInt(i++));
  }
  return result;
}

static void expectStores(mlir::TypedAttr base, const Layout &layout) {
  mlir::TypedAttr stored = getStoredAttr(base, layout);
  ASSERT_TRUE(stored) << layout.str();
  HostTensor expected = storeSlowly(read(base), layout);
  HostTensor found = read(stored);
  EXPECT_EQ(found.getShape(), expected.getShape()) << layout.str();
  EXPECT_EQ(found.getBytes(), expected.getBytes()) << layout.str();
}

static const ElementType types[] = {ElementType::Int4,  ElementType::Bool,
                                    ElementType::Int8,  ElementType::Float16,
                                    ElementType::Float, ElementType::Int64};

TEST_F(StoredConstants, PermutesAtRandom) {
  for (unsigned round = 0; round < 60; ++round) {
    unsigned rank = 1 + random() % 5;
    llvm::SmallVector<int64_t> shape;
    std::vector<unsigned> order(rank);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    AtomSequence atoms;
    for (unsigned dim : order) {
      atoms.push_back({dim});
      shape.push_back(1 + random() % 9);
    }
    Layout layout = llvm::cantFail(
        Layout::getUnnamed(LayoutClass::Tensor, std::move(atoms)));
    expectStores(makeConstant(types[round % std::size(types)], shape), layout);
  }
}

TEST_F(StoredConstants, BlocksAndSplits) {
  for (ElementType type : types) {
    expectStores(makeConstant(type, {2, 50, 7, 3}),
                 parse("NCHW as NC1HWC0 block 16"));
    expectStores(makeConstant(type, {20, 35, 3, 3}),
                 parse("OIHW as I1HWO1O0I0 block O=16, I=32"));
    expectStores(makeConstant(type, {20, 19, 3, 3}),
                 parse("OIHW as O1I2HWI1O0I0 block O=16, I=4*2"));
    expectStores(makeConstant(type, {20, 19}),
                 parse("OI as I0O0I1O1 block O=16, I=4"));
    expectStores(makeConstant(type, {3, 8 * 7 * 5}),
                 parse("Tensor as (0,1:1,1:0,1:2) split 1=8*7*5"));
    expectStores(makeConstant(type, {3}),
                 parse("Tensor as (0:0,0:1) block 0=1024"));
  }
}

TEST_F(StoredConstants, AnOrderOfRowMajorElementsIsAView) {
  mlir::TypedAttr base = makeConstant(ElementType::Float, {1, 40, 5, 5});
  ASSERT_TRUE(isa<DataAttr>(mlir::Attribute(base)));
  for (const char *text : {"NCHW", "Tensor", "Tensor as (1,0,2,3)"}) {
    mlir::Attribute view = getStoredAttr(base, parse(text), {1000});
    ASSERT_TRUE(isa<DataAttr>(view)) << text;
    EXPECT_EQ(read(view).getBytes(), read(base).getBytes());
  }
  mlir::Attribute moved = getStoredAttr(base, parse("NCHW as NHWC"), {1000});
  EXPECT_TRUE(isa<StoredAttr>(moved));
}

TEST_F(StoredConstants, ViewsOfExpressionsAndNumbersKeepTheirKind) {
  Layout rowMajor = Layout::getTensor();
  mlir::TypedAttr stored = getStoredAttr(
      makeConstant(ElementType::Float, {30, 40}), parse("Tensor as (1,0)"));
  auto view = dyn_cast<StoredAttr>(
      mlir::Attribute(getStoredAttr(stored, rowMajor, {20, 60})));
  ASSERT_TRUE(view);
  EXPECT_TRUE(isa<DataAttr>(mlir::Attribute(view.getBase())));
  EXPECT_EQ(read(view).getBytes(), read(stored).getBytes());
  mlir::TypedAttr dense = makeConstant(ElementType::Int8, {2, 6});
  EXPECT_TRUE(isa<mlir::DenseElementsAttr>(
      mlir::Attribute(getStoredAttr(dense, rowMajor, {3, 4}))));
}

TEST_F(StoredConstants, StringsAreViewedButNotMoved) {
  HostTensor strings(ElementType::String, {2, 3});
  strings.getMutableStrings()[4] = "text";
  mlir::TypedAttr base = getConstantAttr(&context, strings);
  mlir::TypedAttr view = getStoredAttr(base, Layout::getTensor(), {6});
  ASSERT_TRUE(view);
  EXPECT_EQ(read(view).getStrings()[4], "text");
  EXPECT_FALSE(getStoredAttr(base, parse("Tensor as (1,0)")));
}

TEST_F(StoredConstants, SmallOnesAreComputedLargeOnesAreNot) {
  Layout layout = parse("Tensor as (1,0)");
  EXPECT_TRUE(isa<mlir::DenseElementsAttr>(mlir::Attribute(
      getStoredAttr(makeConstant(ElementType::Float, {8, 16}), layout))));
  EXPECT_TRUE(isa<StoredAttr>(mlir::Attribute(
      getStoredAttr(makeConstant(ElementType::Float, {8, 17}), layout))));
}

TEST_F(StoredConstants, PermutationsCompose) {
  mlir::TypedAttr base = makeConstant(ElementType::Float, {4, 5, 6, 7});
  mlir::TypedAttr once = getStoredAttr(base, parse("OIHW as HWOI"));
  auto twice = dyn_cast<StoredAttr>(
      mlir::Attribute(getStoredAttr(once, parse("Tensor as (3,1,0,2)"))));
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice.getBase(), base);
  EXPECT_EQ(twice.getLayout().getLayout().str(), "Tensor as (1,3,2,0)");
  expectStores(once, parse("Tensor as (3,1,0,2)"));
  EXPECT_EQ(getStoredAttr(once, parse("Tensor as (2,3,0,1)")), base);
}

TEST_F(StoredConstants, OtherOrdersNest) {
  for (ElementType type : types) {
    mlir::TypedAttr base = makeConstant(type, {20, 19, 3, 3});
    mlir::TypedAttr once =
        getStoredAttr(base, parse("OIHW as I1HWO1O0I0 block 16"));
    mlir::TypedAttr view = getStoredAttr(once, Layout::getTensor(), {36, 256});
    ASSERT_TRUE(view);
    expectStores(view, parse("OI as O1I0O0I1 block O=50, I=3"));
  }
}

TEST_F(StoredConstants, RefusesWhatCannotBeStored) {
  mlir::TypedAttr base = makeConstant(ElementType::Float, {20, 19});
  EXPECT_FALSE(getStoredAttr(base, parse("NCHW as NHWC")));
  EXPECT_FALSE(getStoredAttr(base, parse("Tensor as (1,0)"), {381}));
  EXPECT_FALSE(getStoredAttr(base, parse("Tensor as (1,0)"), {-380}));
  EXPECT_FALSE(getStoredAttr(base, parse("Tensor as (0:0,1,0:1) split 0=H*W")));
  EXPECT_FALSE(getStoredAttr(
      base, parse("Tensor as (0:0,0:1,1) block 0=4611686018427387904")));
  EXPECT_TRUE(getStoredAttr(base, parse("Tensor as (1,0)"), {380}));
}

TEST_F(StoredConstants, NestingIsBounded) {
  mlir::TypedAttr value = makeConstant(ElementType::Float, {16, 16});
  Layout layout = parse("Tensor as (0:0,1,0:1) block 0=4");
  unsigned depth = 0;
  while (mlir::TypedAttr next = getStoredAttr(value, layout, {16, 16})) {
    value = next;
    ASSERT_LE(++depth, maxExpressionDepth);
  }
  EXPECT_EQ(depth, maxExpressionDepth);
}

TEST_F(StoredConstants, PackedSizeCountsPadding) {
  mlir::TypedAttr base = makeConstant(ElementType::Int4, {3, 2000});
  mlir::TypedAttr stored =
      getStoredAttr(base, parse("Tensor as (0:1,1,0:0) block 0=4"));
  EXPECT_EQ(getByteSize(stored), 4000u);
}
