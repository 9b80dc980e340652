//===- inlay-fuzz.cpp - Any bytes into the importer -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The target of libFuzzer. It imports whatever it is given; the sanitizers it
// is built with and the traps below say what went wrong.
//
//===----------------------------------------------------------------------===//

#include "inlay/ONNX/Import.h"
#include "inlay/Support/Error.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <cstdint>
#include <string>

using namespace inlay;

static llvm::ArrayRef<char> asChars(const uint8_t *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

/// Bytes either give a module or a model error: any other exit code means that
/// the importer took its own mistake for the model's.
static void importBytes(llvm::ArrayRef<char> bytes) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = importModel(context, MappedFile::fromMemory(bytes, "fuzz"));
  if (module)
    return;
  std::string message;
  ExitCode code = takeError(module.takeError(), message);
  if (code == ExitCode::Internal || message.empty())
    __builtin_trap();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  importBytes(asChars(data, size));
  return 0;
}
