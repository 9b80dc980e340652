//===- SmallModel.cpp - Messages for tests --------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallModel.h"

using namespace inlay;
using namespace inlay::proto;

static void addTensorType(MessageWriter &type) {
  type.addMessage(TypeField::TensorType, [](MessageWriter &tensor) {
    tensor.addInt(TensorTypeField::ElemType, 1);
    tensor.addMessage(TensorTypeField::Shape, [](MessageWriter &shape) {
      shape.addMessage(ShapeField::Dim, [](MessageWriter &dim) {
        dim.addString(DimField::DimParam, "N");
        dim.addString(DimField::Denotation, "DATA_BATCH");
      });
      shape.addMessage(ShapeField::Dim, [](MessageWriter &dim) {
        dim.addInt(DimField::DimValue, 3);
      });
      shape.addMessage(ShapeField::Dim, [](MessageWriter &) {});
    });
  });
  type.addString(TypeField::Denotation, "IMAGE");
}

static void addValueInfo(MessageWriter &graph, unsigned field,
                         llvm::StringRef name) {
  graph.addMessage(field, [&](MessageWriter &info) {
    info.addString(ValueInfoField::Name, name);
    info.addMessage(ValueInfoField::Type, addTensorType);
    info.addString(ValueInfoField::DocString, "a value");
    info.addEntry(ValueInfoField::MetadataProps, "unit", "metre");
  });
}

static void addTensor(MessageWriter &tensor) {
  tensor.addInts(TensorField::Dims, {2, 1});
  tensor.addInt(TensorField::DataType, 1);
  tensor.addString(TensorField::Name, "w");
  tensor.addString(TensorField::RawData, "01234567");
  tensor.addString(TensorField::DocString, "weights");
  tensor.addEntry(TensorField::MetadataProps, "origin", "training");
}

static void addSparseTensor(MessageWriter &sparse) {
  sparse.addMessage(SparseTensorField::Values, addTensor);
  sparse.addMessage(SparseTensorField::Indices, [](MessageWriter &indices) {
    indices.addInts(TensorField::Dims, {2});
    indices.addInt(TensorField::DataType, 7);
    indices.addPackedInts(TensorField::Int64Data, {1, 300});
  });
  sparse.addInts(SparseTensorField::Dims, {1000});
}

template <typename Function>
static void addAttribute(MessageWriter &node, llvm::StringRef name,
                         AttributeKind kind, Function addValue) {
  node.addMessage(NodeField::Attribute, [&](MessageWriter &attribute) {
    attribute.addString(AttributeField::Name, name);
    addValue(attribute);
    attribute.addInt(AttributeField::Type, int64_t(kind));
  });
}

static void addNode(MessageWriter &node) {
  node.addString(NodeField::Input, "x");
  node.addString(NodeField::Input, "");
  node.addString(NodeField::Output, "y");
  node.addString(NodeField::Name, "conv1");
  node.addString(NodeField::OpType, "Conv");
  addAttribute(node, "pads", AttributeKind::Ints, [](MessageWriter &a) {
    a.addInts(AttributeField::Ints, {1, -1, 300});
  });
  addAttribute(node, "alpha", AttributeKind::Float,
               [](MessageWriter &a) { a.addFloat(AttributeField::F, 0.5f); });
  addAttribute(node, "value", AttributeKind::Tensor, [](MessageWriter &a) {
    a.addMessage(AttributeField::T, addTensor);
  });
  addAttribute(node, "body", AttributeKind::Graph, [](MessageWriter &a) {
    a.addMessage(AttributeField::G, [](MessageWriter &graph) {
      graph.addString(GraphField::Name, "inner");
      addValueInfo(graph, GraphField::Output, "z");
    });
  });
  node.addString(NodeField::DocString, "a convolution");
  node.addString(NodeField::Domain, "d");
  node.addString(NodeField::Overload, "o");
  node.addEntry(NodeField::MetadataProps, "k", "v");
  node.addString(NodeField::DeviceConfigurations, "device");
}

static void addFunction(MessageWriter &function) {
  function.addString(FunctionField::Name, "f");
  function.addString(FunctionField::Input, "a");
  function.addString(FunctionField::Output, "b");
  function.addString(FunctionField::Attribute, "alpha");
  function.addMessage(FunctionField::AttributeProto, [](MessageWriter &a) {
    a.addString(AttributeField::Name, "beta");
    a.addInt(AttributeField::I, 7);
    a.addInt(AttributeField::Type, int64_t(AttributeKind::Int));
  });
  function.addMessage(FunctionField::Node, [](MessageWriter &node) {
    node.addString(NodeField::OpType, "Elu");
    node.addMessage(NodeField::Attribute, [](MessageWriter &a) {
      a.addString(AttributeField::Name, "alpha");
      a.addString(AttributeField::RefAttrName, "alpha");
      a.addInt(AttributeField::Type, int64_t(AttributeKind::Float));
    });
  });
  function.addString(FunctionField::DocString, "doc");
  function.addMessage(FunctionField::OpsetImport, [](MessageWriter &opset) {
    opset.addString(OperatorSetIdField::Domain, "");
    opset.addInt(OperatorSetIdField::Version, 17);
  });
  function.addString(FunctionField::Domain, "local");
  addValueInfo(function, FunctionField::ValueInfo, "b");
  function.addString(FunctionField::Overload, "1");
  function.addEntry(FunctionField::MetadataProps, "k", "v");
}

static void addGraph(MessageWriter &graph) {
  graph.addMessage(GraphField::Node, addNode);
  graph.addString(GraphField::Name, "g");
  graph.addMessage(GraphField::Initializer, addTensor);
  graph.addString(GraphField::DocString, "a graph");
  addValueInfo(graph, GraphField::Input, "x");
  addValueInfo(graph, GraphField::Output, "y");
  addValueInfo(graph, GraphField::ValueInfo, "v");
  graph.addString(GraphField::QuantizationAnnotation, "annotation");
  graph.addMessage(GraphField::SparseInitializer, addSparseTensor);
  graph.addEntry(GraphField::MetadataProps, "k", "v");
}

MessageWriter inlay::getSampleModel() {
  MessageWriter model;
  model.addInt(ModelField::IRVersion, 10);
  model.addString(ModelField::ProducerName, "producer");
  model.addString(ModelField::ProducerVersion, "1.0");
  model.addString(ModelField::Domain, "org.example");
  model.addInt(ModelField::ModelVersion, 3);
  model.addString(ModelField::DocString, "a model");
  model.addMessage(ModelField::Graph, addGraph);
  model.addMessage(ModelField::OpsetImport, [](MessageWriter &opset) {
    opset.addInt(OperatorSetIdField::Version, 17);
  });
  model.addEntry(ModelField::MetadataProps, "author", "me");
  model.addString(ModelField::TrainingInfo, "training");
  model.addMessage(ModelField::Functions, addFunction);
  model.addString(ModelField::Configuration, "configuration");
  return model;
}
