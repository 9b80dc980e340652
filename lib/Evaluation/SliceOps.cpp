//===- SliceOps.cpp - Evaluating cutting and padding ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/IR/AxisParameters.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Movement.h"
#include "inlay/Tensor/Slices.h"

using namespace inlay;
using namespace mlir;

static llvm::Error evaluate(SplitOp op, Evaluation &evaluation) {
  const HostTensor &x = evaluation[op.getInput()];
  int64_t parts = op.getOutputs().size();
  auto axis = Evaluation::getAxis(op.getAxis(), x.getRank());
  if (!axis)
    return axis.takeError();
  auto sizes = evaluation.getInts(op.getSplit(), op.getSplitOperand());
  if (!sizes) {
    if (!op.getNumOutputs() && parts != 0 && x.getDim(*axis) % parts != 0)
      return modelError("cannot split an extent of " + Twine(x.getDim(*axis)) +
                        " into " + Twine(parts) + " equal parts");
    auto equal = getSplitSizes(x.getDim(*axis), parts);
    if (!equal)
      return equal.takeError();
    sizes = *equal;
  }
  if (int64_t(sizes->size()) != parts)
    return modelError("split has " + Twine(sizes->size()) + " sizes for " +
                      Twine(parts) + " results");
  auto tensors = kernels::split(x, *axis, *sizes);
  if (!tensors)
    return tensors.takeError();
  for (auto [output, tensor] : llvm::zip_equal(op.getOutputs(), *tensors))
    if (llvm::Error error = evaluation.set(output, std::move(tensor)))
      return error;
  return llvm::Error::success();
}

static llvm::Error evaluate(SliceOp op, Evaluation &evaluation) {
  const HostTensor &x = evaluation[op.getInput()];
  auto starts = evaluation.getInts(op.getStarts(), op.getStartsOperand());
  auto ends = evaluation.getInts(op.getEnds(), op.getEndsOperand());
  auto steps = evaluation.getInts(op.getSteps(), op.getStepsOperand());
  if (!starts || !ends)
    return modelError("'starts' and 'ends' of a slice are not known");
  auto axes = Evaluation::getAxes(
      getAxesOrFirst(evaluation.getInts(op.getAxes(), op.getAxesOperand()),
                     starts->size()),
      x.getRank());
  if (!axes)
    return axes.takeError();
  return evaluation.set(op.getResult(),
                        kernels::slice(x, *starts, *ends, *axes,
                                       steps.value_or(SmallVector<int64_t>())));
}

static llvm::Error evaluate(PadOp op, Evaluation &evaluation) {
  const HostTensor &x = evaluation[op.getInput()];
  auto mode = parsePadMode(op.getMode());
  auto pads = evaluation.getInts(op.getPads(), op.getPadsOperand());
  if (!mode || !pads)
    return modelError("mode or pads of a pad are not known");
  auto axes = Evaluation::getAxes(
      getAxesOrFirst(evaluation.getInts(op.getAxes(), op.getAxesOperand()),
                     x.getRank()),
      x.getRank());
  if (!axes)
    return axes.takeError();
  return evaluation.set(op.getResult(),
                        kernels::pad(x, *pads, *axes, *mode,
                                     evaluation.lookup(op.getConstantValue())));
}

static llvm::Error evaluate(TriluOp op, Evaluation &evaluation) {
  int64_t k = op.getK().value_or(0);
  if (const HostTensor *operand = evaluation.lookup(op.getKOperand())) {
    if (operand->getNumElements() != 1)
      return modelError("'k' of a triangle must have one element");
    k = operand->getInt(0);
  }
  return evaluation.set(
      op.getResult(),
      kernels::trilu(evaluation[op.getInput()], op.getUpper() != 0, k));
}

void inlay::registerSliceEvaluation(MLIRContext &context) {
  attachEvaluation<SplitOp, evaluate>(context);
  attachEvaluation<SliceOp, evaluate>(context);
  attachEvaluation<PadOp, evaluate>(context);
  attachEvaluation<TriluOp, evaluate>(context);
}
