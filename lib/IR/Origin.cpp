//===- Origin.cpp - Which nodes an operation comes from -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Origin.h"
#include "inlay/IR/Groups.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

using namespace inlay;
using namespace mlir;

Location inlay::getOriginLoc(OriginAttr origin) {
  MLIRContext *context = origin.getContext();
  return FusedLoc::get(context, {UnknownLoc::get(context)}, origin);
}

SmallVector<OriginAttr, 1> inlay::getOrigins(Location loc) {
  // The common case, one origin, without a set.
  if (auto fused = dyn_cast<FusedLoc>(loc))
    if (auto origin = dyn_cast_if_present<OriginAttr>(fused.getMetadata()))
      return {origin};
  llvm::SmallSetVector<OriginAttr, 4> origins;
  loc->walk([&](Location part) {
    if (auto fused = dyn_cast<FusedLoc>(part))
      if (auto origin = dyn_cast_if_present<OriginAttr>(fused.getMetadata()))
        origins.insert(origin);
    return WalkResult::advance();
  });
  return SmallVector<OriginAttr, 1>(origins.begin(), origins.end());
}

OriginAttr inlay::getFirstOrigin(Location loc) {
  SmallVector<OriginAttr, 1> origins = getOrigins(loc);
  return origins.empty() ? OriginAttr() : origins.front();
}

static StringRef getOutputName(OriginAttr origin, unsigned index) {
  if (!origin || index >= origin.getOutputs().size())
    return "";
  auto name = dyn_cast<StringAttr>(origin.getOutputs()[index]);
  return name ? name.getValue() : "";
}

std::string inlay::getNodeName(Operation *op) {
  OriginAttr origin = getFirstOrigin(op->getLoc());
  if (origin && !origin.getName().empty())
    return origin.getName().str();
  for (unsigned i = 0; origin && i < origin.getOutputs().size(); ++i)
    if (StringRef output = getOutputName(origin, i); !output.empty())
      return output.str();
  return op->getName().getStringRef().str();
}

static std::string getOpType(Operation *op) {
  if (auto opaque = dyn_cast<OpaqueOp>(op)) {
    StringRef callee = opaque.getCallee();
    callee.consume_front("::");
    return callee.str();
  }
  if (OriginAttr origin = getFirstOrigin(op->getLoc()))
    return origin.getOpType().str();
  return op->getName().getStringRef().str();
}

std::string inlay::describeNode(Operation *op) {
  return "node '" + getNodeName(op) + "' (" + getOpType(op) + ")";
}

std::string inlay::describeNodeAround(Operation *op) {
  Operation *around = op;
  while (around && !getFirstOrigin(around->getLoc()))
    around = around->getParentOp();
  return describeNode(around ? around : op);
}

StringRef inlay::getValueName(Value value) {
  if (auto result = dyn_cast<OpResult>(value)) {
    // A group gives out what its body has computed.
    auto group = dyn_cast<GroupOp>(result.getOwner());
    if (group && !wasCalled(group))
      return getValueName(group.getYielded()[result.getResultNumber()]);
    return getOutputName(getFirstOrigin(result.getLoc()),
                         result.getResultNumber());
  }
  auto argument = cast<BlockArgument>(value);
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto func = dyn_cast_or_null<func::FuncOp>(parent)) {
    auto name = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                  "inlay.name");
    return name ? name.getValue() : "";
  }
  return getOutputName(getFirstOrigin(argument.getLoc()), 0);
}

Location inlay::mergeLocs(MLIRContext *context, ArrayRef<Location> locs) {
  llvm::SmallSetVector<Location, 4> parts;
  for (Location loc : locs) {
    auto fused = dyn_cast<FusedLoc>(loc);
    if (fused && !fused.getMetadata())
      parts.insert(fused.getLocations().begin(), fused.getLocations().end());
    else if (!isa<UnknownLoc>(loc))
      parts.insert(loc);
  }
  return FusedLoc::get(context, parts.getArrayRef());
}

void RemovedNodes::add(OriginAttr origin, StringRef reason) {
  entries.push_back(
      RemovedAttr::get(origin.getContext(), origin,
                       StringAttr::get(origin.getContext(), reason)));
}

void RemovedNodes::add(Operation *op, StringRef reason) {
  op->walk<WalkOrder::PreOrder>([&](Operation *nested) {
    for (OriginAttr origin : getOrigins(nested->getLoc()))
      add(origin, reason);
  });
}

void RemovedNodes::write(ModuleOp module) {
  if (entries.empty())
    return;
  SmallVector<Attribute> all;
  if (auto list = module->getAttrOfType<ArrayAttr>(getAttrName()))
    all.append(list.begin(), list.end());
  all.append(entries.begin(), entries.end());
  module->setAttr(getAttrName(), ArrayAttr::get(module.getContext(), all));
  entries.clear();
}

OriginSet inlay::collectOrigins(ModuleOp module) {
  OriginSet origins;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (OriginAttr origin : getOrigins(op->getLoc()))
      origins.insert(origin);
  });
  if (auto list = module->getAttrOfType<ArrayAttr>(RemovedNodes::getAttrName()))
    for (auto removed : list.getAsRange<RemovedAttr>())
      if (!removed.getReason().empty())
        origins.insert(removed.getOrigin());
  return origins;
}

SmallVector<OriginAttr> inlay::findLostOrigins(const OriginSet &before,
                                               ModuleOp module) {
  OriginSet now = collectOrigins(module);
  SmallVector<OriginAttr> lost;
  llvm::copy_if(before, std::back_inserter(lost),
                [&](OriginAttr origin) { return !now.contains(origin); });
  return lost;
}
