//===- Table.cpp - Aligned tables -----------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Report/Table.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"

using namespace inlay;

/// Places between two columns.
static constexpr unsigned gap = 2;
/// Narrower than this nothing could be read.
static constexpr unsigned leastWidth = 20;

static size_t getWidth(llvm::StringRef text) {
  int columns = llvm::sys::unicode::columnWidthUTF8(text);
  return columns < 0 ? text.size() : columns;
}

void Table::addRow(llvm::ArrayRef<Cell> cells) {
  assert(cells.size() == columns.size() && "a cell for every column");
  rows.emplace_back(cells);
}

llvm::SmallVector<size_t> Table::getWidths() const {
  llvm::SmallVector<size_t> widths;
  for (const auto &[i, column] : llvm::enumerate(columns)) {
    widths.push_back(getWidth(column.title));
    for (const auto &row : rows)
      widths.back() = std::max(widths.back(), getWidth(row[i].getText()));
  }
  return widths;
}

static void printAligned(llvm::raw_ostream &os, llvm::StringRef text,
                         size_t width, bool isRight, bool isLast) {
  unsigned padding = width - getWidth(text);
  if (isRight)
    os.indent(padding);
  os << text;
  if (!isRight && !isLast)
    os.indent(padding);
  if (!isLast)
    os.indent(gap);
}

/// At most `width` columns; an ellipsis stands for the rest.
static std::string cutLine(llvm::StringRef line, size_t width) {
  if (llvm::sys::unicode::columnWidthUTF8(line) <= int(width))
    return line.str();
  std::string cut = line.take_front(width - 1).str();
  // No half of a character.
  while (!cut.empty() && llvm::sys::unicode::columnWidthUTF8(cut) < 0)
    cut.pop_back();
  return cut + "\u2026";
}

void Table::printText(llvm::raw_ostream &os, unsigned indent,
                      unsigned width) const {
  llvm::SmallVector<size_t> widths = getWidths();
  auto isRight = [&](size_t i) {
    return llvm::any_of(rows,
                        [&](const auto &row) { return row[i].isNumber(); });
  };
  auto print = [&](llvm::function_ref<llvm::StringRef(size_t)> getText) {
    std::string line;
    llvm::raw_string_ostream stream(line);
    for (size_t i = 0; i < columns.size(); ++i)
      printAligned(stream, getText(i), widths[i], isRight(i),
                   i + 1 == columns.size());
    llvm::StringRef whole = llvm::StringRef(stream.str()).rtrim();
    os.indent(indent) << (width > indent + leastWidth
                              ? cutLine(whole, width - indent)
                              : whole.str())
                      << '\n';
  };
  if (llvm::any_of(columns, [](const Column &c) { return !c.title.empty(); }))
    print([&](size_t i) { return llvm::StringRef(columns[i].title); });
  for (const auto &row : rows)
    print([&](size_t i) { return row[i].getText(); });
}

void Table::writeCells(llvm::json::OStream &json, llvm::ArrayRef<Cell> cells,
                       size_t first) const {
  for (size_t i = first; i < cells.size(); ++i)
    json.attribute(columns[i].key, cells[i].getJson());
}

void Table::writeJson(llvm::json::OStream &json) const {
  json.array([&] {
    for (const auto &row : rows)
      json.object([&] { writeCells(json, row, 0); });
  });
}

void Table::writeJsonByRow(llvm::json::OStream &json) const {
  json.object([&] {
    for (const auto &row : rows)
      json.attributeObject(*row.front().getJson().getAsString(),
                           [&] { writeCells(json, row, 1); });
  });
}
