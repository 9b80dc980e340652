//===- ControlFlowOps.cpp - If, Loop and Scan -----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Movement.h"

using namespace inlay;
using namespace mlir;

#define GET_OP_CLASSES
#include "inlay/IR/ControlFlowOps.cpp.inc"

/// `type` with an unknown leading (or other) dimension inserted.
static Type insertDimension(Type type, int64_t axis, int64_t extent) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked)
    return type;
  std::optional<int64_t> position = normalizeAxis(axis, ranked.getRank() + 1);
  if (!position)
    return UnrankedTensorType::get(ranked.getElementType());
  SmallVector<int64_t> shape(ranked.getShape());
  shape.insert(shape.begin() + *position, extent);
  return RankedTensorType::get(shape, ranked.getElementType());
}

//===----------------------------------------------------------------------===//
// IfOp
//===----------------------------------------------------------------------===//

LogicalResult IfOp::inferTypes(TypeInference &inference) {
  YieldOp thenYield = getYield(getThenBranch());
  YieldOp elseYield = getYield(getElseBranch());
  if (!thenYield || !elseYield ||
      thenYield.getNumOperands() != getNumResults() ||
      elseYield.getNumOperands() != getNumResults())
    return success(); // The verifier says so.
  for (auto [result, a, b] : llvm::zip_equal(
           getOutputs(), thenYield.getValues(), elseYield.getValues()))
    inference.set(result, joinTypes(a.getType(), b.getType()));
  return success();
}

AxisMap IfOp::getAxisMap() { return AxisMap::opaque(); }
FusionClass IfOp::getFusionClass() { return FusionClass::Opaque; }

LogicalResult IfOp::verify() {
  for (Region *region : {&getThenBranch(), &getElseBranch()})
    if (failed(verifyYield(*this, *region, getNumResults(), "subgraph")))
      return failure();
  return success();
}

llvm::Error IfOp::evaluate(Evaluation &evaluation) {
  const HostTensor &cond = evaluation[getCond()];
  if (cond.getNumElements() != 1)
    return modelError("condition has " + Twine(cond.getNumElements()) +
                      " elements, expected 1");
  Region &branch = cond.getInt(0) ? getThenBranch() : getElseBranch();
  SmallVector<HostTensor> results;
  if (llvm::Error error = evaluation.runRegion(branch, {}, results))
    return error;
  llvm::copy(results, evaluation.getResults().begin());
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Collecting slices, for Loop and Scan
//===----------------------------------------------------------------------===//

/// Stacks slices along a new dimension. Without slices, the type of the result
/// says what is empty.
static llvm::Expected<HostTensor> stackSlices(ArrayRef<HostTensor> slices,
                                              int64_t axis, Type type) {
  if (slices.empty()) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    std::optional<ElementType> element =
        getOnnxElementType(getElementType(type));
    if (!ranked || !element)
      return unsupportedError("no iteration ran and the collected output has "
                              "no known rank");
    SmallVector<int64_t> shape;
    for (auto [i, extent] : llvm::enumerate(ranked.getShape()))
      shape.push_back(
          int64_t(i) == axis || ShapedType::isDynamic(extent) ? 0 : extent);
    return HostTensor::allocate(*element, shape);
  }
  SmallVector<HostTensor> expanded;
  for (const HostTensor &slice : slices) {
    auto position = Evaluation::getAxis(axis, slice.getRank() + 1);
    if (!position)
      return position.takeError();
    SmallVector<int64_t> shape(slice.getShape());
    shape.insert(shape.begin() + *position, 1);
    expanded.push_back(slice.reshaped(shape));
    axis = *position;
  }
  return kernels::concat(expanded, axis);
}

//===----------------------------------------------------------------------===//
// LoopOp
//===----------------------------------------------------------------------===//

LogicalResult LoopOp::inferTypes(TypeInference &inference) {
  YieldOp yield = getYield(getBody());
  size_t numCarried = getInitial().size();
  if (!yield || yield.getNumOperands() != getNumResults() + 1 ||
      getNumResults() < numCarried)
    return success(); // The verifier says so.
  for (auto [i, result] : llvm::enumerate(getOutputs())) {
    Type type = yield.getValues()[i + 1].getType();
    // A carried value may change its shape from one iteration to the next.
    inference.set(result, i < numCarried
                              ? joinTypes(type, getInitial()[i].getType())
                              : insertDimension(type, 0, ShapedType::kDynamic));
  }
  return success();
}

AxisMap LoopOp::getAxisMap() { return AxisMap::opaque(); }
FusionClass LoopOp::getFusionClass() { return FusionClass::Opaque; }

LogicalResult LoopOp::verify() {
  size_t numCarried = getInitial().size();
  if (getBody().getNumArguments() != numCarried + 2)
    return emitOpError() << "body takes " << getBody().getNumArguments()
                         << " inputs, expected " << numCarried + 2;
  if (getNumResults() < numCarried)
    return emitOpError() << "has " << getNumResults() << " results for "
                         << numCarried << " carried values";
  return verifyYield(*this, getBody(), getNumResults() + 1, "subgraph");
}

llvm::Error LoopOp::evaluate(Evaluation &evaluation) {
  const HostTensor *trip = evaluation.lookup(getMaxTripCount());
  const HostTensor *initialCond = evaluation.lookup(getCond());
  if ((trip && trip->getNumElements() != 1) ||
      (initialCond && initialCond->getNumElements() != 1))
    return modelError("trip count and condition must have one element");
  bool cond = !initialCond || initialCond->getInt(0);
  SmallVector<HostTensor> carried = evaluation.getAll(getInitial());
  size_t numCarried = carried.size();
  SmallVector<SmallVector<HostTensor>> slices(getNumResults() - numCarried);
  for (int64_t i = 0; cond && (!trip || i < trip->getInt(0)); ++i) {
    SmallVector<HostTensor> arguments = {
        HostTensor::get<int64_t>(ElementType::Int64, {}, {i}),
        HostTensor::get<uint8_t>(ElementType::Bool, {}, {cond})};
    llvm::append_range(arguments, carried);
    SmallVector<HostTensor> results;
    if (llvm::Error error = evaluation.runRegion(getBody(), arguments, results))
      return error;
    if (results[0].getNumElements() != 1)
      return modelError("the body's condition must have one element");
    cond = results[0].getInt(0);
    carried.assign(results.begin() + 1, results.begin() + 1 + numCarried);
    for (auto [j, collected] : llvm::enumerate(slices))
      collected.push_back(results[1 + numCarried + j]);
  }
  llvm::copy(carried, evaluation.getResults().begin());
  for (auto [j, collected] : llvm::enumerate(slices)) {
    Value result = getOutputs()[numCarried + j];
    if (llvm::Error error =
            evaluation.set(result, stackSlices(collected, 0, result.getType())))
      return error;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// ScanOp
//===----------------------------------------------------------------------===//

/// Element `index` of an optional list, or `fallback`.
static int64_t getOr(std::optional<ArrayRef<int64_t>> list, size_t index,
                     int64_t fallback) {
  return list && index < list->size() ? (*list)[index] : fallback;
}

LogicalResult ScanOp::inferTypes(TypeInference &inference) {
  YieldOp yield = getYield(getBody());
  int64_t numStates = int64_t(getInputs().size()) - int64_t(getNumScanInputs());
  if (!yield || yield.getNumOperands() != getNumResults() || numStates < 0)
    return success(); // The verifier says so.
  for (auto [i, result] : llvm::enumerate(getOutputs())) {
    Type type = yield.getValues()[i].getType();
    if (int64_t(i) >= numStates)
      type = insertDimension(type, getOr(getScanOutputAxes(), i - numStates, 0),
                             ShapedType::kDynamic);
    inference.set(result, type);
  }
  return success();
}

AxisMap ScanOp::getAxisMap() { return AxisMap::opaque(); }
FusionClass ScanOp::getFusionClass() { return FusionClass::Opaque; }

LogicalResult ScanOp::verify() {
  int64_t numScans = getNumScanInputs();
  if (numScans < 1 || numScans > int64_t(getInputs().size()))
    return emitOpError() << "num_scan_inputs is " << numScans << " with "
                         << getInputs().size() << " inputs";
  if (getBody().getNumArguments() != getInputs().size())
    return emitOpError() << "body takes " << getBody().getNumArguments()
                         << " inputs, expected " << getInputs().size();
  if (getNumResults() < getInputs().size() - numScans)
    return emitOpError() << "has " << getNumResults() << " results for "
                         << getInputs().size() - numScans << " states";
  return verifyYield(*this, getBody(), getNumResults(), "subgraph");
}

/// Slice `index` of `tensor` along `axis`, without that dimension.
static llvm::Expected<HostTensor> takeSlice(const HostTensor &tensor,
                                            int64_t axis, int64_t index) {
  auto slice = kernels::slice(tensor, {index}, {index + 1}, {axis}, {1});
  if (!slice)
    return slice;
  SmallVector<int64_t> shape(slice->getShape());
  shape.erase(shape.begin() + axis);
  return slice->reshaped(shape);
}

llvm::Error ScanOp::evaluate(Evaluation &evaluation) {
  size_t numScans = getNumScanInputs();
  size_t numStates = getInputs().size() - numScans;
  SmallVector<HostTensor> states = evaluation.getAll(getInputs());
  SmallVector<HostTensor> scanned(states.begin() + numStates, states.end());
  states.truncate(numStates);
  SmallVector<int64_t> axes;
  int64_t length = -1;
  for (auto [i, tensor] : llvm::enumerate(scanned)) {
    auto axis =
        Evaluation::getAxis(getOr(getScanInputAxes(), i, 0), tensor.getRank());
    if (!axis)
      return axis.takeError();
    axes.push_back(*axis);
    if (length >= 0 && tensor.getDim(*axis) != length)
      return modelError("scanned inputs have different lengths, " +
                        Twine(length) + " and " + Twine(tensor.getDim(*axis)));
    length = tensor.getDim(*axis);
  }
  SmallVector<SmallVector<HostTensor>> slices(getNumResults() - numStates);
  for (int64_t step = 0; step < length; ++step) {
    SmallVector<HostTensor> arguments = states, results;
    for (auto [i, tensor] : llvm::enumerate(scanned)) {
      bool isReversed = getOr(getScanInputDirections(), i, 0) != 0;
      auto slice =
          takeSlice(tensor, axes[i], isReversed ? length - 1 - step : step);
      if (!slice)
        return slice.takeError();
      arguments.push_back(*slice);
    }
    if (llvm::Error error = evaluation.runRegion(getBody(), arguments, results))
      return error;
    states.assign(results.begin(), results.begin() + numStates);
    for (auto [j, collected] : llvm::enumerate(slices))
      collected.push_back(results[numStates + j]);
  }
  llvm::copy(states, evaluation.getResults().begin());
  for (auto [j, collected] : llvm::enumerate(slices)) {
    if (getOr(getScanOutputDirections(), j, 0) != 0)
      std::reverse(collected.begin(), collected.end());
    Value result = getOutputs()[numStates + j];
    if (llvm::Error error = evaluation.set(
            result, stackSlices(collected, getOr(getScanOutputAxes(), j, 0),
                                result.getType())))
      return error;
  }
  return llvm::Error::success();
}
