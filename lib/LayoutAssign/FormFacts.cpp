//===- FormFacts.cpp - What costs ask of a form ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The storage order of a tensor is an order of the operator's axes; what they
// are to the operator, its axis map says.
//
//===----------------------------------------------------------------------===//

#include "FormFacts.h"
#include "FormAlong.h"
#include "inlay/IR/FormKinds.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/OpTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using namespace mlir;

static bool isCombined(AxisKind kind) {
  return kind == AxisKind::Reduced || kind == AxisKind::Window ||
         kind == AxisKind::Contracted;
}

namespace {
/// A piece of an axis that has more than one element.
struct Stretch {
  unsigned axis;
  uint64_t extent;
};

/// How one tensor of an operation lies in memory, by axes.
class TensorInMemory {
public:
  TensorInMemory(const AxisMap &map, const TensorAxes &dims,
                 ArrayRef<Atom> order, int64_t assumedExtent);

  /// Nothing where it has one element.
  std::optional<unsigned> getInnermost() const {
    return stretches.empty() ? std::nullopt
                             : std::optional(stretches.back().axis);
  }
  bool has(unsigned axis) const {
    return llvm::any_of(stretches, [&](const Stretch &stretch) {
      return stretch.axis == axis;
    });
  }
  /// Outermost first.
  ArrayRef<Stretch> getStretches() const { return stretches; }

private:
  SmallVector<Stretch> stretches;
};

/// Asks the axis map of one operation in one form.
class FormReader {
public:
  FormReader(Operation *op, const AxisMap &map, ArrayRef<ArrayRef<Atom>> orders,
             int64_t assumedExtent)
      : op(op), map(map), orders(orders), assumedExtent(assumedExtent) {}

  std::optional<uint64_t> findInner() const;
  std::optional<bool> findRepeats() const;
  void findProduct(FormFacts &facts) const;

private:
  std::optional<TensorInMemory> look(unsigned port) const;
  unsigned getResultPort() const { return op->getNumOperands(); }

  Operation *op;
  const AxisMap &map;
  ArrayRef<ArrayRef<Atom>> orders;
  int64_t assumedExtent;
};
} // namespace

TensorInMemory::TensorInMemory(const AxisMap &map, const TensorAxes &dims,
                               ArrayRef<Atom> order, int64_t assumedExtent) {
  std::optional<AxisOrder> lifted = liftOrder(map, dims, order);
  if (!lifted)
    return;
  auto getWhole = [&](unsigned axis) {
    int64_t extent = map.getAxes()[axis].extent;
    return uint64_t(extent == dynamicExtent ? assumedExtent : extent);
  };
  for (const AxisPiece &piece : *lifted) {
    uint64_t extent =
        piece.extent.isKnown() ? piece.extent.getValue() : getWhole(piece.axis);
    for (const AxisPiece &other : *lifted)
      if (!piece.extent.isKnown() && &other != &piece &&
          other.axis == piece.axis && other.extent.isKnown())
        extent = llvm::divideCeil(extent, other.extent.getValue());
    if (extent != 1)
      stretches.push_back({piece.axis, extent});
  }
}

std::optional<TensorInMemory> FormReader::look(unsigned port) const {
  const TensorAxes *dims = getAxesOfPort(map, op, port);
  if (!dims)
    return std::nullopt;
  return TensorInMemory(map, *dims, orders[port], assumedExtent);
}

/// The elements inside of the innermost axis that elements are combined along.
std::optional<uint64_t> FormReader::findInner() const {
  if (llvm::none_of(map.getAxes(),
                    [](const Axis &axis) { return isCombined(axis.kind); }))
    return std::nullopt;
  std::optional<TensorInMemory> data = look(0);
  if (!data)
    return std::nullopt;
  uint64_t inner = 1;
  for (const Stretch &stretch : llvm::reverse(data->getStretches())) {
    if (isCombined(map.getAxes()[stretch.axis].kind))
      return inner;
    inner = llvm::SaturatingMultiply(inner, stretch.extent);
  }
  // What is combined has one element.
  return 1;
}

/// An operand is repeated along the axes of the result that it lacks.
std::optional<bool> FormReader::findRepeats() const {
  std::optional<TensorInMemory> result = look(getResultPort());
  std::optional<bool> repeats;
  if (!result || !result->getInnermost())
    return repeats;
  for (unsigned port = 0; port < op->getNumOperands(); ++port) {
    std::optional<TensorInMemory> operand = look(port);
    if (!operand)
      continue;
    for (const Stretch &stretch : result->getStretches())
      if (!operand->has(stretch.axis))
        repeats =
            repeats.value_or(false) || stretch.axis == *result->getInnermost();
  }
  return repeats;
}

/// The operand that the result's columns come from is multiplied last, also
/// where operands are exchanged.
void FormReader::findProduct(FormFacts &facts) const {
  std::optional<unsigned> contracted;
  for (auto [number, axis] : llvm::enumerate(map.getAxes())) {
    if (!isCombined(axis.kind))
      continue;
    if (contracted || axis.kind != AxisKind::Contracted)
      return;
    contracted = number;
  }
  SmallVector<TensorInMemory, 2> factors;
  for (unsigned port = 0; port < op->getNumOperands(); ++port)
    if (auto operand = look(port);
        operand && contracted && operand->has(*contracted))
      factors.push_back(std::move(*operand));
  std::optional<TensorInMemory> result = look(getResultPort());
  if (factors.size() != 2 || !result || !result->getInnermost())
    return;
  facts.isExchanged = !factors[1].has(*result->getInnermost());
  if (*facts.isExchanged)
    std::swap(factors[0], factors[1]);
  // A vector is never transposed.
  auto isMatrix = [&](const TensorInMemory &own, const TensorInMemory &other) {
    return llvm::any_of(own.getStretches(), [&](const Stretch &stretch) {
      return stretch.axis != *contracted && !other.has(stretch.axis);
    });
  };
  facts.transposed = {isMatrix(factors[0], factors[1]) &&
                          factors[0].getInnermost() != contracted,
                      isMatrix(factors[1], factors[0]) &&
                          factors[1].getInnermost() == contracted};
}

AtomSequence inlay::findReducedLast(Operation *op) {
  AxisMap map = getAxisMapOf(op);
  const TensorAxes *dims =
      map.isOpaque() ? nullptr : getAxesOfPort(map, op, /*port=*/0);
  AtomSequence order, combined;
  for (auto [dim, axes] : llvm::enumerate(dims ? *dims : TensorAxes())) {
    bool isOne = llvm::any_of(axes, [&](unsigned axis) {
      return isCombined(map.getAxes()[axis].kind);
    });
    (isOne ? combined : order).push_back({unsigned(dim)});
  }
  llvm::append_range(order, combined);
  bool isRowMajor = llvm::is_sorted(
      order, [](const Atom &a, const Atom &b) { return a.dim < b.dim; });
  return isRowMajor ? AtomSequence() : order;
}

bool inlay::mayReduce(Operation *op) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  return fusion && (fusion.getFusionClass() == FusionClass::Reduce ||
                    fusion.getFusionClass() == FusionClass::Opaque);
}

static std::optional<OpClass> findOpClass(Operation *op,
                                          const FormKinds &kinds) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  if (!fusion)
    return std::nullopt;
  switch (fusion.getFusionClass()) {
  case FusionClass::Elementwise:
    return OpClass::Elementwise;
  case FusionClass::Reduce:
    return OpClass::Reduction;
  case FusionClass::Window:
    return OpClass::Window;
  case FusionClass::Contraction:
    return OpClass::Contraction;
  case FusionClass::Opaque:
    return kinds.combines ? std::optional(OpClass::Normalization)
                          : std::nullopt;
  default:
    return std::nullopt;
  }
}

FormFacts inlay::findFormFacts(Operation *op, StringRef onnxType,
                               ArrayRef<ArrayRef<Atom>> orders,
                               int64_t assumedExtent) {
  FormFacts facts;
  facts.op = onnxType.str();
  FormKinds kinds = getFormKinds(onnxType);
  facts.opClass = findOpClass(op, kinds);
  if (op->getNumOperands() != 0)
    facts.type = getElementWord(op->getOperand(0).getType());
  AxisMap map = getAxisMapOf(op);
  if (map.isOpaque() || op->getNumOperands() == 0 || op->getNumResults() == 0)
    return facts;
  FormReader reader(op, map, orders, assumedExtent);
  if (kinds.combines)
    facts.inner = reader.findInner();
  if (kinds.repeats)
    facts.repeatsInnermost = reader.findRepeats();
  if (kinds.multiplies)
    reader.findProduct(facts);
  return facts;
}
