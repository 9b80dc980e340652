//===- SeenRegions.cpp - Convolutions by what windows see -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a convolution is dilated nearly as far as its input reaches, most taps
// multiply zeros of the padding, but not the same ones everywhere: of 3 x 3
// taps 12 apart over 16 x 16, four lie inside at the corners and one in the
// middle.
// The result is put together from regions whose windows see the same taps, each
// a convolution of those and without padding.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "TapDims.h"

using namespace inlay;
using namespace inlay::rewrites;
using namespace mlir;

/// Regions along a dimension, at most.
static constexpr size_t maxRegions = 5;
/// The largest part of all products that is left: regions are small, and have
/// weights of their own.
static constexpr double maxPart = 0.5;

namespace {
/// Windows next to each other, and the taps that they see.
struct SeenRegion {
  int64_t fromWindow, toWindow, fromTap, toTap;

  int64_t countProducts() const {
    return (toWindow - fromWindow) * (toTap - fromTap);
  }
};
using Regions = SmallVector<SeenRegion>;
} // namespace

/// The taps that a window sees, which are next to each other.
static SeenRegion getRegion(const TapDim &dim, int64_t window) {
  int64_t from = 0, to = dim.kernel;
  while (from < to && !dim.isSeen(window, from))
    ++from;
  while (to > from && !dim.isSeen(window, to - 1))
    --to;
  return {window, window + 1, from, to};
}

/// Nothing where there are many, or a window sees nothing.
static std::optional<Regions> getRegions(const TapDim &dim) {
  Regions regions;
  for (int64_t window = 0; window < dim.result; ++window) {
    SeenRegion own = getRegion(dim, window);
    if (own.fromTap == own.toTap)
      return std::nullopt;
    if (!regions.empty() && regions.back().fromTap == own.fromTap &&
        regions.back().toTap == own.toTap)
      ++regions.back().toWindow;
    else if (regions.size() == maxRegions)
      return std::nullopt;
    else
      regions.push_back(own);
  }
  return regions;
}

/// The part of all products that is left.
static double getPart(ArrayRef<TapDim> dims, ArrayRef<Regions> regions) {
  double part = 1;
  for (auto [dim, own] : llvm::zip_equal(dims, regions)) {
    int64_t count = 0;
    for (const SeenRegion &region : own)
      count += region.countProducts();
    part *= double(count) / double(dim.result * dim.kernel);
  }
  return part;
}

namespace {
/// Builds the convolutions of all regions and puts them together.
class RegionBuilder {
public:
  RegionBuilder(ConvOp conv, ArrayRef<TapDim> dims, ArrayRef<Regions> regions,
                RewriteContext &context)
      : conv(conv), dims(dims), regions(regions), context(context) {}

  Value build() { return buildParts({}); }

private:
  Value buildParts(SmallVector<SeenRegion> chosen);
  Value buildConv(ArrayRef<SeenRegion> chosen);
  Location getLoc(StringRef word) {
    return context.mergeInner(
        {conv},
        (word + Twine(numParts == 0 ? "" : std::to_string(numParts))).str());
  }

  ConvOp conv;
  ArrayRef<TapDim> dims;
  ArrayRef<Regions> regions;
  RewriteContext &context;
  unsigned numParts = 0;
};
} // namespace

/// A dimension after the other: as deep as a window has dimensions.
Value RegionBuilder::buildParts(SmallVector<SeenRegion> chosen) {
  size_t level = chosen.size();
  if (level == dims.size())
    return buildConv(chosen);
  SmallVector<Value> parts;
  for (const SeenRegion &region : regions[level]) {
    SmallVector<SeenRegion> own = chosen;
    own.push_back(region);
    parts.push_back(buildParts(std::move(own)));
  }
  if (parts.size() == 1)
    return parts.front();
  OpBuilder &builder = context.builder;
  Location loc = level == 0 ? context.merge({conv}) : getLoc("regions");
  auto concat = builder.create<ConcatOp>(
      loc, UnknownType::get(builder.getContext()), parts, int64_t(2 + level));
  [[maybe_unused]] LogicalResult refined = refineResultTypes(concat);
  assert(succeeded(refined) && "the types fit");
  return concat.getResult();
}

Value RegionBuilder::buildConv(ArrayRef<SeenRegion> chosen) {
  SmallVector<int64_t> from, to, fromTap, toTap, kernel;
  for (auto [dim, region] : llvm::zip_equal(dims, chosen)) {
    from.push_back(dim.getPlace(region.fromWindow, region.fromTap));
    to.push_back(dim.getPlace(region.toWindow - 1, region.toTap - 1) + 1);
    fromTap.push_back(region.fromTap);
    toTap.push_back(region.toTap);
    kernel.push_back(region.toTap - region.fromTap);
  }
  ++numParts;
  OpBuilder &builder = context.builder;
  Value data =
      buildSpatialSlice(conv.getX(), from, to, getLoc("seen"), builder);
  Value weight =
      buildSpatialSlice(conv.getW(), fromTap, toTap, getLoc("taps"), builder);
  auto part = cast<ConvOp>(builder.clone(*conv));
  part->setLoc(getLoc("region"));
  part.getXMutable().assign(data);
  part.getWMutable().assign(weight);
  part.removeAutoPadAttr();
  part.setPads(SmallVector<int64_t>(2 * dims.size(), 0));
  part.setKernelShape(kernel);
  part.getResult().setType(UnknownType::get(builder.getContext()));
  [[maybe_unused]] LogicalResult refined = refineResultTypes(part);
  assert(succeeded(refined) && "the types fit");
  return part.getResult();
}

static bool splitByRegions(Operation *root, RewriteContext &context) {
  auto conv = cast<ConvOp>(root);
  if (!context.getTarget().machine)
    return context.refuse("the target says of no machine that runs it");
  std::optional<SmallVector<TapDim>> dims = getTapDims(conv);
  if (!dims)
    return context.refuse("a spatial extent is unknown");
  SmallVector<Regions> regions;
  for (const TapDim &dim : *dims) {
    std::optional<Regions> own = getRegions(dim);
    if (!own)
      return context.refuse("there are too many regions of windows that see "
                            "the same taps, or some that see none");
    regions.push_back(std::move(*own));
  }
  if (getPart(*dims, regions) > maxPart)
    return context.refuse("half of the products or more see elements");
  if (!isFiniteConstant(conv.getW()))
    return context.refuse("its weights are not constant, or not finite");
  context.replace(root, RegionBuilder(conv, *dims, regions, context).build());
  return true;
}

static constexpr Rewrite table[] = {
    {"conv-seen-regions",
     "Conv(x, W, b, pads) = Concat(Conv(x[from:to], W[taps], b), ...), a part "
     "for each region whose windows see the same taps, where these are half of "
     "all or less, for a machine",
     "inlay.conv", splitByRegions, /*rounds=*/false},
};

llvm::ArrayRef<Rewrite> rewrites::getSeenRegions() { return table; }
