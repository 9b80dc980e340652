//===- ContractionOps.cpp - Matrix products -------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The convolutions are in ConvOps.cpp, Einsum is in EinsumOp.cpp.
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Inference.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/Builders.h"

using namespace inlay;
using namespace mlir;

#define GET_OP_CLASSES
#include "inlay/IR/ContractionOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Shapes of stacked matrix products
//===----------------------------------------------------------------------===//

/// Nothing when an operand is not ranked.
static FailureOr<MaybeShape> inferMatMulShape(TypeInference &inference, Value a,
                                              Value b) {
  MaybeShape aShape = getShape(a), bShape = getShape(b);
  if ((aShape && aShape->empty()) || (bShape && bShape->empty()))
    return inference.error("operands must have at least 1 dimension");
  if (!aShape || !bShape)
    return MaybeShape();
  bool hasRows = aShape->size() > 1, hasColumns = bShape->size() > 1;
  int64_t inner = (*bShape)[bShape->size() - (hasColumns ? 2 : 1)];
  if (!areCompatibleExtents(aShape->back(), inner))
    return inference.error("cannot multiply " + formatExtents(*aShape) +
                           " by " + formatExtents(*bShape));
  MaybeShape aBatch(ArrayRef(*aShape).drop_back(hasRows ? 2 : 1));
  MaybeShape bBatch(ArrayRef(*bShape).drop_back(hasColumns ? 2 : 1));
  auto shape = inference.broadcast({aBatch, bBatch});
  if (failed(shape))
    return failure();
  if (hasRows)
    (*shape)->push_back((*aShape)[aShape->size() - 2]);
  if (hasColumns)
    (*shape)->push_back(bShape->back());
  return shape;
}

/// Reports a quantization parameter that is not one number, one per row
/// (column) or, like the matrices, stacked. `extent` is that of the rows
/// (columns).
static LogicalResult checkPerLine(TypeInference &inference, StringRef name,
                                  Value value, int64_t extent) {
  MaybeShape shape = value ? getShape(value) : std::nullopt;
  if (!shape || shape->size() != 1 || shape->front() == 1)
    return success();
  if (!areCompatibleExtents(shape->front(), extent))
    return inference.error(name + " has " + Twine(shape->front()) +
                           " elements, expected 1 or " + Twine(extent));
  return success();
}

/// The rows of `a`; unknown where it is not ranked. A vector is one row.
static int64_t getRows(Value a) {
  MaybeShape shape = getShape(a);
  if (!shape || shape->empty())
    return ShapedType::kDynamic;
  return shape->size() == 1 ? 1 : (*shape)[shape->size() - 2];
}

/// The columns of `b`; unknown where it is not ranked. A vector is one column.
static int64_t getColumns(Value b) {
  MaybeShape shape = getShape(b);
  if (!shape || shape->empty())
    return ShapedType::kDynamic;
  return shape->size() == 1 ? 1 : shape->back();
}

//===----------------------------------------------------------------------===//
// Axis maps of stacked matrix products
//===----------------------------------------------------------------------===//

namespace {
/// Builds [batch..., m, k], [batch..., k, n] -> [batch..., m, n].
class MatMulAxisMap {
public:
  MatMulAxisMap(Operation *op, Value a, Value b, Value result);

  /// Parameters of the rows of `a` and of the columns of `b`; null ones are
  /// left out. In the order of the operands.
  void addPerRow(Value value) { addPerLine(value, m, /*isRow=*/true); }
  void addPerColumn(Value value) { addPerLine(value, n, /*isRow=*/false); }

  void bindA() { map.bind(a, concat(getBatch(a), m, {k})); }
  void bindB() { map.bind(b, concat(getBatch(b), {k}, n)); }
  AxisMap build();

private:
  /// The batch dimensions of a stack of matrices (none of a vector).
  TensorAxes getBatch(Value value) const;
  void addPerLine(Value value, const TensorAxes &line, bool isRow);
  static TensorAxes concat(TensorAxes batch, const TensorAxes &first,
                           const TensorAxes &second);

  AxisMapBuilder map;
  Value a, b, result;
  bool isRanked;
  /// The batch dimensions of the result.
  TensorAxes batch;
  SmallVector<int64_t> batchExtents;
  /// No dimension where an operand is a vector.
  TensorAxes m, n;
  DimAxes k;
};
} // namespace

MatMulAxisMap::MatMulAxisMap(Operation *op, Value a, Value b, Value result)
    : map(op), a(a), b(b), result(result) {
  MaybeShape aShape = getShape(a), bShape = getShape(b), to = getShape(result);
  isRanked = aShape && bShape && to;
  if (!isRanked)
    return;
  size_t numLines = (aShape->size() > 1) + (bShape->size() > 1);
  for (int64_t extent : ArrayRef(*to).drop_back(numLines)) {
    batch.push_back({map.axis(AxisKind::Parallel, extent)});
    batchExtents.push_back(extent);
  }
  if (aShape->size() > 1)
    m.push_back({map.axis(AxisKind::Parallel, getRows(a))});
  if (bShape->size() > 1)
    n.push_back({map.axis(AxisKind::Parallel, getColumns(b))});
  k.push_back(map.axis(AxisKind::Contracted, aShape->back()));
}

TensorAxes MatMulAxisMap::getBatch(Value value) const {
  MaybeShape shape = getShape(value);
  TensorAxes dims;
  if (!shape || shape->size() < 2 || shape->size() - 2 > batch.size())
    return dims;
  ArrayRef<int64_t> extents = ArrayRef(*shape).drop_back(2);
  size_t shift = batch.size() - extents.size();
  for (auto [i, extent] : llvm::enumerate(extents)) {
    bool isBroadcast = extent == 1 && batchExtents[shift + i] != 1;
    dims.push_back(isBroadcast ? DimAxes{} : batch[shift + i]);
  }
  return dims;
}

TensorAxes MatMulAxisMap::concat(TensorAxes batch, const TensorAxes &first,
                                 const TensorAxes &second) {
  batch.append(first.begin(), first.end());
  batch.append(second.begin(), second.end());
  return batch;
}

void MatMulAxisMap::addPerLine(Value value, const TensorAxes &line,
                               bool isRow) {
  MaybeShape shape = value ? getShape(value) : std::nullopt;
  if (!isRanked || !shape)
    return;
  if (shape->size() < 2) {
    bool isOne = shape->empty() || shape->front() == 1;
    map.bind(value, isOne ? TensorAxes(shape->size()) : line);
    return;
  }
  int64_t extent = (*shape)[shape->size() - (isRow ? 2 : 1)];
  TensorAxes own = extent == 1 || line.empty() ? TensorAxes(1) : line;
  TensorAxes unit(1);
  map.bind(value, isRow ? concat(getBatch(value), own, unit)
                        : concat(getBatch(value), unit, own));
}

AxisMap MatMulAxisMap::build() {
  if (!isRanked)
    return AxisMap::opaque();
  map.bind(result, concat(batch, m, n));
  return map.build();
}

//===----------------------------------------------------------------------===//
// MatMulOp
//===----------------------------------------------------------------------===//

LogicalResult MatMulOp::inferTypes(TypeInference &inference) {
  auto element = inference.getSameElementType(getOperands());
  if (failed(element))
    return failure();
  auto shape = inferMatMulShape(inference, getA(), getB());
  if (failed(shape))
    return failure();
  inference.set(getResult(), *element, *shape);
  return success();
}

AxisMap MatMulOp::getAxisMap() {
  MatMulAxisMap map(*this, getA(), getB(), getResult());
  map.bindA();
  map.bindB();
  return map.build();
}

FusionClass MatMulOp::getFusionClass() { return FusionClass::Contraction; }

//===----------------------------------------------------------------------===//
// MatMulIntegerOp
//===----------------------------------------------------------------------===//

LogicalResult MatMulIntegerOp::inferTypes(TypeInference &inference) {
  auto shape = inferMatMulShape(inference, getA(), getB());
  if (failed(shape))
    return failure();
  inference.set(getResult(), IntegerType::get(getContext(), 32), *shape);
  if (failed(checkPerLine(inference, "a_zero_point", getAZeroPoint(),
                          getRows(getA()))))
    return failure();
  return checkPerLine(inference, "b_zero_point", getBZeroPoint(),
                      getColumns(getB()));
}

AxisMap MatMulIntegerOp::getAxisMap() {
  MatMulAxisMap map(*this, getA(), getB(), getResult());
  map.bindA();
  map.bindB();
  map.addPerRow(getAZeroPoint());
  map.addPerColumn(getBZeroPoint());
  return map.build();
}

FusionClass MatMulIntegerOp::getFusionClass() {
  return FusionClass::Contraction;
}

//===----------------------------------------------------------------------===//
// QLinearMatMulOp
//===----------------------------------------------------------------------===//

LogicalResult QLinearMatMulOp::inferTypes(TypeInference &inference) {
  auto shape = inferMatMulShape(inference, getA(), getB());
  if (failed(shape))
    return failure();
  inference.set(getResult(), inlay::getElementType(getYZeroPoint()), *shape);
  int64_t rows = getRows(getA()), columns = getColumns(getB());
  for (auto [name, value, extent] :
       {std::tuple<StringRef, Value, int64_t>("a_scale", getAScale(), rows),
        {"a_zero_point", getAZeroPoint(), rows},
        {"b_scale", getBScale(), columns},
        {"b_zero_point", getBZeroPoint(), columns}})
    if (failed(checkPerLine(inference, name, value, extent)))
      return failure();
  return success();
}

AxisMap QLinearMatMulOp::getAxisMap() {
  MatMulAxisMap map(*this, getA(), getB(), getResult());
  map.bindA();
  map.addPerRow(getAScale());
  map.addPerRow(getAZeroPoint());
  map.bindB();
  map.addPerColumn(getBScale());
  map.addPerColumn(getBZeroPoint());
  return map.build();
}

FusionClass QLinearMatMulOp::getFusionClass() {
  return FusionClass::Contraction;
}

//===----------------------------------------------------------------------===//
// GemmOp
//===----------------------------------------------------------------------===//

/// A matrix's rows and columns, after a transposition if there is one; unknown
/// where it is not ranked.
static std::pair<int64_t, int64_t> getMatrix(Value value, bool transposed) {
  MaybeShape shape = getShape(value);
  if (!shape || shape->size() != 2)
    return {ShapedType::kDynamic, ShapedType::kDynamic};
  if (transposed)
    std::swap((*shape)[0], (*shape)[1]);
  return {(*shape)[0], (*shape)[1]};
}

/// Reports a `c` that does not stretch to exactly rows x columns.
static LogicalResult checkAddend(TypeInference &inference, Value c,
                                 int64_t rows, int64_t columns) {
  MaybeShape shape = c ? getShape(c) : std::nullopt;
  if (!shape)
    return success();
  auto stretches = [](int64_t from, int64_t to) {
    return from == 1 || areCompatibleExtents(from, to);
  };
  size_t rank = shape->size();
  if (rank > 2 || (rank > 0 && !stretches(shape->back(), columns)) ||
      (rank > 1 && !stretches(shape->front(), rows)))
    return inference.error("c of shape " + formatExtents(*shape) +
                           " does not broadcast to the product");
  return success();
}

LogicalResult GemmOp::inferTypes(TypeInference &inference) {
  auto element = inference.getSameElementType(getOperands());
  if (failed(element) || failed(checkRank(inference, "a", getA(), 2)) ||
      failed(checkRank(inference, "b", getB(), 2)))
    return failure();
  auto [m, k] = getMatrix(getA(), getTransA() != 0);
  auto [inner, n] = getMatrix(getB(), getTransB() != 0);
  if (!areCompatibleExtents(k, inner))
    return inference.error("a has " + Twine(k) + " columns, b has " +
                           Twine(inner) + " rows");
  inference.set(getResult(), *element, SmallVector<int64_t>{m, n});
  return checkAddend(inference, getC(), m, n);
}

AxisMap GemmOp::getAxisMap() {
  if (getRank(getA()) != 2 || getRank(getB()) != 2 || getRank(getResult()) != 2)
    return AxisMap::opaque();
  auto [rows, inner] = getMatrix(getA(), getTransA() != 0);
  int64_t columns = getMatrix(getB(), getTransB() != 0).second;
  AxisMapBuilder map(*this);
  DimAxes m{map.axis(AxisKind::Parallel, rows)};
  DimAxes n{map.axis(AxisKind::Parallel, columns)};
  DimAxes k{map.axis(AxisKind::Contracted, inner)};
  map.bind(getA(), getTransA() ? TensorAxes{k, m} : TensorAxes{m, k});
  map.bind(getB(), getTransB() ? TensorAxes{n, k} : TensorAxes{k, n});
  TensorAxes product{m, n};
  if (getC())
    map.bind(getC(), map.broadcastTo(getC(), getResult(), product));
  map.bind(getResult(), product);
  return map.build();
}

FusionClass GemmOp::getFusionClass() { return FusionClass::Contraction; }
