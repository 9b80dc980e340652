//===- Report.cpp - Results for people and for programs -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace inlay;

using Words = std::vector<std::string>;

void Report::addField(llvm::StringRef key, llvm::StringRef title,
                      const Cell &value) {
  entries.push_back({key.str(), title.str(), value});
}

void Report::addVerdict(llvm::StringRef key, llvm::StringRef title, bool holds,
                        llvm::StringRef words, Tone otherwise) {
  entries.push_back({key.str(), title.str(), Cell::flag(holds).withText(words),
                     holds ? Tone::Good : otherwise});
}

void Report::addTable(llvm::StringRef key, llvm::StringRef heading, Table table,
                      TableForm form) {
  entries.push_back(
      {key.str(), heading.str(), TableEntry{std::move(table), form}});
}

void Report::addList(llvm::StringRef key, llvm::StringRef title,
                     llvm::ArrayRef<std::string> values) {
  entries.push_back({key.str(), title.str(), values.vec()});
}

void Report::addText(llvm::StringRef key, llvm::StringRef text) {
  entries.push_back({key.str(), "", TextEntry{text.str()}});
}

void Report::print(llvm::raw_ostream &os, ReportFormat format,
                   TextStyle style) const {
  if (format == ReportFormat::Json)
    printJson(os);
  else
    printText(os, style);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static llvm::StringRef getColour(Tone tone) {
  switch (tone) {
  case Tone::Good:
    return "32"; // Green.
  case Tone::Open:
    return "33"; // Yellow.
  case Tone::Bad:
    return "31"; // Red.
  }
  llvm_unreachable("no such tone");
}

std::string inlay::colourText(Tone tone, llvm::StringRef text) {
  return ("\033[1;" + getColour(tone) + "m" + text + "\033[0m").str();
}

/// A verdict, of which the reasons stay plain.
static std::string colourVerdict(Tone tone, llvm::StringRef words) {
  size_t end = std::min(words.find_first_of(",:("), words.find(" among "));
  llvm::StringRef verdict = words.take_front(end).rtrim();
  return colourText(tone, verdict) + words.drop_front(verdict.size()).str();
}

static std::string joinEscaped(const Words &words) {
  std::string all;
  for (const auto &[i, word] : llvm::enumerate(words))
    all += (i ? ", " : "") + escapeControls(word);
  return all;
}

static void printLines(llvm::raw_ostream &os, llvm::StringRef text) {
  text.consume_back("\n");
  for (llvm::StringRef line : llvm::split(text, '\n'))
    os << escapeControls(line) << '\n';
}

void Report::printText(llvm::raw_ostream &os, TextStyle style) const {
  // Tables stand apart from what is around them.
  bool isFirst = true, afterTable = false;
  auto beginEntry = [&](bool isTable) {
    if (!isFirst && (isTable || afterTable))
      os << '\n';
    isFirst = false;
    afterTable = isTable;
  };
  for (const Entry &entry : entries) {
    if (const auto *lines = std::get_if<TextEntry>(&entry.value)) {
      beginEntry(false);
      printLines(os, lines->text);
      continue;
    }
    if (entry.title.empty())
      continue;
    if (const auto *cell = std::get_if<Cell>(&entry.value)) {
      beginEntry(false);
      os << entry.title << ": "
         << (entry.tone && style.hasColours
                 ? colourVerdict(*entry.tone, cell->getText())
                 : cell->getText().str())
         << '\n';
    } else if (const auto *words = std::get_if<Words>(&entry.value)) {
      if (words->empty())
        continue;
      beginEntry(false);
      os << entry.title << ": " << joinEscaped(*words) << '\n';
    } else if (const Table &table = std::get<TableEntry>(entry.value).table;
               !table.empty()) {
      beginEntry(true);
      os << entry.title << '\n';
      table.printText(os, 2, style.width);
    }
  }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

namespace {
/// Writes what an entry holds.
struct JsonWriter {
  llvm::json::OStream &json;

  void operator()(const Cell &cell) const { json.value(cell.getJson()); }
  void operator()(const Words &words) const {
    json.array([&] {
      for (const std::string &word : words)
        json.value(llvm::json::fixUTF8(word));
    });
  }
  void operator()(const Table &table, TableForm form) const {
    if (form == TableForm::ByRow)
      table.writeJsonByRow(json);
    else
      table.writeJson(json);
  }
};
} // namespace

void Report::printJson(llvm::raw_ostream &os) const {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  JsonWriter writer{json};
  json.object([&] {
    if (!schema.empty())
      json.attribute("schema", schema);
    for (const Entry &entry : entries) {
      const auto *table = std::get_if<TableEntry>(&entry.value);
      if ((table && table->form == TableForm::TextOnly) || entry.key.empty())
        continue;
      json.attributeBegin(entry.key);
      if (table)
        writer(table->table, table->form);
      else if (const auto *cell = std::get_if<Cell>(&entry.value))
        writer(*cell);
      else if (const auto *lines = std::get_if<TextEntry>(&entry.value))
        json.value(llvm::json::fixUTF8(lines->text));
      else
        writer(std::get<Words>(entry.value));
      json.attributeEnd();
    }
  });
  os << '\n';
}
