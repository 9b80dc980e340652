//===- OperationImporter.cpp - Nodes as operations ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionTable.h"
#include "GraphImporter.h"
#include "NodeOrder.h"
#include "TypeHistory.h"
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
// Operators of the dialect
//===----------------------------------------------------------------------===//

/// Whether the operation knows all these attributes.
static bool areKnown(const NamedAttrList &attributes,
                     RegisteredOperationName name) {
  return llvm::all_of(attributes, [&](NamedAttribute attribute) {
    return llvm::is_contained(name.getAttributeNames(), attribute.getName());
  });
}

/// Whether the operands can be told apart: an absent one before a present one
/// needs sizes of segments.
static bool hasGaps(const NodeForm &form) {
  return llvm::any_of(form.inputs, [](const NodeForm::Input &input) {
    return input.isAbsent();
  });
}

llvm::Expected<bool> GraphImporter::importTyped(const Node &node, int64_t opset,
                                                Context &inner) {
  NodeForm form;
  form.opType = getQualifiedType(node);
  form.numOutputs = node.outputs.size();
  SmallVector<Value> values;
  if (llvm::Error error = lookupInputs(node, inner, values))
    return std::move(error);
  for (Value value : values)
    form.inputs.push_back({value, {}});
  for (const proto::Attribute &attribute : node.attributes) {
    const proto::Attribute *actual = resolve(attribute, inner.call);
    if (!actual)
      continue;
    if (actual->kind == proto::AttributeKind::Graph ||
        actual->kind == proto::AttributeKind::Graphs)
      return false;
    auto value = attributes.importAttribute(*actual);
    if (!value)
      return value.takeError();
    form.attributes.set(attribute.name, *value);
  }
  if (!upgradeForm(context, form, opset))
    return false;
  const OpForm *op = lookupByOnnxName(form.opType);
  auto name = RegisteredOperationName::lookup(op->opName, context);
  if (!name)
    return false;
  bool hasSegments = name->hasTrait<OpTrait::AttrSizedOperandSegments>();
  unsigned numResults = op->numResults ? op->numResults : form.numOutputs;
  if (form.numOutputs > numResults)
    return makeNodeError(node, "has " + llvm::Twine(form.numOutputs) +
                                   " outputs, expected at most " +
                                   llvm::Twine(numResults));
  if (op->numInputs != 0 && form.inputs.size() > op->numInputs)
    return makeNodeError(node, "has " + llvm::Twine(form.inputs.size()) +
                                   " inputs, expected at most " +
                                   llvm::Twine(op->numInputs));
  if (!areKnown(form.attributes, *name) || (!hasSegments && hasGaps(form)))
    return false;
  if (StringRef domain = getSpelledDomain(*op); !domain.empty())
    form.attributes.set(attrs::nodeDomain, StringAttr::get(context, domain));

  OperationState state(getLoc(node, inner), *name);
  SmallVector<int32_t> segments(hasSegments ? op->numInputs : 0);
  for (auto [i, input] : llvm::enumerate(form.inputs)) {
    if (input.isAbsent())
      continue;
    if (input.constant) {
      TypedAttr value = getConstantAttr(context, input.constant);
      input.value = getBuilder(inner.block)
                        .create<ConstantOp>(UnknownLoc::get(context),
                                            value.getType(), value);
    }
    if (hasSegments)
      segments[i] = 1;
    state.addOperands(input.value);
  }
  if (hasSegments)
    form.attributes.set("operandSegmentSizes",
                        DenseI32ArrayAttr::get(context, segments));
  state.addAttributes(form.attributes);
  state.types.assign(numResults, UnknownType::get(context));
  if (llvm::Error error = create(state, node, inner))
    return std::move(error);
  for (Value value : values)
    if (value && value.use_empty())
      if (auto constant = value.getDefiningOp<ConstantOp>())
        parameterConstants.insert(constant);
  return true;
}

/// The tensor that a Constant node's attribute stands for.
static llvm::Expected<TypedAttr>
getConstantNodeValue(MLIRContext *context, AttributeImporter &attributes,
                     const proto::Attribute &attribute) {
  auto makeStrings = [&](ArrayRef<int64_t> shape) {
    HostTensor tensor(ElementType::String, shape);
    for (auto [i, text] : llvm::enumerate(attribute.getStrings()))
      tensor.getMutableStrings()[i] = text.str();
    return getConstantAttr(context, tensor);
  };
  switch (attribute.kind) {
  case proto::AttributeKind::Tensor:
    return attributes.importTensor(attribute.getTensor());
  case proto::AttributeKind::Float:
    return getConstantAttr(
        context,
        HostTensor::get<float>(ElementType::Float, {}, {attribute.getFloat()}));
  case proto::AttributeKind::Floats: {
    ArrayRef<float> values = attribute.getFloats();
    return getConstantAttr(
        context, HostTensor::get<float>(ElementType::Float,
                                        {int64_t(values.size())}, values));
  }
  case proto::AttributeKind::Int:
    return getConstantAttr(
        context,
        HostTensor::get<int64_t>(ElementType::Int64, {}, {attribute.getInt()}));
  case proto::AttributeKind::Ints:
    return getConstantAttr(context, HostTensor::getInts(attribute.getInts()));
  case proto::AttributeKind::String:
    return makeStrings({});
  case proto::AttributeKind::Strings:
    return makeStrings({int64_t(attribute.getStrings().size())});
  default:
    return TypedAttr();
  }
}

llvm::Error GraphImporter::importConstant(const Node &node, Context &inner) {
  if (node.attributes.size() != 1 || node.outputs.size() != 1 ||
      !node.inputs.empty())
    return makeNodeError(node, "expected one attribute, one output and no "
                               "input");
  const proto::Attribute *attribute = resolve(node.attributes[0], inner.call);
  if (!attribute)
    return makeNodeError(node, "the attribute is not given");
  auto value = getConstantNodeValue(context, attributes, *attribute);
  if (!value)
    return makeNodeError(node, llvm::toString(value.takeError()));
  if (!*value)
    return importOpaque(node, inner);
  OperationState state(getLoc(node, inner), ConstantOp::getOperationName());
  state.addAttribute("value", *value);
  state.addTypes(value->getType());
  return create(state, node, inner);
}

/// The f64 constant that `node` converts in a function of a target, as they are
/// written for opsets whose Constant is of floats.
ConstantOp GraphImporter::getConverted(const Node &node, int64_t opset,
                                       Context &inner) {
  if (node.opType != "Cast" || node.inputs.size() != 1 ||
      getFirstOpset("Constant", ElementType::Int64) <= opset || !inner.call ||
      !StringRef(inner.call->function->domain).starts_with(targetDomainPrefix))
    return {};
  Value input = inner.scope.lookup(node.inputs[0]);
  auto constant = input ? input.getDefiningOp<ConstantOp>() : ConstantOp();
  bool isOwn = constant && constant->getBlock() == inner.block &&
               inlay::getElementType(input).isF64();
  return isOwn ? constant : ConstantOp();
}

llvm::Expected<bool> GraphImporter::importConvertedConstant(const Node &node,
                                                            int64_t opset,
                                                            Context &inner) {
  ConstantOp constant = getConverted(node, opset, inner);
  const proto::Attribute *to =
      constant ? findAttribute(node, "to", inner.call) : nullptr;
  auto type = to && to->kind == proto::AttributeKind::Int
                  ? inlay::getElementType(to->getInt())
                  : std::nullopt;
  if (!type || (!isInteger(*type) && *type != ElementType::Bool))
    return false;
  auto numbers = getHostTensor(constant.getValue());
  if (!numbers)
    return numbers.takeError();
  HostTensor tensor(*type, numbers->getShape());
  for (int64_t i = 0, e = tensor.getNumElements(); i != e; ++i)
    tensor.setInt(i, int64_t(numbers->getDouble(i)));
  Node written = node;
  written.opType = "Constant";
  TypedAttr value = getConstantAttr(context, tensor);
  OperationState state(getLoc(written, inner), ConstantOp::getOperationName());
  state.addAttribute("value", value);
  state.addTypes(value.getType());
  if (llvm::Error error = create(state, written, inner))
    return std::move(error);
  // Nothing of the model goes with it.
  constant->setLoc(UnknownLoc::get(context));
  parameterConstants.insert(constant);
  return true;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// A type of which only the element type is kept: carried values may change
/// their shape.
static Type withoutShape(Value value) {
  Type element = value ? getElementType(value) : Type();
  if (!element)
    return value ? UnknownType::get(value.getContext()) : Type();
  return UnrankedTensorType::get(element);
}

llvm::Error GraphImporter::importControlFlow(const Node &node, Context &inner) {
  Builder builder(context);
  SmallVector<Value> inputs;
  if (llvm::Error error = lookupInputs(node, inner, inputs))
    return error;
  std::string opName = "inlay." + node.opType.lower();
  OperationState state(getLoc(node, inner), opName);
  SmallVector<StringRef, 2> graphNames = {"body"};
  if (node.opType == "If")
    graphNames = {"then_branch", "else_branch"};
  for (const proto::Attribute &attribute : node.attributes) {
    if (llvm::is_contained(graphNames, attribute.name))
      continue;
    auto value = attributes.importAttribute(attribute);
    if (!value)
      return value.takeError();
    state.addAttribute(attribute.name, *value);
  }
  // The iteration number and the condition come before a loop's values.
  Type i64 = RankedTensorType::get({}, builder.getI64Type());
  Type i1 = RankedTensorType::get({}, builder.getI1Type());
  SmallVector<Type> carried;
  if (node.opType == "Loop")
    carried = {i64, i1};
  size_t numLeading = node.opType == "Loop" ? 2 : 0;
  for (Value value :
       ArrayRef(inputs).drop_front(std::min(numLeading, inputs.size()))) {
    if (!value)
      return makeNodeError(node, "a carried or scanned input is absent");
    carried.push_back(withoutShape(value));
  }
  SmallVector<Attribute> names;
  for (StringRef name : graphNames) {
    const proto::Attribute *graph = findAttribute(node, name, inner.call);
    if (!graph || graph->kind != proto::AttributeKind::Graph)
      return makeNodeError(node, "graph attribute '" + name + "' is missing");
    names.push_back(builder.getStringAttr(graph->getGraph().name));
    if (llvm::Error error = importSubgraph(graph->getGraph(),
                                           *state.addRegion(), carried, inner))
      return error;
  }
  state.addAttribute(attrs::graphNames, builder.getArrayAttr(names));
  SmallVector<int32_t> segments;
  if (node.opType == "Loop") {
    inputs.resize(std::max<size_t>(inputs.size(), 2));
    segments = {inputs[0] ? 1 : 0, inputs[1] ? 1 : 0,
                int32_t(inputs.size() - 2)};
    state.addAttribute("operandSegmentSizes",
                       builder.getDenseI32ArrayAttr(segments));
  }
  for (Value value : inputs)
    if (value)
      state.addOperands(value);
  state.types.assign(node.outputs.size(), UnknownType::get(context));
  return create(state, node, inner);
}

//===----------------------------------------------------------------------===//
// What is not modelled
//===----------------------------------------------------------------------===//

/// Which of `names` are not empty, or null when all are.
static DenseBoolArrayAttr getPresence(MLIRContext *context,
                                      ArrayRef<StringRef> names) {
  SmallVector<bool> present;
  for (StringRef name : names)
    present.push_back(!name.empty());
  if (llvm::all_of(present, [](bool one) { return one; }))
    return {};
  return DenseBoolArrayAttr::get(context, present);
}

llvm::Error GraphImporter::importOpaque(const Node &node, Context &inner) {
  Builder builder(context);
  SmallVector<Value> inputs;
  if (llvm::Error error = lookupInputs(node, inner, inputs))
    return error;
  OperationState state(getLoc(node, inner), OpaqueOp::getOperationName());
  state.addAttribute(
      "callee",
      builder.getStringAttr(normalizeDomain(node.domain) + "::" + node.opType));
  if (!node.overload.empty())
    state.addAttribute("overload", builder.getStringAttr(node.overload));
  if (auto present = getPresence(context, node.inputs))
    state.addAttribute("present_inputs", present);
  if (auto present = getPresence(context, node.outputs))
    state.addAttribute("present_outputs", present);
  NamedAttrList own;
  SmallVector<Attribute> graphs, names;
  for (const proto::Attribute &attribute : node.attributes) {
    const proto::Attribute *actual = resolve(attribute, inner.call);
    if (!actual)
      continue;
    // An empty list of graphs is kept as it was written.
    bool hasGraphs = actual->kind == proto::AttributeKind::Graph ||
                     (actual->kind == proto::AttributeKind::Graphs &&
                      !actual->getGraphs().empty());
    if (hasGraphs) {
      for (const proto::Graph &graph : actual->getGraphs()) {
        graphs.push_back(builder.getStringAttr(attribute.name));
        names.push_back(builder.getStringAttr(graph.name));
        if (llvm::Error error =
                importSubgraph(graph, *state.addRegion(), {}, inner))
          return error;
      }
      continue;
    }
    auto value = attributes.importAttribute(*actual);
    if (!value)
      return makeNodeError(node, llvm::toString(value.takeError()));
    own.set(attribute.name, *value);
  }
  if (!own.empty())
    state.addAttribute("node_attributes", own.getDictionary(context));
  if (!graphs.empty()) {
    state.addAttribute("graphs", builder.getArrayAttr(graphs));
    state.addAttribute(attrs::graphNames, builder.getArrayAttr(names));
  }
  for (Value value : inputs)
    if (value)
      state.addOperands(value);
  // Results are the outputs that are named; `create` takes them in order.
  Node named = node;
  SmallVector<StringRef> outputs;
  llvm::copy_if(node.outputs, std::back_inserter(outputs),
                [](StringRef name) { return !name.empty(); });
  named.outputs = outputs;
  state.types.assign(outputs.size(), UnknownType::get(context));
  state.location = getLoc(named, inner);
  return create(state, named, inner);
}
