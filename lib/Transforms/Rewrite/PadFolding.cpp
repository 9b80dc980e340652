//===- PadFolding.cpp - Pad into what pads itself -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target whose pipeline has a stage for Pad keeps it: there it is the Pad of
// its own that is cheap.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

namespace {
/// A Pad of spatial dimensions by a number, which nothing else reads.
struct SpatialPad {
  PadOp op;
  /// The begins of all spatial dimensions, then the ends; none is negative.
  SmallVector<int64_t> pads;
  double value = 0;

  static std::optional<SpatialPad> match(Value value, Operation *user);
};
} // namespace

/// The number that is added at the borders; nothing where it is not known.
static std::optional<double> readPadValue(PadOp op) {
  if (!op.getConstantValue())
    return 0;
  Attribute constant = inlay::getConstantValue(op.getConstantValue());
  if (!constant)
    return std::nullopt;
  auto tensor = getHostTensor(constant);
  if (tensor && tensor->getNumElements() == 1)
    return tensor->getDouble(0);
  llvm::consumeError(tensor.takeError());
  return std::nullopt;
}

/// The begins of all dimensions, then the ends; nothing where they are not
/// known.
static std::optional<SmallVector<int64_t>> readPads(PadOp op, int64_t rank) {
  std::optional<ArrayRef<int64_t>> given = op.getPads();
  if (!given || op.getAxesOperand())
    return std::nullopt;
  SmallVector<int64_t> axes;
  if (std::optional<ArrayRef<int64_t>> list = op.getAxes())
    llvm::append_range(axes, *list);
  else
    llvm::append_range(axes, llvm::seq<int64_t>(0, rank));
  if (given->size() != 2 * axes.size())
    return std::nullopt;
  SmallVector<int64_t> pads(2 * rank, 0);
  for (auto [i, axis] : llvm::enumerate(axes)) {
    std::optional<int64_t> dim = normalizeAxis(axis, rank);
    if (!dim)
      return std::nullopt;
    pads[*dim] = (*given)[i];
    pads[rank + *dim] = (*given)[axes.size() + i];
  }
  return pads;
}

std::optional<SpatialPad> SpatialPad::match(Value padded, Operation *user) {
  SpatialPad pad;
  pad.op = padded.getDefiningOp<PadOp>();
  std::optional<int64_t> rank = getRank(padded);
  if (!pad.op || pad.op.getMode() != "constant" || !padded.hasOneUse() ||
      !rank || *rank < 3 || pad.op->getBlock() != user->getBlock() ||
      !isa_and_nonnull<FloatType>(inlay::getElementType(padded)))
    return std::nullopt;
  auto pads = readPads(pad.op, *rank);
  auto value = readPadValue(pad.op);
  if (!pads || !value || llvm::any_of(*pads, [](int64_t n) { return n < 0; }))
    return std::nullopt;
  for (auto [i, count] : llvm::enumerate(*pads)) {
    if (i % *rank >= 2)
      pad.pads.push_back(count);
    else if (count != 0)
      return std::nullopt;
  }
  pad.value = *value;
  return pad;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// The padding of its own that an operator has, for `count` spatial dimensions;
/// nothing where it depends on the input's size.
template <typename OpT>
static std::optional<SmallVector<int64_t>> getOwnPads(OpT op, size_t count) {
  if (op.getAutoPad() != "NOTSET" && op.getAutoPad() != "VALID")
    return std::nullopt;
  std::optional<ArrayRef<int64_t>> pads = op.getPads();
  if (op.getAutoPad() == "VALID" || !pads || pads->empty())
    return SmallVector<int64_t>(2 * count, 0);
  return SmallVector<int64_t>(*pads);
}

/// Replaces the root by one that pads itself, and returns that.
template <typename OpT>
static OpT absorb(SpatialPad pad, OpT root, ArrayRef<int64_t> ownPads,
                  RewriteContext &context) {
  SmallVector<int64_t> pads(ownPads);
  for (auto [sum, count] : llvm::zip_equal(pads, pad.pads))
    sum += count;
  auto copy = cast<OpT>(context.builder.clone(*root));
  copy->setOperand(0, pad.op.getInput());
  copy.removeAutoPadAttr();
  copy.setPads(pads);
  copy->setLoc(context.merge({root, pad.op}));
  context.replace(root, copy->getResults());
  return copy;
}

static constexpr llvm::StringLiteral
    noPad = "no Pad of spatial dimensions by a number is in front of it, for "
            "it alone",
    otherNumbers = "the Pad adds other numbers than 0",
    ownStage = "the target's pipeline has a stage for the Pad",
    unknownPads = "its own padding depends on the size of its input",
    emptyWindow = "a window might hold nothing but padding";

/// The Pad in front of `root` that adds zeros; says why where there is none.
static std::optional<SpatialPad> matchZeros(Value padded, Operation *root,
                                            RewriteContext &context) {
  auto pad = SpatialPad::match(padded, root);
  if (pad && pad->value == 0 && !context.hasStage("Pad"))
    return pad;
  context.refuse(!pad ? noPad : pad->value != 0 ? otherNumbers : ownStage);
  return std::nullopt;
}

static bool foldIntoConv(Operation *root, RewriteContext &context) {
  auto conv = cast<ConvOp>(root);
  auto pad = matchZeros(conv.getX(), root, context);
  if (!pad)
    return false;
  auto own = getOwnPads(conv, pad->pads.size() / 2);
  if (!own)
    return context.refuse(unknownPads);
  absorb(*pad, conv, *own, context);
  return true;
}

/// Whether every window has an element that is no padding. ONNX Runtime asks
/// for no less.
template <typename OpT>
static bool reachesInside(OpT op, ArrayRef<int64_t> pads) {
  ArrayRef<int64_t> kernel = op.getKernelShape();
  auto dilations = op.getDilations();
  if (op.getCeilMode() != 0 || pads.size() != 2 * kernel.size() ||
      (dilations && llvm::any_of(*dilations, [](int64_t n) { return n != 1; })))
    return false;
  for (auto [i, count] : llvm::enumerate(pads))
    if (count >= kernel[i % kernel.size()])
      return false;
  return true;
}

/// The padding of both together.
static SmallVector<int64_t> addPads(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  return llvm::map_to_vector(llvm::zip_equal(a, b), [](auto pair) {
    return std::get<0>(pair) + std::get<1>(pair);
  });
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

/// How far back a sign is looked for.
static constexpr unsigned maxSignDepth = 8;

/// Whether no element can be below zero, by what computes it.
static bool isNeverNegative(Value value) {
  for (unsigned i = 0; i < maxSignDepth; ++i) {
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<ReluOp, SigmoidOp, AbsOp, ExpOp, SqrtOp, SoftplusOp,
                        SoftmaxOp, HardSigmoidOp>(op))
      return true;
    if (!isa_and_nonnull<MaxPoolOp, AveragePoolOp, GlobalMaxPoolOp,
                         GlobalAveragePoolOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return false;
}

static bool foldIntoMaxPool(Operation *root, RewriteContext &context) {
  auto pool = cast<MaxPoolOp>(root);
  auto pad = SpatialPad::match(pool.getInput(), root);
  if (!pad)
    return context.refuse(noPad);
  if (context.hasStage("Pad"))
    return context.refuse(ownStage);
  if (!pool.getIndices().use_empty())
    return context.refuse("the indices are used, which count the padding");
  auto own = getOwnPads(pool, pad->pads.size() / 2);
  // Padding of its own is never the largest.
  bool isNeverLargest =
      pad->value == -std::numeric_limits<double>::infinity() ||
      (pad->value == 0 && isNeverNegative(pad->op.getInput()));
  if (!own)
    return context.refuse(unknownPads);
  if (!isNeverLargest)
    return context.refuse("what the Pad adds may be the largest");
  if (!reachesInside(pool, addPads(*own, pad->pads)))
    return context.refuse(emptyWindow);
  absorb(*pad, pool, *own, context);
  return true;
}

static bool foldIntoAveragePool(Operation *root, RewriteContext &context) {
  auto pool = cast<AveragePoolOp>(root);
  auto pad = matchZeros(pool.getInput(), root, context);
  if (!pad)
    return false;
  auto own = getOwnPads(pool, pad->pads.size() / 2);
  // The zeros of the Pad are counted, so that those of the pool must be, too.
  if (!own)
    return context.refuse(unknownPads);
  if (!pool.getCountIncludePad() &&
      llvm::any_of(*own, [](int64_t count) { return count != 0; }))
    return context.refuse("it does not count its own padding, and would have "
                          "to count that of the Pad");
  if (!reachesInside(pool, addPads(*own, pad->pads)))
    return context.refuse(emptyWindow);
  absorb(*pad, pool, *own, context).setCountIncludePad(1);
  return true;
}

static constexpr Rewrite table[] = {
    {"pad-conv", "Conv(Pad(x, p, 0), W, b) = Conv(x, W, b, pads = pads + p)",
     "inlay.conv", foldIntoConv, /*rounds=*/false},
    {"pad-max-pool",
     "MaxPool(Pad(x, p, v)) = MaxPool(x, pads = pads + p), v = -infinity, or v "
     "= 0 and x >= 0",
     "inlay.max_pool", foldIntoMaxPool, /*rounds=*/false},
    {"pad-average-pool",
     "AveragePool(Pad(x, p, 0)) = AveragePool(x, pads = pads + p, "
     "count_include_pad = 1)",
     "inlay.average_pool", foldIntoAveragePool, /*rounds=*/false},
};

llvm::ArrayRef<Rewrite> rewrites::getPadFolding() { return table; }
