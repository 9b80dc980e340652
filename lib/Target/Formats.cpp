//===- Formats.cpp - The section 'formats' of a target file ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "Fields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace inlay;

static constexpr size_t maxFormats = 64;
/// Larger blocks than any vector unit has would only waste memory.
static constexpr int64_t maxBlock = 1024;
static constexpr size_t maxNameLength = 64;

/// ONNX's names of the element types that tensors of features can have.
static constexpr llvm::StringLiteral elementTypes[] = {
    "float", "double", "float16", "bfloat16",     "int8",      "uint8",
    "int16", "uint16", "int32",   "uint32",       "int64",     "uint64",
    "bool",  "int4",   "uint4",   "float8e4m3fn", "float8e5m2"};

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

/// The axes of `order` that are divided, in alphabetical order.
static std::string getBlockedAxes(llvm::StringRef order) {
  std::string axes;
  for (size_t i = 1; i < order.size(); ++i)
    if (llvm::isDigit(order[i]) && !llvm::is_contained(axes, order[i - 1]))
      axes += order[i - 1];
  llvm::sort(axes);
  return axes;
}

/// Why the factors of `axis` in `order` are not two, numbered 1 and 0, or an
/// empty text.
static std::string checkFactors(llvm::StringRef order, char axis) {
  std::string found;
  for (size_t i = 0; i < order.size(); ++i)
    if (order[i] == axis) {
      bool hasNumber = i + 1 < order.size() && llvm::isDigit(order[i + 1]);
      found += (found.empty() ? "" : ", ") +
               order.substr(i, hasNumber ? 2 : 1).str();
    }
  std::string major = std::string(1, axis) + "1", minor = major;
  minor[1] = '0';
  if (found == major + ", " + minor || found == minor + ", " + major)
    return "";
  return std::string("a blocked axis is written as ") + major + " and " +
         minor + ", found " + found;
}

static std::string checkFormatOrder(llvm::StringRef order, OrderRole role) {
  if (order.empty() || llvm::isDigit(order.front()))
    return "it does not begin with an axis";
  for (size_t i = 1; i < order.size(); ++i)
    if (llvm::isDigit(order[i]) && llvm::isDigit(order[i - 1]))
      return "factors are numbered 0 and 1, found " +
             order.substr(i - 1, 2).str();
  std::string blocked = getBlockedAxes(order);
  if (blocked.empty())
    return "no axis is blocked, such as C in NC1HWC0";
  for (char axis : blocked)
    if (std::string fault = checkFactors(order, axis); !fault.empty())
      return fault;
  // Without the blocks it is an order like others.
  std::string whole;
  for (size_t i = 0; i < order.size(); ++i) {
    if (llvm::isDigit(order[i]))
      continue;
    bool isMajor = i + 1 < order.size() && order[i + 1] == '1';
    if (!isMajor)
      whole += order[i];
  }
  return checkOrder(whole, role);
}

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

namespace {
class FormatReader {
public:
  FormatReader(llvm::StringRef name, FaultList &faults)
      : name(name), faults(faults) {}

  std::optional<Format> read(const YamlNode &node);

private:
  bool readFormatOrder(const Fields &fields, const YamlNode &node);
  std::optional<Format::BlockSizes> readSizes(const YamlNode &node,
                                              llvm::StringRef what);
  bool readTypes(const YamlNode &node);
  bool checkSizes(const YamlNode &node);

  llvm::StringRef name;
  FaultList &faults;
  Format format;
};
} // namespace

bool FormatReader::readFormatOrder(const Fields &fields, const YamlNode &node) {
  const YamlNode *data = fields.find("data"), *weight = fields.find("weight");
  if (!data == !weight) {
    faults.add(node.location, "format '" + name +
                                  "' needs either 'data' or 'weight', the "
                                  "order of its axes");
    return false;
  }
  format.role = data ? OrderRole::Data : OrderRole::Weight;
  const YamlNode &given = data ? *data : *weight;
  std::optional<llvm::StringRef> order =
      readText(given, data ? "'data'" : "'weight'", faults);
  if (!order)
    return false;
  std::string reason = checkFormatOrder(*order, format.role);
  if (!reason.empty()) {
    faults.add(given.location, "impossible order '" + order->take_front(40) +
                                   "' of format '" + name + "': " + reason);
    return false;
  }
  format.order = order->str();
  return true;
}

std::optional<Format::BlockSizes>
FormatReader::readSizes(const YamlNode &node, llvm::StringRef what) {
  Format::BlockSizes sizes;
  bool isGood = true;
  std::string axes = getBlockedAxes(format.order);
  forEachEntry(
      node, what, faults, [&](const YamlNode::Key &key, const YamlNode &value) {
        bool isBlocked =
            key.text.size() == 1 && llvm::is_contained(axes, key.text.front());
        if (!isBlocked) {
          faults.add(
              key.location,
              "'" + llvm::StringRef(key.text).take_front(40) +
                  "' is no blocked axis of format '" + name + "', which has " +
                  llvm::join(
                      llvm::map_range(
                          axes, [](char axis) { return std::string(1, axis); }),
                      ", "));
          isGood = false;
          return;
        }
        auto size = readInteger(value, "a block", 2, maxBlock, faults);
        if (size)
          sizes[key.text.front()] = *size;
        isGood &= size.has_value();
      });
  isGood &= node.kind == YamlNode::Kind::Mapping;
  return isGood ? std::optional(sizes) : std::nullopt;
}

/// Every blocked axis has a size.
bool FormatReader::checkSizes(const YamlNode &node) {
  for (char axis : getBlockedAxes(format.order))
    if (!format.blocks.count(axis)) {
      faults.add(node.location, "'block' of format '" + name +
                                    "' lacks the size of axis " +
                                    llvm::Twine(axis));
      return false;
    }
  return true;
}

bool FormatReader::readTypes(const YamlNode &node) {
  bool isGood = true;
  llvm::SmallVector<llvm::StringRef> known(std::begin(elementTypes),
                                           std::end(elementTypes));
  forEachEntry(node, "'types'", faults,
               [&](const YamlNode::Key &key, const YamlNode &value) {
                 if (!llvm::is_contained(known, key.text)) {
                   faults.add(key.location,
                              "unknown element type '" +
                                  llvm::StringRef(key.text).take_front(40) +
                                  "'" + suggestNearest(key.text, known));
                   isGood = false;
                   return;
                 }
                 if (auto sizes = readSizes(value, "sizes of a type"))
                   format.blocksOfType[key.text] = *sizes;
                 else
                   isGood = false;
               });
  return isGood && node.kind == YamlNode::Kind::Mapping;
}

std::optional<Format> FormatReader::read(const YamlNode &node) {
  Fields fields(node, "a format", {"data", "weight", "block", "types"}, faults);
  if (node.kind != YamlNode::Kind::Mapping)
    return std::nullopt;
  const YamlNode *block = fields.require("block");
  if (!readFormatOrder(fields, node) || !block)
    return std::nullopt;
  auto sizes = readSizes(*block, "'block'");
  if (!sizes)
    return std::nullopt;
  format.blocks = *sizes;
  bool isGood = checkSizes(*block);
  if (const YamlNode *types = fields.find("types"))
    isGood &= readTypes(*types);
  return isGood ? std::optional(format) : std::nullopt;
}

/// A name that is an order of letters would mean two things.
static std::string checkName(llvm::StringRef name) {
  auto isGood = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; };
  if (name.empty() || name.size() > maxNameLength ||
      !llvm::all_of(name, isGood))
    return ("name of a format must be 1 to " + llvm::Twine(maxNameLength) +
            " letters, digits, '_' and '-', found '" + name.take_front(40) +
            "'")
        .str();
  if (checkOrder(name, OrderRole::Data).empty() ||
      checkOrder(name, OrderRole::Weight).empty())
    return ("name of a format must not be an order of axes, found '" + name +
            "'")
        .str();
  return "";
}

std::map<std::string, Format, std::less<>>
inlay::readFormats(const YamlNode &node, FaultList &faults) {
  std::map<std::string, Format, std::less<>> formats;
  forEachEntry(
      node, "'formats'", faults,
      [&](const YamlNode::Key &key, const YamlNode &value) {
        if (std::string reason = checkName(key.text); !reason.empty())
          faults.add(key.location, reason);
        else if (formats.size() == maxFormats)
          faults.add(key.location,
                     "more than " + llvm::Twine(maxFormats) + " formats");
        else if (auto format = FormatReader(key.text, faults).read(value))
          formats[key.text] = std::move(*format);
      });
  return formats;
}
