//===- Bindings.cpp - What the package inlay is made of -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verbs of the command line, and models that run on arrays. What people
// see is in inlay/__init__.py.
//
//===----------------------------------------------------------------------===//

#include "../tools/inlay/Commands.h"
#include "Arrays.h"
#include "Interrupt.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Origin.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Pipeline/Native.h"
#include "inlay/Pipeline/Run.h"
#include "inlay/Runtime/BoundInputs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <pybind11/stl.h>

using namespace inlay;
using namespace inlay::python;
namespace py = pybind11;

//===----------------------------------------------------------------------===//
// Verbs
//===----------------------------------------------------------------------===//

/// What a verb ends with.
struct VerbOutcome {
  int code;
  std::string json, text;
  std::vector<std::string> notes;
};

static std::string print(const Report &report, ReportFormat format) {
  std::string text;
  llvm::raw_string_ostream os(text);
  report.print(os, format);
  return os.str();
}

/// One verb at a time: some of what they use is the process's.
static std::mutex &getVerbMutex() {
  static std::mutex mutex;
  return mutex;
}

static llvm::Error runWords(const std::vector<std::string> &words,
                            VerbOutcome &outcome) {
  const VerbInfo *verb = findVerb(words.front());
  if (!verb)
    return usageError("unknown verb '" + words.front() + "'");
  std::vector<const char *> arguments;
  for (const std::string &word : llvm::ArrayRef(words).drop_front())
    arguments.push_back(word.c_str());
  auto parsed = Arguments::parse(*verb, arguments);
  if (!parsed)
    return parsed.takeError();
  auto result = runVerb(*verb, *parsed, nullptr);
  if (!result)
    return result.takeError();
  std::vector<std::string> notes(result->report.getWarnings());
  llvm::append_range(notes, result->report.getNotes());
  outcome = {int(result->code), print(result->report, ReportFormat::Json),
             print(result->report, ReportFormat::Text), std::move(notes)};
  return llvm::Error::success();
}

static VerbOutcome callVerb(const std::vector<std::string> &words) {
  VerbOutcome outcome;
  runInterruptibly(getVerbMutex(), [&] { return runWords(words, outcome); });
  return outcome;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

using Feeds = std::map<std::string, py::object>;

static std::vector<NamedTensor> toTensors(const Feeds &feeds) {
  std::vector<NamedTensor> tensors;
  for (const auto &[name, array] : feeds)
    tensors.push_back({name, fromArray(array, name)});
  return tensors;
}

static py::dict toArrays(llvm::ArrayRef<NamedTensor> tensors) {
  py::dict arrays;
  for (const NamedTensor &own : tensors)
    arrays[py::str(own.name)] = toArray(own.tensor, own.name);
  return arrays;
}

/// A tensor for each input of a graph. Those that are not given have a default.
static llvm::Expected<std::vector<GraphInput>>
matchInputs(mlir::func::FuncOp graph, llvm::ArrayRef<NamedTensor> given) {
  std::vector<GraphInput> inputs;
  llvm::StringSet<> known;
  std::vector<std::string> names;
  for (mlir::Value argument : graph.getArguments()) {
    GraphInput input;
    input.name = getValueName(argument).str();
    for (const NamedTensor &own : given)
      if (own.name == input.name)
        input.tensor = own.tensor;
    known.insert(input.name);
    names.push_back("'" + input.name + "'");
    inputs.push_back(std::move(input));
  }
  for (const NamedTensor &own : given)
    if (!known.contains(own.name))
      return usageError("the model has no input '" + own.name + "'; it has " +
                        llvm::join(names, ", "));
  return inputs;
}

static llvm::SmallVector<HostTensor>
getTensors(llvm::ArrayRef<GraphInput> inputs) {
  llvm::SmallVector<HostTensor> tensors;
  for (const GraphInput &input : inputs)
    tensors.push_back(input.tensor);
  return tensors;
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

using Dims = std::map<std::string, int64_t>;
using Shapes = std::map<std::string, std::vector<int64_t>>;

static ImportOptions makeImport(const Dims &dims, const Shapes &shapes,
                                const std::vector<std::string> &roots) {
  ImportOptions import;
  for (const auto &[name, extent] : dims)
    import.dims[name] = extent;
  for (const auto &[name, shape] : shapes)
    import.shapes[name] =
        llvm::SmallVector<int64_t>(shape.begin(), shape.end());
  import.dataRoots = roots;
  return import;
}

namespace {
/// A model that the reference executor runs.
class ReferenceModel {
public:
  ReferenceModel(const std::string &path, const Dims &dims,
                 const Shapes &shapes, const std::vector<std::string> &roots)
      : context(createContext()) {
    runInterruptibly(mutex, [&]() -> llvm::Error {
      auto loaded = loadModel(*context, path, makeImport(dims, shapes, roots));
      if (!loaded)
        return loaded.takeError();
      module = std::move(*loaded);
      return llvm::Error::success();
    });
  }

  py::dict run(const Feeds &feeds) {
    std::vector<NamedTensor> given = toTensors(feeds), outputs;
    runInterruptibly(mutex, [&]() -> llvm::Error {
      auto graph = getGraph(*module);
      if (!graph)
        return graph.takeError();
      auto inputs = matchInputs(*graph, given);
      if (!inputs)
        return inputs.takeError();
      auto computed = runGraph(*module, *inputs, nullptr);
      if (!computed)
        return computed.takeError();
      outputs = std::move(*computed);
      return llvm::Error::success();
    });
    return toArrays(outputs);
  }

private:
  std::mutex mutex;
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// A model as machine code for inputs of certain shapes.
class NativeProgramOfModel {
public:
  NativeProgramOfModel(const std::string &path, const Dims &dims,
                       const Shapes &shapes,
                       const std::vector<std::string> &roots,
                       const Feeds &feeds, unsigned threads)
      : context(createContext()) {
    std::vector<NamedTensor> given = toTensors(feeds);
    runInterruptibly(mutex, [&] {
      return compile(path, makeImport(dims, shapes, roots), given, threads);
    });
  }

  /// As short as it is, it is not interrupted.
  py::dict run(const Feeds &feeds) {
    std::vector<NamedTensor> given = toTensors(feeds), outputs;
    runAlone(mutex, [&]() -> llvm::Error {
      auto graph = getGraph(*model->compiled.module);
      if (!graph)
        return graph.takeError();
      auto inputs = matchInputs(*graph, given);
      if (!inputs)
        return inputs.takeError();
      auto results = model->program.run(getTensors(*inputs));
      if (!results)
        return results.takeError();
      auto named = nameOutputs(*model->compiled.module, *results);
      if (!named)
        return named.takeError();
      outputs = std::move(*named);
      return llvm::Error::success();
    });
    return toArrays(outputs);
  }

  std::string getReport() {
    Report report;
    reportProgram(model->program, report);
    return print(report, ReportFormat::Json);
  }

private:
  llvm::Error compile(const std::string &path, const ImportOptions &import,
                      llvm::ArrayRef<NamedTensor> given, unsigned threads) {
    auto loaded = loadModel(*context, path, import);
    if (!loaded)
      return loaded.takeError();
    auto graph = getGraph(**loaded);
    if (!graph)
      return graph.takeError();
    auto inputs = matchInputs(*graph, given);
    if (!inputs)
      return inputs.takeError();
    // What is missing, or of another type, is said before code is made.
    auto bound = bindInputs(*graph, getTensors(*inputs));
    if (!bound)
      return bound.takeError();
    NativeRequest request;
    request.model = path;
    request.import = import;
    request.threads = threads;
    auto compiled = compileNative(*context, request, *inputs);
    if (!compiled)
      return compiled.takeError();
    model.emplace(std::move(*compiled));
    return llvm::Error::success();
  }

  std::mutex mutex;
  std::unique_ptr<mlir::MLIRContext> context;
  std::optional<NativeModel> model;
};
} // namespace

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// Makes inlay.Error of what went wrong; the class itself is in Python.
static void translate(std::exception_ptr pointer) {
  try {
    if (pointer)
      std::rethrow_exception(pointer);
  } catch (const Failure &failure) {
    py::object type = py::module_::import("inlay").attr("Error");
    py::object error = type(failure.message, int(failure.code));
    PyErr_SetObject(type.ptr(), error.ptr());
  }
}

PYBIND11_MODULE(_inlay, module) {
  py::register_exception_translator(&translate);
  py::class_<VerbOutcome>(module, "VerbOutcome")
      .def_readonly("code", &VerbOutcome::code)
      .def_readonly("json", &VerbOutcome::json)
      .def_readonly("text", &VerbOutcome::text)
      .def_readonly("notes", &VerbOutcome::notes);
  module.def("call", &callVerb, py::arg("words"));
  py::class_<ReferenceModel>(module, "ReferenceModel")
      .def(py::init<const std::string &, const Dims &, const Shapes &,
                    const std::vector<std::string> &>())
      .def("run", &ReferenceModel::run);
  py::class_<NativeProgramOfModel>(module, "NativeProgram")
      .def(
          py::init<const std::string &, const Dims &, const Shapes &,
                   const std::vector<std::string> &, const Feeds &, unsigned>())
      .def("run", &NativeProgramOfModel::run)
      .def("report", &NativeProgramOfModel::getReport);
}
