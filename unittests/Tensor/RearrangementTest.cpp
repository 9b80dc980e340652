//===- RearrangementTest.cpp - Elements in another order ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Rearrangement.h"
#include "TensorTesting.h"
#include "inlay/Tensor/Packing.h"

using namespace inlay;
using namespace inlay::testing;

/// The numbers 1, 2, 3, ... as far as the type holds them.
static HostTensor makeCounting(ElementType type, int64_t count) {
  HostTensor tensor(type, {count});
  for (int64_t i = 0; i < count; ++i)
    tensor.setInt(i, type == ElementType::Bool ? i % 3 == 1 : i + 1);
  return tensor;
}

static FileRange asFile(const HostTensor &tensor) {
  Blob packed = packElements(tensor);
  return {MappedFile::fromMemory(packed.bytes, "test"), 0, packed.bytes.size()};
}

/// What reading must give, element by element.
static HostTensor readSlowly(const HostTensor &source,
                             llvm::ArrayRef<Rearrangement> maps) {
  HostTensor result(source.getType(), {product(maps.front().shape)});
  for (int64_t i = 0; i < result.getNumElements(); ++i) {
    std::optional<int64_t> place = i;
    for (const Rearrangement &map : maps)
      place = place ? map.locate(*place) : std::nullopt;
    if (place)
      result.setInt(i, source.getInt(*place));
  }
  return result;
}

static std::string joinTiles(const RearrangedElements &elements,
                             uint64_t limit) {
  std::string joined;
  llvm::cantFail(elements.forEachTile(limit, [&](llvm::ArrayRef<char> tile) {
    EXPECT_LE(tile.size(), std::max<uint64_t>(limit, 16));
    EXPECT_FALSE(tile.empty());
    joined.append(tile.begin(), tile.end());
    return llvm::Error::success();
  }));
  return joined;
}

static std::string toString(llvm::ArrayRef<char> bytes) {
  return std::string(bytes.begin(), bytes.end());
}

/// Reads at once and in tiles of several sizes.
static void expectReadsAll(ElementType type, int64_t count,
                           llvm::ArrayRef<Rearrangement> maps) {
  HostTensor source = makeCounting(type, count);
  HostTensor expected = readSlowly(source, maps);
  RearrangedElements elements(type, asFile(source), maps);
  HostTensor read(type, expected.getShape());
  elements.readAll(read.getMutableBytes());
  EXPECT_EQ(read.getBytes(), expected.getBytes());
  for (uint64_t limit : {1, 16, 100, 1 << 20})
    EXPECT_EQ(joinTiles(elements, limit),
              toString(packElements(expected).bytes))
        << "in tiles of " << limit << " bytes";
}

static const Rearrangement transposed{{70, 50}, {1, 70}, {}};
/// 5x33 with blocks of 4 along the second dimension, which become outermost.
static const Rearrangement blocked{{9, 5, 4}, {4, 33, 1}, {{{4, 0, 1}, 33}}};
/// The blocks of one dimension behind what they consist of: both index it.
static const Rearrangement turned{{5, 4, 9}, {33, 1, 4}, {{{0, 1, 4}, 33}}};

static const ElementType widths[] = {ElementType::Int4,   ElementType::UInt2,
                                     ElementType::Bool,   ElementType::Int8,
                                     ElementType::UInt16, ElementType::Float,
                                     ElementType::Double, ElementType::Int64};

TEST(Rearrangement, TransposesEveryWidth) {
  for (ElementType type : widths)
    expectReadsAll(type, 3500, transposed);
}

TEST(Rearrangement, PadsWithZeros) {
  for (ElementType type : widths) {
    expectReadsAll(type, 165, blocked);
    expectReadsAll(type, 165, turned);
  }
}

TEST(Rearrangement, LeadsThroughAnother) {
  // 9x5x4 as 36x5, transposed.
  Rearrangement outer{{5, 36}, {1, 5}, {}};
  for (ElementType type : widths)
    expectReadsAll(type, 165, {outer, blocked});
}

TEST(Rearrangement, LocatesPaddingNowhere) {
  EXPECT_EQ(blocked.locate(0), 0);
  EXPECT_EQ(blocked.locate(4), 33);
  EXPECT_EQ(blocked.locate(8 * 20), 32);
  EXPECT_EQ(blocked.locate(8 * 20 + 1), std::nullopt);
}

TEST(Rearrangement, MergesDimensionsThatLieAlike) {
  // OIHW as HWOI.
  Rearrangement map{{7, 7, 64, 3}, {7, 1, 147, 49}, {}};
  Rearrangement merged = map.simplified();
  EXPECT_EQ(llvm::ArrayRef(merged.shape), llvm::ArrayRef<int64_t>({49, 192}));
  EXPECT_EQ(llvm::ArrayRef(merged.strides), llvm::ArrayRef<int64_t>({1, 49}));
}

TEST(Rearrangement, DropsBoundsThatNothingPasses) {
  Rearrangement map{{2, 4, 8}, {8, 1, 16}, {{{4, 1, 0}, 8}}};
  EXPECT_TRUE(map.simplified().bounds.empty());
  map.bounds[0].extent = 7;
  EXPECT_EQ(map.simplified().bounds.size(), 1u);
}

TEST(Rearrangement, KeepsBoundsOfMergedDimensions) {
  Rearrangement merged =
      Rearrangement{{2, 4, 1}, {4, 1, 0}, {{{4, 1, 0}, 7}}}.simplified();
  EXPECT_EQ(llvm::ArrayRef(merged.shape), llvm::ArrayRef<int64_t>({8}));
  EXPECT_EQ(merged.locate(6), 6);
  EXPECT_EQ(merged.locate(7), std::nullopt);
}

TEST(Rearrangement, TakesEmptyAndSingleElements) {
  expectReadsAll(ElementType::Float, 0, Rearrangement{{3, 0}, {1, 3}, {}});
  expectReadsAll(ElementType::Float, 1, Rearrangement{{1, 1}, {1, 1}, {}});
  expectReadsAll(ElementType::Float, 1, Rearrangement{{}, {}, {}});
}

TEST(Rearrangement, StopsAtTheFirstError) {
  HostTensor source = makeCounting(ElementType::Float, 3500);
  RearrangedElements elements(ElementType::Float, asFile(source), transposed);
  unsigned numTiles = 0;
  llvm::Error error = elements.forEachTile(100, [&](llvm::ArrayRef<char>) {
    ++numTiles;
    return ioError("full");
  });
  EXPECT_EQ(llvm::toString(std::move(error)), "full");
  EXPECT_EQ(numTiles, 1u);
}
