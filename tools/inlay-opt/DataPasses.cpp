//===- DataPasses.cpp - Data files around a run of passes -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DataPasses.h"
#include "inlay/IR/InlayDialect.h"
#include "inlay/IR/ModuleData.h"

using namespace inlay;
using namespace mlir;

namespace {
struct AllowData final : DialectExtension<AllowData, InlayDialect> {
  explicit AllowData(StringRef path) : path(path) {}

  void apply(MLIRContext *, InlayDialect *dialect) const override {
    dialect->getDataFiles().allow(ExternalFiles(path));
  }

  std::string path;
};

/// What the passes of this file share: they end in an error of ours.
template <typename Derived>
struct DataPass : PassWrapper<Derived, OperationPass<ModuleOp>> {
  explicit DataPass(StringRef path) : path(path) {}

  void runOnOperation() override {
    if (llvm::Error error = static_cast<Derived *>(this)->run()) {
      this->getOperation()->emitError() << llvm::toString(std::move(error));
      this->signalPassFailure();
    }
  }

  std::string path;
};

struct CheckDataPass final : DataPass<CheckDataPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckDataPass)
  using DataPass::DataPass;

  llvm::Error run() {
    ExternalFiles files(path);
    return openData(getOperation(), files).takeError();
  }
};

struct StoreDataPass final : DataPass<StoreDataPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StoreDataPass)
  using DataPass::DataPass;

  llvm::Error run() {
    auto file = storeData(getOperation(), path);
    if (!file)
      return file.takeError();
    return *file ? (*file)->commit() : llvm::Error::success();
  }
};
} // namespace

void inlay::allowDataOf(DialectRegistry &registry, StringRef inputPath) {
  registry.addExtension(std::make_unique<AllowData>(inputPath));
}

std::unique_ptr<Pass> inlay::createCheckData(StringRef inputPath) {
  return std::make_unique<CheckDataPass>(inputPath);
}

std::unique_ptr<Pass> inlay::createStoreData(StringRef outputPath) {
  return std::make_unique<StoreDataPass>(outputPath);
}
