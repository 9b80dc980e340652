//===- ShapedCopy.cpp - A graph with other input shapes -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapedCopy.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace inlay;
using namespace mlir;

ShapedCopy::ShapedCopy(func::FuncOp graph) : graph(graph) {
  copy = graph.clone();
  SmallVector<Operation *> originals;
  graph.getBody().walk([&](Operation *op) { originals.push_back(op); });
  size_t i = 0;
  copy->getBody().walk(
      [&](Operation *op) { operations.emplace_back(originals[i++], op); });
  for (auto [original, op] : operations)
    // Which subgraph runs, and how often, is not known here.
    if (original->getParentOp() != graph || !inferOperation(original, op))
      exempt.insert(original);
}

void ShapedCopy::setInputs(ArrayRef<MaybeShape> shapes) {
  for (auto [argument, input, shape] :
       llvm::zip_equal(copy->getArguments(), graph.getArguments(), shapes)) {
    auto type = dyn_cast<TensorType>(input.getType());
    if (!type || !shape)
      continue;
    Type shaped = RankedTensorType::get(*shape, type.getElementType());
    Type met = meetTypes(type, shaped);
    argument.setType(met ? met : type);
  }
}

static bool hasNoElements(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return ranked && llvm::is_contained(ranked.getShape(), 0);
}

/// Sets the result types; false where the operands do not suit the operation.
bool ShapedCopy::inferOperation(Operation *original, Operation *op) {
  auto inferable = dyn_cast<TypeInferenceOpInterface>(op);
  TypeInference inference(op, /*reportErrors=*/false);
  bool suits = !inferable || succeeded(inferable.inferTypes(inference));
  bool isEmpty = llvm::any_of(op->getOperandTypes(), hasNoElements);
  for (auto [declared, result] :
       llvm::zip_equal(original->getResultTypes(), op->getResults())) {
    Type inferred = inference.getTypes()[result.getResultNumber()];
    Type met = suits ? meetTypes(declared, inferred) : declared;
    suits &= bool(met) && (isEmpty || !hasNoElements(met));
    result.setType(met ? met : joinTypes(inferred, declared));
  }
  return suits;
}

size_t ShapedCopy::infer(ArrayRef<MaybeShape> shapes) {
  ScopedDiagnosticHandler silence(graph.getContext(),
                                  [](Diagnostic &) { return success(); });
  setInputs(shapes);
  size_t first = operations.size();
  for (auto [i, pair] : llvm::enumerate(operations))
    if (!inferOperation(pair.first, pair.second) &&
        first == operations.size() && !exempt.contains(pair.first))
      first = i;
  return first;
}
