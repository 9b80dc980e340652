//===- Cell.cpp - One value of a report -----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Report/Cell.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>

using namespace inlay;

std::string inlay::formatCount(uint64_t count) {
  std::string digits = std::to_string(count);
  for (size_t i = digits.size(); i > 3; i -= 3)
    digits.insert(i - 3, ",");
  return digits;
}

std::string inlay::formatBytes(uint64_t bytes) {
  if (bytes < 1000)
    return std::to_string(bytes) + " B";
  static constexpr const char *units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = double(bytes) / 1000;
  size_t unit = 0;
  // 999.95 would print as "1000.0".
  for (; value >= 999.95 && unit + 1 < std::size(units); ++unit)
    value /= 1000;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.1f ", value) << units[unit];
  return text;
}

std::string inlay::formatSeconds(double seconds) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (seconds < 0.9995)
    os << llvm::format("%.0f ms", seconds * 1000);
  else if (seconds < 59.95)
    os << llvm::format("%.1f s", seconds);
  else
    os << llvm::format("%.0f min %.0f s", std::floor((seconds + 0.5) / 60),
                       std::floor(std::fmod(seconds + 0.5, 60)));
  return os.str();
}

/// Whether a character begins at `text` that moves a terminal's cursor: the
/// control characters of ASCII, and U+0080 to U+009F in UTF-8.
static bool isControl(llvm::StringRef text) {
  unsigned char first = text[0];
  if (first < 0x20 || first == 0x7f)
    return true;
  return first == 0xc2 && text.size() > 1 && (unsigned char)(text[1]) < 0xa0;
}

std::string inlay::escapeControls(llvm::StringRef text) {
  std::string out;
  for (; !text.empty(); text = text.drop_front()) {
    if (!isControl(text)) {
      out += text[0];
      continue;
    }
    // The second byte of two carries the character's number.
    if (text[0] == '\xc2')
      text = text.drop_front();
    unsigned char byte = text[0];
    out += {'\\', 'x', llvm::hexdigit(byte >> 4), llvm::hexdigit(byte & 15)};
  }
  return llvm::json::isUTF8(out) ? out : llvm::json::fixUTF8(out);
}

static std::string formatNumber(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.6g", value);
  return text;
}

Cell Cell::text(llvm::StringRef value) {
  return Cell(escapeControls(value), llvm::json::fixUTF8(value), false);
}

Cell Cell::count(uint64_t value) {
  return Cell(formatCount(value), value, true);
}

Cell Cell::bytes(uint64_t value) {
  return Cell(formatBytes(value), value, true);
}

Cell Cell::seconds(double value) {
  return Cell(formatSeconds(value), value, true);
}

Cell Cell::number(double value) {
  std::string text = formatNumber(value);
  llvm::json::Value json = text;
  if (std::isfinite(value))
    json = value;
  return Cell(text, std::move(json), true);
}

Cell Cell::flag(bool value) { return Cell(value ? "yes" : "no", value, false); }

Cell Cell::dims(const std::optional<std::vector<std::string>> &dims) {
  if (!dims)
    return Cell("unknown", nullptr, false);
  llvm::json::Array json;
  bool hasSymbols = false;
  for (const std::string &dim : *dims) {
    int64_t extent;
    bool isSymbol = llvm::StringRef(dim).getAsInteger(10, extent);
    hasSymbols |= isSymbol;
    if (isSymbol)
      json.push_back(llvm::json::fixUTF8(dim));
    else
      json.push_back(extent);
  }
  std::string words = dims->empty() ? "scalar"
                      : hasSymbols  ? "[" + llvm::join(*dims, ", ") + "]"
                                    : llvm::join(*dims, "x");
  return Cell(escapeControls(words), std::move(json), false);
}

Cell Cell::dims(llvm::ArrayRef<int64_t> shape) {
  // The extent of types that do not know it.
  constexpr int64_t unknown = std::numeric_limits<int64_t>::min();
  std::vector<std::string> words;
  for (int64_t extent : shape)
    words.push_back(extent == unknown ? "?" : std::to_string(extent));
  return dims(words);
}

Cell Cell::list(llvm::json::Array values, llvm::StringRef words) {
  return Cell(escapeControls(words), std::move(values), false);
}

Cell Cell::object(llvm::json::Object values, llvm::StringRef words) {
  return Cell(escapeControls(words), std::move(values), false);
}

Cell Cell::none() { return Cell("", nullptr, false); }

Cell Cell::withText(llvm::StringRef newWords) const {
  return Cell(escapeControls(newWords), json, isRight);
}
