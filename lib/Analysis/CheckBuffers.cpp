//===- CheckBuffers.cpp - Whether values survive until they are read ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory holds marks: who wrote a byte last. A step reads the marks of its
// operands and writes new ones. Nothing is known here of lifetimes; a loop runs
// twice, and of two branches what both leave behind is left.
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/BufferPlan.h"
#include "inlay/IR/GroupKind.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/Origin.h"
#include "inlay/Support/Error.h"
#include <map>

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
using Mark = unsigned;
/// A home, and the number of an input or output.
using Space = std::pair<BufferHome, unsigned>;

/// Who wrote which bytes of a space last.
class Memory {
public:
  void write(Space space, uint64_t begin, uint64_t end, Mark mark);
  bool holds(Space space, uint64_t begin, uint64_t end, Mark mark) const;
  /// Forgets what `other` does not hold, too.
  void intersect(const Memory &other);

private:
  struct Piece {
    uint64_t end;
    Mark mark;
    bool operator==(const Piece &) const = default;
  };
  /// By where they begin; they do not overlap.
  std::map<Space, std::map<uint64_t, Piece>> spaces;
};
} // namespace

void Memory::write(Space space, uint64_t begin, uint64_t end, Mark mark) {
  std::map<uint64_t, Piece> &pieces = spaces[space];
  auto it = pieces.lower_bound(begin);
  if (it != pieces.begin() && std::prev(it)->second.end > begin)
    --it;
  while (it != pieces.end() && it->first < end) {
    auto [start, piece] = *it;
    it = pieces.erase(it);
    if (start < begin)
      pieces[start] = {begin, piece.mark};
    if (piece.end > end)
      pieces[end] = piece;
  }
  pieces[begin] = {end, mark};
}

bool Memory::holds(Space space, uint64_t begin, uint64_t end, Mark mark) const {
  auto found = spaces.find(space);
  if (found == spaces.end())
    return false;
  auto it = found->second.upper_bound(begin);
  for (uint64_t at = begin; at < end;) {
    if (it == found->second.begin())
      return false;
    const Piece &piece = std::prev(it)->second;
    if (piece.mark != mark || piece.end <= at)
      return false;
    at = piece.end;
    it = found->second.upper_bound(at);
  }
  return true;
}

void Memory::intersect(const Memory &other) {
  for (auto &[space, pieces] : spaces) {
    auto found = other.spaces.find(space);
    std::erase_if(pieces, [&](const auto &entry) {
      if (found == other.spaces.end())
        return true;
      auto same = found->second.find(entry.first);
      return same == found->second.end() || same->second != entry.second;
    });
  }
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {
class Checker {
public:
  explicit Checker(const BufferPlan &plan) : plan(plan) {}

  llvm::Error run(func::FuncOp graph);

private:
  llvm::Error runBlock(Block &block);
  llvm::Error runStep(Operation *op);
  llvm::Error runBranches(Operation *op);
  llvm::Error runLoop(Operation *op);
  llvm::Error read(Operation *op, ValueRange values) const;
  llvm::Error write(Operation *op, ValueRange values);
  llvm::Error checkOverlaps(Operation *op) const;

  /// Nothing for what the plan gives no bytes of its own.
  const BufferPlace *getPlace(Value value) const;
  bool overlap(Value a, Value b) const;

  const BufferPlan &plan;
  Memory memory;
  DenseMap<Value, Mark> marks;
  Mark nextMark = 0;
};
} // namespace

static llvm::Error fail(Operation *op, const Twine &what) {
  return makeError(ExitCode::Internal, "'" + getNodeName(op) + "' (" +
                                           op->getName().getStringRef() + ") " +
                                           what);
}

const BufferPlace *Checker::getPlace(Value value) const {
  auto it = plan.places.find(value);
  bool hasBytes =
      it != plan.places.end() && it->second.home != BufferHome::Heap &&
      it->second.home != BufferHome::Constant && it->second.bytes != 0;
  return hasBytes ? &it->second : nullptr;
}

bool Checker::overlap(Value a, Value b) const {
  const BufferPlace *x = getPlace(a), *y = getPlace(b);
  return x && y && x->home == y->home && x->index == y->index &&
         x->offset < y->offset + y->bytes && y->offset < x->offset + x->bytes;
}

llvm::Error Checker::read(Operation *op, ValueRange values) const {
  for (Value value : values) {
    const BufferPlace *place = getPlace(value);
    if (place &&
        !memory.holds({place->home, place->index}, place->offset,
                      place->offset + place->bytes, marks.lookup(value)))
      return fail(op, "reads " + Twine(place->bytes) + " bytes at " +
                          Twine(place->offset) + " that have been overwritten");
  }
  return llvm::Error::success();
}

llvm::Error Checker::write(Operation *op, ValueRange values) {
  for (Value value : values) {
    marks[value] = ++nextMark;
    const BufferPlace *place = getPlace(value);
    if (!place)
      continue;
    if (place->home == BufferHome::Input)
      return fail(op, "writes to an input of the caller");
    bool isInside = place->home != BufferHome::Arena ||
                    (place->offset % BufferPlan::alignment == 0 &&
                     place->offset + place->bytes <= plan.arenaBytes);
    if (!isInside)
      return fail(op, "writes outside of the arena, or out of line");
    memory.write({place->home, place->index}, place->offset,
                 place->offset + place->bytes, nextMark);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Bytes that are read and written by one step
//===----------------------------------------------------------------------===//

/// Whether both have the same, known extents.
static bool haveEqualShapes(Value a, Value b) {
  auto x = dyn_cast<RankedTensorType>(a.getType());
  auto y = dyn_cast<RankedTensorType>(b.getType());
  return x && y && x.hasStaticShape() && x.getShape() == y.getShape();
}

/// Whether every result of `op` is made of `operand` element by element.
static bool followsElements(Operation &op, Value operand) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  return fusion && fusion.getFusionClass() == FusionClass::Elementwise &&
         llvm::all_of(op.getResults(), [&](Value result) {
           return haveEqualShapes(result, operand);
         });
}

/// Whether each element of the operand is read before its place is written.
static bool readsBeforeItWrites(Operation *op, Value operand) {
  auto group = dyn_cast<GroupOp>(op);
  if (!group)
    return followsElements(*op, operand);
  if (getKind(group) != GroupKind::Kernel)
    return false;
  // What was made of the operand, in the order of the body.
  Block &body = group.getBody().front();
  DenseSet<Value> made = {operand};
  for (Operation &inner : body.without_terminator())
    for (Value each : inner.getOperands())
      if (made.contains(each)) {
        if (!followsElements(inner, each))
          return false;
        made.insert(inner.result_begin(), inner.result_end());
      }
  return true;
}

/// Those of the operation and of all that is in it, defined outside.
static SmallVector<Value> getOperands(Operation *op) {
  SmallVector<Value> values;
  op->walk([&](Operation *inner) {
    for (Value value : inner->getOperands())
      if (!op->isAncestor(value.getParentBlock()->getParentOp()))
        values.push_back(value);
  });
  return values;
}

llvm::Error Checker::checkOverlaps(Operation *op) const {
  for (OpResult result : op->getResults()) {
    for (Value operand : getOperands(op)) {
      if (!overlap(result, operand))
        continue;
      bool isSame =
          plan.places.lookup(result).isSame(plan.places.lookup(operand)) &&
          haveEqualShapes(result, operand);
      if (!isSame || !readsBeforeItWrites(op, operand))
        return fail(op, "writes over an operand that it still reads");
    }
    for (OpResult other : op->getResults().take_front(result.getResultNumber()))
      if (overlap(result, other))
        return fail(op, "writes two results to one place");
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// A view in the place of its operand is that, and writes nothing.
static bool isView(Operation *op) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  return fusion && fusion.getFusionClass() == FusionClass::View &&
         op->getNumResults() == 1;
}

llvm::Error Checker::runStep(Operation *op) {
  if (op->getNumRegions() != 0 && !isFinished(op)) {
    auto transmit = dyn_cast<LayoutTransmitOpInterface>(op);
    bool isLoop = transmit && transmit.getControlFlow().repeats;
    return isLoop ? runLoop(op) : runBranches(op);
  }
  if (llvm::Error error = read(op, getOperands(op)))
    return error;
  if (isView(op) && plan.places.lookup(op->getResult(0))
                        .isSame(plan.places.lookup(op->getOperand(0)))) {
    marks[op->getResult(0)] = marks.lookup(op->getOperand(0));
    return llvm::Error::success();
  }
  if (llvm::Error error = checkOverlaps(op))
    return error;
  return write(op, op->getResults());
}

llvm::Error Checker::runBlock(Block &block) {
  for (Operation &op : block)
    if (llvm::Error error = runStep(&op))
      return error;
  return llvm::Error::success();
}

llvm::Error Checker::runBranches(Operation *op) {
  if (llvm::Error error = read(op, op->getOperands()))
    return error;
  Memory before = memory;
  std::optional<Memory> after;
  for (Region &region : op->getRegions()) {
    memory = before;
    for (Block &block : region)
      if (llvm::Error error = runBlock(block))
        return error;
    if (after)
      memory.intersect(*after);
    after = memory;
  }
  return write(op, op->getResults());
}

/// Results grow while a loop runs, and its operands are there until it ends.
llvm::Error Checker::runLoop(Operation *op) {
  if (llvm::Error error = read(op, op->getOperands()))
    return error;
  if (llvm::Error error = write(op, op->getResults()))
    return error;
  for (unsigned turn = 0; turn < 2; ++turn)
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        if (llvm::Error error = write(op, block.getArguments()))
          return error;
        if (llvm::Error error = runBlock(block))
          return error;
      }
  if (llvm::Error error = read(op, op->getOperands()))
    return error;
  return read(op, op->getResults());
}

llvm::Error Checker::run(func::FuncOp graph) {
  for (Value argument : graph.getArguments()) {
    marks[argument] = ++nextMark;
    if (const BufferPlace *place = getPlace(argument))
      memory.write({place->home, place->index}, place->offset,
                   place->offset + place->bytes, nextMark);
  }
  return runBlock(graph.getBody().front());
}

llvm::Error inlay::checkBuffers(func::FuncOp graph, const BufferPlan &plan) {
  return Checker(plan).run(graph);
}
