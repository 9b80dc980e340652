//===- Shrink.cpp - Simpler weights and smaller shapes --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shrink.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/ModuleAttrs.h"
#include "inlay/IR/Origin.h"
#include "inlay/ONNX/Export.h"
#include "inlay/ONNX/Import.h"
#include "inlay/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace inlay;
using namespace mlir;

static Candidate copy(const Candidate &candidate) {
  Candidate own;
  own.a = candidate.a.get().clone();
  if (candidate.b)
    own.b = candidate.b.get().clone();
  own.inputs = candidate.inputs;
  return own;
}

static SmallVector<ModuleOp> getModules(const Candidate &candidate) {
  SmallVector<ModuleOp> modules = {candidate.a.get()};
  if (candidate.b)
    modules.push_back(candidate.b.get());
  return modules;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// A constant's tensor; nothing where it cannot be read.
static HostTensor read(ConstantOp op) {
  auto tensor = getHostTensor(op.getValue());
  if (tensor)
    return *tensor;
  llvm::consumeError(tensor.takeError());
  return HostTensor();
}

static void set(ConstantOp op, const HostTensor &tensor) {
  TypedAttr value = getConstantAttr(op.getContext(), tensor);
  op.setValueAttr(value);
  op->getResult(0).setType(value.getType());
}

static ConstantOp findWeight(ModuleOp module, StringRef name) {
  ConstantOp found;
  module.walk([&](ConstantOp op) {
    if (getValueName(op.getResult()) == name)
      found = op;
  });
  return found;
}

static bool isSame(const HostTensor &a, const HostTensor &b) {
  return a && b && a.getType() == b.getType() && a.getShape() == b.getShape() &&
         a.getBytes() == b.getBytes();
}

std::vector<std::string> inlay::findWeights(const Candidate &candidate) {
  std::vector<std::string> names;
  candidate.a.get()->walk([&](ConstantOp op) {
    StringRef name = getValueName(op.getResult());
    HostTensor tensor = read(op);
    if (name.empty() || !tensor || !isFloat(tensor.getType()) ||
        tensor.getNumElements() < 2)
      return;
    bool isPlain = true;
    for (int64_t i = 1; i < tensor.getNumElements() && isPlain; ++i)
      isPlain = tensor.getDouble(i) == tensor.getDouble(0);
    if (isPlain)
      return;
    if (candidate.b) {
      ConstantOp other = findWeight(candidate.b.get(), name);
      if (!other || !isSame(tensor, read(other)))
        return;
    }
    names.push_back(name.str());
  });
  return names;
}

Candidate inlay::fillWeight(const Candidate &candidate, StringRef name,
                            double number) {
  Candidate own = copy(candidate);
  for (ModuleOp module : getModules(own))
    if (ConstantOp op = findWeight(module, name)) {
      HostTensor old = read(op), tensor(old.getType(), old.getShape());
      for (int64_t i = 0; i < tensor.getNumElements(); ++i)
        tensor.setDouble(i, number);
      set(op, tensor);
    }
  return own;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static bool hasExtent(ArrayRef<int64_t> shape, int64_t extent) {
  return llvm::is_contained(shape, extent);
}

static SmallVector<int64_t> replace(ArrayRef<int64_t> shape, int64_t extent,
                                    int64_t smaller) {
  SmallVector<int64_t> result(shape);
  std::replace(result.begin(), result.end(), extent, smaller);
  return result;
}

/// The first elements along each dimension.
static HostTensor takeFront(const HostTensor &tensor, ArrayRef<int64_t> shape) {
  HostTensor result(tensor.getType(), shape);
  size_t width = getHostByteWidth(tensor.getType());
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t i = 0; i < result.getNumElements(); ++i) {
    int64_t from = 0;
    for (auto [at, extent] : llvm::zip_equal(index, tensor.getShape()))
      from = from * extent + at;
    memcpy(result.getMutableBytes().data() + i * width,
           tensor.getBytes().data() + from * width, width);
    for (int64_t dim = int64_t(shape.size()) - 1;
         dim >= 0 && ++index[dim] == shape[dim]; --dim)
      index[dim] = 0;
  }
  return result;
}

std::vector<int64_t> inlay::findExtents(const Candidate &candidate) {
  std::set<int64_t, std::greater<>> extents;
  for (const GraphInput &input : candidate.inputs)
    if (input.tensor)
      extents.insert(input.tensor.getShape().begin(),
                     input.tensor.getShape().end());
  candidate.a.get()->walk([&](ConstantOp op) {
    if (auto type = dyn_cast<RankedTensorType>(op.getType()))
      extents.insert(type.getShape().begin(), type.getShape().end());
  });
  std::vector<int64_t> found;
  llvm::copy_if(extents, std::back_inserter(found),
                [](int64_t extent) { return extent > 1; });
  return found;
}

static void shrinkInputs(func::FuncOp graph, int64_t extent, int64_t smaller) {
  SmallVector<Type> inputs;
  for (BlockArgument argument : graph.getArguments()) {
    if (auto type = dyn_cast<RankedTensorType>(argument.getType()))
      argument.setType(type.clone(replace(type.getShape(), extent, smaller)));
    graph.removeArgAttr(argument.getArgNumber(), attrs::declaredType);
    inputs.push_back(argument.getType());
  }
  // What outputs have follows.
  for (unsigned i = 0; i < graph.getNumResults(); ++i)
    if (auto type = dyn_cast<TensorType>(graph.getResultTypes()[i]))
      graph.setResultAttr(
          i, attrs::declaredType,
          TypeAttr::get(UnrankedTensorType::get(type.getElementType())));
  graph.setFunctionType(
      FunctionType::get(graph.getContext(), inputs, graph.getResultTypes()));
}

static llvm::Error shrinkWeights(ModuleOp module, int64_t extent,
                                 int64_t smaller) {
  SmallVector<ConstantOp> constants;
  module.walk([&](ConstantOp op) { constants.push_back(op); });
  for (ConstantOp op : constants) {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type || !hasExtent(type.getShape(), extent))
      continue;
    HostTensor tensor = read(op);
    if (!tensor || tensor.getType() == ElementType::String)
      return unsupportedError("a weight cannot be cut");
    set(op, takeFront(tensor, replace(tensor.getShape(), extent, smaller)));
  }
  return llvm::Error::success();
}

/// The module with the types that follow.
static llvm::Expected<OwningOpRef<ModuleOp>> inferAgain(ModuleOp module,
                                                        StringRef folder) {
  module->removeAttr(attrs::hasValueInfo);
  SmallString<128> path;
  if (std::error_code code =
          llvm::sys::fs::createUniqueFile(folder + "/shrunk-%%%%%%.onnx", path))
    return ioError("cannot write to '" + folder + "': " + code.message());
  auto written = exportModel(module, path);
  if (!written)
    return written.takeError();
  auto again = importModelFile(*module.getContext(), path);
  // It is mapped as long as it is needed.
  llvm::sys::fs::remove(path);
  return again;
}

llvm::Expected<Candidate> inlay::shrinkExtent(const Candidate &candidate,
                                              int64_t extent, int64_t smaller,
                                              StringRef folder) {
  Candidate own = copy(candidate);
  for (GraphInput &input : own.inputs) {
    if (!input.tensor || !hasExtent(input.tensor.getShape(), extent))
      continue;
    if (input.tensor.getType() == ElementType::String)
      return unsupportedError("an input cannot be cut");
    input.tensor = takeFront(input.tensor,
                             replace(input.tensor.getShape(), extent, smaller));
  }
  for (OwningOpRef<ModuleOp> *module : {&own.a, &own.b}) {
    if (!*module)
      continue;
    auto graph = getGraph(**module);
    if (!graph)
      return graph.takeError();
    shrinkInputs(*graph, extent, smaller);
    if (llvm::Error error = shrinkWeights(**module, extent, smaller))
      return error;
    auto again = inferAgain(**module, folder);
    if (!again)
      return again.takeError();
    *module = std::move(*again);
  }
  return own;
}
