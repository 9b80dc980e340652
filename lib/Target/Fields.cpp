//===- Fields.cpp - Typed values of a YAML tree ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace inlay;

/// Words from a file are shown as far as they help.
static std::string quote(llvm::StringRef text) {
  constexpr size_t limit = 40;
  return ("'" + text.take_front(limit) + (text.size() > limit ? "..." : "") +
          "'")
      .str();
}

static std::string describe(const YamlNode &node) {
  switch (node.kind) {
  case YamlNode::Kind::Null:
    return "nothing";
  case YamlNode::Kind::Scalar:
    return quote(node.text);
  case YamlNode::Kind::Sequence:
    return "a list";
  case YamlNode::Kind::Mapping:
    return "a mapping";
  }
  llvm_unreachable("no such kind");
}

void inlay::addMismatch(const YamlNode &node, llvm::StringRef what,
                        const llvm::Twine &expected, FaultList &faults) {
  faults.add(node.location,
             what + " must be " + expected + ", found " + describe(node));
}

std::string inlay::suggestNearest(llvm::StringRef word,
                                  llvm::ArrayRef<llvm::StringRef> words) {
  // More edits, or as many as there are letters, are another word.
  unsigned best = std::min<size_t>(3, word.size());
  llvm::StringRef nearest;
  // Nobody mistypes a word of this length, and comparing it takes long.
  if (word.size() > 64)
    return "";
  for (llvm::StringRef known : words) {
    unsigned distance = word.edit_distance_insensitive(known, true, best);
    if (distance < best) {
      best = distance;
      nearest = known;
    }
  }
  return nearest.empty() ? "" : (", did you mean '" + nearest + "'?").str();
}

//===----------------------------------------------------------------------===//
// Mappings
//===----------------------------------------------------------------------===//

bool inlay::expectMapping(const YamlNode &node, llvm::StringRef what,
                          FaultList &faults) {
  if (node.kind == YamlNode::Kind::Mapping)
    return true;
  addMismatch(node, what, "a mapping", faults);
  return false;
}

void inlay::forEachEntry(
    const YamlNode &node, llvm::StringRef what, FaultList &faults,
    llvm::function_ref<void(const YamlNode::Key &, const YamlNode &)> visit) {
  if (!expectMapping(node, what, faults))
    return;
  llvm::StringSet<> seen;
  for (auto [key, value] : llvm::zip_equal(node.keys, node.items)) {
    if (seen.insert(key.text).second)
      visit(key, value);
    else
      faults.add(key.location,
                 "key " + quote(key.text) + " of " + what + " is given twice");
  }
}

Fields::Fields(const YamlNode &node, llvm::StringRef what,
               llvm::ArrayRef<llvm::StringRef> known, FaultList &faults)
    : node(node), what(what), faults(faults) {
  forEachEntry(
      node, what, faults, [&](const YamlNode::Key &key, const YamlNode &) {
        if (!llvm::is_contained(known, key.text))
          faults.add(key.location, "unknown key " + quote(key.text) + " of " +
                                       what + suggestNearest(key.text, known));
      });
}

const YamlNode *Fields::find(llvm::StringRef key) const {
  // What is no mapping has no keys, but may have items.
  for (auto [known, value] : llvm::zip(node.keys, node.items))
    if (known.text == key)
      return &value;
  return nullptr;
}

const YamlNode *Fields::require(llvm::StringRef key) const {
  const YamlNode *value = find(key);
  if (!value && node.kind == YamlNode::Kind::Mapping)
    faults.add(node.location, what + " must have '" + key + "', found none");
  return value;
}

YamlLocation Fields::getKeyLocation(llvm::StringRef key) const {
  for (const YamlNode::Key &known : node.keys)
    if (known.text == key)
      return known.location;
  return node.location;
}

//===----------------------------------------------------------------------===//
// Lists and scalars
//===----------------------------------------------------------------------===//

bool inlay::expectSequence(const YamlNode &node, llvm::StringRef what,
                           FaultList &faults) {
  if (node.kind == YamlNode::Kind::Sequence)
    return true;
  addMismatch(node, what, "a list", faults);
  return false;
}

std::optional<llvm::StringRef>
inlay::readText(const YamlNode &node, llvm::StringRef what, FaultList &faults) {
  if (node.kind == YamlNode::Kind::Scalar)
    return node.text;
  addMismatch(node, what, "a text", faults);
  return std::nullopt;
}

std::optional<int64_t> inlay::readInteger(const YamlNode &node,
                                          llvm::StringRef what, int64_t min,
                                          int64_t max, FaultList &faults) {
  int64_t value;
  if (node.kind == YamlNode::Kind::Scalar &&
      !llvm::StringRef(node.text).getAsInteger(10, value) && min <= value &&
      value <= max)
    return value;
  addMismatch(node, what,
              "a whole number of " + llvm::Twine(min) + " to " +
                  llvm::Twine(max),
              faults);
  return std::nullopt;
}

std::optional<unsigned>
inlay::readChoice(const YamlNode &node, llvm::StringRef what,
                  llvm::ArrayRef<llvm::StringRef> choices, FaultList &faults) {
  if (node.kind == YamlNode::Kind::Scalar)
    for (auto [i, choice] : llvm::enumerate(choices))
      if (choice == node.text)
        return i;
  addMismatch(node, what, llvm::join(choices, " or "), faults);
  return std::nullopt;
}

std::optional<bool> inlay::readFlag(const YamlNode &node, llvm::StringRef what,
                                    FaultList &faults) {
  std::optional<unsigned> choice =
      readChoice(node, what, {"true", "false"}, faults);
  if (!choice)
    return std::nullopt;
  return *choice == 0;
}

std::optional<llvm::StringRef>
inlay::readOperator(const YamlNode &node, llvm::StringRef what,
                    llvm::ArrayRef<llvm::StringRef> knownOps,
                    FaultList &faults) {
  std::optional<llvm::StringRef> op = readText(node, what, faults);
  if (!op)
    return std::nullopt;
  bool isKnown = knownOps.empty() || llvm::is_contained(knownOps, *op);
  if (isKnown && !op->empty())
    return op;
  faults.add(node.location, "unknown operator '" + op->take_front(40) + "'" +
                                suggestNearest(*op, knownOps));
  return std::nullopt;
}

llvm::ArrayRef<YamlNode> inlay::getItems(const YamlNode &node) {
  if (node.kind == YamlNode::Kind::Sequence)
    return node.items;
  return node;
}
