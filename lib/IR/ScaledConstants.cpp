//===- ScaledConstants.cpp - Constants times factors ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/ScaledConstants.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Evaluation.h"
#include "inlay/IR/StoredConstants.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Broadcast.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

/// Factors that two scalings are merged into; more are computed when needed.
static constexpr int64_t maxMergedFactors = 1 << 16;

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static llvm::Error checkFactors(ArrayRef<int64_t> factors,
                                ArrayRef<int64_t> base) {
  if (factors.size() == base.size() && isBroadcastableTo(factors, base))
    return llvm::Error::success();
  return modelError("factors of shape " + formatShape(factors) +
                    " do not stretch to " + formatShape(base));
}

static llvm::Error checkFactorsAttr(TypedAttr factors) {
  Attribute value = factors;
  auto type = dyn_cast<RankedTensorType>(factors.getType());
  if (!isa<DataAttr, DenseElementsAttr>(value) || !type ||
      !type.hasStaticShape() || !type.getElementType().isF64() ||
      !getByteSize(type))
    return modelError("factors must be a constant of f64 of static shape");
  auto data = dyn_cast<DataAttr>(value);
  if (data && data.getLength() != *getByteSize(type))
    return modelError("factors refer to " + llvm::Twine(data.getLength()) +
                      " bytes, their type needs " +
                      llvm::Twine(*getByteSize(type)));
  return llvm::Error::success();
}

static bool canBeScaled(Type element) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element);
}

static llvm::Error checkScaled(TypedAttr base, TypedAttr factors, Type type) {
  if (llvm::Error error = checkExpressionBase(base))
    return error;
  if (llvm::Error error = checkFactorsAttr(factors))
    return error;
  if (llvm::Error error = checkExpressionType(type, "result"))
    return error;
  auto from = cast<RankedTensorType>(base.getType());
  auto to = cast<RankedTensorType>(type);
  bool isRounded = from.getElementType().isF64();
  if (!canBeScaled(from.getElementType()) ||
      !canBeScaled(to.getElementType()) ||
      (from.getElementType() != to.getElementType() && !isRounded))
    return modelError("elements of base and result must be the same floats of "
                      "at least 16 bits, or those of the base f64");
  if (from.getNumElements() != to.getNumElements())
    return modelError("base has the shape " + formatShape(from.getShape()) +
                      ", which has not the elements of " +
                      formatShape(to.getShape()));
  return checkFactors(cast<RankedTensorType>(factors.getType()).getShape(),
                      from.getShape());
}

LogicalResult
ScaledAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   TypedAttr base, TypedAttr factors, Type type) {
  if (llvm::Error error = checkScaled(base, factors, type))
    return emitError() << llvm::toString(std::move(error));
  return success();
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

static std::optional<HostTensor> readFactors(ScaledAttr value) {
  auto tensor = getHostTensor(value.getFactors());
  if (tensor)
    return *tensor;
  llvm::consumeError(tensor.takeError());
  return std::nullopt;
}

/// a * b, as factors of one tensor.
static HostTensor multiply(const HostTensor &a, const HostTensor &b,
                           ArrayRef<int64_t> shape) {
  HostTensor result(ElementType::Double, shape);
  BroadcastLoop loop(shape, {a.getShape(), b.getShape()});
  auto out = result.getMutable<double>();
  auto left = a.getData<double>(), right = b.getData<double>();
  loop.forEachRow([&](int64_t at, ArrayRef<int64_t> from) {
    for (int64_t i = 0; i < loop.getRowLength(); ++i)
      out[at + i] = left[from[0] + i * loop.getStep(0)] *
                    right[from[1] + i * loop.getStep(1)];
  });
  return result;
}

/// Factors for the base of `inner` that stand for its own and `outer` together;
/// nothing where those belong to another shape, or would be many.
static std::optional<HostTensor> mergeFactors(ScaledAttr inner,
                                              const HostTensor &outer) {
  auto base = cast<RankedTensorType>(inner.getBase().getType());
  auto type = cast<RankedTensorType>(inner.getType());
  std::optional<HostTensor> own = readFactors(inner);
  if (base.getShape() != type.getShape() || !own)
    return std::nullopt;
  auto shape = broadcastShapes(own->getShape(), outer.getShape());
  if (!shape) {
    llvm::consumeError(shape.takeError());
    return std::nullopt;
  }
  if (product(*shape) > maxMergedFactors)
    return std::nullopt;
  return multiply(*own, outer, *shape);
}

/// The factors of a tensor of `shape` as factors of the same elements as `view`
/// shapes them, where that only cuts dimensions into several.
static std::optional<HostTensor> splitFactors(const HostTensor &factors,
                                              ArrayRef<int64_t> shape,
                                              ArrayRef<int64_t> view) {
  HostTensor::Shape split;
  size_t next = 0;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    bool isStretched = factors.getDim(dim) == 1;
    int64_t covered = 1;
    while (covered < extent && next < view.size()) {
      int64_t part = view[next++];
      covered *= part;
      split.push_back(isStretched ? 1 : part);
    }
    if (covered != extent)
      return std::nullopt;
  }
  for (; next < view.size(); ++next) {
    if (view[next] != 1)
      return std::nullopt;
    split.push_back(1);
  }
  return factors.reshaped(split);
}

/// Factors of a tensor of `shape` as factors of its storage order `layout`:
/// dimensions that are stretched are so in all their parts.
static HostTensor reorderFactors(const HostTensor &factors,
                                 const Layout &layout,
                                 ArrayRef<int64_t> shape) {
  Rearrangement map = getRearrangement(layout, shape);
  AtomSequence atoms = layout.getAtoms(shape.size());
  Strides own = getRowMajorStrides(factors.getShape());
  Strides whole = getRowMajorStrides(shape);
  for (auto [i, atom] : llvm::enumerate(atoms)) {
    if (factors.getDim(atom.dim) == 1) {
      map.shape[i] = 1;
      map.strides[i] = 0;
    } else {
      map.strides[i] = map.strides[i] / whole[atom.dim] * own[atom.dim];
    }
  }
  HostTensor result(ElementType::Double, map.shape);
  auto out = result.getMutable<double>();
  auto in = factors.getData<double>();
  for (int64_t i = 0, e = result.getNumElements(); i != e; ++i)
    if (std::optional<int64_t> place = map.locate(i))
      out[i] = in[*place];
  return result;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static bool isAllOnes(const HostTensor &factors) {
  return llvm::all_of(factors.getData<double>(),
                      [](double factor) { return factor == 1; });
}

/// base * factors : type, or null.
static TypedAttr buildScaled(TypedAttr base, const HostTensor &factors,
                             RankedTensorType type) {
  Type element = cast<RankedTensorType>(base.getType()).getElementType();
  bool isRounded = element != type.getElementType();
  if ((isAllOnes(factors) && !isRounded) || type.getNumElements() == 0)
    return getView(base, type);
  MLIRContext *context = base.getContext();
  TypedAttr scale = getConstantAttr(context, factors);
  if (llvm::Error error = checkScaled(base, scale, type)) {
    llvm::consumeError(std::move(error));
    return {};
  }
  return evaluateSmall(ScaledAttr::get(context, base, scale, type));
}

TypedAttr inlay::getScaledAttr(Attribute base, const HostTensor &factors) {
  auto typed = dyn_cast<TypedAttr>(base);
  auto type = typed ? dyn_cast<RankedTensorType>(typed.getType()) : nullptr;
  if (!type || !type.hasStaticShape())
    return {};
  if (llvm::Error error = checkFactors(factors.getShape(), type.getShape())) {
    llvm::consumeError(std::move(error));
    return {};
  }
  if (auto inner = dyn_cast<ScaledAttr>(base))
    if (std::optional<HostTensor> both = mergeFactors(inner, factors))
      return buildScaled(inner.getBase(), *both, type);
  return buildScaled(typed, factors, type);
}

TypedAttr inlay::getRoundedAttr(MLIRContext *context, const HostTensor &exact,
                                Type element) {
  TypedAttr base = getConstantAttr(context, exact);
  if (element.isF64() || exact.getNumElements() == 0)
    return getView(base, RankedTensorType::get(exact.getShape(), element));
  HostTensor rounded(*getOnnxElementType(element), exact.getShape());
  bool isExact = true;
  for (int64_t i = 0, e = exact.getNumElements(); i != e; ++i) {
    double number = exact.getDouble(i);
    rounded.setDouble(i, number);
    isExact &= std::isnan(number) || rounded.getDouble(i) == number;
  }
  if (isExact)
    return getConstantAttr(context, rounded);
  HostTensor ones(ElementType::Double, HostTensor::Shape(exact.getRank(), 1));
  ones.setDouble(0, 1);
  return buildScaled(base, ones,
                     RankedTensorType::get(exact.getShape(), element));
}

TypedAttr inlay::moveOrderInside(ScaledAttr value, const Layout &layout,
                                 ArrayRef<int64_t> shape) {
  auto base = cast<RankedTensorType>(value.getBase().getType());
  auto type = cast<RankedTensorType>(value.getType());
  std::optional<HostTensor> factors = readFactors(value);
  if (factors && base.getShape() != type.getShape())
    factors = splitFactors(*factors, base.getShape(), type.getShape());
  if (!factors || type.getNumElements() == 0)
    return {};
  TypedAttr moved = getStoredAttr(
      getView(value.getBase(),
              RankedTensorType::get(type.getShape(), base.getElementType())),
      layout);
  if (!moved)
    return {};
  return buildScaled(moved, reorderFactors(*factors, layout, type.getShape()),
                     RankedTensorType::get(shape, type.getElementType()));
}
