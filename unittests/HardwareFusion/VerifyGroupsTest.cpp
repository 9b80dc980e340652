//===- VerifyGroupsTest.cpp - What the verifier refuses -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/HardwareFusion/VerifyGroups.h"
#include "FlowBuilder.h"
#include "inlay/HardwareFusion/Fusion.h"
#include <gtest/gtest.h>

namespace inlay {
namespace {

class VerifyGroupsTest : public testing::Test {
protected:
  VerifyGroupsTest() : flow({"ipa", "act", "join"}), builder(flow) {
    flow.link("ipa", "act").link("act", "join").link("join", "act");
  }

  void expectFault(const FusionPlan &plan, llvm::StringRef text) {
    llvm::Error error = verifyGroups(builder.graph, flow.flow, plan);
    std::string found = llvm::toString(std::move(error));
    EXPECT_NE(found.find(text), std::string::npos) << found;
  }
  void expectLegal(const FusionPlan &plan) {
    llvm::Error error = verifyGroups(builder.graph, flow.flow, plan);
    EXPECT_FALSE(error) << llvm::toString(std::move(error));
  }
  FusionPlan planChain() {
    unsigned x = builder.input();
    unsigned c = builder.add("ipa", {x});
    unsigned r = builder.add("act", {c});
    unsigned s = builder.addCollectable({c});
    unsigned j = builder.add("join", {r, s});
    unsigned k = builder.addOutside({j});
    builder.graph.setEscapes(k);
    return plan();
  }
  FusionPlan plan() {
    HDFG pipeline = HDFG::create(flow.flow);
    FusionPlan plan = planGreedy(builder.graph, pipeline);
    explainEdges(builder.graph, pipeline, plan);
    expectLegal(plan);
    return plan;
  }
  /// Takes groups as they are, with forms and reasons.
  FusionPlan planByHand(std::vector<std::vector<unsigned>> groups) {
    FusionPlan plan(builder.graph);
    for (std::vector<unsigned> &nodes : groups) {
      for (unsigned node : nodes) {
        plan.groupOf[node] = plan.groups.size();
        if (builder.graph[node].role == DFG::Role::Mapped)
          plan.formOf[node] = 0;
      }
      plan.groups.emplace_back().nodes = std::move(nodes);
    }
    for (unsigned node = 0; node < builder.graph.size(); ++node)
      if (plan.groupOf[node] == FusionPlan::none)
        plan.ungrouped[node] = {FusionReasonCode::Unmapped, "by hand"};
    explainEdges(builder.graph, HDFG::create(flow.flow), plan);
    return plan;
  }

  FlowBuilder flow;
  GraphBuilder builder;
};

// Requirement f53.
TEST_F(VerifyGroupsTest, DeletingAnOperatorFromAGroup) {
  FusionPlan whole = planChain();
  ASSERT_EQ(whole.groups.size(), 1u);
  ASSERT_EQ(whole.groups[0].nodes, (std::vector<unsigned>{0, 1, 2, 3}));
  for (unsigned node : {0, 1, 2, 3}) {
    FusionPlan plan = whole;
    llvm::erase(plan.groups[0].nodes, node);
    expectFault(plan, "does not list it");
    // Nor when the node knows.
    plan.groupOf[node] = FusionPlan::none;
    expectFault(plan, "is in no group and has no reason");
    // Nor with a reason: edges cross the border then.
    plan.ungrouped[node] = {FusionReasonCode::Unmapped, "by hand"};
    llvm::Error error = verifyGroups(builder.graph, flow.flow, plan);
    EXPECT_FALSE(llvm::toString(std::move(error)).empty()) << node;
  }
}

TEST_F(VerifyGroupsTest, AnOperatorInTwoGroups) {
  FusionPlan plan = planChain();
  plan.groups.push_back(plan.groups[0]);
  expectFault(plan, "shares");
}

// Requirement f52.
TEST_F(VerifyGroupsTest, EveryEdgeIsInsideOrHasOneReason) {
  FusionPlan plan = planChain();
  ASSERT_EQ(plan.edges.size(), 1u);
  FusionPlan without = plan;
  without.edges.clear();
  expectFault(without, "crosses a border for no reason");
  FusionPlan twice = plan;
  twice.edges.push_back(twice.edges[0]);
  expectFault(twice, "reasons for edges that cross no border");
  plan.edges[0].reason.text.clear();
  expectFault(plan, "crosses a border for no reason");
}

TEST_F(VerifyGroupsTest, StagesOutOfOrder) {
  unsigned r = builder.add("act", {builder.input()});
  unsigned c = builder.add("ipa", {r});
  builder.graph.setEscapes(c);
  expectLegal(planByHand({{0}, {1}}));
  expectFault(planByHand({{0, 1}}), "has no way to stage 'ipa'");
}

TEST_F(VerifyGroupsTest, StagesUsedTooOften) {
  flow["act"].max = 1;
  unsigned a = builder.add("act", {builder.input()});
  unsigned j = builder.add("join", {a});
  unsigned b = builder.add("act", {j});
  builder.graph.setEscapes(b);
  expectLegal(planByHand({{0, 1}, {2}}));
  expectFault(planByHand({{0, 1, 2}}), "uses stage 'act' more often than 1");
}

TEST_F(VerifyGroupsTest, NothingFlows) {
  unsigned x = builder.input();
  unsigned a = builder.add("ipa", {x});
  unsigned b = builder.add("act", {x});
  builder.graph.setEscapes(a);
  builder.graph.setEscapes(b);
  expectFault(planByHand({{0, 1}}), "passes nothing to");
}

TEST_F(VerifyGroupsTest, CollectedForNoNeed) {
  unsigned x = builder.input();
  unsigned s = builder.addCollectable({x});
  unsigned a = builder.add("ipa", {x});
  builder.graph.setEscapes(s);
  builder.graph.setEscapes(a);
  expectFault(planByHand({{0, 1}}), "has no need of");
}

TEST_F(VerifyGroupsTest, Limits) {
  unsigned x = builder.input();
  unsigned a = builder.add("ipa", {x});
  unsigned b = builder.add("act", {a});
  unsigned c = builder.add("join", {b, builder.input()});
  builder.graph.setEscapes(b);
  builder.graph.setEscapes(c);
  FusionPlan plan = planByHand({{0, 1, 2}});
  expectLegal(plan);
  flow.flow.limits.inputs = 1;
  expectFault(plan, "at most 1 inputs, found 2");
  flow.flow.limits = {};
  flow.flow.limits.outputs = 1;
  expectFault(plan, "at most 1 outputs, found 2");
  flow.flow.limits = {};
  flow.flow.limits.ops = 2;
  expectFault(plan, "at most 2 operators, found 3");
  flow.flow.limits = {};
  flow.flow.limits.onChipBytes = 7;
  expectFault(plan, "at most 7 bytes on chip, found 8");
}

TEST_F(VerifyGroupsTest, TwoGroupsThatWaitForEachOther) {
  unsigned x = builder.input();
  unsigned a = builder.add("ipa", {x}), b = builder.add("ipa", {x});
  unsigned p = builder.add("join", {a, b}), q = builder.add("join", {b, a});
  builder.graph.setEscapes(p);
  builder.graph.setEscapes(q);
  expectFault(planByHand({{0, 2}, {1, 3}}), "waits for itself");
}

// Requirement f4.
TEST_F(VerifyGroupsTest, ThreeGroupsInARing) {
  unsigned x = builder.input();
  unsigned a = builder.add("ipa", {x}), b = builder.add("ipa", {x}),
           c = builder.add("ipa", {x});
  for (auto [first, second] :
       {std::pair(a, b), std::pair(b, c), std::pair(c, a)})
    builder.graph.setEscapes(builder.add("join", {first, second}));
  expectLegal(planByHand({{1}, {2, 4}, {0, 3}, {5}}));
  expectFault(planByHand({{0, 3}, {1, 4}, {2, 5}}), "waits for itself");
}

TEST_F(VerifyGroupsTest, AnOperatorOutsideBetweenTwoOfAGroup) {
  unsigned a = builder.add("ipa", {builder.input()});
  unsigned k = builder.addOutside({a});
  unsigned j = builder.add("join", {a, k});
  builder.graph.setEscapes(j);
  expectFault(planByHand({{0, 2}}), "waits for itself");
}

TEST_F(VerifyGroupsTest, GroupsOutOfOrder) {
  unsigned a = builder.add("act", {builder.input()});
  unsigned c = builder.add("ipa", {a});
  builder.graph.setEscapes(c);
  expectLegal(planByHand({{0}, {1}}));
  expectFault(planByHand({{1}, {0}}), "waits for itself or for a group behind");
}

} // namespace
} // namespace inlay
