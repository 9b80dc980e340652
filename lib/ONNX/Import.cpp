//===- Import.cpp - From ONNX to the dialect ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/ONNX/Import.h"
#include "GraphImporter.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/ModuleAttrs.h"
#include "inlay/ONNX/ProtoReader.h"
#include "inlay/Support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/DenseSet.h"

using namespace inlay;
using namespace inlay::onnx;
using namespace mlir;

namespace {
/// The graph of a model, under construction as a function.
class ModelImporter {
public:
  ModelImporter(MLIRContext &context, const ParsedModel &parsed,
                const ImportOptions &options)
      : context(&context), parsed(parsed), model(parsed.message),
        options(options), builder(&context) {}

  llvm::Expected<OwningOpRef<ModuleOp>> run();

private:
  llvm::Error checkVersions() const;
  void setModelAttributes(ModuleOp module);
  llvm::Error importInputs();
  llvm::Expected<Type> getInputType(const proto::ValueInfo &input,
                                    ArrayAttr &names) const;
  llvm::Error finishFunction(ArrayRef<Value> outputs);
  llvm::Expected<DictionaryAttr> getOutputAttrs(const proto::ValueInfo &output,
                                                Type type);

  MLIRContext *context;
  const ParsedModel &parsed;
  const proto::Model &model;
  const ImportOptions &options;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  Scope scope;
  SmallVector<DictionaryAttr> inputAttrs;
  llvm::DenseMap<StringRef, const proto::Tensor *> initializers;
  llvm::DenseSet<StringRef> inputNames;
  std::unique_ptr<GraphImporter> graphImporter;
};
} // namespace

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

llvm::Error ModelImporter::checkVersions() const {
  if (!model.hasGraph)
    return modelError("the file has no graph");
  if (model.irVersion < 1 || model.irVersion > maxIRVersion)
    return modelError("IR version " + llvm::Twine(model.irVersion) +
                      " is not supported, expected 1 to " +
                      llvm::Twine(maxIRVersion));
  if (model.opsetImports.empty())
    return modelError("the model imports no opset");
  for (const proto::OperatorSetId &import : model.opsetImports) {
    bool isOnnx = import.domain.empty() || import.domain == "ai.onnx";
    if (isOnnx && (import.version < 1 || import.version > maxOpset))
      return modelError("opset " + llvm::Twine(import.version) +
                        " is not supported, expected 1 to " +
                        llvm::Twine(maxOpset));
  }
  return llvm::Error::success();
}

void ModelImporter::setModelAttributes(ModuleOp module) {
  NamedAttrList opsets;
  for (const proto::OperatorSetId &import : model.opsetImports)
    opsets.set(import.domain.empty() ? "ai.onnx" : import.domain,
               builder.getI64IntegerAttr(import.version));
  module->setAttr(attrs::irVersion, builder.getI64IntegerAttr(model.irVersion));
  module->setAttr(attrs::opsets, opsets.getDictionary(context));
  auto setText = [&](StringRef name, StringRef text) {
    if (!text.empty())
      module->setAttr(name, builder.getStringAttr(text));
  };
  setText(attrs::producerName, model.producerName);
  setText(attrs::producerVersion, model.producerVersion);
  setText(attrs::domain, model.domain);
  setText(attrs::doc, model.docString);
  if (model.modelVersion)
    module->setAttr(attrs::modelVersion,
                    builder.getI64IntegerAttr(*model.modelVersion));
  if (auto metadata = importMetadata(context, model.metadata))
    module->setAttr(attrs::metadata, metadata);
  if (!model.graph.valueInfos.empty())
    module->setAttr(attrs::hasValueInfo, builder.getUnitAttr());
  if (auto raw = importRaw(context, model.trainingInfos))
    module->setAttr(attrs::trainingInfo, raw);
  if (auto raw = importRaw(context, model.deviceConfigurations))
    module->setAttr(attrs::deviceConfigurations, raw);
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// Puts the extents that the caller fixes into the type.
llvm::Expected<Type> ModelImporter::getInputType(const proto::ValueInfo &input,
                                                 ArrayAttr &names) const {
  auto type = importType(context, input.type);
  if (!type)
    return addContext("input " + quoteForMessage(input.name) + ": ",
                      type.takeError());
  auto tensor = dyn_cast<TensorType>(*type);
  if (auto fixed = options.shapes.find(input.name);
      fixed != options.shapes.end()) {
    if (!tensor)
      return usageError("input '" + input.name +
                        "' is not a tensor: it has no "
                        "shape to fix");
    auto given = RankedTensorType::get(fixed->second, tensor.getElementType());
    Type met = meetTypes(given, *type);
    if (!met)
      return usageError("shape " + formatShape(fixed->second) +
                        " does not fit input '" + input.name + "'");
    names = {};
    return met;
  }
  auto ranked = dyn_cast<RankedTensorType>(*type);
  if (!ranked || !names)
    return *type;
  SmallVector<int64_t> shape(ranked.getShape());
  SmallVector<Attribute> rest(names.begin(), names.end());
  for (auto [extent, name] : llvm::zip_equal(shape, rest)) {
    auto fixed = options.dims.find(cast<StringAttr>(name).getValue());
    if (fixed == options.dims.end())
      continue;
    extent = fixed->second;
    name = StringAttr::get(context, "");
  }
  names = ArrayAttr::get(context, rest);
  return RankedTensorType::get(shape, ranked.getElementType());
}

llvm::Error ModelImporter::importInputs() {
  for (const proto::Tensor &tensor : model.graph.initializers)
    initializers[tensor.name] = &tensor;
  Block &block = function.getBody().front();
  SmallVector<Attribute> order;
  bool hasInitializers = false;
  for (const proto::ValueInfo &input : model.graph.inputs) {
    if (input.name.empty())
      return modelError("an input has no name");
    order.push_back(builder.getStringAttr(input.name));
    const proto::Tensor *initializer = initializers.lookup(input.name);
    // Until IR version 4 every initializer had to be listed as an input.
    if (initializer && model.irVersion < 4) {
      hasInitializers = true;
      continue;
    }
    ArrayAttr names = importDimNames(context, input.type);
    auto type = getInputType(input, names);
    if (!type)
      return type.takeError();
    NamedAttrList list;
    list.set(attrs::name, builder.getStringAttr(input.name));
    if (names)
      list.set(attrs::dims, names);
    if (!input.docString.empty())
      list.set(attrs::doc, builder.getStringAttr(input.docString));
    if (auto metadata = importMetadata(context, input.metadata))
      list.set(attrs::metadata, metadata);
    if (initializer) {
      auto value = graphImporter->getAttributes().importTensor(*initializer);
      if (!value)
        return value.takeError();
      if (!meetTypes(*type, value->getType()))
        return modelError("input " + quoteForMessage(input.name) +
                          " is declared with another type or shape than its "
                          "initializer has");
      list.set(attrs::defaultValue, *value);
    }
    inputAttrs.push_back(list.getDictionary(context));
    Value argument = block.addArgument(*type, UnknownLoc::get(context));
    if (!scope.values.try_emplace(input.name, argument).second)
      return modelError("input " + quoteForMessage(input.name) +
                        " is declared twice");
    inputNames.insert(input.name);
  }
  if (hasInitializers)
    function->setAttr(attrs::inputOrder, builder.getArrayAttr(order));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

llvm::Expected<DictionaryAttr>
ModelImporter::getOutputAttrs(const proto::ValueInfo &output, Type type) {
  NamedAttrList list;
  list.set(attrs::name, builder.getStringAttr(output.name));
  auto declared = importType(context, output.type);
  if (!declared)
    return addContext("output " + quoteForMessage(output.name) + ": ",
                      declared.takeError());
  bool isFixed = !options.dims.empty() || !options.shapes.empty();
  if (*declared != type && !isFixed)
    list.set(attrs::declaredType, TypeAttr::get(*declared));
  ArrayAttr names = importDimNames(context, output.type);
  // Symbols whose value is fixed name nothing any more.
  if (names && !isFixed)
    list.set(attrs::dims, names);
  else if (names) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    SmallVector<Attribute> rest;
    for (auto [i, name] : llvm::enumerate(names)) {
      bool isFixed =
          options.dims.contains(cast<StringAttr>(name).getValue()) ||
          (ranked && i < size_t(ranked.getRank()) && !ranked.isDynamicDim(i));
      rest.push_back(isFixed ? builder.getStringAttr("") : name);
    }
    list.set(attrs::dims, builder.getArrayAttr(rest));
  }
  if (!output.docString.empty())
    list.set(attrs::doc, builder.getStringAttr(output.docString));
  if (auto metadata = importMetadata(context, output.metadata))
    list.set(attrs::metadata, metadata);
  return list.getDictionary(context);
}

llvm::Error ModelImporter::finishFunction(ArrayRef<Value> outputs) {
  builder.setInsertionPointToEnd(&function.getBody().front());
  builder.create<func::ReturnOp>(UnknownLoc::get(context), outputs);
  function.setFunctionType(builder.getFunctionType(
      function.getBody().getArgumentTypes(), ValueRange(outputs).getTypes()));
  function.setAllArgAttrs(inputAttrs);
  SmallVector<DictionaryAttr> resultAttrs;
  for (auto [output, value] : llvm::zip_equal(model.graph.outputs, outputs)) {
    auto list = getOutputAttrs(output, value.getType());
    if (!list)
      return list.takeError();
    resultAttrs.push_back(*list);
  }
  function.setAllResultAttrs(resultAttrs);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// All together
//===----------------------------------------------------------------------===//

llvm::Expected<OwningOpRef<ModuleOp>> ModelImporter::run() {
  if (llvm::Error error = checkVersions())
    return std::move(error);
  Location loc = UnknownLoc::get(context);
  module = ModuleOp::create(loc);
  setModelAttributes(*module);
  const proto::Graph &graph = model.graph;
  builder.setInsertionPointToEnd(module->getBody());
  function = builder.create<func::FuncOp>(loc, "main",
                                          builder.getFunctionType({}, {}));
  function.addEntryBlock();
  function->setAttr(attrs::graphName, builder.getStringAttr(graph.name));
  if (!graph.docString.empty())
    function->setAttr(attrs::doc, builder.getStringAttr(graph.docString));
  if (auto metadata = importMetadata(context, graph.metadata))
    function->setAttr(attrs::metadata, metadata);
  if (auto raw = importRaw(context, graph.quantizationAnnotations))
    function->setAttr(attrs::quantizationAnnotations, raw);

  graphImporter =
      std::make_unique<GraphImporter>(context, model, parsed.file, options);
  Block *block = &function.getBody().front();
  SmallVector<Value> outputs;
  if (llvm::Error error = importInputs())
    return std::move(error);
  if (llvm::Error error =
          graphImporter->importInitializers(graph, block, scope, inputNames))
    return std::move(error);
  if (llvm::Error error =
          graphImporter->importBody(graph, block, scope, nullptr, outputs))
    return std::move(error);
  if (llvm::Error error = finishFunction(outputs))
    return std::move(error);
  graphImporter->eraseConsumedConstants();
  graphImporter->finishKernels();
  graphImporter->getRemoved().write(*module);
  if (failed(verify(*module)))
    return graphImporter->takeDiagnostics();
  return std::move(module);
}

llvm::Expected<OwningOpRef<ModuleOp>>
inlay::importModel(MLIRContext &context, std::shared_ptr<const MappedFile> file,
                   const ImportOptions &options) {
  context.loadDialect<InlayDialect, func::FuncDialect>();
  auto parsed = parseModel(file);
  if (!parsed)
    return parsed.takeError();
  auto module = ModelImporter(context, **parsed, options).run();
  if (module)
    return module;
  std::string message;
  ExitCode code = takeError(module.takeError(), message);
  // Errors about tensors say in which file they lie.
  if (StringRef(message).starts_with(file->getPath()))
    return makeError(code, message);
  return makeError(code, file->getPath() + ": " + message);
}

llvm::Expected<OwningOpRef<ModuleOp>>
inlay::importModelFile(MLIRContext &context, StringRef path,
                       const ImportOptions &options) {
  auto file = MappedFile::open(path);
  if (!file)
    return file.takeError();
  return importModel(context, std::move(*file), options);
}
