//===- BufferPlan.cpp - Where values lie in memory ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/BufferPlan.h"
#include "inlay/Analysis/Placement.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/GroupKind.h"
#include "inlay/IR/Groups.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {
/// The first and the last step of an operation: they differ where its bodies
/// run between them.
struct Span {
  unsigned begin, end;
};

/// The operations of a graph and of its bodies, in the order in which they run.
class Steps {
public:
  explicit Steps(func::FuncOp graph);

  Span getSpan(Operation *op) const { return spans.lookup(op); }
  unsigned getDefinition(Value value) const;
  /// The last step at which a value must still be there.
  unsigned getLastUse(Value value) const;
  ArrayRef<Operation *> getOperations() const { return operations; }

private:
  unsigned getUse(Value value, Operation *user) const;

  DenseMap<Operation *, Span> spans;
  std::vector<Operation *> operations;
};
} // namespace

static bool runsAgain(Operation *op) {
  auto transmit = dyn_cast<LayoutTransmitOpInterface>(op);
  return op->getNumRegions() != 0 && transmit &&
         transmit.getControlFlow().repeats;
}

Steps::Steps(func::FuncOp graph) {
  unsigned next = 0;
  graph->walk([&](Operation *op, const WalkStage &stage) {
    if (op == graph)
      return WalkResult::advance();
    if (stage.isBeforeAllRegions()) {
      operations.push_back(op);
      spans[op] = {next, next};
      ++next;
      if (isFinished(op))
        return WalkResult::skip();
    } else if (stage.isAfterAllRegions()) {
      spans[op].end = next++;
    }
    return WalkResult::advance();
  });
}

unsigned Steps::getDefinition(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op)
    op = value.getParentBlock()->getParentOp();
  if (isa<func::FuncOp>(op))
    return 0;
  // What a loop gives grows while it runs; an argument is there before it.
  bool isEarly = isa<BlockArgument>(value) || runsAgain(op);
  return isEarly ? getSpan(op).begin : getSpan(op).end;
}

/// A body that runs again needs what it does not define until it has run for
/// the last time, and so does its operation.
unsigned Steps::getUse(Value value, Operation *user) const {
  Region *home = value.getParentRegion();
  unsigned last = 0;
  while (!spans.contains(user))
    user = user->getParentOp();
  for (Operation *op = user;; op = op->getParentOp()) {
    Span span = getSpan(op);
    last = std::max(last, runsAgain(op) ? span.end
                          : op == user  ? span.begin
                                        : 0);
    if (op->getParentRegion() == home)
      return std::max(last, span.begin);
  }
}

unsigned Steps::getLastUse(Value value) const {
  unsigned last = getDefinition(value);
  for (Operation *user : value.getUsers())
    last = std::max(last, getUse(value, user));
  // The next turn of a loop reads its arguments and adds to its results.
  Operation *op = value.getDefiningOp();
  if (!op)
    op = value.getParentBlock()->getParentOp();
  return runsAgain(op) ? std::max(last, getSpan(op).end) : last;
}

//===----------------------------------------------------------------------===//
// Operators that may write over an operand
//===----------------------------------------------------------------------===//

static bool isOfClass(Operation *op, FusionClass fusionClass) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  return fusion && fusion.getFusionClass() == fusionClass;
}

static ShapedType getStatic(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type : ShapedType();
}

static bool haveSameShape(Value a, Value b) {
  ShapedType typeA = getStatic(a), typeB = getStatic(b);
  return typeA && typeB && typeA.getShape() == typeB.getShape();
}

/// Whether the operator reads `operand` only where it writes.
static bool readsInPlace(Operation *op, Value operand) {
  return isOfClass(op, FusionClass::Elementwise) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getResults(), [&](Value result) {
           return haveSameShape(operand, result);
         });
}

/// Whether a kernel computes elementwise, and of the same shape, whatever it
/// computes of `value`.
static bool readsInPlace(GroupOp kernel, Value value) {
  llvm::SetVector<Value> derived;
  derived.insert(value);
  for (size_t i = 0; i < derived.size(); ++i)
    for (Operation *user : derived[i].getUsers()) {
      if (!kernel->isProperAncestor(user) ||
          user->hasTrait<OpTrait::IsTerminator>())
        continue;
      if (!readsInPlace(user, derived[i]))
        return false;
      for (Value result : user->getResults())
        derived.insert(result);
    }
  return true;
}

static bool canOverwrite(Operation *op, Value operand, Value result) {
  if (!haveSameShape(operand, result))
    return false;
  auto group = dyn_cast<GroupOp>(op);
  if (!group)
    return readsInPlace(op, operand);
  // The operators of anything but a kernel may run one after another.
  return getKind(group) == GroupKind::Kernel && readsInPlace(group, operand);
}

/// What a step reads: a group names nothing, but its operators do.
static SmallVector<Value> getReads(Operation *op) {
  llvm::SetVector<Value> reads(op->operand_begin(), op->operand_end());
  if (isFinished(op))
    getUsedValuesDefinedAbove(op->getRegions(), reads);
  return reads.takeVector();
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

namespace {
/// Values that share their bytes.
struct Buffer {
  BufferPlace place;
  LiveBytes live = {0, ~0u, 0};
  bool hasOwner = false;
};

class Planner {
public:
  explicit Planner(func::FuncOp graph) : graph(graph), steps(graph) {}

  BufferPlan run();

private:
  void addValues();
  void addValue(Value value);
  /// Makes both one; the first is where the second then is.
  void unite(Value a, Value b);
  unsigned getLeader(Value value) const {
    return classes.findLeader(indices.lookup(value));
  }
  Buffer &getBuffer(Value value) { return buffers[getLeader(value)]; }
  void uniteViews(Operation *op);
  void overwriteOperands(Operation *op);
  bool isFreeAt(Value value, unsigned step);
  void addOutputs();
  void placeArena();

  func::FuncOp graph;
  Steps steps;
  /// Values of known size, and their buffers by the leaders of their classes.
  llvm::MapVector<Value, unsigned> indices;
  llvm::IntEqClasses classes;
  std::vector<Buffer> buffers;
  BufferPlan plan;
};
} // namespace

/// Inputs and constants have memory already, which is not written to.
void Planner::addValue(Value value) {
  BufferPlace &place = plan.places[value];
  std::optional<uint64_t> bytes = getByteSize(value.getType());
  if (value.getDefiningOp<ConstantOp>()) {
    place.home = BufferHome::Constant;
    return;
  }
  auto argument = dyn_cast<BlockArgument>(value);
  bool isInput = argument && argument.getOwner() == &graph.getBody().front();
  if (isInput) {
    place.home = BufferHome::Input;
    place.index = argument.getArgNumber();
  }
  if (!bytes) {
    plan.numOnHeap += !isInput && !value.use_empty();
    return;
  }
  place.bytes = *bytes;
  if (!isInput)
    place.home = BufferHome::Arena;
  indices.insert({value, unsigned(buffers.size())});
  buffers.push_back({place,
                     {llvm::alignTo(*bytes, BufferPlan::alignment),
                      steps.getDefinition(value), steps.getLastUse(value)},
                     isInput});
}

void Planner::addValues() {
  for (Value argument : graph.getArguments())
    addValue(argument);
  for (Operation *op : steps.getOperations()) {
    for (Value result : op->getResults())
      addValue(result);
    if (!isFinished(op))
      for (Region &region : op->getRegions())
        for (Value argument : region.getArguments())
          addValue(argument);
  }
  classes.grow(buffers.size());
}

void Planner::unite(Value a, Value b) {
  Buffer first = getBuffer(a), second = getBuffer(b);
  unsigned leader = classes.join(indices.lookup(a), indices.lookup(b));
  first.live.first = std::min(first.live.first, second.live.first);
  first.live.last = std::max(first.live.last, second.live.last);
  first.hasOwner |= second.hasOwner;
  buffers[leader] = first;
}

/// A view of a constant is one of its own: steps address constants by name.
void Planner::uniteViews(Operation *op) {
  if (!isOfClass(op, FusionClass::View) || op->getNumResults() != 1)
    return;
  Value from = op->getOperand(0), to = op->getResult(0);
  if (!indices.contains(from) || !indices.contains(to) ||
      getByteSize(from.getType()) != getByteSize(to.getType()))
    return;
  unite(from, to);
  ++plan.numViews;
}

bool Planner::isFreeAt(Value value, unsigned step) {
  const Buffer &buffer = getBuffer(value);
  return !buffer.hasOwner && buffer.live.last <= step;
}

void Planner::overwriteOperands(Operation *op) {
  SmallVector<unsigned> taken;
  SmallVector<Value> reads = getReads(op);
  auto canTake = [&](Value value, Value result) {
    return indices.contains(value) &&
           getByteSize(value.getType()) == getByteSize(result.getType()) &&
           isFreeAt(value, steps.getSpan(op).begin) &&
           !llvm::is_contained(taken, getLeader(value)) &&
           canOverwrite(op, value, result);
  };
  for (Value result : op->getResults()) {
    Value *value =
        indices.contains(result)
            ? llvm::find_if(reads,
                            [&](Value read) { return canTake(read, result); })
            : reads.end();
    if (value == reads.end())
      continue;
    unite(*value, result);
    taken.push_back(getLeader(result));
    ++plan.numInPlace;
  }
}

/// Outputs are computed in the caller's memory, unless they are inputs. Of two
/// that share their bytes the second one is copied.
void Planner::addOutputs() {
  Operation *terminator = graph.getBody().front().getTerminator();
  for (OpOperand &operand : terminator->getOpOperands()) {
    if (!indices.contains(operand.get()))
      continue;
    Buffer &buffer = getBuffer(operand.get());
    if (buffer.hasOwner)
      continue;
    buffer.hasOwner = true;
    buffer.place.home = BufferHome::Output;
    buffer.place.index = operand.getOperandNumber();
  }
}

void Planner::placeArena() {
  std::vector<LiveBytes> pieces;
  std::vector<unsigned> leaders;
  for (unsigned i = 0; i < buffers.size(); ++i)
    if (classes.findLeader(i) == i && !buffers[i].hasOwner) {
      pieces.push_back(buffers[i].live);
      leaders.push_back(i);
    }
  Placement placement = placePieces(pieces);
  for (auto [leader, offset] : llvm::zip_equal(leaders, placement.offsets))
    buffers[leader].place.offset = offset;
  plan.arenaBytes = placement.total;
  plan.boundBytes = getMostLive(pieces);
  plan.numBuffers = pieces.size();
}

BufferPlan Planner::run() {
  addValues();
  for (Operation *op : steps.getOperations()) {
    uniteViews(op);
    overwriteOperands(op);
  }
  addOutputs();
  placeArena();
  for (auto [value, index] : indices) {
    const BufferPlace &own = buffers[classes.findLeader(index)].place;
    BufferPlace &place = plan.places[value];
    place = {own.home, own.index, own.offset, place.bytes};
  }
  return std::move(plan);
}

BufferPlan inlay::planBuffers(func::FuncOp graph) {
  return Planner(graph).run();
}
