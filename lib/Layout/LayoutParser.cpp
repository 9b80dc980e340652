//===- LayoutParser.cpp - Reading the notation of layouts -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layout.h gives the grammar. The text is read in two steps: first the clauses
// as they stand, then the atoms that they describe together.
//
//===----------------------------------------------------------------------===//

#include "inlay/Layout/Layout.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace inlay;

static bool isWordChar(char c) { return llvm::isAlnum(c) || c == '_'; }

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

namespace {
/// Takes tokens off the front of a text; white space between them is free.
class TokenCursor {
public:
  explicit TokenCursor(llvm::StringRef text) : text(text.ltrim()) {}

  bool atEnd() const { return text.empty(); }
  bool isAt(char c) const { return !atEnd() && text.front() == c; }
  bool isAtInteger() const {
    return isAt('-') || (!atEnd() && llvm::isDigit(text.front()));
  }

  bool take(llvm::StringRef punctuation) {
    bool found = text.consume_front(punctuation);
    text = text.ltrim();
    return found;
  }

  /// An identifier, or nothing.
  llvm::StringRef takeWord() {
    if (atEnd() || llvm::isDigit(text.front()))
      return "";
    return takeFront(text.take_while(isWordChar).size());
  }

  bool takeKeyword(llvm::StringRef keyword) {
    TokenCursor before = *this;
    if (takeWord() == keyword)
      return true;
    *this = before;
    return false;
  }

  llvm::Expected<int64_t> takeInteger();
  llvm::Expected<std::string> takeString();

  llvm::Error expected(const llvm::Twine &what) const {
    return usageError("expected " + what + ", found " +
                      (atEnd() ? "the end" : "'" + text.take_front(24) + "'"));
  }

private:
  llvm::StringRef takeFront(size_t size) {
    llvm::StringRef token = text.take_front(size);
    text = text.drop_front(size).ltrim();
    return token;
  }

  llvm::StringRef text;
};
} // namespace

llvm::Expected<int64_t> TokenCursor::takeInteger() {
  llvm::StringRef digits = text;
  digits.consume_front("-");
  size_t size = digits.take_while(llvm::isDigit).size();
  int64_t value;
  if (size == 0)
    return expected("an integer");
  size += text.size() - digits.size();
  if (text.take_front(size).getAsInteger(10, value))
    return expected("an integer of 64 bits");
  takeFront(size);
  return value;
}

/// A quoted text with the escapes of llvm::printEscapedString: a backslash
/// before a backslash or two hexadecimal digits.
llvm::Expected<std::string> TokenCursor::takeString() {
  std::string value;
  llvm::StringRef left = text.drop_front();
  while (!left.empty() && left.front() != '"') {
    char c = left.front();
    left = left.drop_front();
    if (c == '\\' && !left.consume_front("\\")) {
      uint8_t code;
      if (left.take_front(2).getAsInteger(16, code) || left.size() < 2)
        return expected("a quoted symbol with valid escapes");
      c = char(code);
      left = left.drop_front(2);
    }
    value.push_back(c);
  }
  if (left.empty() || value.empty())
    return expected("a quoted symbol that is not empty");
  takeFront(text.size() - left.size() + 1);
  return value;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
class LayoutParser {
public:
  explicit LayoutParser(llvm::StringRef text) : cursor(text) {}

  llvm::Expected<Layout> parse();

private:
  /// One entry of the storage order.
  struct Entry {
    unsigned dim;
    std::optional<unsigned> factor;
  };
  /// The sizes of one dimension, major first.
  struct Sizes {
    unsigned dim;
    bool isBlocked;
    llvm::SmallVector<AtomExtent, 2> extents;
  };

  llvm::Error parseHead();
  llvm::Error parseOrder();
  llvm::Error parseNamedOrder(llvm::StringRef text);
  llvm::Expected<Entry> parseEntry();
  llvm::Error addEntry(Entry entry);
  llvm::Error parseClause();
  llvm::Error parseBlock();
  llvm::Error parseSizes(bool isBlocked);
  llvm::Error parsePadding();
  llvm::Expected<unsigned> parseNumber();
  llvm::Expected<unsigned> parseDim();
  llvm::Expected<AtomExtent> parseExtent();

  llvm::Expected<AtomSequence> buildAtoms() const;
  llvm::Expected<AtomExtent> getExtent(Entry entry) const;
  llvm::Error checkBlockIsUsed() const;
  size_t countFactors(unsigned dim) const;
  const Sizes *findSizes(unsigned dim) const;

  TokenCursor cursor;
  LayoutClass layoutClass = LayoutClass::Tensor;
  llvm::StringRef axes;
  llvm::SmallVector<Entry, 4> order;
  llvm::SmallVector<Sizes, 2> sizes;
  std::optional<int64_t> block;
  std::optional<Padding> padding;
};
} // namespace

llvm::Error LayoutParser::parseHead() {
  TokenCursor start = cursor;
  llvm::StringRef word = cursor.takeWord();
  if (word.empty())
    return start.expected("axes, Tensor or NTensor");
  if (word == "NTensor")
    layoutClass = LayoutClass::NTensor;
  else if (word != "Tensor")
    axes = word;
  // Orders are read against the axes, so these must be right first.
  return axes.empty() ? llvm::Error::success()
                      : Layout::getNamed(axes).takeError();
}

llvm::Expected<unsigned> LayoutParser::parseNumber() {
  auto value = cursor.takeInteger();
  if (!value)
    return value.takeError();
  if (*value < 0 || *value > INT32_MAX)
    return usageError("number " + llvm::Twine(*value) + " is out of range");
  return unsigned(*value);
}

llvm::Expected<unsigned> LayoutParser::parseDim() {
  if (axes.empty())
    return parseNumber();
  TokenCursor start = cursor;
  llvm::StringRef word = cursor.takeWord();
  size_t dim = word.size() == 1 ? axes.find(word.front()) : axes.npos;
  if (dim == axes.npos)
    return start.expected("an axis of " + axes);
  return unsigned(dim);
}

//===----------------------------------------------------------------------===//
// Parsing: storage orders
//===----------------------------------------------------------------------===//

llvm::Error LayoutParser::addEntry(Entry entry) {
  if (order.size() == Layout::maxAtoms)
    return usageError("storage order must have at most " +
                      llvm::Twine(Layout::maxAtoms) + " atoms, found more");
  order.push_back(entry);
  return llvm::Error::success();
}

llvm::Error LayoutParser::parseOrder() {
  if (!axes.empty()) {
    TokenCursor start = cursor;
    llvm::StringRef text = cursor.takeWord();
    return text.empty() ? start.expected("a storage order such as NHWC")
                        : parseNamedOrder(text);
  }
  if (!cursor.take("("))
    return cursor.expected("a storage order such as (0,2,1)");
  if (cursor.take(")"))
    return llvm::Error::success();
  do {
    auto entry = parseEntry();
    if (!entry)
      return entry.takeError();
    if (llvm::Error error = addEntry(*entry))
      return error;
  } while (cursor.take(","));
  return cursor.take(")") ? llvm::Error::success()
                          : cursor.expected("',' or ')'");
}

llvm::Error LayoutParser::parseNamedOrder(llvm::StringRef text) {
  for (llvm::StringRef left = text; !left.empty();) {
    size_t dim = axes.find(left.front());
    if (dim == axes.npos)
      return usageError("storage order " + text + " has '" + left.take_front() +
                        "', which is no axis of " + axes);
    left = left.drop_front();
    Entry entry{unsigned(dim), std::nullopt};
    unsigned factor;
    if (!left.empty() && llvm::isDigit(left.front())) {
      if (left.consumeInteger(10, factor))
        return usageError("factor is out of range in storage order " + text);
      entry.factor = factor;
    }
    if (llvm::Error error = addEntry(entry))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<LayoutParser::Entry> LayoutParser::parseEntry() {
  auto dim = parseNumber();
  if (!dim)
    return dim.takeError();
  if (!cursor.take(":"))
    return Entry{*dim, std::nullopt};
  auto factor = parseNumber();
  if (!factor)
    return factor.takeError();
  return Entry{*dim, *factor};
}

//===----------------------------------------------------------------------===//
// Parsing: clauses
//===----------------------------------------------------------------------===//

llvm::Error LayoutParser::parseClause() {
  if (cursor.takeKeyword("block"))
    return parseBlock();
  if (cursor.takeKeyword("split"))
    return parseSizes(false);
  if (cursor.takeKeyword("pad"))
    return parsePadding();
  return cursor.expected(order.empty() ? "'as', 'block', 'split' or 'pad'"
                                       : "'block', 'split' or 'pad'");
}

llvm::Error LayoutParser::parseBlock() {
  if (!cursor.isAtInteger())
    return parseSizes(true);
  TokenCursor start = cursor;
  auto value = cursor.takeInteger();
  if (!value)
    return value.takeError();
  // Not the size of all blocks, but the dimension of "1=16".
  if (cursor.take("=")) {
    cursor = start;
    return parseSizes(true);
  }
  if (block)
    return usageError("block size is given twice");
  block = *value;
  return llvm::Error::success();
}

llvm::Error LayoutParser::parseSizes(bool isBlocked) {
  do {
    auto dim = parseDim();
    if (!dim)
      return dim.takeError();
    if (countFactors(*dim) < 2)
      return usageError("storage order does not divide " +
                        describeDim(axes, *dim) + ", which has sizes");
    if (findSizes(*dim))
      return usageError("sizes of " + describeDim(axes, *dim) +
                        " are given twice");
    if (!cursor.take("="))
      return cursor.expected("'='");
    Sizes &entry = sizes.emplace_back(Sizes{*dim, isBlocked, {}});
    do {
      auto extent = parseExtent();
      if (!extent)
        return extent.takeError();
      entry.extents.push_back(*extent);
    } while (cursor.take("*"));
  } while (cursor.take(","));
  return llvm::Error::success();
}

llvm::Expected<AtomExtent> LayoutParser::parseExtent() {
  if (cursor.atEnd())
    return cursor.expected("a size");
  if (cursor.isAt('"')) {
    auto name = cursor.takeString();
    if (!name)
      return name.takeError();
    return AtomExtent::symbol(*name);
  }
  llvm::StringRef word = cursor.takeWord();
  if (!word.empty())
    return AtomExtent::symbol(word);
  auto value = cursor.takeInteger();
  if (!value)
    return value.takeError();
  return AtomExtent::of(*value);
}

llvm::Error LayoutParser::parsePadding() {
  if (padding)
    return usageError("padding is given twice");
  if (cursor.takeKeyword("zero"))
    padding = Padding::Zero;
  else if (cursor.takeKeyword("any"))
    padding = Padding::Any;
  else
    return cursor.expected("'zero' or 'any'");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Parsing: from clauses to atoms
//===----------------------------------------------------------------------===//

size_t LayoutParser::countFactors(unsigned dim) const {
  return llvm::count_if(order, [&](Entry entry) { return entry.dim == dim; });
}

const LayoutParser::Sizes *LayoutParser::findSizes(unsigned dim) const {
  const auto *found = llvm::find_if(
      sizes, [&](const Sizes &entry) { return entry.dim == dim; });
  return found == sizes.end() ? nullptr : &*found;
}

/// A block size that nothing is divided by is a mistake.
llvm::Error LayoutParser::checkBlockIsUsed() const {
  bool isUsed = llvm::any_of(order, [&](Entry entry) {
    return countFactors(entry.dim) > 1 && !findSizes(entry.dim);
  });
  if (block && !isUsed)
    return usageError("storage order divides nothing into blocks of " +
                      llvm::Twine(*block));
  return llvm::Error::success();
}

/// The extent of one entry of a divided dimension.
llvm::Expected<AtomExtent> LayoutParser::getExtent(Entry entry) const {
  size_t count = countFactors(entry.dim);
  const Sizes *found = findSizes(entry.dim);
  if (!found && !block)
    return usageError("storage order divides " + describeDim(axes, entry.dim) +
                      ", which has no block or split sizes");
  Sizes used =
      found ? *found : Sizes{entry.dim, true, {AtomExtent::of(*block)}};
  size_t numSizes = used.extents.size();
  if (numSizes + used.isBlocked != count)
    return usageError("storage order divides " + describeDim(axes, entry.dim) +
                      " into " + llvm::Twine(count) + ", its sizes into " +
                      llvm::Twine(numSizes + used.isBlocked));
  if (*entry.factor < numSizes)
    return used.extents[numSizes - 1 - *entry.factor];
  return AtomExtent::rest();
}

llvm::Expected<AtomSequence> LayoutParser::buildAtoms() const {
  if (llvm::Error error = checkBlockIsUsed())
    return error;
  AtomSequence atoms;
  for (Entry entry : order) {
    bool isDivided = countFactors(entry.dim) > 1;
    if (isDivided && !entry.factor)
      return usageError(describeDim(axes, entry.dim) +
                        " occurs more than once in the storage order, not as "
                        "numbered factors");
    if (!isDivided && entry.factor)
      return usageError(describeDim(axes, entry.dim) +
                        " is whole in the storage order, found factor " +
                        llvm::Twine(*entry.factor) + " of it");
    if (!isDivided) {
      atoms.push_back({entry.dim, 0, AtomExtent::rest()});
      continue;
    }
    auto extent = getExtent(entry);
    if (!extent)
      return extent.takeError();
    atoms.push_back({entry.dim, *entry.factor, *extent});
  }
  return atoms;
}

llvm::Expected<Layout> LayoutParser::parse() {
  if (llvm::Error error = parseHead())
    return error;
  if (cursor.takeKeyword("as"))
    if (llvm::Error error = parseOrder())
      return error;
  while (!cursor.atEnd())
    if (llvm::Error error = parseClause())
      return error;
  auto atoms = buildAtoms();
  if (!atoms)
    return atoms.takeError();
  Padding state = padding.value_or(Padding::Any);
  return axes.empty()
             ? Layout::getUnnamed(layoutClass, std::move(*atoms), state)
             : Layout::getNamed(axes, std::move(*atoms), state);
}

llvm::Expected<Layout> Layout::parse(llvm::StringRef text) {
  return LayoutParser(text).parse();
}
