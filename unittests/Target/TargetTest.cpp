//===- TargetTest.cpp - Tests of good target files ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Target/Target.h"
#include "inlay/Support/Error.h"
#include "gtest/gtest.h"

using namespace inlay;

using Permutation = llvm::SmallVector<unsigned>;

/// The target of a text that has no faults.
static Target read(llvm::StringRef body) {
  TargetResult result =
      readTarget(("schema: inlay.target/1\nname: test\n" + body).str());
  for (const TargetFault &fault : result.faults)
    ADD_FAILURE() << formatFault("test", fault);
  return result.target;
}

static std::string getMessage(llvm::Error error, ExitCode &code) {
  std::string message;
  code = takeError(std::move(error), message);
  return message;
}

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

TEST(TargetTest, DefaultsAreThoseOfTheRequirements) {
  Target target = read("");
  EXPECT_EQ(target.name, "test");
  EXPECT_EQ(target.getDomain(), "inlay.test");
  EXPECT_TRUE(target.layouts.empty());
  EXPECT_EQ(target.getRankBounds(LayoutClass::Feature), (RankBounds{3, 6}));
  EXPECT_EQ(target.getRankBounds(LayoutClass::Weight), (RankBounds{3, 6}));
  EXPECT_EQ(target.getRankBounds(LayoutClass::NTensor), (RankBounds{3, 6}));
  EXPECT_EQ(target.getRankBounds(LayoutClass::Tensor), (RankBounds{0, 6}));
  EXPECT_EQ(target.io.inputs, IoLayout::Keep);
  EXPECT_EQ(target.io.outputs, IoLayout::Keep);
  EXPECT_EQ(target.getAssumedExtent("batch"), 1);
}

TEST(TargetTest, PatternsAreKeptInTheOrderOfTheFile) {
  EXPECT_TRUE(read("").patterns.empty());
  EXPECT_EQ(read("patterns: [gelu, layer-norm]\n").patterns,
            (std::vector{PatternKind::Gelu, PatternKind::LayerNorm}));
  std::string all = "patterns:\n";
  for (PatternKind kind : getPatternKinds())
    all += ("  - " + getName(kind) + "\n").str();
  EXPECT_EQ(read(all).patterns, getPatternKinds().vec());
}

TEST(TargetTest, RankBoundsIncludeTheirEnds) {
  RankBounds bounds{3, 6};
  EXPECT_FALSE(bounds.contains(2));
  EXPECT_TRUE(bounds.contains(3));
  EXPECT_TRUE(bounds.contains(6));
  EXPECT_FALSE(bounds.contains(7));
  EXPECT_FALSE(bounds.contains(-1));
}

TEST(TargetTest, OneOrderMakesAKeyOperator) {
  Target target = read("layouts:\n"
                       "  - {op: Conv, data: NHWC, weight: HWOI}\n"
                       "costs: {relayout: 7}\n");
  const OpLayout *rule = target.findRule("Conv");
  ASSERT_TRUE(rule);
  EXPECT_TRUE(rule->required);
  EXPECT_TRUE(target.isKeyOp("Conv"));
  EXPECT_EQ(rule->choices,
            (std::vector<LayoutChoice>{{"NHWC", "HWOI", "NHWC"}}));
  EXPECT_EQ(target.costs.relayout, 7u);
  EXPECT_EQ(target.getKeyOps(), (llvm::SmallVector<llvm::StringRef>{"Conv"}));
}

TEST(TargetTest, SeveralOrdersMakeNoKeyOperator) {
  Target target = read("layouts:\n  - {op: MaxPool, data: [NHWC, NCHW]}\n");
  EXPECT_FALSE(target.isKeyOp("MaxPool"));
  EXPECT_EQ(
      target.findRule("MaxPool")->choices,
      (std::vector<LayoutChoice>{{"NHWC", "", "NHWC"}, {"NCHW", "", "NCHW"}}));
  EXPECT_FALSE(target.findRule("Relu"));
  EXPECT_FALSE(target.isKeyOp("Relu"));
}

TEST(TargetTest, RulesAreForElementTypes) {
  Target target = read("layouts:\n"
                       "  - {op: Conv, data: NHWC, types: [f32, f16]}\n"
                       "  - {op: Conv, data: [NCHW, NHWC], types: [i8]}\n"
                       "  - {op: LRN, data: NHWC}\n"
                       "costs: {relayout: 0}\n");
  EXPECT_TRUE(target.findRule("Conv", "f16")->required);
  EXPECT_FALSE(target.findRule("Conv", "i8")->required);
  EXPECT_FALSE(target.findRule("Conv", "f64"));
  EXPECT_TRUE(target.findRule("LRN", "f64"));
}

TEST(TargetTest, RequiredCanBeSaid) {
  Target target = read("layouts:\n"
                       "  - {op: Conv, data: NHWC, required: false}\n"
                       "  - {op: LRN, data: [NHWC, NCHW], required: true}\n"
                       "costs: {relayout: 0}\n");
  EXPECT_FALSE(target.isKeyOp("Conv"));
  EXPECT_TRUE(target.isKeyOp("LRN"));
}

TEST(TargetTest, ListsGoTogetherPositionByPosition) {
  Target target = read("layouts:\n"
                       "  - op: Conv\n"
                       "    data: [NHWC, NCHW]\n"
                       "    weight: [HWOI, OIHW]\n"
                       "    result: NHWC\n");
  EXPECT_EQ(target.findRule("Conv")->choices,
            (std::vector<LayoutChoice>{{"NHWC", "HWOI", "NHWC"},
                                       {"NCHW", "OIHW", "NHWC"}}));
}

TEST(TargetTest, RanksOfClassesCanBeSaid) {
  Target target = read("classes: {NTensor: {rank: [2, 4]}}\n");
  EXPECT_EQ(target.getRankBounds(LayoutClass::NTensor), (RankBounds{2, 4}));
  EXPECT_EQ(target.getRankBounds(LayoutClass::Tensor), (RankBounds{0, 6}));
}

TEST(TargetTest, DimensionsHaveADefault) {
  Target target = read("dims: {batch: 8, default: 128}\n");
  EXPECT_EQ(target.getAssumedExtent("batch"), 8);
  EXPECT_EQ(target.getAssumedExtent("seq"), 128);
}

TEST(TargetTest, IoCanBeFreed) {
  Target target = read("io: {inputs: any}\n");
  EXPECT_EQ(target.io.inputs, IoLayout::Any);
  EXPECT_EQ(target.io.outputs, IoLayout::Keep);
}

TEST(TargetTest, CandidatesArePermutationsOfTheirRank) {
  Target target = read("candidates:\n"
                       "  - NHWC\n"
                       "  - (0,2,1)\n"
                       "  - (1,0)\n"
                       "  - HWOI\n");
  EXPECT_EQ(target.getCandidates(2), (std::vector<Permutation>{{1, 0}}));
  EXPECT_EQ(target.getCandidates(3),
            (std::vector<Permutation>{{0, 2, 1}, {2, 0, 1}}));
  EXPECT_EQ(target.getCandidates(4),
            (std::vector<Permutation>{{0, 2, 3, 1}, {2, 3, 0, 1}}));
  EXPECT_TRUE(target.getCandidates(0).empty());
  EXPECT_TRUE(target.getCandidates(9).empty());
}

TEST(TargetTest, RowMajorIsNoCandidate) {
  Target target = read("candidates: [NCHW, \"(0,1,2)\"]\n");
  EXPECT_TRUE(target.getCandidates(3).empty());
  EXPECT_TRUE(target.getCandidates(4).empty());
}

TEST(TargetTest, TextsMayBeQuotedFoldedAndCommented) {
  Target target = read("description: >\n  Two\n  lines\n# a comment\n"
                       "\"io\": {'inputs': \"a\\x6ey\"}\n");
  EXPECT_EQ(target.description, "Two lines\n");
  EXPECT_EQ(target.io.inputs, IoLayout::Any);
}

//===----------------------------------------------------------------------===//
// Finding targets
//===----------------------------------------------------------------------===//

TEST(TargetTest, BuiltinTargetsAreValid) {
  for (const BuiltinTarget &builtin : getBuiltinTargets()) {
    TargetResult result = readTarget(builtin.text);
    for (const TargetFault &fault : result.faults)
      ADD_FAILURE() << formatFault(builtin.name, fault);
    EXPECT_EQ(result.target.name, builtin.name);
    EXPECT_FALSE(result.target.description.empty());
  }
}

TEST(TargetTest, NoneAsksForNothing) {
  llvm::Expected<Target> target = loadTarget("none");
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  EXPECT_TRUE(target->layouts.empty());
}

TEST(TargetTest, NhwcHasFourKeyOperators) {
  llvm::Expected<Target> target = loadTarget("nhwc");
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  EXPECT_EQ(target->getKeyOps(),
            (llvm::SmallVector<llvm::StringRef>{
                "Conv", "ConvInteger", "ConvTranspose", "QLinearConv"}));
  for (llvm::StringRef op : target->getKeyOps())
    EXPECT_EQ(target->findRule(op)->choices,
              (std::vector<LayoutChoice>{{"NHWC", "HWOI", "NHWC"}}));
  EXPECT_FALSE(target->isKeyOp("MaxPool"));
  EXPECT_FALSE(target->findRule("PRelu"));
}

TEST(TargetTest, UnknownNamesListTheBuiltinTargets) {
  llvm::Expected<Target> target = loadTarget("nwhc");
  ASSERT_FALSE(bool(target));
  ExitCode code;
  EXPECT_EQ(getMessage(target.takeError(), code),
            "no target or file 'nwhc', expected a file or one of none, nhwc, "
            "opu, ascend, ort, cpu, nchw16c, chw32, nhcwb16, nc1hwc2");
  EXPECT_EQ(code, ExitCode::Target);
}

TEST(TargetTest, OneErrorCarriesAllFaults) {
  llvm::Expected<Target> target =
      parseTarget("schema: inlay.target/1\nname: a b\nspeed: 3\n", "x.yaml");
  ASSERT_FALSE(bool(target));
  ExitCode code;
  EXPECT_EQ(getMessage(target.takeError(), code),
            "target x.yaml is not valid\n"
            "x.yaml:2:7: error: 'name' must be 1 to 64 letters, digits, '_' "
            "and '-', found 'a b'\n"
            "x.yaml:3:1: error: unknown key 'speed' of a target");
  EXPECT_EQ(code, ExitCode::Target);
}
