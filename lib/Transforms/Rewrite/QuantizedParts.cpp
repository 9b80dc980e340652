//===- QuantizedParts.cpp - What lies between quantisers ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuantizedParts.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/Tensor/Dispatch.h"
#include <cmath>

using namespace inlay;
using namespace inlay::rewrites;
using namespace mlir;

/// Bytes of a constant beyond which it is no vector of scales.
static constexpr uint64_t maxBytes = 1 << 20;

static std::optional<HostTensor> readConstant(Value value) {
  Attribute attribute = value ? getConstantValue(value) : Attribute();
  if (!attribute || getByteSize(attribute) > maxBytes)
    return std::nullopt;
  auto tensor = getHostTensor(attribute);
  if (tensor)
    return *tensor;
  llvm::consumeError(tensor.takeError());
  return std::nullopt;
}

std::optional<std::vector<double>> rewrites::readElements(Value value) {
  std::optional<HostTensor> tensor = readConstant(value);
  return tensor ? std::optional(toDoubles(*tensor)) : std::nullopt;
}

std::optional<std::vector<double>> rewrites::readNumbers(Value value) {
  Type element = value ? inlay::getElementType(value) : Type();
  return element && element.isF32() ? readElements(value) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Quantised values
//===----------------------------------------------------------------------===//

static bool isByte(Type element) { return element && element.isInteger(8); }

/// Fills in what scale and zero point say of `from`; false for a kind that no
/// integer operator has.
template <typename OpT> static bool readScales(OpT op, Quantized &from) {
  MaybeShape shape = getShape(op.getScale());
  std::optional<int64_t> rank = getRank(op.getInput());
  Type scale = inlay::getElementType(op.getScale());
  if (!shape || op.getBlockSize() != 0 || op.getOutputDtype() != 0 || !scale ||
      !scale.isF32())
    return false;
  from.scale = op.getScale();
  from.zeroPoint = op.getZeroPoint();
  bool isSingle =
      llvm::all_of(*shape, [](int64_t extent) { return extent == 1; });
  if (isSingle)
    return true;
  from.axis = rank ? normalizeAxis(op.getAxis(), *rank) : std::nullopt;
  return from.axis && shape->size() == 1;
}

std::optional<Quantized> rewrites::readDequantized(Value value) {
  auto op =
      value ? value.getDefiningOp<DequantizeLinearOp>() : DequantizeLinearOp();
  if (!op)
    return std::nullopt;
  Quantized from;
  from.tensor = op.getInput();
  from.op = op;
  Type element = from.getElementType();
  bool isKnown = isByte(element) || (element && element.isInteger(32));
  return isKnown && readScales(op, from) ? std::optional(from) : std::nullopt;
}

std::optional<Quantized> rewrites::readQuantized(QuantizeLinearOp op) {
  Quantized to;
  to.tensor = op.getResult();
  Type from = inlay::getElementType(op.getInput());
  bool isKnown = isByte(to.getElementType()) && from && from.isF32() &&
                 op.getPrecision() == 0 && readScales(op, to);
  return isKnown && to.isPerTensor() ? std::optional(to) : std::nullopt;
}

/// The zero point as a number; nothing where it is computed.
static std::optional<double> readZeroPoint(const Quantized &from) {
  if (!from.zeroPoint)
    return 0;
  std::optional<HostTensor> tensor = readConstant(from.zeroPoint);
  return tensor && tensor->getNumElements() == 1
             ? std::optional(tensor->getDouble(0))
             : std::nullopt;
}

static std::optional<double> readScale(const Quantized &from) {
  auto numbers = readNumbers(from.scale);
  return numbers && numbers->size() == 1 ? std::optional(numbers->front())
                                         : std::nullopt;
}

bool rewrites::areAlike(const Quantized &a, const Quantized &b) {
  if (a.getElementType() != b.getElementType() || !a.isPerTensor() ||
      !b.isPerTensor())
    return false;
  if (a.scale == b.scale && a.zeroPoint == b.zeroPoint)
    return true;
  auto aScale = readScale(a), bScale = readScale(b);
  auto aZero = readZeroPoint(a), bZero = readZeroPoint(b);
  return aScale && bScale && aZero && bZero && *aScale == *bScale &&
         *aZero == *bZero;
}

Value rewrites::getZeroPoint(const Quantized &from, RewriteContext &context) {
  if (from.zeroPoint)
    return from.zeroPoint;
  OpBuilder &builder = context.builder;
  SmallVector<int64_t> shape = *getShape(from.scale);
  HostTensor zero(*getOnnxElementType(from.getElementType()), shape);
  TypedAttr value = getConstantAttr(builder.getContext(), zero);
  return builder.create<ConstantOp>(builder.getUnknownLoc(), value.getType(),
                                    value);
}

//===----------------------------------------------------------------------===//
// The quantiser at the end
//===----------------------------------------------------------------------===//

/// The lowest and the highest number of a quantised type.
static std::pair<double, double> getLimits(Type element) {
  return element.isUnsignedInteger() ? std::pair(0.0, 255.0)
                                     : std::pair(-128.0, 127.0);
}

/// What an activation cuts off: everything outside of `low` and `high`.
static std::optional<std::pair<double, double>> readCut(Operation *op) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (isa<ReluOp>(op))
    return std::pair(0.0, infinity);
  auto clip = dyn_cast<ClipOp>(op);
  if (!clip)
    return std::nullopt;
  std::pair<double, double> cut(-infinity, infinity);
  for (auto [bound, limit] :
       {std::pair<Value, double *>(clip.getMin(), &cut.first),
        {clip.getMax(), &cut.second}}) {
    if (!bound)
      continue;
    auto number = readNumbers(bound);
    if (!number || number->size() != 1)
      return std::nullopt;
    *limit = number->front();
  }
  return cut;
}

/// Whether the quantiser saturates wherever the activation cuts off.
static bool saturatesFirst(const Quantized &to, Operation *activation) {
  auto cut = readCut(activation);
  auto scale = readScale(to), zero = readZeroPoint(to);
  if (!cut || !scale || !zero || *scale <= 0)
    return false;
  auto [low, high] = getLimits(to.getElementType());
  return std::nearbyint(cut->first / *scale) + *zero <= low &&
         std::nearbyint(cut->second / *scale) + *zero >= high;
}

std::optional<QuantizedResult> QuantizedResult::match(Operation *root) {
  QuantizedResult result;
  result.root = cast<QuantizeLinearOp>(root);
  auto to = readQuantized(result.root);
  auto isOwn = [&](Operation *op) {
    return op && op->getBlock() == root->getBlock() &&
           op->getResult(0).hasOneUse() &&
           llvm::all_of(llvm::drop_begin(op->getResults()),
                        [](Value other) { return other.use_empty(); });
  };
  Operation *op = result.root.getInput().getDefiningOp();
  if (!to || !isOwn(op))
    return std::nullopt;
  result.to = *to;
  if (isa<ReluOp, ClipOp>(op) && saturatesFirst(*to, op) &&
      isOwn(op->getOperand(0).getDefiningOp())) {
    result.activation = op;
    op = op->getOperand(0).getDefiningOp();
  }
  result.op = op;
  return result;
}

Location QuantizedResult::merge(ArrayRef<Quantized> operands,
                                RewriteContext &context) const {
  SmallVector<Operation *> ops{root};
  if (activation)
    ops.push_back(activation);
  ops.push_back(op);
  for (const Quantized &operand : operands)
    if (operand.op && operand.op->hasOneUse())
      ops.push_back(operand.op);
  return context.merge(ops);
}

//===----------------------------------------------------------------------===//
// What the target wants
//===----------------------------------------------------------------------===//

/// Whether a stage takes the operator on elements of `type`.
static bool takes(const Target &target, StringRef opType, StringRef type) {
  if (!target.dataFlow)
    return false;
  return llvm::any_of(target.dataFlow->stages, [&](const Stage &stage) {
    return llvm::any_of(stage.ops, [&](const StageOp &op) {
      return op.op == opType &&
             (op.types.empty() || llvm::is_contained(op.types, type));
    });
  });
}

bool rewrites::wantsInteger(const RewriteContext &context, StringRef integerOp,
                            StringRef floatOp, Type type) {
  const Target &target = context.getTarget();
  return type && takes(target, integerOp, getElementWord(type)) &&
         !takes(target, floatOp, "f32");
}

bool rewrites::wantsFloats(const RewriteContext &context, StringRef opType,
                           Type type) {
  const Target &target = context.getTarget();
  return takes(target, opType, "f32") &&
         !takes(target, opType, getElementWord(type));
}
