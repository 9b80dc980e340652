//===- ProductPlans.cpp - Matrix products of what lies in memory ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductPlans.h"
#include "StorageForms.h"
#include "inlay/IR/TypeInference.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Tensors as matrices
//===----------------------------------------------------------------------===//

AtomSequence inlay::getParts(Type type, ArrayRef<Atom> order, int64_t dim) {
  AtomSequence parts;
  for (const Atom &atom : writeOut(order, type))
    if (int64_t(atom.dim) == dim && !isUnit(type, atom))
      parts.push_back(atom);
  return parts;
}

bool inlay::areSameParts(ArrayRef<Atom> a, ArrayRef<Atom> b) {
  return llvm::equal(a, b, [](const Atom &x, const Atom &y) {
    return x.factor == y.factor && x.extent == y.extent;
  });
}

SmallVector<int64_t> ViewedTensor::getShape() const {
  AtomSequence written = writeOut(order, type);
  SmallVector<int64_t> physical = getPhysicalShape(type, order), shape;
  for (const AtomSequence &group : groups) {
    int64_t extent = 1;
    for (const Atom &atom : group) {
      int64_t own = physical[llvm::find(written, atom) - written.begin()];
      bool isKnown = !ShapedType::isDynamic(extent) &&
                     !ShapedType::isDynamic(own) &&
                     !__builtin_mul_overflow(extent, own, &extent);
      if (!isKnown)
        extent = ShapedType::kDynamic;
    }
    shape.push_back(extent);
  }
  return shape;
}

bool ViewedTensor::isView() const {
  AtomSequence atoms;
  for (const AtomSequence &group : groups)
    llvm::append_range(atoms, group);
  return isViewOf(type, order, atoms) &&
         canView(getPhysicalShape(type, order), getShape());
}

void inlay::dropLeading(GroupedView &groups, size_t rank) {
  while (groups.size() > rank && groups.front().empty())
    groups.erase(groups.begin());
}

//===----------------------------------------------------------------------===//
// Products of stacks
//===----------------------------------------------------------------------===//

namespace {
/// An operand: stacks of matrices with a contracted dimension and, unless it is
/// a vector, one that the result has too.
struct Factor {
  Type type;
  ArrayRef<Atom> order;
  int64_t rank, contracted;
  /// The operand's dimension and the result's; -1 for a vector.
  int64_t free, resultDim;

  int64_t getNumBatch() const { return std::max<int64_t>(rank - 2, 0); }
  bool isVector() const { return free < 0; }
  AtomSequence getContractedParts() const {
    return getParts(type, order, contracted);
  }
  bool hasBatch() const {
    return llvm::any_of(
        cast<RankedTensorType>(type).getShape().take_front(getNumBatch()),
        [](int64_t extent) { return extent != 1; });
  }
};

/// Plans left times right, the matrices of `left` being rows of the result.
class ProductPlanner {
public:
  ProductPlanner(const Factor &left, const Factor &right, Type type,
                 ArrayRef<Atom> order)
      : left(left), right(right), type(type), order(order),
        numBatch(cast<RankedTensorType>(type).getRank() - !left.isVector() -
                 !right.isVector()) {}

  /// A stack of products, the columns of each those of one matrix.
  std::optional<ProductPlan> planStack() const;
  /// A stack of products whose columns are those of matrices that lie side by
  /// side: of a stack that the right operand alone has.
  std::optional<ProductPlan> planBeside() const;

private:
  /// Whether dimensions that tensors share are stored alike.
  bool areAlike() const;
  /// The result's dimensions before the columns, each a group.
  GroupedView getRows(bool isStack) const;
  /// The same as dimensions of an operand.
  GroupedView mapRows(const Factor &factor, const GroupedView &rows) const;
  bool hasSameFreeParts(const Factor &factor) const;
  /// The atoms of the result: of the stack one by one, of the rows and of the
  /// columns.
  struct Ranges {
    GroupedView stack;
    AtomSequence rows, columns;
  };
  std::optional<Ranges> findRanges() const;
  /// Whether a dimension of the result is `factor`'s alone.
  bool isOf(const Factor &factor, const Factor &other, int64_t dim) const;

  const Factor &left, &right;
  Type type;
  ArrayRef<Atom> order;
  int64_t numBatch;
};
} // namespace

GroupedView ProductPlanner::getRows(bool isStack) const {
  GroupedView rows;
  for (const Atom &atom : writeOut(order, type)) {
    bool isBatch = int64_t(atom.dim) < numBatch;
    bool isRow = isStack ? isBatch : int64_t(atom.dim) != right.resultDim;
    if (isRow)
      rows.push_back(isUnit(type, atom) ? AtomSequence() : AtomSequence{atom});
  }
  if (isStack && !left.isVector())
    rows.push_back(getParts(type, order, left.resultDim));
  return rows;
}

GroupedView ProductPlanner::mapRows(const Factor &factor,
                                    const GroupedView &rows) const {
  int64_t shift = numBatch - factor.getNumBatch();
  GroupedView mapped;
  for (AtomSequence group : rows) {
    for (Atom &atom : group) {
      bool isFree = int64_t(atom.dim) == factor.resultDim;
      int64_t dim = isFree ? factor.free : int64_t(atom.dim) - shift;
      bool isMissing = dim < 0 || (!isFree && int64_t(atom.dim) >= numBatch) ||
                       cast<RankedTensorType>(factor.type).getDimSize(dim) == 1;
      if (isMissing) {
        group.clear();
        break;
      }
      atom.dim = dim;
    }
    mapped.push_back(group);
  }
  return mapped;
}

bool ProductPlanner::hasSameFreeParts(const Factor &factor) const {
  return factor.isVector() ||
         areSameParts(getParts(factor.type, factor.order, factor.free),
                      getParts(type, order, factor.resultDim));
}

bool ProductPlanner::isOf(const Factor &factor, const Factor &other,
                          int64_t dim) const {
  if (dim >= numBatch)
    return dim == factor.resultDim;
  int64_t own = dim - (numBatch - other.getNumBatch());
  return own < 0 || cast<RankedTensorType>(other.type).getDimSize(own) == 1;
}

bool ProductPlanner::areAlike() const {
  bool isBatchWhole =
      llvm::all_of(llvm::seq<int64_t>(0, numBatch),
                   [&](int64_t dim) { return isWhole(order, dim); });
  return isBatchWhole && hasSameFreeParts(left) && hasSameFreeParts(right) &&
         areSameParts(left.getContractedParts(), right.getContractedParts());
}

/// The atoms of an order that have more than one element.
static AtomSequence dropUnits(Type type, ArrayRef<Atom> order) {
  AtomSequence atoms = writeOut(order, type);
  llvm::erase_if(atoms, [&](const Atom &atom) { return isUnit(type, atom); });
  return atoms;
}

std::optional<ProductPlanner::Ranges> ProductPlanner::findRanges() const {
  AtomSequence contracted = right.getContractedParts();
  AtomSequence own = dropUnits(right.type, right.order);
  auto *inner =
      std::search(own.begin(), own.end(), contracted.begin(), contracted.end());
  if (right.isVector() || contracted.empty() || inner == own.end())
    return std::nullopt;
  // What lies behind the contracted dimension is columns; in front of them are
  // the rows, and in front of those is the stack.
  AtomSequence atoms = dropUnits(type, order);
  size_t numColumns = own.end() - inner - contracted.size();
  if (numColumns > atoms.size())
    return std::nullopt;
  auto *columns = atoms.end() - numColumns;
  auto *rows = std::find_if(atoms.begin(), columns, [&](const Atom &atom) {
    return int64_t(atom.dim) == left.resultDim;
  });
  Ranges ranges;
  for (auto *atom = atoms.begin(); atom != rows; ++atom)
    ranges.stack.push_back({*atom});
  ranges.rows.assign(rows, columns);
  ranges.columns.assign(columns, atoms.end());
  auto areOf = [&](ArrayRef<Atom> group, const Factor &factor,
                   const Factor &other) {
    return llvm::all_of(
        group, [&](const Atom &atom) { return isOf(factor, other, atom.dim); });
  };
  // A stack of columns would be a product with each of them.
  bool isStacked = llvm::any_of(ranges.stack, [&](const AtomSequence &group) {
    return int64_t(group.front().dim) == right.resultDim;
  });
  bool areOwn = !isStacked && areOf(ranges.rows, left, right) &&
                areOf(ranges.columns, right, left);
  return areOwn ? std::optional(std::move(ranges)) : std::nullopt;
}

std::optional<ProductPlan> ProductPlanner::planBeside() const {
  auto ranges = areAlike() ? findRanges() : std::nullopt;
  if (!ranges)
    return std::nullopt;
  ProductPlan plan{{left.type, left.order, {}},
                   {right.type, right.order, mapRows(right, ranges->stack)},
                   {type, order, ranges->stack}};
  if (!left.isVector()) {
    plan.left.groups = mapRows(left, ranges->stack);
    llvm::append_range(plan.left.groups, mapRows(left, {ranges->rows}));
    plan.result.groups.push_back(ranges->rows);
  }
  plan.left.groups.push_back(left.getContractedParts());
  plan.right.groups.push_back(right.getContractedParts());
  llvm::append_range(plan.right.groups, mapRows(right, {ranges->columns}));
  plan.result.groups.push_back(ranges->columns);
  auto getRank = [](const Factor &factor) {
    return writeOut(factor.order, factor.type).size();
  };
  dropLeading(plan.left.groups,
              std::max<size_t>(getRank(left), left.isVector() ? 1 : 2));
  dropLeading(plan.right.groups, std::max<size_t>(getRank(right), 2));
  bool isStored =
      plan.left.isView() && plan.right.isView() && plan.result.isView() &&
      canView(plan.result.getShape(), getPhysicalShape(type, order));
  return isStored ? std::optional(std::move(plan)) : std::nullopt;
}

std::optional<ProductPlan> ProductPlanner::planStack() const {
  if (!areAlike())
    return std::nullopt;
  // Where the right operand is one matrix, all else is rows, in any order.
  bool isStack = left.isVector() || right.hasBatch();
  GroupedView rows = getRows(isStack);
  ProductPlan plan{{left.type, left.order, {}},
                   {right.type, right.order, {}},
                   {type, order, rows}};
  plan.left.groups = left.isVector() ? GroupedView() : mapRows(left, rows);
  plan.left.groups.push_back(left.getContractedParts());
  dropLeading(plan.left.groups, writeOut(left.order, left.type).size());
  if (isStack && !right.isVector()) {
    plan.right.groups = mapRows(right, getRows(/*isStack=*/true));
    if (!left.isVector())
      plan.right.groups.pop_back();
  }
  plan.right.groups.push_back(right.getContractedParts());
  if (!right.isVector()) {
    plan.right.groups.push_back(getParts(right.type, right.order, right.free));
    plan.result.groups.push_back(getParts(type, order, right.resultDim));
  }
  dropLeading(plan.right.groups,
              std::max<size_t>(writeOut(right.order, right.type).size(),
                               right.isVector() ? 1 : 2));
  bool isStored =
      plan.left.isView() && plan.right.isView() && plan.result.isView();
  return isStored ? std::optional(std::move(plan)) : std::nullopt;
}

std::optional<Product> inlay::planMatMul(Operation *op, const StoredForm &form,
                                         unsigned a, unsigned b, bool maySwap) {
  std::optional<int64_t> aRank = getRank(op->getOperand(a));
  std::optional<int64_t> bRank = getRank(op->getOperand(b));
  std::optional<int64_t> rank = getRank(op->getResult(0));
  if (!aRank || !bRank || !rank || *aRank < 1 || *bRank < 1 || form.isBlocked())
    return std::nullopt;
  bool isColumn = *bRank == 1;
  Factor left{op->getOperand(a).getType(),
              form.operands[a],
              *aRank,
              *aRank - 1,
              *aRank - 2,
              *rank - (isColumn ? 1 : 2)};
  Factor right{
      op->getOperand(b).getType(), form.operands[b],           *bRank,
      isColumn ? 0 : *bRank - 2,   isColumn ? -1 : *bRank - 1, *rank - 1};
  if (left.isVector())
    left.resultDim = -1;
  if (right.isVector())
    right.resultDim = -1;
  Type type = op->getResult(0).getType();
  ProductPlanner direct(left, right, type, form.results[0]);
  ProductPlanner swapped(right, left, type, form.results[0]);
  if (auto plan = direct.planStack())
    return Product{std::move(*plan), false};
  if (auto plan = maySwap ? swapped.planStack() : std::nullopt)
    return Product{std::move(*plan), true};
  if (auto plan = direct.planBeside())
    return Product{std::move(*plan), false};
  if (auto plan = maySwap ? swapped.planBeside() : std::nullopt)
    return Product{std::move(*plan), true};
  return std::nullopt;
}
