//===- KernelPlan.cpp - Which operators become which kernel ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/KernelFusion/KernelPlan.h"
#include "inlay/Analysis/GraphUnits.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;

KernelTraffic inlay::measureTraffic(const KernelGraph &graph,
                                    llvm::ArrayRef<unsigned> nodes) {
  KernelTraffic traffic;
  // Parts of one value that several operators take are added up: they may be
  // different ones.
  llvm::SmallMapVector<unsigned, uint64_t, 8> taken;
  visitBorder(
      graph, nodes, [&](unsigned id) { taken[id] = 0; },
      [&](unsigned id, bool leaves) {
        traffic.written += leaves ? graph.getValue(id).bytes : 0;
      });
  for (unsigned node : nodes)
    graph.visitReads(node, [&](unsigned id, uint64_t bytes) {
      if (auto it = taken.find(id); it != taken.end())
        it->second = llvm::SaturatingAdd(it->second, bytes);
    });
  for (auto [id, bytes] : taken)
    traffic.read += std::min(bytes, graph.getValue(id).bytes);
  return traffic;
}

uint64_t inlay::measureCaptures(const KernelGraph &graph) {
  uint64_t bytes = 0;
  for (unsigned node = 0; node < graph.size(); ++node) {
    // Operators with bodies are opaque, so that no other one reads with them.
    llvm::SmallDenseSet<unsigned> seen;
    for (const KernelGraph::Operand &operand : graph[node].operands)
      if (!operand.isCaptured)
        seen.insert(graph.getValue(operand.value).root);
    for (const KernelGraph::Operand &operand : graph[node].operands)
      if (operand.isCaptured &&
          seen.insert(graph.getValue(operand.value).root).second)
        bytes += graph.getRoot(operand.value).bytes;
  }
  return bytes;
}

KernelPlan KernelPlan::create(const KernelGraph &graph,
                              llvm::ArrayRef<unsigned> kernelOf) {
  KernelPlan plan;
  llvm::DenseMap<unsigned, unsigned> numbers;
  for (unsigned node = 0; node < graph.size(); ++node) {
    auto [it, isNew] = numbers.try_emplace(kernelOf[node], plan.kernels.size());
    if (isNew)
      plan.kernels.emplace_back();
    plan.kernels[it->second].push_back(node);
    plan.kernelOf.push_back(it->second);
  }
  for (const std::vector<unsigned> &kernel : plan.kernels)
    plan.traffic += measureTraffic(graph, kernel);
  return plan;
}

//===----------------------------------------------------------------------===//
// Reasons
//===----------------------------------------------------------------------===//

llvm::StringRef inlay::getName(KernelReasonCode code) {
  switch (code) {
  case KernelReasonCode::Opaque:
    return "opaque";
  case KernelReasonCode::Parameter:
    return "parameter";
  case KernelReasonCode::SecondContraction:
    return "second-contraction";
  case KernelReasonCode::ReduceWithContraction:
    return "reduce-with-contraction";
  case KernelReasonCode::OtherRows:
    return "other-rows";
  case KernelReasonCode::OtherElements:
    return "other-elements";
  case KernelReasonCode::UsedElsewhere:
    return "used-elsewhere";
  case KernelReasonCode::OtherSpace:
    return "other-space";
  case KernelReasonCode::RuleOff:
    return "rule-off";
  case KernelReasonCode::Inputs:
    return "inputs";
  case KernelReasonCode::Outputs:
    return "outputs";
  case KernelReasonCode::Ops:
    return "ops";
  case KernelReasonCode::Row:
    return "row";
  case KernelReasonCode::Cycle:
    return "cycle";
  case KernelReasonCode::NoGain:
    return "no-gain";
  }
  return "";
}

std::string inlay::describeReason(const KernelReason &reason,
                                  llvm::StringRef name) {
  auto limit = [&](llvm::StringRef what) {
    return ("a kernel has at most " + llvm::Twine(reason.limit) + " " + what +
            ", found " + llvm::Twine(reason.found))
        .str();
  };
  switch (reason.code) {
  case KernelReasonCode::Opaque:
    return ("no rule knows what " + name + " computes").str();
  case KernelReasonCode::Parameter:
    return (name + " must know the value before it starts").str();
  case KernelReasonCode::SecondContraction:
    return ("a kernel has one contraction or pool, found " + name + " too")
        .str();
  case KernelReasonCode::ReduceWithContraction:
    return (name + " reduces, which needs all of what a contraction or pool "
                   "computes")
        .str();
  case KernelReasonCode::OtherRows:
    return (name + " reduces other elements than the kernel").str();
  case KernelReasonCode::OtherElements:
    return (name + " needs elements that are computed at other places").str();
  case KernelReasonCode::UsedElsewhere:
    return ("what " + name +
            " computes for a contraction or pool is used elsewhere too")
        .str();
  case KernelReasonCode::OtherSpace:
    return ("the result of " + name +
            " has another iteration space than the kernel's other results")
        .str();
  case KernelReasonCode::RuleOff:
    return ("the target switches the rule '" +
            getKernelRuleNames()[reason.found] + "' off, which " + name +
            " needs")
        .str();
  case KernelReasonCode::Inputs:
    return limit("inputs");
  case KernelReasonCode::Outputs:
    return limit("outputs");
  case KernelReasonCode::Ops:
    return limit("operators");
  case KernelReasonCode::Row:
    return limit("elements in a row");
  case KernelReasonCode::Cycle:
    return "something outside would wait for the kernel and the kernel for it";
  case KernelReasonCode::NoGain:
    return "other kernels save more";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

std::vector<unsigned> inlay::findRunOrder(const KernelGraph &graph,
                                          const KernelPlan &plan) {
  auto getKernel = [&](unsigned node) { return plan.kernelOf[node]; };
  auto getNodes = [&](unsigned kernel) {
    return llvm::ArrayRef<unsigned>(plan.kernels[kernel]);
  };
  return sortUnits(graph, plan.kernels.size(), getKernel, getNodes);
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

KernelExplainer::KernelExplainer(const KernelGraph &graph,
                                 const KernelTarget &target,
                                 const KernelPlan &plan)
    : graph(graph), plan(plan), rules(graph, target),
      placeOf(plan.kernels.size()) {
  for (auto [place, kernel] : llvm::enumerate(findRunOrder(graph, plan)))
    placeOf[kernel] = place;
}

/// Whether kernels `from` and `to`, of which the second reads what the first
/// writes, have another one between them.
bool KernelExplainer::findDetour(unsigned from, unsigned to) const {
  llvm::DenseSet<unsigned> seen;
  llvm::SmallVector<unsigned> work = {from};
  while (!work.empty()) {
    unsigned kernel = work.pop_back_val();
    for (unsigned node : plan.kernels[kernel])
      for (unsigned user : graph[node].succ) {
        unsigned next = plan.kernelOf[user];
        if (next == to && kernel != from)
          return true;
        if (next != to && next != from && placeOf[next] < placeOf[to] &&
            seen.insert(next).second)
          work.push_back(next);
      }
  }
  return false;
}

KernelReason KernelExplainer::explain(unsigned from, unsigned to) {
  const std::vector<unsigned> &a = plan.kernels[plan.kernelOf[from]];
  const std::vector<unsigned> &b = plan.kernels[plan.kernelOf[to]];
  unsigned pair[] = {std::min(from, to), std::max(from, to)};
  if (!rules.mayJoin(pair[0], pair[1]))
    if (auto reason = rules.check(pair))
      return *reason;
  std::vector<unsigned> both;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  if (auto reason = rules.check(both))
    return *reason;
  if (findDetour(plan.kernelOf[from], plan.kernelOf[to]))
    return {KernelReasonCode::Cycle, to};
  return {KernelReasonCode::NoGain, to};
}
