//===- ProtoReader.cpp - From a mapped file to messages -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/ONNX/ProtoReader.h"
#include "FileKind.h"
#include "MessageReader.h"
#include "inlay/ONNX/ProtoFields.h"
#include "inlay/Support/Error.h"

using namespace inlay;
using namespace inlay::proto;
using llvm::SmallVector;

void MessageReader::readNode(Raw raw, Node &node) {
  SmallVector<StringRef, 8> inputs, outputs;
  RawList attributes, metadata, configurations;
  Fields fields(*this, raw);
  while (fields.next())
    fields.at(NodeField::Input, inputs)
        .at(NodeField::Output, outputs)
        .at(NodeField::Name, node.name)
        .at(NodeField::OpType, node.opType)
        .at(NodeField::Attribute, attributes)
        .at(NodeField::DocString, node.docString)
        .at(NodeField::Domain, node.domain)
        .at(NodeField::Overload, node.overload)
        .at(NodeField::MetadataProps, metadata)
        .at(NodeField::DeviceConfigurations, configurations);
  node.inputs = copy<StringRef>(inputs);
  node.outputs = copy<StringRef>(outputs);
  node.attributes =
      readList(attributes, &MessageReader::readAttribute, "attribute");
  node.metadata =
      readList(metadata, &MessageReader::readStringEntry, "metadata");
  node.deviceConfigurations = copy<Raw>(configurations);
}

void MessageReader::readGraph(Raw raw, Graph &graph) {
  if (graphNesting == maxGraphNesting)
    return fail("graphs nest deeper than " + llvm::Twine(maxGraphNesting) +
                    " levels",
                raw.begin());
  ++graphNesting;
  readGraphFields(raw, graph);
  --graphNesting;
}

void MessageReader::readGraphFields(Raw raw, Graph &graph) {
  RawList nodes, initializers, sparseInitializers, inputs, outputs, valueInfos,
      annotations, metadata;
  Raw previous;
  Fields fields(*this, raw);
  while (fields.next()) {
    fields.at(GraphField::Node, nodes)
        .at(GraphField::Name, graph.name)
        .at(GraphField::Initializer, initializers)
        .at(GraphField::DocString, graph.docString)
        .at(GraphField::Input, inputs)
        .at(GraphField::Output, outputs)
        .at(GraphField::ValueInfo, valueInfos)
        .at(GraphField::QuantizationAnnotation, annotations)
        .at(GraphField::SparseInitializer, sparseInitializers)
        .at(GraphField::MetadataProps, metadata);
    if (fields.getField() == GraphField::Initializer && !hasFailed()) {
      // Looking at a tensor's header maps its beginning and also the end of
      // the tensor before it.
      releaseLargeData(previous);
      previous = initializers.back();
      releaseLargeData(previous);
    }
  }
  graph.nodes = readList(nodes, &MessageReader::readNode, "node");
  graph.initializers =
      readList(initializers, &MessageReader::readTensor, "initializer");
  graph.sparseInitializers =
      readList(sparseInitializers, &MessageReader::readSparseTensor,
               "sparse initializer");
  graph.inputs = readList(inputs, &MessageReader::readValueInfo, "input");
  graph.outputs = readList(outputs, &MessageReader::readValueInfo, "output");
  graph.valueInfos =
      readList(valueInfos, &MessageReader::readValueInfo, "value info");
  graph.quantizationAnnotations = copy<Raw>(annotations);
  graph.metadata =
      readList(metadata, &MessageReader::readStringEntry, "metadata");
}

void MessageReader::readFunction(Raw raw, Function &function) {
  SmallVector<StringRef, 8> inputs, outputs, attributes;
  RawList nodes, defaults, opsets, valueInfos, metadata;
  Fields fields(*this, raw);
  while (fields.next())
    fields.at(FunctionField::Name, function.name)
        .at(FunctionField::Input, inputs)
        .at(FunctionField::Output, outputs)
        .at(FunctionField::Attribute, attributes)
        .at(FunctionField::Node, nodes)
        .at(FunctionField::DocString, function.docString)
        .at(FunctionField::OpsetImport, opsets)
        .at(FunctionField::Domain, function.domain)
        .at(FunctionField::AttributeProto, defaults)
        .at(FunctionField::ValueInfo, valueInfos)
        .at(FunctionField::Overload, function.overload)
        .at(FunctionField::MetadataProps, metadata);
  function.inputs = copy<StringRef>(inputs);
  function.outputs = copy<StringRef>(outputs);
  function.attributes = copy<StringRef>(attributes);
  function.attributeDefaults =
      readList(defaults, &MessageReader::readAttribute, "attribute");
  function.nodes = readList(nodes, &MessageReader::readNode, "node");
  function.opsetImports =
      readList(opsets, &MessageReader::readOperatorSetId, "opset import");
  function.valueInfos =
      readList(valueInfos, &MessageReader::readValueInfo, "value info");
  function.metadata =
      readList(metadata, &MessageReader::readStringEntry, "metadata");
}

void MessageReader::readModel(Raw raw, Model &model) {
  RawList graph, opsets, functions, metadata, trainingInfos, configurations;
  Fields fields(*this, raw);
  while (fields.next())
    fields.at(ModelField::IRVersion, model.irVersion)
        .at(ModelField::ProducerName, model.producerName)
        .at(ModelField::ProducerVersion, model.producerVersion)
        .at(ModelField::Domain, model.domain)
        .at(ModelField::ModelVersion, model.modelVersion)
        .at(ModelField::DocString, model.docString)
        .at(ModelField::Graph, graph)
        .at(ModelField::OpsetImport, opsets)
        .at(ModelField::MetadataProps, metadata)
        .at(ModelField::TrainingInfo, trainingInfos)
        .at(ModelField::Functions, functions)
        .at(ModelField::Configuration, configurations);
  model.opsetImports =
      readList(opsets, &MessageReader::readOperatorSetId, "opset import");
  model.functions =
      readList(functions, &MessageReader::readFunction, "function");
  model.metadata =
      readList(metadata, &MessageReader::readStringEntry, "metadata");
  model.trainingInfos = copy<Raw>(trainingInfos);
  model.deviceConfigurations = copy<Raw>(configurations);
  model.hasGraph = !graph.empty();
  if (hasFailed() || graph.empty())
    return;
  ReadScope inner(*this, "graph", std::nullopt, &model.graph.name);
  readGraph(merge(graph), model.graph);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

template <typename Message>
static llvm::Expected<std::unique_ptr<Parsed<Message>>>
parseFile(std::shared_ptr<const MappedFile> file,
          void (MessageReader::*read)(Raw, Message &)) {
  auto parsed = std::make_unique<Parsed<Message>>();
  parsed->file = std::move(file);
  MessageReader reader(*parsed->file, parsed->arena);
  (reader.*read)(parsed->file->getBytes(), parsed->message);
  if (llvm::Error error = reader.takeError())
    return std::move(error);
  return std::move(parsed);
}

llvm::Expected<std::unique_ptr<ParsedModel>>
inlay::parseModel(std::shared_ptr<const MappedFile> file) {
  auto parsed = parseFile<Model>(file, &MessageReader::readModel);
  if (parsed && (*parsed)->message.hasGraph)
    return parsed;
  StringRef bytes(file->getBytes().data(), file->getSize());
  StringRef kind = bytes.empty() ? "" : guessFileKind(bytes);
  if (kind.empty() && !bytes.empty())
    return parsed;
  // What is wrong with it as a model would only lead astray.
  llvm::consumeError(parsed.takeError());
  return modelError(file->getPath() + ": not an ONNX file: it " +
                    (bytes.empty() ? "is empty" : "seems to be " + kind));
}

llvm::Expected<std::unique_ptr<ParsedTensor>>
inlay::parseTensor(std::shared_ptr<const MappedFile> file) {
  return parseFile<Tensor>(std::move(file), &MessageReader::readTensor);
}
