//===- LayoutRules.cpp - The list 'layouts' of a target file --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutRules.h"
#include "CostReader.h"
#include "Fields.h"
#include "StageForms.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace inlay;

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

namespace {
/// An order and where it is written.
struct WrittenOrder {
  std::string order;
  /// How many axes it has.
  size_t numAxes;
  YamlLocation location;
  CostFactor factor = CostFactor();
};
using WrittenOrders = llvm::SmallVector<WrittenOrder, 2>;
using FormatMap = std::map<std::string, Format, std::less<>>;
} // namespace

/// A choice is a combination of listed orders, so these stay few.
static constexpr size_t maxChoices = 64;

static std::optional<WrittenOrder>
readOrder(const YamlNode &node, llvm::StringRef what, OrderRole role,
          const FormatMap &formats, FaultList &faults) {
  std::optional<llvm::StringRef> order = readText(node, what, faults);
  if (!order)
    return std::nullopt;
  if (auto format = formats.find(*order); format != formats.end()) {
    if (format->second.role == role)
      return WrittenOrder{order->str(),
                          getFormatAxes(format->second.order).size(),
                          node.location};
    faults.add(node.location,
               "format '" + *order + "' is not one of " +
                   (role == OrderRole::Data ? "data" : "weights") + ", which " +
                   what + " is");
    return std::nullopt;
  }
  std::string reason = checkOrder(*order, role);
  if (reason.empty())
    return WrittenOrder{order->str(), order->size(), node.location};
  faults.add(node.location, "impossible order '" + order->take_front(40) +
                                "' of " + what + ": " + reason);
  return std::nullopt;
}

/// An order of data may have a factor: {order: NCHW, factor: 1.7}.
static std::optional<WrittenOrder>
readPricedOrder(const YamlNode &node, llvm::StringRef what, OrderRole role,
                const FormatMap &formats, FaultList &faults) {
  if (node.kind != YamlNode::Kind::Mapping || what != "'data'")
    return readOrder(node, what, role, formats, faults);
  Fields fields(node, "an order of 'data'", {"order", "factor"}, faults);
  const YamlNode *order = fields.require("order");
  const YamlNode *factor = fields.require("factor");
  auto written =
      order ? readOrder(*order, what, role, formats, faults) : std::nullopt;
  auto read = factor ? readFactor(*factor, faults) : std::nullopt;
  if (!written || !read)
    return std::nullopt;
  written->factor = *read;
  return written;
}

/// One order or a list of them; nothing after a fault.
static std::optional<WrittenOrders>
readOrders(const YamlNode &node, llvm::StringRef what, OrderRole role,
           const FormatMap &formats, FaultList &faults) {
  llvm::ArrayRef<YamlNode> items = getItems(node);
  if (items.empty() || items.size() > maxChoices) {
    faults.add(node.location, what + " must list 1 to " +
                                  llvm::Twine(maxChoices) + " orders, found " +
                                  llvm::Twine(items.size()));
    return std::nullopt;
  }
  WrittenOrders orders;
  for (const YamlNode &item : items)
    if (auto order = readPricedOrder(item, what, role, formats, faults))
      orders.push_back(std::move(*order));
  if (orders.size() != items.size())
    return std::nullopt;
  return orders;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

namespace {
/// The orders of one rule. Those that the file does not give are empty.
struct RuleOrders {
  WrittenOrders data, weight, result;

  size_t getNumChoices() const {
    return std::max({data.size(), weight.size(), result.size()});
  }
};

class RuleReader {
public:
  RuleReader(llvm::ArrayRef<llvm::StringRef> knownOps, OpFormLookup getForms,
             const FormatMap &formats, FaultList &faults)
      : knownOps(knownOps), getForms(getForms), formats(formats),
        faults(faults) {}

  std::optional<OpLayout> read(const YamlNode &node);

private:
  std::optional<std::string> readOp(const YamlNode &node,
                                    llvm::ArrayRef<std::string> types);
  std::optional<RuleOrders> readRuleOrders(const Fields &fields);
  void checkWeight(llvm::StringRef op, const Fields &fields);
  bool checkRanks(const RuleOrders &orders);
  bool checkLengths(const RuleOrders &orders);
  std::optional<std::vector<LayoutChoice>>
  buildChoices(const RuleOrders &orders);

  llvm::ArrayRef<llvm::StringRef> knownOps;
  OpFormLookup getForms;
  const FormatMap &formats;
  FaultList &faults;
  /// The rules of every operator, by their lines.
  struct Known {
    unsigned line;
    std::vector<std::string> types;
  };
  llvm::StringMap<llvm::SmallVector<Known, 1>> rules;
};
} // namespace

/// Whether two rules hold for a common element type; none listed are all.
static bool overlap(llvm::ArrayRef<std::string> a,
                    llvm::ArrayRef<std::string> b) {
  auto isInB = [&](const std::string &type) {
    return llvm::is_contained(b, type);
  };
  return a.empty() || b.empty() || llvm::any_of(a, isInB);
}

std::optional<std::string>
RuleReader::readOp(const YamlNode &node, llvm::ArrayRef<std::string> types) {
  std::optional<llvm::StringRef> op =
      readOperator(node, "'op'", knownOps, faults);
  if (!op)
    return std::nullopt;
  llvm::SmallVector<Known, 1> &known = rules[*op];
  for (const Known &rule : known)
    if (overlap(rule.types, types)) {
      faults.add(node.location, "duplicate rule: operator " + *op +
                                    " has one already, on line " +
                                    llvm::Twine(rule.line));
      return std::nullopt;
    }
  known.push_back({node.location.line, types.vec()});
  return op->str();
}

std::optional<RuleOrders> RuleReader::readRuleOrders(const Fields &fields) {
  RuleOrders orders;
  bool isGood = true;
  auto readField = [&](const YamlNode *node, llvm::StringRef what,
                       OrderRole role, WrittenOrders &to) {
    if (!node)
      return;
    if (auto found = readOrders(*node, what, role, formats, faults))
      to = std::move(*found);
    else
      isGood = false;
  };
  const YamlNode *data = fields.require("data");
  readField(data, "'data'", OrderRole::Data, orders.data);
  readField(fields.find("weight"), "'weight'", OrderRole::Weight,
            orders.weight);
  readField(fields.find("result"), "'result'", OrderRole::Data, orders.result);
  if (!data || !isGood)
    return std::nullopt;
  return orders;
}

void RuleReader::checkWeight(llvm::StringRef op, const Fields &fields) {
  if (fields.find("weight"))
    checkWord("weight", fields.getKeyLocation("weight"), {op}, getForms,
              faults);
}

bool RuleReader::checkRanks(const RuleOrders &orders) {
  const WrittenOrder &first = orders.data.front();
  bool isGood = true;
  for (const WrittenOrders *list :
       {&orders.data, &orders.weight, &orders.result})
    for (const WrittenOrder &other : *list)
      if (other.numAxes != first.numAxes) {
        faults.add(other.location,
                   "orders of one rule must have one rank: '" + other.order +
                       "' has " + llvm::Twine(other.numAxes) + " axes, '" +
                       first.order + "' " + llvm::Twine(first.numAxes));
        isGood = false;
      }
  return isGood;
}

/// Lists of several orders go together position by position.
bool RuleReader::checkLengths(const RuleOrders &orders) {
  size_t numChoices = orders.getNumChoices();
  for (const WrittenOrders *list :
       {&orders.data, &orders.weight, &orders.result})
    if (list->size() > 1 && list->size() != numChoices) {
      faults.add(list->front().location,
                 "lists of orders in one rule must have one length: this has " +
                     llvm::Twine(list->size()) + ", another " +
                     llvm::Twine(numChoices));
      return false;
    }
  return true;
}

std::optional<std::vector<LayoutChoice>>
RuleReader::buildChoices(const RuleOrders &orders) {
  auto get = [](const WrittenOrders &list, size_t i) -> std::string {
    return list.empty() ? "" : list[list.size() == 1 ? 0 : i].order;
  };
  std::vector<LayoutChoice> choices;
  for (size_t i = 0, e = orders.getNumChoices(); i != e; ++i) {
    const WrittenOrder &data = orders.data[orders.data.size() == 1 ? 0 : i];
    LayoutChoice choice{data.order, get(orders.weight, i),
                        get(orders.result, i), data.factor};
    if (choice.result.empty())
      choice.result = choice.data;
    auto isSame = [&](const LayoutChoice &other) {
      return choice.data == other.data && choice.weight == other.weight &&
             choice.result == other.result;
    };
    if (llvm::any_of(choices, isSame)) {
      faults.add(data.location, "order '" + choice.data + "' is listed twice");
      return std::nullopt;
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

std::optional<OpLayout> RuleReader::read(const YamlNode &node) {
  Fields fields(node, "a rule",
                {"op", "data", "weight", "result", "required", "types"},
                faults);
  std::vector<std::string> types;
  if (const YamlNode *list = fields.find("types"))
    types = readElementTypes(*list, faults);
  const YamlNode *op = fields.require("op");
  std::optional<std::string> name = op ? readOp(*op, types) : std::nullopt;
  if (name)
    checkWeight(*name, fields);
  std::optional<bool> required;
  if (const YamlNode *flag = fields.find("required"))
    required = readFlag(*flag, "'required'", faults);
  std::optional<RuleOrders> orders = readRuleOrders(fields);
  if (!orders || !checkRanks(*orders) || !checkLengths(*orders))
    return std::nullopt;
  auto choices = buildChoices(*orders);
  if (!name || !choices)
    return std::nullopt;
  bool isOnly = choices->size() == 1;
  return OpLayout{std::move(*name), std::move(*choices),
                  required.value_or(isOnly), std::move(types)};
}

std::vector<OpLayout> inlay::readLayoutRules(
    const YamlNode &node, llvm::ArrayRef<llvm::StringRef> knownOps,
    OpFormLookup getForms, const FormatMap &formats, FaultList &faults) {
  std::vector<OpLayout> rules;
  if (!expectSequence(node, "'layouts'", faults))
    return rules;
  RuleReader reader(knownOps, getForms, formats, faults);
  for (const YamlNode &item : node.items)
    if (auto rule = reader.read(item))
      rules.push_back(std::move(*rule));
  return rules;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Why "(0,2,1)" is no permutation, or an empty text.
static std::string checkNumbered(llvm::StringRef order) {
  if (!order.ends_with(")"))
    return "expected ')' at its end; inside of [] write it in quotes";
  auto layout = Layout::parse(("Tensor as " + order).str());
  if (layout)
    return "";
  std::string reason;
  takeError(layout.takeError(), reason);
  return reason;
}

static std::string checkCandidate(llvm::StringRef order) {
  if (order.starts_with("("))
    return checkNumbered(order);
  bool isWeight = order.contains('O') || order.contains('I');
  return checkOrder(order, isWeight ? OrderRole::Weight : OrderRole::Data);
}

std::vector<std::string> inlay::readCandidates(const YamlNode &node,
                                               FaultList &faults) {
  std::vector<std::string> candidates;
  if (!expectSequence(node, "'candidates'", faults))
    return candidates;
  for (const YamlNode &item : node.items) {
    std::optional<llvm::StringRef> text = readText(item, "a candidate", faults);
    if (!text)
      continue;
    std::string reason = checkCandidate(*text);
    if (!reason.empty())
      faults.add(item.location, "impossible candidate '" +
                                    text->take_front(40) + "': " + reason);
    else if (llvm::is_contained(candidates, *text))
      faults.add(item.location, "candidate '" + *text + "' is listed twice");
    else if (candidates.size() == maxChoices)
      faults.add(item.location,
                 "more than " + llvm::Twine(maxChoices) + " candidates");
    else
      candidates.push_back(text->str());
  }
  return candidates;
}
