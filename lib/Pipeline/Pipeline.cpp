//===- Pipeline.cpp - What is done to a model, in order -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Pipeline.h"
#include "inlay/Pipeline/Backend.h"
#include "inlay/Pipeline/LayoutPasses.h"
#include "inlay/Pipeline/Passes.h"
#include "inlay/Support/Error.h"
#include "inlay/Transforms/Hardware/Passes.h"
#include "inlay/Transforms/Kernels/Passes.h"
#include "inlay/Transforms/Rewrite/Passes.h"

using namespace inlay;
using namespace mlir;

namespace {
class PipelineBuilder {
public:
  PipelineBuilder(OpPassManager &passes, const PipelineOptions &options,
                  const Target &target)
      : passes(passes), options(options), target(target) {}

  void build(Phase phase);

private:
  /// What a phase consists of; false when there is nothing to do.
  bool hasWork(Phase phase) const;
  void addPasses(Phase phase);

  void simplify();
  void simplifyLowered();
  void rewrite();
  void openElementwise();
  void legalize();
  void chooseLayouts();
  void makeGroups();
  void storeTensors();
  void makeKernels();
  void expand();
  void lower();

  bool isGrouped() const { return hasGroups(target, options.fusion); }
  bool isOnnx() const { return options.emit == EmitKind::Onnx; }

  OpPassManager &passes;
  const PipelineOptions &options;
  const Target &target;
};
} // namespace

bool PipelineBuilder::hasWork(Phase phase) const {
  switch (phase) {
  case Phase::Simplify:
  case Phase::Legalize:
  case Phase::Layouts:
    return true;
  case Phase::Rewrite:
    return !options.rewrites.isNone();
  case Phase::Groups:
  case Phase::Storage:
    return isGrouped();
  case Phase::Kernels:
    return options.kernels.isEnabled;
  case Phase::Expand:
    return options.expandAll || !options.expand.empty();
  case Phase::Lower:
    return isOnnx();
  case Phase::Outline:
    return options.emit == EmitKind::Mlir;
  case Phase::Backend:
    return options.emit == EmitKind::Backend;
  }
  llvm_unreachable("no such phase");
}

void PipelineBuilder::addPasses(Phase phase) {
  switch (phase) {
  case Phase::Simplify:
    return simplify();
  case Phase::Rewrite:
    return rewrite();
  case Phase::Legalize:
    return legalize();
  case Phase::Layouts:
    return chooseLayouts();
  case Phase::Groups:
    return makeGroups();
  case Phase::Storage:
    return storeTensors();
  case Phase::Kernels:
    return makeKernels();
  case Phase::Expand:
    return expand();
  case Phase::Lower:
    return lower();
  case Phase::Outline:
    passes.addPass(createOutlineGroups());
    return passes.addPass(createCheckModule());
  case Phase::Backend:
    return BackendRegistry::get()
        .find(options.backend)
        ->addPasses(passes, getBackendSection(target, options.backend));
  }
}

void PipelineBuilder::build(Phase phase) {
  options.callbacks.runBefore(phase, passes);
  if (hasWork(phase)) {
    passes.addPass(createEnterPhase({phase}));
    addPasses(phase);
  }
  options.callbacks.runAfter(phase, passes);
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

void PipelineBuilder::simplify() {
  if (options.simplify)
    passes.addPass(createSimplify(options.simplifyOptions));
  passes.addPass(createCheckModule());
}

/// Parts of what an operator was lowered to may be constant.
void PipelineBuilder::simplifyLowered() {
  if (!options.simplify)
    return;
  SimplifyOptions own = options.simplifyOptions;
  own.onlyIfNeeded = true;
  passes.addPass(createSimplify(own));
}

void PipelineBuilder::rewrite() {
  RewriteGraphOptions own;
  own.rewrites = formatRewrites(options.rewrites);
  if (isOnnx())
    own.use = options.kernels.isEnabled ? RewritePurpose::Kernels
                                        : RewritePurpose::Onnx;
  passes.addPass(createRewriteGraph(own));
  simplify();
  // A rewrite may make an operator that the model's opset lacks, which is
  // written as what it consists of. Layouts and groups must be chosen for that,
  // so it is expanded here, in front of them. Where kernels are made the
  // operator stays whole, to end inside of one, and is expanded at the end.
  if (isOnnx() && !options.kernels.isEnabled)
    lower();
  if (options.emit == EmitKind::Native)
    openElementwise();
}

/// Operators that the target has layouts for would be kernels by themselves,
/// as each is in a layout of its own. Those that compute element by element,
/// such as a normalisation by constants, are opened, so that any kernel takes
/// them, and the storage of their constants is known now.
void PipelineBuilder::openElementwise() {
  std::vector<std::string> names;
  for (const OpLayout &layout : target.layouts)
    if (!llvm::is_contained(names, layout.op))
      names.push_back(layout.op);
  ExpandCompositesOptions own;
  own.also = names;
  own.onlyNamed = true;
  own.elementwise = true;
  own.replace = true;
  passes.addNestedPass<func::FuncOp>(createExpandComposites(own));
  simplify();
}

void PipelineBuilder::legalize() {
  // What was compiled for this target stays as it is, unless its inputs or
  // outputs are to be stored otherwise.
  if (options.layouts.ioLayouts.empty())
    passes.addPass(createKeepGroups());
  LegalizeOptions own;
  own.strict = options.fusion.isStrict;
  own.emitRemarks = false;
  own.record = true;
  passes.addNestedPass<func::FuncOp>(createLegalize(own));
}

void PipelineBuilder::chooseLayouts() {
  // Groups are chosen while tensors still have the names of their axes.
  if (!isGrouped())
    return addSettleLayouts(passes, target, options.layouts, options.simplify,
                            options.simplifyOptions.foldLimit);
  addLayoutTransmit(passes, RankOptions(target));
  addStorageChoice(passes, options.layouts);
}

void PipelineBuilder::makeGroups() {
  FuseHardwareOptions own;
  own.strategy = *options.fusion.strategy;
  own.strict = options.fusion.isStrict;
  own.once = true;
  own.record =
      options.fusion.explains ? RecordDetail::All : RecordDetail::Totals;
  passes.addNestedPass<func::FuncOp>(createFuseHardware(own));
}

void PipelineBuilder::storeTensors() {
  passes.addPass(createMaterializeLayouts());
  passes.addPass(createCheckModule());
  simplify();
  passes.addNestedPass<func::FuncOp>(createMeasureGroups());
}

void PipelineBuilder::makeKernels() {
  ExpandCompositesOptions expansion;
  expansion.native = target.kernels.native;
  passes.addNestedPass<func::FuncOp>(createExpandComposites(expansion));
  PlanKernelsOptions own;
  own.strategy = options.kernels.strategy;
  own.record =
      options.kernels.describes ? RecordDetail::All : RecordDetail::Totals;
  passes.addNestedPass<func::FuncOp>(createPlanKernels(own));
  passes.addNestedPass<func::FuncOp>(createReconstruct());
  // What was copied into kernels may be simpler there.
  simplify();
}

void PipelineBuilder::expand() {
  ExpandCompositesOptions own;
  own.all = options.expandAll;
  own.also = options.expand;
  own.onlyNamed = true;
  own.replace = true;
  passes.addNestedPass<func::FuncOp>(createExpandComposites(own));
  passes.addPass(createCheckModule());
}

void PipelineBuilder::lower() {
  passes.addPass(createLowerOpset());
  simplifyLowered();
}

//===----------------------------------------------------------------------===//
// The pipeline
//===----------------------------------------------------------------------===//

llvm::Error inlay::checkPipeline(const PipelineOptions &options,
                                 const Target &target) {
  if (llvm::Error error = checkStrict(target, options.fusion))
    return error;
  if (options.emit == EmitKind::Native &&
      !(target.machine && target.machine->cpu))
    return usageError("target '" + target.name +
                      "' says no 'cpu' in a section 'machine', which machine "
                      "code needs; -t cpu does");
  return options.emit == EmitKind::Backend
             ? checkBackend(options.backend, target)
             : llvm::Error::success();
}

void inlay::buildInlayPipeline(OpPassManager &passes,
                               const PipelineOptions &options,
                               const Target &target, PhaseRange range) {
  if (range.first == Phase::Simplify)
    passes.addPass(createSetTarget({options.layouts.target}));
  PipelineBuilder builder(passes, options, target);
  for (Phase phase : allPhases)
    if (range.contains(phase))
      builder.build(phase);
}

llvm::Error inlay::buildInlayPipeline(OpPassManager &passes,
                                      const PipelineOptions &options) {
  auto target = loadKnownTarget(options.layouts.target);
  if (!target)
    return target.takeError();
  if (llvm::Error error = checkPipeline(options, *target))
    return error;
  buildInlayPipeline(passes, options, *target);
  return llvm::Error::success();
}
