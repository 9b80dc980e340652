//===- NativeKernels.cpp - Machine code in memory -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ObjectCode.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

using namespace inlay;
using namespace mlir;

NativeKernels::NativeKernels(std::unique_ptr<llvm::orc::LLJIT> linker)
    : linker(std::move(linker)) {}
NativeKernels::NativeKernels(NativeKernels &&) noexcept = default;
NativeKernels &NativeKernels::operator=(NativeKernels &&) noexcept = default;
NativeKernels::~NativeKernels() = default;

llvm::Expected<NativeKernels>
NativeKernels::load(std::vector<std::unique_ptr<llvm::MemoryBuffer>> objects) {
  auto linker = llvm::orc::LLJITBuilder().create();
  if (!linker)
    return linker.takeError();
  for (std::unique_ptr<llvm::MemoryBuffer> &object : objects)
    if (llvm::Error error = (*linker)->addObjectFile(std::move(object)))
      return error;
  return NativeKernels(std::move(*linker));
}

llvm::Expected<NativeKernels>
NativeKernels::compile(OwningOpRef<ModuleOp> module, const Machine &machine) {
  std::vector<CodeChunk> chunks;
  chunks.push_back({std::move(module), "", 1});
  auto compiled = compileChunks(std::move(chunks), machine, {});
  if (!compiled)
    return compiled.takeError();
  return load(std::move(compiled->objects));
}

llvm::Expected<KernelFunction> NativeKernels::lookup(StringRef name) const {
  auto address = linker->lookup(name);
  if (!address)
    return address.takeError();
  return address->toPtr<KernelFunction>();
}
