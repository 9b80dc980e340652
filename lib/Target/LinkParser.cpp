//===- LinkParser.cpp - Links of stages, as arrows ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkParser.h"
#include "Fields.h"
#include "llvm/ADT/StringExtras.h"

using namespace inlay;

namespace {
/// A chain is steps with arrows between them; a step is a word or a list of
/// words in brackets.
class LinkParser {
public:
  LinkParser(const YamlNode &node, FaultList &faults)
      : node(node), rest(node.text), faults(faults) {}

  LinkChain parse();

private:
  bool parseStep(llvm::SmallVector<LinkWord, 1> &step);
  bool parseWord(llvm::SmallVector<LinkWord, 1> &step);
  bool consume(llvm::StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  bool isAtEnd() {
    rest = rest.ltrim();
    return rest.empty();
  }
  /// Where the rest begins. Texts in quotes have one place, their own.
  YamlLocation getLocation() const {
    YamlLocation location = node.location;
    if (node.isPlain)
      location.column += node.text.size() - rest.size();
    return location;
  }
  bool fail(const llvm::Twine &expected);

  const YamlNode &node;
  llvm::StringRef rest;
  FaultList &faults;
};
} // namespace

bool LinkParser::fail(const llvm::Twine &expected) {
  std::string found =
      isAtEnd() ? "the end" : "'" + rest.substr(0, 20).str() + "'";
  faults.add(getLocation(), "expected " + expected + ", found " + found +
                                "; links are written as a -> b -> [c, d]");
  return false;
}

bool LinkParser::parseWord(llvm::SmallVector<LinkWord, 1> &step) {
  rest = rest.ltrim();
  llvm::StringRef name =
      rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (name.empty())
    return fail("a stage");
  step.push_back({name, getLocation()});
  rest = rest.drop_front(name.size());
  return true;
}

bool LinkParser::parseStep(llvm::SmallVector<LinkWord, 1> &step) {
  if (!consume("["))
    return parseWord(step);
  do {
    if (!parseWord(step))
      return false;
  } while (consume(","));
  return consume("]") || fail("',' or ']'");
}

LinkChain LinkParser::parse() {
  LinkChain chain;
  do {
    if (!parseStep(chain.emplace_back()))
      return {};
  } while (consume("->"));
  if (isAtEnd() && chain.size() > 1)
    return chain;
  fail("'->'");
  return {};
}

LinkChain inlay::parseLinks(const YamlNode &node, FaultList &faults) {
  if (!readText(node, "a link", faults))
    return {};
  return LinkParser(node, faults).parse();
}
