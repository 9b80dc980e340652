//===- FeatureNormalizationOps.cpp - Normalisations per channel -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Features are (N, C, spatial...).
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

/// The number of channels of (N, C, spatial...). A tensor of rank one has one.
static int64_t getNumChannels(Value features) {
  MaybeShape shape = getShape(features);
  if (!shape)
    return ShapedType::kDynamic;
  return shape->size() < 2 ? 1 : (*shape)[1];
}

static LogicalResult checkPerChannel(TypeInference &inference, StringRef name,
                                     Value value, Value features) {
  return checkShape(inference, name, value, {getNumChannels(features)});
}

//===----------------------------------------------------------------------===//
// BatchNormalization
//===----------------------------------------------------------------------===//

LogicalResult BatchNormalizationOp::inferTypes(TypeInference &inference) {
  if (failed(checkMinRank(inference, "input", getInput(), 1)) ||
      failed(checkPerChannel(inference, "scale", getScale(), getInput())) ||
      failed(checkPerChannel(inference, "bias", getBias(), getInput())) ||
      failed(checkPerChannel(inference, "mean", getMean(), getInput())) ||
      failed(checkPerChannel(inference, "variance", getVariance(), getInput())))
    return failure();
  SmallVector<int64_t> perChannel{getNumChannels(getInput())};
  inference.set(getRunningMean(), getElementType(getMean()), perChannel);
  inference.set(getRunningVar(), getElementType(getVariance()), perChannel);
  return inferSameType(*this, inference);
}

AxisMap BatchNormalizationOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getInput());
  if (!rank || *rank < 2)
    return AxisMap::opaque();
  AxisMapBuilder map(*this);
  bool isTraining = getTrainingMode() != 0;
  TensorAxes dims = map.axesOf(getInput(), isTraining ? AxisKind::Window
                                                      : AxisKind::Parallel);
  map.setKind(dims[1].front(), AxisKind::Parallel);
  map.bind(getInput(), dims);
  map.bind(getResult(), dims);
  for (Value perChannel :
       {Value(getScale()), Value(getBias()), Value(getMean()),
        Value(getVariance()), Value(getRunningMean()), Value(getRunningVar())})
    map.bind(perChannel, {dims[1]});
  return map.build();
}

FusionClass BatchNormalizationOp::getFusionClass() {
  return getTrainingMode() ? FusionClass::Opaque : FusionClass::Elementwise;
}

//===----------------------------------------------------------------------===//
// InstanceNormalization
//===----------------------------------------------------------------------===//

LogicalResult InstanceNormalizationOp::inferTypes(TypeInference &inference) {
  if (failed(checkMinRank(inference, "input", getInput(), 2)) ||
      failed(checkPerChannel(inference, "scale", getScale(), getInput())) ||
      failed(checkPerChannel(inference, "bias", getBias(), getInput())))
    return failure();
  return inferSameType(*this, inference);
}

AxisMap InstanceNormalizationOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getInput());
  if (!rank || *rank < 2)
    return AxisMap::opaque();
  AxisMapBuilder map(*this);
  TensorAxes dims = map.axesOf(getInput(), AxisKind::Window);
  map.setKind(dims[0].front(), AxisKind::Parallel);
  map.setKind(dims[1].front(), AxisKind::Parallel);
  map.bind(getInput(), dims);
  map.bind(getResult(), dims);
  map.bind(getScale(), {dims[1]});
  map.bind(getBias(), {dims[1]});
  return map.build();
}

FusionClass InstanceNormalizationOp::getFusionClass() {
  return FusionClass::Opaque;
}

//===----------------------------------------------------------------------===//
// GroupNormalization
//===----------------------------------------------------------------------===//

LogicalResult GroupNormalizationOp::inferTypes(TypeInference &inference) {
  if (failed(checkMinRank(inference, "input", getInput(), 2)))
    return failure();
  int64_t groups = getNumGroups(), channels = getNumChannels(getInput());
  if (groups < 1)
    return inference.error("'num_groups' must be at least 1 but is " +
                           Twine(groups));
  if (!ShapedType::isDynamic(channels) && channels % groups != 0)
    return inference.error(Twine(channels) + " channels do not divide into " +
                           Twine(groups) + " groups");
  int64_t parameters = getPerGroupScale() ? groups : channels;
  if (failed(checkShape(inference, "scale", getScale(), {parameters})) ||
      failed(checkShape(inference, "bias", getBias(), {parameters})))
    return failure();
  return inferSameType(*this, inference);
}

AxisMap GroupNormalizationOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getInput());
  int64_t groups = getNumGroups();
  if (!rank || *rank < 2 || groups < 1)
    return AxisMap::opaque();
  // The channels are groups of channels that interact within their group.
  AxisMapBuilder map(*this);
  int64_t channels = getNumChannels(getInput());
  int64_t members =
      ShapedType::isDynamic(channels) ? dynamicExtent : channels / groups;
  unsigned group = map.axis(AxisKind::Parallel, groups);
  unsigned member = map.axis(AxisKind::Window, members);
  TensorAxes dims;
  for (auto [i, extent] : llvm::enumerate(*getShape(getInput())))
    if (i == 1)
      dims.push_back({group, member});
    else
      dims.push_back(
          {map.axis(i == 0 ? AxisKind::Parallel : AxisKind::Window, extent)});
  TensorAxes parameter{getPerGroupScale() ? DimAxes{group} : dims[1]};
  map.bind(getInput(), dims);
  map.bind(getResult(), dims);
  map.bind(getScale(), parameter);
  map.bind(getBias(), parameter);
  return map.build();
}

FusionClass GroupNormalizationOp::getFusionClass() {
  return FusionClass::Opaque;
}

//===----------------------------------------------------------------------===//
// LRN
//===----------------------------------------------------------------------===//

LogicalResult LRNOp::inferTypes(TypeInference &inference) {
  if (int64_t(getSize()) < 1)
    return inference.error("'size' must be at least 1 but is " +
                           Twine(int64_t(getSize())));
  if (failed(checkMinRank(inference, "input", getInput(), 2)))
    return failure();
  return inferSameType(*this, inference);
}

AxisMap LRNOp::getAxisMap() { return getWindowAxisMap(*this, {1}); }

FusionClass LRNOp::getFusionClass() { return FusionClass::Opaque; }
