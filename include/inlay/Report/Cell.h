//===- Cell.h - One value of a report ---------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_REPORT_CELL_H
#define INLAY_REPORT_CELL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inlay {

/// 1234567 as "1,234,567".
std::string formatCount(uint64_t count);
/// "0 B", "999 B", "1.5 kB", "12.0 MB": powers of 1000, one decimal.
std::string formatBytes(uint64_t bytes);
/// "12 ms", "3.4 s", "2 min 5 s".
std::string formatSeconds(double seconds);
/// Text for a terminal: control characters, which names from a file may hold,
/// as \xNN.
std::string escapeControls(llvm::StringRef text);

/// A value that is printed for people and for programs: "1.5 kB" and 1500.
class Cell {
public:
  /// Nothing is known: "unknown", null.
  Cell() = default;

  static Cell text(llvm::StringRef value);
  static Cell count(uint64_t value);
  static Cell bytes(uint64_t value);
  static Cell seconds(double value);
  /// Infinities and NaN, which JSON lacks, are strings there.
  static Cell number(double value);
  static Cell flag(bool value);
  /// Dimensions: "2x3x4" and [2, 3, 4]; with symbols "[N, 3]" and ["N", 3];
  /// "unknown" and null without a rank.
  static Cell dims(const std::optional<std::vector<std::string>> &dims);
  static Cell dims(llvm::ArrayRef<int64_t> shape);
  /// Several values, which programs see one by one.
  static Cell list(llvm::json::Array values, llvm::StringRef words);
  /// Values with names.
  static Cell object(llvm::json::Object values, llvm::StringRef words);
  /// Empty for people, null for programs.
  static Cell none();

  static Cell count(std::optional<uint64_t> value) {
    return value ? count(*value) : Cell();
  }
  static Cell bytes(std::optional<uint64_t> value) {
    return value ? bytes(*value) : Cell();
  }

  /// The same value with other words for people.
  Cell withText(llvm::StringRef words) const;

  llvm::StringRef getText() const { return words; }
  const llvm::json::Value &getJson() const { return json; }
  /// Numbers are aligned to the right.
  bool isNumber() const { return isRight; }

private:
  Cell(std::string words, llvm::json::Value json, bool isRight)
      : words(std::move(words)), json(std::move(json)), isRight(isRight) {}

  std::string words = "unknown";
  llvm::json::Value json = nullptr;
  bool isRight = true;
};

} // namespace inlay

#endif // INLAY_REPORT_CELL_H
