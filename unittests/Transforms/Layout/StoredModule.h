//===- StoredModule.h - Modules before and after materialize ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_TRANSFORMS_LAYOUT_STOREDMODULE_H
#define INLAY_UNITTESTS_TRANSFORMS_LAYOUT_STOREDMODULE_H

#include "../../Runtime/ModuleTesting.h"
#include "inlay/Analysis/ModuleTarget.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Transforms/Layout/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

namespace inlay {

/// Where the elements of a tensor of `type` lie, as the layout says it element
/// by element.
inline HostTensor store(const HostTensor &tensor, mlir::Type type) {
  auto ranked = mlir::cast<mlir::RankedTensorType>(type);
  auto encoding = mlir::dyn_cast_if_present<LayoutAttr>(ranked.getEncoding());
  if (!encoding || encoding.getLayout().isRowMajor())
    return tensor;
  const Layout &layout = encoding.getLayout();
  llvm::SmallVector<int64_t> shape = layout.getPhysicalShape(tensor.getShape());
  HostTensor stored(tensor.getType(), shape);
  llvm::SmallVector<int64_t> index(tensor.getRank(), 0);
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    int64_t place = 0;
    for (auto [extent, each] :
         llvm::zip_equal(shape, *layout.getPhysicalIndex(index)))
      place = place * extent + each;
    stored.setDouble(place, tensor.getDouble(i));
    for (int64_t dim = tensor.getRank() - 1; dim >= 0; --dim) {
      if (++index[dim] < tensor.getDim(dim))
        break;
      index[dim] = 0;
    }
  }
  return stored;
}

/// A module from text, and passes on it.
class StoredModule : public ParsedModule {
public:
  using ParsedModule::ParsedModule;

  bool run(std::unique_ptr<mlir::Pass> pass) {
    mlir::PassManager manager(get().getContext());
    manager.addPass(std::move(pass));
    return mlir::succeeded(manager.run(get()));
  }

  bool materialize(llvm::StringRef target = "nhwc") {
    std::string text = "schema: inlay.target/1\nname: " + target.str() + "\n";
    if (!target.empty())
      get()->setAttr(
          targetAttr,
          makeTargetAttr(get().getContext(), TargetSource{target.str(), text}));
    return run(createMaterializeLayouts());
  }

  llvm::SmallVector<HostTensor> execute(llvm::ArrayRef<HostTensor> inputs) {
    auto outputs = inlay::execute(get(), inputs);
    if (outputs)
      return *outputs;
    ADD_FAILURE() << llvm::toString(outputs.takeError());
    return {};
  }
};

} // namespace inlay

#endif // INLAY_UNITTESTS_TRANSFORMS_LAYOUT_STOREDMODULE_H
