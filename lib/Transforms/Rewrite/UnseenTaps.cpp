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
#include "inlay/IR/AxisParameters.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Windows.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

namespace {
/// One spatial dimension of a convolution.
struct TapDim {
  int64_t input, result, kernel, stride, dilation, begin, end;

  bool isSeen(int64_t tap) const;
  /// How many taps at the front, or at the end, see no element; no more than
  /// the padding makes up for.
  int64_t countUnseen(bool atEnd) const;
};
} // namespace

bool TapDim::isSeen(int64_t tap) const {
  for (int64_t place = 0; place < result; ++place) {
    int64_t at = place * stride - begin + tap * dilation;
    if (at >= 0 && at < input)
      return true;
  }
  return false;
}

int64_t TapDim::countUnseen(bool atEnd) const {
  int64_t most = std::min((atEnd ? end : begin) / dilation, kernel - 1);
  int64_t count = 0;
  while (count < most && !isSeen(atEnd ? kernel - 1 - count : count))
    ++count;
  return count;
}

static std::optional<SmallVector<TapDim>> getDims(ConvOp conv) {
  MaybeShape data = getShape(conv.getX()), weight = getShape(conv.getW()),
             result = getShape(conv.getResult());
  auto isKnown = [](const MaybeShape &shape) {
    return shape && shape->size() > 2 &&
           !llvm::is_contained(ArrayRef(*shape).drop_front(2),
                               ShapedType::kDynamic);
  };
  if (!isKnown(data) || !isKnown(weight) || !isKnown(result))
    return std::nullopt;
  ArrayRef<int64_t> spatial = ArrayRef(*data).drop_front(2),
                    kernel = ArrayRef(*weight).drop_front(2);
  auto pads = resolvePads(getWindowAttributes(conv, kernel), spatial);
  if (!pads) {
    llvm::consumeError(pads.takeError());
    return std::nullopt;
  }
  SmallVector<TapDim> dims;
  size_t rank = spatial.size();
  for (size_t i = 0; i < rank; ++i)
    dims.push_back({spatial[i], (*result)[2 + i], kernel[i],
                    getEntryOr(conv.getStrides(), i, 1),
                    getEntryOr(conv.getDilations(), i, 1), (*pads)[i],
                    (*pads)[rank + i]});
  return dims;
}

/// Infinity times zero is no zero.
static bool isFinite(Value weight) {
  Attribute constant = inlay::getConstantValue(weight);
  if (!constant)
    return false;
  auto tensor = getHostTensor(constant);
  if (!tensor) {
    llvm::consumeError(tensor.takeError());
    return false;
  }
  for (int64_t i = 0, e = tensor->getNumElements(); i < e; ++i)
    if (!std::isfinite(tensor->getDouble(i)))
      return false;
  return true;
}

/// The taps from `from` to `to` of each spatial dimension.
static Value buildSlice(Value weight, ArrayRef<int64_t> from,
                        ArrayRef<int64_t> to, Location loc,
                        OpBuilder &builder) {
  SmallVector<int64_t> axes;
  for (size_t i = 0; i < from.size(); ++i)
    axes.push_back(int64_t(2 + i));
  auto slice = builder.create<SliceOp>(
      loc, UnknownType::get(builder.getContext()), weight, Value(), Value(),
      Value(), Value(), builder.getDenseI64ArrayAttr(from),
      builder.getDenseI64ArrayAttr(to), builder.getDenseI64ArrayAttr(axes),
      DenseI64ArrayAttr());
  [[maybe_unused]] LogicalResult refined = refineResultTypes(slice);
  assert(succeeded(refined) && "the types fit");
  return slice.getResult();
}

static bool dropUnseenTaps(Operation *root, RewriteContext &context) {
  auto conv = cast<ConvOp>(root);
  std::optional<SmallVector<TapDim>> dims = getDims(conv);
  if (!dims)
    return context.refuse("a spatial extent is unknown");
  size_t rank = dims->size();
  SmallVector<int64_t> from, to, kernel, pads(2 * rank);
  bool drops = false;
  for (auto [i, dim] : llvm::enumerate(*dims)) {
    int64_t front = dim.countUnseen(/*atEnd=*/false);
    int64_t back = front == dim.kernel - 1 ? 0 : dim.countUnseen(true);
    drops |= front + back != 0;
    from.push_back(front);
    to.push_back(dim.kernel - back);
    kernel.push_back(dim.kernel - front - back);
    pads[i] = dim.begin - front * dim.dilation;
    pads[rank + i] = dim.end - back * dim.dilation;
  }
  if (!drops)
    return context.refuse("every tap sees an element somewhere");
  if (!isFinite(conv.getW()))
    return context.refuse("its weights are not constant, or not finite");
  Value weight =
      buildSlice(conv.getW(), from, to, context.mergeInner({root}, "seen"),
                 context.builder);
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
