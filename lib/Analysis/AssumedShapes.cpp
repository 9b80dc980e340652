//===- AssumedShapes.cpp - Sizes where dimensions are symbols -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/AssumedShapes.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/TypeInference.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using namespace mlir;

RankedTensorType AssumedShapes::assume(RankedTensorType type,
                                       ArrayRef<StringRef> dims) {
  SmallVector<int64_t> shape(type.getShape());
  for (auto [extent, name] : llvm::zip_equal(shape, dims)) {
    if (!ShapedType::isDynamic(extent))
      continue;
    extent = target.getAssumedExtent(name);
    assumptions[name.empty() ? "?" : name.str()] = extent;
  }
  return RankedTensorType::get(shape, type.getElementType(),
                               type.getEncoding());
}

static bool isDynamic(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return ranked && !ranked.hasStaticShape();
}

/// What depends on data is not known of any input, and has no symbol.
void AssumedShapes::assumeResults(func::FuncOp function) {
  for (Operation &op : function.getBody().front())
    for (Value result : op.getResults()) {
      auto it = types.find(result);
      if (isDynamic(it == types.end() ? result.getType() : Type(it->second))) {
        assumptions["?"] = target.defaultDim;
        return;
      }
    }
}

AssumedShapes::AssumedShapes(func::FuncOp function, const Target &target)
    : target(target) {
  if (llvm::any_of(function.getArgumentTypes(), isDynamic))
    assumeInputs(function);
  assumeResults(function);
}

/// Infers the types of a copy of the function whose inputs have the assumed
/// shapes, in subgraphs too: what they capture and what they make of it must
/// not differ in size. Where shapes do not suit an operation its type stays as
/// it is.
void AssumedShapes::assumeInputs(func::FuncOp function) {
  IRMapping copies;
  OwningOpRef<func::FuncOp> copy = function.clone(copies);
  for (BlockArgument argument : copy->getArguments())
    if (isDynamic(argument.getType()))
      argument.setType(assume(cast<RankedTensorType>(argument.getType()),
                              getInputDims(function, argument.getArgNumber())));
  ScopedDiagnosticHandler silence(function.getContext(),
                                  [](Diagnostic &) { return success(); });
  copy->getBody().walk([](Operation *op) { (void)refineResultTypes(op); });
  for (auto [value, assumed] : copies.getValueMap())
    if (isDynamic(value.getType()))
      if (auto type = dyn_cast<RankedTensorType>(assumed.getType()))
        types[value] = type;
}

RankedTensorType AssumedShapes::getType(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (auto it = types.find(value); it != types.end())
    type = it->second;
  if (!type || type.hasStaticShape())
    return type;
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent))
      extent = target.defaultDim;
  return RankedTensorType::get(shape, type.getElementType(),
                               type.getEncoding());
}

uint64_t AssumedShapes::getBytes(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (auto it = types.find(value); it != types.end())
    type = it->second;
  if (!type)
    return 0;
  uint64_t bits =
      type.getElementType().isIntOrFloat() ? type.getElementTypeBitWidth() : 64;
  for (int64_t extent : type.getShape())
    bits = llvm::SaturatingMultiply<uint64_t>(
        bits, ShapedType::isDynamic(extent) ? target.defaultDim : extent);
  return llvm::divideCeil(bits, 8);
}
