//===- ContractionForms.cpp - Storage orders of matrix products -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product is built of what lies in memory: see ProductPlans.h.
//
//===----------------------------------------------------------------------===//

#include "ProductPlans.h"
#include "StorageForms.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

/// An operand in the dimensions that a plan wants.
static Value viewAs(StoredOpBuilder &stored, unsigned index,
                    const ViewedTensor &tensor) {
  return stored.createView(stored.getOperands()[index], tensor.getShape());
}

/// Says that `product`, in the dimensions of a plan but for leading ones of one
/// element, is the result. Unknown extents would not tell that its dimensions
/// are others.
static LogicalResult setProduct(StoredOpBuilder &stored, Operation *product,
                                const ViewedTensor &result) {
  Value value = product->getResult(0);
  SmallVector<int64_t> shape = result.getShape();
  if (Type type =
          meetTypes(value.getType(),
                    RankedTensorType::get(shape, getElementType(value)))) {
    value.setType(cast<TensorType>(type));
    SmallVector<int64_t> physical = getPhysicalShape(result.type, result.order);
    if (physical != shape)
      value = stored.createView(value, physical);
  }
  if (!value)
    return failure();
  stored.setResult(0, value);
  return success(stored.getResults()[0] != nullptr);
}

//===----------------------------------------------------------------------===//
// Gemm
//===----------------------------------------------------------------------===//

namespace {
/// The matrices of a product in memory. `swapped`: the result is stored
/// transposed, so that b comes first.
struct GemmPlan {
  ViewedTensor a, b, result;
  std::optional<ViewedTensor> c;
  bool isSwapped;
  /// Of the operand that comes first, and of the other.
  bool transFirst, transSecond;
};

/// A matrix by its dimensions in the product.
struct Matrix {
  Type type;
  ArrayRef<Atom> order;
  /// Rows and columns of the logical product.
  int64_t row, column;
};
} // namespace

/// `matrix` as it lies: rows first, or columns first (`isTransposed`).
static std::optional<ViewedTensor> viewMatrix(const Matrix &matrix,
                                              bool isTransposed) {
  AtomSequence rows = getParts(matrix.type, matrix.order, matrix.row);
  AtomSequence columns = getParts(matrix.type, matrix.order, matrix.column);
  ViewedTensor view{matrix.type, matrix.order, {rows, columns}};
  if (isTransposed)
    std::swap(view.groups[0], view.groups[1]);
  return view.isView() ? std::optional(view) : std::nullopt;
}

/// The addend against a result stored with its `groups`; nothing where it is
/// stored otherwise.
static std::optional<ViewedTensor> viewAddend(Type type, ArrayRef<Atom> order,
                                              Type result,
                                              const GroupedView &groups) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked)
    return std::nullopt;
  int64_t shift = cast<RankedTensorType>(result).getRank() - ranked.getRank();
  ViewedTensor view{type, order, groups};
  for (AtomSequence &group : view.groups)
    for (Atom &atom : group) {
      int64_t dim = int64_t(atom.dim) - shift;
      if (dim < 0 || ranked.getDimSize(dim) == 1) {
        group.clear();
        break;
      }
      // An addend that may have one element there has no parts.
      if (group.size() > 1 && ranked.isDynamicDim(dim))
        return std::nullopt;
      atom.dim = dim;
    }
  dropLeading(view.groups, writeOut(order, type).size());
  return view.isView() ? std::optional(view) : std::nullopt;
}

/// Plans a times b plus c for a result stored as it is or transposed.
static std::optional<GemmPlan> planGemm(const Matrix &a, const Matrix &b,
                                        const Matrix &result, bool isSwapped) {
  bool areAlike =
      areSameParts(getParts(a.type, a.order, a.row),
                   getParts(result.type, result.order, result.row)) &&
      areSameParts(getParts(a.type, a.order, a.column),
                   getParts(b.type, b.order, b.row)) &&
      areSameParts(getParts(b.type, b.order, b.column),
                   getParts(result.type, result.order, result.column));
  auto product = viewMatrix(result, isSwapped);
  if (!areAlike || !product)
    return std::nullopt;
  GemmPlan plan{{}, {}, *product, std::nullopt, isSwapped, false, false};
  auto choose = [&](const Matrix &matrix, ViewedTensor &view, bool &trans) {
    // Exchanged, the operands are wanted transposed.
    for (bool candidate : {false, true})
      if (auto found = viewMatrix(matrix, candidate != isSwapped)) {
        view = *found;
        trans = candidate;
        return true;
      }
    return false;
  };
  if (!choose(a, plan.a, isSwapped ? plan.transSecond : plan.transFirst) ||
      !choose(b, plan.b, isSwapped ? plan.transFirst : plan.transSecond))
    return std::nullopt;
  return plan;
}

static std::optional<GemmPlan> planGemm(const Matrix &a, const Matrix &b,
                                        Value c, ArrayRef<Atom> cOrder,
                                        const Matrix &result) {
  for (bool isSwapped : {false, true}) {
    auto plan = planGemm(a, b, result, isSwapped);
    if (!plan)
      continue;
    if (c) {
      plan->c =
          viewAddend(c.getType(), cOrder, result.type, plan->result.groups);
      if (!plan->c)
        continue;
    }
    return plan;
  }
  return std::nullopt;
}

/// Operands 0 and 1, and 2 where there is an addend, in memory.
static LogicalResult buildGemm(StoredOpBuilder &stored, const GemmPlan &plan,
                               FloatAttr alpha, FloatAttr beta) {
  Value a = viewAs(stored, 0, plan.a), b = viewAs(stored, 1, plan.b);
  Value c = plan.c ? viewAs(stored, 2, *plan.c) : Value();
  if (!a || !b || (plan.c && !c))
    return failure();
  if (plan.isSwapped)
    std::swap(a, b);
  OpBuilder &builder = stored.getBuilder();
  auto getFlag = [&](bool isSet) {
    return isSet ? builder.getI64IntegerAttr(1) : IntegerAttr();
  };
  Operation *op = stored.getOperation();
  auto element = cast<TensorType>(op->getResult(0).getType()).getElementType();
  auto type = RankedTensorType::get(plan.result.getShape(), element);
  stored.setResult(0, builder.create<GemmOp>(op->getLoc(), type, a, b, c, alpha,
                                             beta, getFlag(plan.transFirst),
                                             getFlag(plan.transSecond)));
  return success(stored.getResults()[0] != nullptr);
}

static std::optional<GemmPlan> planGemm(GemmOp op, const StoredForm &form) {
  if (op.getAxisMap().isOpaque() || form.isBlocked())
    return std::nullopt;
  auto getMatrix = [&](unsigned index, bool isTransposed) {
    return Matrix{op->getOperand(index).getType(), form.operands[index],
                  isTransposed, !isTransposed};
  };
  Matrix result{op.getResult().getType(), form.results[0], 0, 1};
  return planGemm(
      getMatrix(0, op.getTransA() != 0), getMatrix(1, op.getTransB() != 0),
      op.getC(),
      op.getC() ? ArrayRef<Atom>(form.operands[2]) : ArrayRef<Atom>(), result);
}

bool GemmOp::followsAxes() { return false; }

bool GemmOp::admitsFactors() { return true; }

bool GemmOp::admitsForm(const StoredForm &form) {
  return planGemm(*this, form).has_value();
}

LogicalResult GemmOp::buildStored(StoredOpBuilder &stored) {
  return buildGemm(stored, *planGemm(*this, stored.getForm()), getAlphaAttr(),
                   getBetaAttr());
}

//===----------------------------------------------------------------------===//
// MatMul
//===----------------------------------------------------------------------===//

/// The first opset whose Gemm has no addend, and whose Gemm takes bfloat16.
static constexpr int64_t gemmWithoutAddendOpset = 11;
static constexpr int64_t gemmBFloat16Opset = 13;

/// Whether a tensor is one matrix, in a stack of its own or not.
static bool isOneMatrix(Value value) {
  MaybeShape shape = getShape(value);
  return shape && shape->size() >= 2 &&
         llvm::all_of(ArrayRef(*shape).drop_back(2),
                      [](int64_t extent) { return extent == 1; });
}

/// Whether Gemm computes the same, its operands transposed at will.
static bool canBeGemm(MatMulOp op) {
  Type element = inlay::getElementType(op.getA());
  int64_t opset = getOpset(op).value_or(0);
  return isOneMatrix(op.getA()) && isOneMatrix(op.getB()) &&
         isOneMatrix(op.getResult()) && isa_and_present<FloatType>(element) &&
         (element.isF16() || element.isF32() || element.isF64() ||
          (element.isBF16() && opset >= gemmBFloat16Opset)) &&
         opset >= gemmWithoutAddendOpset;
}

static std::optional<GemmPlan> planGemm(MatMulOp op, const StoredForm &form) {
  if (!canBeGemm(op) || form.isBlocked())
    return std::nullopt;
  auto getMatrix = [](Value value, ArrayRef<Atom> order) {
    int64_t rank = *getRank(value);
    return Matrix{value.getType(), order, rank - 2, rank - 1};
  };
  return planGemm(getMatrix(op.getA(), form.operands[0]),
                  getMatrix(op.getB(), form.operands[1]), Value(), {},
                  getMatrix(op.getResult(), form.results[0]));
}

bool MatMulOp::followsAxes() { return !canBeGemm(*this); }

bool MatMulOp::admitsFactors() { return true; }

bool MatMulOp::admitsForm(const StoredForm &form) {
  return planMatMul(*this, form, 0, 1) || planGemm(*this, form);
}

LogicalResult MatMulOp::buildStored(StoredOpBuilder &stored) {
  auto product = planMatMul(*this, stored.getForm(), 0, 1);
  if (!product)
    return buildGemm(stored, *planGemm(*this, stored.getForm()), FloatAttr(),
                     FloatAttr());
  auto [plan, isSwapped] = *product;
  Value left = viewAs(stored, isSwapped ? 1 : 0, plan.left);
  Value right = viewAs(stored, isSwapped ? 0 : 1, plan.right);
  if (!left || !right)
    return failure();
  return setProduct(stored, stored.create({left, right}), plan.result);
}

//===----------------------------------------------------------------------===//
// Integer and quantized products
//===----------------------------------------------------------------------===//

/// The product where all parameters are single numbers, so that nothing but the
/// matrices is stored in some order. Operands of two types are not exchanged:
/// runtimes need not have the other combination.
static std::optional<Product>
planWithScalars(Operation *op, const StoredForm &form, unsigned a, unsigned b) {
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned i = operand.getOperandNumber();
    MaybeShape shape = getShape(operand.get());
    bool isOne = shape && llvm::all_of(*shape, [](int64_t extent) {
                   return extent == 1;
                 });
    if (i != a && i != b && !isOne)
      return std::nullopt;
  }
  bool isOneType =
      getElementType(op->getOperand(a)) == getElementType(op->getOperand(b));
  return planMatMul(op, form, a, b, /*maySwap=*/isOneType);
}

bool MatMulIntegerOp::admitsForm(const StoredForm &form) {
  return planWithScalars(*this, form, 0, 1).has_value();
}

/// A tensor of one element as a scalar: a vector would have to have one element
/// per row.
static Value getScalar(StoredOpBuilder &stored, Value operand) {
  Value physical = stored.lookup(operand);
  return physical ? stored.createView(physical, {}) : Value();
}

LogicalResult MatMulIntegerOp::buildStored(StoredOpBuilder &stored) {
  auto [plan, isSwapped] = *planWithScalars(*this, stored.getForm(), 0, 1);
  Value left = viewAs(stored, isSwapped ? 1 : 0, plan.left);
  Value right = viewAs(stored, isSwapped ? 0 : 1, plan.right);
  if (!left || !right)
    return failure();
  Value leftZero = getScalar(stored, getAZeroPoint());
  Value rightZero = getScalar(stored, getBZeroPoint());
  if (isSwapped)
    std::swap(leftZero, rightZero);
  auto product = stored.getBuilder().create<MatMulIntegerOp>(
      getLoc(), UnrankedTensorType::get(inlay::getElementType(getResult())),
      left, right, leftZero, rightZero);
  if (failed(refineResultTypes(product)))
    return failure();
  return setProduct(stored, product, plan.result);
}

bool QLinearMatMulOp::admitsForm(const StoredForm &form) {
  return planWithScalars(*this, form, 0, 3).has_value();
}

LogicalResult QLinearMatMulOp::buildStored(StoredOpBuilder &stored) {
  auto [plan, isSwapped] = *planWithScalars(*this, stored.getForm(), 0, 3);
  Value left = viewAs(stored, isSwapped ? 3 : 0, plan.left);
  Value right = viewAs(stored, isSwapped ? 0 : 3, plan.right);
  if (!left || !right)
    return failure();
  ArrayRef<Value> given = stored.getOperands();
  SmallVector<Value> operands{left};
  llvm::append_range(operands, given.slice(isSwapped ? 4 : 1, 2));
  operands.push_back(right);
  llvm::append_range(operands, given.slice(isSwapped ? 1 : 4, 2));
  llvm::append_range(operands, given.drop_front(6));
  return setProduct(stored, stored.create(operands), plan.result);
}
