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

TEST(TargetDamageTest, TruncatedTextsAreRead) {
  for (const BuiltinTarget &target : getBuiltinTargets())
    for (size_t size = 0; size <= target.text.size(); ++size)
      check(target.text.take_front(size));
}

TEST(TargetDamageTest, TextsWithoutABeginningAreRead) {
  for (const BuiltinTarget &target : getBuiltinTargets())
    for (size_t size = 0; size <= target.text.size(); ++size)
      check(target.text.take_back(size));
}

TEST(TargetDamageTest, EveryByteMayBeAnotherMark) {
  llvm::StringRef marks = "{}[]:,-?|>&*!%@`\"'#\\\t\n \xff";
  for (const BuiltinTarget &target : getBuiltinTargets())
    for (size_t at = 0; at != target.text.size(); ++at)
      for (size_t i = at % 4; i < marks.size(); i += 4) {
        std::string text = target.text.str();
        text[at] = marks[i];
        check(text);
      }
}

TEST(TargetDamageTest, EveryBitMayBeFlipped) {
  for (const BuiltinTarget &target : getBuiltinTargets())
    for (size_t bit = 0; bit != 8 * target.text.size(); ++bit) {
      std::string text = target.text.str();
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
