//===- FunctionImporter.cpp - Calls of model-local functions --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions are inlined, except those that were exported from an operator in a
// layout or from a group: these become it again. Where anything about such a
// function is not as the exporter writes it, inlining gives the same meaning.
//
//===----------------------------------------------------------------------===//

#include "FunctionTable.h"
#include "GraphImporter.h"
#include "inlay/IR/DerivedNames.h"
#include "inlay/IR/GroupKind.h"
#include "inlay/ONNX/ProtoReader.h"

using namespace inlay;
using namespace inlay::onnx;
using namespace mlir;

/// Nodes that inlining functions may add. A small file can describe more than
/// any memory holds.
static constexpr uint64_t maxInlinedNodes = 1'000'000;
static constexpr unsigned maxCallDepth = 64;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static bool isGroup(const proto::Function &function) {
  return StringRef(function.domain).starts_with(targetDomainPrefix) &&
         !function.metadata.empty() && function.metadata[0].key == groupKey;
}

/// The class of a group that is a kernel.
static std::optional<StringRef> getKernel(const proto::Function &function) {
  if (function.metadata.size() < 2 || function.metadata[1].key != kernelKey)
    return std::nullopt;
  return function.metadata[1].value;
}

/// Whether the function is being inlined already.
static bool isRecursive(const proto::Function &function, const Call *call) {
  for (; call; call = call->parent)
    if (call->function == &function)
      return true;
  return false;
}

llvm::Expected<Call> GraphImporter::prepareCall(const Node &node,
                                                const proto::Function &function,
                                                Context &outer) {
  if (isRecursive(function, outer.call))
    return makeNodeError(node, "function calls itself");
  numInlined += function.nodes.size();
  if (numInlined > maxInlinedNodes)
    return makeNodeError(node, "inlining functions gives more than " +
                                   llvm::Twine(maxInlinedNodes) + " nodes");
  if (node.inputs.size() > function.inputs.size() ||
      node.outputs.size() > function.outputs.size())
    return makeNodeError(node,
                         "call has " + llvm::Twine(node.inputs.size()) +
                             " inputs and " + llvm::Twine(node.outputs.size()) +
                             " outputs, the function takes " +
                             llvm::Twine(function.inputs.size()) + " and " +
                             llvm::Twine(function.outputs.size()));
  Call call;
  call.parent = outer.call;
  call.depth = outer.call ? outer.call->depth + 1 : 1;
  if (call.depth > maxCallDepth)
    return makeNodeError(node, "functions call each other more than " +
                                   llvm::Twine(maxCallDepth) + " deep");
  call.function = &function;
  call.opsets = getOpsets(function.opsetImports);
  StringRef label = !node.name.empty()     ? node.name
                    : node.outputs.empty() ? node.opType
                                           : node.outputs[0];
  // The nodes of a group have the names of the model that it was made of.
  if (!isGroup(function))
    call.prefix =
        deriveName(node.name.empty() ? getInnerName(label, outer.call)
                                     : getInnerNodeName(label, outer.call),
                   "");
  for (const proto::Attribute &attribute : function.attributeDefaults)
    call.attributes[attribute.name] = &attribute;
  // What the caller's caller leaves out has the function's default.
  for (const proto::Attribute &attribute : node.attributes)
    if (const proto::Attribute *given = resolve(attribute, outer.call))
      call.attributes[attribute.name] = given;
  return call;
}

llvm::Error GraphImporter::importFunctionBody(const Node &node,
                                              const Call &call, Block *block,
                                              ArrayRef<Value> inputs,
                                              MutableArrayRef<Value> outputs) {
  const proto::Function &function = *call.function;
  Scope scope; // A function sees nothing of the graph around its call.
  for (auto [name, value] : llvm::zip(function.inputs, inputs))
    if (value)
      scope.values[name] = value;
  Declarations declarations;
  for (const proto::ValueInfo &info : function.valueInfos)
    declarations[info.name] = &info;
  Context inner{block, scope, &call, declarations};
  if (llvm::Error error = importNodes(function.nodes, inner))
    return addContext("in function " + quoteForMessage(function.name) + ": ",
                      std::move(error));
  for (auto [name, value] : llvm::zip(function.outputs, outputs)) {
    value = scope.lookup(name);
    if (!value)
      return makeNodeError(node, "output " + quoteForMessage(name) +
                                     " of the function is not defined");
  }
  return llvm::Error::success();
}

llvm::Error GraphImporter::importCall(const Node &node,
                                      const proto::Function &function,
                                      Context &outer) {
  auto call = prepareCall(node, function, outer);
  if (!call)
    return call.takeError();
  SmallVector<Value> inputs;
  if (llvm::Error error = lookupInputs(node, outer, inputs))
    return error;
  if (ArrayAttr layouts = getLayouts(node, function))
    return importInLayout(node, *call, inputs, layouts, outer);
  if (ArrayAttr stages = getStages(node, function))
    return importGroup(node, *call, inputs, stages, outer);
  return inlineCall(node, *call, inputs, outer);
}

llvm::Error GraphImporter::inlineCall(const Node &node, Call &call,
                                      ArrayRef<Value> inputs, Context &outer) {
  removed.add(getFirstOrigin(getLoc(node, outer)), "its function is inlined");
  for (auto [name, given] : llvm::zip(call.function->outputs, node.outputs))
    if (!given.empty())
      call.outputNames[name] = given;
  SmallVector<Value> outputs(node.outputs.size());
  if (llvm::Error error =
          importFunctionBody(node, call, outer.block, inputs, outputs))
    return error;
  for (auto [i, value] : llvm::enumerate(outputs))
    if (llvm::Error error = define(node, i, value, outer))
      return error;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// What functions were exported from
//===----------------------------------------------------------------------===//

bool GraphImporter::isKept(const Node &node,
                           const proto::Function &function) const {
  StringRef domain = function.domain;
  return domain.consume_front(targetDomainPrefix) &&
         (!target || domain == *target) &&
         node.inputs.size() == function.inputs.size() &&
         node.outputs.size() == function.outputs.size() &&
         !node.outputs.empty() && !llvm::is_contained(node.inputs, "") &&
         !llvm::is_contained(node.outputs, "");
}

/// The texts of entries with the keys `key`0, `key`1, ...; null where another
/// is among them.
static ArrayAttr getTexts(MLIRContext *context,
                          ArrayRef<proto::StringEntry> entries, StringRef key) {
  SmallVector<Attribute> texts;
  for (auto [i, entry] : llvm::enumerate(entries)) {
    if (entry.key != (key + llvm::Twine(i)).str())
      return {};
    texts.push_back(StringAttr::get(context, entry.value));
  }
  return ArrayAttr::get(context, texts);
}

ArrayAttr GraphImporter::getLayouts(const Node &node,
                                    const proto::Function &function) const {
  // The operator first, then each layout.
  ArrayRef<proto::StringEntry> entries = function.metadata;
  if (!isKept(node, function) ||
      entries.size() != 1 + node.inputs.size() + node.outputs.size() ||
      entries[0].key != opTypeKey)
    return {};
  return getTexts(context, entries.drop_front(), layoutKey);
}

ArrayAttr GraphImporter::getStages(const Node &node,
                                   const proto::Function &function) const {
  StringRef owner = function.domain;
  owner = owner.drop_front(std::min(owner.size(), targetDomainPrefix.size()));
  if (!isKept(node, function) || !isGroup(function) ||
      function.metadata[0].value != owner)
    return {};
  ArrayRef<proto::StringEntry> entries = function.metadata;
  return getTexts(context, entries.drop_front(getKernel(function) ? 2 : 1),
                  stagesKey);
}

llvm::Error GraphImporter::importInLayout(const Node &node, Call &call,
                                          ArrayRef<Value> inputs,
                                          ArrayAttr layouts, Context &outer) {
  Builder builder(context);
  StringRef owner = call.function->domain.drop_front(targetDomainPrefix.size());
  OperationState state(getLoc(node, outer), InLayoutOp::getOperationName());
  state.addAttribute("target", builder.getStringAttr(owner));
  state.addAttribute("op_type",
                     builder.getStringAttr(call.function->metadata[0].value));
  state.addAttribute("layouts", layouts);
  state.addOperands(inputs);
  state.types.assign(node.outputs.size(), UnknownType::get(context));
  auto *block = new Block;
  state.addRegion()->push_back(block);
  SmallVector<Value> arguments, outputs(node.outputs.size());
  for (Value input : inputs)
    arguments.push_back(
        block->addArgument(input.getType(), UnknownLoc::get(context)));
  if (llvm::Error error =
          importFunctionBody(node, call, block, arguments, outputs))
    return error;
  getBuilder(block).create<YieldOp>(UnknownLoc::get(context), outputs);
  return create(state, node, outer);
}

llvm::Error GraphImporter::importGroup(const Node &node, Call &call,
                                       ArrayRef<Value> inputs, ArrayAttr stages,
                                       Context &outer) {
  Builder builder(context);
  OperationState state(getLoc(node, outer), GroupOp::getOperationName());
  state.addAttribute("target",
                     builder.getStringAttr(call.function->metadata[0].value));
  state.addAttribute("name", builder.getStringAttr(call.function->name));
  state.addAttribute("stages", stages);
  std::optional<StringRef> kind = getKernel(*call.function);
  if (kind && !isKindName(*kind))
    return makeNodeError(node, quoteForMessage(call.function->name) +
                                   " is a kernel of class " +
                                   quoteForMessage(*kind) +
                                   ", expected that of an operator, as "
                                   "'elementwise' or 'contraction'");
  state.types.assign(node.outputs.size(), UnknownType::get(context));
  auto *block = new Block;
  state.addRegion()->push_back(block);
  // The body sees the values around it.
  SmallVector<Value> outputs(node.outputs.size());
  if (llvm::Error error =
          importFunctionBody(node, call, block, inputs, outputs))
    return error;
  getBuilder(block).create<YieldOp>(UnknownLoc::get(context), outputs);
  if (llvm::Error error = create(state, node, outer))
    return error;
  if (kind)
    kernels.emplace_back(cast<GroupOp>(outer.block->back()), *kind);
  return llvm::Error::success();
}

/// Operators say what kernel a group is, whatever the file says of it. What it
/// reads is known when all bodies are where they belong.
void GraphImporter::finishKernels() {
  for (auto [group, kind] : kernels)
    setKind(group, kind);
}
