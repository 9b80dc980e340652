//===- LayoutGraphRules.cpp - The forms that a target's rules give --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormFacts.h"
#include "LayoutGraphBuilder.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/LayoutAssign/FindForm.h"

using namespace inlay;
using namespace mlir;

const OpLayout *LayoutGraphBuilder::findRule(Operation *op) {
  if (isa<OpaqueOp>(op))
    return nullptr;
  Value data = op->getNumOperands() != 0 ? op->getOperand(0) : Value();
  Type element = data ? getElementType(data) : Type();
  auto [it, isNew] = rules.try_emplace({op->getName(), element}, nullptr);
  if (isNew)
    it->second = graph.target.findRule(
        getOpType(op), element ? getElementWord(element) : "unknown");
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
    if (zero && addForm(index, *zero)) {
      any = true;
      noteRuleForm(index, *zero);
    }
    if (zero && zero->isBlocked())
      if (auto other = getRuleForm(op, choice, Padding::Any))
        any |= addForm(index, *other);
  }
  graph.nodes[index].isKey = any && rule->required;
  return any && rule->required;
}

//===----------------------------------------------------------------------===//
// Other numbers of channels
//===----------------------------------------------------------------------===//

// Where a target says in which order the dimensions lie, nobody has to number
// channels as the model does: of a convolution in NHWC the factors of C may lie
// in any order, side by side, as long as all tensors have them so. The form
// below the rule's is the one in which each dimension is where the model has
// it.

void LayoutGraphBuilder::noteRuleForm(unsigned index, const StoredForm &form) {
  if (!form.isFactored() && isa<StorageOpInterface>(graph.nodes[index].op))
    ruleForms[index].push_back(form);
}

static AtomSequence writeOut(ArrayRef<Atom> order, Type type) {
  if (!order.empty())
    return AtomSequence(order);
  AtomSequence atoms;
  for (int64_t dim = 0; dim < cast<RankedTensorType>(type).getRank(); ++dim)
    atoms.push_back({unsigned(dim)});
  return atoms;
}

/// The dimensions of several elements as they lie, where the factors of each
/// lie together.
static std::optional<SmallVector<unsigned>>
getLongDimOrder(ArrayRef<Atom> order, Type type) {
  AtomSequence atoms = writeOut(order, type);
  llvm::erase_if(atoms, [&](const Atom &atom) {
    return cast<RankedTensorType>(type).getDimSize(atom.dim) == 1;
  });
  return getDimOrder(atoms);
}

static const AtomSequence &getOrderOf(const StoredForm &form, unsigned port) {
  size_t numOperands = form.operands.size();
  return port < numOperands ? form.operands[port]
                            : form.results[port - numOperands];
}

/// The order of the form below `rule` in which a port is stored in `order`;
/// nothing where that is the rule's own or its dimensions lie otherwise.
std::optional<OrderTable::Id>
LayoutGraphBuilder::getOrderBelow(unsigned index, const StoredForm &rule,
                                  unsigned port, OrderTable::Id id) {
  auto type = dyn_cast<RankedTensorType>(
      graph.nodes[index].ports[port].value.getType());
  ArrayRef<Atom> order = graph.orders[id];
  if (!type || isBlocked(order))
    return std::nullopt;
  auto dims = getLongDimOrder(order, type);
  if (!dims || dims != getLongDimOrder(getOrderOf(rule, port), type))
    return std::nullopt;
  auto inPlace = llvm::to_vector(llvm::seq<unsigned>(0, type.getRank()));
  return graph.orders.insert(arrangeDims(writeOut(order, type), inPlace));
}

/// The form above the one of `orders`; nothing where that has moved dimensions
/// of its own.
std::optional<LayoutGraphBuilder::OrderIds>
LayoutGraphBuilder::putUnder(unsigned index, const StoredForm &rule,
                             ArrayRef<OrderTable::Id> orders) {
  OrderIds above;
  for (auto [i, id] : llvm::enumerate(orders)) {
    auto type =
        dyn_cast<RankedTensorType>(graph.nodes[index].ports[i].value.getType());
    if (!type) {
      above.push_back(id);
      continue;
    }
    auto dims = getLongDimOrder(graph.orders[id], type);
    if (!dims || !llvm::is_sorted(*dims))
      return std::nullopt;
    AtomSequence wanted = writeOut(getOrderOf(rule, i), type);
    SmallVector<unsigned> places;
    for (const Atom &atom : wanted)
      places.push_back(atom.dim);
    above.push_back(graph.orders.insert(
        arrangeDims(writeOut(graph.orders[id], type), places)));
  }
  return above;
}

void LayoutGraphBuilder::extendUnderRules(unsigned index, unsigned port,
                                          OrderTable::Id order) {
  auto it = ruleForms.find(index);
  if (it == ruleForms.end())
    return;
  for (const StoredForm &rule : it->second) {
    auto below = getOrderBelow(index, rule, port, order);
    if (!below || *below == OrderTable::rowMajor)
      continue;
    // Copied: what is added is asked for in turn.
    Answer answer = ask(index, port, *below);
    for (const OrderIds &ids : answer.forms)
      if (auto above = putUnder(index, rule, ids))
        addForm(index, *above);
  }
}

/// The same for what two demands lead to.
void LayoutGraphBuilder::addFormsUnderRules(unsigned index, PortOrder own,
                                            PortOrder guide) {
  auto it = ruleForms.find(index);
  if (it == ruleForms.end())
    return;
  for (const StoredForm &rule : it->second) {
    auto first = getOrderBelow(index, rule, own.first, own.second);
    auto second = getOrderBelow(index, rule, guide.first, guide.second);
    if (!first || !second || *first == OrderTable::rowMajor ||
        *second == OrderTable::rowMajor)
      continue;
    for (const OrderIds &ids :
         askBetween(index, {own.first, *first}, {guide.first, *second}))
      if (auto above = putUnder(index, rule, ids))
        addForm(index, *above);
  }
}

//===----------------------------------------------------------------------===//
// Factors of choices
//===----------------------------------------------------------------------===//

/// `order` whatever the factors of its dimensions are, where these lie
/// together.
static AtomSequence ignoreFactors(ArrayRef<Atom> order) {
  auto dims = getDimOrder(order);
  if (!dims)
    return AtomSequence(order);
  AtomSequence whole;
  for (unsigned dim : *dims)
    whole.push_back({dim});
  return whole;
}

/// Whether `order` stores `value` as a rule's order does, whatever its padding
/// holds and numbers its channels have.
static bool isStoredAs(const Target &target, Value value, LayoutAttr layout,
                       ArrayRef<Atom> order, StringRef name) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto ruled =
      target.getOrder(name, getAxesOf(value, layout), getElementName(value));
  return type && ruled &&
         (areStoredAlike(withPadding(order, Padding::Any),
                         withPadding(*ruled, Padding::Any), type.getShape()) ||
          areStoredAlike(ignoreFactors(order), *ruled, type.getShape()));
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
