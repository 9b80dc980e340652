//===- GraphMatchFuserTest.cpp - The greedy way to groups -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlowBuilder.h"
#include "inlay/HardwareFusion/Fusion.h"
#include "inlay/HardwareFusion/VerifyGroups.h"
#include <gtest/gtest.h>

namespace inlay {
namespace {

class GraphMatchFuserTest : public testing::Test {
protected:
  GraphMatchFuserTest() : flow({"ipa", "act", "join"}), builder(flow) {
    flow.link("ipa", "act").link("act", "join").link("join", "act");
  }

  std::vector<std::vector<unsigned>> partition() {
    FusionPlan plan = planGreedy(builder.graph, HDFG::create(flow.flow));
    llvm::Error error = verifyGroups(builder.graph, flow.flow, plan);
    EXPECT_FALSE(error) << llvm::toString(std::move(error));
    std::vector<std::vector<unsigned>> groups;
    for (const PlannedGroup &group : plan.groups)
      groups.push_back(group.nodes);
    trace = plan.trace;
    return groups;
  }
  using Groups = std::vector<std::vector<unsigned>>;

  FlowBuilder flow;
  GraphBuilder builder;
  std::vector<std::string> trace;
};

// Requirement f15.
TEST_F(GraphMatchFuserTest, LongChains) {
  unsigned value = builder.add("ipa", {builder.input()});
  for (unsigned i = 0; i < 10'000; ++i)
    value = builder.add(i % 2 ? "join" : "act", {value});
  builder.graph.setEscapes(value);
  Groups groups = partition();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].size(), 10'001u);
}

TEST_F(GraphMatchFuserTest, LongChainsWithLimits) {
  flow.flow.limits.inputs = 1;
  flow.flow.limits.outputs = 1;
  unsigned value = builder.add("ipa", {builder.input()});
  for (unsigned i = 0; i < 10'000; ++i)
    value = builder.add(i % 2 ? "join" : "act", {value});
  builder.graph.setEscapes(value);
  EXPECT_EQ(partition().size(), 1u);
}

TEST_F(GraphMatchFuserTest, CollectsWhatCarriesTheFlow) {
  unsigned c = builder.add("ipa", {builder.input()});
  unsigned s = builder.addCollectable({c});
  unsigned r = builder.add("act", {s});
  builder.graph.setEscapes(r);
  EXPECT_EQ(partition(), (Groups{{0, 1, 2}}));
  EXPECT_EQ(trace[2], "## 2: act added to group 0");
  EXPECT_EQ(trace[3], "## 1: Collectable added to group 0 via CollectInputs()");
}

TEST_F(GraphMatchFuserTest, CollectsWhatIsUsedElsewhereLater) {
  unsigned x = builder.input();
  unsigned s = builder.addCollectable({x});
  unsigned c = builder.add("ipa", {s});
  unsigned d = builder.add("ipa", {s});
  builder.graph.setEscapes(c);
  builder.graph.setEscapes(d);
  EXPECT_EQ(partition(), (Groups{{0, 1}, {2}}));
}

TEST_F(GraphMatchFuserTest, DoesNotCollectWhatIsNeededBefore) {
  unsigned s = builder.addCollectable({builder.input()});
  unsigned k = builder.addOutside({s});
  unsigned c = builder.add("ipa", {s, k});
  builder.graph.setEscapes(c);
  EXPECT_EQ(partition(), (Groups{{2}}));
}

TEST_F(GraphMatchFuserTest, AnOperatorOutsideInTheWayOpensAGroup) {
  unsigned c = builder.add("ipa", {builder.input()});
  unsigned k = builder.addOutside({builder.addOutside({c})});
  unsigned r = builder.add("act", {c});
  unsigned j = builder.add("join", {r, k});
  builder.graph.setEscapes(j);
  EXPECT_EQ(partition(), (Groups{{0, 3}, {4}}));
}

TEST_F(GraphMatchFuserTest, AnOperatorThatFitsNowhereLeavesTheGroupOpen) {
  flow["ipa"].bypass = false;
  unsigned c = builder.add("ipa", {builder.input()});
  unsigned r = builder.add("act", {builder.input()});
  unsigned s = builder.add("act", {c});
  builder.graph.setEscapes(r);
  builder.graph.setEscapes(s);
  EXPECT_EQ(partition(), (Groups{{0, 2}}));
}

// A thousand nodes with two forms each, none of which leads to the last one.
TEST_F(GraphMatchFuserTest, ManyFormsThatLeadNowhere) {
  flow.link("join", "join").link("act", "act");
  std::vector<unsigned> nodes = {0};
  unsigned value = builder.add("act", {builder.input()});
  for (unsigned i = 0; i < 1'000; ++i) {
    value = builder.add("act", {value});
    nodes.push_back(nodes.back() + 1);
    StageForm other = builder.graph[nodes.back()].forms[0];
    std::vector<StageForm> forms = {other, other};
    forms[1].stages = {flow.find("join")};
    builder.graph.setForms(nodes.back(), forms);
  }
  builder.graph.setEscapes(builder.add("ipa", {value}));
  nodes.push_back(nodes.back() + 1);
  FusionReason reason;
  EXPECT_FALSE(
      findForms(builder.graph, HDFG::create(flow.flow), nodes, &reason));
  EXPECT_EQ(reason.code, FusionReasonCode::Stage);
}

TEST_F(GraphMatchFuserTest, TheBorderMovesToTheCheapestValue) {
  flow.flow.limits.ops = 3;
  unsigned a = builder.add("act", {builder.input()}, 100);
  unsigned b = builder.add("join", {a}, 1);
  unsigned c = builder.add("act", {b}, 100);
  unsigned d = builder.add("join", {c}, 100);
  builder.graph.setEscapes(d);
  EXPECT_EQ(partition(), (Groups{{0, 1}, {2, 3}}));
}

} // namespace
} // namespace inlay
