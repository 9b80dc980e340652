//===- OpLayouts.cpp - Layouts that operators know ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operators whose layouts do not simply follow their axis maps. The others
// have the defaults of the interface.
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Convolutions: Feature and Weight
//===----------------------------------------------------------------------===//

template <typename OpT>
static KnownLayouts getConvLayouts(OpT op, bool transposed = false) {
  MLIRContext *context = op.getContext();
  KnownLayouts layouts(op);
  if (std::optional<int64_t> rank = getRank(op.getX()))
    layouts.operands[op.getXMutable().getOperandNumber()] =
        getFeatureLayout(context, *rank);
  if (std::optional<int64_t> rank = getRank(op.getW()))
    layouts.operands[op.getWMutable().getOperandNumber()] =
        getWeightLayout(context, *rank, transposed);
  if (std::optional<int64_t> rank = getRank(op.getResult()))
    layouts.results[0] = getFeatureLayout(context, *rank);
  return layouts;
}

KnownLayouts ConvOp::getKnownLayouts() { return getConvLayouts(*this); }

KnownLayouts ConvTransposeOp::getKnownLayouts() {
  return getConvLayouts(*this, /*transposed=*/true);
}

KnownLayouts ConvIntegerOp::getKnownLayouts() { return getConvLayouts(*this); }

KnownLayouts QLinearConvOp::getKnownLayouts() { return getConvLayouts(*this); }

//===----------------------------------------------------------------------===//
// Matrix products: NTensor
//===----------------------------------------------------------------------===//

/// Scales, zero points and biases are no operands of the product itself.
template <typename OpT> static KnownLayouts getProductLayouts(OpT op) {
  LayoutAttr layout = getNTensorLayout(op.getContext());
  KnownLayouts layouts(op);
  layouts.operands[op.getAMutable().getOperandNumber()] = layout;
  layouts.operands[op.getBMutable().getOperandNumber()] = layout;
  layouts.results[0] = layout;
  return layouts;
}

KnownLayouts MatMulOp::getKnownLayouts() { return getProductLayouts(*this); }

KnownLayouts MatMulIntegerOp::getKnownLayouts() {
  return getProductLayouts(*this);
}

KnownLayouts QLinearMatMulOp::getKnownLayouts() {
  return getProductLayouts(*this);
}

KnownLayouts GemmOp::getKnownLayouts() { return getProductLayouts(*this); }

KnownLayouts QGemmOp::getKnownLayouts() { return getProductLayouts(*this); }

//===----------------------------------------------------------------------===//
// Reshapes and broadcasts: the operand does not follow from the result
//===----------------------------------------------------------------------===//

void ReshapeOp::inferOperandLayouts(ArrayRef<LayoutAttr>,
                                    MutableArrayRef<LayoutAttr>) {}

void FlattenOp::inferOperandLayouts(ArrayRef<LayoutAttr>,
                                    MutableArrayRef<LayoutAttr>) {}

void SqueezeOp::inferOperandLayouts(ArrayRef<LayoutAttr>,
                                    MutableArrayRef<LayoutAttr>) {}

void UnsqueezeOp::inferOperandLayouts(ArrayRef<LayoutAttr>,
                                      MutableArrayRef<LayoutAttr>) {}

void ExpandOp::inferOperandLayouts(ArrayRef<LayoutAttr>,
                                   MutableArrayRef<LayoutAttr>) {}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static MutableArrayRef<OpOperand> getYielded(Region &region) {
  return region.front().getTerminator()->getOpOperands();
}

ControlFlow IfOp::getControlFlow() {
  ControlFlow flow;
  for (Region *branch : {&getThenBranch(), &getElseBranch()})
    for (auto [value, result] : llvm::zip(getYielded(*branch), getOutputs()))
      flow.leaving.push_back({&value, result});
  return flow;
}

/// Carried values: into `arguments` of the body, and out of it or past it.
static ControlFlow getCarriedFlow(MutableArrayRef<OpOperand> initial,
                                  ValueRange arguments,
                                  MutableArrayRef<OpOperand> yielded,
                                  ValueRange results) {
  ControlFlow flow;
  flow.repeats = true;
  for (auto [before, argument, next, result] :
       llvm::zip(initial, arguments, yielded, results)) {
    flow.entering.push_back({&before, argument});
    flow.leaving.push_back({&before, result});
    flow.leaving.push_back({&next, result});
  }
  return flow;
}

ControlFlow LoopOp::getControlFlow() {
  // Before the carried values the body takes the iteration number and the
  // condition, and yields the condition.
  size_t numOthers = getNumOperands() - getInitial().size();
  ControlFlow flow =
      getCarriedFlow((*this)->getOpOperands().drop_front(numOthers),
                     getBody().getArguments().drop_front(2),
                     getYielded(getBody()).drop_front(1), getOutputs());
  MaybeInts trips =
      getMaxTripCount() ? getKnownInts(getMaxTripCount()) : MaybeInts();
  if (trips && trips->size() == 1 && trips->front() >= 0)
    flow.maxTrips = trips->front();
  return flow;
}

ControlFlow ScanOp::getControlFlow() {
  size_t numStates = getInputs().size() - size_t(getNumScanInputs());
  return getCarriedFlow((*this)->getOpOperands().take_front(numStates),
                        getBody().getArguments(), getYielded(getBody()),
                        getOutputs());
}
