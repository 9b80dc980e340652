//===- LoopIndex.cpp - Places in tensors as loops count them --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopIndex.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

int64_t Linear::getFactor(unsigned id) const {
  for (auto [variable, factor] : terms)
    if (variable == id)
      return factor;
  return 0;
}

void Linear::drop(unsigned id) {
  llvm::erase_if(terms, [&](const auto &term) { return term.first == id; });
}

Linear inlay::operator+(const Linear &a, const Linear &b) {
  Linear sum = a;
  sum.constant += b.constant;
  for (auto [id, factor] : b.terms) {
    auto it = llvm::find_if(
        sum.terms, [id = id](const auto &term) { return term.first >= id; });
    if (it == sum.terms.end() || it->first != id)
      sum.terms.insert(it, {id, factor});
    else
      it->second += factor;
  }
  llvm::erase_if(sum.terms, [](const auto &term) { return term.second == 0; });
  return sum;
}

Linear inlay::operator*(const Linear &a, int64_t factor) {
  if (factor == 0)
    return {};
  Linear product = a;
  product.constant *= factor;
  for (auto &term : product.terms)
    term.second *= factor;
  return product;
}

Linear inlay::getOffset(const LoopIndex &index, ArrayRef<int64_t> shape) {
  Linear offset;
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    offset = offset + index[dim] * stride;
    stride *= shape[dim];
  }
  return offset;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

LoopPlan LoopPlan::get(ArrayRef<int64_t> shape) {
  LoopPlan plan;
  for (int64_t extent : shape)
    plan.dims.push_back({Loop{extent, {}}});
  return plan;
}

size_t LoopPlan::getNumLoops() const {
  size_t count = 0;
  for (const auto &loops : dims)
    count += loops.size();
  return count;
}

SmallVector<LoopRange> LoopPlan::getRanges() const {
  SmallVector<LoopRange> ranges;
  for (const auto &loops : dims)
    for (const Loop &loop : loops)
      ranges.push_back({0, loop.extent - 1});
  return ranges;
}

uint64_t LoopPlan::getNumPieces() const {
  uint64_t count = 1;
  for (const auto &loops : dims)
    for (const Loop &loop : loops)
      count = llvm::SaturatingMultiply<uint64_t>(count, loop.cuts.size() + 1);
  return count;
}

std::vector<SmallVector<LoopRange>> LoopPlan::getPieces() const {
  std::vector<SmallVector<LoopRange>> all(1);
  for (const auto &loops : dims)
    for (const Loop &loop : loops) {
      std::vector<SmallVector<LoopRange>> longer;
      for (const SmallVector<LoopRange> &ranges : all)
        for (size_t i = 0; i <= loop.cuts.size(); ++i) {
          longer.push_back(ranges);
          longer.back().push_back(
              {i == 0 ? 0 : loop.cuts[i - 1],
               (i == loop.cuts.size() ? loop.extent : loop.cuts[i]) - 1});
        }
      all = std::move(longer);
    }
  return all;
}

LoopSpace::LoopSpace(const LoopPlan &plan, ArrayRef<LoopRange> pieces)
    : plan(plan), numLoops(pieces.size()) {
  for (LoopRange piece : pieces)
    variables.push_back({Kind::Loop, piece, {}, 0, {}});
  for (const auto &loops : plan.dims)
    for (const LoopPlan::Loop &loop : loops)
      extents.push_back(loop.extent);
}

LoopIndex LoopSpace::getIndex() const {
  LoopIndex index;
  unsigned next = 0;
  for (const auto &loops : plan.dims) {
    Linear place;
    int64_t stride = 1;
    for (size_t i = loops.size(); i-- > 0;) {
      // A loop of one turn is no variable.
      if (loops[i].extent != 1)
        place = place + Linear::variable(next + i, stride);
      stride *= loops[i].extent;
    }
    next += loops.size();
    index.push_back(place);
  }
  return index;
}

//===----------------------------------------------------------------------===//
// What is known
//===----------------------------------------------------------------------===//

LoopRange LoopSpace::getRange(const Linear &value) const {
  LoopRange range = {value.constant, value.constant};
  for (auto [id, factor] : value.terms) {
    LoopRange own = variables[id].range;
    range.low += factor * (factor > 0 ? own.low : own.high);
    range.high += factor * (factor > 0 ? own.high : own.low);
  }
  return range;
}

bool LoopSpace::dependsOn(const Linear &value, unsigned id) const {
  return value.getFactor(id) != 0 || dependsIndirectlyOn(value, id);
}

bool LoopSpace::dependsIndirectlyOn(const Linear &value, unsigned id) const {
  llvm::SmallVector<unsigned> pending;
  auto push = [&](const Linear &other) {
    for (auto [variable, factor] : other.terms)
      if (variables[variable].kind != Kind::Loop)
        pending.push_back(variable);
  };
  push(value);
  while (!pending.empty()) {
    const Linear &argument = variables[pending.pop_back_val()].argument;
    if (argument.getFactor(id) != 0)
      return true;
    push(argument);
  }
  return false;
}

/// Whether a vector lies within what a divisor makes one quotient of.
bool LoopSpace::isDividedEvenly(const Variable &variable, unsigned loop) const {
  bool isDivided =
      variable.kind == Kind::Quotient || variable.kind == Kind::Remainder;
  if (!isDivided || !aligned || aligned->first != loop ||
      variable.argument.getFactor(loop) != 1 ||
      dependsIndirectlyOn(variable.argument, loop))
    return false;
  int64_t width = aligned->second;
  return variable.number % width == 0 &&
         variable.argument.constant % width == 0 &&
         llvm::all_of(variable.argument.terms, [&](const auto &term) {
           return term.first == loop || term.second % width == 0;
         });
}

bool LoopSpace::isUneven(const Linear &value, unsigned loop) const {
  return llvm::any_of(value.terms, [&](const auto &term) {
    const Variable &variable = variables[term.first];
    return variable.kind != Kind::Loop && !isDividedEvenly(variable, loop) &&
           dependsOn(variable.argument, loop);
  });
}

int64_t LoopSpace::getStep(const Linear &value, unsigned loop) const {
  int64_t step = value.getFactor(loop);
  for (auto [id, factor] : value.terms)
    if (variables[id].kind == Kind::Remainder &&
        isDividedEvenly(variables[id], loop))
      step += factor;
  return step;
}

int64_t LoopSpace::getStride(const Linear &value, unsigned loop) const {
  if (int64_t factor = value.getFactor(loop))
    return factor;
  for (auto [id, factor] : value.terms)
    if (int64_t own = variables[id].argument.getFactor(loop);
        own != 0 && variables[id].kind == Kind::Remainder)
      return factor * own;
  return 0;
}

/// Blocks as large as one of the factors, where the range has whole ones.
std::optional<LoopSpace::Blocks> LoopSpace::getBlocks(const Linear &value,
                                                      LoopRange range) const {
  for (auto [id, size] : value.terms) {
    if (size <= 1 || value.terms.size() < 2 || range.low % size != 0 ||
        (range.high + 1) % size != 0)
      continue;
    int64_t number = llvm::divideFloorSigned(value.constant, size);
    Blocks blocks{Linear::number(number),
                  Linear::number(value.constant - number * size), size};
    for (auto [own, factor] : value.terms) {
      bool isOuter = factor % size == 0;
      Linear &part = isOuter ? blocks.number : blocks.place;
      part = part + Linear::variable(own, isOuter ? factor / size : factor);
    }
    LoopRange places = getRange(blocks.place);
    if (places.low >= 0 && places.high < size)
      return blocks;
  }
  return std::nullopt;
}

void LoopSpace::simplifyBound(Linear &value, LoopRange &range) const {
  if (std::optional<Blocks> blocks = getBlocks(value, range)) {
    value = blocks->number;
    range = blocks->getNumbers(range);
  }
}

LoopSpace::Truth LoopSpace::isWithin(const Linear &value, LoopRange range) {
  LoopRange own = getRange(value);
  // Nothing is in a range that is empty, as an operand without elements has it.
  bool isEmpty = range.low > range.high;
  if (isEmpty || own.low > range.high || own.high < range.low)
    return Truth::Never;
  if (own.low >= range.low && own.high <= range.high)
    return Truth::Always;
  if (value.terms.size() != 1 || value.terms[0].first >= numLoops)
    return Truth::Sometimes;
  auto [loop, factor] = value.terms[0];
  int64_t low = range.low - value.constant, high = range.high - value.constant;
  if (factor < 0)
    std::tie(factor, low, high) = std::tuple(-factor, -high, -low);
  askForCut(loop, llvm::divideCeilSigned(low, factor));
  askForCut(loop, llvm::divideFloorSigned(high, factor) + 1);
  return Truth::Sometimes;
}

//===----------------------------------------------------------------------===//
// What is computed
//===----------------------------------------------------------------------===//

unsigned LoopSpace::add(Variable variable) {
  for (auto [id, other] : llvm::enumerate(variables))
    if (other.kind == variable.kind && other.argument == variable.argument &&
        other.number == variable.number && other.tensor == variable.tensor &&
        other.sampling == variable.sampling && variable.kind != Kind::Loop)
      return id;
  variables.push_back(std::move(variable));
  return variables.size() - 1;
}

namespace {
/// A value as a multiple and what is between 0 and the divisor.
struct Division {
  Linear quotient, rest;
};
} // namespace

static Division divideTerms(const Linear &value, int64_t by) {
  Division result;
  result.quotient.constant = llvm::divideFloorSigned(value.constant, by);
  result.rest.constant = value.constant - result.quotient.constant * by;
  for (auto [id, factor] : value.terms)
    if (factor % by == 0)
      result.quotient = result.quotient + Linear::variable(id, factor / by);
    else
      result.rest = result.rest + Linear::variable(id, factor);
  return result;
}

/// What is a multiple stays outside, unless unsigned numbers would not do then.
Linear LoopSpace::divide(const Linear &value, int64_t by) {
  Division division = divideTerms(value, by);
  LoopRange rest = getRange(division.rest);
  if (rest.low >= 0 && rest.high < by)
    return division.quotient;
  askForSplit(value, by);
  if (rest.low < 0)
    division = {{}, value};
  rest = getRange(division.rest);
  LoopRange range = {llvm::divideFloorSigned(rest.low, by),
                     llvm::divideFloorSigned(rest.high, by)};
  return division.quotient +
         Linear::variable(add({Kind::Quotient, range, division.rest, by, {}}));
}

Linear LoopSpace::getRemainder(const Linear &value, int64_t by) {
  Division division = divideTerms(value, by);
  LoopRange rest = getRange(division.rest);
  if (rest.low >= 0 && rest.high < by)
    return division.rest;
  askForSplit(value, by);
  return Linear::variable(add({Kind::Remainder,
                               {0, by - 1},
                               rest.low < 0 ? value : division.rest,
                               by,
                               {}}));
}

/// The quotient that belongs to a rest in a sum, if there is one.
const std::pair<unsigned, int64_t> *
LoopSpace::findQuotient(const Linear &value,
                        const std::pair<unsigned, int64_t> &term) const {
  const Variable &rest = variables[term.first];
  if (rest.kind != Kind::Remainder)
    return nullptr;
  return llvm::find_if(value.terms, [&](const auto &other) {
    const Variable &quotient = variables[other.first];
    return quotient.kind == Kind::Quotient &&
           quotient.argument == rest.argument &&
           quotient.number == rest.number &&
           other.second == term.second * rest.number;
  });
}

Linear LoopSpace::recombine(Linear value) const {
  bool hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    for (auto term : value.terms) {
      const auto *quotient = findQuotient(value, term);
      if (!quotient || quotient == value.terms.end())
        continue;
      value.drop(quotient->first);
      value.drop(term.first);
      value = value + variables[term.first].argument * term.second;
      hasChanged = true;
      break;
    }
  }
  return value;
}

Linear LoopSpace::clamp(const Linear &value, LoopRange range) {
  LoopRange own = getRange(value);
  if (own.low >= range.low && own.high <= range.high)
    return value;
  if (range.low == range.high)
    return Linear::number(range.low);
  Variable variable{Kind::Clamped, range, value, 0, {}};
  for (auto [id, other] : llvm::enumerate(variables))
    if (other.kind == Kind::Clamped && other.argument == value &&
        other.range.low == range.low && other.range.high == range.high)
      return Linear::variable(id);
  variables.push_back(std::move(variable));
  return Linear::variable(variables.size() - 1);
}

Linear LoopSpace::keepWithin(const Linear &value, LoopRange range) {
  if (std::optional<Blocks> blocks = getBlocks(value, range))
    return clamp(blocks->number, blocks->getNumbers(range)) * blocks->size +
           blocks->place;
  return clamp(value, range);
}

Linear LoopSpace::load(Value tensor, const Linear &offset, int64_t extent) {
  return Linear::variable(
      add({Kind::Loaded, {0, extent - 1}, offset, extent, tensor}));
}

Linear LoopSpace::sample(const Sampling &sampling, const Linear &place) {
  return Linear::variable(
      add({Kind::Sampled, {0, sampling.input - 1}, place, 0, {}, sampling}));
}

//===----------------------------------------------------------------------===//
// What would be better
//===----------------------------------------------------------------------===//

/// The first loop whose inner counts are what is left of a division.
void LoopSpace::askForSplit(const Linear &value, int64_t by) {
  if (split)
    return;
  for (auto [id, factor] : value.terms) {
    if (id >= numLoops || factor <= 0 || by % factor != 0)
      continue;
    int64_t inner = by / factor, extent = variables[id].range.high + 1;
    if (variables[id].range.low == 0 && inner > 1 && extent > inner &&
        extent % inner == 0) {
      split = {id, inner};
      return;
    }
  }
}

void LoopSpace::askForCut(unsigned loop, int64_t at) {
  LoopRange range = variables[loop].range;
  if (at > range.low && at <= range.high)
    cuts.push_back({loop, at});
}

static LoopPlan::Loop *findLoop(LoopPlan &plan, unsigned number,
                                SmallVector<LoopPlan::Loop, 1> *&dim) {
  for (auto &loops : plan.dims) {
    dim = &loops;
    if (number < loops.size())
      return &loops[number];
    number -= loops.size();
  }
  return nullptr;
}

static void addCut(LoopPlan::Loop &loop, int64_t at) {
  if (llvm::is_contained(loop.cuts, at))
    return;
  loop.cuts.push_back(at);
  llvm::sort(loop.cuts);
}

std::optional<LoopPlan> LoopSpace::getBetterPlan(uint64_t maxPieces) const {
  LoopPlan better = plan;
  SmallVector<LoopPlan::Loop, 1> *dim = nullptr;
  if (split) {
    auto [number, inner] = *split;
    LoopPlan::Loop *loop = findLoop(better, number, dim);
    if (loop->cuts.empty()) {
      loop->extent /= inner;
      dim->insert(loop + 1, LoopPlan::Loop{inner, {}});
      return better;
    }
  }
  bool isBetter = false;
  for (auto [number, at] : cuts) {
    LoopPlan cut = better;
    addCut(*findLoop(cut, number, dim), at);
    if (cut.getNumPieces() > maxPieces)
      continue;
    isBetter |= cut.getNumPieces() > better.getNumPieces();
    better = std::move(cut);
  }
  if (!isBetter)
    return std::nullopt;
  return better;
}

std::optional<LoopPlan> LoopSpace::getPlanOfBlocks(int64_t least) const {
  for (auto [number, at] : cuts) {
    int64_t size = extents[number];
    for (auto [other, place] : cuts)
      if (other == number)
        size = std::gcd(size, place);
    if (size < least || size == extents[number])
      continue;
    LoopPlan blocks = plan;
    SmallVector<LoopPlan::Loop, 1> *dim = nullptr;
    LoopPlan::Loop *loop = findLoop(blocks, number, dim);
    if (!loop->cuts.empty())
      continue;
    loop->extent /= size;
    dim->insert(loop + 1, LoopPlan::Loop{size, {}});
    return blocks;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

bool LoopSpace::merge(unsigned outer, unsigned inner,
                      ArrayRef<const Linear *> forms) {
  if (getCount(inner) != extents[inner])
    return false;
  auto isAllowed = [&](const Linear &value) {
    return canMerge(value, outer, inner);
  };
  bool areAllowed =
      llvm::all_of(forms,
                   [&](const Linear *form) { return isAllowed(*form); }) &&
      llvm::all_of(variables, [&](const Variable &variable) {
        return isAllowed(variable.argument);
      });
  if (!areAllowed)
    return false;
  LoopRange &from = variables[outer].range, &to = variables[inner].range;
  to = {from.low * extents[inner], (from.high + 1) * extents[inner] - 1};
  from = {0, 0};
  extents[inner] *= extents[outer];
  extents[outer] = 1;
  for (Variable &variable : variables)
    variable.argument.drop(outer);
  return true;
}
