//===- GraphExporter.cpp - Graphs as messages -----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphExporter.h"
#include "WireCursor.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/DerivedNames.h"
#include "inlay/IR/ModuleAttrs.h"
#include "inlay/ONNX/Export.h"
#include "inlay/Support/Error.h"

using namespace inlay;
using namespace inlay::onnx;
namespace AttributeField = proto::AttributeField;
namespace DimField = proto::DimField;
namespace GraphField = proto::GraphField;
namespace NodeField = proto::NodeField;
namespace ShapeField = proto::ShapeField;
namespace TensorField = proto::TensorField;
namespace TensorTypeField = proto::TensorTypeField;
namespace TypeField = proto::TypeField;
namespace ValueInfoField = proto::ValueInfoField;
using namespace mlir;
using proto::AttributeKind;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string Names::makeUnique(StringRef wanted) {
  if (used.insert(wanted).second)
    return wanted.str();
  unsigned &counter = counters[wanted];
  while (true) {
    std::string name = (wanted + "_" + llvm::Twine(++counter)).str();
    if (used.insert(name).second)
      return name;
  }
}

StringRef Names::get(Value value) const {
  auto it = names.find(value);
  assert(it != names.end() && "used before its definition");
  return it->second;
}

StringRef onnx::getString(DictionaryAttr attributes, StringRef name) {
  auto value = attributes ? attributes.getAs<StringAttr>(name) : StringAttr();
  return value ? value.getValue() : StringRef();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The dimensions of a tensor type; `dims` names those that have a symbol.
static void writeShape(MessageWriter &tensor, ArrayRef<int64_t> shape,
                       ArrayAttr dims) {
  tensor.addMessage(TensorTypeField::Shape, [&](MessageWriter &message) {
    for (auto [i, extent] : llvm::enumerate(shape))
      message.addMessage(ShapeField::Dim, [&](MessageWriter &dim) {
        StringRef name = dims && i < dims.size()
                             ? cast<StringAttr>(dims[i]).getValue()
                             : StringRef();
        if (!name.empty())
          dim.addString(DimField::DimParam, name);
        else if (!ShapedType::isDynamic(extent))
          dim.addInt(DimField::DimValue, extent);
      });
  });
}

static void writeType(MessageWriter &message, unsigned field, Type type,
                      ArrayAttr dims) {
  if (auto opaque = dyn_cast<OpaqueValueType>(type)) {
    message.addString(field, opaque.getProto());
    return;
  }
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return;
  message.addMessage(field, [&](MessageWriter &proto) {
    proto.addMessage(TypeField::TensorType, [&](MessageWriter &typed) {
      typed.addInt(TensorTypeField::ElemType,
                   int64_t(*getOnnxElementType(tensor.getElementType())));
      if (auto ranked = dyn_cast<RankedTensorType>(type))
        writeShape(typed, ranked.getShape(), dims);
    });
  });
}

void onnx::writeMetadata(MessageWriter &message, unsigned field,
                         DictionaryAttr metadata) {
  if (metadata)
    for (NamedAttribute entry : metadata)
      if (auto text = dyn_cast<StringAttr>(entry.getValue()))
        message.addEntry(field, entry.getName(), text);
}

void GraphExporter::writeValueInfo(MessageWriter &graph, unsigned field,
                                   StringRef name, Type type, ArrayAttr dims,
                                   DictionaryAttr attributes) {
  graph.addMessage(field, [&](MessageWriter &info) {
    info.addString(ValueInfoField::Name, name);
    writeType(info, ValueInfoField::Type, type, dims);
    if (StringRef doc = getString(attributes, attrs::doc); !doc.empty())
      info.addString(ValueInfoField::DocString, doc);
    if (attributes)
      writeMetadata(info, ValueInfoField::MetadataProps,
                    attributes.getAs<DictionaryAttr>(attrs::metadata));
  });
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The fields of an attribute that was read, all but its name.
static void writeUnnamed(MessageWriter &message, ArrayRef<char> bytes) {
  WireCursor fields(bytes);
  const char *kept = nullptr;
  auto flush = [&](const char *end) {
    if (kept)
      message.addEncoded(ArrayRef<char>(kept, end));
    kept = nullptr;
  };
  while (fields.next()) {
    flush(fields.getFieldStart());
    if (fields.getField() != AttributeField::Name)
      kept = fields.getFieldStart();
  }
  flush(bytes.end());
}

llvm::Error GraphExporter::writeAttribute(MessageWriter &node, StringRef name,
                                          Attribute value) {
  MessageWriter message;
  auto setKind = [&](AttributeKind kind) {
    message.addInt(AttributeField::Type, int64_t(kind));
  };
  message.addString(AttributeField::Name, name);
  if (auto raw = dyn_cast<ProtoAttr>(value))
    writeUnnamed(message,
                 ArrayRef<char>(raw.getBytes().data(), raw.getBytes().size()));
  if (auto number = dyn_cast<FloatAttr>(value)) {
    message.addFloat(AttributeField::F, float(number.getValueAsDouble()));
    setKind(AttributeKind::Float);
  } else if (auto integer = dyn_cast<IntegerAttr>(value)) {
    message.addInt(AttributeField::I, integer.getInt());
    setKind(AttributeKind::Int);
  } else if (auto text = dyn_cast<StringAttr>(value)) {
    message.addString(AttributeField::S, text.getValue());
    setKind(AttributeKind::String);
  } else if (auto ints = dyn_cast<DenseI64ArrayAttr>(value)) {
    message.addInts(AttributeField::Ints, ints);
    setKind(AttributeKind::Ints);
  } else if (auto floats = dyn_cast<DenseF32ArrayAttr>(value)) {
    message.addFloats(AttributeField::Floats, floats);
    setKind(AttributeKind::Floats);
  } else if (auto strings = dyn_cast<ArrayAttr>(value)) {
    for (Attribute each : strings)
      message.addString(AttributeField::Strings,
                        cast<StringAttr>(each).getValue());
    setKind(AttributeKind::Strings);
  } else if (!isa<ProtoAttr>(value)) {
    MessageWriter tensor;
    if (llvm::Error error = tensors.writeTensor(tensor, "", value))
      return error;
    message.addMessage(AttributeField::T, std::move(tensor));
    setKind(AttributeKind::Tensor);
  }
  node.addMessage(NodeField::Attribute, std::move(message));
  return llvm::Error::success();
}

llvm::Error GraphExporter::writeAttributes(MessageWriter &node,
                                           const NamedAttrList &attributes) {
  for (NamedAttribute attribute : attributes.getDictionary(context))
    if (llvm::Error error =
            writeAttribute(node, attribute.getName(), attribute.getValue()))
      return error;
  return llvm::Error::success();
}

llvm::Error GraphExporter::writeGraphAttribute(MessageWriter &node,
                                               StringRef name,
                                               ArrayRef<Region *> regions,
                                               ArrayRef<StringRef> graphNames) {
  MessageWriter message;
  message.addString(AttributeField::Name, name);
  bool isList = regions.size() != 1;
  for (auto [region, graphName] : llvm::zip_equal(regions, graphNames)) {
    MessageWriter graph;
    if (llvm::Error error = exportRegion(*region, graphName, graph))
      return error;
    message.addMessage(isList ? AttributeField::Graphs : AttributeField::G,
                       std::move(graph));
  }
  message.addInt(AttributeField::Type, int64_t(isList ? AttributeKind::Graphs
                                                      : AttributeKind::Graph));
  node.addMessage(NodeField::Attribute, std::move(message));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

StringRef GraphExporter::nameNode(Operation *op) {
  Value read = op->getNumOperands() != 0  ? op->getOperand(0)
               : op->getNumResults() != 0 ? op->getResult(0)
                                          : Value();
  bool isNamed = read && names.isNamed(read);
  return nodeNames->get(op, isNamed ? names.get(read) : StringRef());
}

void GraphExporter::writeNode(MessageWriter &message, StringRef name,
                              Operation *op, const NodeText &text) {
  ++numNodes;
  OriginAttr origin =
      op && keepsNames() ? getFirstOrigin(op->getLoc()) : OriginAttr();
  DictionaryAttr extra = origin ? origin.getExtra() : DictionaryAttr();
  for (const std::string &input : text.inputs)
    message.addString(NodeField::Input, input);
  for (const std::string &output : text.outputs)
    message.addString(NodeField::Output, output);
  message.addString(NodeField::Name, name);
  message.addString(NodeField::OpType, text.opType);
  if (!text.domain.empty())
    message.addString(NodeField::Domain, text.domain);
  if (!text.overload.empty())
    message.addString(NodeField::Overload, text.overload);
  if (StringRef doc = getString(extra, "doc"); !doc.empty())
    message.addString(NodeField::DocString, doc);
  if (!extra)
    return;
  writeMetadata(message, NodeField::MetadataProps,
                extra.getAs<DictionaryAttr>("metadata"));
  if (auto raw = extra.getAs<ArrayAttr>("device_configurations"))
    for (Attribute each : raw)
      message.addString(NodeField::DeviceConfigurations,
                        cast<StringAttr>(each).getValue());
}

StringRef GraphExporter::getOriginalName(Value value) const {
  return keepsNames() ? getValueName(value) : StringRef();
}

void GraphExporter::nameResults(Operation *op, unsigned numRequired,
                                SmallVectorImpl<std::string> &outputs) {
  for (OpResult result : op->getResults()) {
    bool isNeeded =
        result.getResultNumber() < numRequired || !result.use_empty();
    if (!names.isNamed(result) && isNeeded)
      names.assign(result, names.makeUnique((nameNode(op) + "_output").str()));
    outputs.push_back(names.isNamed(result) ? names.get(result).str() : "");
  }
  while (!outputs.empty() && outputs.back().empty())
    outputs.pop_back();
}

llvm::Expected<std::string>
GraphExporter::exportParameter(const HostTensor &tensor, StringRef hint,
                               Graph &graph) {
  ArrayRef<char> bytes = tensor.getBytes();
  std::string key = getName(tensor.getType()).str() + ":" +
                    formatShape(tensor.getShape()) + ":" +
                    std::string(bytes.begin(), bytes.end());
  std::string &name = graph.parameters[key];
  if (!name.empty())
    return name;
  name = names.makeUnique(hint);
  if (function) {
    if (llvm::Error error =
            writeConstantNode(name, nodeNames->make(name), tensor, graph))
      return std::move(error);
    return name;
  }
  MessageWriter message;
  if (llvm::Error error = tensors.writeTensor(message, name, tensor))
    return std::move(error);
  graph.parameterTensors.addMessage(GraphField::Initializer,
                                    std::move(message));
  graph.initializerTypes.emplace_back(
      name,
      RankedTensorType::get(tensor.getShape(),
                            getMlirElementType(context, tensor.getType())));
  return name;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

GraphExporter::GraphExporter(ModuleOp module, int64_t irVersion,
                             TensorWriter &tensors, FunctionTable &functions)
    : context(module.getContext()), tensors(tensors), functions(functions),
      irVersion(irVersion),
      opsets(module->getAttrOfType<DictionaryAttr>(attrs::opsets)),
      opset(getOpset(module)),
      hasValueInfo(module->hasAttr(attrs::hasValueInfo)) {}

/// The dimension names of a result that the model declared.
static ArrayAttr getOriginalDims(OpResult result) {
  if (auto group = dyn_cast<GroupOp>(result.getOwner())) {
    result = dyn_cast<OpResult>(group.getYielded()[result.getResultNumber()]);
    if (!result)
      return {};
  }
  // The model named the dimensions of the tensor, not of how it is stored.
  if (isa<InLayoutOp>(result.getOwner()))
    return {};
  OriginAttr origin = getFirstOrigin(result.getLoc());
  DictionaryAttr extra = origin ? origin.getExtra() : DictionaryAttr();
  auto all = extra ? extra.getAs<ArrayAttr>("dims") : ArrayAttr();
  if (!all || result.getResultNumber() >= all.size())
    return {};
  auto dims = dyn_cast<ArrayAttr>(all[result.getResultNumber()]);
  auto ranked = dyn_cast<RankedTensorType>(result.getType());
  // A symbol whose extent has become known says less than the extent.
  if (!dims || !ranked || dims.size() != size_t(ranked.getRank()))
    return {};
  SmallVector<Attribute> kept;
  for (auto [i, name] : llvm::enumerate(dims))
    kept.push_back(ranked.isDynamicDim(i)
                       ? name
                       : StringAttr::get(result.getContext(), ""));
  return ArrayAttr::get(result.getContext(), kept);
}

/// A graph's own names come before those of the graphs in its nodes: where both
/// are the same, the inner one gets another.
void GraphExporter::nameValues(Block &block) {
  names.makeRoom(block.getOperations().size());
  for (Operation &op : block.without_terminator())
    for (OpResult result : op.getResults())
      if (StringRef name = getOriginalName(result);
          !name.empty() && !names.isNamed(result))
        names.assign(result, names.makeUnique(name));
}

llvm::Error GraphExporter::exportBlock(Block &block, Graph &graph) {
  nameValues(block);
  llvm::DenseSet<Value> outputs;
  if (graph.writesValueInfo)
    outputs.insert(block.getTerminator()->operand_begin(),
                   block.getTerminator()->operand_end());
  for (Operation &op : block.without_terminator()) {
    if (llvm::Error error = exportOperation(&op, graph))
      return error;
    if (!graph.writesValueInfo || isa<ConstantOp>(op))
      continue;
    for (OpResult result : op.getResults())
      if (names.isNamed(result) && !isa<UnknownType>(result.getType()) &&
          !outputs.contains(result))
        writeValueInfo(graph.valueInfos, GraphField::ValueInfo,
                       names.get(result), result.getType(),
                       getOriginalDims(result), {});
  }
  return llvm::Error::success();
}

/// Gives graph outputs their names where they are made, so that no copy is
/// needed. A constant that is one by another name keeps its own, and in old
/// models any: there, initializers are inputs.
void GraphExporter::nameOutputs(ValueRange values,
                                ArrayRef<std::string> outputNames) {
  for (auto [value, name] : llvm::zip_equal(values, outputNames)) {
    auto result = dyn_cast<OpResult>(value);
    if (!result || names.isNamed(value))
      continue;
    StringRef own = getOriginalName(result);
    if (!isa<ConstantOp>(result.getOwner()) ||
        (irVersion >= 4 && (own.empty() || own == name)))
      names.assign(value, name);
  }
}

/// Outputs whose value bears another name are copied. Empty names are given.
llvm::Error
GraphExporter::exportOutputs(ValueRange values,
                             MutableArrayRef<std::string> outputNames,
                             Block *block, Graph &graph) {
  llvm::StringSet<> given;
  for (auto [value, name] : llvm::zip_equal(values, outputNames)) {
    bool isOwn = value.getParentBlock() == block && value.getDefiningOp() &&
                 !value.getDefiningOp<ConstantOp>();
    if (name.empty() && isOwn && given.insert(names.get(value)).second) {
      name = names.get(value).str();
      continue;
    }
    if (names.get(value) == name) {
      given.insert(name);
      continue;
    }
    if (name.empty())
      name = names.makeUnique((names.get(value) + "_output").str());
    // An output that is listed twice is one value.
    if (!given.insert(name).second)
      continue;
    NodeText text;
    text.opType = "Identity";
    text.inputs = {names.get(value).str()};
    text.outputs = {name};
    MessageWriter node;
    writeNode(node, nodeNames->make(deriveName(name, text.opType)), nullptr,
              text);
    graph.addNode(std::move(node));
  }
  return llvm::Error::success();
}

llvm::Error GraphExporter::exportRegion(Region &region, StringRef name,
                                        MessageWriter &message) {
  Block &block = region.front();
  Graph graph;
  for (BlockArgument argument : block.getArguments()) {
    StringRef wanted = getOriginalName(argument);
    names.assign(argument,
                 names.makeUnique(wanted.empty() ? "argument" : wanted));
  }
  if (llvm::Error error = exportBlock(block, graph))
    return error;
  ValueRange outputs = block.getTerminator()->getOperands();
  SmallVector<std::string> outputNames(outputs.size());
  if (llvm::Error error = exportOutputs(outputs, outputNames, &block, graph))
    return error;
  message = std::move(graph.nodes);
  message.addString(GraphField::Name, name);
  message.addFields(std::move(graph.initializers));
  message.addFields(std::move(graph.parameterTensors));
  for (BlockArgument argument : block.getArguments())
    writeValueInfo(message, GraphField::Input, names.get(argument),
                   argument.getType(), {}, {});
  for (auto [value, output] : llvm::zip_equal(outputs, outputNames))
    writeValueInfo(message, GraphField::Output, output, value.getType(), {},
                   {});
  return llvm::Error::success();
}

static std::string getAttrName(DictionaryAttr attributes, StringRef fallback) {
  StringRef name = getString(attributes, attrs::name);
  return name.empty() ? fallback.str() : name.str();
}

static ArrayAttr getDims(DictionaryAttr attributes) {
  return attributes ? attributes.getAs<ArrayAttr>(attrs::dims) : ArrayAttr();
}

/// The type of an input or output as the model declares it.
static Type getDeclaredType(DictionaryAttr attributes, Type type) {
  auto declared =
      attributes ? attributes.getAs<TypeAttr>(attrs::declaredType) : TypeAttr();
  return declared ? declared.getValue() : type;
}

llvm::Error GraphExporter::exportFunction(func::FuncOp function,
                                          MessageWriter &message) {
  Block &block = function.getBody().front();
  nodeNames = std::make_shared<NodeNames>(function.getBody(),
                                          /*keepsOrigins=*/true);
  Graph graph;
  graph.writesValueInfo = hasValueInfo;
  for (BlockArgument argument : block.getArguments()) {
    unsigned i = argument.getArgNumber();
    std::string name = names.makeUnique(getAttrName(
        function.getArgAttrDict(i), ("input_" + llvm::Twine(i)).str()));
    names.assign(argument, name);
  }
  ValueRange outputs = block.getTerminator()->getOperands();
  SmallVector<std::string> outputNames;
  for (unsigned i = 0; i < outputs.size(); ++i) {
    outputNames.push_back(getAttrName(function.getResultAttrDict(i),
                                      ("output_" + llvm::Twine(i)).str()));
    // A graph may pass an input on as an output of the same name.
    names.reserve(outputNames.back());
  }
  nameOutputs(outputs, outputNames);
  if (llvm::Error error = exportBlock(block, graph))
    return error;
  if (llvm::Error error = exportOutputs(outputs, outputNames, &block, graph))
    return error;

  message = std::move(graph.nodes);
  message.addString(GraphField::Name,
                    getString(function->getAttrDictionary(), attrs::graphName));
  message.addFields(std::move(graph.initializers));
  message.addFields(std::move(graph.parameterTensors));
  if (StringRef doc = getString(function->getAttrDictionary(), attrs::doc);
      !doc.empty())
    message.addString(GraphField::DocString, doc);
  // Inputs in the model's order: those that are values, those with a default,
  // and in old models the initializers.
  llvm::StringMap<Type> initializers;
  if (irVersion < 4)
    for (auto &[name, type] : graph.initializerTypes)
      initializers[name] = type;
  auto writeInitializerInput = [&](StringRef name) {
    auto it = initializers.find(name);
    if (it == initializers.end())
      return;
    writeValueInfo(message, GraphField::Input, name, it->second, {}, {});
    initializers.erase(it);
  };
  auto order = function->getAttrOfType<ArrayAttr>(attrs::inputOrder);
  size_t next = 0;
  for (BlockArgument argument : block.getArguments()) {
    unsigned i = argument.getArgNumber();
    DictionaryAttr own = function.getArgAttrDict(i);
    for (; order && next < order.size() &&
           cast<StringAttr>(order[next]).getValue() != names.get(argument);
         ++next)
      writeInitializerInput(cast<StringAttr>(order[next]).getValue());
    ++next;
    writeValueInfo(message, GraphField::Input, names.get(argument),
                   getDeclaredType(own, argument.getType()), getDims(own), own);
    if (Attribute value = own ? own.get(attrs::defaultValue) : Attribute()) {
      MessageWriter tensor;
      if (llvm::Error error =
              tensors.writeTensor(tensor, names.get(argument), value))
        return error;
      message.addMessage(GraphField::Initializer, std::move(tensor));
    }
  }
  for (; order && next < order.size(); ++next)
    writeInitializerInput(cast<StringAttr>(order[next]).getValue());
  for (auto &[name, type] : graph.initializerTypes)
    writeInitializerInput(name);

  for (unsigned i = 0; i < outputs.size(); ++i) {
    DictionaryAttr own = function.getResultAttrDict(i);
    writeValueInfo(message, GraphField::Output, outputNames[i],
                   getDeclaredType(own, outputs[i].getType()), getDims(own),
                   own);
  }
  message.addFields(std::move(graph.valueInfos));
  if (auto raw =
          function->getAttrOfType<ArrayAttr>(attrs::quantizationAnnotations))
    for (Attribute each : raw)
      message.addString(GraphField::QuantizationAnnotation,
                        cast<StringAttr>(each).getValue());
  writeMetadata(message, GraphField::MetadataProps,
                function->getAttrOfType<DictionaryAttr>(attrs::metadata));
  return llvm::Error::success();
}
