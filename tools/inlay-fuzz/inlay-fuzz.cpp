//===- inlay-fuzz.cpp - Any bytes into the readers ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The target of libFuzzer. It imports whatever it is given as ONNX or, with
// `--text`, reads it as MLIR; the sanitizers it is built with and the traps
// below say what went wrong.
//
//===----------------------------------------------------------------------===//

#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/ModuleText.h"
#include "inlay/ONNX/Import.h"
#include "inlay/Support/Error.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

using namespace inlay;

static llvm::ArrayRef<char> asChars(const uint8_t *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

static bool isText = false;

/// Loading the dialect takes longer than reading a text: one context serves
/// many, until what it has seen would fill the memory.
static mlir::MLIRContext &getTextContext() {
  static std::unique_ptr<mlir::MLIRContext> context;
  static unsigned numUses = 0;
  if (numUses++ % 256 == 0) {
    context = std::make_unique<mlir::MLIRContext>(
        mlir::MLIRContext::Threading::DISABLED);
    registerEvaluation(*context);
  }
  return *context;
}

/// Bytes either give a module or a model error: any other exit code means that
/// a reader took its own mistake for the model's.
static void check(llvm::Error error) {
  if (!error)
    return;
  std::string message;
  ExitCode code = takeError(std::move(error), message);
  if (code == ExitCode::Internal || message.empty())
    __builtin_trap();
}

static void readBytes(llvm::ArrayRef<char> bytes) {
  auto file = MappedFile::fromMemory(bytes, "fuzz");
  if (isText)
    return check(readModule(getTextContext(), file).takeError());
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  registerEvaluation(context);
  check(importModel(context, file).takeError());
}

/// libFuzzer leaves options alone that begin with two dashes.
extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv) {
  for (llvm::StringRef word : llvm::ArrayRef(*argv, *argc))
    isText |= word == "--text";
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  readBytes(asChars(data, size));
  return 0;
}
