//===- LayoutGraphRules.cpp - The forms that a target's rules give --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutGraphBuilder.h"
#include "inlay/LayoutAssign/FindForm.h"

using namespace inlay;
using namespace mlir;

const OpLayout *LayoutGraphBuilder::findRule(Operation *op) {
  if (isa<OpaqueOp>(op))
    return nullptr;
  auto [it, isNew] = rules.try_emplace(op->getName(), nullptr);
  if (isNew)
    it->second = graph.target.findRule(getOpType(op));
  return it->second;
}

std::string inlay::getAxesOf(Value value, LayoutAttr known) {
  if (known && !known.getLayout().getAxes().empty())
    return known.getLayout().getAxes().str();
  return getDataAxes(getRank(value).value_or(0)).value_or("");
}

/// The name that targets know the element type of `value` by.
static StringRef getElementName(Value value) {
  Type element = getElementType(value);
  auto type = element ? getOnnxElementType(element) : std::nullopt;
  return type ? getName(*type) : StringRef();
}

KnownLayouts inlay::getKnownLayouts(Operation *op) {
  KnownLayouts known;
  if (auto transmit = dyn_cast<LayoutTransmitOpInterface>(op))
    known = transmit.getKnownLayouts();
  known.operands.resize(op->getNumOperands());
  known.results.resize(op->getNumResults());
  return known;
}

static bool isWeight(LayoutAttr layout) {
  return layout && layout.getLayout().getClass() == LayoutClass::Weight;
}

std::optional<StoredForm>
LayoutGraphBuilder::getRuleForm(Operation *op, const LayoutChoice &choice,
                                Padding padding) {
  KnownLayouts known = getKnownLayouts(op);
  StoredForm form;
  form.operands.resize(op->getNumOperands());
  form.results.resize(op->getNumResults());
  auto set = [&](AtomSequence &order, Value value, LayoutAttr layout,
                 StringRef name) {
    auto ruled = graph.target.getOrder(name, getAxesOf(value, layout),
                                       getElementName(value));
    if (ruled)
      order = *ruled;
    return ruled.has_value();
  };
  if (!set(form.operands[0], op->getOperand(0), known.operands[0],
           choice.data) ||
      !set(form.results[0], op->getResult(0), known.results[0], choice.result))
    return std::nullopt;
  for (unsigned i = 1; i < op->getNumOperands(); ++i) {
    LayoutAttr layout = known.operands[i];
    if (isWeight(layout) && !choice.weight.empty() &&
        !set(form.operands[i], op->getOperand(i), layout, choice.weight))
      return std::nullopt;
  }
  return completeRuleForm(op, std::move(form), padding);
}

bool LayoutGraphBuilder::addRuleForms(unsigned index) {
  Operation *op = graph.nodes[index].op;
  const OpLayout *rule = graph.nodes[index].tie ? nullptr : findRule(op);
  // Further results (indices, statistics) depend on the order of traversal.
  bool hasOneResult =
      op->getNumResults() > 0 && getRank(op->getResult(0)) &&
      llvm::all_of(op->getResults().drop_front(),
                   [](Value result) { return result.use_empty(); });
  if (!rule || !hasOneResult)
    return false;
  bool any = false;
  for (const LayoutChoice &choice : rule->choices) {
    // Padding that is zero where it may be anything is no use.
    auto zero = getRuleForm(op, choice, Padding::Zero);
    any |= zero && addForm(index, *zero);
    if (zero && zero->isBlocked())
      if (auto other = getRuleForm(op, choice, Padding::Any))
        any |= addForm(index, *other);
  }
  graph.nodes[index].isKey = any && rule->required;
  return any && rule->required;
}

/// Whether `order` stores `value` as a rule's order does, whatever its padding
/// holds.
static bool isStoredAs(const Target &target, Value value, LayoutAttr layout,
                       ArrayRef<Atom> order, StringRef name) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto ruled =
      target.getOrder(name, getAxesOf(value, layout), getElementName(value));
  return type && ruled &&
         areStoredAlike(withPadding(order, Padding::Any),
                        withPadding(*ruled, Padding::Any), type.getShape());
}

/// Of the choices whose data is stored so, the one that fits best otherwise:
/// the factor is that of the data's order, however the operator comes to run
/// in it.
CostFactor
LayoutGraphBuilder::getChoiceFactor(Operation *op, const OpLayout *rule,
                                    ArrayRef<ArrayRef<Atom>> orders) {
  CostFactor factor;
  if (!rule || op->getNumOperands() == 0 || op->getNumResults() == 0)
    return factor;
  KnownLayouts known = getKnownLayouts(op);
  unsigned best = 0;
  for (const LayoutChoice &choice : rule->choices) {
    auto isStored = [&](Value value, LayoutAttr layout, unsigned port,
                        StringRef name) {
      return isStoredAs(graph.target, value, layout, orders[port], name);
    };
    if (!isStored(op->getOperand(0), known.operands[0], 0, choice.data))
      continue;
    unsigned fit = 1 + isStored(op->getResult(0), known.results[0],
                                op->getNumOperands(), choice.result);
    for (unsigned i = 1; i < op->getNumOperands(); ++i)
      if (isWeight(known.operands[i]) && !choice.weight.empty())
        fit += isStored(op->getOperand(i), known.operands[i], i, choice.weight);
    if (fit > best) {
      best = fit;
      factor = choice.factor;
    }
  }
  return factor;
}
