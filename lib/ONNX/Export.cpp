//===- Export.cpp - From the dialect to ONNX ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/ONNX/Export.h"
#include "GraphExporter.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/ModuleAttrs.h"
#include "inlay/Support/Error.h"
#include "llvm/Support/Path.h"

using namespace inlay;
using namespace inlay::onnx;
namespace ModelField = proto::ModelField;
namespace OperatorSetIdField = proto::OperatorSetIdField;
using namespace mlir;

//===----------------------------------------------------------------------===//
// The model around the graph
//===----------------------------------------------------------------------===//

/// The model's own IR version, or the first that can say what it must.
static int64_t getIRVersion(ModuleOp module) {
  auto own = module->getAttrOfType<IntegerAttr>(attrs::irVersion);
  int64_t version = own ? own.getInt() : minFunctionIRVersion;
  bool hasFunctions = module
                          .walk([](Operation *op) {
                            return isa<InLayoutOp, GroupOp>(op)
                                       ? WalkResult::interrupt()
                                       : WalkResult::advance();
                          })
                          .wasInterrupted();
  return hasFunctions ? std::max(version, minFunctionIRVersion) : version;
}

unsigned inlay::getOpset(ModuleOp module) {
  auto opsets = module->getAttrOfType<DictionaryAttr>(attrs::opsets);
  auto own = opsets ? opsets.getAs<IntegerAttr>("ai.onnx") : IntegerAttr();
  return own ? own.getInt() : 0;
}

/// The opsets that the model imports, those of functions included.
static DictionaryAttr getOpsets(ModuleOp module,
                                const FunctionTable &functions) {
  NamedAttrList opsets(module->getAttrOfType<DictionaryAttr>(attrs::opsets));
  Builder builder(module.getContext());
  for (const std::string &domain : functions.getDomains())
    if (!opsets.get(domain))
      opsets.set(domain, builder.getI64IntegerAttr(targetDomainVersion));
  return opsets.getDictionary(module.getContext());
}

static void writeModelFields(ModuleOp module, int64_t irVersion,
                             DictionaryAttr opsets, MessageWriter &message) {
  auto addText = [&](unsigned field, StringRef name) {
    if (auto text = module->getAttrOfType<StringAttr>(name))
      message.addString(field, text.getValue());
  };
  message.addInt(ModelField::IRVersion, irVersion);
  addText(ModelField::ProducerName, attrs::producerName);
  addText(ModelField::ProducerVersion, attrs::producerVersion);
  addText(ModelField::Domain, attrs::domain);
  if (auto number = module->getAttrOfType<IntegerAttr>(attrs::modelVersion))
    message.addInt(ModelField::ModelVersion, number.getInt());
  addText(ModelField::DocString, attrs::doc);
  for (NamedAttribute entry : opsets)
    message.addMessage(ModelField::OpsetImport, [&](MessageWriter &import) {
      StringRef domain = entry.getName();
      import.addString(OperatorSetIdField::Domain,
                       domain == "ai.onnx" ? "" : domain);
      import.addInt(OperatorSetIdField::Version,
                    cast<IntegerAttr>(entry.getValue()).getInt());
    });
  if (auto metadata = module->getAttrOfType<DictionaryAttr>(attrs::metadata))
    for (NamedAttribute entry : metadata)
      message.addEntry(ModelField::MetadataProps, entry.getName(),
                       cast<StringAttr>(entry.getValue()));
  auto addRaw = [&](unsigned field, StringRef name) {
    if (auto raw = module->getAttrOfType<ArrayAttr>(name))
      for (Attribute each : raw)
        message.addString(field, cast<StringAttr>(each).getValue());
  };
  addRaw(ModelField::TrainingInfo, attrs::trainingInfo);
  addRaw(ModelField::Configuration, attrs::deviceConfigurations);
}

//===----------------------------------------------------------------------===//
// The data file
//===----------------------------------------------------------------------===//

static uint64_t countDataBytes(ModuleOp module) {
  uint64_t total = 0;
  module.walk([&](ConstantOp op) { total += getByteSize(op.getValue()); });
  return total;
}

static bool wantsDataFile(ModuleOp module, ExternalData option) {
  if (option == ExternalData::Auto)
    return countDataBytes(module) > autoExternalBytes;
  return option == ExternalData::Always;
}

//===----------------------------------------------------------------------===//
// All together
//===----------------------------------------------------------------------===//

llvm::Expected<ExportSummary> inlay::exportModel(ModuleOp module,
                                                 StringRef path,
                                                 const ExportOptions &options) {
  auto graphs = module.getOps<func::FuncOp>();
  if (graphs.empty() || std::next(graphs.begin()) != graphs.end())
    return unsupportedError("expected one function to export");
  auto *dialect = module.getContext()->getLoadedDialect<InlayDialect>();
  ExportSummary summary;
  TensorWriter tensors;
  std::unique_ptr<OutputFile> dataFile;
  if (wantsDataFile(module, options.externalData)) {
    summary.dataPath = dialect->getDataFiles().chooseDataPath(path);
    auto file = OutputFile::create(summary.dataPath);
    if (!file)
      return file.takeError();
    dataFile = std::move(*file);
    tensors.useDataFile(*dataFile, llvm::sys::path::filename(summary.dataPath));
  }
  MessageWriter graph;
  FunctionTable functions(module);
  int64_t irVersion = getIRVersion(module);
  GraphExporter exporter(module, irVersion, tensors, functions);
  if (llvm::Error error = exporter.exportFunction(*graphs.begin(), graph))
    return std::move(error);
  summary.numNodes = exporter.getNumNodes();
  MessageWriter model;
  writeModelFields(module, irVersion, getOpsets(module, functions), model);
  model.addMessage(ModelField::Graph, std::move(graph));
  functions.write(model);

  auto file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  if (llvm::Error error = model.writeTo(**file))
    return std::move(error);
  summary.modelBytes = (*file)->getPosition();
  if (dataFile) {
    summary.dataBytes = dataFile->getPosition();
    if (llvm::Error error = dataFile->commit())
      return std::move(error);
  }
  if (llvm::Error error = (*file)->commit())
    return std::move(error);
  return summary;
}
