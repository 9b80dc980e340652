//===- WindowDims.cpp - Windows along dimensions --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowDims.h"
#include "KernelBody.h"
#include "inlay/IR/AxisParameters.h"
#include "inlay/IR/Windows.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace inlay;
using namespace mlir;

using Dims = std::optional<SmallVector<WindowDim>>;

template <typename OpT> static Dims readDims(OpT op, ArrayRef<int64_t> kernel) {
  ArrayRef<int64_t> shape = getExtents(op->getOperand(0));
  if (shape.size() < 3 || kernel.size() != shape.size() - 2)
    return std::nullopt;
  ArrayRef<int64_t> spatial = shape.drop_front(2);
  auto pads = resolvePads(getWindowAttributes(op, kernel), spatial);
  if (!pads) {
    llvm::consumeError(pads.takeError());
    return std::nullopt;
  }
  SmallVector<WindowDim> dims;
  for (auto [i, extent] : llvm::enumerate(spatial))
    dims.push_back({extent, kernel[i], getEntryOr(op.getStrides(), i, 1),
                    getEntryOr(op.getDilations(), i, 1), (*pads)[i],
                    (*pads)[spatial.size() + i]});
  return dims;
}

template <typename OpT> static Dims readConv(OpT op) {
  ArrayRef<int64_t> weight = getExtents(op.getW());
  return weight.size() < 3 ? Dims() : readDims(op, weight.drop_front(2));
}

Dims inlay::getWindowDims(Operation *op) {
  return llvm::TypeSwitch<Operation *, Dims>(op)
      .Case<MaxPoolOp, AveragePoolOp>(
          [](auto own) { return readDims(own, own.getKernelShape()); })
      .Case<ConvOp, ConvIntegerOp>([](auto own) { return readConv(own); })
      .Default([](Operation *) { return std::nullopt; });
}
