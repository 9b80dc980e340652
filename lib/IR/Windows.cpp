//===- Windows.cpp - Windows of operations --------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Windows.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/Sequence.h"

using namespace inlay;
using llvm::ArrayRef;
using llvm::Expected;

Expected<AutoPad> inlay::getAutoPad(llvm::StringRef name) {
  if (std::optional<AutoPad> autoPad = parseAutoPad(name))
    return *autoPad;
  return modelError("'auto_pad' must be NOTSET, VALID, SAME_UPPER or "
                    "SAME_LOWER, found " +
                    name);
}

Expected<Pads> inlay::resolvePads(const WindowAttributes &window,
                                  ArrayRef<int64_t> spatial) {
  Expected<AutoPad> autoPad = getAutoPad(window.autoPad);
  if (!autoPad)
    return autoPad.takeError();
  return resolvePads(*autoPad, spatial, window.getShape(), window.pads);
}

Expected<Sizes> inlay::inferWindowSizes(const WindowAttributes &window,
                                        ArrayRef<int64_t> spatial,
                                        bool ceilMode) {
  Expected<Pads> pads = resolvePads(window, spatial);
  if (!pads)
    return pads.takeError();
  return inferWindowSizes(spatial, window.getShape(), *pads, ceilMode);
}

ArrayRef<int64_t> inlay::getOutputSpatial(ConvTransposeOp op, size_t rank) {
  ArrayRef<int64_t> shape = op.getOutputShape().value_or(ArrayRef<int64_t>());
  return shape.size() == rank ? shape.drop_front(2) : shape;
}

Expected<TransposePads> inlay::resolveOutputPads(ConvTransposeOp op,
                                                 ArrayRef<int64_t> spatial,
                                                 ArrayRef<int64_t> kernel) {
  WindowAttributes window = getWindowAttributes(op, kernel);
  auto autoPad = getAutoPad(window.autoPad);
  if (!autoPad)
    return autoPad.takeError();
  return resolveTransposePads(
      *autoPad, spatial, window.getShape(),
      op.getOutputPadding().value_or(ArrayRef<int64_t>()), window.pads,
      getOutputSpatial(op, spatial.size() + 2));
}

llvm::SmallVector<int64_t> inlay::getSpatialDims(int64_t rank) {
  return llvm::to_vector(llvm::seq<int64_t>(2, std::max<int64_t>(rank, 2)));
}
