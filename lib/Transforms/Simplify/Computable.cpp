//===- Computable.cpp - What can be known at compile time -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Computable.h"
#include "inlay/IR/Constants.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using namespace inlay::simplify;
using namespace mlir;

/// Multiplications that computing one operation may take: enough for shapes,
/// masks and small tables, and never a wait.
static constexpr uint64_t maxWork = uint64_t(1) << 27;

/// The size of the operation's iteration space, as far as it says. What is
/// selected from is not walked.
static uint64_t estimateWork(const AxisMap &map) {
  uint64_t work = 1;
  bool overflow = false;
  // What an opaque one reads and writes is bounded anyway.
  for (const Axis &axis : map.getAxes())
    if (axis.extent > 1 && axis.kind != AxisKind::Indexed)
      work = llvm::SaturatingMultiply(work, uint64_t(axis.extent), &overflow);
  return work;
}

static bool isQuick(Operation *op) {
  AxisMap map = cast<AxisMapOpInterface>(op).getAxisMap();
  FusionClass own = cast<FusionOpInterface>(op).getFusionClass();
  if (own == FusionClass::Contraction && map.isOpaque())
    return false;
  return estimateWork(map) <= maxWork;
}

/// Whether a storage order has been chosen for some result: a constant in its
/// place would be row-major.
static bool hasStorageOrder(Operation *op) {
  return llvm::any_of(op->getResultTypes(),
                      [](Type type) { return !getStorageOrder(type).empty(); });
}

static bool isEvaluable(Operation *op) {
  return isa<EvaluateOpInterface>(op) && isa<FusionOpInterface>(op) &&
         isa<AxisMapOpInterface>(op) && !isa<ConstantOp>(op) &&
         op->getNumRegions() == 0 && op->getNumResults() != 0 &&
         isMemoryEffectFree(op) && !hasStorageOrder(op);
}

/// Whether what is used of the results is of static shape and fits in memory.
static bool hasBoundedResults(Operation *op) {
  uint64_t total = 0;
  for (Value value : op->getResults()) {
    if (value.use_empty())
      continue;
    std::optional<uint64_t> bytes = getByteSize(value.getType());
    if (!bytes || *bytes > maxLiveBytes)
      return false;
    total += *bytes;
  }
  return total <= maxLiveBytes;
}

bool Computable::followsFromOperands(Operation *op) const {
  auto isKnown = [&](Value operand) {
    Operation *producer = operand.getDefiningOp();
    return producer && (isa<ConstantOp>(producer) || contains(producer));
  };
  return llvm::all_of(op->getOperands(), isKnown) &&
         cast<EvaluateOpInterface>(op).isUnambiguous() &&
         hasBoundedResults(op) && isQuick(op);
}

/// Extents that are known although the tensor is not.
bool Computable::followsFromShapes(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  Value result = op->getResult(0);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || !type.getElementType().isSignlessInteger(64) ||
      type.getRank() > 1 || !type.hasStaticShape())
    return false;
  MaybeInts ints = getKnownInts(result);
  if (!ints || llvm::is_contained(*ints, ShapedType::kDynamic) ||
      int64_t(ints->size()) != type.getNumElements())
    return false;
  extents[result] = HostTensor::getInts(*ints).reshaped(type.getShape());
  return true;
}

void Computable::add(Operation *op) {
  numbers[op] = operations.size();
  operations.push_back(op);
  bool isBehind = llvm::any_of(op->getOperands(), [&](Value operand) {
    return dequantized.contains(operand.getDefiningOp());
  });
  if (isBehind || isa<DequantizeLinearOp>(op))
    dequantized.insert(op);
}

Computable::Computable(ArrayRef<Operation *> order,
                       const llvm::DenseSet<Operation *> &excluded) {
  for (Operation *op : order)
    if (isEvaluable(op) && !excluded.contains(op) &&
        (followsFromOperands(op) || followsFromShapes(op)))
      add(op);
}

const HostTensor *Computable::lookup(Value value) const {
  auto it = extents.find(value);
  return it == extents.end() ? nullptr : &it->second;
}

uint64_t Computable::getBytes(Value value) const {
  if (const HostTensor *tensor = lookup(value))
    return tensor->getBytes().size();
  return getByteSize(value.getType()).value_or(0);
}
