//===- GraphImporter.cpp - Graphs and functions ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "NodeOrder.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/ModuleAttrs.h"
#include "inlay/ONNX/Import.h"
#include "inlay/ONNX/ProtoReader.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

using namespace inlay;
using namespace inlay::onnx;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

Value Scope::lookup(StringRef name) const {
  for (const Scope *scope = this; scope; scope = scope->parent)
    if (auto it = scope->values.find(name); it != scope->values.end())
      return it->second;
  return {};
}

StringRef onnx::normalizeDomain(StringRef domain) {
  return domain == "ai.onnx" ? StringRef() : domain;
}

std::string onnx::getQualifiedType(const proto::Node &node) {
  StringRef domain = normalizeDomain(node.domain);
  return domain.empty() ? node.opType.str()
                        : (domain + "::" + node.opType).str();
}

static std::string getFunctionKey(StringRef domain, StringRef name,
                                  StringRef overload) {
  return (normalizeDomain(domain) + "\x01" + name + "\x01" + overload).str();
}

/// A region has no parent, and so no context, until its operation exists.
OpBuilder GraphImporter::getBuilder(Block *block) const {
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(block);
  return builder;
}

llvm::Error GraphImporter::makeNodeError(const Node &node,
                                         const llvm::Twine &message) {
  std::string place;
  if (!node.name.empty())
    place = "node " + quoteForMessage(node.name);
  else if (!node.outputs.empty())
    place = "node of " + quoteForMessage(node.outputs[0]);
  else
    place = "node";
  return modelError(place + " (" + node.opType + "): " + message);
}

std::string GraphImporter::getInnerName(StringRef name,
                                        const Call *call) const {
  if (!call || name.empty())
    return name.str();
  auto given = call->outputNames.find(name);
  if (given != call->outputNames.end())
    return getInnerName(given->second, call->parent);
  return call->prefix + name.str();
}

std::string GraphImporter::getInnerNodeName(StringRef name, const Call *call) {
  // The nodes of a group have no prefix: they are the model's own.
  if (!call || name.empty() || call->prefix.empty())
    return name.str();
  std::string wanted = call->prefix + name.str();
  if (!nodeNames.contains(wanted))
    return wanted;
  std::string &result = otherNames[wanted];
  for (unsigned i = 1; result.empty() || nodeNames.contains(result); ++i)
    result = wanted + "_" + std::to_string(i);
  return result;
}

//===----------------------------------------------------------------------===//
// Set-up
//===----------------------------------------------------------------------===//

Opsets onnx::getOpsets(ArrayRef<proto::OperatorSetId> imports) {
  Opsets opsets;
  for (const proto::OperatorSetId &import : imports)
    opsets[normalizeDomain(import.domain)] = import.version;
  return opsets;
}

/// The names of all nodes of `graph` and of the graphs in it.
static llvm::DenseSet<StringRef> collectNodeNames(const proto::Graph &graph) {
  llvm::DenseSet<StringRef> names;
  SmallVector<const proto::Graph *> work = {&graph};
  while (!work.empty())
    for (const proto::Node &node : work.pop_back_val()->nodes) {
      names.insert(node.name);
      forEachGraph(node,
                   [&](const proto::Graph &inner) { work.push_back(&inner); });
    }
  return names;
}

GraphImporter::GraphImporter(MLIRContext *context, const proto::Model &model,
                             std::shared_ptr<const MappedFile> file,
                             const ImportOptions &options)
    : context(context), attributes(context, std::move(file), options.dataRoots),
      diagnostics(context), opsets(getOpsets(model.opsetImports)),
      target(options.target) {
  for (const proto::Function &function : model.functions)
    functions[getFunctionKey(function.domain, function.name,
                             function.overload)] = &function;
  if (!functions.empty())
    nodeNames = collectNodeNames(model.graph);
}

Declarations GraphImporter::getDeclarations(const proto::Graph &graph) {
  Declarations declarations;
  for (const proto::ValueInfo &info : graph.valueInfos)
    declarations[info.name] = &info;
  for (const proto::ValueInfo &info : graph.outputs)
    declarations[info.name] = &info;
  return declarations;
}

int64_t GraphImporter::getOpset(StringRef domain, const Call *call) const {
  const Opsets &versions = call ? call->opsets : opsets;
  auto it = versions.find(normalizeDomain(domain));
  return it == versions.end() ? 0 : it->second;
}

//===----------------------------------------------------------------------===//
// Initializers
//===----------------------------------------------------------------------===//

static OriginAttr getInitializerOrigin(MLIRContext *context, StringRef name,
                                       StringRef doc, DictionaryAttr metadata) {
  NamedAttrList extra;
  if (!doc.empty())
    extra.set("doc", StringAttr::get(context, doc));
  if (metadata)
    extra.set("metadata", metadata);
  return OriginAttr::get(
      context, StringAttr::get(context, ""),
      StringAttr::get(context, "initializer"),
      ArrayAttr::get(context, {StringAttr::get(context, name)}),
      extra.empty() ? DictionaryAttr() : extra.getDictionary(context));
}

llvm::Error
GraphImporter::importInitializers(const proto::Graph &graph, Block *block,
                                  Scope &scope,
                                  const llvm::DenseSet<StringRef> &skip) {
  OpBuilder builder = getBuilder(block);
  for (const proto::Tensor &tensor : graph.initializers) {
    if (skip.contains(tensor.name))
      continue;
    auto value = attributes.importTensor(tensor);
    if (!value)
      return value.takeError();
    OriginAttr origin =
        getInitializerOrigin(context, tensor.name, tensor.docString,
                             importMetadata(context, tensor.metadata));
    auto constant = builder.create<ConstantOp>(getOriginLoc(origin),
                                               value->getType(), *value);
    if (!scope.values.try_emplace(tensor.name, constant.getResult()).second)
      return modelError("initializer " + quoteForMessage(tensor.name) +
                        " is defined twice");
  }
  for (const proto::SparseTensor &sparse : graph.sparseInitializers) {
    StringRef name = sparse.values ? sparse.values->name : StringRef();
    OriginAttr origin = getInitializerOrigin(context, name, "", {});
    OperationState state(getOriginLoc(origin), OpaqueOp::getOperationName());
    state.addTypes(UnknownType::get(context));
    state.addAttribute("callee",
                       builder.getStringAttr("inlay::SparseInitializer"));
    NamedAttrList own;
    own.set(
        "sparse_tensor",
        ProtoAttr::get(context, builder.getStringAttr(StringRef(
                                    sparse.raw.data(), sparse.raw.size()))));
    state.addAttribute("node_attributes", own.getDictionary(context));
    Operation *op = builder.create(state);
    if (!scope.values.try_emplace(name, op->getResult(0)).second)
      return modelError("initializer " + quoteForMessage(name) +
                        " is defined twice");
  }
  return llvm::Error::success();
}

void GraphImporter::eraseConsumedConstants() {
  for (Operation *op : parameterConstants) {
    if (!op->use_empty())
      continue;
    OriginAttr origin = getFirstOrigin(op->getLoc());
    if (origin && origin.getOpType() != "initializer")
      removed.add(origin, "became an attribute of its users");
    op->erase();
  }
  parameterConstants.clear();
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

llvm::Error GraphImporter::importBody(const proto::Graph &graph, Block *block,
                                      Scope &scope, const Call *call,
                                      SmallVectorImpl<Value> &outputs) {
  Declarations declarations = getDeclarations(graph);
  Context inner{block, scope, call, declarations};
  if (llvm::Error error = importNodes(graph.nodes, inner))
    return error;
  for (const proto::ValueInfo &output : graph.outputs) {
    Value value = scope.lookup(output.name);
    if (!value)
      return modelError("output " + quoteForMessage(output.name) +
                        " of graph " + quoteForMessage(graph.name) +
                        " is not defined");
    outputs.push_back(value);
  }
  return llvm::Error::success();
}

llvm::Error GraphImporter::importNodes(ArrayRef<Node> nodes, Context &context) {
  auto order = orderNodes(nodes);
  if (!order)
    return order.takeError();
  for (size_t i = 0; i < nodes.size(); ++i)
    if (llvm::Error error =
            importNode(nodes[order->empty() ? i : (*order)[i]], context))
      return error;
  return llvm::Error::success();
}

llvm::Error GraphImporter::importSubgraph(const proto::Graph &graph,
                                          Region &region,
                                          ArrayRef<Type> carriedTypes,
                                          Context &outer) {
  auto *block = new Block;
  region.push_back(block);
  Scope scope;
  scope.parent = &outer.scope;
  for (auto [i, input] : llvm::enumerate(graph.inputs)) {
    auto type = importType(context, input.type);
    if (!type)
      return addContext("input " + quoteForMessage(input.name) + ": ",
                        type.takeError());
    // An undeclared input has at least the element type of what is passed.
    if (isa<UnknownType>(*type) && i < carriedTypes.size())
      *type = carriedTypes[i];
    std::string name = getInnerName(input.name, outer.call);
    Location loc = getOriginLoc(getInitializerOrigin(context, name, "", {}));
    Value argument = block->addArgument(*type, loc);
    if (!scope.values.try_emplace(input.name, argument).second)
      return modelError("input " + quoteForMessage(input.name) +
                        " is declared twice");
  }
  if (llvm::Error error =
          importInitializers(graph, block, scope, llvm::DenseSet<StringRef>()))
    return error;
  SmallVector<Value> outputs;
  if (llvm::Error error = importBody(graph, block, scope, outer.call, outputs))
    return error;
  getBuilder(block).create<YieldOp>(UnknownLoc::get(context), outputs);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

const proto::Attribute *
GraphImporter::resolve(const proto::Attribute &attribute,
                       const Call *call) const {
  const proto::Attribute *result = &attribute;
  while (result && !result->refName.empty()) {
    if (!call)
      return nullptr;
    result = call->attributes.lookup(result->refName);
    call = call->parent;
  }
  return result;
}

const proto::Attribute *GraphImporter::findAttribute(const Node &node,
                                                     StringRef name,
                                                     const Call *call) const {
  for (const proto::Attribute &attribute : node.attributes)
    if (attribute.name == name)
      return resolve(attribute, call);
  return nullptr;
}

Location GraphImporter::getLoc(const Node &node, Context &inner) {
  Builder builder(context);
  SmallVector<Attribute> outputs, dims;
  bool hasDims = false;
  for (StringRef output : node.outputs) {
    outputs.push_back(builder.getStringAttr(getInnerName(output, inner.call)));
    const proto::ValueInfo *info = inner.declarations.lookup(output);
    ArrayAttr names = info ? importDimNames(context, info->type) : ArrayAttr();
    hasDims |= bool(names);
    dims.push_back(names ? names : builder.getArrayAttr({}));
  }
  NamedAttrList extra;
  if (!node.docString.empty())
    extra.set("doc", builder.getStringAttr(node.docString));
  if (DictionaryAttr metadata = importMetadata(context, node.metadata))
    extra.set("metadata", metadata);
  if (hasDims)
    extra.set("dims", builder.getArrayAttr(dims));
  if (ArrayAttr configurations = importRaw(context, node.deviceConfigurations))
    extra.set("device_configurations", configurations);
  return getOriginLoc(OriginAttr::get(
      context, builder.getStringAttr(getInnerNodeName(node.name, inner.call)),
      builder.getStringAttr(node.opType), builder.getArrayAttr(outputs),
      extra.empty() ? DictionaryAttr() : extra.getDictionary(context)));
}

llvm::Expected<Value>
GraphImporter::lookupInput(const Node &node, unsigned index, Context &inner) {
  if (index >= node.inputs.size() || node.inputs[index].empty())
    return Value();
  if (Value value = inner.scope.lookup(node.inputs[index]))
    return value;
  return makeNodeError(node, "input " + quoteForMessage(node.inputs[index]) +
                                 " is not defined");
}

llvm::Error GraphImporter::lookupInputs(const Node &node, Context &inner,
                                        SmallVectorImpl<Value> &values) {
  for (unsigned i = 0; i < node.inputs.size(); ++i) {
    auto value = lookupInput(node, i, inner);
    if (!value)
      return value.takeError();
    values.push_back(*value);
  }
  return llvm::Error::success();
}

llvm::Error GraphImporter::define(const Node &node, unsigned output,
                                  Value value, Context &inner) {
  StringRef name = node.outputs[output];
  if (name.empty() || inner.scope.values.try_emplace(name, value).second)
    return llvm::Error::success();
  return makeNodeError(node, "output " + quoteForMessage(name) +
                                 " is already defined");
}

llvm::Error GraphImporter::create(OperationState &state, const Node &node,
                                  Context &inner) {
  Operation *op = getBuilder(inner.block).create(state);
  SmallVector<Type> declared;
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    StringRef name = i < node.outputs.size() ? node.outputs[i] : StringRef();
    const proto::ValueInfo *info = inner.declarations.lookup(name);
    auto type =
        importType(context, info && !name.empty() ? info->type : nullptr);
    if (!type)
      return makeNodeError(node, "output " + quoteForMessage(name) + ": " +
                                     llvm::toString(type.takeError()));
    declared.push_back(*type);
  }
  // Operands first: inference may rely on what the definition of the
  // operation says about them.
  if (failed(op->getName().verifyInvariants(op)) ||
      failed(refineResultTypes(op, declared)))
    return takeDiagnostics();
  for (unsigned i = 0; i < node.outputs.size() && i < op->getNumResults(); ++i)
    if (llvm::Error error = define(node, i, op->getResult(i), inner))
      return error;
  return llvm::Error::success();
}

/// What no node may be, modelled or not.
static llvm::Error checkNode(const proto::Node &node) {
  if (node.opType.empty())
    return GraphImporter::makeNodeError(node, "names no operator");
  llvm::SmallDenseSet<StringRef, 8> seen;
  for (const proto::Attribute &attribute : node.attributes) {
    if (attribute.name.empty())
      return GraphImporter::makeNodeError(node, "an attribute has no name");
    if (!seen.insert(attribute.name).second)
      return GraphImporter::makeNodeError(
          node,
          "attribute " + quoteForMessage(attribute.name) + " is given twice");
  }
  return llvm::Error::success();
}

/// An operator of another domain than ONNX's own: as the operation that was
/// registered for it, if any.
llvm::Error GraphImporter::importForeign(const Node &node, Context &inner) {
  if (!lookupByOnnxName(getQualifiedType(node)))
    return importOpaque(node, inner);
  auto done = importTyped(node, getOpset(node.domain, inner.call), inner);
  if (!done)
    return done.takeError();
  return *done ? llvm::Error::success() : importOpaque(node, inner);
}

llvm::Error GraphImporter::importNode(const Node &node, Context &inner) {
  if (llvm::Error error = checkNode(node))
    return error;
  auto function =
      functions.find(getFunctionKey(node.domain, node.opType, node.overload));
  if (function != functions.end())
    return importCall(node, *function->second, inner);
  if (!normalizeDomain(node.domain).empty())
    return importForeign(node, inner);
  int64_t opset = getOpset("", inner.call);
  if (node.opType == "Constant")
    return importConstant(node, inner);
  if (opset < minOpset && !isUnchanged(node.opType, opset))
    return importOpaque(node, inner);
  // Before opset 9, Scan had a batch dimension.
  if (node.opType == "If" || node.opType == "Loop" ||
      (node.opType == "Scan" && opset >= 9))
    return importControlFlow(node, inner);
  auto isConstant = importConvertedConstant(node, opset, inner);
  if (!isConstant)
    return isConstant.takeError();
  if (*isConstant)
    return llvm::Error::success();
  auto done = importTyped(node, opset, inner);
  if (!done)
    return done.takeError();
  return *done ? llvm::Error::success() : importOpaque(node, inner);
}
