//===- ReportTest.cpp - Text and JSON of reports --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Report/Report.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace inlay;

static std::string print(const Report &report, ReportFormat format) {
  std::string text;
  llvm::raw_string_ostream os(text);
  report.print(os, format);
  return os.str();
}

static llvm::json::Object parse(const Report &report) {
  llvm::Expected<llvm::json::Value> value =
      llvm::json::parse(print(report, ReportFormat::Json));
  if (!value) {
    llvm::consumeError(value.takeError());
    return {};
  }
  return *value->getAsObject();
}

static Table getTable() {
  Table table({{"kind", ""}, {"count", "count"}});
  table.addRow({Cell::text("Conv"), Cell::count(uint64_t(1234))});
  table.addRow({Cell::text("Gemm"), Cell::count(uint64_t(1))});
  return table;
}

TEST(Report, AlignsNumbersToTheRight) {
  Report report;
  report.addTable("ops", "operators", getTable());
  EXPECT_EQ(print(report, ReportFormat::Text), "operators\n"
                                               "        count\n"
                                               "  Conv  1,234\n"
                                               "  Gemm      1\n");
}

TEST(Report, AlignsTextOfSeveralBytesPerCharacter) {
  Table table({{"name", ""}, {"n", ""}});
  table.addRow({Cell::text("\xC3\xA9"), Cell::count(uint64_t(1))});
  table.addRow({Cell::text("ab"), Cell::count(uint64_t(2))});
  std::string text;
  llvm::raw_string_ostream os(text);
  table.printText(os);
  EXPECT_EQ(os.str(), "\xC3\xA9   1\nab  2\n");
}

TEST(Report, SetsTablesApart) {
  Report report;
  report.addField("a", "first", Cell::text("x"));
  report.addTable("ops", "operators", getTable());
  report.addField("b", "last", Cell::text("y"));
  std::string text = print(report, ReportFormat::Text);
  EXPECT_NE(text.find("first: x\n\noperators\n"), std::string::npos);
  EXPECT_NE(text.find("1\n\nlast: y\n"), std::string::npos);
}

TEST(Report, LeavesOutWhatHasNoTitleAndEmptyTables) {
  Report report;
  report.addField("hidden", "", Cell::count(uint64_t(1)));
  report.addTable("ops", "", getTable());
  report.addTable("none", "nothing", Table({{"a", "a"}}));
  report.addList("list", "nothing", {});
  EXPECT_EQ(print(report, ReportFormat::Text), "");
}

TEST(Report, WritesEverythingElseAsJson) {
  Report report;
  report.addField("hidden", "", Cell::count(uint64_t(1)));
  report.addTable("ops", "", getTable());
  report.addTable("none", "nothing", Table({{"a", "a"}}));
  llvm::json::Object object = parse(report);
  EXPECT_EQ(object.getInteger("hidden"), 1);
  EXPECT_EQ(object.getArray("ops")->size(), 2u);
  EXPECT_TRUE(object.getArray("none")->empty());
}

TEST(Report, NamesRowsByTheirFirstColumn) {
  Report report;
  report.addTable("ops", "", getTable(), TableForm::ByRow);
  llvm::json::Object object = parse(report);
  const llvm::json::Object *ops = object.getObject("ops");
  ASSERT_TRUE(ops);
  EXPECT_EQ(ops->getObject("Conv")->getInteger("count"), 1234);
}

TEST(Report, KeepsTextOnlyTablesOutOfJson) {
  Report report;
  report.addTable("ops", "operators", getTable(), TableForm::TextOnly);
  EXPECT_FALSE(parse(report).get("ops"));
}

TEST(Report, WritesListsAsArrays) {
  Report report;
  report.addList("names", "names", {"a", "b"});
  EXPECT_EQ(print(report, ReportFormat::Text), "names: a, b\n");
  EXPECT_EQ(parse(report).getArray("names")->size(), 2u);
}

TEST(Report, PrintsLinesAsTheyStand) {
  Report report;
  report.addText("yaml", "a: 1\n  b: 2\n");
  EXPECT_EQ(print(report, ReportFormat::Text), "a: 1\n  b: 2\n");
  EXPECT_EQ(parse(report).getString("yaml"), "a: 1\n  b: 2\n");
}

TEST(Report, EscapesControlsOfLines) {
  Report report;
  report.addText("", "a\x1b[31m\nb");
  EXPECT_EQ(print(report, ReportFormat::Text), "a\\x1B[31m\nb\n");
  EXPECT_TRUE(parse(report).empty());
}

TEST(Report, CutsTablesAtTheWidth) {
  Report report;
  Table table({{"name", "name"}, {"reason", "reason"}});
  table.addRow({Cell::text("first"), Cell::text("because it is so long that it "
                                                "does not fit")});
  table.addRow({Cell::text("\u00e4\u00f6\u00fc"), Cell::text("short")});
  report.addTable("rows", "rows", table);
  std::string text;
  llvm::raw_string_ostream os(text);
  report.print(os, ReportFormat::Text, {30});
  EXPECT_EQ(os.str(), "rows\n"
                      "  name   reason\n"
                      "  first  because it is so lon\u2026\n"
                      "  \u00e4\u00f6\u00fc    short\n");
}

TEST(Report, ColoursVerdictsWhereAsked) {
  Report report;
  report.addVerdict("a", "layouts", true, "proved least: presolve", Tone::Open);
  report.addVerdict("b", "groups are", false, "not proved: \x1b[31m",
                    Tone::Open);
  report.addVerdict("c", "kernels are", true, "proved best among all",
                    Tone::Open);
  report.addVerdict("d", "verdict", false, "differs", Tone::Bad);
  report.addField("e", "plain", Cell::text("proved"));
  std::string text;
  llvm::raw_string_ostream os(text);
  report.print(os, ReportFormat::Text, {0, /*hasColours=*/true});
  EXPECT_EQ(os.str(), "layouts: \033[1;32mproved least\033[0m: presolve\n"
                      "groups are: \033[1;33mnot proved\033[0m: \\x1B[31m\n"
                      "kernels are: \033[1;32mproved best\033[0m among all\n"
                      "verdict: \033[1;31mdiffers\033[0m\n"
                      "plain: proved\n");
  EXPECT_EQ(print(report, ReportFormat::Text),
            "layouts: proved least: presolve\n"
            "groups are: not proved: \\x1B[31m\n"
            "kernels are: proved best among all\n"
            "verdict: differs\n"
            "plain: proved\n");
  EXPECT_EQ(parse(report).getBoolean("d"), false);
}
