//===- LayoutIndexTest.cpp ------------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where elements lie, against index maps that enumerate every position.
//
//===----------------------------------------------------------------------===//

#include "inlay/Layout/Layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "gtest/gtest.h"
#include <random>

using namespace inlay;
using Index = llvm::SmallVector<int64_t>;

static Layout parse(llvm::StringRef text) {
  return llvm::cantFail(Layout::parse(text), text.str().c_str());
}

/// Advances `index` in row-major order; false after the last one.
static bool advance(Index &index, llvm::ArrayRef<int64_t> shape) {
  for (size_t dim = shape.size(); dim-- != 0;) {
    if (++index[dim] != shape[dim])
      return true;
    index[dim] = 0;
  }
  return false;
}

/// All indices of a shape, row-major.
static std::vector<Index> getIndices(llvm::ArrayRef<int64_t> shape) {
  if (llvm::is_contained(shape, 0))
    return {};
  std::vector<Index> indices;
  Index index(shape.size());
  do
    indices.push_back(index);
  while (advance(index, shape));
  return indices;
}

/// The logical index at a physical one, or nothing at padding: the definition
/// of the notation, without any of the code under test.
static std::optional<Index> invert(llvm::ArrayRef<Atom> atoms,
                                   llvm::ArrayRef<int64_t> position,
                                   llvm::ArrayRef<int64_t> shape) {
  Index index(shape.size());
  for (size_t i = 0; i != atoms.size(); ++i) {
    int64_t stride = 1;
    for (const Atom &other : atoms)
      if (other.dim == atoms[i].dim && other.factor < atoms[i].factor)
        stride *= other.extent.getValue();
    index[atoms[i].dim] += position[i] * stride;
  }
  for (size_t dim = 0; dim != shape.size(); ++dim)
    if (index[dim] >= shape[dim])
      return std::nullopt;
  return index;
}

/// The layout maps the elements one to one onto the positions that are not
/// padding.
static void checkBijection(const Layout &layout,
                           llvm::ArrayRef<int64_t> shape) {
  SCOPED_TRACE(layout.str());
  ASSERT_FALSE(bool(layout.verify(shape)));
  AtomSequence atoms = layout.getAtoms(shape.size());
  std::vector<Index> fromPositions;
  for (const Index &position : getIndices(layout.getPhysicalShape(shape)))
    if (auto index = invert(atoms, position, shape)) {
      EXPECT_EQ(layout.getPhysicalIndex(*index), position);
      fromPositions.push_back(*index);
    }
  llvm::sort(fromPositions);
  EXPECT_EQ(fromPositions, getIndices(shape));
}

//===----------------------------------------------------------------------===//
// Random layouts
//===----------------------------------------------------------------------===//

namespace {
class RandomLayout {
public:
  explicit RandomLayout(unsigned seed) : random(seed) {
    unsigned rank = pick(0, 4);
    for (unsigned dim = 0; dim != rank; ++dim)
      addDim(dim);
    std::shuffle(atoms.begin(), atoms.end(), random);
  }

  Layout get() {
    return llvm::cantFail(Layout::getUnnamed(LayoutClass::Tensor, atoms));
  }

  Index shape;

private:
  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }

  /// Whole, blocked or split into two or three factors.
  void addDim(unsigned dim) {
    unsigned numFactors = pick(1, 3);
    bool isBlocked = numFactors > 1 && pick(0, 1);
    int64_t product = 1;
    for (unsigned factor = 0; factor != numFactors; ++factor) {
      bool isRest = factor + 1 == numFactors && (isBlocked || factor == 0);
      int64_t extent = pick(1, 3);
      product *= isRest ? 1 : extent;
      atoms.push_back(
          {dim, factor, isRest ? AtomExtent::rest() : AtomExtent::of(extent)});
    }
    bool isExact = !isBlocked && numFactors > 1;
    shape.push_back(isExact ? product : pick(0, 7));
  }

  std::mt19937 random;
  AtomSequence atoms;
};
} // namespace

TEST(LayoutIndex, RandomLayoutsAreBijectionsOntoNonPadding) {
  for (unsigned seed = 0; seed != 400; ++seed) {
    RandomLayout random(seed);
    checkBijection(random.get(), random.shape);
  }
}

TEST(LayoutIndex, RandomLayoutsPrintWhatTheyParse) {
  for (unsigned seed = 0; seed != 400; ++seed) {
    Layout layout = RandomLayout(seed).get();
    EXPECT_EQ(parse(layout.str()), layout) << layout.str();
  }
}

//===----------------------------------------------------------------------===//
// Layouts in use
//===----------------------------------------------------------------------===//

TEST(LayoutIndex, LayoutsInUseAreBijections) {
  for (const char *text :
       {"NCHW", "NCHW as NHWC", "NCHW as CHWN", "NCHW as NC1HWC0 block 4",
        "NCHW as NC1C0HW block 3", "NCHW as NC1HWC0 split C=2*3"})
    checkBijection(parse(text), {2, 6, 3, 5});
  checkBijection(parse("OIHW as I1HWO1O0I0 block O=4, I=2"), {6, 3, 2, 3});
  checkBijection(parse("OIHW as O1I2HWI1O0I0 block O=4, I=2*2"), {6, 5, 1, 2});
}

TEST(LayoutIndex, PermutedElementLiesAtItsPermutedIndex) {
  EXPECT_EQ(parse("NCHW as NHWC").getPhysicalIndex({0, 1, 2, 3}),
            Index({0, 2, 3, 1}));
  // Not an involution, so that a mix-up with the inverse shows.
  EXPECT_EQ(parse("Tensor as (1,2,0)").getPhysicalIndex({7, 8, 9}),
            Index({8, 9, 7}));
}

TEST(LayoutIndex, BlockedElementLiesInItsLane) {
  EXPECT_EQ(parse("NCHW as NC1HWC0 block 16").getPhysicalIndex({0, 49, 2, 3}),
            Index({0, 3, 2, 3, 1}));
}

/// Flatten of a tensor stored as NHWC: element c*H*W + h*W + w of the merged
/// dimension lies at h, w, c.
TEST(LayoutIndex, ReorderedMergeStoresFactorsInTheirOwnOrder) {
  Layout layout = parse("Tensor as (0,1:1,1:0,1:2) split 1=4*3*2");
  for (int64_t c = 0; c != 4; ++c)
    for (int64_t h = 0; h != 3; ++h)
      for (int64_t w = 0; w != 2; ++w)
        EXPECT_EQ(layout.getPhysicalIndex({0, c * 6 + h * 2 + w}),
                  Index({0, h, w, c}));
}

TEST(LayoutIndex, SymbolsHaveNoIndexUnlessMajor) {
  EXPECT_FALSE(
      parse("NC as NC0C1 split C=2*H").getPhysicalIndex({0, 1}).has_value());
  EXPECT_EQ(parse("NC as NC0C1 split C=H*2").getPhysicalIndex({0, 5}),
            Index({0, 1, 2}));
}
