//===- FindForm.cpp - The form that one storage order leads to ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/LayoutAssign/FindForm.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Layout/AxisOrder.h"

using namespace inlay;
using namespace mlir;

/// The axes of a port in an operation's map; null where it takes no part.
static const TensorAxes *getAxesOfPort(const AxisMap &map, Operation *op,
                                       unsigned port) {
  unsigned numOperands = op->getNumOperands();
  const std::optional<TensorAxes> &dims =
      port < numOperands ? map.getOperands()[port]
                         : map.getResults()[port - numOperands];
  return dims ? &*dims : nullptr;
}

/// Where dimensions of one element stand follows a tensor that has an axis for
/// each of its dimensions.
static const TensorAxes *findReference(const AxisMap &map) {
  const TensorAxes *best = nullptr;
  for (auto tensors : {map.getResults(), map.getOperands()})
    for (const std::optional<TensorAxes> &dims : tensors)
      if (dims && (!best || dims->size() > best->size()) &&
          llvm::none_of(*dims, [](const DimAxes &dim) { return dim.empty(); }))
        best = &*dims;
  return best;
}

/// The form in which the axes of `op` lie as `order` says, if it admits it.
static std::optional<StoredForm> getFormAlong(Operation *op, const AxisMap &map,
                                              const AxisOrder &order) {
  for (const AxisPiece &piece : order)
    if (!piece.extent.isRest() &&
        map.getAxes()[piece.axis].kind != AxisKind::Parallel &&
        map.getAxes()[piece.axis].kind != AxisKind::Contracted)
      return std::nullopt;
  const TensorAxes *reference = findReference(map);
  StoredForm form;
  auto project = [&](const std::optional<TensorAxes> &dims, auto &orders) {
    auto projected =
        dims ? projectOrder(map, order, *dims, reference) : AtomSequence();
    if (projected)
      orders.push_back(std::move(*projected));
    return projected.has_value();
  };
  for (const std::optional<TensorAxes> &dims : map.getOperands())
    if (!project(dims, form.operands))
      return std::nullopt;
  for (const std::optional<TensorAxes> &dims : map.getResults())
    if (!project(dims, form.results))
      return std::nullopt;
  auto storage = cast<StorageOpInterface>(op);
  if (form.isFactored() && !storage.admitsFactors())
    return std::nullopt;
  if (!form.isRowMajor() && !storage.admitsForm(form))
    return std::nullopt;
  return form;
}

std::optional<StoredForm> inlay::findForm(Operation *op, unsigned port,
                                          ArrayRef<Atom> order) {
  auto axisMapped = dyn_cast<AxisMapOpInterface>(op);
  AxisMap map = axisMapped ? axisMapped.getAxisMap() : AxisMap::opaque();
  if (map.isOpaque())
    return std::nullopt;
  const TensorAxes *dims = getAxesOfPort(map, op, port);
  if (!dims)
    return std::nullopt;
  auto lifted = liftOrder(map, *dims, order);
  if (!lifted)
    return std::nullopt;
  if (auto form = getFormAlong(op, map, completeOrder(map, *lifted)))
    return form;
  for (const AxisOrder &completed : enumerateCompletions(map, *lifted))
    if (auto form = getFormAlong(op, map, completed))
      return form;
  return std::nullopt;
}
