//===- LayoutTransmitPass.cpp - Layouts into types ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes what the analysis LayoutTransmit finds into the types of values.
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/LayoutTransmit.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/ModuleState.h"
#include "inlay/Transforms/Layout/Passes.h"

using namespace inlay;
using namespace mlir;

namespace inlay {
#define GEN_PASS_DEF_LAYOUTTRANSMIT
#include "inlay/Transforms/Layout/Passes.h.inc"
} // namespace inlay

/// The type of `value` with `layout`. A storage order that was chosen stays.
static Type getTypeWith(Value value, LayoutAttr layout) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return value.getType();
  auto chosen = dyn_cast_or_null<LayoutAttr>(type.getEncoding());
  if (chosen && !chosen.getLayout().isRowMajor())
    return type;
  return RankedTensorType::get(type.getShape(), type.getElementType(), layout);
}

/// The same elements with a type that differs in its encoding; null for kinds
/// of attributes that cannot have one.
static TypedAttr getValueWith(TypedAttr value, ShapedType type) {
  if (auto data = dyn_cast<DataAttr>(value))
    return DataAttr::get(data.getContext(), data.getFile(), data.getOffset(),
                         data.getLength(), type);
  if (auto scaled = dyn_cast<ScaledAttr>(value))
    return ScaledAttr::get(scaled.getContext(), scaled.getBase(),
                           scaled.getFactors(), type);
  if (auto strings = dyn_cast<DenseStringElementsAttr>(value))
    return DenseStringElementsAttr::get(type, strings.getRawStringData());
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(value))
    return cast<TypedAttr>(
        DenseElementsAttr::getFromRawBuffer(type, dense.getRawData()));
  return {};
}

/// The attribute of a constant has the type of its result.
static void setConstantType(ConstantOp op, Type type) {
  if (type == op.getResult().getType())
    return;
  TypedAttr value = getValueWith(op.getValue(), cast<ShapedType>(type));
  if (!value)
    return;
  op.setValueAttr(value);
  op.getResult().setType(cast<TensorType>(type));
}

static void setLayouts(Operation *op, const LayoutTransmit &transmit) {
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    Value result = constant.getResult();
    setConstantType(constant, getTypeWith(result, transmit.getLayout(result)));
    return;
  }
  for (Value result : op->getResults())
    result.setType(getTypeWith(result, transmit.getLayout(result)));
  for (Region &region : op->getRegions())
    for (Value argument : region.getArguments())
      argument.setType(getTypeWith(argument, transmit.getLayout(argument)));
}

/// Makes the type of a function that of its body.
static void updateSignature(func::FuncOp function) {
  Operation *end = function.getBody().back().getTerminator();
  function.setFunctionType(FunctionType::get(
      function.getContext(), function.getBody().getArgumentTypes(),
      end->getOperandTypes()));
}

static void emitRemark(Value value, const Twine &subject, LayoutAttr layout) {
  mlir::emitRemark(value.getLoc())
      << subject << ": " << (layout ? layout.getLayout().str() : "none");
}

static void emitRemarks(Operation *op, const LayoutTransmit &transmit) {
  bool isSingle = op->getNumResults() == 1;
  for (OpResult result : op->getResults())
    emitRemark(result,
               isSingle
                   ? Twine("layout")
                   : "layout of result #" + Twine(result.getResultNumber()),
               transmit.getLayout(result));
  for (Region &region : op->getRegions())
    for (BlockArgument argument : region.getArguments())
      emitRemark(argument,
                 "layout of argument #" + Twine(argument.getArgNumber()),
                 transmit.getLayout(argument));
}

/// A convolution's data has the rank of its result, which its weight tells.
/// Gives that rank to data that elementwise operators made from a tensor of
/// unknown rank.
static void recoverRanks(func::FuncOp function) {
  function.walk([](LayoutTransmitOpInterface op) {
    KnownLayouts known = op.getKnownLayouts();
    if (known.results.empty() || !known.results[0] ||
        known.results[0].getLayout().getClass() != LayoutClass::Feature)
      return;
    int64_t rank = *getRank(op->getResult(0));
    for (Value data = op->getOperand(0); !getRank(data);) {
      auto producer = data.getDefiningOp<FusionOpInterface>();
      if (!producer || producer->getNumOperands() != 1 ||
          producer.getFusionClass() != FusionClass::Elementwise ||
          !isa<UnrankedTensorType>(data.getType()))
        return;
      SmallVector<int64_t> shape(rank, ShapedType::kDynamic);
      data.setType(RankedTensorType::get(shape, getElementType(data)));
      data = producer->getOperand(0);
    }
  });
}

namespace {
class LayoutTransmitPass final
    : public inlay::impl::LayoutTransmitBase<LayoutTransmitPass> {
public:
  using LayoutTransmitBase::LayoutTransmitBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    FailureOr<TransmitOptions> options = getTransmitOptions();
    if (failed(options))
      return signalPassFailure();
    if (function.isExternal() || isModuleFinished(function))
      return;
    recoverRanks(function);
    LayoutTransmit transmit(function, *options);
    if (emitRemarks)
      function.walk<WalkOrder::PreOrder>(
          [&](Operation *op) { ::emitRemarks(op, transmit); });
    function.walk([&](Operation *op) { setLayouts(op, transmit); });
    updateSignature(function);
  }

private:
  FailureOr<TransmitOptions> getTransmitOptions() {
    TransmitOptions options;
    auto read = [&](LayoutClass layoutClass, ArrayRef<int64_t> given) {
      if (given.empty())
        return success();
      if (given.size() != 2 || given[0] < 0 || given[1] < given[0])
        return failure();
      options.ranks[size_t(layoutClass)] = {unsigned(given[0]),
                                            unsigned(given[1])};
      return success();
    };
    if (failed(read(LayoutClass::Feature, featureRanks)) ||
        failed(read(LayoutClass::Weight, weightRanks)) ||
        failed(read(LayoutClass::NTensor, nTensorRanks)) ||
        failed(read(LayoutClass::Tensor, tensorRanks)))
      return emitError(getOperation().getLoc(),
                       "bounds of ranks must be the least and the greatest");
    return options;
  }
};
} // namespace
