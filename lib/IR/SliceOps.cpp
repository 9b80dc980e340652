//===- SliceOps.cpp - Cutting and padding ---------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Inference.h"
#include "Parameters.h"
#include "inlay/IR/AxisParameters.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Tensor/Modes.h"
#include "inlay/Tensor/Slices.h"

using namespace inlay;
using namespace mlir;

using Extents = SmallVector<int64_t>;

//===----------------------------------------------------------------------===//
// What they share
//===----------------------------------------------------------------------===//

/// The input with every dimension unknown: some change, nobody knows which.
static void setUnknownExtents(TypeInference &inference, Value result,
                              Value input, int64_t rank) {
  inference.set(result, getElementType(input),
                Extents(rank, ShapedType::kDynamic));
}

//===----------------------------------------------------------------------===//
// SplitOp
//===----------------------------------------------------------------------===//

/// The sizes of the parts of a dimension, as far as they are known.
static FailureOr<Extents> inferSplitSizes(SplitOp op, TypeInference &inference,
                                          int64_t extent) {
  size_t parts = op.getOutputs().size();
  if (MaybeInts sizes =
          getEntries(inference, op.getSplit(), op.getSplitOperand())) {
    if (sizes->size() != parts)
      return inference.error("'split' has " + Twine(sizes->size()) +
                             " entries for " + Twine(parts) + " results");
    if (failed(checkNotNegative(inference, "split", *sizes)))
      return failure();
    int64_t sum = 0;
    for (int64_t size : *sizes)
      sum = addExtents(sum, size);
    if (!areCompatibleExtents(sum, extent))
      return inference.error("'split' adds up to " + Twine(sum) +
                             ", the dimension has " + Twine(extent));
    return *sizes;
  }
  if (op.getSplitOperand() || isUnknown(extent))
    return Extents(parts, ShapedType::kDynamic);
  if (!op.getNumOutputs() && extent % int64_t(parts) != 0)
    return inference.error("cannot split an extent of " + Twine(extent) +
                           " into " + Twine(parts) + " equal parts");
  return report(inference, getSplitSizes(extent, parts));
}

LogicalResult SplitOp::inferTypes(TypeInference &inference) {
  int64_t parts = getOutputs().size();
  if (parts == 0)
    return inference.error("needs at least one result");
  if (failed(checkGivenOnce(inference, "split", getSplit().has_value(),
                            getSplitOperand())))
    return failure();
  int64_t wanted = getNumOutputs().value_or(parts);
  if (wanted != parts)
    return inference.error("'num_outputs' is " + Twine(wanted) +
                           ", there are " + Twine(parts) + " results");
  Type element = inlay::getElementType(getInput());
  MaybeShape shape = getShape(getInput());
  if (!shape) {
    for (Value output : getOutputs())
      inference.set(output, element, std::nullopt);
    return success();
  }
  auto axis = inference.getAxis(getAxis(), shape->size());
  if (failed(axis))
    return failure();
  auto sizes = inferSplitSizes(*this, inference, (*shape)[*axis]);
  if (failed(sizes))
    return failure();
  for (auto [output, size] : llvm::zip_equal(getOutputs(), *sizes)) {
    (*shape)[*axis] = size;
    inference.set(output, element, shape);
  }
  return success();
}

AxisMap SplitOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getInput());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(getAxis(), *rank) : std::nullopt;
  if (!axis)
    return AxisMap::opaque();
  AxisMapBuilder map(*this);
  TensorAxes dims = map.axesOf(getInput());
  map.setKind(dims[*axis].front(), AxisKind::Concatenated);
  map.bind(getInput(), dims);
  for (Value output : getOutputs())
    map.bind(output, dims);
  return map.build();
}

FusionClass SplitOp::getFusionClass() { return FusionClass::Transform; }

LogicalResult SplitOp::fold(FoldAdaptor,
                            SmallVectorImpl<OpFoldResult> &results) {
  if (getOutputs().size() != 1 ||
      getOutputs().front().getType() != getInput().getType())
    return failure();
  results.push_back(getInput());
  return success();
}

//===----------------------------------------------------------------------===//
// SliceOp
//===----------------------------------------------------------------------===//

/// `starts` or `ends`. The lowest integer, which models use for "from the very
/// begin", must not read as an unknown one.
static MaybeInts getBounds(TypeInference &inference,
                           std::optional<ArrayRef<int64_t>> attribute,
                           Value operand) {
  MaybeInts bounds = getEntries(inference, attribute, operand);
  if (attribute)
    for (int64_t &bound : *bounds)
      bound = std::max(bound, ShapedType::kDynamic + 1);
  return bounds;
}

namespace {
/// The parameters of a slice, as far as they are known.
struct SliceParameters {
  MaybeInts starts, ends, axes, steps;

  /// The number of dimensions that are cut; nothing when it is not known.
  std::optional<int64_t> getCount() const {
    for (const MaybeInts *each : {&starts, &ends, &axes, &steps})
      if (*each)
        return (*each)->size();
    return std::nullopt;
  }

  /// Whether the dimensions that are cut are known.
  bool knowsAxes(SliceOp op) const {
    return getCount() && (!op.getAxesOperand() || (axes && areAllKnown(*axes)));
  }
};
} // namespace

static FailureOr<SliceParameters> getSliceParameters(SliceOp op,
                                                     TypeInference &inference) {
  if (failed(checkRequired(inference, "starts", op.getStarts().has_value(),
                           op.getStartsOperand())) ||
      failed(checkRequired(inference, "ends", op.getEnds().has_value(),
                           op.getEndsOperand())) ||
      failed(checkGivenOnce(inference, "axes", op.getAxes().has_value(),
                            op.getAxesOperand())) ||
      failed(checkGivenOnce(inference, "steps", op.getSteps().has_value(),
                            op.getStepsOperand())))
    return failure();
  SliceParameters parameters{
      getBounds(inference, op.getStarts(), op.getStartsOperand()),
      getBounds(inference, op.getEnds(), op.getEndsOperand()),
      getEntries(inference, op.getAxes(), op.getAxesOperand()),
      getEntries(inference, op.getSteps(), op.getStepsOperand())};
  std::optional<int64_t> count = parameters.getCount();
  for (const MaybeInts *each : {&parameters.starts, &parameters.ends,
                                &parameters.axes, &parameters.steps})
    if (*each && int64_t((*each)->size()) != *count)
      return inference.error("'starts', 'ends', 'axes' and 'steps' must have "
                             "equally many entries, found " +
                             Twine(*count) + " and " + Twine((*each)->size()));
  return parameters;
}

/// What is left of one dimension.
static FailureOr<int64_t> inferSliceExtent(TypeInference &inference,
                                           int64_t extent, int64_t start,
                                           int64_t end, int64_t step) {
  if (step == 0)
    return inference.error("'steps' must not be 0");
  if (!areAllKnown({extent, start, end, step}))
    return ShapedType::kDynamic;
  return clampSlice(extent, start, end, step).count;
}

LogicalResult SliceOp::inferTypes(TypeInference &inference) {
  auto parameters = getSliceParameters(*this, inference);
  if (failed(parameters))
    return failure();
  MaybeShape shape = getShape(getInput());
  if (!shape) {
    inference.set(getResult(), inlay::getElementType(getInput()), std::nullopt);
    return success();
  }
  std::optional<int64_t> count = parameters->getCount();
  const MaybeInts &given = parameters->axes;
  if (!parameters->knowsAxes(*this)) {
    setUnknownExtents(inference, getResult(), getInput(), shape->size());
    return success();
  }
  auto axes = inference.getAxes(getAxesOrFirst(given, *count), shape->size());
  if (failed(axes))
    return failure();
  auto get = [](const MaybeInts &entries, size_t i) {
    return entries ? (*entries)[i] : ShapedType::kDynamic;
  };
  for (auto [i, axis] : llvm::enumerate(*axes)) {
    bool isDense = !getSteps() && !getStepsOperand();
    auto extent = inferSliceExtent(
        inference, (*shape)[axis], get(parameters->starts, i),
        get(parameters->ends, i), isDense ? 1 : get(parameters->steps, i));
    if (failed(extent))
      return failure();
    (*shape)[axis] = *extent;
  }
  inference.set(getResult(), inlay::getElementType(getInput()), shape);
  return success();
}

/// The map where any dimension may be cut.
static AxisMap getCutAxisMap(SliceOp op) {
  AxisMapBuilder map(op);
  TensorAxes dims = map.axesOf(op.getInput(), AxisKind::Indexed);
  map.bind(op.getInput(), dims);
  map.bind(op.getResult(), dims);
  return map.build();
}

AxisMap SliceOp::getAxisMap() {
  MaybeShape from = getShape(getInput()), to = getShape(getResult());
  TypeInference inference(*this, /*reportErrors=*/false);
  auto parameters = getSliceParameters(*this, inference);
  if (!from || !to || from->size() != to->size() || failed(parameters))
    return AxisMap::opaque();
  if (!parameters->knowsAxes(*this))
    return getCutAxisMap(*this);
  auto axes = inference.getAxes(
      getAxesOrFirst(parameters->axes, *parameters->getCount()), from->size());
  if (failed(axes))
    return AxisMap::opaque();
  AxisMapBuilder map(*this);
  TensorAxes dims = map.axesOf(getInput());
  for (auto [i, axis] : llvm::enumerate(*axes)) {
    bool isForward = getSteps() ? (*getSteps())[i] > 0 : !getStepsOperand();
    bool isWhole =
        isForward && !isUnknown((*from)[axis]) && (*from)[axis] == (*to)[axis];
    if (!isWhole)
      map.setKind(dims[axis].front(), AxisKind::Indexed);
  }
  map.bind(getInput(), dims);
  map.bind(getResult(), dims);
  return map.build();
}

FusionClass SliceOp::getFusionClass() { return FusionClass::Transform; }

/// Whether it begins at the first element and ends behind any last one.
static bool takesAll(SliceOp op) {
  auto isEach = [](std::optional<ArrayRef<int64_t>> list, int64_t value) {
    return list &&
           llvm::all_of(*list, [&](int64_t entry) { return entry == value; });
  };
  return isEach(op.getStarts(), 0) &&
         isEach(op.getEnds(), std::numeric_limits<int64_t>::max()) &&
         (!op.getSteps() || isEach(op.getSteps(), 1));
}

OpFoldResult SliceOp::fold(FoldAdaptor) {
  auto type = dyn_cast<RankedTensorType>(getResult().getType());
  if (!type || type != getInput().getType() || getStepsOperand())
    return {};
  if (takesAll(*this))
    return getInput();
  // As many elements, none backwards: all of them, in order.
  bool isForward = !getSteps() || llvm::all_of(*getSteps(), [](int64_t step) {
    return step > 0;
  });
  return isForward && type.hasStaticShape() ? getInput() : Value();
}

//===----------------------------------------------------------------------===//
// PadOp
//===----------------------------------------------------------------------===//

static LogicalResult checkPadOperands(PadOp op, TypeInference &inference) {
  if (!parsePadMode(op.getMode()))
    return inference.error(
        "'mode' must be constant, reflect, edge or wrap, found " +
        op.getMode());
  if (failed(checkRequired(inference, "pads", op.getPads().has_value(),
                           op.getPadsOperand())) ||
      failed(checkGivenOnce(inference, "axes", op.getAxes().has_value(),
                            op.getAxesOperand())))
    return failure();
  Value value = op.getConstantValue();
  if (!value)
    return success();
  if (failed(inference.getSameElementType({op.getInput(), value})))
    return failure();
  return checkOneElement(inference, "constant_value", value);
}

/// Adds the pads of `axes`, begins first, to the extents of `shape`.
static LogicalResult addPads(TypeInference &inference, Extents &shape,
                             ArrayRef<int64_t> axes, ArrayRef<int64_t> pads) {
  if (pads.size() != 2 * axes.size())
    return inference.error("'pads' has " + Twine(pads.size()) +
                           " entries for " + Twine(axes.size()) +
                           " dimensions");
  for (auto [i, axis] : llvm::enumerate(axes)) {
    int64_t &extent = shape[axis];
    extent = addExtents(addExtents(extent, pads[i]), pads[axes.size() + i]);
    if (extent < 0 && !isUnknown(extent))
      return inference.error("pads leave an extent of " + Twine(extent) +
                             " in dimension " + Twine(axis));
  }
  return success();
}

LogicalResult PadOp::inferTypes(TypeInference &inference) {
  if (failed(checkPadOperands(*this, inference)))
    return failure();
  MaybeShape shape = getShape(getInput());
  if (!shape) {
    inference.set(getResult(), inlay::getElementType(getInput()), std::nullopt);
    return success();
  }
  MaybeInts given = getEntries(inference, getAxes(), getAxesOperand());
  MaybeInts pads = getEntries(inference, getPads(), getPadsOperand());
  if (!pads || (getAxesOperand() && (!given || !areAllKnown(*given)))) {
    setUnknownExtents(inference, getResult(), getInput(), shape->size());
    return success();
  }
  auto axes =
      inference.getAxes(getAxesOrFirst(given, shape->size()), shape->size());
  if (failed(axes) || failed(addPads(inference, *shape, *axes, *pads)))
    return failure();
  inference.set(getResult(), inlay::getElementType(getInput()), shape);
  return success();
}

AxisMap PadOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getInput());
  if (!rank)
    return AxisMap::opaque();
  // Any may be padded where it is not known which.
  if (getAxesOperand())
    return getWindowAxisMap(*this,
                            llvm::to_vector(llvm::seq<int64_t>(0, *rank)));
  TypeInference inference(*this, /*reportErrors=*/false);
  auto axes = inference.getAxes(
      getAxesOrFirst(inference.getInts(getAxes(), {}), *rank), *rank);
  if (failed(axes))
    return AxisMap::opaque();
  std::optional<ArrayRef<int64_t>> pads = getPads();
  SmallVector<int64_t> padded;
  for (auto [i, axis] : llvm::enumerate(*axes))
    if (!pads || pads->size() != 2 * axes->size() || (*pads)[i] != 0 ||
        (*pads)[axes->size() + i] != 0)
      padded.push_back(axis);
  return getWindowAxisMap(*this, padded);
}

FusionClass PadOp::getFusionClass() { return FusionClass::Transform; }

OpFoldResult PadOp::fold(FoldAdaptor) {
  bool isIdentity = getPads() && llvm::all_of(*getPads(), [](int64_t pad) {
                      return pad == 0;
                    });
  return isIdentity && getInput().getType() == getResult().getType()
             ? getInput()
             : Value();
}

//===----------------------------------------------------------------------===//
// TriluOp
//===----------------------------------------------------------------------===//

LogicalResult TriluOp::inferTypes(TypeInference &inference) {
  if (failed(checkGivenOnce(inference, "k", getK().has_value(), getKOperand())))
    return failure();
  if (getKOperand() && failed(checkOneElement(inference, "k", getKOperand())))
    return failure();
  if (failed(checkMinRank(inference, "input", getInput(), 2)))
    return failure();
  return inferSameType(*this, inference);
}

AxisMap TriluOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getInput());
  if (!rank || *rank < 2)
    return AxisMap::opaque();
  AxisMapBuilder map(*this);
  TensorAxes dims = map.axesOf(getInput());
  // An element stays or goes by its position.
  for (const DimAxes &dim : ArrayRef(dims).take_back(2))
    map.setKind(dim.front(), AxisKind::Indexed);
  map.bind(getInput(), dims);
  map.bind(getResult(), dims);
  return map.build();
}

FusionClass TriluOp::getFusionClass() { return FusionClass::Transform; }
