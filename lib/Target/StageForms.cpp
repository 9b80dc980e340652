//===- StageForms.cpp - The forms of operators that stages take -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageForms.h"
#include "Fields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace inlay;

static constexpr double infinity = std::numeric_limits<double>::infinity();
/// Lists in predicates stay short.
static constexpr size_t maxWords = 64;
static constexpr unsigned maxRank = 64;

namespace {
/// An attribute that predicates may speak of, and the numbers that it can have
/// at all.
struct AttributeWord {
  llvm::StringLiteral name;
  enum Kind { Text, Whole, Real } kind;
  double min = -infinity;
  double max = infinity;
};
} // namespace

static constexpr AttributeWord attributeWords[] = {
    // Of windows; the same words for every operator that has one.
    {"kernel", AttributeWord::Whole, 1},
    {"stride", AttributeWord::Whole, 1},
    {"dilation", AttributeWord::Whole, 1},
    {"group", AttributeWord::Whole, 1},
    {"pads", AttributeWord::Whole},
    {"output_padding", AttributeWord::Whole, 0},
    {"ceil_mode", AttributeWord::Whole, 0, 1},
    {"count_include_pad", AttributeWord::Whole, 0, 1},
    {"storage_order", AttributeWord::Whole, 0, 1},
    {"p", AttributeWord::Whole, 0},
    // Of activations and matrix products.
    {"slope", AttributeWord::Real},
    {"alpha", AttributeWord::Real},
    {"beta", AttributeWord::Real},
    {"gamma", AttributeWord::Real},
    {"transA", AttributeWord::Whole, 0, 1},
    {"transB", AttributeWord::Whole, 0, 1},
    {"approximate", AttributeWord::Text},
    // Of operators that move data.
    {"axis", AttributeWord::Whole},
    {"keepdims", AttributeWord::Whole, 0, 1},
    {"blocksize", AttributeWord::Whole, 1},
    {"size", AttributeWord::Whole, 1},
    {"scale", AttributeWord::Real, 0},
    {"mode", AttributeWord::Text},
    {"coordinate_transformation_mode", AttributeWord::Text},
    {"nearest_mode", AttributeWord::Text},
    // Of normalizations.
    {"epsilon", AttributeWord::Real},
};

static constexpr llvm::StringLiteral typeWords[] = {
    "f16", "bf16", "f32", "f64", "i1",   "i4",   "i8",  "i16",
    "i32", "i64",  "ui4", "ui8", "ui16", "ui32", "ui64"};

llvm::ArrayRef<llvm::StringRef> inlay::getPredicateKeys() {
  static const auto keys = [] {
    std::vector<llvm::StringRef> keys = {"types", "rank", "operand"};
    for (const AttributeWord &word : attributeWords)
      keys.push_back(word.name);
    return keys;
  }();
  return keys;
}

/// A fault unless a list has 1 to `maxWords` items.
static bool checkLength(const YamlNode &node, llvm::StringRef what,
                        FaultList &faults) {
  size_t size = getItems(node).size();
  if (size != 0 && size <= maxWords)
    return true;
  faults.add(node.location, what + " must list 1 to " + llvm::Twine(maxWords) +
                                " words, found " + llvm::Twine(size));
  return false;
}

/// Calls `visit` with each word of a list or the one word that stands for it;
/// those that occur twice are faults.
static void
forEachWord(const YamlNode &node, llvm::StringRef what, FaultList &faults,
            llvm::function_ref<void(llvm::StringRef, const YamlNode &)> visit) {
  if (!checkLength(node, what, faults))
    return;
  llvm::SmallVector<llvm::StringRef> seen;
  for (const YamlNode &item : getItems(node)) {
    std::optional<llvm::StringRef> word = readText(item, what, faults);
    if (!word)
      continue;
    if (llvm::is_contained(seen, *word))
      faults.add(item.location, "'" + word->take_front(40) + "' of " + what +
                                    " is listed twice");
    else
      visit(*word, item);
    seen.push_back(*word);
  }
}

//===----------------------------------------------------------------------===//
// Types, ranks and side operands
//===----------------------------------------------------------------------===//

std::vector<std::string> inlay::readElementTypes(const YamlNode &node,
                                                 FaultList &faults) {
  static const llvm::SmallVector<llvm::StringRef> known(std::begin(typeWords),
                                                        std::end(typeWords));
  std::vector<std::string> types;
  forEachWord(node, "'types'", faults,
              [&](llvm::StringRef word, const YamlNode &item) {
                if (llvm::is_contained(known, word))
                  types.push_back(word.str());
                else
                  faults.add(item.location, "unknown element type '" +
                                                word.take_front(40) + "'" +
                                                suggestNearest(word, known));
              });
  return types;
}

static void addEmptyRange(const YamlNode &node, llvm::StringRef what,
                          const llvm::Twine &min, const llvm::Twine &max,
                          FaultList &faults) {
  faults.add(node.location, what + " can never hold: [" + min + ", " + max +
                                "] does not begin with the smaller number");
}

static void readRank(const YamlNode &node, StageOp &form, FaultList &faults) {
  llvm::ArrayRef<YamlNode> ends = getItems(node);
  if (ends.empty() || ends.size() > 2) {
    faults.add(node.location,
               "'rank' must be a number or a list of two, such as [3, 5]");
    return;
  }
  auto min = readInteger(ends.front(), "'rank'", 0, maxRank, faults);
  auto max = min;
  if (ends.size() == 2)
    max = readInteger(ends.back(), "'rank'", 0, maxRank, faults);
  if (!min || !max)
    return;
  if (*min > *max)
    return addEmptyRange(node, "'rank'", llvm::Twine(*min), llvm::Twine(*max),
                         faults);
  form.minRank = *min;
  form.maxRank = *max;
}

static void readOperand(const YamlNode &node, StageOp &form,
                        FaultList &faults) {
  static constexpr SideShape shapes[] = {SideShape::Scalar, SideShape::Channel,
                                         SideShape::Same, SideShape::Other};
  form.side = SideOperand();
  forEachWord(node, "'operand'", faults,
              [&](llvm::StringRef word, const YamlNode &item) {
                if (word == "constant") {
                  form.side.isConstant = true;
                  return;
                }
                const SideShape *shape =
                    llvm::find_if(shapes, [&](SideShape shape) {
                      return getName(shape) == word;
                    });
                if (shape != std::end(shapes))
                  form.side.shapes.push_back(*shape);
                else
                  faults.add(item.location,
                             "'operand' must be of constant, scalar, channel, "
                             "same and other, found '" +
                                 word.take_front(40) + "'");
              });
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static std::string getText(double number) {
  if (std::isinf(number))
    return number < 0 ? "-inf" : "inf";
  if (number == std::trunc(number) && std::abs(number) < 1e15)
    return std::to_string(int64_t(number));
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", number);
  return text;
}

static std::optional<double> getNumber(const YamlNode &node) {
  double number;
  llvm::StringRef text = node.text;
  if (node.kind != YamlNode::Kind::Scalar ||
      text.getAsDouble(number, /*AllowInexact=*/true) || std::isnan(number))
    return std::nullopt;
  return number;
}

/// A number or [least, greatest], where either may be infinite.
static void readNumbers(const YamlNode &node, const AttributeWord &word,
                        AttributeRange &range, FaultList &faults) {
  std::string what = ("'" + word.name + "'").str();
  llvm::ArrayRef<YamlNode> ends = getItems(node);
  std::optional<double> min, max;
  if (ends.size() == 1 || ends.size() == 2) {
    min = getNumber(ends.front());
    max = getNumber(ends.back());
  }
  if (!min || !max) {
    faults.add(node.location,
               what + " must be a number or a list of the least and the "
                      "greatest, such as [1, 15]");
    return;
  }
  if (*min > *max)
    return addEmptyRange(node, what, getText(*min), getText(*max), faults);
  range.min = *min;
  range.max = *max;
  double least = std::max(*min, word.min);
  double greatest = std::min(*max, word.max);
  if (range.isWhole ? std::ceil(least) <= greatest : least <= greatest)
    return;
  std::string possible = range.isWhole ? "whole numbers" : "numbers";
  if (std::isfinite(word.min))
    possible += " from " + getText(word.min);
  if (std::isfinite(word.max))
    possible += " to " + getText(word.max);
  faults.add(node.location, what + " can never hold: its values are " +
                                possible + ", found " + getText(*min) +
                                (*min == *max ? "" : " to " + getText(*max)));
}

/// {range: [1, 8], whole: true} takes the whole numbers of a range.
static void readRange(const YamlNode &node, const AttributeWord &word,
                      AttributeRange &range, FaultList &faults) {
  range.isWhole = word.kind == AttributeWord::Whole;
  if (node.kind != YamlNode::Kind::Mapping)
    return readNumbers(node, word, range, faults);
  std::string what = ("'" + word.name + "'").str();
  Fields fields(node, what, {"range", "whole"}, faults);
  if (const YamlNode *flag = fields.find("whole"))
    range.isWhole |= readFlag(*flag, "'whole'", faults).value_or(false);
  if (const YamlNode *numbers = fields.require("range"))
    readNumbers(*numbers, word, range, faults);
}

static void readNames(const YamlNode &node, const AttributeWord &word,
                      AttributeRange &range, FaultList &faults) {
  forEachWord(node, ("'" + word.name + "'").str(), faults,
              [&](llvm::StringRef name, const YamlNode &item) {
                if (name.empty())
                  faults.add(item.location,
                             "'" + word.name +
                                 "' can never hold: the word is empty");
                range.names.push_back(name.str());
              });
}

static void readAttribute(const YamlNode &node, const AttributeWord &word,
                          StageOp &form, FaultList &faults) {
  llvm::erase_if(form.attributes, [&](const AttributeRange &range) {
    return range.attribute == word.name;
  });
  AttributeRange range;
  range.attribute = word.name.str();
  if (word.kind == AttributeWord::Text)
    readNames(node, word, range, faults);
  else
    readRange(node, word, range, faults);
  form.attributes.push_back(std::move(range));
}

void inlay::readPredicates(const YamlNode &node, StageOp &form,
                           FaultList &faults) {
  // What is no mapping has no keys, but may have items.
  for (auto [key, value] : llvm::zip(node.keys, node.items)) {
    if (key.text == "types")
      form.types = readElementTypes(value, faults);
    else if (key.text == "rank")
      readRank(value, form, faults);
    else if (key.text == "operand")
      readOperand(value, form, faults);
    for (const AttributeWord &word : attributeWords)
      if (key.text == word.name)
        readAttribute(value, word, form, faults);
  }
}

//===----------------------------------------------------------------------===//
// What can never matter
//===----------------------------------------------------------------------===//

/// "operator Relu has no kernel".
static std::string describeLack(llvm::ArrayRef<llvm::StringRef> ops,
                                const llvm::Twine &what) {
  if (ops.size() == 1)
    return ("operator " + ops.front() + " has no " + what).str();
  return ("no operator of the stage has " + what).str();
}

static bool hasWord(const OpForms &forms, llvm::StringRef word) {
  return !forms.has || forms.has(word);
}

bool inlay::checkWord(llvm::StringRef word, YamlLocation location,
                      llvm::ArrayRef<llvm::StringRef> ops,
                      OpFormLookup getForms, FaultList &faults) {
  if (!getForms || llvm::any_of(ops, [&](llvm::StringRef op) {
        return hasWord(getForms(op), word);
      }))
    return true;
  llvm::StringRef what = word == "operand" ? "operand beside the data" : word;
  faults.add(location,
             "'" + word + "' can never matter: " + describeLack(ops, what));
  return false;
}

static void checkTexts(const YamlNode &node, llvm::StringRef word,
                       llvm::ArrayRef<llvm::StringRef> ops,
                       OpFormLookup getForms, FaultList &faults) {
  for (const YamlNode &item : getItems(node)) {
    auto canBe = [&](llvm::StringRef op) {
      OpForms forms = getForms(op);
      return hasWord(forms, word) &&
             (!forms.canBe || forms.canBe(word, item.text));
    };
    if (llvm::none_of(ops, canBe))
      faults.add(
          item.location,
          "'" + word + "' can never hold: " +
              describeLack(ops, word + " '" +
                                    llvm::StringRef(item.text).take_front(40) +
                                    "'"));
  }
}

void inlay::checkPredicates(const YamlNode &node,
                            llvm::ArrayRef<llvm::StringRef> ops,
                            OpFormLookup getForms, FaultList &faults) {
  if (!getForms)
    return;
  for (auto [key, value] : llvm::zip(node.keys, node.items)) {
    const AttributeWord *word =
        llvm::find_if(attributeWords, [&, text = key.text](const auto &word) {
          return text == word.name;
        });
    bool isAttribute = word != std::end(attributeWords);
    if (!isAttribute && key.text != "operand")
      continue;
    if (checkWord(key.text, key.location, ops, getForms, faults) &&
        isAttribute && word->kind == AttributeWord::Text)
      checkTexts(value, key.text, ops, getForms, faults);
  }
}
