//===- FunctionExporter.cpp - Operators of a target as functions ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// inlay.in_layout becomes a call of a model-local function. The operator it is
// about takes its attributes from the call, where back ends look for them, so
// that calls which differ in them only share a function.
//
// inlay.group becomes a call of a function, too. What its body reads from
// outside is passed in. Its nodes keep their names, so that back ends can tell
// where each comes from, and attributes stay with them.
//
//===----------------------------------------------------------------------===//

#include "GraphExporter.h"
#include "TypeHistory.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/GroupKind.h"
#include "inlay/IR/Groups.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/StringExtras.h"

using namespace inlay;
using namespace inlay::onnx;
namespace AttributeField = proto::AttributeField;
namespace FunctionField = proto::FunctionField;
namespace NodeField = proto::NodeField;
using namespace mlir;
using proto::AttributeKind;

/// Constants of a function lie in its message; weights are passed in.
static constexpr uint64_t maxInnerConstantBytes = 1 << 20;

/// Integers up to which f64 holds all.
static constexpr int64_t maxExactInt = int64_t(1) << 53;

static std::string getDomain(StringRef target) {
  return (targetDomainPrefix + target).str();
}

/// "Conv_NHWC_HWOI": the operator and the layouts of its inputs.
static std::string getBaseName(InLayoutOp op) {
  std::string name = op.getOpType().str();
  for (Attribute layout :
       op.getLayouts().getValue().take_front(op->getNumOperands()))
    if (StringRef text = cast<StringAttr>(layout).getValue(); !text.empty())
      name += "_" + text.str();
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name;
}

GraphExporter::GraphExporter(const GraphExporter &caller, Operation *function)
    : context(caller.context), tensors(caller.tensors),
      functions(caller.functions), irVersion(caller.irVersion),
      opsets(caller.opsets), opset(caller.opset), hasValueInfo(false),
      function(function) {
  nodeNames = keepsNames()
                  ? caller.nodeNames
                  : std::make_shared<NodeNames>(function->getRegion(0), false);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

llvm::Error GraphExporter::exportInLayout(InLayoutOp op, Graph &graph) {
  GraphExporter inner(*this, op);
  MessageWriter fields;
  SmallVector<std::string> inputNames;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    inputNames.push_back("input_" + std::to_string(i));
  if (llvm::Error error = inner.exportFunctionBody(op.getBody().getArguments(),
                                                   inputNames, fields))
    return addContext("node '" + getNodeName(op) + "': ", std::move(error));
  NodeText text;
  text.domain = getDomain(op.getTarget());
  text.opType =
      functions.define(text.domain, getBaseName(op), fields.getBytes());
  for (Value input : op.getInputs())
    text.inputs.push_back(names.get(input).str());
  nameResults(op, op->getNumResults(), text.outputs);
  MessageWriter node;
  writeNode(node, nameNode(op), op, text);
  if (llvm::Error error = writeAttributes(node, inner.callAttributes))
    return error;
  graph.addNode(std::move(node));
  return llvm::Error::success();
}

llvm::Error GraphExporter::exportGroup(GroupOp op, Graph &graph) {
  SmallVector<Value> inputs = op.getInputs();
  NodeText text;
  for (Value input : inputs)
    text.inputs.push_back(names.get(input).str());
  GraphExporter inner(*this, op);
  MessageWriter fields;
  nodeNames->enter(op);
  if (llvm::Error error = inner.exportFunctionBody(inputs, text.inputs, fields))
    return addContext("group '" + op.getName() + "': ", std::move(error));
  nodeNames->leave();
  text.domain = getDomain(op.getTarget());
  text.opType =
      functions.defineNamed(text.domain, op.getName(), fields.getBytes());
  if (!wasCalled(op))
    nodeNames->assign(op, text.opType);
  nameResults(op, op->getNumResults(), text.outputs);
  MessageWriter node;
  writeNode(node, nameNode(op), wasCalled(op) ? op : nullptr, text);
  graph.addNode(std::move(node));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

llvm::Error GraphExporter::exportFunctionBody(ValueRange inputs,
                                              ArrayRef<std::string> inputNames,
                                              MessageWriter &fields) {
  Block &block = function->getRegion(0).front();
  Graph graph;
  graph.nodeField = FunctionField::Node;
  for (auto [input, name] : llvm::zip_equal(inputs, inputNames)) {
    names.assign(input, names.makeUnique(name));
    fields.addString(FunctionField::Input, names.get(input));
  }
  ValueRange outputs = block.getTerminator()->getOperands();
  SmallVector<std::string> outputNames;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    StringRef own = getOriginalName(output);
    outputNames.push_back(names.makeUnique(
        own.empty() ? "output_" + std::to_string(i) : own.str()));
    fields.addString(FunctionField::Output, outputNames.back());
  }
  nameOutputs(outputs, outputNames);
  if (llvm::Error error = exportBlock(block, graph))
    return error;
  if (llvm::Error error = exportOutputs(outputs, outputNames, &block, graph))
    return error;
  if (graph.initializers.getSize() != 0)
    return unsupportedError("functions cannot have initializers");
  for (NamedAttribute attribute : callAttributes)
    fields.addString(FunctionField::Attribute, attribute.getName());
  fields.addFields(std::move(graph.nodes));
  writeOpsetImports(fields);
  writeFunctionMetadata(fields);
  return llvm::Error::success();
}

/// What makes the function the operation again.
void GraphExporter::writeFunctionMetadata(MessageWriter &fields) {
  auto addList = [&](StringRef key, ArrayAttr texts) {
    for (auto [i, text] : llvm::enumerate(texts))
      fields.addEntry(FunctionField::MetadataProps, (key + Twine(i)).str(),
                      cast<StringAttr>(text).getValue());
  };
  if (auto group = dyn_cast<GroupOp>(function)) {
    fields.addEntry(FunctionField::MetadataProps, groupKey, group.getTarget());
    if (std::optional<StringRef> kind = getKindName(group))
      fields.addEntry(FunctionField::MetadataProps, kernelKey, *kind);
    addList(stagesKey, group.getStages());
    return;
  }
  auto inLayout = cast<InLayoutOp>(function);
  fields.addEntry(FunctionField::MetadataProps, opTypeKey,
                  inLayout.getOpType());
  addList(layoutKey, inLayout.getLayouts());
}

/// Runtimes take a function's opset for the model's, so it is the same one;
/// every domain that the body uses is imported.
void GraphExporter::writeOpsetImports(MessageWriter &fields) {
  std::set<std::string> domains = {""};
  function->getRegion(0).walk([&](Operation *op) {
    if (auto opaque = dyn_cast<OpaqueOp>(op))
      domains.insert(opaque.getDomain().str());
    if (const OpForm *form = lookupForm(op))
      domains.insert(onnx::getNodeDomain(*form).str());
    if (auto inner = dyn_cast<InLayoutOp>(op))
      domains.insert(getDomain(inner.getTarget()));
    if (auto inner = dyn_cast<GroupOp>(op))
      domains.insert(getDomain(inner.getTarget()));
  });
  for (const std::string &domain : domains) {
    StringRef key = domain.empty() ? StringRef("ai.onnx") : StringRef(domain);
    auto version = opsets ? opsets.getAs<IntegerAttr>(key) : IntegerAttr();
    fields.addMessage(FunctionField::OpsetImport, [&](MessageWriter &import) {
      import.addString(proto::OperatorSetIdField::Domain, domain);
      import.addInt(proto::OperatorSetIdField::Version,
                    version ? version.getInt() : targetDomainVersion);
    });
  }
}

//===----------------------------------------------------------------------===//
// Inside the function
//===----------------------------------------------------------------------===//

/// Whether the opset has a Constant of these elements.
static bool hasConstant(ElementType type, unsigned opset) {
  std::optional<unsigned> first = getFirstOpset("Constant", type);
  return opset == 0 || (first && opset >= *first);
}

/// The tensor in f64; an error where that holds other numbers.
static llvm::Expected<HostTensor> toDouble(const HostTensor &tensor) {
  HostTensor wide(ElementType::Double, tensor.getShape());
  if (!isInteger(tensor.getType()) && tensor.getType() != ElementType::Bool)
    return unsupportedError("a constant of " + getName(tensor.getType()) +
                            " lies inside a function");
  for (int64_t i = 0, e = tensor.getNumElements(); i != e; ++i) {
    int64_t number = tensor.getInt(i);
    if (number < -maxExactInt || number > maxExactInt)
      return unsupportedError("a constant inside a function has the element " +
                              llvm::Twine(number));
    wide.setDouble(i, double(number));
  }
  return wide;
}

/// Constants were floats in old opsets: others are converted from f64.
llvm::Error GraphExporter::writeConvertedConstant(StringRef name,
                                                  StringRef nodeName,
                                                  const HostTensor &tensor,
                                                  Graph &graph) {
  auto wide = toDouble(tensor);
  if (!wide)
    return addContext("opset " + llvm::Twine(opset) + ": ", wide.takeError());
  NodeText text;
  text.opType = "Cast";
  text.inputs = {names.makeUnique((name + "_f64").str())};
  text.outputs = {name.str()};
  if (llvm::Error error = writeConstantNode(
          text.inputs[0], nodeNames->make(text.inputs[0]), *wide, graph))
    return error;
  MessageWriter node;
  writeNode(node, nodeName, nullptr, text);
  if (llvm::Error error = writeAttribute(
          node, "to",
          Builder(context).getI64IntegerAttr(int64_t(tensor.getType()))))
    return error;
  graph.addNode(std::move(node));
  return llvm::Error::success();
}

llvm::Error GraphExporter::writeConstantNode(StringRef name, StringRef nodeName,
                                             const HostTensor &tensor,
                                             Graph &graph) {
  if (!hasConstant(tensor.getType(), opset))
    return writeConvertedConstant(name, nodeName, tensor, graph);
  MessageWriter value, attribute, node;
  if (llvm::Error error = tensors.writeTensor(value, "", tensor))
    return error;
  attribute.addString(AttributeField::Name, "value");
  attribute.addMessage(AttributeField::T, std::move(value));
  attribute.addInt(AttributeField::Type, int64_t(AttributeKind::Tensor));
  node.addString(NodeField::Output, name);
  node.addString(NodeField::Name, nodeName);
  node.addString(NodeField::OpType, "Constant");
  node.addMessage(NodeField::Attribute, std::move(attribute));
  graph.addNode(std::move(node));
  return llvm::Error::success();
}

llvm::Error GraphExporter::exportInnerConstant(ConstantOp op, StringRef name,
                                               Graph &graph) {
  uint64_t size = getByteSize(op.getValue());
  if (size > maxInnerConstantBytes)
    return unsupportedError("a constant of " + llvm::Twine(size) +
                            " bytes lies inside a function, at most " +
                            llvm::Twine(maxInnerConstantBytes) +
                            " are possible");
  auto tensor = getHostTensor(op.getValue());
  if (!tensor)
    return tensor.takeError();
  return writeConstantNode(name, nameNode(op), *tensor, graph);
}

/// The kind of an attribute that a call can give; nothing for those kept as
/// they were read.
static std::optional<AttributeKind> getAttributeKind(Attribute value) {
  if (isa<ProtoAttr>(value))
    return std::nullopt;
  if (isa<FloatAttr>(value))
    return AttributeKind::Float;
  if (isa<IntegerAttr>(value))
    return AttributeKind::Int;
  if (isa<StringAttr>(value))
    return AttributeKind::String;
  if (isa<DenseI64ArrayAttr>(value))
    return AttributeKind::Ints;
  if (isa<DenseF32ArrayAttr>(value))
    return AttributeKind::Floats;
  if (isa<ArrayAttr>(value))
    return AttributeKind::Strings;
  return AttributeKind::Tensor;
}

llvm::Error GraphExporter::writeReferences(MessageWriter &node,
                                           const NamedAttrList &attributes) {
  for (NamedAttribute attribute : attributes.getDictionary(context)) {
    std::optional<AttributeKind> kind = getAttributeKind(attribute.getValue());
    if (!kind) {
      if (llvm::Error error =
              writeAttribute(node, attribute.getName(), attribute.getValue()))
        return error;
      continue;
    }
    callAttributes.push_back(attribute);
    node.addMessage(NodeField::Attribute, [&](MessageWriter &message) {
      message.addString(AttributeField::Name, attribute.getName());
      message.addInt(AttributeField::Type, int64_t(*kind));
      message.addString(AttributeField::RefAttrName, attribute.getName());
    });
  }
  return llvm::Error::success();
}
