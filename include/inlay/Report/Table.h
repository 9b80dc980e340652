//===- Table.h - Aligned tables ---------------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   Table table({{"kind", "operator"}, {"count", "count"}});
//   table.addRow({Cell::text("Conv"), Cell::count(53)});
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_REPORT_TABLE_H
#define INLAY_REPORT_TABLE_H

#include "inlay/Report/Cell.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace inlay {

/// A column: its name for programs and its title for people.
struct Column {
  std::string key;
  std::string title;
};

/// Rows of cells. As text, columns are aligned, numbers to the right; as JSON,
/// every row is an object with the columns' keys.
class Table {
public:
  explicit Table(llvm::ArrayRef<Column> columns) : columns(columns) {}

  /// As many cells as there are columns.
  void addRow(llvm::ArrayRef<Cell> cells);
  bool empty() const { return rows.empty(); }
  size_t size() const { return rows.size(); }

  /// Lines are cut at `width` where it is not 0.
  void printText(llvm::raw_ostream &os, unsigned indent = 0,
                 unsigned width = 0) const;
  /// An array of objects.
  void writeJson(llvm::json::OStream &json) const;
  /// An object: the text of the first cell names each row. First cells differ.
  void writeJsonByRow(llvm::json::OStream &json) const;

private:
  llvm::SmallVector<size_t> getWidths() const;
  void writeCells(llvm::json::OStream &json, llvm::ArrayRef<Cell> cells,
                  size_t first) const;

  llvm::SmallVector<Column> columns;
  std::vector<llvm::SmallVector<Cell, 4>> rows;
};

} // namespace inlay

#endif // INLAY_REPORT_TABLE_H
