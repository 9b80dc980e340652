//===- TapDims.cpp - Which elements taps of windows see -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TapDims.h"
#include "inlay/IR/AxisParameters.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Windows.h"
#include <cmath>

using namespace inlay;
using namespace inlay::rewrites;
using namespace mlir;

std::optional<SmallVector<TapDim>> rewrites::getTapDims(ConvOp conv) {
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

bool rewrites::isFiniteConstant(Value weight) {
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

Value rewrites::buildSpatialSlice(Value tensor, ArrayRef<int64_t> from,
                                  ArrayRef<int64_t> to, Location loc,
                                  OpBuilder &builder) {
  SmallVector<int64_t> axes;
  for (size_t i = 0; i < from.size(); ++i)
    axes.push_back(int64_t(2 + i));
  auto slice = builder.create<SliceOp>(
      loc, UnknownType::get(builder.getContext()), tensor, Value(), Value(),
      Value(), Value(), builder.getDenseI64ArrayAttr(from),
      builder.getDenseI64ArrayAttr(to), builder.getDenseI64ArrayAttr(axes),
      DenseI64ArrayAttr());
  [[maybe_unused]] LogicalResult refined = refineResultTypes(slice);
  assert(succeeded(refined) && "the types fit");
  return slice.getResult();
}
