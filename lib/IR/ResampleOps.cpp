//===- ResampleOps.cpp - Resize and GridSample ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Inference.h"
#include "Parameters.h"
#include "StorageForms.h"
#include "StoredParameters.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/ResizeParameters.h"
#include "inlay/Tensor/Modes.h"
#include "mlir/IR/Builders.h"

using namespace inlay;
using namespace mlir;

#define GET_OP_CLASSES
#include "inlay/IR/ResampleOps.cpp.inc"

using Extents = SmallVector<int64_t>;

//===----------------------------------------------------------------------===//
// Parameters of a resize
//===----------------------------------------------------------------------===//

/// Whether a parameter is there. Old models pass an empty one for none.
template <typename T>
static bool isGiven(std::optional<ArrayRef<T>> attribute, Value operand) {
  if (attribute)
    return !attribute->empty();
  return operand && getLength(std::nullopt, operand) != 0;
}

static LogicalResult checkResizeOperands(ResizeOp op,
                                         TypeInference &inference) {
  if (failed(checkGivenOnce(inference, "roi", op.getRoi().has_value(),
                            op.getRoiOperand())) ||
      failed(checkGivenOnce(inference, "scales", op.getScales().has_value(),
                            op.getScalesOperand())) ||
      failed(checkGivenOnce(inference, "sizes", op.getSizes().has_value(),
                            op.getSizesOperand())))
    return failure();
  bool hasScales = isGiven(op.getScales(), op.getScalesOperand());
  bool hasSizes = isGiven(op.getSizes(), op.getSizesOperand());
  if (!hasScales && !hasSizes)
    return inference.error("needs 'scales' or 'sizes'");
  // An operand of unknown length may turn out to be empty.
  if (op.getScales() && op.getSizes() && hasScales && hasSizes)
    return inference.error("has both 'scales' and 'sizes'");
  return success();
}

/// The number of dimensions of the input, which `scales` or `sizes` tell where
/// it is not ranked.
static std::optional<int64_t> getResizeRank(ResizeOp op) {
  if (std::optional<int64_t> rank = getRank(op.getInput()))
    return rank;
  if (op.getAxes())
    return std::nullopt;
  if (op.getScales() && !op.getScales()->empty())
    return op.getScales()->size();
  if (op.getSizes() && !op.getSizes()->empty())
    return op.getSizes()->size();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// ResizeOp
//===----------------------------------------------------------------------===//

/// The shape for parameters of which scales or sizes are known, some sizes
/// perhaps not.
static FailureOr<Extents> inferResizeShape(ResizeOp op,
                                           TypeInference &inference,
                                           ResizeParams params,
                                           ArrayRef<int64_t> shape) {
  MaybeInts sizes;
  if (op.getScales() && !op.getScales()->empty()) {
    params.scales = *op.getScales();
  } else {
    sizes = getEntries(inference, op.getSizes(), op.getSizesOperand());
    params.sizes = *sizes;
  }
  // The region takes no part in the shape and need not be known.
  if (params.coordinates == CoordinateTransformation::TfCropAndResize)
    params.coordinates = CoordinateTransformation::HalfPixel;
  auto geometry = report(inference, inferResize(shape, params));
  if (failed(geometry))
    return failure();
  return Extents(ArrayRef(geometry->shape));
}

/// Whether `scales`, or the number of `sizes`, is known.
static bool knowsResize(ResizeOp op, TypeInference &inference) {
  if (op.getScales() && !op.getScales()->empty())
    return true;
  bool mayHaveScales = isGiven(op.getScales(), op.getScalesOperand());
  MaybeInts sizes = getEntries(inference, op.getSizes(), op.getSizesOperand());
  return !mayHaveScales && sizes && !sizes->empty();
}

LogicalResult ResizeOp::inferTypes(TypeInference &inference) {
  Type element = inlay::getElementType(getInput());
  auto params = report(inference, getResizeModes(*this));
  if (failed(params) || failed(checkResizeOperands(*this, inference)))
    return failure();
  std::optional<int64_t> rank = getResizeRank(*this);
  if (!rank) {
    inference.set(getResult(), element, std::nullopt);
    return success();
  }
  auto axes = inference.getAxes(getAxes().value_or(ArrayRef<int64_t>()), *rank);
  if (failed(axes))
    return failure();
  params->axes = *axes;
  Extents shape =
      getShape(getInput()).value_or(Extents(*rank, ShapedType::kDynamic));
  if (knowsResize(*this, inference)) {
    auto resized = inferResizeShape(*this, inference, *params, shape);
    if (failed(resized))
      return failure();
    shape = *resized;
  } else {
    for (int64_t i = 0; i < *rank; ++i)
      if (axes->empty() || llvm::is_contained(*axes, i))
        shape[i] = ShapedType::kDynamic;
  }
  inference.set(getResult(), element, shape);
  return success();
}

/// Whether the region of interest is all of the dimension of entry `i`.
static bool isWholeRegion(ResizeOp op, size_t i) {
  std::optional<ArrayRef<float>> roi = op.getRoi();
  size_t count = roi ? roi->size() / 2 : 0;
  return i < count && (*roi)[i] == 0.0f && (*roi)[count + i] == 1.0f;
}

/// The entries of `sizes` as far as they are known.
static MaybeInts getKnownSizes(ResizeOp op) {
  if (op.getSizes())
    return SmallVector<int64_t>(*op.getSizes());
  return op.getSizesOperand() ? getKnownInts(op.getSizesOperand())
                              : std::nullopt;
}

/// Whether entry `i` of the parameters leaves its dimension, of the given
/// extent, as it is.
static bool keepsExtent(ResizeOp op, size_t i, int64_t extent) {
  StringRef coordinates = op.getCoordinateTransformationMode();
  // These two may shift coordinates even at scale 1.
  if (coordinates == "tf_half_pixel_for_nn" ||
      (coordinates == "tf_crop_and_resize" && !isWholeRegion(op, i)))
    return false;
  if (op.getScales() && i < op.getScales()->size())
    return (*op.getScales())[i] == 1.0f;
  MaybeInts sizes = getKnownSizes(op);
  return sizes && i < sizes->size() && !isUnknown(extent) &&
         (*sizes)[i] == extent && op.getKeepAspectRatioPolicy() == "stretch";
}

/// The dimensions that are resampled, or nothing when they are not known.
static std::optional<Extents> getResampledDims(ResizeOp op) {
  std::optional<Extents> axes = getEntryDims(op);
  if (!axes)
    return std::nullopt;
  MaybeShape shape = getShape(op.getInput());
  Extents resampled;
  for (auto [i, axis] : llvm::enumerate(*axes))
    if (!keepsExtent(op, i, (*shape)[axis]))
      resampled.push_back(axis);
  return resampled;
}

AxisMap ResizeOp::getAxisMap() {
  std::optional<Extents> resampled = getResampledDims(*this);
  return resampled ? getWindowAxisMap(*this, *resampled) : AxisMap::opaque();
}

/// Whether kernels resample the dimensions at these positions. Nearest works
/// along any; interpolation along the last two, or those before the last.
static bool canResample(ResizeOp op, ArrayRef<int64_t> positions,
                        int64_t rank) {
  if (op.getAntialias() != 0)
    return false;
  if (op.getMode() == "nearest")
    return true;
  auto areWithin = [&](int64_t first, int64_t last) {
    return llvm::all_of(positions, [&](int64_t position) {
      return first <= position && position <= last;
    });
  };
  return op.getMode() == "linear" && rank == 4 &&
         (areWithin(2, 3) || areWithin(1, 2));
}

/// The first opset whose Resize has `axes`.
static constexpr int64_t resizeAxesOpset = 18;

/// Whether some parameter is computed.
static bool isComputed(ResizeOp op) {
  return op.getRoiOperand() || op.getScalesOperand() || op.getSizesOperand();
}

/// Whether `axes` says what the parameters belong to, rather than that they are
/// brought into another order.
static bool setsAxes(ResizeOp op) {
  return op.getAxes() ||
         (isComputed(op) && getOpset(op).value_or(0) >= resizeAxesOpset);
}

/// Whether the region of interest counts.
static bool readsRegion(ResizeOp op) {
  return op.getCoordinateTransformationMode() == "tf_crop_and_resize";
}

/// Whether each computed parameter is known to have an entry per dimension, or
/// none at all.
static bool canGatherParameters(ResizeOp op, int64_t rank) {
  auto isRuns = [](Value operand, int64_t length) {
    std::optional<int64_t> known = getLength(std::nullopt, operand);
    return !operand || known == length || known == 0;
  };
  return isRuns(op.getScalesOperand(), rank) &&
         isRuns(op.getSizesOperand(), rank) &&
         (!readsRegion(op) || isRuns(op.getRoiOperand(), 2 * rank));
}

bool ResizeOp::admitsForm(const StoredForm &form) {
  std::optional<AtomSequence> order = getWholeOrder(*this, form);
  std::optional<Extents> resampled = getResampledDims(*this);
  if (!order || !resampled)
    return false;
  int64_t rank = order->size();
  if (!setsAxes(*this) && !canGatherParameters(*this, rank))
    return false;
  Extents positions;
  for (int64_t dim : *resampled)
    positions.push_back(getPosition(*order, dim, rank));
  return canResample(*this, positions, rank);
}

/// One entry per dimension (several runs of them), in the order of the atoms.
template <typename T>
static SmallVector<T> permuteRuns(ArrayRef<Atom> order, ArrayRef<T> entries) {
  SmallVector<T> permuted;
  for (size_t run = 0; run + order.size() <= entries.size();
       run += order.size())
    for (const Atom &atom : order)
      permuted.push_back(entries[run + atom.dim]);
  return permuted;
}

/// The parameters that are attributes, in the order of the atoms.
static SmallVector<NamedAttribute>
permuteParameters(ResizeOp op, StoredOpBuilder &stored, ArrayRef<Atom> order) {
  OpBuilder &builder = stored.getBuilder();
  SmallVector<NamedAttribute> changed;
  if (op.getSizes())
    changed.push_back(stored.getAttr(
        "sizes", stored.getInts(permuteRuns(order, *op.getSizes()))));
  if (op.getScales())
    changed.push_back(stored.getAttr(
        "scales",
        builder.getDenseF32ArrayAttr(permuteRuns(order, *op.getScales()))));
  if (op.getRoi())
    changed.push_back(stored.getAttr(
        "roi", builder.getDenseF32ArrayAttr(permuteRuns(order, *op.getRoi()))));
  return changed;
}

/// The same for those that are computed. Operands 1 to 3 are the region, scales
/// and sizes.
static void gatherParameters(ResizeOp op, StoredOpBuilder &stored,
                             ArrayRef<Atom> order,
                             MutableArrayRef<Value> operands) {
  for (unsigned number : {1, 2, 3}) {
    auto [index, length] = op.getODSOperandIndexAndLength(number);
    bool isRegion = number == 1;
    if (length == 0 || (isRegion && !readsRegion(op)) ||
        getLength(std::nullopt, operands[index]) == 0)
      continue;
    operands[index] =
        gatherEntries(stored, operands[index], order, isRegion ? 2 : 1);
  }
}

LogicalResult ResizeOp::buildStored(StoredOpBuilder &stored) {
  AtomSequence order = *getWholeOrder(*this, stored.getForm());
  auto operands = viewOperands(stored, order);
  if (!operands)
    return failure();
  SmallVector<NamedAttribute> changed;
  if (setsAxes(*this)) {
    Extents positions;
    auto dims = getEntryDims(*this);
    for (int64_t dim : *dims)
      positions.push_back(getPosition(order, dim, order.size()));
    changed.push_back(stored.getAttr("axes", stored.getInts(positions)));
  } else {
    changed = permuteParameters(*this, stored, order);
    gatherParameters(*this, stored, order, *operands);
  }
  setResultsIn(stored, stored.create(*operands, changed), order);
  return success();
}

FusionClass ResizeOp::getFusionClass() { return FusionClass::Opaque; }

OpFoldResult ResizeOp::fold(FoldAdaptor) {
  if (getInput().getType() != getResult().getType())
    return {};
  std::optional<Extents> resampled = getResampledDims(*this);
  return resampled && resampled->empty() ? getInput() : Value();
}

//===----------------------------------------------------------------------===//
// GridSampleOp
//===----------------------------------------------------------------------===//

static LogicalResult checkGridSampleModes(GridSampleOp op,
                                          TypeInference &inference) {
  if (!parseGridSampleMode(op.getMode()))
    return inference.error("'mode' must be linear, nearest or cubic, found " +
                           op.getMode());
  if (!parseGridSamplePadding(op.getPaddingMode()))
    return inference.error(
        "'padding_mode' must be zeros, border or reflection, found " +
        op.getPaddingMode());
  return success();
}

LogicalResult GridSampleOp::inferTypes(TypeInference &inference) {
  if (failed(checkGridSampleModes(*this, inference)))
    return failure();
  Type element = inlay::getElementType(getX());
  MaybeShape x = getShape(getX()), grid = getShape(getGrid());
  if (!x && !grid) {
    inference.set(getResult(), element, std::nullopt);
    return success();
  }
  size_t rank = x ? x->size() : grid->size();
  if (rank < 4 || (grid && grid->size() != rank))
    return inference.error("input has rank " + Twine(rank) +
                           ", grid has rank " +
                           Twine(grid ? grid->size() : rank) +
                           ", expected the same and at least 4");
  Extents unknown(rank, ShapedType::kDynamic);
  Extents from = x.value_or(unknown), places = grid.value_or(unknown);
  if (!areCompatibleExtents(from[0], places[0]))
    return inference.error("input has a batch of " + Twine(from[0]) +
                           ", grid of " + Twine(places[0]));
  if (!areCompatibleExtents(places.back(), rank - 2))
    return inference.error("grid gives " + Twine(places.back()) +
                           " coordinates for " + Twine(rank - 2) +
                           " spatial dimensions");
  Extents shape{meetExtents(from[0], places[0]), from[1]};
  shape.append(places.begin() + 1, places.end() - 1);
  inference.set(getResult(), element, shape);
  return success();
}

AxisMap GridSampleOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getX());
  if (!rank || getRank(getGrid()) != rank || *rank < 4)
    return AxisMap::opaque();
  AxisMapBuilder map(*this);
  TensorAxes x = map.axesOf(getX()), grid = map.axesOf(getGrid());
  for (const DimAxes &spatial : ArrayRef(x).drop_front(2))
    map.setKind(spatial.front(), AxisKind::Indexed);
  map.setKind(grid.back().front(), AxisKind::Indexed);
  grid.front() = x.front();
  TensorAxes result{x[0], x[1]};
  result.append(grid.begin() + 1, grid.end() - 1);
  map.bind(getX(), x);
  map.bind(getGrid(), grid);
  map.bind(getResult(), result);
  return map.build();
}

FusionClass GridSampleOp::getFusionClass() { return FusionClass::Opaque; }
