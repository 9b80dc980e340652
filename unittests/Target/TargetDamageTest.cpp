//===- TargetDamageTest.cpp - Damaged target files do no harm -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The texts are those of the built-in targets, cut off and changed byte by
// byte. Each must be read to the end or have faults; none may crash or hang.
//
//===----------------------------------------------------------------------===//

#include "inlay/Target/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace inlay;

/// Reads a text and checks that its faults have places in it.
static void check(llvm::StringRef text) {
  TargetResult result = readTarget(text, {"Conv", "MaxPool"});
  size_t numLines = text.count('\n') + 1;
  for (const TargetFault &fault : result.faults) {
    ASSERT_GE(fault.line, 1u) << text.str();
    ASSERT_LE(fault.line, numLines) << text.str();
    ASSERT_GE(fault.column, 1u) << text.str();
    ASSERT_LE(fault.column, text.size() + 1) << text.str();
    ASSERT_FALSE(fault.message.empty()) << text.str();
  }
}

/// The built-in targets that have, together, what is said in any of them.
static std::vector<llvm::StringRef> getTexts() {
  std::vector<llvm::StringRef> texts;
  for (const BuiltinTarget &target : getBuiltinTargets())
    if (llvm::is_contained({"opu", "ascend", "ort"}, target.name))
      texts.push_back(target.text);
  return texts;
}

TEST(TargetDamageTest, TruncatedTextsAreRead) {
  for (llvm::StringRef whole : getTexts())
    for (size_t size = 0; size <= whole.size(); ++size)
      check(whole.take_front(size));
}

TEST(TargetDamageTest, TextsWithoutABeginningAreRead) {
  for (llvm::StringRef whole : getTexts())
    for (size_t size = 0; size <= whole.size(); ++size)
      check(whole.take_back(size));
}

TEST(TargetDamageTest, EveryByteMayBeAnotherMark) {
  llvm::StringRef marks = "{}[]:,-?|>&*!%@`\"'#\\\t\n \xff";
  for (llvm::StringRef whole : getTexts())
    for (size_t at = 0; at != whole.size(); ++at)
      for (size_t i = at % 4; i < marks.size(); i += 4) {
        std::string text = whole.str();
        text[at] = marks[i];
        check(text);
      }
}

TEST(TargetDamageTest, EveryBitMayBeFlipped) {
  for (llvm::StringRef whole : getTexts())
    for (size_t bit = 0; bit != 8 * whole.size(); ++bit) {
      std::string text = whole.str();
      text[bit / 8] ^= char(1 << (bit % 8));
      check(text);
    }
}

TEST(TargetDamageTest, SoupOfMarksIsRead) {
  static constexpr llvm::StringLiteral pieces[] = {
      "{",       "}",      "[",    "]",           ": ",
      ":",       ", ",     "- ",   "-",           "? ",
      "|",       ">",      "&a ",  "*a",          "!t ",
      "%TAG ",   "---",    "...",  "\"",          "'",
      "#",       "\\",     "\t",   "\n",          "\n  ",
      " ",       "op",     "NHWC", "layouts",     "dataflow",
      "limits",  "stages", "->",   "\r\n",        "\xef\xbb\xbf",
      "!!",      "!<",     "|2-",  "%YAML 1.2\n", "\xe2\x80\xa8",
      "\xc2\x85"};
  std::mt19937 random(7);
  for (int run = 0; run != 100000; ++run) {
    std::string text;
    for (unsigned i = 0, e = random() % 24; i != e; ++i)
      text += pieces[random() % std::size(pieces)].str();
    check(text);
  }
}
