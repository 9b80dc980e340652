//===- DataFlowTest.cpp - Tests of good data flows ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Target/Target.h"
#include "gtest/gtest.h"

using namespace inlay;

using Numbers = llvm::SmallVector<unsigned, 4>;

/// The target of a text that has no faults.
static Target read(llvm::StringRef body) {
  TargetResult result =
      readTarget(("schema: inlay.target/1\nname: test\n" + body).str());
  for (const TargetFault &fault : result.faults)
    ADD_FAILURE() << formatFault("test", fault);
  return result.target;
}

/// The data flow of stages a, b, c, ... and links.
static DataFlow readFlow(llvm::StringRef body) {
  Target target = read(("dataflow:\n" + body).str());
  EXPECT_TRUE(target.dataFlow);
  return target.dataFlow.value_or(DataFlow());
}

static const Stage *findStage(const DataFlow &flow, llvm::StringRef name) {
  for (const Stage &stage : flow.stages)
    if (stage.name == name)
      return &stage;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

TEST(DataFlowTest, TargetsNeedNeither) {
  Target target = read("");
  EXPECT_FALSE(target.dataFlow);
  EXPECT_TRUE(target.limits.empty());
}

TEST(DataFlowTest, LimitsAreFoundByOperator) {
  Target target = read("limits:\n"
                       "  - {op: Concat, max-inputs: 63}\n"
                       "  - {op: Split, max-outputs: 2}\n");
  ASSERT_TRUE(target.findLimit("Concat"));
  EXPECT_EQ(*target.findLimit("Concat"), (OpLimit{"Concat", 63, std::nullopt}));
  EXPECT_EQ(*target.findLimit("Split"), (OpLimit{"Split", std::nullopt, 2}));
  EXPECT_FALSE(target.findLimit("Sum"));
}

TEST(DataFlowTest, GroupsHaveLimits) {
  DataFlow flow = readFlow("  root: a\n"
                           "  limits: {inputs: 4, outputs: 2, ops: 12, "
                           "on-chip: 1048576}\n"
                           "  stages: {a: {ops: Relu}}\n");
  EXPECT_EQ(flow.limits, (GroupLimits{4, 2, 12, 1048576}));
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

TEST(DataFlowTest, StagesMayBeSkippedAndRepeatedUnlessTheySayOtherwise) {
  DataFlow flow = readFlow("  root: a\n"
                           "  stages:\n"
                           "    a: {ops: Relu}\n"
                           "    b: {ops: [Clip], max: 1, bypass: false}\n"
                           "  links: [a -> b]\n");
  EXPECT_TRUE(flow.stages[0].bypass);
  EXPECT_EQ(flow.stages[0].max, std::numeric_limits<unsigned>::max());
  EXPECT_FALSE(flow.stages[1].bypass);
  EXPECT_EQ(flow.stages[1].max, 1u);
  EXPECT_EQ(flow.collect, Collect::None);
  EXPECT_EQ(flow.roots, (std::vector<unsigned>{0}));
}

TEST(DataFlowTest, PredicatesOfAnOperatorReplaceThoseOfItsStage) {
  DataFlow flow =
      readFlow("  root: a\n"
               "  stages:\n"
               "    a: {ops: [Conv, {op: LRN, rank: 3, kernel: 5}], rank: "
               "[4, 5], kernel: [1, 15], types: [f32, f16]}\n");
  const StageOp &conv = flow.stages[0].ops[0];
  EXPECT_EQ(conv.op, "Conv");
  EXPECT_EQ(conv.minRank, 4u);
  EXPECT_EQ(conv.maxRank, 5u);
  EXPECT_EQ(conv.types, (std::vector<std::string>{"f32", "f16"}));
  EXPECT_EQ(conv.attributes,
            (std::vector<AttributeRange>{{"kernel", 1, 15, true, {}}}));
  const StageOp &other = flow.stages[0].ops[1];
  EXPECT_EQ(other.minRank, 3u);
  EXPECT_EQ(other.maxRank, 3u);
  EXPECT_EQ(other.types, conv.types);
  EXPECT_EQ(other.attributes,
            (std::vector<AttributeRange>{{"kernel", 5, 5, true, {}}}));
}

TEST(DataFlowTest, AttributesAreNumbersOrWords) {
  DataFlow flow = readFlow("  root: a\n"
                           "  stages:\n"
                           "    a:\n"
                           "      ops:\n"
                           "        - {op: LeakyRelu, slope: [0, 0.5]}\n"
                           "        - {op: Pad, mode: [constant, edge]}\n"
                           "        - {op: Resize, scale: {range: [1, inf], "
                           "whole: true}, mode: nearest}\n");
  const std::vector<StageOp> &ops = flow.stages[0].ops;
  EXPECT_EQ(*ops[0].findAttribute("slope"),
            (AttributeRange{"slope", 0, 0.5, false, {}}));
  EXPECT_EQ(ops[1].findAttribute("mode")->names,
            (std::vector<std::string>{"constant", "edge"}));
  const AttributeRange *scale = ops[2].findAttribute("scale");
  EXPECT_EQ(scale->min, 1);
  EXPECT_EQ(scale->max, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(scale->isWhole);
  EXPECT_FALSE(ops[2].findAttribute("kernel"));
}

TEST(DataFlowTest, SideOperandsHaveForms) {
  DataFlow flow =
      readFlow("  root: a\n"
               "  stages:\n"
               "    a: {ops: [Add, {op: Sub, operand: [constant, scalar, "
               "channel]}, {op: Mul, operand: same}], operand: constant}\n");
  const std::vector<StageOp> &ops = flow.stages[0].ops;
  EXPECT_EQ(ops[0].side, (SideOperand{true, {}}));
  EXPECT_EQ(ops[1].side,
            (SideOperand{true, {SideShape::Scalar, SideShape::Channel}}));
  EXPECT_EQ(ops[2].side, (SideOperand{false, {SideShape::Same}}));
}

TEST(DataFlowTest, PartsOfOperatorsUseStagesFurtherBelow) {
  DataFlow flow = readFlow("  root: pad\n"
                           "  stages:\n"
                           "    ipa: {ops: Conv, uses: {pads: pad, bias: "
                           "add}}\n"
                           "    pad: {}\n"
                           "    mul: {ops: Mul}\n"
                           "    add: {ops: Add}\n"
                           "  links: [pad -> ipa -> mul -> add]\n");
  EXPECT_EQ(flow.stages[0].uses, (std::vector<std::pair<OpPart, unsigned>>{
                                     {OpPart::Pads, 1}, {OpPart::Bias, 3}}));
}

TEST(DataFlowTest, CollectIsAWordOrAList) {
  llvm::StringRef stages = "  root: a\n  stages: {a: {ops: Relu}}\n";
  EXPECT_EQ(readFlow(("  collect: unmapped\n" + stages).str()).collect,
            Collect::Unmapped);
  EXPECT_EQ(readFlow(("  collect: none\n" + stages).str()).collect,
            Collect::None);
  DataFlow flow = readFlow(("  collect: [Reshape, Squeeze]\n" + stages).str());
  EXPECT_EQ(flow.collect, Collect::Listed);
  EXPECT_EQ(flow.collected, (std::vector<std::string>{"Reshape", "Squeeze"}));
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral fourStages =
    "  roots: [a, d]\n"
    "  stages: {a: {ops: Relu}, b: {ops: Clip}, c: {ops: Add}, d: {ops: "
    "Mul}}\n";

TEST(DataFlowTest, ListsLinkEachToEach) {
  DataFlow flow = readFlow((fourStages + "  links:\n"
                                         "    - a -> [b, c]->d\n"
                                         "    - \"[ c ] -> c\"\n")
                               .str());
  EXPECT_EQ(flow.links, (std::vector<Numbers>{{1, 2}, {3}, {3, 2}, {}}));
  EXPECT_EQ(flow.roots, (std::vector<unsigned>{0, 3}));
}

TEST(DataFlowTest, DistancesCountLinks) {
  DataFlow flow =
      readFlow((fourStages + "  links: [a -> b -> c -> a, b -> d]\n").str());
  using Distances = std::vector<std::optional<unsigned>>;
  EXPECT_EQ(flow.getDistances(std::nullopt), (Distances{0, 1, 2, 0}));
  EXPECT_EQ(flow.getDistances(0), (Distances{3, 1, 2, 2}));
  EXPECT_EQ(flow.getDistances(3), (Distances(4)));
  // What must not be skipped is the end of the way.
  flow.stages[1].bypass = false;
  EXPECT_EQ(flow.getDistances(0),
            (Distances{std::nullopt, 1, std::nullopt, std::nullopt}));
}

TEST(DataFlowTest, FormsOverlapWhereAnOperatorHasBoth) {
  StageOp any;
  any.op = "Add";
  StageOp scalar = any, same = any, wide = any, small = any, wordy = any;
  scalar.side = {true, {SideShape::Scalar}};
  same.side = {false, {SideShape::Same}};
  wide.attributes = {{"kernel", 4, 9, true, {}}};
  small.attributes = {{"kernel", 1, 3, true, {}}};
  EXPECT_TRUE(overlap(any, scalar));
  EXPECT_FALSE(overlap(scalar, same));
  EXPECT_TRUE(overlap(any, wide));
  EXPECT_FALSE(overlap(wide, small));
  StageOp half = any, single = any, flat = any, deep = any;
  half.types = {"f16"};
  single.types = {"f32"};
  flat.maxRank = 2;
  deep.minRank = 3;
  EXPECT_FALSE(overlap(half, single));
  EXPECT_FALSE(overlap(flat, deep));
  EXPECT_FALSE(overlap(deep, flat));
  EXPECT_TRUE(overlap(half, deep));
  wordy.op = "Sub";
  EXPECT_FALSE(overlap(any, wordy));
}

//===----------------------------------------------------------------------===//
// The built-in pipeline
//===----------------------------------------------------------------------===//

TEST(DataFlowTest, OpuHasTheLinksOfTheDocument) {
  llvm::Expected<Target> target = loadTarget("opu");
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  ASSERT_TRUE(target->dataFlow);
  const DataFlow &flow = *target->dataFlow;
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral>
      expected[] = {
          {"concat", "add_pre"},   {"add_pre", "mul_pre"},
          {"mul_pre", "pad"},      {"pad", "ipa"},
          {"ipa", "mul"},          {"mul", "add"},
          {"add", "compare"},      {"add", "pool_pad"},
          {"add", "res_add"},      {"pool_pad", "pool"},
          {"compare", "pool"},     {"compare", "res_add"},
          {"pool", "compare"},     {"pool", "res_add"},
          {"res_add", "compare"},  {"res_add", "pool"},
          {"compare", "upsample"}, {"pool", "upsample"},
          {"res_add", "upsample"},
      };
  size_t numLinks = 0;
  for (const auto &list : flow.links)
    numLinks += list.size();
  EXPECT_EQ(numLinks, std::size(expected));
  for (auto [from, to] : expected) {
    const Stage *source = findStage(flow, from);
    const Stage *end = findStage(flow, to);
    ASSERT_TRUE(source && end) << from.str() << " -> " << to.str();
    EXPECT_TRUE(llvm::is_contained(flow.links[source - flow.stages.data()],
                                   end - flow.stages.data()))
        << from.str() << " -> " << to.str();
  }
  EXPECT_EQ(flow.stages[flow.roots[0]].name, "concat");
  EXPECT_EQ(flow.collect, Collect::Unmapped);
}
