//===- RandomKernels.cpp - Random graphs of basic operators ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomKernels.h"
#include "inlay/KernelFusion/VerifyKernels.h"
#include <random>

using namespace inlay;

namespace {
/// Tensors are matrices of rows x columns, vectors of rows (the result of a
/// reduction), or transposed matrices: shapes 0, 1 and 2.
class Generator {
public:
  Generator(uint64_t seed) : random(seed) {}

  RandomKernels run(unsigned size);

private:
  unsigned draw(unsigned count) { return random() % count; }
  bool chance(unsigned percent) { return draw(100) < percent; }
  uint64_t getBytes(unsigned shape) {
    return shape == 1 ? 16 : 128 * (1 + draw(3));
  }
  unsigned pick(unsigned shape);
  unsigned pickAny() { return values[draw(values.size())]; }
  void addElementwise();
  void addReduce();
  void addTranspose();
  void addContraction(FusionClass kind);
  void addPart();
  void addBroadcast();
  void addOpaque();
  void addResult(unsigned node, unsigned shape);

  std::mt19937_64 random;
  KernelGraph graph;
  std::vector<unsigned> values;
};
} // namespace

/// A value of the shape; a new input where there is none.
unsigned Generator::pick(unsigned shape) {
  llvm::SmallVector<unsigned> found;
  for (unsigned value : values)
    if (graph.getValue(value).shape == shape)
      found.push_back(value);
  // What was made last is used more often, so that there are chains.
  if (!found.empty() && chance(60))
    return found.back();
  if (!found.empty() && chance(80))
    return found[draw(found.size())];
  values.push_back(
      graph.addValue(shape, getBytes(shape), /*isConstant=*/chance(15)));
  return values.back();
}

void Generator::addResult(unsigned node, unsigned shape) {
  values.push_back(graph.addResult(node, shape, getBytes(shape)));
  if (chance(10))
    graph.setEscapes(values.back());
  // A view of it, which has the elements in another shape.
  if (chance(10))
    values.push_back(graph.addView(values.back(), shape == 1 ? 1 : 3));
}

void Generator::addElementwise() {
  unsigned shape = draw(4);
  llvm::SmallVector<KernelGraph::Operand> operands = {
      {pick(shape), ElementLink::Same}};
  if (chance(50))
    operands.push_back({pick(shape), ElementLink::Same});
  if (shape == 0 && chance(40))
    operands.push_back(
        {pick(1), ElementLink::Broadcast, chance(80) ? 0b10u : 0b01u});
  addResult(graph.addNode(FusionClass::Elementwise, operands), shape);
}

void Generator::addReduce() {
  unsigned node =
      graph.addNode(FusionClass::Reduce, {{pick(0), ElementLink::Many}});
  graph.setReduced(node, chance(85) ? 0b10 : 0b01, 8);
  addResult(node, 1);
}

void Generator::addTranspose() {
  unsigned from = chance(50) ? 0 : 2;
  unsigned node =
      graph.addNode(FusionClass::Transform, {{pick(from), ElementLink::Moved}});
  addResult(node, 2 - from);
}

void Generator::addContraction(FusionClass kind) {
  llvm::SmallVector<KernelGraph::Operand> operands = {
      {pick(chance(70) ? 0 : 2), ElementLink::Many}};
  if (kind == FusionClass::Contraction)
    operands.push_back({pick(0), ElementLink::Many});
  addResult(graph.addNode(kind, operands), 0);
}

void Generator::addPart() {
  bool isJoin = chance(50);
  llvm::SmallVector<KernelGraph::Operand> operands = {
      {pick(isJoin ? 3 : 0), ElementLink::Part}};
  if (isJoin)
    operands.push_back({pick(3), ElementLink::Part});
  else if (chance(70))
    operands[0].bytes = 16 * (1 + draw(10));
  unsigned node = graph.addNode(FusionClass::Transform, operands);
  if (!isJoin && chance(30))
    addResult(node, 1);
  addResult(node, isJoin ? 0 : 3);
  if (!isJoin)
    addResult(node, 3);
}

void Generator::addBroadcast() {
  llvm::SmallVector<KernelGraph::Operand> operands = {
      {pick(1), ElementLink::Broadcast, 0b10}};
  if (chance(30))
    operands.push_back({pickAny(), ElementLink::Parameter});
  addResult(graph.addNode(FusionClass::Broadcast, operands), 0);
}

void Generator::addOpaque() {
  unsigned node =
      graph.addNode(FusionClass::Opaque, {{pick(draw(3)), ElementLink::Many},
                                          {pickAny(), ElementLink::Many}});
  addResult(node, draw(3));
}

RandomKernels Generator::run(unsigned size) {
  for (unsigned shape = 0; shape < 4; ++shape)
    values.push_back(graph.addValue(shape, getBytes(shape)));
  while (graph.size() < size) {
    unsigned kind = draw(100);
    if (kind < 45)
      addElementwise();
    else if (kind < 60)
      addReduce();
    else if (kind < 70)
      addTranspose();
    else if (kind < 80)
      addContraction(FusionClass::Contraction);
    else if (kind < 84)
      addContraction(FusionClass::Window);
    else if (kind < 90)
      addPart();
    else if (kind < 95)
      addBroadcast();
    else
      addOpaque();
  }
  RandomKernels result{std::move(graph), {}};
  for (unsigned rule = 0; rule < getKernelRuleNames().size(); ++rule)
    if (chance(5))
      result.target.rules &= ~(1u << rule);
  if (chance(20))
    result.target.limits.ops = 2 + draw(4);
  if (chance(20))
    result.target.limits.inputs = 1 + draw(4);
  if (chance(20))
    result.target.limits.outputs = 1 + draw(2);
  if (chance(10))
    result.target.limits.row = 1 + draw(8);
  return result;
}

RandomKernels inlay::makeRandomKernels(uint64_t seed, unsigned size) {
  return Generator(seed).run(size);
}

uint64_t inlay::findLeastTraffic(const RandomKernels &random) {
  const KernelGraph &graph = random.graph;
  std::vector<unsigned> kernelOf(graph.size());
  std::optional<uint64_t> least;
  // All lists in which a number is at most one above those before it.
  for (;;) {
    KernelPlan plan = KernelPlan::create(graph, kernelOf);
    bool isCheaper = !least || plan.traffic.getTotal() < *least;
    if (isCheaper) {
      if (llvm::Error error = verifyKernels(graph, random.target, plan))
        llvm::consumeError(std::move(error));
      else
        least = plan.traffic.getTotal();
    }
    unsigned place = graph.size();
    while (place-- > 1) {
      unsigned most = 0;
      for (unsigned before = 0; before < place; ++before)
        most = std::max(most, kernelOf[before] + 1);
      if (kernelOf[place] < most)
        break;
      kernelOf[place] = 0;
    }
    if (place == 0 || graph.size() == 0 || place > graph.size())
      return least.value_or(0);
    ++kernelOf[place];
  }
}
