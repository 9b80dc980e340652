//===- ShapedStep.cpp - Steps whose sizes are known when they run ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapedStep.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/FusionFacts.h"
#include "inlay/IR/Kernels.h"
#include "inlay/IR/TypeInference.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace inlay;
using namespace mlir;

/// Programs that are kept: each has packed weights of its own.
static constexpr size_t maxPrograms = 3;

/// What an unknown extent is when it is tried whether there is code.
static constexpr int64_t triedExtent = 7;

static bool isStatic(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return ranked && ranked.hasStaticShape();
}

/// One product, alone or in a kernel, that does not say its size.
static bool isCandidate(Operation *op) {
  FusionClass kind = getFusionClass(op);
  if (auto group = dyn_cast<GroupOp>(op); group && group.getKernelAttr())
    kind = group.getKernelAttr().getNest().kind;
  return kind == FusionClass::Contraction &&
         !llvm::all_of(op->getResultTypes(), isStatic);
}

/// Types as they follow from those of the operands; a group's from the inside.
static bool inferTypes(Operation *op) {
  if (auto group = dyn_cast<GroupOp>(op)) {
    for (Operation &inner : group.getBody().front().without_terminator())
      if (!inferTypes(&inner))
        return false;
    for (auto [result, value] :
         llvm::zip_equal(op->getResults(), group.getYielded()))
      result.setType(value.getType());
    updateKernels(group);
    return true;
  }
  return succeeded(refineResultTypes(op)) &&
         llvm::all_of(op->getResultTypes(), isStatic);
}

OwningOpRef<ModuleOp>
ShapedStep::specialise(ArrayRef<ArrayRef<int64_t>> shapes) const {
  OwningOpRef<ModuleOp> module = ModuleOp::create(op->getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  SmallVector<Type> types;
  for (auto [value, shape] : llvm::zip_equal(reads, shapes))
    types.push_back(
        RankedTensorType::get(shape, getElementTypeOrSelf(value.getType())));
  auto function = builder.create<func::FuncOp>(
      op->getLoc(), "step", builder.getFunctionType(types, {}));
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  IRMapping mapping;
  mapping.map(reads, entry->getArguments());
  auto group = dyn_cast<GroupOp>(op);
  for (Value input :
       group ? group.getInputs() : SmallVector<Value>(op->getOperands()))
    if (auto constant = input.getDefiningOp<ConstantOp>();
        constant && !mapping.contains(input))
      mapping.map(input, builder.clone(*constant)->getResult(0));
  Operation *copy = builder.clone(*op, mapping);
  // Shapes that do not fit are the reference's to complain about.
  ScopedDiagnosticHandler silence(op->getContext(), [](Diagnostic &) {});
  if (!inferTypes(copy))
    return nullptr;
  builder.create<func::ReturnOp>(op->getLoc(), copy->getResults());
  function.setFunctionType(
      builder.getFunctionType(types, copy->getResultTypes()));
  return module;
}

std::shared_ptr<ShapedStep> ShapedStep::get(Operation *op,
                                            const NativeOptions &options) {
  if (!isCandidate(op))
    return nullptr;
  std::shared_ptr<ShapedStep> step(new ShapedStep(op, options));
  auto group = dyn_cast<GroupOp>(op);
  std::vector<SmallVector<int64_t>> tried;
  for (Value input :
       group ? group.getInputs() : SmallVector<Value>(op->getOperands())) {
    if (input.getDefiningOp<ConstantOp>() ||
        llvm::is_contained(step->reads, input))
      continue;
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (!type)
      return nullptr;
    step->reads.push_back(input);
    tried.emplace_back(type.getShape());
    for (int64_t &extent : tried.back())
      if (ShapedType::isDynamic(extent))
        extent = triedExtent;
  }
  OwningOpRef<ModuleOp> module = step->specialise(
      SmallVector<ArrayRef<int64_t>>(tried.begin(), tried.end()));
  if (!module)
    return nullptr;
  OwningOpRef<ModuleOp> code = ModuleOp::create(op->getLoc());
  auto function = *module->getOps<func::FuncOp>().begin();
  for (Operation &own : function.getBody().front().without_terminator())
    if (!isa<ConstantOp>(own) &&
        !emitKernel(&own, *code, "kernel", options.getTarget()))
      return nullptr;
  return step;
}

llvm::Expected<SmallVector<HostTensor>>
ShapedStep::run(ArrayRef<HostTensor> tensors, StepObserver *observer) {
  std::vector<HostTensor::Shape> shapes;
  for (const HostTensor &tensor : tensors)
    shapes.emplace_back(tensor.getShape().begin(), tensor.getShape().end());
  auto known = llvm::find_if(
      entries, [&](const auto &entry) { return entry->shapes == shapes; });
  if (known == entries.end()) {
    OwningOpRef<ModuleOp> module = specialise(
        SmallVector<ArrayRef<int64_t>>(shapes.begin(), shapes.end()));
    // What it would say is the reference's to say.
    if (!module)
      return SmallVector<HostTensor>();
    auto program = NativeProgram::compile(*module, options);
    if (!program)
      return program.takeError();
    entries.insert(entries.begin(), std::make_unique<Entry>(Entry{
                                        std::move(shapes), std::move(module),
                                        std::move(*program)}));
    // Who looks on may have kept steps.
    if (entries.size() > maxPrograms && !observer)
      entries.pop_back();
  } else {
    std::rotate(entries.begin(), known, known + 1);
  }
  return entries.front()->program.run(
      tensors, observer && observer->looksInside() ? observer : nullptr);
}
