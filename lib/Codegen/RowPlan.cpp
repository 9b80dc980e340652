//===- RowPlan.cpp - How reductions of rows are computed ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowPlan.h"
#include "OpenDims.h"
#include "SoftmaxParts.h"

using namespace inlay;
using namespace mlir;

static constexpr unsigned maxRounds = 64;
/// Floats of a row that are kept from one pass to the next.
static constexpr int64_t maxRemembered = 8 * 1024;

//===----------------------------------------------------------------------===//
// What is computed
//===----------------------------------------------------------------------===//

/// Whether all that follows from it is in the body, too.
static bool maySkipNan(const KernelBody &body, Operation *op) {
  auto most = dyn_cast<ReduceMaxOp>(op);
  return most && isMaximumOfSoftmax(most) &&
         llvm::all_of(op->getUsers(), [&](Operation *user) {
           return llvm::is_contained(body.ops, user);
         });
}

std::optional<Rows> inlay::matchRows(const KernelBody &body) {
  Rows rows;
  DenseMap<Value, unsigned> levels;
  for (Operation *op : body.ops) {
    unsigned level = 0;
    for (Value operand : op->getOperands())
      level = std::max(level, levels.lookup(body.resolve(operand)));
    if (std::optional<Reduction> reduction = Reduction::get(op)) {
      if (maySkipNan(body, op))
        reduction->skipNan();
      rows.reductions.push_back(*reduction);
      rows.levels.push_back(level++);
    }
    for (Value result : op->getResults())
      levels[result] = level;
  }
  bool areAlike = llvm::all_of(rows.reductions, [&](const Reduction &other) {
    return getExtents(other.getOperand()) == rows.getShape() &&
           other.getDims() == rows.getDims();
  });
  if (rows.reductions.empty() || !areAlike ||
      llvm::is_contained(rows.getShape(), 0) ||
      !llvm::all_of(body.yielded, hasCodeType))
    return std::nullopt;
  return rows;
}

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

int64_t RowPlan::getRowLength() const {
  int64_t length = 1;
  for (unsigned loop : reduced)
    length *= space.getExtent(loop);
  return length;
}

SmallVector<const Linear *> RowPlan::getForms() const {
  SmallVector<const Linear *> forms = perRow.getForms();
  llvm::append_range(forms, perElement.getForms());
  for (const std::unique_ptr<RowPass> &pass : passes) {
    llvm::append_range(forms, pass->reader.getForms());
    for (const Linear &position : pass->positions)
      forms.push_back(&position);
  }
  return forms;
}

bool RowPlan::merge(unsigned outer, unsigned inner) {
  if (!space.merge(outer, inner, getForms()))
    return false;
  perRow.dropLoop(outer);
  perElement.dropLoop(outer);
  for (std::unique_ptr<RowPass> &pass : passes) {
    pass->reader.dropLoop(outer);
    for (Linear &position : pass->positions)
      position.drop(outer);
  }
  return true;
}

namespace {
/// Makes the plan of a body's rows.
class RowPlanner {
public:
  RowPlanner(const KernelBody &body, const Rows &rows)
      : body(body), rows(rows) {}

  std::unique_ptr<RowPlan> plan();

private:
  std::unique_ptr<RowPlan> search();
  std::unique_ptr<RowPlan> tryPlan(const LoopPlan &loops);
  std::optional<unsigned> chooseRemembered(const RowPlan &plan) const;
  LoopIndex getIndex(const LoopSpace &space) const;
  /// Numbers per row that earlier passes give.
  void define(Reader &reader, unsigned level, const LoopIndex &index) const;
  bool addPasses(RowPlan &plan, const LoopIndex &index) const;
  bool addResults(RowPlan &plan, const LoopIndex &index) const;
  void findLoops(RowPlan &plan, const LoopPlan &loops) const;
  void findLengths(RowPlan &plan, const LoopPlan &loops) const;
  void mergeLoops(RowPlan &plan) const;
  void chooseLane(RowPlan &plan) const;
  SmallVector<int64_t> getOrder() const;

  const KernelBody &body;
  const Rows &rows;
  std::optional<unsigned> remembered;
  /// Whether loops may end at lengths.
  bool mayEnd = true;
};
} // namespace

/// Dimensions that stay, then those that are reduced.
SmallVector<int64_t> RowPlanner::getOrder() const {
  SmallVector<int64_t> order;
  for (int64_t dim = 0; dim < int64_t(rows.getShape().size()); ++dim)
    if (!llvm::is_contained(rows.getDims(), dim))
      order.push_back(dim);
  llvm::append_range(order, rows.getDims());
  return order;
}

LoopIndex RowPlanner::getIndex(const LoopSpace &space) const {
  LoopIndex ordered = space.getIndex(), index(ordered.size());
  for (auto [i, dim] : llvm::enumerate(getOrder()))
    index[dim] = ordered[i];
  return index;
}

void RowPlanner::define(Reader &reader, unsigned level,
                        const LoopIndex &index) const {
  for (auto [reduction, own] : llvm::zip_equal(rows.reductions, rows.levels))
    if (own < level)
      reader.define(reduction.getResult(), reduction.getResultIndex(index));
}

bool RowPlanner::addPasses(RowPlan &plan, const LoopIndex &index) const {
  unsigned numLevels = *llvm::max_element(rows.levels) + 1;
  for (unsigned level = 0; level < numLevels; ++level) {
    plan.passes.push_back(std::make_unique<RowPass>(body, plan.space));
    RowPass &pass = *plan.passes.back();
    define(pass.reader, level, index);
    for (auto [i, reduction] : llvm::enumerate(rows.reductions)) {
      if (rows.levels[i] != level)
        continue;
      std::optional<unsigned> element =
          pass.reader.want(reduction.getOperand(), index);
      if (!element)
        return false;
      pass.reductions.push_back(i);
      pass.elements.push_back(*element);
      std::optional<int64_t> searched = reduction.getSearched();
      pass.positions.push_back(searched ? index[*searched] : Linear());
    }
  }
  return true;
}

bool RowPlanner::addResults(RowPlan &plan, const LoopIndex &index) const {
  unsigned numLevels = plan.passes.size();
  define(plan.perRow.getReader(), numLevels, index);
  Reader &elements = plan.perElement.getReader();
  define(elements, numLevels, index);
  if (remembered)
    plan.rememberedElement = elements.define(
        body.resolve(rows.reductions[*remembered].getOperand()), index);
  ResultPlaces places(body, plan.space, rows.reductions.front().getOperand(),
                      index);
  for (const Reduction &reduction : rows.reductions)
    places.set(reduction.getResult(), reduction.getResultIndex(index));
  places.follow();
  for (auto [i, value] : llvm::enumerate(body.yielded)) {
    std::optional<LoopIndex> place = places.get(value);
    if (!place)
      return false;
    bool isPerRow = llvm::none_of(plan.reduced, [&](unsigned loop) {
      return llvm::any_of(*place, [&](const Linear &own) {
        return plan.space.dependsOn(own, loop);
      });
    });
    // Rows of one element are both.
    bool isWhole = plan.reduced.empty() || !isPerRow;
    if (!(isWhole ? plan.perElement : plan.perRow).add(i, *place))
      return false;
    (isWhole ? plan.storesElements : plan.storesRows) = true;
  }
  return true;
}

void RowPlanner::findLoops(RowPlan &plan, const LoopPlan &loops) const {
  size_t numKept = rows.getShape().size() - rows.getDims().size();
  unsigned next = 0;
  for (auto [dim, own] : llvm::enumerate(loops.dims))
    for (const LoopPlan::Loop &loop : own) {
      if (loop.extent != 1)
        (dim < numKept ? plan.kept : plan.reduced).push_back(next);
      ++next;
    }
}

/// Of dimensions that are one loop each, and of one length for all reductions.
void RowPlanner::findLengths(RowPlan &plan, const LoopPlan &loops) const {
  if (!body.open || !mayEnd)
    return;
  auto getLength = [&](const Reduction &own, unsigned dim) {
    Value operand = own.getOperand();
    return llvm::is_contained(body.open->get(operand), dim)
               ? std::optional(body.open->getNumber(operand, dim))
               : std::nullopt;
  };
  size_t numKept = rows.getShape().size() - rows.getDims().size();
  unsigned next = 0, numOpen = 0;
  for (auto [i, own] : llvm::enumerate(loops.dims)) {
    unsigned loop = next;
    next += own.size();
    if (i < numKept)
      continue;
    auto dim = unsigned(rows.getDims()[i - numKept]);
    std::optional<unsigned> length = getLength(rows.reductions.front(), dim);
    bool areAlike = llvm::all_of(rows.reductions, [&](const Reduction &other) {
      return getLength(other, dim) == length;
    });
    if (areAlike && !length)
      continue;
    ++numOpen;
    if (areAlike && own.size() == 1)
      plan.lengths[loop] = *length;
  }
  plan.endsAtLengths = numOpen != 0 && plan.lengths.size() == numOpen;
}

void RowPlanner::mergeLoops(RowPlan &plan) const {
  auto isOpen = [&](unsigned loop) { return plan.lengths.contains(loop); };
  for (SmallVector<unsigned> *loops : {&plan.kept, &plan.reduced})
    for (size_t i = loops->size(); i-- > 1;) {
      unsigned outer = (*loops)[i - 1], inner = (*loops)[i];
      if (!isOpen(outer) && !isOpen(inner) && plan.merge(outer, inner))
        loops->erase(loops->begin() + i - 1);
    }
}

/// The loop along which most elements lie side by side, the row's before
/// others.
void RowPlanner::chooseLane(RowPlan &plan) const {
  SmallVector<const Linear *> forms = plan.getForms();
  int64_t best = std::numeric_limits<int64_t>::min();
  auto consider = [&](unsigned loop, bool isAcross) {
    int64_t score = 0;
    for (const Linear *form : forms) {
      int64_t factor = form->getFactor(loop);
      score += factor == 1 ? 1 : factor == 0 ? 0 : -1;
    }
    if (score <= best)
      return;
    best = score;
    plan.lane = loop;
    plan.isAcross = isAcross;
  };
  for (unsigned loop : llvm::reverse(plan.reduced))
    consider(loop, false);
  for (unsigned loop : llvm::reverse(plan.kept))
    consider(loop, true);
  // It is the innermost of its kind.
  SmallVector<unsigned> &loops = plan.isAcross ? plan.kept : plan.reduced;
  if (plan.lane == ~0u)
    return;
  llvm::erase(loops, plan.lane);
  loops.push_back(plan.lane);
}

std::unique_ptr<RowPlan> RowPlanner::tryPlan(const LoopPlan &loops) {
  auto plan = std::make_unique<RowPlan>(body, loops, loops.getRanges());
  plan->remembered = remembered;
  LoopIndex index = getIndex(plan->space);
  findLoops(*plan, loops);
  findLengths(*plan, loops);
  plan->isComplete = addPasses(*plan, index) && addResults(*plan, index);
  return plan;
}

/// What was computed for the last pass and is computed again for results; what
/// is only read is as near where it is.
std::optional<unsigned>
RowPlanner::chooseRemembered(const RowPlan &plan) const {
  int64_t atOnce = plan.isAcross ? RowPlan::numSums : 1;
  if (plan.reduced.empty() || plan.getRowLength() * atOnce > maxRemembered)
    return std::nullopt;
  for (unsigned number : plan.passes.back()->reductions) {
    Value operand = body.resolve(rows.reductions[number].getOperand());
    if (getElementTypeOrSelf(operand.getType()).isF32() &&
        plan.perElement.getReader().computes(operand))
      return number;
  }
  return std::nullopt;
}

std::unique_ptr<RowPlan> RowPlanner::plan() {
  std::unique_ptr<RowPlan> plan = search();
  // Vectors along a row do not end anywhere.
  if (plan && !plan->isAcross && !plan->lengths.empty()) {
    mayEnd = false;
    plan = search();
  }
  if (!plan)
    return nullptr;
  remembered = chooseRemembered(*plan);
  if (!remembered)
    return plan;
  std::unique_ptr<RowPlan> better = search();
  return better ? std::move(better) : std::move(plan);
}

std::unique_ptr<RowPlan> RowPlanner::search() {
  SmallVector<int64_t> shape;
  for (int64_t dim : getOrder())
    shape.push_back(rows.getShape()[dim]);
  LoopPlan loops = LoopPlan::get(shape);
  for (unsigned round = 0; round < maxRounds; ++round) {
    std::unique_ptr<RowPlan> plan = tryPlan(loops);
    // Another plan may lead to where this one does not.
    std::optional<LoopPlan> better = plan->space.getBetterPlan(1);
    if (!better)
      better = plan->space.getPlanOfBlocks(RowPlan::numSums);
    if (better) {
      loops = std::move(*better);
      continue;
    }
    if (!plan->isComplete)
      return nullptr;
    mergeLoops(*plan);
    chooseLane(*plan);
    return plan;
  }
  return nullptr;
}

std::unique_ptr<RowPlan> RowPlan::make(const KernelBody &body,
                                       const Rows &rows) {
  return RowPlanner(body, rows).plan();
}
