//===- ModelKernels.cpp - The products that models consist of -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelKernels.h"
#include "Contraction.h"
#include "inlay/IR/Graph.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Native.h"
#include "inlay/Pipeline/Run.h"
#include "llvm/Support/Path.h"

using namespace inlay;
using namespace inlay::benching;
using namespace mlir;

/// Dimensions that both operands have are of products side by side, others of
/// the one that has them.
static ProductSizes getSizes(const Contraction &product) {
  ProductSizes sizes;
  for (auto [dim, extent] : llvm::enumerate(product.extents)) {
    bool isRow = product.a.contains(dim), isColumn = product.b.contains(dim);
    int64_t &own = extent > 1 && product.isSummed(dim) ? sizes.sums
                   : isRow && isColumn                 ? sizes.batch
                   : isRow                             ? sizes.rows
                                                       : sizes.columns;
    own *= extent;
  }
  return sizes;
}

/// The sizes of a step that is a product of f32.
static std::optional<ProductSizes> getSizes(Operation *step) {
  std::optional<KernelBody> body = KernelBody::get(step);
  auto product = body ? Contraction::find(*body) : std::nullopt;
  if (!product || !product->element.isF32())
    return std::nullopt;
  return getSizes(*product);
}

static std::string nameOf(const StepCode &step, const ProductSizes &sizes,
                          StringRef model) {
  std::string name;
  llvm::raw_string_ostream stream(name);
  stream << model << '/' << getOpTypes(step.op) << '/';
  if (sizes.batch > 1)
    stream << sizes.batch << '*';
  stream << sizes.rows << 'x' << sizes.columns << 'x' << sizes.sums;
  if (step.code.outputsOfTile != 0)
    stream << "/winograd" << step.code.outputsOfTile;
  return name;
}

llvm::Error ModelKernels::addStep(StepCode step, const ProductSizes &sizes,
                                  StringRef model) {
  std::string text;
  llvm::raw_string_ostream(text) << *step.module;
  auto [known, isNew] = numbers.try_emplace(std::move(text), kernels.size());
  if (isNew) {
    std::string name = nameOf(step, sizes, model);
    auto [templateName, operations] =
        std::pair(step.code.templateName, double(step.code.operations));
    auto kernel = LoneKernel::compile(std::move(step));
    if (!kernel)
      return kernel.takeError();
    kernels.push_back({std::move(name), sizes, templateName, operations, 0,
                       std::move(*kernel)});
  }
  ++kernels[known->second].uses;
  return llvm::Error::success();
}

llvm::Error ModelKernels::add(StringRef path) {
  std::unique_ptr<MLIRContext> context = createContext();
  auto fed = loadFedModel(*context, path, {}, {});
  if (!fed)
    return fed.takeError();
  auto planned =
      planNative(*context, {path.str(), {}, 1, {}, {}, {}}, fed->inputs);
  if (!planned)
    return planned.takeError();
  auto graph = getGraph(*planned->compiled.module);
  if (!graph)
    return graph.takeError();
  auto isWanted = [](Operation *op) {
    std::optional<ProductSizes> sizes = getSizes(op);
    return sizes && sizes->isDense();
  };
  for (StepCode &step : emitSteps(*graph, isWanted)) {
    ProductSizes sizes = *getSizes(step.op);
    if (llvm::Error error =
            addStep(std::move(step), sizes, llvm::sys::path::stem(path)))
      return error;
  }
  return llvm::Error::success();
}
