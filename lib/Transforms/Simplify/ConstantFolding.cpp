//===- ConstantFolding.cpp - Computing what is known ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Groups.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using namespace inlay::simplify;
using namespace mlir;

/// Multiplications that computing one operation may take: enough for shapes,
/// masks and small tables, and never a wait.
static constexpr uint64_t maxWork = uint64_t(1) << 27;
/// Bytes that a node takes in the file, at least.
static constexpr uint64_t nodeBytes = 64;
/// Operations looked at to find what a constant makes superfluous.
static constexpr unsigned maxCone = 256;
/// Bytes of intermediate values kept at a time.
static constexpr uint64_t maxKeptBytes = uint64_t(1) << 28;

namespace {
/// Knows the values of operations that can be computed, and makes constants of
/// those that something else uses.
class Folder {
public:
  Folder(func::FuncOp function, State &state)
      : function(function), state(state) {}

  bool run();

private:
  void compute(Operation *op);
  bool computeFromShapes(Operation *op);
  bool isWorthwhile(Operation *op) const;
  std::optional<HostTensor> getKnown(Value value) const;

  bool isComputed(Operation *op) const { return computed.contains(op); }
  /// Whether an operation uses the value that is not computed itself.
  bool isNeeded(Value value) const;
  /// Bytes that disappear from the file when `op` becomes a constant.
  uint64_t countSaved(Operation *op) const;
  void materialize(OpResult result);

  func::FuncOp function;
  State &state;
  llvm::DenseMap<Value, HostTensor> known;
  llvm::DenseSet<Operation *> computed;
  uint64_t keptBytes = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// What can be computed
//===----------------------------------------------------------------------===//

/// The size of the operation's iteration space, as far as it says.
static uint64_t estimateWork(Operation *op) {
  uint64_t work = 1;
  bool overflow = false;
  auto multiply = [&](int64_t extent) {
    if (extent > 1)
      work = llvm::SaturatingMultiply(work, uint64_t(extent), &overflow);
  };
  AxisMap map = cast<AxisMapOpInterface>(op).getAxisMap();
  if (map.isOpaque())
    return 0; // What it reads and writes is bounded anyway.
  for (const Axis &axis : map.getAxes())
    multiply(axis.extent);
  return work;
}

bool Folder::isWorthwhile(Operation *op) const {
  uint64_t total = 0;
  for (Value value : op->getResults()) {
    if (value.use_empty())
      continue;
    std::optional<uint64_t> bytes = getByteSize(value.getType());
    if (!bytes || *bytes > state.foldLimit)
      return false;
    total += *bytes;
  }
  for (Value value : op->getOperands()) {
    std::optional<uint64_t> bytes = getByteSize(value.getType());
    if (!bytes || *bytes > state.foldLimit)
      return false;
  }
  auto fusion = cast<FusionOpInterface>(op);
  bool isContraction = fusion.getFusionClass() == FusionClass::Contraction;
  if (isContraction && cast<AxisMapOpInterface>(op).getAxisMap().isOpaque())
    return false;
  return keptBytes + total <= maxKeptBytes && estimateWork(op) <= maxWork;
}

std::optional<HostTensor> Folder::getKnown(Value value) const {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  Attribute constant = getConstantValue(value);
  if (!constant)
    return std::nullopt;
  auto tensor = getHostTensor(constant);
  if (!tensor) {
    llvm::consumeError(tensor.takeError());
    return std::nullopt;
  }
  return *tensor;
}

/// Extents that are known although the tensor is not.
bool Folder::computeFromShapes(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  Value result = op->getResult(0);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  std::optional<uint64_t> bytes = getByteSize(result.getType());
  if (!type || !type.getElementType().isSignlessInteger(64) ||
      type.getRank() > 1 || !bytes || *bytes > state.foldLimit)
    return false;
  MaybeInts ints = getKnownInts(result);
  if (!ints || llvm::is_contained(*ints, ShapedType::kDynamic) ||
      int64_t(ints->size()) != type.getNumElements())
    return false;
  known[result] = HostTensor::getInts(*ints).reshaped(type.getShape());
  computed.insert(op);
  return true;
}

/// Whether a storage order has been chosen for some result: a constant in its
/// place would be row-major.
static bool hasStorageOrder(Operation *op) {
  return llvm::any_of(op->getResultTypes(),
                      [](Type type) { return !getStorageOrder(type).empty(); });
}

void Folder::compute(Operation *op) {
  auto evaluable = dyn_cast<EvaluateOpInterface>(op);
  if (!evaluable || isa<ConstantOp>(op) || op->getNumRegions() != 0 ||
      op->getNumResults() == 0 || !isMemoryEffectFree(op) ||
      !isa<FusionOpInterface, AxisMapOpInterface>(op) || hasStorageOrder(op))
    return;
  // Reading a constant may mean computing it.
  bool isKnown = llvm::all_of(op->getOperands(), [&](Value operand) {
    return known.contains(operand) || getConstantValue(operand);
  });
  if (!isKnown || !evaluable.isUnambiguous() || !isWorthwhile(op)) {
    computeFromShapes(op);
    return;
  }
  SmallVector<HostTensor> operands;
  for (Value operand : op->getOperands()) {
    std::optional<HostTensor> tensor = getKnown(operand);
    if (!tensor) {
      computeFromShapes(op);
      return;
    }
    operands.push_back(*tensor);
  }
  Evaluation evaluation(op, operands);
  // What cannot be evaluated stays as it is.
  if (llvm::Error error = evaluable.evaluate(evaluation)) {
    llvm::consumeError(std::move(error));
    return;
  }
  for (auto [result, tensor] :
       llvm::zip_equal(op->getResults(), evaluation.getResults())) {
    if (!tensor && !result.use_empty())
      return;
    if (!tensor)
      continue;
    keptBytes += tensor.getBytes().size();
    known[result] = tensor;
  }
  computed.insert(op);
}

//===----------------------------------------------------------------------===//
// What becomes a constant
//===----------------------------------------------------------------------===//

bool Folder::isNeeded(Value value) const {
  return llvm::any_of(value.getUsers(),
                      [&](Operation *user) { return !isComputed(user); });
}

uint64_t Folder::countSaved(Operation *root) const {
  uint64_t saved = 0;
  SmallVector<Operation *> work = {root};
  llvm::DenseSet<Operation *> cone = {root};
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    saved += nodeBytes;
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      auto isInside = [&](Operation *user) { return cone.contains(user); };
      if (!producer || cone.contains(producer) || cone.size() >= maxCone ||
          !llvm::all_of(operand.getUsers(), isInside))
        continue;
      if (auto constant = dyn_cast<ConstantOp>(producer))
        saved += getByteSize(constant.getValue());
      else if (!isComputed(producer))
        continue;
      cone.insert(producer);
      if (!isa<ConstantOp>(producer))
        work.push_back(producer);
    }
  }
  return saved;
}

void Folder::materialize(OpResult result) {
  Operation *op = result.getOwner();
  // A copy: entries move when one is added.
  HostTensor tensor = known[result];
  TypedAttr value = getConstantAttr(op->getContext(), tensor);
  OpBuilder builder(getOutsideGroups(op));
  // The constant is the node from now on; it bears the node's name.
  Location loc = op->getNumResults() == 1
                     ? op->getLoc()
                     : Location(UnknownLoc::get(op->getContext()));
  auto constant = builder.create<ConstantOp>(loc, value.getType(), value);
  result.replaceAllUsesWith(constant.getResult());
  known[constant.getResult()] = std::move(tensor);
}

bool Folder::run() {
  llvm::SmallVector<Operation *, 0> order = getProgramOrder(function.getBody());
  for (Operation *op : order)
    compute(op);
  bool changed = false;
  for (Operation *op : order) {
    if (!isComputed(op))
      continue;
    uint64_t bytes = 0;
    bool isAnyNeeded = false;
    for (Value result : op->getResults())
      if (isNeeded(result)) {
        isAnyNeeded = true;
        bytes += known[result].getBytes().size();
      }
    if (!isAnyNeeded || bytes > countSaved(op))
      continue;
    for (OpResult result : op->getResults())
      if (!result.use_empty())
        materialize(result);
    // A single result's constant has taken over the origin.
    if (op->getNumResults() == 1)
      op->setLoc(UnknownLoc::get(op->getContext()));
    state.folded.insert(op);
    changed = true;
  }
  for (Operation *op : order)
    if (isComputed(op) && op->use_empty())
      state.folded.insert(op);
  return changed;
}

bool simplify::foldConstants(func::FuncOp function, State &state) {
  return Folder(function, state).run();
}
