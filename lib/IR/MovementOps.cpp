//===- MovementOps.cpp - Permuting, repeating, joining --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reshapes are in ReshapeOps.cpp, SqueezeOps.cpp and BlockOps.cpp, what cuts
// and pads is in SliceOps.cpp, what makes tensors in CreationOps.cpp.
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Inference.h"
#include "Parameters.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/Builders.h"

using namespace inlay;
using namespace mlir;

#define GET_OP_CLASSES
#include "inlay/IR/MovementOps.cpp.inc"

using Extents = SmallVector<int64_t>;

//===----------------------------------------------------------------------===//
// TransposeOp
//===----------------------------------------------------------------------===//

SmallVector<int64_t> TransposeOp::getPermutation() {
  if (std::optional<ArrayRef<int64_t>> perm = getPerm())
    return SmallVector<int64_t>(*perm);
  auto reversed = llvm::to_vector(llvm::seq<int64_t>(0, *getRank(getInput())));
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

LogicalResult TransposeOp::inferTypes(TypeInference &inference) {
  Type element = inlay::getElementType(getInput());
  MaybeShape input = getShape(getInput());
  if (!input && getPerm())
    input.emplace(getPerm()->size(), ShapedType::kDynamic);
  if (!input) {
    inference.set(getResult(), element, std::nullopt);
    return success();
  }
  SmallVector<int64_t> perm =
      getPerm() ? SmallVector<int64_t>(*getPerm()) : getPermutation();
  if (perm.size() != input->size())
    return inference.error("'perm' has " + Twine(perm.size()) +
                           " entries, input has rank " + Twine(input->size()));
  // getAxes counts negative entries from the end, which ONNX does not.
  if (failed(checkNotNegative(inference, "perm", perm)) ||
      failed(inference.getAxes(perm, input->size())))
    return failure();
  Extents shape;
  for (int64_t dim : perm)
    shape.push_back((*input)[dim]);
  inference.set(getResult(), element, shape);
  return success();
}

AxisMap TransposeOp::getAxisMap() {
  if (!getRank(getInput()))
    return AxisMap::opaque();
  AxisMapBuilder map(*this);
  TensorAxes from = map.axesOf(getInput()), to;
  for (int64_t dim : getPermutation())
    to.push_back(from[dim]);
  map.bind(getInput(), from);
  map.bind(getResult(), to);
  return map.build();
}

FusionClass TransposeOp::getFusionClass() { return FusionClass::Transform; }

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  if (!getRank(getInput()) || getInput().getType() != getResult().getType())
    return {};
  SmallVector<int64_t> perm = getPermutation();
  bool isIdentity = llvm::equal(perm, llvm::seq<int64_t>(0, perm.size()));
  return isIdentity ? getInput() : Value();
}

//===----------------------------------------------------------------------===//
// ExpandOp
//===----------------------------------------------------------------------===//

LogicalResult ExpandOp::inferTypes(TypeInference &inference) {
  if (failed(checkRequired(inference, "shape", getShape().has_value(),
                           getShapeOperand())))
    return failure();
  MaybeInts entries = getEntries(inference, getShape(), getShapeOperand());
  if (entries && failed(checkNotNegative(inference, "shape", *entries)))
    return failure();
  auto shape = inference.broadcast({inlay::getShape(getInput()), entries});
  if (failed(shape))
    return failure();
  inference.set(getResult(), inlay::getElementType(getInput()), *shape);
  return success();
}

/// Whether an extent of the input, against one of the result, is repeated;
/// nothing when that is not known. `entry` is that of `shape`, if there is one.
static std::optional<bool> isRepeated(int64_t extent, int64_t result,
                                      std::optional<int64_t> entry) {
  if (extent == 1)
    return result != 1;
  if (!isUnknown(extent) || entry == 1)
    return false;
  return std::nullopt;
}

AxisMap ExpandOp::getAxisMap() {
  MaybeShape from = inlay::getShape(getInput()),
             to = inlay::getShape(getResult());
  if (!from || !to || from->size() > to->size())
    return AxisMap::opaque();
  ArrayRef<int64_t> entries = getShape().value_or(ArrayRef<int64_t>());
  size_t shift = to->size() - from->size();
  AxisMapBuilder map(*this);
  TensorAxes fromDims, toDims;
  for (auto [i, extent] : llvm::enumerate(*to)) {
    size_t fromEnd = to->size() - i;
    std::optional<int64_t> entry;
    if (getShape())
      entry = fromEnd > entries.size() ? 1 : entries[entries.size() - fromEnd];
    std::optional<bool> repeated =
        i < shift ? true : isRepeated((*from)[i - shift], extent, entry);
    if (!repeated)
      return AxisMap::opaque();
    toDims.push_back(
        {map.axis(*repeated ? AxisKind::Created : AxisKind::Parallel, extent)});
    if (i >= shift)
      fromDims.push_back(*repeated ? DimAxes{} : toDims.back());
  }
  map.bind(getInput(), fromDims);
  map.bind(getResult(), toDims);
  return map.build();
}

FusionClass ExpandOp::getFusionClass() { return FusionClass::Broadcast; }

OpFoldResult ExpandOp::fold(FoldAdaptor) {
  auto type = dyn_cast<RankedTensorType>(getResult().getType());
  if (!type || type != getInput().getType())
    return {};
  bool keepsAll = getShape() && llvm::all_of(*getShape(), [](int64_t entry) {
                    return entry == 1;
                  });
  return type.hasStaticShape() || keepsAll ? getInput() : Value();
}

//===----------------------------------------------------------------------===//
// TileOp
//===----------------------------------------------------------------------===//

LogicalResult TileOp::inferTypes(TypeInference &inference) {
  if (failed(checkRequired(inference, "repeats", getRepeats().has_value(),
                           getRepeatsOperand())))
    return failure();
  Type element = inlay::getElementType(getInput());
  MaybeShape input = getShape(getInput());
  MaybeInts repeats = getEntries(inference, getRepeats(), getRepeatsOperand());
  if (!input && repeats)
    input.emplace(repeats->size(), ShapedType::kDynamic);
  if (input && !repeats)
    repeats.emplace(input->size(), ShapedType::kDynamic);
  if (!input) {
    inference.set(getResult(), element, std::nullopt);
    return success();
  }
  if (repeats->size() != input->size())
    return inference.error("'repeats' has " + Twine(repeats->size()) +
                           " entries, input has rank " + Twine(input->size()));
  if (failed(checkNotNegative(inference, "repeats", *repeats)))
    return failure();
  for (auto [extent, count] : llvm::zip_equal(*input, *repeats))
    extent = mulExtents(extent, count);
  inference.set(getResult(), element, input);
  return success();
}

AxisMap TileOp::getAxisMap() {
  std::optional<ArrayRef<int64_t>> repeats = getRepeats();
  MaybeShape shape = getShape(getInput());
  if (!shape)
    return AxisMap::opaque();
  // Computed ones repeat every dimension, for all we know.
  SmallVector<int64_t> counts(shape->size(), dynamicExtent);
  if (repeats)
    counts.assign(repeats->begin(), repeats->end());
  MaybeShape given = repeats ? MaybeShape() : getShape(getRepeatsOperand());
  bool isOnePerDim = repeats ? counts.size() == shape->size()
                             : given && given->size() == 1 &&
                                   (*given)[0] == int64_t(shape->size());
  if (!isOnePerDim)
    return AxisMap::opaque();
  AxisMapBuilder map(*this);
  TensorAxes from, to;
  for (auto [extent, count] : llvm::zip_equal(*shape, counts)) {
    // The copies are the major factor of the result's dimension.
    from.emplace_back();
    to.emplace_back();
    if (count != 1)
      to.back().push_back(map.axis(AxisKind::Created, count));
    if (extent == 1 && count != 1)
      continue;
    from.back().push_back(map.axis(AxisKind::Parallel, extent));
    to.back().push_back(from.back().front());
  }
  map.bind(getInput(), from);
  map.bind(getResult(), to);
  return map.build();
}

FusionClass TileOp::getFusionClass() { return FusionClass::Broadcast; }

OpFoldResult TileOp::fold(FoldAdaptor) {
  auto type = dyn_cast<RankedTensorType>(getResult().getType());
  if (!type || type != getInput().getType())
    return {};
  bool keepsAll =
      getRepeats() &&
      llvm::all_of(*getRepeats(), [](int64_t count) { return count == 1; });
  return type.hasStaticShape() || keepsAll ? getInput() : Value();
}

//===----------------------------------------------------------------------===//
// ConcatOp
//===----------------------------------------------------------------------===//

/// Adds the extents of one more input to those of the result.
static LogicalResult joinInput(TypeInference &inference, Extents &result,
                               ArrayRef<int64_t> input, int64_t axis) {
  if (input.size() != result.size())
    return inference.error("inputs have ranks " + Twine(result.size()) +
                           " and " + Twine(input.size()));
  for (auto [i, extent] : llvm::enumerate(input)) {
    if (int64_t(i) == axis) {
      result[i] = addExtents(result[i], extent);
      continue;
    }
    if (!areCompatibleExtents(result[i], extent))
      return inference.error("inputs have extents " + Twine(result[i]) +
                             " and " + Twine(extent) + " in dimension " +
                             Twine(i));
    result[i] = meetExtents(result[i], extent);
  }
  return success();
}

LogicalResult ConcatOp::inferTypes(TypeInference &inference) {
  if (getInputs().empty())
    return inference.error("needs at least one input");
  auto element = inference.getSameElementType(getInputs());
  if (failed(element))
    return failure();
  SmallVector<MaybeShape> shapes = llvm::map_to_vector(
      getInputs(), [](Value input) { return getShape(input); });
  auto ranked = llvm::find_if(
      shapes, [](const MaybeShape &shape) { return shape.has_value(); });
  if (ranked == shapes.end()) {
    inference.set(getResult(), *element, std::nullopt);
    return success();
  }
  int64_t rank = (*ranked)->size();
  auto axis = inference.getAxis(getAxis(), rank);
  if (failed(axis))
    return failure();
  Extents result(rank, ShapedType::kDynamic);
  result[*axis] = 0;
  for (const MaybeShape &shape : shapes)
    if (failed(joinInput(inference, result,
                         shape.value_or(Extents(rank, ShapedType::kDynamic)),
                         *axis)))
      return failure();
  inference.set(getResult(), *element, result);
  return success();
}

AxisMap ConcatOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getResult());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(getAxis(), *rank) : std::nullopt;
  if (!axis)
    return AxisMap::opaque();
  AxisMap map;
  TensorAxes dims;
  for (auto [dim, extent] : llvm::enumerate(*getShape(getResult())))
    dims.push_back({map.addAxis(int64_t(dim) == *axis ? AxisKind::Concatenated
                                                      : AxisKind::Parallel,
                                extent)});
  // By their place: there may be thousands.
  for (Value input : getInputs()) {
    if (getRank(input) != rank)
      return AxisMap::opaque();
    map.addOperand(dims);
  }
  map.addResult(dims);
  return map;
}

FusionClass ConcatOp::getFusionClass() { return FusionClass::Transform; }

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  bool isIdentity = getInputs().size() == 1 &&
                    getInputs().front().getType() == getResult().getType();
  return isIdentity ? getInputs().front() : Value();
}
