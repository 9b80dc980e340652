//===- InputShapes.cpp - Extents for unknown dimensions -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Every symbol, and every unknown dimension without one, is a variable.
//      What it looks like (an image's height, a batch, a length) gives its
//      first extent.
//   2. A copy of the graph gets the extents, and types are inferred operator by
//      operator up to the first that cannot have them: shapes that do not fit,
//      or a result that has no elements where the operands have some.
//   3. While there is such an operator, other extents are tried: channels that
//      are the last dimension, all heights and widths at once, one variable
//      after the other. What gets further is taken.
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/InputShapes.h"
#include "ShapedCopy.h"
#include "inlay/IR/FactInterfaces.h"
#include "inlay/IR/Graph.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace inlay;
using namespace mlir;

/// Extents that images and lengths have in practice.
static constexpr int64_t imageExtents[] = {64,  96,  128, 160, 192, 224, 256,
                                           299, 320, 384, 416, 448, 512, 640};
static constexpr int64_t anyExtents[] = {
    1, 2, 3, 4, 8, 16, 32, 64, 77, 80, 128, 224, 256, 512, 1024, 3000, 16000};

/// Extents of other dimensions that are looked at.
static constexpr size_t maxOthers = 12;

/// Operators that are inferred at the most while extents are tried.
static constexpr uint64_t maxWork = 1'000'000;

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

namespace {
enum class Role { Batch, Channels, Image, Length };

/// An extent that is to be chosen, and where it stands.
struct Variable {
  std::string symbol;
  Role role;
  SmallVector<std::pair<unsigned, unsigned>> places;
  int64_t extent = 0;
};

class ExtentChooser {
public:
  ExtentChooser(func::FuncOp graph, ArrayRef<MaybeShape> given);

  InputShapes choose();

private:
  void addInput(unsigned index, const MaybeShape &given);
  void addVariable(unsigned input, unsigned dim, StringRef symbol);
  Role guessRole(unsigned input, unsigned dim);
  void bindSums();
  std::vector<MaybeShape> getShapes();
  void search(ShapedCopy &copy);
  bool tryExtents(ShapedCopy &copy, ArrayRef<unsigned> changed, int64_t extent);
  void tryChannelsLast(ShapedCopy &copy);
  bool keepIfBetter(ShapedCopy &copy, std::vector<Variable> before);
  SmallVector<int64_t> getCandidates(unsigned variable) const;

  func::FuncOp graph;
  bool hasWindows = false;
  std::vector<MaybeShape> shapes;
  std::vector<Variable> variables;
  llvm::StringMap<unsigned> symbols;
  /// The extents of symbols that are known.
  llvm::StringMap<int64_t> known;
  /// How far types are inferred with the extents so far, and how much work may
  /// go into improving that.
  size_t reached = 0;
  uint64_t work = 0;
};
} // namespace

/// Whether anything in the graph has windows: convolutions, pools.
static bool findWindows(func::FuncOp graph) {
  return graph.getBody()
      .walk([](Operation *op) {
        auto facts = dyn_cast<TargetFactsOpInterface>(op);
        auto classified = dyn_cast<FusionOpInterface>(op);
        if (!facts || !classified)
          return WalkResult::advance();
        // A window over everything only reduces.
        FusionClass own = classified.getFusionClass();
        bool slides = own == FusionClass::Window ||
                      (own == FusionClass::Contraction && facts.getWindow());
        return slides ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

Role ExtentChooser::guessRole(unsigned input, unsigned dim) {
  auto type = cast<RankedTensorType>(graph.getArgumentTypes()[input]);
  int64_t rank = type.getRank();
  if (dim == 0 && rank > 1)
    return Role::Batch;
  if (rank < 4 || !hasWindows || !isa<FloatType>(type.getElementType()))
    return Role::Length;
  bool isLast = !ShapedType::isDynamic(type.getShape().back());
  if (dim == 1 && !isLast)
    return Role::Channels;
  return Role::Image;
}

static int64_t getFirstExtent(Role role) {
  switch (role) {
  case Role::Batch:
    return 1;
  case Role::Channels:
    return 3;
  case Role::Image:
    return imageExtents[0];
  case Role::Length:
    return 8;
  }
  return 1;
}

void ExtentChooser::addVariable(unsigned input, unsigned dim,
                                StringRef symbol) {
  if (!symbol.empty()) {
    auto [it, isNew] = symbols.try_emplace(symbol, variables.size());
    if (!isNew) {
      variables[it->second].places.emplace_back(input, dim);
      return;
    }
  }
  Role role = guessRole(input, dim);
  variables.push_back(
      {symbol.str(), role, {{input, dim}}, getFirstExtent(role)});
}

/// The shape of an input as far as it is known; symbols get their extents.
void ExtentChooser::addInput(unsigned index, const MaybeShape &given) {
  shapes.push_back(getShape(graph.getArgument(index)));
  MaybeShape &shape = shapes.back();
  if (!shape || !given || given->size() != shape->size())
    return;
  SmallVector<StringRef> names = getInputDims(graph, index);
  for (auto [i, extent] : llvm::enumerate(*shape)) {
    if (!ShapedType::isDynamic(extent) || ShapedType::isDynamic((*given)[i]))
      continue;
    extent = (*given)[i];
    if (!names[i].empty())
      known.try_emplace(names[i], extent);
  }
}

ExtentChooser::ExtentChooser(func::FuncOp graph, ArrayRef<MaybeShape> given)
    : graph(graph), hasWindows(findWindows(graph)) {
  for (auto [i, shape] : llvm::enumerate(given))
    addInput(i, shape);
  for (auto [i, shape] : llvm::enumerate(shapes)) {
    if (!shape)
      continue;
    SmallVector<StringRef> names = getInputDims(graph, i);
    for (auto [dim, extent] : llvm::enumerate(*shape)) {
      if (!ShapedType::isDynamic(extent))
        continue;
      if (auto it = known.find(names[dim]); it != known.end())
        extent = it->second;
      else
        addVariable(i, dim, names[dim]);
    }
  }
}

/// The value of "a + b" where every part is a number or has an extent.
static std::optional<int64_t>
evaluateSum(StringRef text,
            llvm::function_ref<std::optional<int64_t>(StringRef)> lookup) {
  SmallVector<StringRef> parts;
  text.split(parts, '+');
  if (parts.size() < 2)
    return std::nullopt;
  int64_t sum = 0;
  for (StringRef part : parts) {
    int64_t number = 0;
    std::optional<int64_t> value = lookup(part.trim());
    if (!part.trim().getAsInteger(10, number))
      value = number;
    if (!value || *value < 0 || *value > (1 << 20))
      return std::nullopt;
    sum += *value;
  }
  return sum;
}

/// Symbols that are sums of others.
void ExtentChooser::bindSums() {
  for (Variable &variable : variables) {
    auto lookup = [&](StringRef name) -> std::optional<int64_t> {
      if (auto it = known.find(name); it != known.end())
        return it->second;
      auto it = symbols.find(name);
      return it == symbols.end() ? std::nullopt
                                 : std::optional(variables[it->second].extent);
    };
    if (auto sum = evaluateSum(variable.symbol, lookup))
      variable.extent = *sum;
  }
}

std::vector<MaybeShape> ExtentChooser::getShapes() {
  bindSums();
  std::vector<MaybeShape> result = shapes;
  for (const Variable &variable : variables)
    for (auto [input, dim] : variable.places)
      (*result[input])[dim] = variable.extent;
  return result;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

/// Extents for one variable: those that inputs have elsewhere and sums of two
/// (a length and that of the past are what a mask covers), then usual ones. 1
/// comes last: it fits most places because it is stretched.
SmallVector<int64_t> ExtentChooser::getCandidates(unsigned variable) const {
  llvm::SmallSetVector<int64_t, 32> others, candidates;
  for (auto [i, other] : llvm::enumerate(variables))
    if (i != variable)
      others.insert(other.extent);
  for (const MaybeShape &shape : shapes)
    for (int64_t extent : shape.value_or(SmallVector<int64_t>()))
      if (!ShapedType::isDynamic(extent) && others.size() < maxOthers)
        others.insert(extent);
  candidates.insert(others.begin(), others.end());
  for (int64_t a : others)
    for (int64_t b : others)
      candidates.insert(a + b);
  candidates.insert(std::begin(anyExtents), std::end(anyExtents));
  if (variables[variable].role == Role::Image)
    candidates.insert(std::begin(imageExtents), std::end(imageExtents));
  candidates.remove(0);
  candidates.remove(1);
  candidates.insert(1);
  return candidates.takeVector();
}

/// Keeps the extents where more of the graph can have them.
bool ExtentChooser::keepIfBetter(ShapedCopy &copy,
                                 std::vector<Variable> before) {
  work += copy.getNumOperations();
  size_t now = copy.infer(getShapes());
  if (now <= reached) {
    variables = std::move(before);
    return false;
  }
  reached = now;
  return true;
}

bool ExtentChooser::tryExtents(ShapedCopy &copy, ArrayRef<unsigned> changed,
                               int64_t extent) {
  std::vector<Variable> before = variables;
  for (unsigned i : changed)
    variables[i].extent = extent;
  return keepIfBetter(copy, std::move(before));
}

/// Images whose channels are the last dimension instead of the second.
void ExtentChooser::tryChannelsLast(ShapedCopy &copy) {
  std::vector<Variable> before = variables;
  for (Variable &channels : variables)
    for (Variable &last : variables) {
      auto [input, dim] = last.places.front();
      bool isLast = dim + 1 == shapes[input]->size();
      if (channels.role == Role::Channels && last.role == Role::Image &&
          isLast && channels.places.front().first == input) {
        std::swap(channels.role, last.role);
        std::swap(channels.extent, last.extent);
      }
    }
  keepIfBetter(copy, std::move(before));
}

void ExtentChooser::search(ShapedCopy &copy) {
  reached = copy.infer(getShapes());
  auto isDone = [&] {
    return reached == copy.getNumOperations() || work > maxWork;
  };
  if (!isDone())
    tryChannelsLast(copy);
  SmallVector<unsigned> images;
  for (auto [i, variable] : llvm::enumerate(variables))
    if (variable.role == Role::Image)
      images.push_back(i);
  for (int64_t extent : imageExtents)
    if (!isDone() && !images.empty())
      tryExtents(copy, images, extent);
  // One that gets further may need another to follow.
  for (bool improves = true; improves && !isDone();) {
    improves = false;
    for (unsigned i = 0; i < variables.size() && !isDone(); ++i)
      for (int64_t extent : getCandidates(i))
        if (!isDone())
          improves |= tryExtents(copy, i, extent);
  }
}

InputShapes ExtentChooser::choose() {
  if (variables.empty())
    return {std::move(shapes), {}};
  ShapedCopy copy(graph);
  search(copy);
  InputShapes result{getShapes(), {}};
  for (const Variable &variable : variables) {
    auto [input, dim] = variable.places.front();
    result.assumed.push_back({variable.symbol, getInputName(graph, input).str(),
                              dim, variable.extent});
  }
  return result;
}

InputShapes inlay::chooseInputShapes(func::FuncOp graph,
                                     ArrayRef<MaybeShape> given) {
  return ExtentChooser(graph, given).choose();
}

OwningOpRef<func::FuncOp> inlay::specializeGraph(func::FuncOp graph,
                                                 ArrayRef<MaybeShape> shapes) {
  ShapedCopy copy(graph);
  copy.infer(shapes);
  return copy.take();
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static std::string nameDimension(const AssumedExtent &extent) {
  if (!extent.symbol.empty())
    return extent.symbol;
  return "dimension " + std::to_string(extent.dim) + " of input '" +
         extent.input + "'";
}

/// "a", "a and b", "a, b and c".
static std::string joinWords(ArrayRef<std::string> words) {
  if (words.size() == 1)
    return words.front();
  return llvm::join(words.drop_back(), ", ") + " and " + words.back();
}

std::string inlay::describeExtents(ArrayRef<AssumedExtent> extents) {
  llvm::MapVector<int64_t, std::vector<std::string>> byExtent;
  bool hasSymbol = false, hasOther = false;
  for (const AssumedExtent &extent : extents) {
    byExtent[extent.extent].push_back(nameDimension(extent));
    (extent.symbol.empty() ? hasOther : hasSymbol) = true;
  }
  std::string text;
  for (const auto &[extent, words] : byExtent) {
    std::string verb = words.size() == 1 ? " was taken as " : " were taken as ";
    text += (text.empty() ? "" : ", ") + joinWords(words) + verb +
            std::to_string(extent);
  }
  if (text.empty())
    return text;
  return text + ": set " + (hasSymbol ? "--dim" : "") +
         (hasSymbol && hasOther ? " and " : "") + (hasOther ? "--shape" : "");
}

OwningOpRef<func::FuncOp> inlay::getGraphFor(func::FuncOp graph,
                                             ArrayRef<MaybeShape> shapes) {
  OwningOpRef<func::FuncOp> copy = specializeGraph(graph, shapes);
  Block &body = copy->getBody().front();
  copy->setType(FunctionType::get(graph.getContext(), body.getArgumentTypes(),
                                  body.getTerminator()->getOperandTypes()));
  return copy;
}
