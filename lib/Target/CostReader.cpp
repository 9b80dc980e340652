//===- CostReader.cpp - The section 'costs' of a target file --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostReader.h"
#include "StageForms.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace inlay;

/// So that the costs of a million relayouts fit into 64 bits.
static constexpr int64_t maxRelayoutCost = int64_t(1) << 40;
static constexpr int64_t maxBound = int64_t(1) << 50;
/// Of forms, and of copies: each is asked for each form and copy.
static constexpr size_t maxEntries = 256;

std::optional<CostFactor> inlay::readFactor(const YamlNode &node,
                                            FaultList &faults) {
  double number = 0;
  bool isNumber =
      node.kind == YamlNode::Kind::Scalar &&
      !llvm::StringRef(node.text).getAsDouble(number, /*AllowInexact=*/true);
  double thousandths = std::round(number * CostFactor::one);
  if (isNumber && thousandths >= CostFactor::one &&
      thousandths <= CostFactor::most && number >= 1 &&
      std::abs(number * CostFactor::one - thousandths) < 1e-6)
    return CostFactor(uint32_t(thousandths));
  addMismatch(node, "'factor'",
              "a number of 1 to 1000 with at most three digits behind the "
              "point",
              faults);
  return std::nullopt;
}

namespace {
/// Reads entries of one list.
class EntryReader {
public:
  EntryReader(const YamlNode &node, llvm::StringRef what,
              llvm::ArrayRef<llvm::StringRef> keys, FaultList &faults)
      : node(node), faults(faults), numBefore(faults.size()),
        fields(node, what, keys, faults) {}

  std::optional<FormFactor> readForm(llvm::ArrayRef<llvm::StringRef> knownOps,
                                     OpFormLookup getForms);
  std::optional<CopyFactor> readCopy();

private:
  std::optional<OpForms> readSubject(llvm::ArrayRef<llvm::StringRef> knownOps,
                                     OpFormLookup getForms);
  void readBounds(llvm::StringRef key, NumberBounds &to);
  void readTypes(std::vector<std::string> &to);
  void readInnermost(llvm::StringRef key, InnermostAxis &to);
  void readTransposed();
  void checkForms(const OpForms &forms);
  void require(bool holds, llvm::StringRef key, const llvm::Twine &reason);
  CostFactor readFactor();
  bool isGood() const { return faults.size() == numBefore; }

  const YamlNode &node;
  FaultList &faults;
  size_t numBefore;
  Fields fields;
  FormFactor form;
  /// "operator Relu", "class elementwise".
  std::string subject;
};
} // namespace

CostFactor EntryReader::readFactor() {
  const YamlNode *value = fields.require("factor");
  return value ? inlay::readFactor(*value, faults).value_or(CostFactor())
               : CostFactor();
}

/// A number, or a list of the least and the greatest, which may be inf.
void EntryReader::readBounds(llvm::StringRef key, NumberBounds &to) {
  const YamlNode *value = fields.find(key);
  if (!value)
    return;
  std::string what = ("'" + key + "'").str();
  llvm::ArrayRef<YamlNode> ends = getItems(*value);
  if (ends.empty() || ends.size() > 2) {
    faults.add(value->location,
               what + " must be a number or a list of the least and the "
                      "greatest, such as [1, 16]");
    return;
  }
  auto min = readInteger(ends.front(), what, 0, maxBound, faults);
  bool isOpen = ends.size() == 2 && ends.back().text == "inf";
  auto max = isOpen ? std::optional<int64_t>(INT64_MAX)
                    : readInteger(ends.back(), what, 0, maxBound, faults);
  if (!min || !max)
    return;
  if (*min > *max)
    faults.add(value->location, what + " can never hold: [" +
                                    llvm::Twine(*min) + ", " +
                                    llvm::Twine(*max) +
                                    "] does not begin with the smaller number");
  to = {uint64_t(*min), isOpen ? UINT64_MAX : uint64_t(*max)};
}

void EntryReader::readTypes(std::vector<std::string> &to) {
  if (const YamlNode *value = fields.find("types"))
    to = readElementTypes(*value, faults);
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

void EntryReader::readInnermost(llvm::StringRef key, InnermostAxis &to) {
  const YamlNode *value = fields.find(key);
  if (!value)
    return;
  if (auto choice = readChoice(*value, ("'" + key + "'").str(),
                               {"last", "not-last"}, faults))
    to = *choice == 0 ? InnermostAxis::Is : InnermostAxis::IsNot;
}

void EntryReader::readTransposed() {
  static constexpr TransposedOperands choices[] = {
      {false, false}, {true, false}, {false, true}, {true, true}};
  if (const YamlNode *value = fields.find("transposed"))
    if (auto choice = readChoice(*value, "'transposed'",
                                 {"none", "A", "B", "both"}, faults))
      form.transposed = choices[*choice];
  if (const YamlNode *value = fields.find("exchanged"))
    form.isExchanged = readFlag(*value, "'exchanged'", faults);
}

static OpForms getFormsOf(OpClass opClass) {
  OpForms forms;
  forms.broadcasts = opClass == OpClass::Elementwise;
  forms.combines = !forms.broadcasts;
  forms.multiplies = opClass == OpClass::Contraction;
  return forms;
}

/// The operator or class that an entry is about, and what it may ask of it.
std::optional<OpForms>
EntryReader::readSubject(llvm::ArrayRef<llvm::StringRef> knownOps,
                         OpFormLookup getForms) {
  const YamlNode *op = fields.find("op"), *words = fields.find("class");
  if (bool(op) == bool(words)) {
    faults.add(node.location, "a form must have 'op' or 'class', found " +
                                  llvm::Twine(op ? "both" : "neither"));
    return std::nullopt;
  }
  if (op) {
    auto name = readOperator(*op, "'op'", knownOps, faults);
    if (!name)
      return std::nullopt;
    form.op = name->str();
    subject = "operator " + form.op;
    return getForms ? getForms(*name) : OpForms();
  }
  llvm::SmallVector<llvm::StringRef> names;
  for (OpClass opClass : getOpClasses())
    names.push_back(getName(opClass));
  auto choice = readChoice(*words, "'class'", names, faults);
  if (!choice)
    return std::nullopt;
  form.opClass = getOpClasses()[*choice];
  subject = ("class " + names[*choice]).str();
  return getFormsOf(*form.opClass);
}

void EntryReader::require(bool holds, llvm::StringRef key,
                          const llvm::Twine &reason) {
  if (const YamlNode *value = fields.find(key); value && !holds)
    faults.add(value->location,
               "'" + key + "' can never hold: " + subject + " " + reason);
}

void EntryReader::checkForms(const OpForms &forms) {
  require(forms.combines, "reduced", "combines no elements along an axis");
  require(forms.multiplies, "transposed", "is no product of matrices");
  require(forms.multiplies, "exchanged", "is no product of matrices");
  require(forms.broadcasts, "broadcast", "repeats no operand");
}

std::optional<FormFactor>
EntryReader::readForm(llvm::ArrayRef<llvm::StringRef> knownOps,
                      OpFormLookup getForms) {
  std::optional<OpForms> forms = readSubject(knownOps, getForms);
  readInnermost("reduced", form.reduced);
  readInnermost("broadcast", form.broadcast);
  readTransposed();
  readBounds("inner", form.inner);
  readBounds("bytes", form.bytes);
  readTypes(form.types);
  form.factor = readFactor();
  if (forms)
    checkForms(*forms);
  if (!fields.find("reduced") && !fields.find("broadcast") &&
      !fields.find("transposed") && !fields.find("exchanged") &&
      node.kind == YamlNode::Kind::Mapping)
    faults.add(node.location,
               "a form must have 'reduced', 'broadcast', 'transposed' or "
               "'exchanged': what all forms cost can never matter");
  if (const YamlNode *inner = fields.find("inner");
      inner && form.reduced != InnermostAxis::IsNot)
    faults.add(inner->location,
               "'inner' must go with 'reduced: not-last': nothing lies inside "
               "of the last axis");
  return isGood() ? std::optional(std::move(form)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

std::optional<CopyFactor> EntryReader::readCopy() {
  CopyFactor copy;
  readBounds("run", copy.run);
  readBounds("bytes", copy.bytes);
  if (const YamlNode *axes = fields.find("axes"))
    if (auto choice = readChoice(*axes, "'axes'", {"one", "many"}, faults))
      copy.movesMany = *choice == 1;
  readTypes(copy.types);
  copy.factor = readFactor();
  return isGood() ? std::optional(std::move(copy)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// The section
//===----------------------------------------------------------------------===//

/// The items of a list of entries; none after a fault.
static llvm::ArrayRef<YamlNode>
getEntries(const YamlNode *list, llvm::StringRef what, FaultList &faults) {
  if (!list || !expectSequence(*list, what, faults))
    return {};
  if (list->items.size() <= maxEntries)
    return list->items;
  faults.add(list->location, what + " must list at most " +
                                 llvm::Twine(maxEntries) + " entries, found " +
                                 llvm::Twine(list->items.size()));
  return {};
}

TargetCosts inlay::readCosts(const YamlNode &node,
                             llvm::ArrayRef<llvm::StringRef> knownOps,
                             OpFormLookup getForms, FaultList &faults) {
  Fields fields(node, "'costs'", {"relayout", "forms", "copies"}, faults);
  TargetCosts costs;
  if (const YamlNode *relayout = fields.require("relayout"))
    if (auto bytes =
            readInteger(*relayout, "'relayout'", 0, maxRelayoutCost, faults))
      costs.relayout = *bytes;
  for (const YamlNode &item :
       getEntries(fields.find("forms"), "'forms'", faults)) {
    EntryReader reader(item, "a form",
                       {"op", "class", "reduced", "inner", "broadcast",
                        "transposed", "exchanged", "types", "bytes", "factor"},
                       faults);
    if (auto form = reader.readForm(knownOps, getForms))
      costs.forms.push_back(std::move(*form));
  }
  for (const YamlNode &item :
       getEntries(fields.find("copies"), "'copies'", faults)) {
    EntryReader reader(item, "a copy",
                       {"run", "axes", "types", "bytes", "factor"}, faults);
    if (auto copy = reader.readCopy())
      costs.copies.push_back(std::move(*copy));
  }
  return costs;
}
