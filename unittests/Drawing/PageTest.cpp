//===- PageTest.cpp - A page for a browser --------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Drawing/Page.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace inlay;

TEST(Page, NothingInJsonEndsAScript) {
  llvm::json::Value value = llvm::json::Array{"</script><!--<script>", "a&b"};
  std::string text;
  llvm::raw_string_ostream(text) << value;
  std::string escaped = escapeForScript(text);
  EXPECT_EQ(escaped.find_first_of("<>&"), std::string::npos);
  // It is still the same value.
  auto parsed = llvm::json::parse(escaped);
  ASSERT_TRUE(bool(parsed));
  EXPECT_EQ(*parsed, value);
}

TEST(Page, JsonThatIsHarmlessStaysAsItIs) {
  EXPECT_EQ(escapeForScript("{\"a\": [1, \"b\"]}"), "{\"a\": [1, \"b\"]}");
}

TEST(Page, TitlesAreText) {
  EXPECT_EQ(escapeForHtml("a<b>&\"c\x1b[1m"), "a&lt;b&gt;&amp;&quot;c [1m");
  EXPECT_EQ(escapeForHtml("plain"), "plain");
  std::string page = makePage("</title><script>x", "{}");
  EXPECT_EQ(page.find("</title><script>x"), std::string::npos);
}

TEST(Page, AllowsNothingFromElsewhere) {
  std::string page = makePage("t", "{}");
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(page.find("unsafe"), std::string::npos);
}
