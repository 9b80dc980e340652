//===- ConvTransposeExpansion.cpp - Transposed convolution ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Zeros between the elements of the input, as many as the strides skip; zeros
// at the borders; then a convolution with the kernel turned around.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "inlay/IR/Windows.h"
#include <limits>

using namespace inlay;
using namespace mlir;

namespace {
class ConvTransposeExpander {
public:
  ConvTransposeExpander(ConvTransposeOp op, Expansion &expansion)
      : op(op), expansion(expansion) {}

  LogicalResult run();

private:
  LogicalResult readShapes();
  Value spread(Value input);
  Value pad(Value value);
  Value turnKernel(Value weight);

  int64_t getStride(unsigned i) const { return strides ? (*strides)[i] : 1; }
  int64_t getReach(unsigned i) const {
    return (dilations ? (*dilations)[i] : 1) * (weight[i + 2] - 1);
  }
  unsigned getNumSpatial() const { return input.size() - 2; }

  ConvTransposeOp op;
  Expansion &expansion;
  SmallVector<int64_t> input, weight, output;
  std::optional<ArrayRef<int64_t>> strides, dilations;
  Pads pads;
};
} // namespace

/// Fails where something is not known.
LogicalResult ConvTransposeExpander::readShapes() {
  MaybeShape x = getStaticShape(op.getX()), w = getStaticShape(op.getW());
  MaybeShape y = getStaticShape(op.getResult());
  auto isUsable = [](const MaybeShape &shape) {
    return shape && !llvm::is_contained(*shape, 0);
  };
  if (!isUsable(x) || !isUsable(w) || !isUsable(y))
    return failure();
  input = *x;
  weight = *w;
  output = *y;
  auto getList = [](std::optional<ArrayRef<int64_t>> list) {
    return list && !list->empty() ? list : std::nullopt;
  };
  strides = getList(op.getStrides());
  dilations = getList(op.getDilations());
  WindowAttributes window =
      getWindowAttributes(op, ArrayRef(weight).drop_front(2));
  auto autoPad = getAutoPad(window.autoPad);
  if (!autoPad) {
    llvm::consumeError(autoPad.takeError());
    return failure();
  }
  // The result's extents are what the model asks for, or follow.
  auto resolved = resolveTransposePads(
      *autoPad, ArrayRef(input).drop_front(2), window.getShape(),
      op.getOutputPadding().value_or(ArrayRef<int64_t>()), window.pads,
      op.getOutputShape() ? ArrayRef(output).drop_front(2)
                          : ArrayRef<int64_t>());
  if (!resolved) {
    llvm::consumeError(resolved.takeError());
    return failure();
  }
  pads = resolved->pads;
  return success();
}

/// `stride - 1` zeros behind every element.
Value ConvTransposeExpander::spread(Value value) {
  unsigned rank = 2 + 2 * getNumSpatial();
  SmallVector<int64_t> apart{input[0], input[1]}, joined = apart;
  SmallVector<int64_t> zeros(2 * rank, 0);
  bool isDense = true;
  for (unsigned i = 0; i < getNumSpatial(); ++i) {
    apart.append({input[i + 2], 1});
    joined.push_back(input[i + 2] * getStride(i));
    zeros[rank + apart.size() - 1] = getStride(i) - 1;
    isDense &= getStride(i) == 1;
  }
  if (isDense)
    return value;
  Value wide = expansion.create<PadOp>(
      createReshape(expansion, value, apart), Value(), Value(), Value(),
      StringAttr(), expansion.getInts(zeros), DenseI64ArrayAttr());
  return createReshape(expansion, wide, joined);
}

/// Zeros at the borders until a convolution gives the result's extents; some
/// of those behind the last element may go.
Value ConvTransposeExpander::pad(Value value) {
  unsigned rank = input.size();
  SmallVector<int64_t> zeros(2 * rank, 0);
  for (unsigned i = 0; i < getNumSpatial(); ++i) {
    int64_t length = input[i + 2] * getStride(i);
    int64_t before = getReach(i) - pads[i];
    zeros[i + 2] = before;
    zeros[rank + i + 2] = output[i + 2] + getReach(i) - length - before;
  }
  if (llvm::all_of(zeros, [](int64_t count) { return count == 0; }))
    return value;
  return expansion.create<PadOp>(value, Value(), Value(), Value(), StringAttr(),
                                 expansion.getInts(zeros), DenseI64ArrayAttr());
}

/// From (groups * C) x M x kernel to (groups * M) x C x kernel reversed.
Value ConvTransposeExpander::turnKernel(Value value) {
  int64_t groups = op.getGroup(), channels = weight[0] / groups;
  SmallVector<int64_t> apart{groups, channels, weight[1]}, perm{0, 2, 1};
  SmallVector<int64_t> joined{groups * weight[1], channels};
  for (unsigned i = 0; i < getNumSpatial(); ++i) {
    apart.push_back(weight[i + 2]);
    joined.push_back(weight[i + 2]);
    perm.push_back(i + 3);
  }
  value = createReshape(expansion, value, apart);
  value =
      createReshape(expansion, createTranspose(expansion, value, perm), joined);
  SmallVector<int64_t> axes;
  for (unsigned i = 0; i < getNumSpatial(); ++i)
    if (weight[i + 2] != 1)
      axes.push_back(i + 2);
  if (axes.empty())
    return value;
  SmallVector<int64_t> last(axes.size(), -1),
      first(axes.size(), std::numeric_limits<int64_t>::min());
  return expansion.create<SliceOp>(
      value, Value(), Value(), Value(), Value(), expansion.getInts(last),
      expansion.getInts(first), expansion.getInts(axes),
      expansion.getInts(last));
}

LogicalResult ConvTransposeExpander::run() {
  if (failed(readShapes()))
    return failure();
  Value value = pad(spread(op.getX()));
  expansion.set(op.getResult(), expansion.create<ConvOp>(
                                    value, turnKernel(op.getW()), op.getB(),
                                    StringAttr(), op.getDilationsAttr(),
                                    op.getGroupAttr(), DenseI64ArrayAttr(),
                                    DenseI64ArrayAttr(), DenseI64ArrayAttr()));
  return success();
}

static LogicalResult expandConvTranspose(ConvTransposeOp op,
                                         Expansion &expansion) {
  return ConvTransposeExpander(op, expansion).run();
}

void inlay::registerConvTransposeExpansion(MLIRContext &context) {
  attachExpansion<ConvTransposeOp, expandConvTranspose>(context);
}
