//===- Backend.h - Back ends from outside -----------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A back end turns a compiled module into what some hardware executes. It lives
// in a shared library of its own, which the user names (`--backend LIB.so`):
//
//   struct MyBackend final : inlay::Backend { ... };
//
//   static llvm::Error add(inlay::BackendRegistry &registry) {
//     return registry.add(std::make_unique<MyBackend>());
//   }
//   extern "C" const inlay::BackendPlugin *inlayGetBackendPlugin() {
//     static constexpr inlay::BackendPlugin plugin{add};
//     return &plugin;
//   }
//
// docs/Backend.md walks through a whole one.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_BACKEND_H
#define INLAY_PIPELINE_BACKEND_H

#include "inlay/Target/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Config/llvm-config.h"
#include <memory>
#include <vector>

namespace inlay {

/// What an emitter is given.
struct EmitRequest {
  /// Fitted to the target: groups and kernels are `inlay.group` regions,
  /// tensors have physical shapes.
  mlir::ModuleOp module;
  const Target &target;
  /// What the target file says under `backends: NAME:`.
  const BackendSection &section;
  /// Where to write.
  std::string output;
};

class Backend {
public:
  virtual ~Backend();

  /// What `--emit` and the section of a target call it.
  virtual llvm::StringRef getName() const = 0;
  /// Refuses a section that it does not understand, before anything is done.
  virtual llvm::Error checkSection(const BackendSection &section) const;
  /// What is to be done with the module, after all else, before it is emitted.
  virtual void addPasses(mlir::OpPassManager &passes,
                         const BackendSection &section) const;
  /// Writes; returns how many bytes.
  virtual llvm::Expected<uint64_t> emit(const EmitRequest &request) const = 0;
};

/// The back ends that this process knows.
class BackendRegistry {
public:
  static BackendRegistry &get();

  /// A name that is taken is an error, `onnx` and `mlir` included.
  llvm::Error add(std::unique_ptr<Backend> backend);
  /// Loads a shared library and adds what it has. Only the user may name one.
  llvm::Error load(llvm::StringRef path);
  /// Null where there is none of that name.
  const Backend *find(llvm::StringRef name) const;
  /// In the order in which they were added.
  llvm::SmallVector<llvm::StringRef> getNames() const;

private:
  std::vector<std::unique_ptr<Backend>> backends;
};

/// What the target says to a back end; empty where it says nothing.
const BackendSection &getBackendSection(const Target &target,
                                        llvm::StringRef name);

/// The back end exists and understands the target.
llvm::Error checkBackend(llvm::StringRef name, const Target &target);

/// Grows with every change to this header or to what it shows.
constexpr unsigned backendAbi = 1;

/// What the function `inlayGetBackendPlugin` of a library points to. The first
/// two members stay where they are in every version.
struct BackendPlugin {
  constexpr BackendPlugin(llvm::Error (*addTo)(BackendRegistry &))
      : addTo(addTo) {}

  unsigned abi = backendAbi;
  const char *llvmVersion = LLVM_VERSION_STRING;
  llvm::Error (*addTo)(BackendRegistry &);
};

} // namespace inlay

#endif // INLAY_PIPELINE_BACKEND_H
