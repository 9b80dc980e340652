//===- Normalizations.cpp - Operators that normalise ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalizations.h"
#include "inlay/Analysis/Patterns/Match.h"
#include "inlay/IR/ConstantExpressions.h"
#include "inlay/IR/Constants.h"

using namespace inlay;
using namespace inlay::patterns;
using namespace inlay::rewrites;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Scales and biases
//===----------------------------------------------------------------------===//

/// What is made for an operator comes from no node.
static Value createConstant(OpBuilder &builder, TypedAttr value) {
  return builder.create<ConstantOp>(builder.getUnknownLoc(), value.getType(),
                                    value);
}

static Value createSplat(OpBuilder &builder, RankedTensorType type,
                         double element) {
  Attribute attr = builder.getFloatAttr(type.getElementType(), element);
  return createConstant(builder, DenseElementsAttr::get(type, attr));
}

Value rewrites::createFilled(OpBuilder &builder, double element, Value x,
                             Dims dims) {
  RankedTensorType type = getParameterType(x, dims);
  return type ? createSplat(builder, type, element) : Value();
}

Value rewrites::createParameter(OpBuilder &builder, Value value, Value x,
                                Dims dims) {
  if (!isParameter(value, x, dims))
    return {};
  RankedTensorType wanted = getParameterType(x, dims);
  if (value.getType() == wanted)
    return value;
  if (std::optional<double> number = getNumber(value))
    return createSplat(builder, wanted, *number);
  return createConstant(builder, getView(getConstantValue(value), wanted));
}

bool rewrites::canNarrow(Value value, Type narrow) {
  if (auto cast = value.getDefiningOp<CastOp>())
    return getElementType(cast.getInput()) == narrow;
  std::optional<double> scalar = getScalar(value);
  if (!scalar)
    return false;
  bool losesInfo = false;
  APFloat number(*scalar);
  number.convert(cast<FloatType>(narrow).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &losesInfo);
  return !losesInfo;
}

Value rewrites::createNarrow(OpBuilder &builder, Value value, Type narrow) {
  if (auto cast = value.getDefiningOp<CastOp>())
    return cast.getInput();
  auto type = cast<RankedTensorType>(value.getType());
  return createSplat(builder, RankedTensorType::get(type.getShape(), narrow),
                     *getScalar(value));
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

bool rewrites::isNormalization(Operation *op) {
  return isa_and_present<LayerNormalizationOp, RMSNormalizationOp,
                         InstanceNormalizationOp, GroupNormalizationOp>(op) &&
         op->getResult(0).hasOneUse() &&
         llvm::all_of(llvm::drop_begin(op->getResults()),
                      [](Value result) { return result.use_empty(); });
}

/// From `axis` on.
static std::optional<Dims> getTrailing(Value x, int64_t axis) {
  std::optional<int64_t> rank = getRank(x);
  std::optional<int64_t> first =
      rank ? normalizeAxis(axis, *rank) : std::nullopt;
  return first ? std::optional<Dims>({*first, *rank}) : std::nullopt;
}

std::optional<Dims> rewrites::getParameterDims(Operation *op) {
  if (auto layer = dyn_cast<LayerNormalizationOp>(op))
    return getTrailing(layer.getInput(), layer.getAxis());
  if (auto rms = dyn_cast<RMSNormalizationOp>(op))
    return getTrailing(rms.getInput(), rms.getAxis());
  if (auto group = dyn_cast<GroupNormalizationOp>(op);
      group && group.getPerGroupScale())
    return std::nullopt;
  std::optional<int64_t> rank = getRank(op->getOperand(0));
  return rank && *rank >= 2 ? std::optional<Dims>({1, 2}) : std::nullopt;
}

void rewrites::replaceByNormalization(RewriteContext &context,
                                      ArrayRef<Operation *> ops, StringRef name,
                                      ValueRange operands,
                                      ArrayRef<NamedAttribute> attributes) {
  OpBuilder &builder = context.builder;
  bool isLayer = name == LayerNormalizationOp::getOperationName();
  // The types follow; those of a LayerNormalization's statistics from x, too.
  SmallVector<Type> types(isLayer ? 3 : 1,
                          UnknownType::get(builder.getContext()));
  OperationState state(context.merge(ops), name, operands, types, attributes);
  Operation *op = builder.create(state);
  [[maybe_unused]] LogicalResult refined = refineResultTypes(op);
  assert(succeeded(refined) && "a normalisation has the type of its input");
  context.replace(ops.front(), op->getResult(0));
}
