//===- StoredConstants.cpp - Constants in another storage order -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/StoredConstants.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/ScaledConstants.h"
#include "inlay/Support/CheckedMath.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

template <typename T> static std::string describe(T value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

static llvm::Error checkOrder(RankedTensorType from, const Layout &layout,
                              RankedTensorType to) {
  if (llvm::Error error = layout.verify(from.getShape()))
    return error;
  SmallVector<int64_t> physical = layout.getPhysicalShape(from.getShape());
  if (llvm::is_contained(physical, dynamicExtent))
    return modelError("layout " + layout.str() +
                      " has extents that are not numbers");
  std::optional<int64_t> count = getNumElements(physical);
  if (!count || *count != to.getNumElements())
    return modelError(
        "layout " + layout.str() + " stores " + formatShape(from.getShape()) +
        " as " + formatShape(physical) + ", which has not the elements of " +
        formatShape(to.getShape()));
  return llvm::Error::success();
}

static llvm::Error checkStored(TypedAttr base, LayoutAttr layout, Type type) {
  if (llvm::Error error = checkExpressionBase(base))
    return error;
  if (llvm::Error error = checkExpressionType(type, "result"))
    return error;
  auto from = cast<RankedTensorType>(base.getType());
  auto to = cast<RankedTensorType>(type);
  if (from.getElementType() != to.getElementType())
    return modelError("elements must be " + describe(from.getElementType()) +
                      " as the base's are, found " +
                      describe(to.getElementType()));
  return checkOrder(from, layout.getLayout(), to);
}

LogicalResult
StoredAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   TypedAttr base, LayoutAttr layout, Type type) {
  if (llvm::Error error = checkStored(base, layout, type))
    return emitError() << llvm::toString(std::move(error));
  return success();
}

//===----------------------------------------------------------------------===//
// Where elements lie
//===----------------------------------------------------------------------===//

/// The product of the extents of the factors of `atom`'s dimension that are
/// minor to it.
static int64_t getUnit(ArrayRef<Atom> atoms, const Atom &atom) {
  int64_t unit = 1;
  for (const Atom &other : atoms)
    if (other.dim == atom.dim && other.factor < atom.factor)
      unit *= other.extent.getValue();
  return unit;
}

Rearrangement inlay::getRearrangement(const Layout &layout,
                                      ArrayRef<int64_t> shape) {
  Rearrangement map;
  llvm::append_range(map.shape, layout.getPhysicalShape(shape));
  AtomSequence atoms = layout.getAtoms(shape.size());
  Strides strides = getRowMajorStrides(shape);
  for (int64_t extent : shape)
    map.bounds.push_back({Strides(atoms.size(), 0), extent});
  for (auto [i, atom] : llvm::enumerate(atoms)) {
    int64_t unit = getUnit(atoms, atom);
    // Beyond the dimension there is only padding, whose place may overflow.
    map.strides.push_back(unit < shape[atom.dim] ? unit * strides[atom.dim]
                                                 : 0);
    map.bounds[atom.dim].units[i] = unit;
  }
  return map;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static bool isView(const Rearrangement &map) {
  Rearrangement merged = map.simplified();
  return merged.shape.size() == 1 && merged.strides[0] == 1 &&
         merged.bounds.empty();
}

/// The storage order that is `outer` of a tensor stored as `inner`, where both
/// permute whole dimensions of the shape that `inner` is of.
static std::optional<Layout> compose(const Layout &outer, StoredAttr inner) {
  auto base = cast<RankedTensorType>(inner.getBase().getType());
  auto type = cast<RankedTensorType>(inner.getType());
  const Layout &first = inner.getLayout().getLayout();
  if (type.getShape() != ArrayRef(first.getPhysicalShape(base.getShape())))
    return std::nullopt;
  auto from = first.getPermutation(base.getRank());
  auto to = outer.getPermutation(type.getRank());
  if (!from || !to)
    return std::nullopt;
  AtomSequence order;
  for (unsigned position : *to)
    order.push_back({(*from)[position]});
  auto layout = Layout::getUnnamed(LayoutClass::Tensor, std::move(order));
  if (layout)
    return *layout;
  llvm::consumeError(layout.takeError());
  return std::nullopt;
}

/// The error's only news is that there was one.
static bool isFine(llvm::Error error) {
  bool isError = bool(error);
  llvm::consumeError(std::move(error));
  return !isError;
}

TypedAttr inlay::getStoredAttr(Attribute base, const Layout &layout,
                               ArrayRef<int64_t> shape) {
  auto typed = dyn_cast<TypedAttr>(base);
  auto from = typed ? dyn_cast<RankedTensorType>(typed.getType()) : nullptr;
  if (!from || !from.hasStaticShape() || !getNumElements(shape))
    return {};
  MLIRContext *context = base.getContext();
  auto type = RankedTensorType::get(shape, from.getElementType());
  if (!isFine(checkOrder(from, layout, type)))
    return {};
  if (isView(getRearrangement(layout, from.getShape())))
    return getView(base, type);
  auto order = LayoutAttr::get(context, layout);
  if (!isFine(checkStored(typed, order, type)))
    return {};
  if (auto scaled = dyn_cast<ScaledAttr>(base))
    if (TypedAttr moved = moveOrderInside(scaled, layout, shape))
      return moved;
  if (auto inner = dyn_cast<StoredAttr>(base))
    if (std::optional<Layout> both = compose(layout, inner))
      return getStoredAttr(inner.getBase(), *both, shape);
  return evaluateSmall(StoredAttr::get(context, typed, order, type));
}

TypedAttr inlay::getStoredAttr(Attribute base, const Layout &layout) {
  auto typed = dyn_cast<TypedAttr>(base);
  auto from = typed ? dyn_cast<RankedTensorType>(typed.getType()) : nullptr;
  if (!from || !from.hasStaticShape() ||
      !isFine(layout.verify(from.getShape())))
    return {};
  return getStoredAttr(base, layout, layout.getPhysicalShape(from.getShape()));
}
