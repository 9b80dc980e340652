//===- OperationExporter.cpp - Operations as nodes ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphExporter.h"
#include "WireCursor.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/ModuleAttrs.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/ONNX/Export.h"
#include "inlay/ONNX/Import.h"
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

/// The operands of an operation at the places of the node's inputs.
static void getInputs(Operation *op, NodeForm &form) {
  auto segments = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  if (!segments) {
    for (Value operand : op->getOperands())
      form.inputs.push_back({operand, {}});
    return;
  }
  unsigned next = 0;
  for (int32_t size : segments.asArrayRef()) {
    form.inputs.push_back({});
    if (size == 1)
      form.inputs.back().value = op->getOperand(next++);
  }
}

/// The operation as a node in the form of `opset`.
static llvm::Expected<NodeForm> getForm(Operation *op, const OpForm &opForm,
                                        unsigned opset) {
  NodeForm form;
  form.opType = opForm.onnxName;
  form.numOutputs = op->getNumResults();
  getInputs(op, form);
  for (NamedAttribute attribute : op->getAttrs())
    if (attribute.getName() != "operandSegmentSizes" &&
        !attribute.getName().getValue().contains('.'))
      form.attributes.push_back(attribute);
  // Opsets of other domains have no history that is known here.
  bool isForeign = StringRef(form.opType).contains("::");
  if (llvm::Error error = downgradeForm(op->getContext(), form,
                                        isForeign ? unsigned(maxOpset) : opset))
    return addContext("node '" + getNodeName(op) + "': ", std::move(error));
  return form;
}

llvm::Error inlay::checkExpressible(Operation *op, unsigned opset) {
  const OpForm *opForm = lookupForm(op);
  return opForm ? getForm(op, *opForm, opset).takeError()
                : llvm::Error::success();
}

bool inlay::isRefusedByRuntime(Operation *op, unsigned opset) {
  return opset > 24 && getOnnxOpType(op) == "Swish";
}

/// The domain and the type of "com.acme::Swirl".
static std::pair<std::string, std::string> splitType(StringRef qualified) {
  auto [domain, type] = qualified.rsplit("::");
  return type.empty() ? std::pair("", qualified.str())
                      : std::pair(domain.str(), type.str());
}

llvm::Error GraphExporter::exportTyped(Operation *op, const OpForm &opForm,
                                       Graph &graph) {
  auto found = getForm(op, opForm, opset);
  if (!found)
    return found.takeError();
  NodeForm &form = *found;
  NodeText text;
  std::tie(text.domain, text.opType) = splitType(form.opType);
  if (!text.domain.empty())
    functions.useDomain(text.domain);
  nameResults(op, opForm.numResults ? opForm.numOutputs : op->getNumResults(),
              text.outputs);
  std::string base = text.outputs.empty() ? form.opType : text.outputs[0];
  for (const NodeForm::Input &input : form.inputs) {
    if (!input.constant) {
      text.inputs.push_back(input.value ? names.get(input.value).str() : "");
      continue;
    }
    auto name = exportParameter(input.constant, base + "_param", graph);
    if (!name)
      return name.takeError();
    text.inputs.push_back(*name);
  }
  MessageWriter node;
  writeNode(node, nameNode(op), op, text);
  auto inLayout = dyn_cast_if_present<InLayoutOp>(function);
  bool isWrapped = inLayout && op == inLayout.getWrapped();
  if (llvm::Error error = isWrapped ? writeReferences(node, form.attributes)
                                    : writeAttributes(node, form.attributes))
    return error;
  graph.addNode(std::move(node));
  return llvm::Error::success();
}

/// The names of an operation's subgraphs, in the order of its regions.
static SmallVector<StringRef> getGraphNames(Operation *op) {
  SmallVector<StringRef> result(op->getNumRegions(), "subgraph");
  if (auto list = op->getAttrOfType<ArrayAttr>(attrs::graphNames))
    for (auto [name, given] : llvm::zip(result, list))
      name = cast<StringAttr>(given).getValue();
  return result;
}

llvm::Error GraphExporter::exportControlFlow(Operation *op, Graph &graph) {
  NodeText text;
  StringRef mnemonic = op->getName().stripDialect();
  text.opType = mnemonic == "if" ? "If" : mnemonic == "loop" ? "Loop" : "Scan";
  if (auto loop = dyn_cast<LoopOp>(op)) {
    for (Value value : {loop.getMaxTripCount(), loop.getCond()})
      text.inputs.push_back(value ? names.get(value).str() : "");
    for (Value value : loop.getInitial())
      text.inputs.push_back(names.get(value).str());
  } else {
    for (Value value : op->getOperands())
      text.inputs.push_back(names.get(value).str());
  }
  nameResults(op, op->getNumResults(), text.outputs);
  MessageWriter node;
  writeNode(node, nameNode(op), op, text);
  NamedAttrList own;
  for (NamedAttribute attribute : op->getAttrs())
    if (attribute.getName() != "operandSegmentSizes" &&
        !attribute.getName().getValue().contains('.'))
      own.push_back(attribute);
  if (llvm::Error error = writeAttributes(node, own))
    return error;
  SmallVector<StringRef> graphNames = getGraphNames(op);
  for (Region &region : op->getRegions()) {
    unsigned index = region.getRegionNumber();
    StringRef name = !isa<IfOp>(op) ? "body"
                     : index == 0   ? "then_branch"
                                    : "else_branch";
    if (llvm::Error error =
            writeGraphAttribute(node, name, {&region}, {graphNames[index]}))
      return error;
  }
  graph.addNode(std::move(node));
  return llvm::Error::success();
}

llvm::Error GraphExporter::exportOpaque(OpaqueOp op, Graph &graph) {
  if (op.getCallee() == "inlay::SparseInitializer") {
    auto raw = op.getNodeAttributesAttr().getAs<ProtoAttr>("sparse_tensor");
    names.assign(op.getResult(0), getOriginalName(op->getResult(0)).str());
    graph.initializers.addString(GraphField::SparseInitializer,
                                 raw.getBytes().getValue());
    return llvm::Error::success();
  }
  NodeText text;
  text.opType = op.getOpType().str();
  text.domain = op.getDomain().str();
  text.overload = op.getOverload().value_or("").str();
  SmallVector<std::string> present;
  nameResults(op, op->getNumResults(), present);
  auto spread = [](std::optional<ArrayRef<bool>> mask,
                   ArrayRef<std::string> from,
                   SmallVectorImpl<std::string> &to) {
    if (!mask)
      return to.append(from.begin(), from.end());
    for (bool isPresent : *mask) {
      to.push_back(isPresent ? from.front() : "");
      from = from.drop_front(isPresent);
    }
  };
  SmallVector<std::string> inputs;
  for (Value value : op.getInputs())
    inputs.push_back(names.get(value).str());
  spread(op.getPresentInputs(), inputs, text.inputs);
  spread(op.getPresentOutputs(), present, text.outputs);
  MessageWriter node;
  writeNode(node, nameNode(op), op, text);
  if (DictionaryAttr own = op.getNodeAttributesAttr())
    if (llvm::Error error = writeAttributes(node, NamedAttrList(own)))
      return error;
  SmallVector<StringRef> graphNames = getGraphNames(op);
  ArrayAttr attributes = op.getGraphsAttr();
  for (unsigned i = 0; attributes && i < attributes.size();) {
    StringRef name = cast<StringAttr>(attributes[i]).getValue();
    unsigned end = i;
    SmallVector<Region *> regions;
    while (end < attributes.size() && attributes[end] == attributes[i])
      regions.push_back(&op->getRegion(end++));
    if (llvm::Error error = writeGraphAttribute(
            node, name, regions, ArrayRef(graphNames).slice(i, end - i)))
      return error;
    i = end;
  }
  graph.addNode(std::move(node));
  return llvm::Error::success();
}

llvm::Error GraphExporter::exportConstant(ConstantOp op, Graph &graph) {
  if (!names.isNamed(op.getResult()))
    names.assign(op.getResult(), names.makeUnique("constant"));
  std::string name = names.get(op.getResult()).str();
  if (function)
    return exportInnerConstant(op, name, graph);
  OriginAttr origin = getFirstOrigin(op->getLoc());
  // A Constant node is one operator more to run; but in old models an
  // initializer is an input, which a caller may set.
  bool isNode = origin && origin.getOpType() == "Constant" && irVersion < 4;
  bool isLarge = getByteSize(op.getValue()) > maxInlineBytes;
  if (isNode && !(isLarge && tensors.hasDataFile())) {
    NodeText text;
    text.opType = "Constant";
    text.outputs = {name};
    MessageWriter node;
    writeNode(node, nameNode(op), op, text);
    if (llvm::Error error = writeAttribute(node, "value", op.getValue()))
      return error;
    graph.addNode(std::move(node));
    return llvm::Error::success();
  }
  MessageWriter message;
  if (llvm::Error error = tensors.writeTensor(message, name, op.getValue()))
    return error;
  DictionaryAttr extra = origin ? origin.getExtra() : DictionaryAttr();
  if (StringRef doc = getString(extra, "doc"); !doc.empty())
    message.addString(TensorField::DocString, doc);
  if (extra)
    writeMetadata(message, TensorField::MetadataProps,
                  extra.getAs<DictionaryAttr>("metadata"));
  graph.initializers.addMessage(GraphField::Initializer, std::move(message));
  graph.initializerTypes.emplace_back(name, op.getType());
  return llvm::Error::success();
}

llvm::Error GraphExporter::exportOperation(Operation *op, Graph &graph) {
  if (auto constant = dyn_cast<ConstantOp>(op))
    return exportConstant(constant, graph);
  if (auto opaque = dyn_cast<OpaqueOp>(op))
    return exportOpaque(opaque, graph);
  if (isa<IfOp, LoopOp, ScanOp>(op))
    return exportControlFlow(op, graph);
  if (auto inLayout = dyn_cast<InLayoutOp>(op))
    return exportInLayout(inLayout, graph);
  if (auto group = dyn_cast<GroupOp>(op))
    return exportGroup(group, graph);
  if (const OpForm *form = lookupForm(op))
    return exportTyped(op, *form, graph);
  return unsupportedError("operation '" + op->getName().getStringRef() +
                          "' has no ONNX form");
}
