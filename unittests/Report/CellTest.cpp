//===- CellTest.cpp - Numbers as people and programs see them -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Report/Cell.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace inlay;

TEST(Cell, GroupsDigitsByThousands) {
  EXPECT_EQ(formatCount(0), "0");
  EXPECT_EQ(formatCount(999), "999");
  EXPECT_EQ(formatCount(1000), "1,000");
  EXPECT_EQ(formatCount(1234567), "1,234,567");
}

TEST(Cell, ChoosesUnitsOfBytes) {
  EXPECT_EQ(formatBytes(0), "0 B");
  EXPECT_EQ(formatBytes(999), "999 B");
  EXPECT_EQ(formatBytes(1500), "1.5 kB");
  EXPECT_EQ(formatBytes(12000000), "12.0 MB");
  EXPECT_EQ(formatBytes(UINT64_MAX), "18.4 EB");
}

TEST(Cell, RoundsUpIntoTheNextUnit) {
  EXPECT_EQ(formatBytes(999949), "999.9 kB");
  EXPECT_EQ(formatBytes(999950), "1.0 MB");
}

TEST(Cell, ChoosesUnitsOfTime) {
  EXPECT_EQ(formatSeconds(0.0123), "12 ms");
  EXPECT_EQ(formatSeconds(0.9999), "1.0 s");
  EXPECT_EQ(formatSeconds(3.44), "3.4 s");
  EXPECT_EQ(formatSeconds(125), "2 min 5 s");
  EXPECT_EQ(formatSeconds(119.9), "2 min 0 s");
}

TEST(Cell, EscapesControlCharacters) {
  EXPECT_EQ(escapeControls("a\033[31mb"), "a\\x1B[31mb");
  EXPECT_EQ(escapeControls("\xC2\x9B"
                           "31m"),
            "\\x9B31m");
}

TEST(Cell, KeepsOtherCharacters) {
  EXPECT_EQ(escapeControls("conv_\xC3\xA9\xC2\xA0"), "conv_\xC3\xA9\xC2\xA0");
}

TEST(Cell, RepairsWhatIsNotUtf8) {
  EXPECT_TRUE(llvm::json::isUTF8(escapeControls("\xFF")));
  Cell cell = Cell::text("\xFF");
  EXPECT_TRUE(llvm::json::isUTF8(*cell.getJson().getAsString()));
}

TEST(Cell, KeepsBytesForPrograms) {
  Cell cell = Cell::bytes(1500);
  EXPECT_EQ(cell.getText(), "1.5 kB");
  EXPECT_EQ(cell.getJson().getAsInteger(), 1500);
}

TEST(Cell, UnknownIsNull) {
  Cell cell = Cell::bytes(std::nullopt);
  EXPECT_EQ(cell.getText(), "unknown");
  EXPECT_TRUE(cell.getJson().getAsNull().has_value());
}

TEST(Cell, WritesNonFiniteNumbersAsStrings) {
  EXPECT_EQ(Cell::number(NAN).getJson().getAsString(), "nan");
  EXPECT_EQ(Cell::number(-INFINITY).getJson().getAsString(), "-inf");
  EXPECT_EQ(Cell::number(0.5).getJson().getAsNumber(), 0.5);
}

TEST(Cell, WritesSymbolsAsStringsAndExtentsAsNumbers) {
  Cell cell = Cell::dims(std::vector<std::string>{"N", "3"});
  EXPECT_EQ(cell.getText(), "[N, 3]");
  const llvm::json::Array &array = *cell.getJson().getAsArray();
  EXPECT_EQ(array[0].getAsString(), "N");
  EXPECT_EQ(array[1].getAsInteger(), 3);
}

TEST(Cell, WritesExtentsAloneAsAProduct) {
  EXPECT_EQ(Cell::dims(llvm::ArrayRef<int64_t>({2, 3})).getText(), "2x3");
}

TEST(Cell, TellsScalarsFromUnknownRanks) {
  EXPECT_EQ(Cell::dims(std::vector<std::string>{}).getText(), "scalar");
  std::optional<std::vector<std::string>> none;
  EXPECT_EQ(Cell::dims(none).getText(), "unknown");
}

TEST(Cell, WritesListsOneByOne) {
  Cell cell = Cell::list(llvm::json::Array{"a", "b"}, "a\nb");
  EXPECT_EQ(cell.getText(), "a\\x0Ab");
  EXPECT_EQ(cell.getJson(), llvm::json::Value(llvm::json::Array{"a", "b"}));
}
