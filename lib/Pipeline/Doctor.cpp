//===- Doctor.cpp - inlay doctor ------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Doctor.h"
#include "inlay/Codegen/Library.h"
#include "inlay/Codegen/NativeProgram.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Layouts.h"
#include "inlay/Support/Error.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"

using namespace inlay;
using namespace mlir;

/// The smallest model that needs a kernel.
static constexpr StringLiteral smallModel =
    "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
    "  %y = inlay.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> "
    "tensor<2xf32>\n"
    "  return %y : tensor<2xf32>\n"
    "}";

static llvm::Expected<OwningOpRef<ModuleOp>> parseModel(MLIRContext &context) {
  auto module = parseSourceString<ModuleOp>(smallModel, &context);
  if (!module)
    return makeError(ExitCode::Internal, "the small model does not parse");
  return module;
}

//===----------------------------------------------------------------------===//
// What is tried; each says what it found.
//===----------------------------------------------------------------------===//

static llvm::Expected<std::string> tryCpu() {
  auto machine = Machine::get("", "native");
  if (!machine)
    return machine.takeError();
  Machine host = Machine::getHost();
  return host.cpu + ", " + std::to_string(machine->unit.lanes) +
         " floats in a vector, " +
         std::to_string(
             llvm::heavyweight_hardware_concurrency().compute_thread_count()) +
         " cores";
}

static llvm::Expected<std::string> tryCode() {
  std::unique_ptr<MLIRContext> context = createContext();
  auto module = parseModel(*context);
  if (!module)
    return module.takeError();
  auto program = NativeProgram::compile(**module, {});
  if (!program)
    return program.takeError();
  HostTensor input =
      HostTensor::get<float>(ElementType::Float, {2}, {1.5F, -2.0F});
  auto outputs = program->run({input});
  if (!outputs)
    return outputs.takeError();
  ArrayRef<float> found = outputs->front().getData<float>();
  if (found[0] != 3 || found[1] != -4)
    return makeError(ExitCode::Internal,
                     "1.5 + 1.5 is computed as " + std::to_string(found[0]));
  return "compiled, linked and run in memory";
}

static llvm::Expected<std::string> tryLibrary(StringRef triple) {
  std::unique_ptr<MLIRContext> context = createContext();
  auto module = parseModel(*context);
  if (!module)
    return module.takeError();
  auto machine = Machine::get(triple, "generic");
  if (!machine)
    return machine.takeError();
  SmallString<128> folder;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("inlay-doctor", folder))
    return ioError("cannot make a folder for temporary files: " +
                   code.message());
  SmallString<128> path(folder);
  llvm::sys::path::append(path, "small.so");
  auto written =
      writeLibrary(**module, {*machine, path.str().str(), "", {}, {}});
  llvm::sys::fs::remove_directories(folder);
  if (!written)
    return written.takeError();
  return "a library of " + formatBytes(written->libraryBytes);
}

static llvm::Expected<std::string> tryCache() {
  std::string folder = ObjectCache::getDefaultFolder();
  if (folder.empty())
    return ioError("neither XDG_CACHE_HOME nor HOME says where it is; code is "
                   "compiled each time, or --cache DIR");
  auto cache = ObjectCache::open(folder);
  if (!cache)
    return addContext("code is compiled each time: ", cache.takeError());
  std::string key = ObjectCache::getKey("doctor", "doctor");
  (*cache)->store(key, "doctor");
  if (!(*cache)->find(key))
    return ioError(folder +
                   " cannot be written to; code is compiled each time");
  return folder;
}

static llvm::Expected<std::string> tryTargets() {
  std::string names;
  for (const BuiltinTarget &target : getBuiltinTargets()) {
    auto loaded = loadKnownTarget(target.name);
    if (!loaded)
      return loaded.takeError();
    names += (names.empty() ? "" : ", ") + loaded->name;
  }
  return names;
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

static void addCheck(StringRef what, llvm::Expected<std::string> found,
                     Table &table, Diagnosis &diagnosis) {
  std::string words;
  bool isWell = bool(found);
  if (isWell)
    words = *found;
  else
    takeError(found.takeError(), words);
  diagnosis.isWell &= isWell;
  table.addRow({Cell::text(what), Cell::flag(isWell), Cell::text(words)});
}

Diagnosis inlay::diagnose() {
  Diagnosis diagnosis;
  Table table({{"what", ""}, {"well", "well"}, {"found", ""}});
  addCheck("CPU", tryCpu(), table, diagnosis);
  addCheck("machine code", tryCode(), table, diagnosis);
  for (StringRef triple : {"x86_64-linux-gnu", "aarch64-linux-gnu"})
    addCheck(("libraries for " + triple).str(), tryLibrary(triple), table,
             diagnosis);
  addCheck("cache of machine code", tryCache(), table, diagnosis);
  addCheck("targets", tryTargets(), table, diagnosis);
  diagnosis.report.addField("well", "", Cell::flag(diagnosis.isWell));
  diagnosis.report.addTable("checks", "what Inlay needs", table);
  return diagnosis;
}
