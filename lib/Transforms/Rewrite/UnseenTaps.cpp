//===- UnseenTaps.cpp - Taps that only see padding ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a convolution is dilated farther than its input reaches, its outer taps
// multiply zeros of the padding, wherever the window is. The rest is the same
// convolution with fewer of them: 3 x 3 taps 36 apart over 28 x 28 are one.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "TapDims.h"

using namespace inlay;
using namespace inlay::rewrites;
using namespace mlir;

static bool isSeenAnywhere(const TapDim &dim, int64_t tap) {
  return llvm::any_of(llvm::seq(dim.result),
                      [&](int64_t window) { return dim.isSeen(window, tap); });
}

/// How many taps at the front, or at the end, see no element; no more than the
/// padding makes up for.
static int64_t countUnseen(const TapDim &dim, bool atEnd) {
  int64_t most =
      std::min((atEnd ? dim.end : dim.begin) / dim.dilation, dim.kernel - 1);
  int64_t count = 0;
  while (count < most &&
         !isSeenAnywhere(dim, atEnd ? dim.kernel - 1 - count : count))
    ++count;
  return count;
}

static bool dropUnseenTaps(Operation *root, RewriteContext &context) {
  auto conv = cast<ConvOp>(root);
  std::optional<SmallVector<TapDim>> dims = getTapDims(conv);
  if (!dims)
    return context.refuse("a spatial extent is unknown");
  size_t rank = dims->size();
  SmallVector<int64_t> from, to, kernel, pads(2 * rank);
  bool drops = false;
  for (auto [i, dim] : llvm::enumerate(*dims)) {
    int64_t front = countUnseen(dim, /*atEnd=*/false);
    int64_t back = front == dim.kernel - 1 ? 0 : countUnseen(dim, true);
    drops |= front + back != 0;
    from.push_back(front);
    to.push_back(dim.kernel - back);
    kernel.push_back(dim.kernel - front - back);
    pads[i] = dim.begin - front * dim.dilation;
    pads[rank + i] = dim.end - back * dim.dilation;
  }
  if (!drops)
    return context.refuse("every tap sees an element somewhere");
  if (!isFiniteConstant(conv.getW()))
    return context.refuse("its weights are not constant, or not finite");
  Value weight =
      buildSpatialSlice(conv.getW(), from, to,
                        context.mergeInner({root}, "seen"), context.builder);
  auto copy = cast<ConvOp>(context.builder.clone(*root));
  copy.getWMutable().assign(weight);
  copy.removeAutoPadAttr();
  copy.setPads(pads);
  copy.setKernelShape(kernel);
  copy->setLoc(context.merge({root}));
  context.replace(root, copy->getResults());
  return true;
}

static constexpr Rewrite table[] = {
    {"conv-unseen-taps",
     "Conv(x, W, b, pads) = Conv(x, W[from:to], b, pads - dilations * (from, "
     "end - to)), where all other taps see nothing but padding",
     "inlay.conv", dropUnseenTaps, /*rounds=*/false},
};

llvm::ArrayRef<Rewrite> rewrites::getUnseenTaps() { return table; }
