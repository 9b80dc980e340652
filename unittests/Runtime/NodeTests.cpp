//===- NodeTests.cpp - ONNX's own operator tests in the executor ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   inlay-node-tests --root DIR --expect FILE [--only NAME] [--native FILE]
//
// Every folder of DIR has a model, inputs and the outputs they must give. FILE
// lists the tests that are known to fail, one "name: reason" a line. A test
// that fails without being listed, or passes although it is, is a regression.
// Tests of nodes that are opaque here, and of strings, are skipped. With
// --native the models run as machine code; FILE lists those in which a step has
// no code and is evaluated, and must be true in both directions.
//
//===----------------------------------------------------------------------===//

#include "inlay/Codegen/NativeProgram.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/ONNX/Import.h"
#include "inlay/ONNX/TensorData.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Dispatch.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <map>

using namespace inlay;
using namespace mlir;
namespace fs = llvm::sys::fs;

//===----------------------------------------------------------------------===//
// Equality as ONNX's tests define it
//===----------------------------------------------------------------------===//

namespace {
struct Tolerance {
  double relative, absolute;
};
} // namespace

static Tolerance getTolerance(ElementType type) {
  if (!isFloat(type))
    return {0, 0};
  if (getBitWidth(type) <= 16)
    return {1e-2, 1e-2};
  return {1e-3, 1e-5};
}

static bool isClose(double actual, double expected, Tolerance tolerance) {
  if (std::isnan(expected) || std::isinf(expected))
    return std::isnan(expected) ? std::isnan(actual) : actual == expected;
  return std::fabs(actual - expected) <=
         tolerance.absolute + tolerance.relative * std::fabs(expected);
}

/// What is wrong with an output, or nothing.
static std::string compareOutput(const HostTensor &actual,
                                 const HostTensor &expected) {
  if (actual.getType() != expected.getType())
    return ("is " + getName(actual.getType()) + ", expected " +
            getName(expected.getType()))
        .str();
  if (actual.getShape() != expected.getShape())
    return "has shape " + formatShape(actual.getShape()) + ", expected " +
           formatShape(expected.getShape());
  if (!isNumeric(actual.getType()))
    return actual.getBytes() == expected.getBytes() ? "" : "differs";
  Tolerance tolerance = getTolerance(actual.getType());
  for (int64_t i = 0, e = actual.getNumElements(); i != e; ++i) {
    bool isEqual =
        tolerance.relative == 0
            ? actual.getInt(i) == expected.getInt(i)
            : isClose(actual.getDouble(i), expected.getDouble(i), tolerance);
    if (!isEqual)
      return "element " + std::to_string(i) + " is " +
             std::to_string(actual.getDouble(i)) + ", expected " +
             std::to_string(expected.getDouble(i));
  }
  return "";
}

//===----------------------------------------------------------------------===//
// One test
//===----------------------------------------------------------------------===//

namespace {
enum class Outcome { Passed, Failed, Opaque, Strings };

struct TestResult {
  Outcome outcome = Outcome::Passed;
  std::string reason;
  /// Whether a step has no code.
  bool isEvaluated = false;
};

/// What runs the models: the executor, or machine code.
enum class Engine { Executor, Native };
} // namespace

static TestResult failWith(llvm::Error error) {
  std::string message;
  takeError(std::move(error), message);
  return {Outcome::Failed, message};
}

/// The test data declares the bits of bfloat16 as uint16.
static HostTensor adoptType(const HostTensor &tensor, Type type) {
  auto declared = dyn_cast<TensorType>(type);
  if (!declared || !declared.getElementType().isBF16() ||
      tensor.getType() != ElementType::UInt16)
    return tensor;
  return HostTensor::view(ElementType::BFloat16, tensor.getShape(),
                          tensor.getBytes(),
                          std::make_shared<HostTensor>(tensor));
}

/// The tensors of prefix0.pb, prefix1.pb...
static llvm::Expected<SmallVector<HostTensor>>
readAll(StringRef folder, StringRef prefix, TypeRange types) {
  SmallVector<HostTensor> tensors;
  for (unsigned i = 0; i < types.size(); ++i) {
    std::string path = (folder + "/" + prefix + Twine(i) + ".pb").str();
    if (!fs::exists(path))
      break;
    auto tensor = readTensorFile(path);
    if (!tensor)
      return tensor.takeError();
    tensors.push_back(adoptType(*tensor, types[i]));
  }
  return tensors;
}

/// Whether the test is none of the executor's business.
static std::optional<Outcome> findSkip(func::FuncOp graph) {
  bool hasOpaque = graph.getBody()
                       .walk([](OpaqueOp) { return WalkResult::interrupt(); })
                       .wasInterrupted();
  SmallVector<Type> types(graph.getArgumentTypes());
  llvm::append_range(types, graph.getResultTypes());
  for (Type type : types)
    hasOpaque |= isa<OpaqueValueType>(type);
  if (hasOpaque)
    return Outcome::Opaque;
  for (Type type : types)
    if (auto tensor = dyn_cast<TensorType>(type))
      if (isa<StringType>(tensor.getElementType()))
        return Outcome::Strings;
  return std::nullopt;
}

static llvm::Expected<SmallVector<HostTensor>>
runModel(ModuleOp module, ArrayRef<HostTensor> inputs, Engine engine,
         bool &isEvaluated) {
  if (engine == Engine::Executor)
    return execute(module, inputs);
  auto program = NativeProgram::compile(module, {});
  if (!program)
    return program.takeError();
  isEvaluated |= llvm::any_of(program->getSteps(), [](const NativeStep *step) {
    return step->kind == StepKind::Evaluated && step->op->getNumRegions() == 0;
  });
  return program->run(inputs);
}

static TestResult runDataSet(ModuleOp module, func::FuncOp graph,
                             StringRef folder, Engine engine) {
  auto inputs = readAll(folder, "input_", graph.getArgumentTypes());
  if (!inputs)
    return failWith(inputs.takeError());
  auto expected = readAll(folder, "output_", graph.getResultTypes());
  if (!expected)
    return failWith(expected.takeError());
  inputs->resize(graph.getNumArguments());
  bool isEvaluated = false;
  auto actual = runModel(module, *inputs, engine, isEvaluated);
  if (!actual)
    return failWith(actual.takeError());
  if (actual->size() != expected->size())
    return {Outcome::Failed, std::to_string(actual->size()) + " outputs, " +
                                 std::to_string(expected->size()) +
                                 " expected"};
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(*actual, *expected)))
    if (std::string reason =
            compareOutput(std::get<0>(pair), std::get<1>(pair));
        !reason.empty())
      return {Outcome::Failed, "output " + std::to_string(i) + " " + reason};
  return {Outcome::Passed, "", isEvaluated};
}

static TestResult runTest(MLIRContext &context, StringRef folder,
                          Engine engine) {
  auto module = importModelFile(context, (folder + "/model.onnx").str());
  if (!module)
    return failWith(module.takeError());
  auto graph = getGraph(**module);
  if (!graph)
    return failWith(graph.takeError());
  if (std::optional<Outcome> skip = findSkip(*graph))
    return {*skip, ""};
  unsigned numSets = 0;
  bool isEvaluated = false;
  for (;; ++numSets) {
    std::string set = (folder + "/test_data_set_" + Twine(numSets)).str();
    if (!fs::is_directory(set))
      break;
    TestResult result = runDataSet(**module, *graph, set, engine);
    if (result.outcome != Outcome::Passed)
      return result;
    isEvaluated |= result.isEvaluated;
  }
  if (numSets == 0)
    return {Outcome::Failed, "has no data"};
  return {Outcome::Passed, "", isEvaluated};
}

//===----------------------------------------------------------------------===//
// All tests
//===----------------------------------------------------------------------===//

static std::vector<std::string> listTests(StringRef root) {
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator it(root, code), end; it != end && !code;
       it.increment(code))
    names.push_back(llvm::sys::path::filename(it->path()).str());
  llvm::sort(names);
  return names;
}

/// "name: reason" lines; '#' begins a comment.
static std::optional<std::map<std::string, std::string>>
readExpectations(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return std::nullopt;
  std::map<std::string, std::string> reasons;
  SmallVector<StringRef> lines;
  (*file)->getBuffer().split(lines, '\n');
  for (StringRef line : lines) {
    line = line.trim();
    if (line.empty() || line.starts_with("#"))
      continue;
    auto [name, reason] = line.split(':');
    reasons[name.trim().str()] = reason.trim().str();
  }
  return reasons;
}

namespace {
struct Totals {
  unsigned passed = 0, failed = 0, known = 0, opaque = 0, strings = 0;
  /// Passed, with a step that has no code.
  unsigned evaluated = 0;
};
} // namespace

static void report(StringRef name, const TestResult &result, bool isListed,
                   Totals &totals) {
  switch (result.outcome) {
  case Outcome::Opaque:
    ++totals.opaque;
    break;
  case Outcome::Strings:
    ++totals.strings;
    break;
  case Outcome::Passed:
    ++(isListed ? totals.failed : totals.passed);
    if (isListed)
      llvm::outs() << "UNEXPECTED PASS " << name << '\n';
    return;
  case Outcome::Failed:
    ++(isListed ? totals.known : totals.failed);
    llvm::outs() << (isListed ? "KNOWN " : "FAILED ") << name << ": "
                 << result.reason << '\n';
    return;
  }
  if (isListed) {
    ++totals.failed;
    llvm::outs() << "LISTED BUT SKIPPED " << name << '\n';
  }
}

/// Whether a test has code for all of its steps as the list says.
static void checkCode(StringRef name, const TestResult &result, bool isListed,
                      Totals &totals) {
  totals.evaluated += result.isEvaluated;
  if (result.isEvaluated == isListed)
    return;
  ++totals.failed;
  llvm::outs() << (isListed ? "LISTED BUT HAS CODE " : "HAS NO CODE ") << name
               << '\n';
}

static int runAll(StringRef root, StringRef expectFile, StringRef only,
                  StringRef nativeFile) {
  auto known = readExpectations(expectFile);
  bool isNative = !nativeFile.empty();
  auto evaluated = readExpectations(isNative ? nativeFile : expectFile);
  if (!evaluated) {
    llvm::errs() << "cannot read " << nativeFile << '\n';
    return 2;
  }
  std::vector<std::string> names = listTests(root);
  if (!known || names.empty()) {
    llvm::errs() << "cannot read " << (known ? root : expectFile) << '\n';
    return 2;
  }
  MLIRContext context(MLIRContext::Threading::DISABLED);
  registerEvaluation(context);
  Totals totals;
  for (const std::string &name : names) {
    if (!only.empty() && name != only)
      continue;
    TestResult result = runTest(context, (root + "/" + name).str(),
                                isNative ? Engine::Native : Engine::Executor);
    report(name, result, known->erase(name) != 0, totals);
    if (isNative && result.outcome == Outcome::Passed)
      checkCode(name, result, evaluated->count(name) != 0, totals);
  }
  if (only.empty())
    for (const auto &[name, reason] : *known) {
      llvm::outs() << "LISTED BUT MISSING " << name << '\n';
      ++totals.failed;
    }
  llvm::outs() << "skipped: " << totals.opaque << " with opaque nodes, "
               << totals.strings << " with strings; " << totals.known
               << " known failures\n";
  if (isNative)
    llvm::outs() << totals.evaluated << " with a step that has no code\n";
  llvm::outs() << totals.passed << " passed, " << totals.failed << " failed, "
               << totals.opaque + totals.strings + totals.known << " skipped\n";
  return totals.failed == 0 && totals.passed != 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  StringRef root, expectFile, only, nativeFile;
  for (int i = 1; i + 1 < argc; i += 2) {
    StringRef option = argv[i];
    if (option == "--root")
      root = argv[i + 1];
    else if (option == "--expect")
      expectFile = argv[i + 1];
    else if (option == "--only")
      only = argv[i + 1];
    else if (option == "--native")
      nativeFile = argv[i + 1];
  }
  if (root.empty() || expectFile.empty()) {
    llvm::errs() << "usage: inlay-node-tests --root DIR --expect FILE "
                    "[--only NAME] [--native FILE]\n";
    return 2;
  }
  return runAll(root, expectFile, only, nativeFile);
}
