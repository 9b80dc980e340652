//===- Report.h - Results for people and for programs -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One description of a result, printed as text or as JSON. In JSON everything
// appears under its key, in the order in which it was added.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_REPORT_REPORT_H
#define INLAY_REPORT_REPORT_H

#include "inlay/Report/Table.h"
#include <variant>

namespace inlay {

enum class ReportFormat { Text, Json };

/// How a table of a report is written as JSON, if at all.
enum class TableForm {
  /// An array of objects.
  Records,
  /// An object of objects, named by the first column.
  ByRow,
  /// For people only.
  TextOnly,
};

/// What a verdict is to its reader, which terminals show by a colour.
enum class Tone { Good, Open, Bad };

/// How text is printed.
struct TextStyle {
  /// Where it is not 0: lines of tables are cut there, as terminals would break
  /// them.
  unsigned width = 0;
  bool hasColours = false;
};

/// `text` in the colour of a tone, for terminals.
std::string colourText(Tone tone, llvm::StringRef text);

class Report {
public:
  /// What programs know the report by: its first field is `schema`.
  void setSchema(llvm::StringRef name) { schema = name.str(); }

  /// A line "title: value". Without a title it is for programs only.
  void addField(llvm::StringRef key, llvm::StringRef title, const Cell &value);
  /// A line "title: words" for a yes or no, of which the verdict itself (what
  /// is in front of the reasons) has a colour: good where it `holds`.
  void addVerdict(llvm::StringRef key, llvm::StringRef title, bool holds,
                  llvm::StringRef words, Tone otherwise);
  /// A table below a heading. Without a heading it is for programs only; an
  /// empty table is left out of the text.
  void addTable(llvm::StringRef key, llvm::StringRef heading, Table table,
                TableForm form = TableForm::Records);
  /// A list of words: "title: a, b". Without a title it is for programs only.
  void addList(llvm::StringRef key, llvm::StringRef title,
               llvm::ArrayRef<std::string> values);

  /// Lines as they stand. Without a key they are for people only.
  void addText(llvm::StringRef key, llvm::StringRef text);

  /// What a reader should know about how the results came to be. Notes are
  /// not printed with the results: programs find the facts in them.
  void addNote(llvm::StringRef text) { notes.push_back(text.str()); }
  llvm::ArrayRef<std::string> getNotes() const { return notes; }

  /// The same of what a reader would miss in the results.
  void addWarning(llvm::StringRef text) { warnings.push_back(text.str()); }
  llvm::ArrayRef<std::string> getWarnings() const { return warnings; }

  void print(llvm::raw_ostream &os, ReportFormat format,
             TextStyle style = {}) const;

private:
  struct TableEntry {
    Table table;
    TableForm form;
  };
  struct TextEntry {
    std::string text;
  };
  struct Entry {
    std::string key;
    std::string title;
    std::variant<Cell, TableEntry, std::vector<std::string>, TextEntry> value;
    std::optional<Tone> tone = std::nullopt;
  };

  void printText(llvm::raw_ostream &os, TextStyle style) const;
  void printJson(llvm::raw_ostream &os) const;

  std::string schema;
  std::vector<Entry> entries;
  std::vector<std::string> notes, warnings;
};

} // namespace inlay

#endif // INLAY_REPORT_REPORT_H
