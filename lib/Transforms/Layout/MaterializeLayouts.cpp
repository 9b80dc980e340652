//===- MaterializeLayouts.cpp - Storage orders become shapes --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations are visited in program order:
//
//   1. those whose tensors are all row-major stay where they are and only lose
//      their encodings;
//   2. a relayout becomes a transpose or a view of the physical tensor;
//   3. operations with subgraphs take and give physical tensors;
//   4. others are built anew over physical tensors, by themselves where they
//      admit the form and wrapped in inlay.in_layout where they do not.
//
// An operation that is built anew stays until the end, so that the types of its
// results say how they are stored to those that are visited later.
//
//===----------------------------------------------------------------------===//

#include "BuildRelayout.h"
#include "MergeViews.h"
#include "StoredSignature.h"
#include "WrapInLayout.h"
#include "inlay/Analysis/ModuleTarget.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Diagnostics.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/ModuleState.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/IR/Origin.h"
#include "inlay/IR/PaddedForm.h"
#include "inlay/IR/Slicings.h"
#include "inlay/IR/StoredConstants.h"
#include "inlay/Transforms/Layout/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

namespace inlay {
#define GEN_PASS_DEF_MATERIALIZELAYOUTS
#include "inlay/Transforms/Layout/Passes.h.inc"
} // namespace inlay

using namespace inlay;
using namespace inlay::layout;
using namespace mlir;

static constexpr char storedAlike[] = "its input and output are stored alike";

namespace {
/// What a relayout has become: null for a constant and for nothing.
struct MadeRelayout {
  Operation *op;
  bool isConstant;
  Location loc;
};

class Materializer {
public:
  Materializer(func::FuncOp function, const Target *target,
               RemovedNodes &removed)
      : function(function), target(target), removed(removed),
        builder(function.getContext()),
        unknown(UnknownLoc::get(function.getContext())) {}

  LogicalResult run();

private:
  LogicalResult visit(Operation *op);
  void updateInPlace(Operation *op);
  LogicalResult visitConstant(ConstantOp op);
  LogicalResult visitRelayout(RelayoutOp op);
  LogicalResult visitRegions(Operation *op);
  LogicalResult visitStored(Operation *op);
  bool isRunByTarget(Operation *op) const;
  bool buildItself(StoredOpBuilder &stored);
  LogicalResult wrap(StoredOpBuilder &stored);

  Value lookup(Value value) const;
  Value buildRelayoutOf(StoredOpBuilder &stored, Type from, Type to);
  void enterStored(Value value);
  Operation *takeOver(Operation *op, Operation *before);
  void noteGone(Location loc, StringRef reason);
  SmallVector<Location> claimOrigins(Location loc);
  void nameRelayouts();
  void finish();

  func::FuncOp function;
  /// Null where the module has none.
  const Target *target;
  RemovedNodes &removed;
  OpBuilder builder;
  Location unknown;
  /// Values that are another value now; the rest stands for itself.
  DenseMap<Value, Value> physical;
  /// Types without their encodings.
  DenseMap<Type, Type> plainTypes;
  /// What has been built anew, in program order.
  llvm::SmallVector<Operation *, 0> replaced;
  /// Constants in other orders, each once: (constant, (from, to)).
  DenseMap<std::pair<Value, std::pair<Type, Type>>, Value> constants;
  /// What each constant has become.
  llvm::MapVector<Operation *, SmallVector<Operation *, 1>> storedConstants;
  /// Views that were created on the way.
  llvm::SmallVector<ReshapeOp, 0> views;
  /// Origins of the transposes that the function began with.
  DenseSet<OriginAttr> transposes;
  /// Nodes that have gone, unless a relayout stands for them.
  llvm::MapVector<OriginAttr, StringRef> gone;
  /// Origins that what relayouts have become bears.
  DenseSet<OriginAttr> claimed;
  llvm::SmallVector<MadeRelayout, 0> relayouts;
};
} // namespace

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

static bool isRowMajor(Type type) { return getStorageOrder(type).empty(); }

static bool isRowMajor(Operation *op) {
  auto test = [](Type type) { return isRowMajor(type); };
  return llvm::all_of(op->getOperandTypes(), test) &&
         llvm::all_of(op->getResultTypes(), test);
}

static InFlightDiagnostic emitNodeError(Operation *op) {
  return op->emitError() << "node '" << getNodeName(op) << "' ("
                         << getOnnxOpType(op) << "): ";
}

/// "NHWC, HWOI -> NHWC", for messages.
static std::string describeForm(Operation *op) {
  auto list = [](TypeRange types) {
    SmallVector<std::string> names;
    for (Type type : types) {
      std::string name = getOrderName(type);
      names.push_back(name.empty() ? "row-major" : name);
    }
    return llvm::join(names, ", ");
  };
  return list(op->getOperandTypes()) + " -> " + list(op->getResultTypes());
}

Value Materializer::lookup(Value value) const {
  auto it = physical.find(value);
  return it == physical.end() ? value : it->second;
}

//===----------------------------------------------------------------------===//
// Row-major operations
//===----------------------------------------------------------------------===//

/// Also terminators: they take whatever order their operands have.
void Materializer::updateInPlace(Operation *op) {
  if (!physical.empty())
    for (OpOperand &operand : op->getOpOperands())
      if (auto it = physical.find(operand.get()); it != physical.end())
        operand.set(it->second);
  for (OpResult result : op->getResults()) {
    auto ranked = dyn_cast<RankedTensorType>(result.getType());
    if (!ranked || !ranked.getEncoding())
      continue;
    Type &plain = plainTypes[ranked];
    if (!plain)
      plain = getPhysicalType(ranked);
    result.setType(plain);
  }
}

LogicalResult Materializer::visitConstant(ConstantOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  auto layout =
      type ? dyn_cast_if_present<LayoutAttr>(type.getEncoding()) : LayoutAttr();
  if (!layout)
    return success();
  TypedAttr value = getStoredAttr(op.getValue(), layout.getLayout());
  if (!value)
    return emitNodeError(op)
           << "constant cannot be stored as " << layout.getLayout().str();
  if (layout.getLayout().isRowMajor()) {
    op.setValueAttr(value);
    op.getResult().setType(cast<TensorType>(value.getType()));
    return success();
  }
  builder.setInsertionPoint(op);
  auto stored = builder.create<ConstantOp>(op.getLoc(), value.getType(), value);
  physical[op.getResult()] = stored.getResult();
  replaced.push_back(op);
  return success();
}

//===----------------------------------------------------------------------===//
// Relayouts
//===----------------------------------------------------------------------===//

/// The relayout of the first operand of `stored`; those of a constant are
/// shared.
Value Materializer::buildRelayoutOf(StoredOpBuilder &stored, Type from,
                                    Type to) {
  Value input = stored.getOperands()[0];
  if (!getConstantValue(input))
    return buildRelayout(stored, input, from, to);
  Value &shared = constants[{input, {from, to}}];
  if (shared)
    return shared;
  Value result = buildRelayout(stored, input, from, to);
  // Where it could not be folded it serves this place only.
  if (!result || result == input || !getConstantValue(result))
    return result;
  // Where groups share it, none of them has it.
  Operation *made = result.getDefiningOp();
  if (Operation *outside = getOutsideGroups(made); outside != made)
    made->moveBefore(outside);
  storedConstants[input.getDefiningOp()].push_back(result.getDefiningOp());
  return shared = result;
}

LogicalResult Materializer::visitRelayout(RelayoutOp op) {
  builder.setInsertionPoint(op);
  Operation *before = op->getPrevNode();
  StoredOpBuilder stored(builder, op, lookup(op.getInput()));
  Value result = buildRelayoutOf(stored, op.getInput().getType(), op.getType());
  if (!result)
    return emitNodeError(op) << "relayout " << describeForm(op)
                             << " depends on extents that are not known";
  physical[op.getResult()] = result;
  replaced.push_back(op);
  bool isConstant = bool(getConstantValue(result));
  relayouts.push_back(
      {isConstant ? nullptr : takeOver(op, before), isConstant, op.getLoc()});
  return success();
}

//===----------------------------------------------------------------------===//
// Subgraphs
//===----------------------------------------------------------------------===//

/// Makes the type of `value`, which control flow defines, physical. Those who
/// use it still see the encoding.
void Materializer::enterStored(Value value) {
  Type type = value.getType();
  if (isRowMajor(type)) {
    value.setType(getPhysicalType(type));
    return;
  }
  if (auto argument = dyn_cast<BlockArgument>(value))
    builder.setInsertionPointToStart(argument.getOwner());
  else
    builder.setInsertionPointAfterValue(value);
  auto cast = builder.create<UnrealizedConversionCastOp>(unknown, type, value);
  value.replaceAllUsesExcept(cast.getResult(0), cast);
  value.setType(getPhysicalType(type));
  physical[cast.getResult(0)] = value;
  replaced.push_back(cast);
}

namespace {
/// The values that pass through an operation with subgraphs unchanged, or slice
/// by slice; others are row-major.
class CarriedValues {
public:
  explicit CarriedValues(Operation *op) {
    if (auto transmit = dyn_cast<LayoutTransmitOpInterface>(op))
      flow = transmit.getControlFlow();
    for (const auto *flows : {&flow.entering, &flow.leaving})
      for (const ValueFlow &each : *flows) {
        carried.insert(each.from->get());
        carried.insert(each.to);
      }
    slicings = getSlicings(op);
    for (const Slicing &each : slicings) {
      carried.insert(each.from->get());
      carried.insert(each.to);
    }
  }

  bool areAlike() const {
    for (const auto *flows : {&flow.entering, &flow.leaving})
      for (const ValueFlow &each : *flows)
        if (getStorageOrder(each.from->get().getType()) !=
            getStorageOrder(each.to.getType()))
          return false;
    return llvm::all_of(slicings, [](const Slicing &each) {
      auto order =
          getSliceOrder(getStorageOrder(each.getWhole().getType()), each.axis);
      return order &&
             ArrayRef(*order) == getStorageOrder(each.getSlice().getType());
    });
  }

  bool areRowMajorElse(ValueRange values) const {
    return llvm::all_of(values, [&](Value value) {
      return carried.contains(value) || isRowMajor(value.getType());
    });
  }

private:
  ControlFlow flow;
  SmallVector<Slicing> slicings;
  DenseSet<Value> carried;
};
} // namespace

static LogicalResult checkRegions(Operation *op) {
  CarriedValues carried(op);
  if (!carried.areAlike())
    return emitNodeError(op)
           << "values that a subgraph takes, yields and returns in the same "
              "place must be stored alike, and slices as their whole";
  bool isValid = carried.areRowMajorElse(op->getOperands()) &&
                 carried.areRowMajorElse(op->getResults());
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      isValid &= carried.areRowMajorElse(block.getArguments());
      if (block.mightHaveTerminator())
        isValid &=
            carried.areRowMajorElse(block.getTerminator()->getOperands());
    }
  if (!isValid)
    return emitNodeError(op) << "only values that pass through its subgraphs "
                                "unchanged need not be row-major";
  return success();
}

/// Slices lie along other dimensions of what is stored in another order.
static void followSlicings(Operation *op) {
  for (const Slicing &each : getSlicings(op))
    for (auto [position, atom] :
         llvm::enumerate(getStorageOrder(each.getWhole().getType())))
      if (int64_t(atom.dim) == each.axis)
        setSlicedAxis(op, each, position);
}

LogicalResult Materializer::visitRegions(Operation *op) {
  if (failed(checkRegions(op)))
    return failure();
  followSlicings(op);
  op->setLoc(getStoredLoc(op));
  for (OpOperand &operand : op->getOpOperands())
    operand.set(lookup(operand.get()));
  for (Value result : op->getResults())
    enterStored(result);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Value argument : block.getArguments())
        enterStored(argument);
  return success();
}

//===----------------------------------------------------------------------===//
// Operations that are built anew
//===----------------------------------------------------------------------===//

/// Removes what stands between `before` and `op`.
static void eraseCreated(Operation *op, Operation *before) {
  while (op->getPrevNode() != before)
    op->getPrevNode()->erase();
}

static bool areSet(StoredOpBuilder &stored) {
  for (OpResult result : stored.getOperation()->getResults())
    if (!stored.getResults()[result.getResultNumber()] && !result.use_empty())
      return false;
  return true;
}

/// Whether the data of an operator for which the target has a rule lies as that
/// may say, but for the model's order only by dimensions of one element: ONNX's
/// operator would do, but it is the target's.
bool Materializer::isRunByTarget(Operation *op) const {
  if (!target || op->getNumOperands() == 0)
    return false;
  Type type = op->getOperand(0).getType();
  if (!target->findRule(getOnnxOpType(op), getElementWord(type)))
    return false;
  auto dims = getDimOrder(getStorageOrder(type));
  if (!dims || llvm::is_sorted(*dims))
    return false;
  llvm::erase_if(*dims, [&](unsigned dim) {
    return cast<RankedTensorType>(type).getDimSize(dim) == 1;
  });
  return llvm::is_sorted(*dims);
}

bool Materializer::buildItself(StoredOpBuilder &stored) {
  Operation *op = stored.getOperation();
  if (isRunByTarget(op) || !admitsStored(op, StoredForm::of(op)))
    return false;
  Operation *before = op->getPrevNode();
  if (succeeded(cast<StorageOpInterface>(op).buildStored(stored)) &&
      areSet(stored))
    return true;
  eraseCreated(op, before);
  return false;
}

LogicalResult Materializer::wrap(StoredOpBuilder &stored) {
  Operation *op = stored.getOperation();
  if (!target)
    return emitNodeError(op)
           << "ONNX has no operator for the storage orders " << describeForm(op)
           << ", a target is required to wrap it for";
  if (!admitsWrapped(op, StoredForm::of(op)))
    return emitNodeError(op) << "storage orders " << describeForm(op)
                             << " would let padding reach its results, or "
                                "depend on extents that are not known";
  Operation *before = op->getPrevNode();
  if (succeeded(wrapInLayout(stored, target->name)) && areSet(stored))
    return success();
  eraseCreated(op, before);
  return emitNodeError(op) << "storage orders " << describeForm(op)
                           << " depend on extents that are not known";
}

LogicalResult Materializer::visitStored(Operation *op) {
  builder.setInsertionPoint(op);
  Operation *before = op->getPrevNode();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(lookup(operand));
  StoredOpBuilder stored(builder, op, operands);
  if (!buildItself(stored) && failed(wrap(stored)))
    return failure();
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(), stored.getResults()))
    if (value)
      physical[result] = value;
  replaced.push_back(op);
  if (Operation *heir = takeOver(op, before))
    heir->setLoc(getStoredLoc(op));
  else
    noteGone(op->getLoc(), storedAlike);
  return success();
}

/// The one of the operations between `before` and `op`, which were created for
/// it, that inherits its origin: the last of its own kind, else the last. Null
/// where there are none.
Operation *Materializer::takeOver(Operation *op, Operation *before) {
  Operation *last = nullptr, *kin = nullptr;
  for (Operation *each = op->getPrevNode(); each != before;
       each = each->getPrevNode()) {
    bool isKin = each->getName() == op->getName() ||
                 (isa<RelayoutOp>(op) && isa<TransposeOp>(each));
    last = last ? last : each;
    kin = kin || !isKin ? kin : each;
    each->setLoc(unknown);
    if (auto view = dyn_cast<ReshapeOp>(each))
      views.push_back(view);
  }
  return kin ? kin : last;
}

//===----------------------------------------------------------------------===//
// Origins
//===----------------------------------------------------------------------===//

void Materializer::noteGone(Location loc, StringRef reason) {
  for (OriginAttr origin : getOrigins(loc))
    gone.insert({origin, reason});
}

/// The origins of `loc` that nothing else bears.
SmallVector<Location> Materializer::claimOrigins(Location loc) {
  SmallVector<Location> own;
  for (OriginAttr origin : getOrigins(loc)) {
    bool isElsewhere = transposes.contains(origin) && !gone.contains(origin);
    if (!isElsewhere && claimed.insert(origin).second)
      own.push_back(getOriginLoc(origin));
  }
  return own;
}

/// A relayout that stands for a transpose of the model bears its name, unless
/// the transpose itself is still there or another relayout has it.
void Materializer::nameRelayouts() {
  for (const MadeRelayout &made : relayouts) {
    if (!made.op)
      continue;
    SmallVector<Location> own = claimOrigins(made.loc);
    if (!own.empty())
      made.op->setLoc(mergeLocs(function.getContext(), own));
  }
  for (const MadeRelayout &made : relayouts)
    if (!made.op)
      for (OriginAttr origin : getOrigins(made.loc))
        if (!transposes.contains(origin))
          gone.insert({origin, made.isConstant ? "computed at compile time"
                                               : storedAlike});
  for (auto [origin, reason] : gone)
    if (!claimed.contains(origin))
      removed.add(origin, reason);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

LogicalResult Materializer::visit(Operation *op) {
  if (auto constant = dyn_cast<ConstantOp>(op))
    return visitConstant(constant);
  if (auto relayout = dyn_cast<RelayoutOp>(op))
    return visitRelayout(relayout);
  if (op->getNumRegions() != 0)
    return visitRegions(op);
  if (!op->hasTrait<OpTrait::IsTerminator>() && !isRowMajor(op))
    return visitStored(op);
  updateInPlace(op);
  return success();
}

void Materializer::finish() {
  for (Operation *op : llvm::reverse(replaced))
    op->erase();
  // The first of a constant's other forms inherits its name.
  for (auto &[constant, others] : storedConstants) {
    if (!constant->use_empty())
      continue;
    others.front()->setLoc(constant->getLoc());
    constant->erase();
  }
  nameRelayouts();
  mergeViews(views, removed);
  hoistConstants(function.getBody());
  Block &body = function.getBody().front();
  function.setFunctionType(
      FunctionType::get(function.getContext(), body.getArgumentTypes(),
                        body.getTerminator()->getOperandTypes()));
}

LogicalResult Materializer::run() {
  if (failed(storeSignature(function)))
    return failure();
  llvm::SmallVector<Operation *, 0> order;
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    order.push_back(op);
    if (isa<TransposeOp>(op))
      for (OriginAttr origin : getOrigins(op->getLoc()))
        transposes.insert(origin);
  });
  for (Value argument : function.getArguments())
    enterStored(argument);
  for (Operation *op : order)
    if (failed(visit(op)))
      return failure();
  finish();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct MaterializeLayoutsPass final
    : inlay::impl::MaterializeLayoutsBase<MaterializeLayoutsPass> {
  using MaterializeLayoutsBase::MaterializeLayoutsBase;

  void runOnOperation() override {
    if (isModuleFinished(getOperation()))
      return;
    std::shared_ptr<const Target> target;
    if (llvm::Error error = readTarget(target)) {
      (void)reportError(getOperation(), std::move(error));
      return signalPassFailure();
    }
    RemovedNodes removed;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isDeclaration())
        continue;
      if (!function.getBody().hasOneBlock()) {
        function.emitError("function '")
            << function.getName() << "' has several blocks, a graph has one";
        return signalPassFailure();
      }
      if (failed(Materializer(function, target.get(), removed).run()))
        return signalPassFailure();
    }
    removed.write(getOperation());
  }

private:
  /// Sets the module's target; null where it has none.
  llvm::Error readTarget(std::shared_ptr<const Target> &target) {
    if (!hasTarget(getOperation()))
      return llvm::Error::success();
    auto known = getTarget(getOperation());
    if (!known)
      return known.takeError();
    target = std::move(*known);
    return llvm::Error::success();
  }
};
} // namespace
