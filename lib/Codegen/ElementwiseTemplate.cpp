//===- ElementwiseTemplate.cpp - Loops over elements ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One loop nest over the elements of the results. Dimensions that all operands
// walk through alike are one; the innermost is computed in vectors and, where
// it ends, by single elements.
//
//===----------------------------------------------------------------------===//

#include "inlay/Codegen/ElementInterface.h"
#include "inlay/Codegen/KernelCode.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace inlay;
using namespace mlir;

using Extents = SmallVector<int64_t>;

//===----------------------------------------------------------------------===//
// What is computed
//===----------------------------------------------------------------------===//

namespace {
/// A step as a list of elementwise operators over one iteration space.
struct ElementwiseStep {
  SmallVector<Value> reads, results;
  SmallVector<Operation *> ops;
  /// What an element of each result is.
  SmallVector<Value> yielded;
  ArrayRef<int64_t> shape;
};
} // namespace

/// Types that registers hold as they are; a boolean is a byte in memory.
static bool hasCodeType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  Type element = type ? type.getElementType() : Type();
  return type && type.hasStaticShape() && !type.getEncoding() &&
         (element.isF32() || element.isF64() || element.isInteger(1) ||
          element.isInteger(8) || element.isInteger(16) ||
          element.isInteger(32) || element.isInteger(64));
}

/// Whether a tensor of shape `from` is repeated to `to`, aligned at the end.
static bool isRepeatedTo(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  if (from.size() > to.size())
    return false;
  for (auto [own, extent] : llvm::zip(from, to.take_back(from.size())))
    if (own != extent && own != 1)
      return false;
  return true;
}

static ArrayRef<int64_t> getExtents(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// Whether an operator is elementwise with code, and its operands are repeated
/// to its result as numpy says.
static bool isElementwise(Operation *op) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  bool hasCode = fusion &&
                 (fusion.getFusionClass() == FusionClass::Elementwise) &&
                 isa<ElementOpInterface>(op) && op->getNumResults() == 1 &&
                 op->getNumOperands() != 0;
  return hasCode && hasCodeType(op->getResult(0)) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return hasCodeType(operand) &&
                  isRepeatedTo(getExtents(operand),
                               getExtents(op->getResult(0)));
         });
}

static ElementwiseStep readStep(Operation *step) {
  ElementwiseStep result;
  llvm::append_range(result.results, step->getResults());
  auto group = dyn_cast<GroupOp>(step);
  if (!group) {
    result.ops = {step};
    result.yielded = result.results;
    llvm::SetVector<Value> reads(step->operand_begin(), step->operand_end());
    result.reads = reads.takeVector();
    return result;
  }
  llvm::SetVector<Value> reads;
  getUsedValuesDefinedAbove(group->getRegions(), reads);
  result.reads = reads.takeVector();
  for (Operation &op : group.getBody().front().without_terminator())
    result.ops.push_back(&op);
  llvm::append_range(result.yielded, group.getYielded());
  return result;
}

/// Nothing where the step is not of this template: all results have one shape,
/// and nothing is passed through.
static std::optional<ElementwiseStep> matchStep(Operation *step) {
  bool isStep = !isa<GroupOp>(step) || cast<GroupOp>(step).getKernel();
  if (!isStep || step->getNumResults() == 0)
    return std::nullopt;
  ElementwiseStep found = readStep(step);
  if (!llvm::all_of(found.ops, isElementwise))
    return std::nullopt;
  auto isOwn = [&](Value value) {
    return value.getDefiningOp() &&
           llvm::is_contained(found.ops, value.getDefiningOp());
  };
  if (!llvm::all_of(found.yielded, isOwn))
    return std::nullopt;
  found.shape = getExtents(found.yielded.front());
  for (Value value : found.yielded)
    if (getExtents(value) != found.shape)
      return std::nullopt;
  return found;
}

//===----------------------------------------------------------------------===//
// The iteration space
//===----------------------------------------------------------------------===//

/// How far apart elements of a dense tensor of shape `from` are along each
/// dimension of `to` that it is repeated to.
static Extents getStrides(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  Extents strides(to.size(), 0);
  int64_t stride = 1;
  for (size_t i = 0; i < from.size(); ++i) {
    int64_t extent = from[from.size() - 1 - i];
    strides[to.size() - 1 - i] = extent == 1 ? 0 : stride;
    stride *= extent;
  }
  return strides;
}

namespace {
/// Loops, outermost first, and the strides of each tensor in them.
struct Nest {
  Extents extents;
  std::vector<Extents> strides;
};
} // namespace

/// Makes dimension `dim` part of the one before it where all tensors allow it.
static bool mergeDim(Nest &nest, size_t dim) {
  for (const Extents &strides : nest.strides)
    if (strides[dim - 1] != strides[dim] * nest.extents[dim])
      return false;
  nest.extents[dim - 1] *= nest.extents[dim];
  nest.extents.erase(nest.extents.begin() + dim);
  for (Extents &strides : nest.strides)
    strides.erase(strides.begin() + dim - 1);
  return true;
}

static Nest planNest(const ElementwiseStep &step) {
  Nest nest{Extents(step.shape), {}};
  for (ArrayRef<Value> values : {ArrayRef(step.reads), ArrayRef(step.results)})
    for (Value value : values)
      nest.strides.push_back(getStrides(getExtents(value), step.shape));
  // Dimensions of one element are no loops.
  for (size_t dim = nest.extents.size(); dim-- > 0;)
    if (nest.extents[dim] == 1) {
      nest.extents.erase(nest.extents.begin() + dim);
      for (Extents &strides : nest.strides)
        strides.erase(strides.begin() + dim);
    }
  for (size_t dim = nest.extents.size(); dim-- > 1;)
    mergeDim(nest, dim);
  if (nest.extents.empty()) {
    nest.extents.push_back(1);
    for (Extents &strides : nest.strides)
      strides.push_back(1);
  }
  return nest;
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

namespace {
class ElementwiseEmitter {
public:
  ElementwiseEmitter(const ElementwiseStep &step, OpBuilder &builder,
                     unsigned lanes)
      : step(step), nest(planNest(step)), builder(builder),
        loc(builder.getUnknownLoc()), lanes(lanes) {}

  /// False where an operator has no code for its element types.
  bool emit(func::FuncOp function);
  int64_t getExtent() const { return nest.extents.front(); }

private:
  void loadPointers(Value buffers);
  void emitLoops(Value begin, Value end);
  void emitInner(Value begin, Value end, ArrayRef<Value> offsets);
  /// The elements at `index` of the innermost loop, as many as `width`.
  void emitElements(Value index, unsigned width, ArrayRef<Value> offsets);

  Value number(int64_t value) {
    return builder.create<arith::ConstantIntOp>(loc, value, 64);
  }
  Value addScaled(Value offset, Value index, int64_t stride);
  Value load(unsigned tensor, Value at, unsigned width);
  void store(Value element, unsigned tensor, Value at);
  Type getMemoryType(unsigned tensor) const;

  const ElementwiseStep &step;
  Nest nest;
  OpBuilder &builder;
  Location loc;
  unsigned lanes;
  SmallVector<Value> pointers;
  bool hasCode = true;
};
} // namespace

Type ElementwiseEmitter::getMemoryType(unsigned tensor) const {
  size_t numReads = step.reads.size();
  Value value =
      tensor < numReads ? step.reads[tensor] : step.results[tensor - numReads];
  Type element = getElementTypeOrSelf(value.getType());
  if (isa<FloatType>(element))
    return element;
  unsigned width = std::max(8u, element.getIntOrFloatBitWidth());
  return builder.getIntegerType(width);
}

void ElementwiseEmitter::loadPointers(Value buffers) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  for (size_t i = 0; i < nest.strides.size(); ++i) {
    Value at = builder.create<LLVM::GEPOp>(loc, pointer, pointer, buffers,
                                           ArrayRef<LLVM::GEPArg>(int32_t(i)));
    pointers.push_back(builder.create<LLVM::LoadOp>(loc, pointer, at));
  }
}

Value ElementwiseEmitter::addScaled(Value offset, Value index, int64_t stride) {
  if (stride == 0)
    return offset;
  Value scaled =
      stride == 1 ? index
                  : builder.create<arith::MulIOp>(loc, index, number(stride));
  return builder.create<arith::AddIOp>(loc, offset, scaled);
}

/// Vectors where elements lie side by side, one for all where it is repeated.
Value ElementwiseEmitter::load(unsigned tensor, Value at, unsigned width) {
  Type type = getMemoryType(tensor);
  int64_t stride = nest.strides[tensor].back();
  bool isVector = width > 1 && stride == 1;
  Type loaded = isVector ? VectorType::get({width}, type) : type;
  Value address = builder.create<LLVM::GEPOp>(
      loc, pointers[tensor].getType(), type, pointers[tensor], ValueRange{at});
  unsigned alignment = type.getIntOrFloatBitWidth() / 8;
  Value element = builder.create<LLVM::LoadOp>(loc, loaded, address, alignment);
  if (width > 1 && !isVector)
    element = builder.create<vector::BroadcastOp>(
        loc, VectorType::get({width}, type), element);
  if (!getElementTypeOrSelf(step.reads[tensor].getType()).isInteger(1))
    return element;
  TypedAttr zero = builder.getZeroAttr(element.getType());
  return builder.create<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ne, element,
      builder.create<arith::ConstantOp>(loc, zero));
}

void ElementwiseEmitter::store(Value element, unsigned tensor, Value at) {
  Type type = getMemoryType(tensor);
  if (getElementTypeOrSelf(element).isInteger(1)) {
    Type bytes = type;
    if (auto vector = dyn_cast<VectorType>(element.getType()))
      bytes = VectorType::get(vector.getShape(), type);
    element = builder.create<arith::ExtUIOp>(loc, bytes, element);
  }
  Value address = builder.create<LLVM::GEPOp>(
      loc, pointers[tensor].getType(), type, pointers[tensor], ValueRange{at});
  unsigned alignment = type.getIntOrFloatBitWidth() / 8;
  builder.create<LLVM::StoreOp>(loc, element, address, alignment);
}

void ElementwiseEmitter::emitElements(Value index, unsigned width,
                                      ArrayRef<Value> offsets) {
  DenseMap<Value, Value> elements;
  SmallVector<Value> places;
  for (auto [offset, strides] : llvm::zip_equal(offsets, nest.strides))
    places.push_back(addScaled(offset, index, strides.back()));
  for (auto [i, value] : llvm::enumerate(step.reads))
    elements[value] = load(i, places[i], width);
  for (Operation *op : step.ops) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(elements.lookup(operand));
    Value result = cast<ElementOpInterface>(op).emitElement(builder, operands);
    hasCode &= bool(result);
    if (!hasCode)
      return;
    elements[op->getResult(0)] = result;
  }
  for (auto [i, value] : llvm::enumerate(step.yielded))
    store(elements.lookup(value), step.reads.size() + i,
          places[step.reads.size() + i]);
}

/// Vectors as long as there are enough elements, then one by one. A tensor that
/// is walked through in larger steps is read one by one.
void ElementwiseEmitter::emitInner(Value begin, Value end,
                                   ArrayRef<Value> offsets) {
  bool isDense = llvm::all_of(
      nest.strides, [](const Extents &strides) { return strides.back() <= 1; });
  auto emitLoop = [&](Value from, Value to, unsigned width) {
    auto loop = builder.create<scf::ForOp>(loc, from, to, number(width));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    emitElements(loop.getInductionVar(), width, offsets);
  };
  Value rest = begin;
  if (isDense && nest.extents.back() >= lanes) {
    Value count = builder.create<arith::SubIOp>(loc, end, begin);
    Value tail = builder.create<arith::RemUIOp>(loc, count, number(lanes));
    rest = builder.create<arith::SubIOp>(loc, end, tail);
    emitLoop(begin, rest, lanes);
  }
  if (hasCode)
    emitLoop(rest, end, 1);
}

void ElementwiseEmitter::emitLoops(Value begin, Value end) {
  SmallVector<Value> offsets(nest.strides.size(), number(0));
  size_t numLoops = nest.extents.size();
  for (size_t dim = 0; dim + 1 < numLoops; ++dim) {
    Value from = dim == 0 ? begin : number(0);
    Value to = dim == 0 ? end : number(nest.extents[dim]);
    auto loop = builder.create<scf::ForOp>(loc, from, to, number(1));
    builder.setInsertionPointToStart(loop.getBody());
    for (auto [offset, strides] : llvm::zip_equal(offsets, nest.strides))
      offset = addScaled(offset, loop.getInductionVar(), strides[dim]);
  }
  bool isOnly = numLoops == 1;
  emitInner(isOnly ? begin : number(0),
            isOnly ? end : number(nest.extents.back()), offsets);
}

bool ElementwiseEmitter::emit(func::FuncOp function) {
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  builder.create<func::ReturnOp>(loc);
  builder.setInsertionPointToStart(entry);
  loadPointers(entry->getArgument(0));
  emitLoops(entry->getArgument(1), entry->getArgument(2));
  return hasCode;
}

std::optional<KernelCode> inlay::emitElementwise(Operation *step,
                                                 ModuleOp module,
                                                 StringRef name,
                                                 const VectorUnit &unit) {
  std::optional<ElementwiseStep> matched = matchStep(step);
  if (!matched)
    return std::nullopt;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type index = builder.getI64Type();
  auto function = builder.create<func::FuncOp>(
      builder.getUnknownLoc(), name,
      builder.getFunctionType({pointer, index, index}, {}));
  ElementwiseEmitter emitter(*matched, builder, unit.lanes);
  if (!emitter.emit(function)) {
    function.erase();
    return std::nullopt;
  }
  return KernelCode{name.str(), matched->reads, matched->results,
                    emitter.getExtent()};
}
