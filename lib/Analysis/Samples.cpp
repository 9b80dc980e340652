//===- Samples.cpp - Graphs that compute one sample like the next ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. The open dimensions of inputs must be one, and the first.
// 2. Operations in their order: what reads nothing of a sample is shared. A
//    view keeps samples together where as many elements lie in front of the
//    open dimension as before. Anything else must have an axis on which all of
//    its operands with samples, no shared one and all results have theirs, and
//    along which element i depends on element i only.
// 3. Outputs must be shared, or of samples in their first dimension.
//
// Sizes are those that types say for any number of samples: a value of samples
// has one open extent, and the others are known.
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/Samples.h"
#include "inlay/Analysis/InputShapes.h"
#include "inlay/Analysis/SymbolicShape.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Origin.h"
#include "inlay/Support/Error.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace inlay;
using namespace mlir;

namespace {
/// What a value has of samples.
struct Part {
  enum Kind : uint8_t {
    /// The same for all samples.
    Shared,
    /// Those of the samples, one behind the other along a dimension.
    Stacked,
    /// Something else, from an operation on.
    Mixed
  };
  Kind kind = Shared;
  unsigned dim = 0;
  /// Extent of the dimension for each sample.
  int64_t perSample = 0;
  Operation *culprit = nullptr;

  static Part stacked(unsigned dim, int64_t perSample) {
    return {Stacked, dim, perSample, nullptr};
  }
};

class SampleFinder {
public:
  explicit SampleFinder(func::FuncOp graph)
      : graph(graph), shapes(graph.getBody()) {}

  llvm::Expected<std::optional<Samples>> find();

private:
  llvm::Error addInputs();
  llvm::Error addInput(unsigned number, RankedTensorType type);
  void visit(Operation *op);
  bool readsSamples(Operation *op) const;
  bool followView(Operation *op);
  bool followFilled(ConstantOfShapeOp op);
  bool followExpand(ExpandOp op);
  bool followShaped(Operation *op);
  bool followAxes(Operation *op);
  bool isNumberOfSamples(Value value, unsigned dim) const;
  std::optional<unsigned> findAxis(Operation *op, const AxisMap &map,
                                   int64_t &perSample) const;
  llvm::Error addOutputs();

  func::FuncOp graph;
  SymbolicShapes shapes;
  /// What the open dimensions of inputs are, of which runs have one number.
  llvm::SmallVector<SymbolicShapes::Number> counts;
  llvm::DenseMap<Value, Part> parts;
  Samples samples;
};
} // namespace

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static llvm::Error refuseDimension(StringRef input, unsigned dim,
                                   StringRef symbol) {
  std::string name = symbol.empty() ? "dimension " + std::to_string(dim)
                                    : "'" + symbol.str() + "'";
  return unsupportedError(Twine(name) + " of input '" + input +
                          "' is open: a library leaves one dimension open, "
                          "which is the first (give "
                          "others with --dim or --shape)");
}

llvm::Error SampleFinder::addInput(unsigned number, RankedTensorType type) {
  StringRef name = getInputName(graph, number);
  SmallVector<StringRef> dims = getInputDims(graph, number);
  bool isFirst = counts.empty();
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(extent))
      continue;
    bool isKnownName =
        isFirst || (dims[0] == samples.symbol && !samples.symbol.empty());
    if (dim != 0 || !isKnownName)
      return refuseDimension(name, dim, dims[dim]);
  }
  if (!type.hasRank() || type.hasStaticShape())
    return llvm::Error::success();
  Value value = graph.getArgument(number);
  samples.symbol = dims[0].str();
  samples.inputs[number] = 1;
  counts.push_back(shapes.lookupExtents(value)->front());
  parts[value] = Part::stacked(0, 1);
  return llvm::Error::success();
}

llvm::Error SampleFinder::addInputs() {
  samples.inputs.assign(graph.getNumArguments(), 0);
  for (auto [i, type] : llvm::enumerate(graph.getArgumentTypes()))
    if (auto ranked = dyn_cast<RankedTensorType>(type))
      if (llvm::Error error = addInput(i, ranked))
        return error;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// The only open dimension of a value; nothing where there are none or others.
static std::optional<unsigned> findOpenDim(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getNumDynamicDims() != 1)
    return std::nullopt;
  return unsigned(llvm::find(type.getShape(), ShapedType::kDynamic) -
                  type.getShape().begin());
}

/// The elements of dimensions; nothing where they are zero or too many.
static std::optional<int64_t> countElements(ArrayRef<int64_t> extents) {
  int64_t count = 1;
  for (int64_t extent : extents)
    if (llvm::MulOverflow(count, extent, count))
      return std::nullopt;
  return count == 0 ? std::nullopt : std::optional(count);
}

/// Elements stay in their order: those of a sample stay together, wherever its
/// parts begin in as many places as before.
bool SampleFinder::followView(Operation *op) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  if (!fusion || fusion.getFusionClass() != FusionClass::View ||
      op->getNumResults() != 1)
    return false;
  Part from = parts.lookup(op->getOperand(0));
  std::optional<unsigned> dim = findOpenDim(op->getResult(0));
  if (from.kind != Part::Stacked || !dim)
    return false;
  ArrayRef<int64_t> before =
      cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
  ArrayRef<int64_t> after =
      cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  auto outer = countElements(before.take_front(from.dim));
  auto inner = countElements(before.drop_front(from.dim + 1));
  auto newInner = countElements(after.drop_front(*dim + 1));
  int64_t own;
  if (!outer || !inner || !newInner ||
      outer != countElements(after.take_front(*dim)) ||
      llvm::MulOverflow(*inner, from.perSample, own) || own % *newInner != 0)
    return false;
  parts[op->getResult(0)] = Part::stacked(*dim, own / *newInner);
  return true;
}

/// Whether a dimension has as many elements as there are samples.
bool SampleFinder::isNumberOfSamples(Value value, unsigned dim) const {
  auto extents = shapes.lookupExtents(value);
  return extents && llvm::is_contained(counts, (*extents)[dim]);
}

/// As many of a value as there are samples; what the shape is computed from
/// does not matter then.
bool SampleFinder::followFilled(ConstantOfShapeOp op) {
  std::optional<unsigned> dim = findOpenDim(op.getResult());
  if (!dim || !isNumberOfSamples(op.getResult(), *dim))
    return false;
  parts[op.getResult()] = Part::stacked(*dim, 1);
  return true;
}

/// The same where a shared value is repeated for each sample, or one of the
/// samples along other dimensions.
bool SampleFinder::followExpand(ExpandOp op) {
  std::optional<unsigned> dim = findOpenDim(op.getResult());
  auto from = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!dim || !from || !isNumberOfSamples(op.getResult(), *dim))
    return false;
  Part own = parts.lookup(op.getInput());
  int64_t rank = cast<RankedTensorType>(op.getResult().getType()).getRank();
  int64_t place = int64_t(*dim) - (rank - from.getRank());
  bool isRepeated =
      own.kind == Part::Shared && (place < 0 || from.getDimSize(place) == 1);
  bool isKept = own.kind == Part::Stacked && own.perSample == 1 &&
                int64_t(own.dim) == place;
  if (isRepeated || isKept)
    parts[op.getResult()] = Part::stacked(*dim, 1);
  return isRepeated || isKept;
}

/// Operators whose shape is computed.
bool SampleFinder::followShaped(Operation *op) {
  if (auto filled = dyn_cast<ConstantOfShapeOp>(op))
    return followFilled(filled);
  auto expand = dyn_cast<ExpandOp>(op);
  return expand && followExpand(expand);
}

/// Whether a tensor has one of its dimensions, or a part of one, on an axis.
static bool hasAxis(const std::optional<TensorAxes> &dims, unsigned axis) {
  return dims && llvm::any_of(*dims, [&](const DimAxes &dim) {
           return llvm::is_contained(dim, axis);
         });
}

/// The axis on which operands have their samples.
std::optional<unsigned> SampleFinder::findAxis(Operation *op,
                                               const AxisMap &map,
                                               int64_t &perSample) const {
  std::optional<unsigned> axis;
  for (auto [value, dims] :
       llvm::zip_equal(op->getOperands(), map.getOperands())) {
    Part part = parts.lookup(value);
    if (part.kind == Part::Shared)
      continue;
    bool isWhole =
        part.kind == Part::Stacked && dims && (*dims)[part.dim].size() == 1;
    if (!isWhole || (axis && (*axis != (*dims)[part.dim].front() ||
                              perSample != part.perSample)))
      return std::nullopt;
    axis = (*dims)[part.dim].front();
    perSample = part.perSample;
  }
  for (auto [value, dims] :
       llvm::zip_equal(op->getOperands(), map.getOperands()))
    if (axis && parts.lookup(value).kind == Part::Shared &&
        hasAxis(dims, *axis))
      return std::nullopt;
  return axis;
}

bool SampleFinder::followAxes(Operation *op) {
  auto mapped = dyn_cast<AxisMapOpInterface>(op);
  if (!mapped)
    return false;
  AxisMap map = mapped.getAxisMap();
  if (map.isOpaque())
    return false;
  int64_t perSample = 0;
  std::optional<unsigned> axis = findAxis(op, map, perSample);
  if (!axis || map.getAxes()[*axis].kind != AxisKind::Parallel)
    return false;
  for (auto [value, dims] :
       llvm::zip_equal(op->getResults(), map.getResults())) {
    std::optional<unsigned> dim = findOpenDim(value);
    if (!value.use_empty() &&
        (!dim || !dims || (*dims)[*dim] != DimAxes{*axis}))
      return false;
    if (!value.use_empty())
      parts[value] = Part::stacked(*dim, perSample);
  }
  return true;
}

/// Also from inside of its regions.
bool SampleFinder::readsSamples(Operation *op) const {
  return op
      ->walk([&](Operation *inner) {
        bool reads = llvm::any_of(inner->getOperands(), [&](Value value) {
          return parts.lookup(value).kind != Part::Shared;
        });
        return reads ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

void SampleFinder::visit(Operation *op) {
  if (!readsSamples(op))
    return;
  if (op->getNumRegions() == 0 && isPure(op) &&
      (followView(op) || followShaped(op) || followAxes(op)))
    return;
  Part mixed{Part::Mixed, 0, 0, op};
  for (Value operand : op->getOperands())
    if (Part own = parts.lookup(operand); own.kind == Part::Mixed)
      mixed.culprit = own.culprit;
  for (Value result : op->getResults())
    parts[result] = mixed;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

llvm::Error SampleFinder::addOutputs() {
  Operation *end = graph.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(end->getOperands())) {
    Part part = parts.lookup(value);
    if (part.kind == Part::Mixed)
      return unsupportedError("the first dimension of inputs is open, and " +
                              describeNode(part.culprit) +
                              " does not compute one sample of it like the "
                              "next (give the dimension "
                              "with --dim or --shape)");
    if (part.kind == Part::Stacked && part.dim != 0)
      return unsupportedError("output '" + getOutputName(graph, i) +
                              "' has the samples of the inputs in dimension " +
                              Twine(part.dim) +
                              ", not in the first (give the dimension with "
                              "--dim or --shape)");
    samples.outputs.push_back(part.perSample);
  }
  return llvm::Error::success();
}

llvm::Expected<std::optional<Samples>> SampleFinder::find() {
  if (llvm::Error error = addInputs())
    return std::move(error);
  if (counts.empty())
    return std::nullopt;
  for (Operation &op : graph.getBody().front().without_terminator())
    visit(&op);
  if (llvm::Error error = addOutputs())
    return std::move(error);
  return std::move(samples);
}

llvm::Expected<std::optional<Samples>> inlay::findSamples(func::FuncOp graph) {
  return SampleFinder(graph).find();
}

OwningOpRef<func::FuncOp> inlay::getSampleGraph(func::FuncOp graph,
                                                const Samples &samples) {
  SmallVector<MaybeShape> one;
  for (auto [type, perSample] :
       llvm::zip_equal(graph.getArgumentTypes(), samples.inputs)) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    one.push_back(ranked ? MaybeShape(SmallVector<int64_t>(ranked.getShape()))
                         : MaybeShape());
    if (perSample != 0)
      one.back()->front() = perSample;
  }
  return getGraphFor(graph, one);
}
