//===- EmitKernel.cpp - The template of a step ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpandedStep.h"
#include "IndexMaps.h"
#include "OpenDims.h"
#include "RunTimeParameters.h"
#include "Templates.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace inlay;
using namespace mlir;

namespace {
struct NamedTemplate {
  Template emit;
  StringLiteral name;
  /// Whether products and sums that a composite operator consists of are fused.
  bool fusesProducts = false;
  /// Whether the outermost loop walks the first dimension of results.
  bool startsWithFirst = false;
};
} // namespace

/// In the order in which they are asked.
static constexpr NamedTemplate templates[] = {
    {emitUpsamples, "upsample"},
    {emitElements, "elements", /*fusesProducts=*/false,
     /*startsWithFirst=*/true},
    {emitRows, "rows", /*fusesProducts=*/true, /*startsWithFirst=*/true},
    {emitLanes, "lanes"},
    {emitScatter, "scatter"}};

/// Rounds once where a product is added to something. What a composite operator
/// computes has no roundings that somebody has asked for, unlike an Add behind
/// a Mul; a normalisation has a product and a sum in two of its three passes.
static void fuseProducts(func::FuncOp function) {
  function.walk([](arith::AddFOp op) {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return;
    for (auto [own, other] : {std::pair(op.getLhs(), op.getRhs()),
                              std::pair(op.getRhs(), op.getLhs())}) {
      auto product = own.getDefiningOp<arith::MulFOp>();
      if (!product || !product->hasOneUse())
        continue;
      OpBuilder builder(op);
      Value fused = builder.create<math::FmaOp>(op.getLoc(), product.getLhs(),
                                                product.getRhs(), other);
      op.replaceAllUsesWith(fused);
      op.erase();
      product.erase();
      return;
    }
  });
}

/// The part of so many turns that each element of a length needs, where the
/// outermost loop walks it; else all are run, as where it is one of the loops
/// that elements meet in, which are inside of others.
static KernelCode::OpenTurns
findOpenTurns(const KernelBody &body, const OpenDims *open, int64_t extent) {
  if (!open || extent == 0 || body.results.empty() ||
      llvm::any_of(body.ops, [&](Operation *op) { return open->meets(op); }))
    return {};
  auto getFirst = [&](Value value) {
    return open->isOutermost(value)
               ? std::optional(open->getNumber(value, open->get(value).front()))
               : std::nullopt;
  };
  std::optional<unsigned> number = getFirst(body.results.front());
  if (!number || !llvm::all_of(body.results, [&](Value value) {
        return getFirst(value) == number;
      }))
    return {};
  int64_t length = open->getLengths()[*number].largest;
  if (extent % length == 0)
    return {1, extent / length, *number};
  return length % extent == 0
             ? KernelCode::OpenTurns{length / extent, 1, *number}
             : KernelCode::OpenTurns();
}

/// `isExpanded`: the body is what a composite operator consists of.
static std::optional<KernelCode>
askEach(const KernelBody &body, const TemplateTarget &target, bool isExpanded) {
  for (const NamedTemplate &own : templates)
    if (std::optional<TemplateLoops> loops = own.emit(body, target)) {
      ModuleOp module = target.module;
      if (isExpanded && own.fusesProducts)
        fuseProducts(module.lookupSymbol<func::FuncOp>(target.name));
      KernelCode code{target.name.str(), body.reads, body.results,
                      loops->turns,      {},         own.name};
      if (loops->endAtLengths)
        code.looksBehind = KernelCode::Behind::None;
      if (own.startsWithFirst)
        code.open = findOpenTurns(body, target.open, loops->turns);
      return code;
    }
  if (std::optional<KernelCode> code = emitWindows(body, target))
    return code;
  if (std::optional<KernelCode> code = emitAttention(body, target))
    return code;
  std::string reason;
  std::optional<KernelCode> code = emitWinograd(body, target, reason);
  if (!code)
    code = emitContraction(body, target);
  if (code)
    code->reason = std::move(reason);
  return code;
}

/// What has to be checked before the kernel runs.
static SmallVector<KernelCode::Indices, 0> getIndices(const KernelBody &body) {
  SmallVector<KernelCode::Indices, 0> all;
  for (Operation *op : body.ops)
    if (std::optional<IndexOperand> own = getIndexOperand(op)) {
      Value tensor = body.resolve(own->indices);
      if (body.isRead(tensor))
        all.push_back({body.getReadNumber(tensor), own->extents});
    }
  return all;
}

static std::optional<KernelCode> askTemplates(const KernelBody &body,
                                              const TemplateTarget &target,
                                              bool isExpanded) {
  std::optional<KernelCode> code = askEach(body, target, isExpanded);
  if (code) {
    code->indices = getIndices(body);
    llvm::append_range(code->lengths, body.lengths);
  }
  return code;
}

/// The code of what a step expands to.
static std::optional<KernelCode>
emitExpanded(Operation *step, const TemplateTarget &target, ExpandedOps which) {
  auto expanded = ExpandedStep::get(step, which);
  // What is not the step's own parameter is not checked.
  if (!expanded ||
      (!hasRunTimeParameters(step) &&
       llvm::any_of(expanded->getBody().ops, hasRunTimeParameters)))
    return std::nullopt;
  auto code = askTemplates(expanded->getBody(), target, /*isExpanded=*/true);
  if (code) {
    code->reads.assign(expanded->getReads().begin(),
                       expanded->getReads().end());
    code->results.assign(expanded->getResults().begin(),
                         expanded->getResults().end());
    // Nobody knows the lengths of what a step expands to.
    code->looksBehind = KernelCode::Behind::All;
  }
  return code;
}

/// The lengths that results of operators have, and what they reduce.
static SmallVector<unsigned> getLengths(const KernelBody &body,
                                        const OpenDims &open) {
  SmallVector<unsigned> all;
  auto add = [&](Value value) {
    for (unsigned dim : open.get(value))
      if (!llvm::is_contained(all, open.getNumber(value, dim)))
        all.push_back(open.getNumber(value, dim));
  };
  for (Operation *op : body.ops) {
    llvm::for_each(op->getResults(), add);
    if (op->getNumOperands() != 0)
      add(op->getOperand(0));
  }
  return all;
}

std::optional<KernelCode> inlay::emitKernel(Operation *step, ModuleOp module,
                                            StringRef name,
                                            const CodeTarget &own) {
  std::optional<KernelBody> body = KernelBody::get(step);
  if (!body || body->results.empty())
    return std::nullopt;
  // Nobody checks those of operators in a kernel.
  if (step->getNumRegions() != 0 &&
      llvm::any_of(body->ops, hasRunTimeParameters))
    return std::nullopt;
  if (own.open) {
    body->open = own.open;
    body->lengths = getLengths(*body, *own.open);
  }
  TemplateTarget target{module, name, own.unit, own.choices.winograd, own.open};
  if (auto code = askTemplates(*body, target, /*isExpanded=*/false))
    return code;
  SmallVector<ExpandedOps> ways = {ExpandedOps::ButElements, ExpandedOps::All};
  if (llvm::any_of(body->ops, [](Operation *op) { return isa<SoftmaxOp>(op); }))
    ways.insert(ways.begin(), ExpandedOps::ButSoftmax);
  for (ExpandedOps which : ways)
    if (auto code = emitExpanded(step, target, which))
      return code;
  return std::nullopt;
}

bool inlay::hasKernelCode(Operation *step, const CodeTarget &target) {
  OwningOpRef<ModuleOp> code = ModuleOp::create(step->getLoc());
  return emitKernel(step, *code, "kernel", target).has_value();
}
