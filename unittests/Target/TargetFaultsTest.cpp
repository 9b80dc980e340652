//===- TargetFaultsTest.cpp - Tests of faulty target files ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every kind of fault, with its place. TargetTest.cpp has the good twins.
//
//===----------------------------------------------------------------------===//

#include "inlay/Target/Target.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace inlay;

/// The faults of a whole text, one per line as "line:column: message".
static std::string getFaultsOf(llvm::StringRef text,
                               llvm::ArrayRef<llvm::StringRef> knownOps = {}) {
  std::string faults;
  for (const TargetFault &fault : readTarget(text, knownOps).faults)
    faults += std::to_string(fault.line) + ":" + std::to_string(fault.column) +
              ": " + fault.message + "\n";
  return faults;
}

/// The faults of a text that begins in line 3, after schema and name.
static std::string getFaults(llvm::StringRef body,
                             llvm::ArrayRef<llvm::StringRef> knownOps = {}) {
  return getFaultsOf(("schema: inlay.target/1\nname: test\n" + body).str(),
                     knownOps);
}

//===----------------------------------------------------------------------===//
// YAML
//===----------------------------------------------------------------------===//

TEST(TargetFaultsTest, EmptyTextIsNoTarget) {
  EXPECT_EQ(getFaultsOf(""),
            "1:1: a target must be a mapping, found nothing\n");
  EXPECT_EQ(getFaultsOf("# nothing\n"),
            "1:1: a target must be a mapping, found nothing\n");
  EXPECT_EQ(getFaultsOf("- a\n"),
            "1:1: a target must be a mapping, found a list\n");
}

TEST(TargetFaultsTest, BrokenYamlIsLocated) {
  std::string faults = getFaults("layouts: [NHWC\nio: {}\n");
  EXPECT_TRUE(llvm::StringRef(faults).contains("not valid YAML: ")) << faults;
  EXPECT_TRUE(llvm::StringRef(faults).starts_with("4:")) << faults;
}

TEST(TargetFaultsTest, BytesThatAreNoTextAreLocated) {
  EXPECT_EQ(getFaults("io: \xff\n"),
            "3:5: expected text in UTF-8, found the byte 0xff\n");
  EXPECT_EQ(getFaultsOf(llvm::StringRef("a\0b", 3)),
            "1:2: expected text in UTF-8, found the byte 0x00\n");
  EXPECT_EQ(getFaults("description: \xc3\xa9t\xc3\xa9\n"), "");
}

TEST(TargetFaultsTest, LargeFilesAreRefused) {
  std::string comment = "#" + std::string((1 << 20) - 1, ' ');
  EXPECT_EQ(getFaultsOf(comment),
            "1:1: a target must be a mapping, found nothing\n");
  EXPECT_EQ(getFaultsOf(comment + " "), "1:1: the file has 1048577 bytes, "
                                        "expected at most 1048576\n");
}

TEST(TargetFaultsTest, LongLinesAreReadInLinearTime) {
  std::string list = "io: [";
  while (list.size() < 1000000)
    list += "a,";
  EXPECT_EQ(getFaults(list + "]\n"),
            "3:5: 'io' must be a mapping, found a list\n");
}

TEST(TargetFaultsTest, NestingIsBounded) {
  for (llvm::StringRef open : {"[", "{a: ", "- "}) {
    std::string deep = "io: ";
    for (int i = 0; i != 20000; ++i)
      deep += open;
    EXPECT_NE(getFaults(deep), "") << open.str();
    EXPECT_NE(getFaultsOf(llvm::StringRef(deep).drop_front(4)), "");
  }
  EXPECT_TRUE(
      llvm::StringRef(getFaults("io: [[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]"))
          .contains("nested too deeply"));
}

TEST(TargetFaultsTest, SecondDocumentIsRefused) {
  EXPECT_EQ(getFaults("---\nname: b\n"),
            "1:1: expected one document, found more of them, divided by "
            "'---'\n");
}

TEST(TargetFaultsTest, AliasesAndTagsAreRefused) {
  EXPECT_EQ(getFaults("io: &a {}\n"),
            "3:8: anchors, aliases and tags have no place here\n");
  EXPECT_EQ(getFaults("io: *a\n"),
            "3:5: anchors, aliases and tags have no place here\n");
}

TEST(TargetFaultsTest, FaultsAreNotListedForEver) {
  std::string text;
  for (int i = 0; i != 1000; ++i)
    text += "key" + std::to_string(i) + ": 1\n";
  std::vector<TargetFault> faults = readTarget(text).faults;
  EXPECT_EQ(faults.size(), 101u);
  EXPECT_EQ(faults.back().message, "further faults are not listed");
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

TEST(TargetFaultsTest, UnknownKeysAreFoundAtEveryLevel) {
  EXPECT_EQ(
      getFaults("layout: []\n"
                "fusion: []\n"
                "layouts:\n"
                "  - {op: Conv, data: [NHWC, NCHW], weigth: HWOI}\n"
                "io: {input: keep}\n"
                "costs: {relayout: 0, transposes: 1}\n"
                "classes: {feature: {rank: [3, 6]}, Tensor: {rang: 1}}\n"),
      "3:1: unknown key 'layout' of a target, did you mean 'layouts'?\n"
      "4:1: unknown key 'fusion' of a target\n"
      "6:36: unknown key 'weigth' of a rule, did you mean 'weight'?\n"
      "7:6: unknown key 'input' of 'io', did you mean 'inputs'?\n"
      "8:22: unknown key 'transposes' of 'costs'\n"
      "9:11: unknown key 'feature' of 'classes', did you mean "
      "'Feature'?\n"
      "9:44: Tensor must have 'rank', found none\n"
      "9:45: unknown key 'rang' of Tensor, did you mean 'rank'?\n");
}

TEST(TargetFaultsTest, DuplicateKeysAreFoundAtEveryLevel) {
  EXPECT_EQ(getFaults("name: again\n"
                      "layouts:\n"
                      "  - {op: LRN, data: [NHWC, NCHW], op: LRN}\n"
                      "dims: {a: 1, a: 2}\n"),
            "3:1: key 'name' of a target is given twice\n"
            "5:35: key 'op' of a rule is given twice\n"
            "6:14: key 'a' of 'dims' is given twice\n");
}

TEST(TargetFaultsTest, SchemaAndNameMustBeThere) {
  EXPECT_EQ(getFaultsOf("io: {}\n"),
            "1:1: a target must have 'name', found none\n"
            "1:1: a target must have 'schema', found none\n");
  EXPECT_EQ(getFaultsOf("schema: inlay.target/2\nname: \"\"\n"),
            "1:9: 'schema' must be inlay.target/1, found 'inlay.target/2'\n"
            "2:7: 'name' must be 1 to 64 letters, digits, '_' and '-', found "
            "''\n");
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

TEST(TargetFaultsTest, ImpossibleOrdersAreAllFound) {
  EXPECT_EQ(getFaults("layouts:\n"
                      "  - {op: Conv, data: NHHC, weight: NHWC}\n"
                      "  - {op: MaxPool, data: [NHWC, NXWC, HWOI]}\n"
                      "costs: {relayout: 0}\n"),
            "4:22: impossible order 'NHHC' of 'data': axis 'H' occurs more "
            "than once\n"
            "4:36: impossible order 'NHWC' of 'weight': 'N' is an axis of "
            "data, not of a weight\n"
            "5:32: impossible order 'NXWC' of 'data': 'X' is no axis of data, "
            "which has N, C and the spatial W, HW, DHW or TDHW\n"
            "5:38: impossible order 'HWOI' of 'data': 'O' is an axis of a "
            "weight, not of data\n");
}

TEST(TargetFaultsTest, OneRuleHasOneRank) {
  EXPECT_EQ(getFaults("layouts:\n"
                      "  - {op: Conv, data: [NHWC, NCW], weight: WOI}\n"),
            "4:29: orders of one rule must have one rank: 'NCW' has 3 axes, "
            "'NHWC' 4\n"
            "4:43: orders of one rule must have one rank: 'WOI' has 3 axes, "
            "'NHWC' 4\n");
}

TEST(TargetFaultsTest, ListsOfOneRuleHaveOneLength) {
  EXPECT_EQ(getFaults("layouts:\n"
                      "  - op: Conv\n"
                      "    data: [NHWC, NCHW, CHWN]\n"
                      "    weight: [HWOI, OIHW]\n"),
            "6:14: lists of orders in one rule must have one length: this has "
            "2, another 3\n");
}

TEST(TargetFaultsTest, OrdersAreListedOnce) {
  EXPECT_EQ(getFaults("layouts:\n  - {op: LRN, data: [NHWC, NHWC]}\n"),
            "4:28: order 'NHWC' is listed twice\n");
  EXPECT_EQ(getFaults("layouts:\n  - {op: LRN, data: []}\n"),
            "4:21: 'data' must list 1 to 64 orders, found 0\n");
}

TEST(TargetFaultsTest, AnOperatorHasOneRule) {
  EXPECT_EQ(getFaults("layouts:\n"
                      "  - {op: Conv, data: NHWC}\n"
                      "  - {op: Conv, data: NCHW}\n"
                      "costs: {relayout: 0}\n"),
            "5:10: duplicate rule: operator Conv has one already, on line 4\n");
  EXPECT_EQ(getFaults("layouts:\n"
                      "  - {op: Conv, data: NHWC, types: [f32, i8]}\n"
                      "  - {op: Conv, data: NCHW, types: [i8]}\n"
                      "costs: {relayout: 0}\n"),
            "5:10: duplicate rule: operator Conv has one already, on line 4\n");
}

TEST(TargetFaultsTest, UnknownOperatorsAreFound) {
  llvm::StringRef text = "layouts:\n"
                         "  - {op: conv, data: NHWC}\n"
                         "  - {op: MaxPol, data: NHWC}\n"
                         "  - {op: Swirl, data: NHWC}\n"
                         "costs: {relayout: 0}\n";
  EXPECT_EQ(getFaults(text, {"Conv", "MaxPool"}),
            "4:10: unknown operator 'conv', did you mean 'Conv'?\n"
            "5:10: unknown operator 'MaxPol', did you mean 'MaxPool'?\n"
            "6:10: unknown operator 'Swirl'\n");
  EXPECT_EQ(getFaults(text), "");
}

TEST(TargetFaultsTest, RulesHaveOperatorAndData) {
  EXPECT_EQ(getFaults("layouts:\n"
                      "  - {data: NHWC, required: maybe}\n"
                      "  - {op: [Conv]}\n"
                      "  - Conv\n"),
            "4:5: a rule must have 'op', found none\n"
            "4:28: 'required' must be true or false, found 'maybe'\n"
            "5:5: a rule must have 'data', found none\n"
            "5:10: 'op' must be a text, found a list\n"
            "6:5: a rule must be a mapping, found 'Conv'\n");
}

TEST(TargetFaultsTest, KeyOperatorsNeedCosts) {
  EXPECT_EQ(getFaults("layouts:\n  - {op: Conv, data: NHWC}\n"),
            "3:1: missing costs: a target with key operators (Conv) needs "
            "'costs', such as {relayout: 0}\n");
  EXPECT_EQ(getFaults("layouts:\n  - {op: Conv, data: NHWC}\ncosts: {}\n"),
            "5:8: 'costs' must have 'relayout', found none\n");
  EXPECT_EQ(getFaults("layouts:\n  - {op: Conv, data: [NHWC, NCHW]}\n"), "");
}

//===----------------------------------------------------------------------===//
// Other sections
//===----------------------------------------------------------------------===//

TEST(TargetFaultsTest, TypesAreChecked) {
  EXPECT_EQ(getFaults("description: [a]\n"
                      "layouts: {}\n"
                      "classes: 3\n"
                      "costs:\n"
                      "dims: [1]\n"
                      "candidates: NHWC\n"
                      "io: {inputs: maybe, outputs: [keep]}\n"),
            "3:14: 'description' must be a text, found a list\n"
            "4:10: 'layouts' must be a list, found a mapping\n"
            "5:10: 'classes' must be a mapping, found '3'\n"
            "6:1: 'costs' must be a mapping, found nothing\n"
            "7:7: 'dims' must be a mapping, found a list\n"
            "8:13: 'candidates' must be a list, found 'NHWC'\n"
            "9:14: 'inputs' must be keep or any, found 'maybe'\n"
            "9:30: 'outputs' must be keep or any, found a list\n");
}

TEST(TargetFaultsTest, RanksAreInOrderAndPossible) {
  EXPECT_EQ(getFaults("classes:\n"
                      "  Feature: {rank: [6, 3]}\n"
                      "  Weight: {rank: [1, 6]}\n"
                      "  NTensor: {rank: [3]}\n"
                      "  Tensor: {rank: [0, many]}\n"),
            "4:19: the rank of Feature must begin with the smaller number, "
            "found [6, 3]\n"
            "5:19: the rank of Weight must be a whole number of 2 to 6, found "
            "'1'\n"
            "6:19: the rank of NTensor must be a list of two numbers, such as "
            "[3, 6]\n"
            "7:22: the rank of Tensor must be a whole number of 0 to 64, found "
            "'many'\n");
}

TEST(TargetFaultsTest, NumbersAreBounded) {
  EXPECT_EQ(
      getFaults("costs: {relayout: -1}\n"
                "dims: {a: 0, b: 99999999999999999999, default: 1.5}\n"),
      "3:19: 'relayout' must be a whole number of 0 to 1099511627776, found "
      "'-1'\n"
      "4:11: an extent must be a whole number of 1 to 2147483647, found '0'\n"
      "4:17: an extent must be a whole number of 1 to 2147483647, found "
      "'99999999999999999999'\n"
      "4:48: an extent must be a whole number of 1 to 2147483647, found "
      "'1.5'\n");
}

TEST(TargetFaultsTest, CandidatesAreOrders) {
  EXPECT_EQ(getFaults("candidates:\n"
                      "  - NHWO\n"
                      "  - (0,1\n"
                      "  - (0,0)\n"
                      "  - NHWC\n"
                      "  - NHWC\n"
                      "  - {}\n"),
            "4:5: impossible candidate 'NHWO': 'N' is an axis of data, not of "
            "a weight\n"
            "5:5: impossible candidate '(0,1': expected ')' at its end; inside "
            "of [] write it in quotes\n"
            "6:5: impossible candidate '(0,0)': dimension 0 occurs more than "
            "once in the storage order, not as numbered factors\n"
            "8:5: candidate 'NHWC' is listed twice\n"
            "9:5: a candidate must be a text, found a mapping\n");
}
TEST(TargetFaultsTest, PatternsHaveNames) {
  EXPECT_EQ(getFaults("patterns: [gelu, layernorm, gelu, {}]\n"),
            "3:18: a pattern must be layer-norm or gelu or attention or "
            "conv-activation, found 'layernorm'\n"
            "3:29: pattern 'gelu' is listed twice\n"
            "3:35: a pattern must be layer-norm or gelu or attention or "
            "conv-activation, found a mapping\n");
  EXPECT_EQ(getFaults("patterns: whole\n"),
            "3:11: 'patterns' must be a list, found 'whole'\n");
}
