//===- DataFlowFaultsTest.cpp - Tests of faulty data flows ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every kind of fault, with its place. DataFlowTest.cpp has the good twins.
//
//===----------------------------------------------------------------------===//

#include "inlay/Target/Target.h"
#include "gtest/gtest.h"

using namespace inlay;

/// The faults of a text that begins in line 3, after schema and name, one per
/// line as "line:column: message".
static std::string getFaults(llvm::StringRef body,
                             llvm::ArrayRef<llvm::StringRef> knownOps = {}) {
  std::string text = ("schema: inlay.target/1\nname: test\n" + body).str();
  std::string faults;
  for (const TargetFault &fault : readTarget(text, knownOps).faults)
    faults += std::to_string(fault.line) + ":" + std::to_string(fault.column) +
              ": " + fault.message + "\n";
  return faults;
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

TEST(DataFlowFaultsTest, LimitsThatCannotBeMetAreFound) {
  EXPECT_EQ(getFaults("limits:\n"
                      "  - {op: Concat, max-inputs: 1}\n"
                      "  - {op: Split, max-outputs: 0}\n"
                      "  - {op: Sum, max-inputs: 2}\n"),
            "4:30: 'max-inputs' must be a whole number of 2 to 2147483647, "
            "found '1'\n"
            "5:30: 'max-outputs' must be a whole number of 2 to 2147483647, "
            "found '0'\n");
}

TEST(DataFlowFaultsTest, LimitsAreOfOneKnownOperatorEach) {
  EXPECT_EQ(getFaults("limits:\n"
                      "  - {op: Concat, max-inputs: 63}\n"
                      "  - {op: Concat, max-inputs: 64}\n"
                      "  - {op: Splitt, max-outputs: 63}\n"
                      "  - {op: Sum}\n"
                      "  - {max-inputs: 2, max-input: 3}\n"
                      "  - Sum\n",
                      {"Concat", "Split", "Sum"}),
            "5:10: duplicate limit: operator Concat has one already, on line "
            "4\n"
            "6:10: unknown operator 'Splitt', did you mean 'Split'?\n"
            "7:5: a limit must have 'max-inputs' or 'max-outputs', found "
            "neither\n"
            "8:5: a limit must have 'op', found none\n"
            "8:21: unknown key 'max-input' of a limit, did you mean "
            "'max-inputs'?\n"
            "9:5: a limit must be a mapping, found 'Sum'\n");
  EXPECT_EQ(getFaults("limits: {}\n"),
            "3:9: 'limits' must be a list, found a mapping\n");
}

TEST(DataFlowFaultsTest, GroupsTakeSomething) {
  EXPECT_EQ(getFaults("dataflow:\n"
                      "  root: a\n"
                      "  limits: {inputs: 0, outputs: 0, ops: 0, on-chip: 0, "
                      "input: 1}\n"
                      "  stages: {a: {ops: Relu, max: 0}}\n"),
            "5:20: 'inputs' must be a whole number of 1 to 2147483647, found "
            "'0'\n"
            "5:32: 'outputs' must be a whole number of 1 to 2147483647, found "
            "'0'\n"
            "5:40: 'ops' must be a whole number of 1 to 2147483647, found "
            "'0'\n"
            "5:52: 'on-chip' must be a whole number of 1 to 1125899906842624, "
            "found '0'\n"
            "5:55: unknown key 'input' of 'limits', did you mean 'inputs'?\n"
            "6:32: 'max' must be a whole number of 1 to 2147483647, found "
            "'0'\n");
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

TEST(DataFlowFaultsTest, KindsAreChecked) {
  EXPECT_EQ(getFaults("dataflow: []\n"),
            "3:11: 'dataflow' must be a mapping, found a list\n");
  EXPECT_EQ(getFaults("dataflow: {}\n"),
            "3:11: 'dataflow' must have 'stages', found none\n");
  EXPECT_EQ(getFaults("dataflow: {stages: {}, root: a}\n"),
            "3:20: 'stages' must have a stage, found none\n"
            "3:30: unknown stage 'a'\n");
  EXPECT_EQ(getFaults("dataflow:\n"
                      "  stages: {a: {ops: Relu}, b: Relu, c d: {ops: Clip}, "
                      "a: {ops: Clip}}\n"
                      "  links: a -> b\n"
                      "  root: [a]\n"
                      "  collect: all\n"),
            "4:31: a stage must be a mapping, found 'Relu'\n"
            "4:37: a stage's name must be 1 to 64 letters, digits and '_', "
            "found 'c d'\n"
            "4:55: key 'a' of 'stages' is given twice\n"
            "5:10: 'links' must be a list, found 'a -> b'\n"
            "6:9: a root must be a text, found a list\n"
            "7:12: 'collect' must be unmapped or none or a list of operators, "
            "found 'all'\n");
}

TEST(DataFlowFaultsTest, UnknownOperatorsAreFoundEverywhere) {
  EXPECT_EQ(getFaults("dataflow:\n"
                      "  root: a\n"
                      "  collect: [Reshap, Conv, Conv]\n"
                      "  stages:\n"
                      "    a: {ops: [conv, {op: Swirl}, {rank: 4}]}\n",
                      {"Conv", "Reshape"}),
            "5:13: unknown operator 'Reshap', did you mean 'Reshape'?\n"
            "5:27: operator Conv is listed twice\n"
            "7:15: unknown operator 'conv', did you mean 'Conv'?\n"
            "7:26: unknown operator 'Swirl'\n"
            "7:34: an operator must have 'op', found none\n");
}

TEST(DataFlowFaultsTest, UnknownStagesAreFoundEverywhere) {
  EXPECT_EQ(getFaults("dataflow:\n"
                      "  roots: [concat, cat]\n"
                      "  stages:\n"
                      "    concat: {ops: Concat}\n"
                      "    ipa: {ops: Conv, uses: {pads: pat, biass: add}}\n"
                      "  links:\n"
                      "    - concat -> [ippa, ipa]\n"),
            "4:19: unknown stage 'cat'\n"
            "7:35: unknown stage 'pat', did you mean 'ipa'?\n"
            "7:40: unknown key 'biass' of 'uses', did you mean 'bias'?\n"
            "9:18: unknown stage 'ippa', did you mean 'ipa'?\n");
}

TEST(DataFlowFaultsTest, PredicatesThatCanNeverHoldAreFound) {
  EXPECT_EQ(
      getFaults("dataflow:\n"
                "  root: a\n"
                "  stages:\n"
                "    a:\n"
                "      ops:\n"
                "        - {op: Conv, kernel: [15, 1]}\n"
                "        - {op: Conv, kernel: 0}\n"
                "        - {op: Conv, stride: [1.2, 1.8]}\n"
                "        - {op: Conv, rank: [5, 3]}\n"
                "        - {op: Conv, types: []}\n"
                "        - {op: MaxPool, ceil_mode: [2, inf]}\n"
                "        - {op: Pad, mode: []}\n"
                "        - {op: Pad, mode: \"\"}\n"
                "        - {op: Add, operand: []}\n"
                "        - {op: Resize, scale: {range: [0.2, 0.8], whole: "
                "true}}\n"
                "        - {op: Resize, scale: [-2, -1]}\n"),
      "8:30: 'kernel' can never hold: [15, 1] does not begin with the smaller "
      "number\n"
      "9:30: 'kernel' can never hold: its values are whole numbers from 1, "
      "found 0\n"
      "10:30: 'stride' can never hold: its values are whole numbers from 1, "
      "found 1.2 to 1.8\n"
      "11:28: 'rank' can never hold: [5, 3] does not begin with the smaller "
      "number\n"
      "12:29: 'types' must list 1 to 64 words, found 0\n"
      "13:36: 'ceil_mode' can never hold: its values are whole numbers from 0 "
      "to 1, found 2 to inf\n"
      "14:27: 'mode' must list 1 to 64 words, found 0\n"
      "15:27: 'mode' can never hold: the word is empty\n"
      "16:30: 'operand' must list 1 to 64 words, found 0\n"
      "17:39: 'scale' can never hold: its values are whole numbers from 0, "
      "found 0.2 to 0.8\n"
      "18:31: 'scale' can never hold: its values are numbers from 0, found -2 "
      "to -1\n");
}

TEST(DataFlowFaultsTest, PredicatesAreSpelled) {
  EXPECT_EQ(getFaults("dataflow:\n"
                      "  root: a\n"
                      "  stages:\n"
                      "    a:\n"
                      "      ops:\n"
                      "        - {op: Conv, kernal: 3}\n"
                      "        - {op: Conv, kernel: [1, 2, 3]}\n"
                      "        - {op: Conv, kernel: many}\n"
                      "        - {op: Conv, kernel: nan}\n"
                      "        - {op: Conv, types: [f32, f32, flat]}\n"
                      "        - {op: Conv, rank: [3, 4, 5]}\n"
                      "        - {op: Conv, rank: 65}\n"
                      "        - {op: Add, operand: [constant, tensor]}\n"
                      "      types: b16\n"
                      "      bypass: 1\n"
                      "      maximum: 1\n"),
            "8:22: unknown key 'kernal' of an operator, did you mean "
            "'kernel'?\n"
            "9:30: 'kernel' must be a number or a list of the least and the "
            "greatest, such as [1, 15]\n"
            "10:30: 'kernel' must be a number or a list of the least and the "
            "greatest, such as [1, 15]\n"
            "11:30: 'kernel' must be a number or a list of the least and the "
            "greatest, such as [1, 15]\n"
            "12:35: 'f32' of 'types' is listed twice\n"
            "12:40: unknown element type 'flat'\n"
            "13:28: 'rank' must be a number or a list of two, such as [3, "
            "5]\n"
            "14:28: 'rank' must be a whole number of 0 to 64, found '65'\n"
            "15:41: 'operand' must be of constant, scalar, channel, same and "
            "other, found 'tensor'\n"
            "16:14: unknown element type 'b16', did you mean 'f16'?\n"
            "17:15: 'bypass' must be true or false, found '1'\n"
            "18:7: unknown key 'maximum' of a stage\n");
}

TEST(DataFlowFaultsTest, StagesTakeSomething) {
  EXPECT_EQ(getFaults("dataflow:\n"
                      "  root: a\n"
                      "  stages:\n"
                      "    a: {max: 1}\n"
                      "    b: {ops: []}\n"
                      "    c: {ops: [Relu, Relu, {op: Relu, rank: 4}]}\n"
                      "  links: [a -> b -> c]\n"),
            "6:5: stage 'a' takes nothing: it has no 'ops' and no 'uses' names "
            "it\n"
            "7:14: 'ops' must list 1 to 64 operators, found 0\n"
            "8:21: operator Relu is listed twice in the same form\n");
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

TEST(DataFlowFaultsTest, RootsAreGivenOnce) {
  EXPECT_EQ(getFaults("dataflow:\n"
                      "  root: a\n"
                      "  roots: [a]\n"
                      "  stages: {a: {ops: Relu}}\n"),
            "5:3: 'dataflow' must have 'root' or 'roots', found both\n");
  EXPECT_EQ(getFaults("dataflow:\n  stages: {a: {ops: Relu}}\n"),
            "4:3: 'dataflow' must have 'root' or 'roots', found neither\n");
  EXPECT_EQ(getFaults("dataflow: {stages: {a: {ops: Relu}}, roots: []}\n"),
            "3:45: 'roots' must list a stage, found none\n");
  EXPECT_EQ(getFaults("dataflow: {stages: {a: {ops: Relu}}, roots: [a, a]}\n"),
            "3:49: root 'a' is listed twice\n");
}

TEST(DataFlowFaultsTest, LinksAreArrows) {
  EXPECT_EQ(getFaults("dataflow:\n"
                      "  root: a\n"
                      "  stages: {a: {ops: Relu}, b: {ops: Clip}}\n"
                      "  links:\n"
                      "    - a -> b\n"
                      "    - a - b\n"
                      "    - a -> [b, ]\n"
                      "    - a -> [a b]\n"
                      "    - a\n"
                      "    - \"a ->\"\n"
                      "    - {a: b}\n"
                      "    - a -> [a, b]\n"),
            "8:9: expected '->', found '- b'; links are written as a -> b -> "
            "[c, d]\n"
            "9:16: expected a stage, found ']'; links are written as a -> b -> "
            "[c, d]\n"
            "10:15: expected ',' or ']', found 'b]'; links are written as a -> "
            "b -> [c, d]\n"
            "11:8: expected '->', found the end; links are written as a -> b "
            "-> [c, d]\n"
            "12:7: expected a stage, found the end; links are written as a -> "
            "b -> [c, d]\n"
            "13:7: a link must be a text, found a mapping\n"
            "14:7: link a -> b is given twice\n");
}

TEST(DataFlowFaultsTest, UnreachableStagesAreFound) {
  EXPECT_EQ(getFaults("dataflow:\n"
                      "  root: a\n"
                      "  stages: {a: {ops: Relu}, b: {ops: Clip}, c: {ops: "
                      "Add}, d: {ops: Mul, bypass: false}, e: {ops: Sub}}\n"
                      "  links: [b -> c -> b, a -> d -> e]\n"),
            "5:28: stage 'b' is unreachable: no links lead to it from the root "
            "'a'\n"
            "5:44: stage 'c' is unreachable: no links lead to it from the root "
            "'a'\n");
}

TEST(DataFlowFaultsTest, PartsOfOperatorsAreOnTheirWay) {
  EXPECT_EQ(getFaults("dataflow:\n"
                      "  root: add\n"
                      "  stages:\n"
                      "    add: {ops: Add}\n"
                      "    ipa: {ops: Conv, uses: {pads: pad, bias: add}}\n"
                      "    pad: {ops: Pad, uses: {pads: pad}}\n"
                      "  links: [add -> ipa -> pad]\n"),
            "7:35: 'pads' of stage 'ipa' need a stage before it, and no links "
            "lead from 'pad' to 'ipa'\n"
            "7:46: 'bias' of stage 'ipa' need a stage behind it, and no links "
            "lead from 'ipa' to 'add'\n"
            "8:34: 'pads' of stage 'pad' need a stage before it, and no links "
            "lead from 'pad' to 'pad'\n");
}

TEST(DataFlowFaultsTest, AmbiguousOperatorsAreFound) {
  // Both are one link from the root.
  EXPECT_EQ(getFaults("dataflow:\n"
                      "  root: a\n"
                      "  stages:\n"
                      "    a: {ops: Relu}\n"
                      "    b: {ops: [Clip, {op: Add, operand: constant}]}\n"
                      "    c: {ops: [Mul, Add]}\n"
                      "  links: [\"a -> [b, c]\"]\n"),
            "8:20: operator Add is ambiguous: stages 'b' and 'c', equally far "
            "from the roots, take it in a common form\n");
  // One is nearer to the root, but both are one link from b.
  EXPECT_EQ(getFaults("dataflow:\n"
                      "  root: a\n"
                      "  stages: {a: {ops: Relu}, b: {ops: Clip}, c: {ops: "
                      "Add}, d: {ops: Add}}\n"
                      "  links:\n"
                      "    - a -> [b, c]\n"
                      "    - b -> [c, d]\n"),
            "5:68: operator Add is ambiguous: stages 'c' and 'd', equally far "
            "from 'b', take it in a common form\n");
}

TEST(DataFlowFaultsTest, FormsAndDistancesTellOperatorsApart) {
  EXPECT_EQ(getFaults("dataflow:\n"
                      "  root: a\n"
                      "  stages:\n"
                      "    a: {ops: Relu}\n"
                      "    b: {ops: {op: Add, operand: [constant, scalar]}}\n"
                      "    c: {ops: {op: Add, operand: same}}\n"
                      "    d: {ops: Add}\n"
                      "  links:\n"
                      "    - a -> [b, c]\n"
                      "    - b -> d\n"),
            "");
}
