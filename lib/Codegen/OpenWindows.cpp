//===- OpenWindows.cpp - Windows along open lengths -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpenWindows.h"
#include "Reductions.h"
#include "inlay/IR/GroupKind.h"
#include "inlay/IR/Windows.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Elements behind the operand that the last window may have beyond what is
/// padded.
static int64_t getExcess(Operation *op, const WindowDim &dim) {
  auto pool = dyn_cast<MaxPoolOp>(op);
  return pool && pool.getCeilMode() != 0 ? dim.stride - 1 : 0;
}

/// Whether windows lie alike for all extents: what is padded does not follow
/// from them, and the last window begins in the operand.
static bool areAlike(Operation *op, ArrayRef<WindowDim> dims) {
  auto isFixed = [](StringRef text) {
    auto own = getAutoPad(text);
    if (!own)
      llvm::consumeError(own.takeError());
    return own && (*own == AutoPad::NotSet || *own == AutoPad::Valid);
  };
  bool beginInside = llvm::all_of(dims, [&](const WindowDim &dim) {
    return getExcess(op, dim) == 0 ||
           dim.end + dim.stride <= dim.getReach() + 1;
  });
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](MaxPoolOp own) {
        return beginInside && isFixed(own.getAutoPad());
      })
      .Case([&](AveragePoolOp own) {
        return own.getCeilMode() == 0 && isFixed(own.getAutoPad());
      })
      .Case([&](ConvOp own) { return isFixed(own.getAutoPad()); })
      .Default(false);
}

static std::optional<SmallVector<WindowDim>> getAlikeDims(Operation *op) {
  auto dims = getWindowDims(op);
  return dims && areAlike(op, *dims) ? std::move(dims) : std::nullopt;
}

std::optional<OpenDims::Length> inlay::getFollowing(Operation *op, unsigned dim,
                                                    unsigned from) {
  auto dims = getAlikeDims(op);
  if (!dims || dim < 2)
    return std::nullopt;
  const WindowDim &own = (*dims)[dim - 2];
  int64_t room = own.begin + own.end + getExcess(op, own) - own.getReach() - 1;
  return OpenDims::Length{0, from, room + own.stride, own.stride};
}

bool inlay::hasWindowsOfOne(Operation *op) {
  auto dims = getAlikeDims(op);
  return dims && llvm::all_of(*dims, [](const WindowDim &dim) {
           return dim.kernel == 1 && dim.begin == 0 && dim.end == 0;
         });
}

//===----------------------------------------------------------------------===//
// What changes nothing
//===----------------------------------------------------------------------===//

using Borders = decltype(KernelCode::Clear::borders);

namespace {
/// What an operator's operand is to be behind lengths, and how far by length.
struct Behind {
  enum Fill : uint8_t { Zero, Lowest, Highest } fill;
  Borders borders = Borders();
};
} // namespace

static void addBorder(Borders &borders, unsigned length, int64_t border) {
  int64_t &own = borders[length];
  own = std::max(own, border);
}

static bool areAllZero(const Borders &borders) {
  return llvm::all_of(borders, [](auto own) { return own.second == 0; });
}

/// A mean that leaves out what is padded would count what lies there.
static bool countsAlike(Operation *op, ArrayRef<WindowDim> dims) {
  auto pool = dyn_cast<AveragePoolOp>(op);
  return !pool || pool.getCountIncludePad() != 0 ||
         llvm::all_of(dims, [](const WindowDim &dim) {
           return dim.begin == 0 && dim.end == 0;
         });
}

/// No window of the run begins where one would look further than what is padded
/// at the end; windows of a tile are computed of all that it looks at.
static std::optional<Behind>
getBehindWindow(Operation *op, const KernelCode &code, const OpenDims &open) {
  auto dims = getAlikeDims(op);
  auto most = dyn_cast<MaxPoolOp>(op);
  // Places are counted by extents.
  if (!dims || !countsAlike(op, *dims) ||
      (most && !most.getIndices().use_empty()))
    return std::nullopt;
  Behind behind = {most ? Behind::Lowest : Behind::Zero};
  Value input = op->getOperand(0);
  for (unsigned dim : open.get(input)) {
    bool endsAtLength =
        code.looksBehind == KernelCode::Behind::Last && dim != dims->size() + 1;
    if (dim < 2 || endsAtLength)
      continue;
    const WindowDim &own = (*dims)[dim - 2];
    addBorder(behind.borders, open.getNumber(input, dim),
              own.end + getExcess(op, own) + code.outputsOfTile);
  }
  return behind;
}

/// The lengths of what a reduction makes one of.
static SmallVector<unsigned> getReducedLengths(const Reduction &reduction,
                                               const OpenDims &open) {
  SmallVector<unsigned> all;
  for (unsigned dim : open.get(reduction.getOperand()))
    if (llvm::is_contained(reduction.getDims(), int64_t(dim)))
      all.push_back(open.getNumber(reduction.getOperand(), dim));
  return all;
}

static std::optional<Behind> getBehind(Operation *op, const KernelCode &code,
                                       const OpenDims &open) {
  if (op->getNumOperands() == 0 ||
      !isa<FloatType>(getElementTypeOrSelf(op->getOperand(0).getType())))
    return std::nullopt;
  std::optional<Reduction> reduction = Reduction::get(op);
  if (!reduction)
    return getBehindWindow(op, code, open);
  std::optional<double> neutral = reduction->getNeutralElement();
  if (!neutral)
    return std::nullopt;
  auto fill = *neutral == 0  ? Behind::Zero
              : *neutral < 0 ? Behind::Lowest
                             : Behind::Highest;
  Behind behind = {fill};
  for (unsigned length : getReducedLengths(*reduction, open))
    addBorder(behind.borders, length, open.getLengths()[length].largest);
  return behind;
}

/// The bits of a number of a float type.
static uint32_t getBits(Behind::Fill fill, FloatType type) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  APFloat value = fill == Behind::Zero
                      ? APFloat::getZero(semantics)
                      : APFloat::getInf(semantics, fill == Behind::Lowest);
  return uint32_t(value.bitcastToAPInt().getZExtValue());
}

//===----------------------------------------------------------------------===//
// What a step reads
//===----------------------------------------------------------------------===//

/// Whether an operation has elements of its first operand in another order or
/// shape, and no others.
static bool isMoved(Operation *op) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  return fusion &&
         (isa<TransposeOp>(op) || fusion.getFusionClass() == FusionClass::View);
}

/// What a value of a body is read as, if it only has elements in another order
/// or shape.
static Value findRead(const KernelBody &body, Value value) {
  while (true) {
    value = body.resolve(value);
    if (body.isRead(value))
      return value;
    Operation *op = value.getDefiningOp();
    if (!op || !isMoved(op))
      return {};
    value = op->getOperand(0);
  }
}

/// Whether the code of a mean divides by the lengths of a run.
static bool dividesByLengths(Operation *op, const KernelCode &code,
                             const OpenDims &open) {
  std::optional<Reduction> reduction = Reduction::get(op);
  return !reduction || !reduction->isMean() ||
         llvm::all_of(getReducedLengths(*reduction, open),
                      [&](unsigned number) {
                        return llvm::is_contained(code.lengths, number);
                      });
}

/// False where another operator needs something else there.
static bool addClear(SmallVector<KernelCode::Clear, 0> &clears,
                     const KernelCode::Clear &clear) {
  for (KernelCode::Clear &own : clears) {
    if (own.read != clear.read)
      continue;
    for (auto [length, border] : clear.borders)
      addBorder(own.borders, length, border);
    return own.bits == clear.bits;
  }
  clears.push_back(clear);
  return true;
}

//===----------------------------------------------------------------------===//
// What is computed in front of windows
//===----------------------------------------------------------------------===//

/// What a group computes for a window; null where that reads from outside.
static Operation *findComputed(GroupOp group, Value value) {
  while (true) {
    Operation *op = value.getDefiningOp();
    if (!op) {
      auto inLayout =
          dyn_cast<InLayoutOp>(value.getParentBlock()->getParentOp());
      if (!inLayout)
        return nullptr;
      value = inLayout.getInputs()[cast<BlockArgument>(value).getArgNumber()];
      continue;
    }
    if (!group->isProperAncestor(op))
      return nullptr;
    if (!isMoved(op))
      return group.getBody().front().findAncestorOpInBlock(*op);
    value = op->getOperand(0);
  }
}

/// Takes an operation out of its group, with all that it needs there.
static void takeOut(GroupOp group, Operation *last) {
  llvm::SmallPtrSet<Operation *, 8> taken = {last};
  SmallVector<Operation *> pending = {last};
  while (!pending.empty())
    for (Value operand : pending.pop_back_val()->getOperands())
      if (Operation *op = operand.getDefiningOp();
          op && op->getBlock() == last->getBlock() && taken.insert(op).second)
        pending.push_back(op);
  Block &body = group.getBody().front();
  for (auto [result, value] : llvm::zip_equal(
           group->getResults(), body.getTerminator()->getOperands()))
    if (taken.contains(value.getDefiningOp()))
      result.replaceAllUsesWith(value);
  for (Operation &op : llvm::make_early_inc_range(body))
    if (taken.contains(&op))
      op.moveBefore(group);
}

void inlay::splitAtWindows(func::FuncOp graph, const OpenDims &open) {
  graph.walk([&](GroupOp group) {
    if (getKind(group) != GroupKind::Kernel)
      return;
    for (Operation *op : open.getMeetings(group))
      if (getBehind(op, KernelCode(), open))
        if (Operation *computed = findComputed(group, op->getOperand(0)))
          takeOut(group, computed);
  });
}

//===----------------------------------------------------------------------===//
// What is cleared
//===----------------------------------------------------------------------===//

std::optional<SmallVector<KernelCode::Clear, 0>>
inlay::getClears(Operation *step, const KernelCode &code,
                 const OpenDims &open) {
  std::optional<KernelBody> body = KernelBody::get(step);
  SmallVector<KernelCode::Clear, 0> clears;
  if (code.looksBehind == KernelCode::Behind::None)
    return clears;
  for (Operation *op : open.getMeetings(step)) {
    std::optional<Behind> behind = getBehind(op, code, open);
    if (behind && areAllZero(behind->borders))
      continue;
    Value read = body && behind ? findRead(*body, op->getOperand(0)) : Value();
    auto place = llvm::find(code.reads, read);
    if (!read || place == code.reads.end() ||
        read.getDefiningOp<ConstantOp>() || !dividesByLengths(op, code, open))
      return std::nullopt;
    auto type = cast<FloatType>(getElementTypeOrSelf(read.getType()));
    if (type.getWidth() > 32 ||
        !addClear(clears, {unsigned(place - code.reads.begin()),
                           getBits(behind->fill, type), behind->borders}))
      return std::nullopt;
  }
  return clears;
}
