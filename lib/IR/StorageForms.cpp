//===- StorageForms.cpp - What the forms of operators share ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StorageForms.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/ModuleAttrs.h"
#include "mlir/IR/BuiltinOps.h"
#include <set>

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

AtomSequence inlay::writeOut(ArrayRef<Atom> order, Type type) {
  if (!order.empty())
    return AtomSequence(order);
  AtomSequence atoms;
  if (auto ranked = dyn_cast<RankedTensorType>(type))
    for (unsigned dim = 0; dim < ranked.getRank(); ++dim)
      atoms.push_back({dim});
  return atoms;
}

bool inlay::isUnit(Type type, const Atom &atom) {
  bool isWholeDim = atom.factor == 0 && atom.extent.isRest();
  return (isWholeDim ? cast<RankedTensorType>(type).getDimSize(atom.dim)
                     : atom.extent.getValue()) == 1;
}

bool inlay::isWhole(ArrayRef<Atom> order, unsigned dim) {
  return llvm::none_of(order, [&](const Atom &atom) {
    return atom.dim == dim && atom.factor != 0;
  });
}

SmallVector<int64_t> inlay::getPhysicalShape(Type type, ArrayRef<Atom> order) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
  if (order.empty())
    return SmallVector<int64_t>(shape);
  Layout layout = llvm::cantFail(
      Layout::getUnnamed(LayoutClass::Tensor, AtomSequence(order)));
  return layout.getPhysicalShape(shape);
}

bool inlay::isViewOf(Type type, ArrayRef<Atom> order,
                     ArrayRef<std::optional<Atom>> view) {
  if (!isa<RankedTensorType>(type))
    return false;
  AtomSequence own, wanted;
  for (const Atom &atom : writeOut(order, type))
    if (!isUnit(type, atom))
      own.push_back(atom);
  for (const std::optional<Atom> &atom : view)
    if (atom && !isUnit(type, *atom))
      wanted.push_back(*atom);
  return own == wanted;
}

bool inlay::isViewOf(Type type, ArrayRef<Atom> order, ArrayRef<Atom> view) {
  return isViewOf(type, order, AtomView(view.begin(), view.end()));
}

AtomView inlay::alignAtoms(Type operand, ArrayRef<Atom> operandOrder, Type type,
                           ArrayRef<Atom> order) {
  auto operandType = cast<RankedTensorType>(operand);
  unsigned shift =
      cast<RankedTensorType>(type).getRank() - operandType.getRank();
  AtomView view;
  for (Atom atom : writeOut(order, type)) {
    if (atom.dim < shift || operandType.getDimSize(atom.dim - shift) == 1) {
      view.push_back(std::nullopt);
      continue;
    }
    atom.dim -= shift;
    view.push_back(atom);
  }
  size_t rank = writeOut(operandOrder, operand).size();
  while (view.size() > rank && !view.front())
    view.erase(view.begin());
  return view;
}

/// Major factors of a dimension first; extents only tell atoms apart.
static bool comesBefore(const Atom &a, const Atom &b) {
  auto key = [](const Atom &atom) {
    return std::tuple(atom.dim, ~atom.factor, atom.extent.isSymbol(),
                      atom.extent.getValue(), atom.extent.getPadding(),
                      atom.extent.getSymbol());
  };
  return key(a) < key(b);
}

static void sortAndUnique(AtomSequence &atoms) {
  llvm::sort(atoms, comesBefore);
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
}

/// What of the atoms of an order has more than one element; the dimensions of
/// all others go to `units`.
static AtomSequence dropUnits(const StoredTensor &tensor, AtomSequence &units) {
  AtomSequence kept;
  for (const Atom &atom : writeOut(tensor.order, tensor.type))
    if (!isUnit(tensor.type, atom))
      kept.push_back(atom);
    else if (!llvm::is_contained(units, Atom{atom.dim}))
      units.push_back({atom.dim});
  return kept;
}

std::optional<AtomSequence> inlay::mergeOrders(ArrayRef<StoredTensor> tensors) {
  // What is left of each order, equal ones once (a Concat may have thousands),
  // and all atoms in the order of dimensions.
  SmallVector<AtomSequence> left;
  AtomSequence atoms;
  auto isLess = [](const AtomSequence &a, const AtomSequence &b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        comesBefore);
  };
  std::set<AtomSequence, decltype(isLess)> seen(isLess);
  for (const StoredTensor &tensor : tensors) {
    if (!isa<RankedTensorType>(tensor.type))
      return std::nullopt;
    AtomSequence kept = dropUnits(tensor, atoms);
    if (seen.insert(kept).second)
      left.push_back(std::move(kept));
  }
  for (const AtomSequence &order : left)
    llvm::append_range(atoms, order);
  sortAndUnique(atoms);
  // A dimension of one element here may be factored there.
  AtomSequence all = atoms;
  llvm::erase_if(atoms, [&](const Atom &atom) {
    bool isWholeDim = atom.factor == 0 && atom.extent.isRest();
    return isWholeDim && llvm::any_of(all, [&](const Atom &other) {
             return other.dim == atom.dim && !(other == atom);
           });
  });
  AtomSequence merged;
  while (!atoms.empty()) {
    // The first that no tensor has behind another.
    Atom *next = llvm::find_if(atoms, [&](const Atom &atom) {
      return llvm::all_of(left, [&](const AtomSequence &order) {
        return !llvm::is_contained(order, atom) || order.front() == atom;
      });
    });
    if (next == atoms.end())
      return std::nullopt;
    for (AtomSequence &order : left)
      if (!order.empty() && order.front() == *next)
        order.erase(order.begin());
    merged.push_back(*next);
    atoms.erase(next);
  }
  bool isComplete = llvm::all_of(
      left, [](const AtomSequence &order) { return order.empty(); });
  return isComplete ? std::optional(merged) : std::nullopt;
}

int64_t inlay::getPosition(ArrayRef<Atom> order, int64_t dim, int64_t rank) {
  unsigned wanted = dim < 0 ? dim + rank : dim;
  const Atom *atom = llvm::find_if(
      order, [&](const Atom &candidate) { return candidate.dim == wanted; });
  assert(atom != order.end() && "an order has all dimensions");
  return atom - order.begin();
}

//===----------------------------------------------------------------------===//
// Forms that several operators have
//===----------------------------------------------------------------------===//

bool inlay::areRowMajorFrom(const StoredForm &form, unsigned first) {
  return llvm::all_of(ArrayRef(form.operands).drop_front(first),
                      [](const AtomSequence &order) { return order.empty(); });
}

std::optional<AtomSequence> inlay::getCommonOrder(Operation *op,
                                                  const StoredForm &form,
                                                  unsigned numOperands) {
  if (!areRowMajorFrom(form, numOperands))
    return std::nullopt;
  SmallVector<StoredTensor> tensors;
  for (unsigned i = 0; i < numOperands; ++i)
    tensors.push_back({op->getOperand(i).getType(), form.operands[i]});
  for (auto [type, order] : llvm::zip_equal(op->getResultTypes(), form.results))
    tensors.push_back({type, order});
  return mergeOrders(tensors);
}

std::optional<AtomSequence> inlay::getWholeOrder(Operation *op,
                                                 const StoredForm &form) {
  return form.isFactored() ? std::nullopt : getCommonOrder(op, form);
}

std::optional<SmallVector<Value>> inlay::viewOperands(StoredOpBuilder &stored,
                                                      ArrayRef<Atom> order,
                                                      unsigned numOperands) {
  SmallVector<Value> operands(stored.getOperands());
  for (unsigned i = 0; i < numOperands; ++i) {
    operands[i] = stored.viewOperand(i, order);
    if (!operands[i])
      return std::nullopt;
  }
  return operands;
}

void inlay::setResultsIn(StoredOpBuilder &stored, Operation *created,
                         ArrayRef<Atom> order) {
  bool isWholeOrder = llvm::all_of(order, [](const Atom &atom) {
    return atom.factor == 0 && atom.extent.isRest();
  });
  TypeRange types = stored.getOperation()->getResultTypes();
  for (auto [i, value] : llvm::enumerate(created->getResults())) {
    auto type = dyn_cast<RankedTensorType>(types[i]);
    bool hasOrder =
        type && isWholeOrder && size_t(type.getRank()) == order.size();
    if (Type met =
            hasOrder
                ? meetTypes(value.getType(),
                            RankedTensorType::get(getPhysicalShape(type, order),
                                                  type.getElementType()))
                : Type())
      value.setType(cast<TensorType>(met));
    stored.setResult(i, value);
  }
}

bool inlay::admitsAlongAxis(Operation *op, const StoredForm &form, int64_t axis,
                            unsigned numOperands) {
  std::optional<AtomSequence> order = getCommonOrder(op, form, numOperands);
  std::optional<int64_t> rank = getRank(op->getOperand(0));
  std::optional<int64_t> dim = rank ? normalizeAxis(axis, *rank) : std::nullopt;
  return order && dim && isWhole(*order, *dim);
}

LogicalResult inlay::buildAlongAxis(StoredOpBuilder &stored, int64_t axis,
                                    unsigned numOperands) {
  Operation *op = stored.getOperation();
  AtomSequence order = *getCommonOrder(op, stored.getForm(), numOperands);
  auto operands = viewOperands(stored, order, numOperands);
  if (!operands)
    return failure();
  int64_t position = getPosition(order, axis, *getRank(op->getOperand(0)));
  setResultsIn(stored,
               stored.create(*operands,
                             {stored.getAttr("axis", stored.getI64(position))}),
               order);
  return success();
}

std::optional<int64_t> inlay::getOpset(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  auto opsets =
      module ? module->getAttrOfType<DictionaryAttr>(attrs::opsets) : nullptr;
  auto version = opsets ? opsets.getAs<IntegerAttr>("ai.onnx") : nullptr;
  return version ? std::optional(version.getInt()) : std::nullopt;
}
