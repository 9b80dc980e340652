//===- BoundInputs.cpp - Checking the inputs of a graph -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Runtime/BoundInputs.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Evaluation.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayDialect.h"
#include "inlay/IR/TypeInference.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace inlay;
using namespace mlir;

static bool fits(ArrayRef<int64_t> shape, ArrayRef<int64_t> required) {
  return shape.size() == required.size() &&
         llvm::all_of(llvm::zip_equal(shape, required), [](auto pair) {
           auto [extent, wanted] = pair;
           return ShapedType::isDynamic(wanted) || extent == wanted;
         });
}

llvm::Error inlay::checkTensor(const HostTensor &tensor, Type type) {
  if (!tensor)
    return makeError(ExitCode::Internal, "was not computed");
  std::optional<ElementType> element = getOnnxElementType(getElementType(type));
  if (element && *element != tensor.getType())
    return modelError("requires elements of type " + getName(*element) +
                      ", found " + getName(tensor.getType()));
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (ranked && !fits(tensor.getShape(), ranked.getShape()))
    return modelError("requires shape " + formatShape(ranked.getShape()) +
                      ", found " + formatShape(tensor.getShape()));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

namespace {
/// What a dimension name was bound to, and by which input.
struct Binding {
  int64_t extent;
  std::string input;
};
} // namespace

static std::string describeInput(func::FuncOp graph, unsigned index) {
  StringRef name = getInputName(graph, index);
  return name.empty() ? "input " + std::to_string(index)
                      : ("input '" + name + "'").str();
}

static llvm::Error bindDims(func::FuncOp graph, unsigned index,
                            const HostTensor &tensor,
                            llvm::StringMap<Binding> &bindings) {
  for (auto [i, name] : llvm::enumerate(getInputDims(graph, index))) {
    if (name.empty())
      continue;
    int64_t extent = tensor.getDim(i);
    auto [it, isNew] = bindings.try_emplace(
        name, Binding{extent, describeInput(graph, index)});
    if (!isNew && it->second.extent != extent)
      return usageError("dimension '" + name + "' is " + Twine(extent) +
                        " here and " + Twine(it->second.extent) + " in " +
                        it->second.input);
  }
  return llvm::Error::success();
}

/// The given tensor or the default.
static llvm::Expected<HostTensor>
chooseInput(func::FuncOp graph, unsigned index, const HostTensor &given) {
  Type type = graph.getArgumentTypes()[index];
  if (!isa<TensorType, UnknownType>(type)) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return unsupportedError("is of type " + text + ", not a tensor");
  }
  if (given)
    return given;
  if (Attribute value = getInputDefault(graph, index))
    return getHostTensor(value);
  return usageError("no value is given and the model has no default");
}

static llvm::Expected<HostTensor>
bindInput(func::FuncOp graph, unsigned index, const HostTensor &given,
          llvm::StringMap<Binding> &bindings) {
  auto tensor = chooseInput(graph, index, given);
  if (!tensor)
    return tensor.takeError();
  if (llvm::Error error =
          checkTensor(*tensor, graph.getArgumentTypes()[index])) {
    std::string message;
    takeError(std::move(error), message);
    return usageError(message);
  }
  if (llvm::Error error = bindDims(graph, index, *tensor, bindings))
    return error;
  return tensor;
}

llvm::Expected<SmallVector<HostTensor>>
inlay::bindInputs(func::FuncOp graph, ArrayRef<HostTensor> inputs) {
  if (inputs.size() != graph.getNumArguments())
    return usageError("graph has " + Twine(graph.getNumArguments()) +
                      " inputs, given are " + Twine(inputs.size()));
  SmallVector<HostTensor> tensors;
  llvm::StringMap<Binding> bindings;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    auto tensor = bindInput(graph, i, input, bindings);
    if (!tensor)
      return addContext(describeInput(graph, i) + ": ", tensor.takeError());
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}
