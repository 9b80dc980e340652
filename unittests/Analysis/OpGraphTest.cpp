//===- OpGraphTest.cpp - Nodes, borders and units -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/GraphUnits.h"
#include "gtest/gtest.h"

using namespace inlay;
using Numbers = std::vector<unsigned>;

namespace {
struct PlainNode : GraphNode {
  Numbers operands;
};

class PlainGraph : public OpGraph<PlainNode, GraphValue> {
public:
  llvm::ArrayRef<unsigned> getReads(unsigned node) const {
    return nodes[node].operands;
  }
  unsigned addInput(bool isConstant = false) {
    addGraphValue(1, isConstant, {});
    return values.size() - 1;
  }
  /// A node with one result, which is returned.
  unsigned add(const Numbers &operands) {
    nodes.emplace_back().operands = operands;
    llvm::for_each(operands, [&](unsigned operand) { addUse(operand); });
    addInput();
    return setProducer(nodes.size() - 1);
  }
  void setEscapes(unsigned value) { values[value].escapes = true; }
};

/// x -> 0 -> 1 -> 3 -> out, and past 1: 0 -> 2 -> 3.
struct OpGraphTest : testing::Test {
  OpGraphTest() {
    x = graph.addInput();
    a = graph.add({x});
    b = graph.add({a, x});
    c = graph.add({a, a});
    d = graph.add({c, b});
    graph.setEscapes(d);
  }

  PlainGraph graph;
  unsigned x, a, b, c, d;
};
} // namespace

static Numbers list(llvm::ArrayRef<unsigned> numbers) {
  return Numbers(numbers);
}

TEST_F(OpGraphTest, UsersAndNeighboursAreListedOnce) {
  EXPECT_EQ(list(graph.getValue(x).users), Numbers({0, 1}));
  EXPECT_EQ(list(graph.getValue(a).users), Numbers({1, 2}));
  EXPECT_EQ(list(graph[0].succ), Numbers({1, 2}));
  EXPECT_EQ(list(graph[2].pred), Numbers({0}));
  // In the order of the operands.
  EXPECT_EQ(list(graph[3].pred), Numbers({2, 1}));
  EXPECT_TRUE(graph.getValue(d).isComputed());
  EXPECT_FALSE(graph.getValue(x).isComputed());
}

TEST_F(OpGraphTest, BorderHasWhatIsReadOnceAndWhatLeaves) {
  auto visit = [&](const Numbers &nodes) {
    std::pair<Numbers, Numbers> found;
    visitBorder(
        graph, nodes, [&](unsigned value) { found.first.push_back(value); },
        [&](unsigned value, bool leaves) {
          if (leaves)
            found.second.push_back(value);
        });
    return found;
  };
  EXPECT_EQ(visit({0, 1}), std::pair(Numbers{x}, Numbers{a, b}));
  EXPECT_EQ(visit({1, 2}), std::pair(Numbers({a, x}), Numbers({b, c})));
  EXPECT_EQ(visit({0, 1, 2, 3}), std::pair(Numbers{x}, Numbers{d}));
}

TEST_F(OpGraphTest, UnitsAreSortedByTheirFirstNodes) {
  auto sort = [&](const Numbers &unitOf) {
    return sortUnits(
        graph, graph.size(), [&](unsigned node) { return unitOf[node]; },
        [&](unsigned unit) {
          Numbers members;
          for (unsigned node = 0; node < graph.size(); ++node)
            if (unitOf[node] == unit)
              members.push_back(node);
          return members;
        });
  };
  EXPECT_EQ(list(sort({3, 2, 1, 0})), Numbers({3, 2, 1, 0}));
  EXPECT_EQ(list(sort({0, 1, 1, 3})), Numbers({0, 1, 3}));
  // 1 stands between 0 and 3, so that one unit of the two waits for itself.
  EXPECT_EQ(list(sort({0, 1, 2, 0})), Numbers());
}

TEST_F(OpGraphTest, PathsLeadOverOthersOnly) {
  auto find = [&](const Numbers &nodes, unsigned visitsLeft) {
    return findPathsAround(
        graph, nodes, 0, [](unsigned node) { return node; },
        [](const unsigned &unit) { return llvm::ArrayRef<unsigned>(unit); },
        [&](unsigned unit) { return unit < nodes.back(); }, visitsLeft);
  };
  // 2 is in the list, 1 is not.
  EXPECT_EQ(find({0, 2, 3}, 1), PlaceMask(4));
  EXPECT_EQ(find({0, 1, 2}, 1), PlaceMask(0));
  EXPECT_EQ(find({0, 2, 3}, 0), std::nullopt);
}

TEST_F(OpGraphTest, WindowKeepsUnitsThatLieInItWhole) {
  Numbers units[] = {{0}, {1, 3}, {2}, {1, 3}};
  auto getMembers = [&](unsigned node) { return units[node]; };
  EXPECT_EQ(list(findWholeUnits({0, 1, 2}, getMembers)), Numbers({0, 2}));
  EXPECT_EQ(list(findWholeUnits({1, 2, 3}, getMembers)), Numbers({1, 2, 3}));
}
