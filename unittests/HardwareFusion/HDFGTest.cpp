//===- HDFGTest.cpp - Matching operators with stages ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlowBuilder.h"
#include <gtest/gtest.h>

namespace inlay {
namespace {

class HDFGTest : public testing::Test {
protected:
  HDFGTest() : flow({"pre", "ipa", "act", "pool"}) {
    flow.link("pre", "ipa").link("ipa", "act").link("act", "pool");
    flow.link("pool", "act");
  }

  /// The node's stages after it was matched, or why it was not.
  std::string match(llvm::ArrayRef<const char *> stages) {
    HDFG pipeline = HDFG::create(flow.flow);
    DFG::Node node;
    node.opType = "Op";
    for (const char *stage : stages)
      node.forms.push_back({{flow.find(stage)}, {0}});
    FusionReason reason;
    auto form = pipeline.findMatch(node, place, nullptr, &reason);
    return form ? pipeline.getStageNames(node.forms[*form]) : reason.text;
  }

  FlowBuilder flow;
  PipelinePlace place{std::nullopt, {0, 0, 0, 0}};
};

TEST_F(HDFGTest, TheNearestStageIsTaken) {
  EXPECT_EQ(match({"pool", "pre"}), "pre");
  EXPECT_EQ(match({"pre", "pool", "act"}), "act");
  EXPECT_EQ(match({"act", "pool"}), "pool");
}

TEST_F(HDFGTest, StagesRepeatWhereLinksLeadBack) {
  EXPECT_EQ(match({"act"}), "act");
  EXPECT_EQ(match({"act"}), "act");
  EXPECT_EQ(match({"ipa"}), "no links lead from stage 'act' to stage 'ipa'");
}

TEST_F(HDFGTest, UsesAreCounted) {
  flow["act"].max = 1;
  EXPECT_EQ(match({"act"}), "act");
  EXPECT_EQ(match({"act"}), "stage 'act' is used 1 times, at most 1");
}

TEST_F(HDFGTest, SomeStagesCannotBeSkipped) {
  flow["ipa"].bypass = false;
  EXPECT_EQ(match({"act"}),
            "no links lead from the root to stage 'act' without "
            "stage 'ipa', which cannot be skipped");
  EXPECT_EQ(match({"ipa"}), "ipa");
  EXPECT_EQ(match({"act"}), "act");
}

TEST_F(HDFGTest, AnOperatorOccupiesTheStagesOfItsParts) {
  HDFG pipeline = HDFG::create(flow.flow);
  StageForm form = {{0, 1, 2}, {0}};
  EXPECT_TRUE(pipeline.enter(form, place));
  EXPECT_EQ(place.last, 2u);
  EXPECT_EQ(pipeline.getStageNames(form), "pre+ipa+act");
  PipelinePlace before = place;
  EXPECT_FALSE(pipeline.enter(form, place));
  EXPECT_EQ(place.last, before.last);
  EXPECT_EQ(place.uses, before.uses);
}

TEST_F(HDFGTest, DataComesInThroughTheOperandsOfAForm) {
  HDFG pipeline = HDFG::create(flow.flow);
  DFG::Node node;
  node.opType = "Op";
  node.forms = {{{2}, {0}}};
  llvm::SmallBitVector second(2);
  second.set(1);
  FusionReason reason;
  EXPECT_FALSE(pipeline.findMatch(node, place, &second, &reason));
  EXPECT_EQ(reason.code, FusionReasonCode::NoFlow);
  second.set(0);
  EXPECT_TRUE(pipeline.findMatch(node, place, &second));
}

TEST_F(HDFGTest, SeveralRoots) {
  flow.flow.roots = {0, 3};
  EXPECT_EQ(match({"act", "pool"}), "pool");
}

} // namespace
} // namespace inlay
