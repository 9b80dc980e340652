//===- NodeOrder.cpp - Producers before consumers -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeOrder.h"
#include "inlay/ONNX/ProtoReader.h"
#include "inlay/Support/Error.h"
#include "inlay/Support/TopologicalOrder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace inlay;
using namespace inlay::onnx;
using llvm::StringRef;

using NameSet = llvm::DenseSet<StringRef>;

void onnx::forEachGraph(const proto::Node &node,
                        llvm::function_ref<void(const proto::Graph &)> visit) {
  for (const proto::Attribute &attribute : node.attributes)
    if (attribute.kind == proto::AttributeKind::Graph ||
        attribute.kind == proto::AttributeKind::Graphs)
      for (const proto::Graph &graph : attribute.getGraphs())
        visit(graph);
}

/// Names that `graph` defines itself. They hide those of the graphs around it,
/// wherever in it they are defined.
static NameSet collectDefinitions(const proto::Graph &graph) {
  NameSet names;
  for (const proto::ValueInfo &input : graph.inputs)
    names.insert(input.name);
  for (const proto::Tensor &tensor : graph.initializers)
    names.insert(tensor.name);
  for (const proto::SparseTensor &sparse : graph.sparseInitializers)
    if (sparse.values)
      names.insert(sparse.values->name);
  for (const proto::Node &node : graph.nodes)
    names.insert(node.outputs.begin(), node.outputs.end());
  return names;
}

/// Names that `graph` and the graphs in it use and that mean values around it.
/// The parser bounds nesting.
static NameSet collectFreeNames(const proto::Graph &graph) {
  NameSet uses;
  for (const proto::Node &node : graph.nodes) {
    uses.insert(node.inputs.begin(), node.inputs.end());
    forEachGraph(node, [&](const proto::Graph &nested) {
      for (StringRef name : collectFreeNames(nested))
        uses.insert(name);
    });
  }
  for (const proto::ValueInfo &output : graph.outputs)
    uses.insert(output.name);
  for (StringRef name : collectDefinitions(graph))
    uses.erase(name);
  return uses;
}

namespace {
/// The nodes of one graph, and which of them wait for which.
class Sorter {
public:
  explicit Sorter(llvm::ArrayRef<proto::Node> nodes);

  bool isOrdered() const { return ordered; }
  llvm::Expected<std::vector<unsigned>> sort();

private:
  void addUse(unsigned node, StringRef name);
  llvm::Error reportCycle() const;

  llvm::ArrayRef<proto::Node> nodes;
  llvm::DenseMap<StringRef, unsigned> producers;
  llvm::SmallVector<llvm::SmallVector<unsigned, 1>, 0> users;
  std::vector<unsigned> numMissing;
  bool ordered = true;
};
} // namespace

Sorter::Sorter(llvm::ArrayRef<proto::Node> nodes) : nodes(nodes) {
  producers.reserve(nodes.size());
  for (auto [i, node] : llvm::enumerate(nodes))
    for (StringRef output : node.outputs)
      if (!output.empty())
        producers.try_emplace(output, i);
  users.resize(nodes.size());
  numMissing.resize(nodes.size());
  for (auto [i, node] : llvm::enumerate(nodes)) {
    for (StringRef input : node.inputs)
      addUse(i, input);
    forEachGraph(node, [&, i = i](const proto::Graph &graph) {
      for (StringRef name : collectFreeNames(graph))
        addUse(i, name);
    });
  }
}

void Sorter::addUse(unsigned node, StringRef name) {
  auto producer = producers.find(name);
  if (name.empty() || producer == producers.end())
    return;
  users[producer->second].push_back(node);
  ++numMissing[node];
  ordered &= producer->second < node;
}

llvm::Expected<std::vector<unsigned>> Sorter::sort() {
  std::vector<unsigned> order =
      sortTopologically(numMissing, [&](unsigned node, auto visit) {
        llvm::for_each(users[node], visit);
      });
  if (order.size() != nodes.size())
    return reportCycle();
  return order;
}

llvm::Error Sorter::reportCycle() const {
  std::string names;
  unsigned count = 0;
  for (unsigned i = 0; i < nodes.size() && count < 3; ++i) {
    if (numMissing[i] == 0)
      continue;
    const proto::Node &node = nodes[i];
    StringRef name = !node.name.empty()     ? node.name
                     : node.outputs.empty() ? node.opType
                                            : node.outputs[0];
    names += (count++ ? ", " : "") + quoteForMessage(name);
  }
  return modelError("the graph has a cycle through or before node " + names);
}

llvm::Expected<std::vector<unsigned>>
onnx::orderNodes(llvm::ArrayRef<proto::Node> nodes) {
  Sorter sorter(nodes);
  if (sorter.isOrdered())
    return std::vector<unsigned>();
  return sorter.sort();
}
