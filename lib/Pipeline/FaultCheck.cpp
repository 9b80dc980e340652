//===- FaultCheck.cpp - Whether a model shows a fault ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FaultCheck.h"
#include "ModelPair.h"
#include "inlay/IR/Graph.h"
#include "inlay/ONNX/Export.h"
#include "inlay/Pipeline/Native.h"
#include "inlay/Pipeline/TensorFiles.h"
#include "inlay/Support/Cancellation.h"
#include "inlay/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <unistd.h>

using namespace inlay;
using namespace mlir;

llvm::Error inlay::writeInputs(StringRef path, ArrayRef<GraphInput> inputs) {
  std::vector<NamedTensor> members;
  for (const GraphInput &input : inputs)
    if (input.tensor && isNpyType(input.tensor.getType()))
      members.push_back({escapeMemberName(input.name), input.tensor});
  return writeNpz(path, members);
}

llvm::Expected<std::unique_ptr<FaultCheck>>
FaultCheck::create(const ReduceOptions &options) {
  std::unique_ptr<FaultCheck> check(new FaultCheck(options));
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("inlay-reduce", check->folder))
    return ioError("cannot make a temporary folder: " + code.message());
  check->model = (check->folder + "/model.onnx").str();
  check->inputs = (check->folder + "/inputs.npz").str();
  return check;
}

FaultCheck::~FaultCheck() { llvm::sys::fs::remove_directories(folder); }

//===----------------------------------------------------------------------===//
// Differences
//===----------------------------------------------------------------------===//

bool FaultCheck::differs(const Candidate &candidate) const {
  auto graphB = getGraph(candidate.b.get());
  if (!graphB) {
    llvm::consumeError(graphB.takeError());
    return false;
  }
  auto inputsB = selectInputs(*graphB, candidate.inputs);
  if (!inputsB) {
    llvm::consumeError(inputsB.takeError());
    return false;
  }
  SmallVector<HostTensor> a = getTensors(candidate.inputs);
  SmallVector<HostTensor> b = getTensors(*inputsB);
  auto layers = compareLayers({"a", candidate.a.get(), a, nullptr, true},
                              {"b", candidate.b.get(), b, nullptr, true},
                              options.options);
  if (layers)
    return layers->first.has_value();
  llvm::consumeError(layers.takeError());
  return false;
}

bool FaultCheck::differsNatively() const {
  CompareRequest request;
  request.a = request.b = model;
  request.inputs = {inputs, "random:0"};
  request.isNative = true;
  request.options = options.options;
  auto result = compare(request);
  if (result)
    return !result->isEqual;
  llvm::consumeError(result.takeError());
  return false;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

bool FaultCheck::writeFiles(const Candidate &candidate) {
  auto written = exportModel(candidate.a.get(), model);
  llvm::Error error =
      written ? writeInputs(inputs, candidate.inputs) : written.takeError();
  bool isWritten = !error;
  llvm::consumeError(std::move(error));
  return isWritten;
}

int FaultCheck::runCommand() const {
  auto shell = llvm::sys::findProgramByName("sh");
  if (!shell)
    return -1;
  std::vector<std::string> environment = {"MODEL=" + model, "INPUTS=" + inputs};
  for (char **entry = environ; *entry; ++entry)
    if (!StringRef(*entry).starts_with("MODEL=") &&
        !StringRef(*entry).starts_with("INPUTS="))
      environment.push_back(*entry);
  SmallVector<StringRef> words(environment.begin(), environment.end());
  std::optional<StringRef> none[] = {StringRef(""), StringRef(""),
                                     StringRef("")};
  return llvm::sys::ExecuteAndWait(*shell, {"sh", "-c", options.check},
                                   ArrayRef<StringRef>(words), none);
}

int FaultCheck::runCompiler() const {
  std::string output = (folder + "/compiled").str();
  SmallVector<StringRef> words = {options.program, "compile", model, "-o",
                                  output};
  words.append(options.compileArguments.begin(),
               options.compileArguments.end());
  std::optional<StringRef> none[] = {StringRef(""), StringRef(""),
                                     StringRef("")};
  return llvm::sys::ExecuteAndWait(options.program, words, std::nullopt, none);
}

/// Whether compiling crashed: what takes more than the machine gives does, too,
/// while other codes are answers.
static bool isCrash(int code) {
  return code == int(ExitCode::Internal) || code == int(machineLimit) ||
         code == -2;
}

int FaultCheck::runProgram(const Candidate &candidate) {
  if (!writeFiles(candidate))
    return 0;
  if (options.kind == FaultKind::Check)
    return runCommand();
  int code = runCompiler();
  return isCrash(code) ? code : 0;
}

//===----------------------------------------------------------------------===//
// Any of them
//===----------------------------------------------------------------------===//

std::optional<std::string> FaultCheck::begin(const Candidate &whole) {
  switch (options.kind) {
  case FaultKind::Differs:
    if (differs(whole))
      return "differs from " + options.other;
    return std::nullopt;
  case FaultKind::Native:
    if (writeFiles(whole) && differsNatively())
      return "differs as machine code";
    return std::nullopt;
  case FaultKind::Check:
  case FaultKind::Crashes:
    expected = runProgram(whole);
    if (expected == 0 || expected == -1)
      return std::nullopt;
    return expected == -2 ? "ends by a signal"
                          : "ends with exit code " + std::to_string(expected);
  }
  llvm_unreachable("no such kind");
}

bool FaultCheck::shows(const Candidate &candidate) {
  if (isCancelled())
    return false;
  bool found = false;
  switch (options.kind) {
  case FaultKind::Differs:
    found = differs(candidate);
    break;
  case FaultKind::Native:
    found = writeFiles(candidate) && differsNatively();
    break;
  case FaultKind::Check:
  case FaultKind::Crashes:
    found = runProgram(candidate) == expected;
    break;
  }
  // An interrupt reaches programs as well: what they then say counts nothing.
  return found && !isCancelled();
}
