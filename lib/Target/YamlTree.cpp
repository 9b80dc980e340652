//===- YamlTree.cpp - A YAML text as plain nodes --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "YamlTree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

using namespace inlay;

/// Deeper than any target file; it bounds the recursion over nodes.
static constexpr unsigned maxDepth = 16;

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

void FaultList::add(YamlLocation location, const llvm::Twine &message) {
  if (faults.size() == limit)
    isCut = true;
  else
    faults.push_back({location.line, location.column, message.str()});
}

std::vector<TargetFault> FaultList::take() {
  llvm::sort(faults, [](const TargetFault &a, const TargetFault &b) {
    return std::tie(a.line, a.column, a.message) <
           std::tie(b.line, b.column, b.message);
  });
  if (isCut)
    faults.push_back({faults.back().line, faults.back().column,
                      "further faults are not listed"});
  return std::move(faults);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
/// Finds lines and columns in a time that does not depend on their length.
class LineTable {
public:
  explicit LineTable(llvm::StringRef text) : starts(1, 0) {
    for (auto [i, c] : llvm::enumerate(text))
      if (c == '\n')
        starts.push_back(i + 1);
  }

  YamlLocation locate(size_t offset) const {
    size_t line = llvm::upper_bound(starts, offset) - starts.begin();
    return {unsigned(line), unsigned(offset - starts[line - 1] + 1)};
  }

private:
  /// Where each line begins.
  std::vector<size_t> starts;
};
} // namespace

/// Where `text` stops being UTF-8 without control characters, or its size.
static size_t findBadByte(llvm::StringRef text) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  const auto *end = reinterpret_cast<const llvm::UTF8 *>(text.end());
  for (const llvm::UTF8 *at = begin; at != end;) {
    bool isControl = (*at < 0x20 || *at == 0x7f) && *at != '\t' &&
                     *at != '\n' && *at != '\r';
    if (isControl || !llvm::isLegalUTF8Sequence(at, end))
      return at - begin;
    at += llvm::getNumBytesForUTF8(*at);
  }
  return text.size();
}

/// What is no text need not reach the parser.
static bool checkText(llvm::StringRef text, FaultList &faults) {
  if (text.size() > maxYamlBytes) {
    faults.add({}, "the file has " + llvm::Twine(text.size()) +
                       " bytes, expected at most " + llvm::Twine(maxYamlBytes));
    return false;
  }
  size_t bad = findBadByte(text);
  if (bad == text.size())
    return true;
  faults.add(LineTable(text).locate(bad),
             "expected text in UTF-8, found the byte 0x" +
                 llvm::toHex(text.substr(bad, 1), true));
  return false;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

namespace {
/// Turns the nodes of LLVM's parser into ours. After a fault that ends the
/// reading, the parser must not be asked for anything more.
class TreeReader {
public:
  TreeReader(llvm::StringRef text, FaultList &faults);

  std::optional<YamlNode> read();

private:
  /// These give false when reading has to stop.
  bool readNode(llvm::yaml::Node *from, YamlLocation fallback, unsigned depth,
                YamlNode &to);
  bool readScalar(llvm::yaml::ScalarNode &from, YamlNode &to);
  bool readSequence(llvm::yaml::SequenceNode &from, unsigned depth,
                    YamlNode &to);
  bool readMapping(llvm::yaml::MappingNode &from, unsigned depth, YamlNode &to);
  bool readKey(llvm::yaml::Node *from, YamlLocation fallback,
               YamlNode::Key &key);

  bool stop(YamlLocation location, const llvm::Twine &message) {
    faults.add(location, message);
    return false;
  }
  YamlLocation getLocation(const llvm::yaml::Node &node,
                           YamlLocation fallback) const;
  static void takeDiagnostic(const llvm::SMDiagnostic &diagnostic,
                             void *reader);

  llvm::StringRef text;
  LineTable lines;
  FaultList &faults;
  llvm::SourceMgr sources;
  llvm::yaml::Stream stream;
};
} // namespace

TreeReader::TreeReader(llvm::StringRef text, FaultList &faults)
    : text(text), lines(text), faults(faults),
      stream(text, sources, /*ShowColors=*/false) {
  sources.setDiagHandler(takeDiagnostic, this);
}

void TreeReader::takeDiagnostic(const llvm::SMDiagnostic &diagnostic,
                                void *reader) {
  llvm::StringRef words = diagnostic.getMessage().rtrim(".!");
  std::string message = "not valid YAML: ";
  if (!words.empty())
    message += llvm::toLower(words.front()) + words.drop_front().str();
  YamlLocation location{unsigned(std::max(diagnostic.getLineNo(), 1)),
                        unsigned(std::max(diagnostic.getColumnNo(), 0) + 1)};
  static_cast<TreeReader *>(reader)->faults.add(location, message);
}

YamlLocation TreeReader::getLocation(const llvm::yaml::Node &node,
                                     YamlLocation fallback) const {
  const char *at = node.getSourceRange().Start.getPointer();
  if (auto *alias = llvm::dyn_cast<llvm::yaml::AliasNode>(&node))
    at = alias->getName().begin() - 1;
  // Nodes that broken texts end in may have been written nowhere.
  if (at < text.begin() || at > text.end() ||
      llvm::isa<llvm::yaml::NullNode>(node))
    return fallback;
  // The parser says where a list or mapping has its first item.
  if (!llvm::isa<llvm::yaml::ScalarNode>(node)) {
    llvm::StringRef before(text.begin(), at - text.begin());
    before = before.rtrim();
    if (before.ends_with("[") || before.ends_with("{"))
      at = before.end() - 1;
  }
  return lines.locate(at - text.begin());
}

bool TreeReader::readScalar(llvm::yaml::ScalarNode &from, YamlNode &to) {
  llvm::SmallString<32> storage;
  to.kind = YamlNode::Kind::Scalar;
  to.text = from.getValue(storage).str();
  to.isPlain = to.text == from.getRawValue();
  return !stream.failed();
}

bool TreeReader::readSequence(llvm::yaml::SequenceNode &from, unsigned depth,
                              YamlNode &to) {
  to.kind = YamlNode::Kind::Sequence;
  for (llvm::yaml::Node &item : from)
    if (!readNode(&item, to.location, depth + 1, to.items.emplace_back()))
      return false;
  return !stream.failed();
}

bool TreeReader::readKey(llvm::yaml::Node *from, YamlLocation fallback,
                         YamlNode::Key &key) {
  YamlNode node;
  if (!readNode(from, fallback, maxDepth, node))
    return false;
  if (node.kind != YamlNode::Kind::Scalar)
    return stop(node.location, "a key must be a word, found none");
  key = {std::move(node.text), node.location};
  return true;
}

bool TreeReader::readMapping(llvm::yaml::MappingNode &from, unsigned depth,
                             YamlNode &to) {
  to.kind = YamlNode::Kind::Mapping;
  for (llvm::yaml::KeyValueNode &entry : from) {
    YamlNode::Key &key = to.keys.emplace_back();
    YamlNode &value = to.items.emplace_back();
    if (!readKey(entry.getKey(), to.location, key) ||
        !readNode(entry.getValue(), key.location, depth + 1, value))
      return false;
  }
  return !stream.failed();
}

bool TreeReader::readNode(llvm::yaml::Node *from, YamlLocation fallback,
                          unsigned depth, YamlNode &to) {
  if (!from || stream.failed())
    return false;
  to.location = getLocation(*from, fallback);
  if (!from->getRawTag().empty() || !from->getAnchor().empty() ||
      llvm::isa<llvm::yaml::AliasNode>(from))
    return stop(to.location, "anchors, aliases and tags have no place here");
  if (llvm::isa<llvm::yaml::NullNode>(from))
    return true;
  if (auto *scalar = llvm::dyn_cast<llvm::yaml::ScalarNode>(from))
    return readScalar(*scalar, to);
  if (auto *block = llvm::dyn_cast<llvm::yaml::BlockScalarNode>(from)) {
    to.kind = YamlNode::Kind::Scalar;
    to.text = block->getValue().str();
    return !stream.failed();
  }
  if (depth >= maxDepth)
    return stop(to.location, "lists and mappings are nested too deeply here");
  if (auto *sequence = llvm::dyn_cast<llvm::yaml::SequenceNode>(from))
    return readSequence(*sequence, depth, to);
  return readMapping(*llvm::cast<llvm::yaml::MappingNode>(from), depth, to);
}

std::optional<YamlNode> TreeReader::read() {
  llvm::yaml::document_iterator document = stream.begin();
  YamlNode root;
  if (!readNode(document->getRoot(), {}, 0, root))
    return std::nullopt;
  ++document;
  if (stream.failed())
    return std::nullopt;
  if (document != stream.end()) {
    faults.add({},
               "expected one document, found more of them, divided by '---'");
    return std::nullopt;
  }
  return root;
}

std::optional<YamlNode> inlay::readYaml(llvm::StringRef text,
                                        FaultList &faults) {
  if (!checkText(text, faults))
    return std::nullopt;
  // The parser has no place for errors in an empty text.
  if (text.trim().empty())
    return YamlNode();
  std::optional<YamlNode> root = TreeReader(text, faults).read();
  if (!root && faults.empty())
    faults.add({}, "not valid YAML");
  return root;
}
