//===- ScaledConstantsTest.cpp - Constants times factors ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/ScaledConstants.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Evaluation.h"
#include "inlay/IR/StoredConstants.h"
#include "inlay/Tensor/Broadcast.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <cmath>
#include <numeric>
#include <random>

using namespace inlay;
using mlir::dyn_cast;
using mlir::isa;

namespace {
class ScaledConstants : public ::testing::Test {
protected:
  ScaledConstants() { context.loadDialect<InlayDialect>(); }

  /// Random numbers of some digits.
  HostTensor makeTensor(ElementType type, llvm::ArrayRef<int64_t> shape) {
    HostTensor tensor(type, shape);
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      tensor.setDouble(i, double(random() % 4001) / 1000 - 2);
    return tensor;
  }
  mlir::TypedAttr makeConstant(llvm::ArrayRef<int64_t> shape,
                               ElementType type = ElementType::Float) {
    return getConstantAttr(&context, makeTensor(type, shape));
  }
  HostTensor makeFactors(llvm::ArrayRef<int64_t> shape) {
    return makeTensor(ElementType::Double, shape);
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

/// base * factors, element by element, rounded once; zeros stay as they are.
static HostTensor scaleSlowly(const HostTensor &base,
                              const HostTensor &factors) {
  HostTensor result(base.getType(), base.getShape());
  auto strides = getBroadcastStrides(factors.getShape(), base.getShape());
  int64_t i = 0;
  for (IndexCounter at(base.getShape()); !at.atEnd(); at.next(), ++i)
    if (double number = base.getDouble(i); number != 0)
      result.setDouble(i, number * factors.getDouble(at.getOffset(strides)));
  return result;
}

static HostTensor storeSlowly(const HostTensor &base, const Layout &layout) {
  HostTensor::Shape shape(layout.getPhysicalShape(base.getShape()));
  HostTensor result(base.getType(), shape);
  Strides strides = getRowMajorStrides(shape);
  int64_t i = 0;
  for (IndexCounter at(base.getShape()); !at.atEnd(); at.next(), ++i) {
    auto position = *layout.getPhysicalIndex(at.getIndex());
    int64_t place = 0;
    for (size_t dim = 0; dim < position.size(); ++dim)
      place += position[dim] * strides[dim];
    result.setDouble(place, base.getDouble(i));
  }
  return result;
}

TEST_F(ScaledConstants, MultipliesAndRoundsOnce) {
  for (ElementType type : {ElementType::Float16, ElementType::BFloat16,
                           ElementType::Float, ElementType::Double})
    for (llvm::ArrayRef<int64_t> shape :
         {HostTensor::Shape{20, 1, 1}, HostTensor::Shape{1, 30, 1},
          HostTensor::Shape{20, 30, 1}, HostTensor::Shape{1, 1, 7},
          HostTensor::Shape{1, 1, 1}, HostTensor::Shape{20, 30, 7}}) {
      mlir::TypedAttr base = makeConstant({20, 30, 7}, type);
      HostTensor factors = makeFactors(shape);
      mlir::TypedAttr scaled = getScaledAttr(base, factors);
      ASSERT_TRUE(scaled);
      EXPECT_TRUE(isa<ScaledAttr>(mlir::Attribute(scaled)));
      EXPECT_EQ(read(scaled).getBytes(),
                scaleSlowly(read(base), factors).getBytes())
          << formatShape(shape);
    }
}

TEST_F(ScaledConstants, TilesAreTheElements) {
  mlir::TypedAttr base = makeConstant({20, 30, 7});
  mlir::TypedAttr scaled = getScaledAttr(base, makeFactors({20, 1, 1}));
  HostTensor expected = read(scaled);
  for (uint64_t limit : {1, 100, 1000, 4096, 1 << 20}) {
    auto elements = readExpression(scaled);
    ASSERT_TRUE(bool(elements));
    std::vector<char> bytes;
    llvm::cantFail((*elements)->forEachTile(limit, [&](auto tile) {
      EXPECT_LE(tile.size(), std::max<uint64_t>(limit, sizeof(float)));
      bytes.insert(bytes.end(), tile.begin(), tile.end());
      return llvm::Error::success();
    }));
    EXPECT_EQ(llvm::ArrayRef<char>(bytes), expected.getBytes()) << limit;
  }
}

/// Powers of two, which round nothing.
static HostTensor makePowers(int64_t count) {
  HostTensor factors(ElementType::Double, {count, 1});
  for (int64_t i = 0; i < count; ++i)
    factors.setDouble(i, std::ldexp(1.0, i % 4));
  return factors;
}

TEST_F(ScaledConstants, SmallOnesAreComputedLargeOnesAreNot) {
  EXPECT_TRUE(isa<mlir::DenseElementsAttr>(
      mlir::Attribute(getScaledAttr(makeConstant({8, 16}), makePowers(8)))));
  EXPECT_TRUE(isa<ScaledAttr>(
      mlir::Attribute(getScaledAttr(makeConstant({8, 17}), makePowers(8)))));
  // What is rounded knows what it was.
  EXPECT_TRUE(isa<ScaledAttr>(mlir::Attribute(
      getScaledAttr(makeConstant({8, 16}), makeFactors({8, 1})))));
}

TEST_F(ScaledConstants, RoundedNumbersAreKnownExactly) {
  HostTensor exact =
      HostTensor::get<double>(ElementType::Double, {3}, {0.1, 1.0 / 3.0, 0.5});
  for (ElementType type :
       {ElementType::Float, ElementType::Float16, ElementType::BFloat16}) {
    mlir::TypedAttr rounded =
        getRoundedAttr(&context, exact, getMlirElementType(&context, type));
    EXPECT_TRUE(isa<ScaledAttr>(mlir::Attribute(rounded)));
    HostTensor expected(type, {3});
    for (int64_t i = 0; i < 3; ++i)
      expected.setDouble(i, exact.getDouble(i));
    EXPECT_EQ(read(rounded).getBytes(), expected.getBytes());
    EXPECT_EQ(llvm::cantFail(getExactTensor(rounded)).getBytes(),
              exact.getBytes());
  }
}

TEST_F(ScaledConstants, RoundedNumbersThatFitAreConstants) {
  HostTensor exact =
      HostTensor::get<double>(ElementType::Double, {2}, {0.5, -3});
  mlir::Type element = mlir::Float32Type::get(&context);
  EXPECT_TRUE(isa<mlir::DenseElementsAttr>(
      mlir::Attribute(getRoundedAttr(&context, exact, element))));
}

TEST_F(ScaledConstants, RoundedNumbersAreRoundedOnce) {
  // 1 + 2^-24 + 2^-50 is above the middle of two floats and 1 + 2^-24 is not.
  HostTensor exact = HostTensor::get<double>(ElementType::Double, {1},
                                             {1 + 0x1p-24 + 0x1p-50});
  mlir::TypedAttr rounded =
      getRoundedAttr(&context, exact, mlir::Float32Type::get(&context));
  HostTensor third =
      HostTensor::get<double>(ElementType::Double, {1}, {1 / 3.0});
  HostTensor three = HostTensor::get<double>(ElementType::Double, {1}, {3.0});
  mlir::TypedAttr back = getScaledAttr(getScaledAttr(rounded, third), three);
  EXPECT_EQ(read(back).getDouble(0), 1 + 0x1p-23);
  EXPECT_NEAR(llvm::cantFail(getExactTensor(back)).getDouble(0),
              exact.getDouble(0), 1e-15);
}

TEST_F(ScaledConstants, FactorsOfOneChangeNothing) {
  mlir::TypedAttr base = makeConstant({20, 30});
  EXPECT_EQ(getScaledAttr(base, HostTensor::get<double>(ElementType::Double,
                                                        {1, 1}, {1.0})),
            base);
}

TEST_F(ScaledConstants, ScalingTwiceIsScalingOnce) {
  mlir::TypedAttr base = makeConstant({20, 30});
  HostTensor rows = makeFactors({20, 1}), columns = makeFactors({1, 30});
  mlir::TypedAttr twice = getScaledAttr(getScaledAttr(base, rows), columns);
  auto scaled = dyn_cast<ScaledAttr>(mlir::Attribute(twice));
  ASSERT_TRUE(scaled);
  EXPECT_EQ(scaled.getBase(), base);
  HostTensor both = scaleSlowly(
      scaleSlowly(HostTensor::get<double>(ElementType::Double, {20, 30},
                                          std::vector<double>(600, 1)),
                  rows),
      columns);
  EXPECT_EQ(read(twice).getBytes(), scaleSlowly(read(base), both).getBytes());
}

/// A scaled constant in a storage order, and a constant in that order scaled:
/// element by element the same.
TEST_F(ScaledConstants, OrdersMoveInside) {
  mlir::TypedAttr base = makeConstant({20, 35, 3, 3});
  for (const HostTensor::Shape &shape :
       {HostTensor::Shape{20, 1, 1, 1}, HostTensor::Shape{1, 35, 1, 1},
        HostTensor::Shape{20, 35, 1, 1}})
    for (const char *text :
         {"OIHW as HWOI", "OIHW as OHWI", "OIHW as I1HWO1O0I0 block O=16, I=32",
          "OIHW as O1I2HWI1O0I0 block O=16, I=4*2"}) {
      HostTensor factors = makeFactors(shape);
      mlir::TypedAttr stored =
          getStoredAttr(getScaledAttr(base, factors), parse(text));
      ASSERT_TRUE(stored) << text;
      auto scaled = dyn_cast<ScaledAttr>(mlir::Attribute(stored));
      ASSERT_TRUE(scaled) << text;
      EXPECT_TRUE(isa<StoredAttr>(mlir::Attribute(scaled.getBase())));
      HostTensor expected =
          storeSlowly(scaleSlowly(read(base), factors), parse(text));
      EXPECT_EQ(read(stored).getShape(), expected.getShape());
      EXPECT_EQ(read(stored).getBytes(), expected.getBytes()) << text;
    }
}

TEST_F(ScaledConstants, ScalesWhatIsStored) {
  mlir::TypedAttr stored =
      getStoredAttr(makeConstant({20, 35}), parse("Tensor as (1,0)"));
  HostTensor factors = makeFactors({1, 20});
  mlir::TypedAttr scaled = getScaledAttr(stored, factors);
  ASSERT_TRUE(scaled);
  EXPECT_EQ(read(scaled).getBytes(),
            scaleSlowly(read(stored), factors).getBytes());
}

/// A view cuts dimensions or merges them; either way the elements stay.
TEST_F(ScaledConstants, ViewsInOrders) {
  mlir::TypedAttr base = makeConstant({20, 36});
  HostTensor factors = makeFactors({20, 1});
  mlir::TypedAttr scaled = getScaledAttr(base, factors);
  HostTensor expected = scaleSlowly(read(base), factors);
  for (llvm::ArrayRef<int64_t> shape :
       {HostTensor::Shape{20, 4, 9}, HostTensor::Shape{4, 5, 36},
        HostTensor::Shape{1, 20, 36, 1}, HostTensor::Shape{720},
        HostTensor::Shape{15, 48}}) {
    mlir::TypedAttr view = getStoredAttr(scaled, Layout::getTensor(), shape);
    ASSERT_TRUE(view);
    EXPECT_EQ(read(view).getShape(), llvm::ArrayRef(shape));
    EXPECT_EQ(read(view).getBytes(), expected.getBytes());
    AtomSequence atoms;
    for (unsigned dim = shape.size(); dim-- > 0;)
      atoms.push_back({dim});
    Layout reversed = llvm::cantFail(
        Layout::getUnnamed(LayoutClass::Tensor, std::move(atoms)));
    mlir::TypedAttr moved = getStoredAttr(view, reversed);
    ASSERT_TRUE(moved);
    EXPECT_EQ(read(moved).getBytes(),
              storeSlowly(expected.reshaped(shape), reversed).getBytes())
        << formatShape(shape);
  }
}

TEST_F(ScaledConstants, NestsAtRandom) {
  for (unsigned round = 0; round < 200; ++round) {
    llvm::SmallVector<int64_t> shape;
    for (unsigned i = 0; i < 3; ++i)
      shape.push_back(3 + random() % 9);
    HostTensor expected(ElementType::Double, shape);
    for (double &number : expected.getMutable<double>())
      number = double(random() % 100);
    mlir::TypedAttr value = getConstantAttr(&context, expected);
    for (unsigned step = 0; step < 5; ++step) {
      llvm::ArrayRef<int64_t> now = expected.getShape();
      if (random() % 2) {
        HostTensor::Shape factors(now);
        for (int64_t &extent : factors)
          extent = random() % 2 ? 1 : extent;
        HostTensor numbers = makeFactors(factors);
        for (double &number : numbers.getMutable<double>())
          number = double(random() % 8) - 3; // Exact in any order.
        value = getScaledAttr(value, numbers);
        expected = scaleSlowly(expected, numbers);
      } else if (random() % 2) {
        std::string text =
            now.size() == 3 ? "Tensor as (2,0,1)" : "Tensor as (1,0)";
        value = getStoredAttr(value, parse(text));
        expected = storeSlowly(expected, parse(text));
      } else {
        HostTensor::Shape merged =
            now.size() == 3 ? HostTensor::Shape{now[0] * now[1], now[2]}
                            : HostTensor::Shape{1, now[1], now[0]};
        value = getStoredAttr(value, Layout::getTensor(), merged);
        expected = expected.reshaped(merged);
      }
      ASSERT_TRUE(value);
      HostTensor found = read(value);
      ASSERT_EQ(found.getShape(), expected.getShape());
      for (int64_t i = 0; i < expected.getNumElements(); ++i)
        ASSERT_EQ(found.getDouble(i), expected.getDouble(i)) << round;
    }
  }
}

TEST_F(ScaledConstants, RefusesWhatCannotBeScaled) {
  mlir::TypedAttr base = makeConstant({20, 19});
  EXPECT_FALSE(getScaledAttr(base, makeFactors({19, 1})));
  EXPECT_FALSE(getScaledAttr(base, makeFactors({20})));
  EXPECT_FALSE(getScaledAttr(base, makeFactors({1, 20, 19})));
  EXPECT_FALSE(getScaledAttr(makeConstant({20, 19}, ElementType::Int32),
                             makeFactors({20, 1})));
}
