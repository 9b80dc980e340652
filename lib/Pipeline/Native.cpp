//===- Native.cpp - Models as machine code --------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Native.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace inlay;
using namespace mlir;

CompilerOptions inlay::getNativeOptions() {
  CompilerOptions options;
  options.layouts.target = "cpu";
  // The template takes an attention as what it consists of, and with that what
  // kernels have around it.
  options.rewrites = llvm::cantFail(parseRewrites("-attention,-attention-3d"));
  options.kernels.isEnabled = true;
  options.kernels.describes = false;
  options.emit = EmitKind::Native;
  return options;
}

static CompilerOptions getOptions(const NativeRequest &request,
                                  ArrayRef<GraphInput> inputs) {
  CompilerOptions options = getNativeOptions();
  options.import = request.import;
  for (const GraphInput &input : inputs)
    if (input.tensor)
      options.import.shapes[input.name] =
          SmallVector<int64_t>(input.tensor.getShape());
  // A shape says what names of dimensions would say again.
  options.import.dims.clear();
  options.verify = VerifyMode::Off;
  return options;
}

CompileJobs inlay::tellProgress(CompileJobs jobs,
                                const ProgressFunction &progress) {
  if (progress)
    jobs.progress = [&progress](uint64_t done, uint64_t all) {
      progress("generating code", done, all);
    };
  return jobs;
}

llvm::Expected<PlannedModel> inlay::planNative(MLIRContext &context,
                                               const NativeRequest &request,
                                               ArrayRef<GraphInput> inputs) {
  Stopwatch watch;
  Compiler compiler(getOptions(request, inputs));
  compiler.setProgress(request.progress);
  auto module = compiler.read(context, request.model);
  if (!module)
    return module.takeError();
  double importSeconds = watch.lap();
  auto compiled = compiler.compile(std::move(*module));
  if (!compiled)
    return compiled.takeError();
  return PlannedModel{std::move(*compiled), importSeconds, watch.lap()};
}

llvm::Expected<NativeModel> inlay::compileNative(MLIRContext &context,
                                                 const NativeRequest &request,
                                                 ArrayRef<GraphInput> inputs) {
  auto planned = planNative(context, request, inputs);
  if (!planned)
    return planned.takeError();
  NativeOptions options;
  options.threads = request.threads;
  options.choices = request.choices;
  options.jobs = tellProgress(request.jobs, request.progress);
  auto program = NativeProgram::compile(*planned->compiled.module, options);
  if (!program)
    return program.takeError();
  return NativeModel{std::move(*planned), std::move(*program)};
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

std::string inlay::getOpTypes(Operation *op) {
  SmallVector<Operation *> ops = {op};
  if (auto group = dyn_cast<GroupOp>(op)) {
    ops.clear();
    for (Operation &inner : group.getBody().front().without_terminator())
      if (!isa<ConstantOp>(inner))
        ops.push_back(&inner);
  }
  return llvm::join(
      llvm::map_range(ops,
                      [](Operation *own) {
                        StringRef name = own->getName().stripDialect();
                        OriginAttr origin = getFirstOrigin(own->getLoc());
                        return (origin ? origin.getOpType() : name).str();
                      }),
      "+");
}

void inlay::reportProgram(const NativeProgram &program, Report &report) {
  uint64_t numKernels = 0, numEvaluated = 0, numShaped = 0;
  llvm::MapVector<StringRef, uint64_t> counts;
  for (const NativeStep *step : program.getSteps()) {
    numKernels += step->kind == StepKind::Kernel;
    numShaped += step->isShaped;
    if (step->kind != StepKind::Evaluated || step->isShaped)
      continue;
    ++numEvaluated;
    ++counts[StringAttr::get(step->op->getContext(), getOpTypes(step->op))
                 .getValue()];
  }
  report.addField("kernel_steps", "steps of machine code",
                  Cell::count(numKernels));
  report.addField("distinct_kernels", "of distinct kernels",
                  Cell::count(program.getNumKernels()));
  if (numShaped != 0)
    report.addField("shaped_steps", "steps compiled when sizes are known",
                    Cell::count(numShaped));
  report.addField("evaluated_steps", "steps by the reference",
                  Cell::count(numEvaluated));
  Table table({{"operator", "operator"}, {"count", "count"}});
  auto sorted = counts.takeVector();
  llvm::sort(sorted, [](const auto &a, const auto &b) {
    return std::pair(b.second, a.first) < std::pair(a.second, b.first);
  });
  for (const auto &[type, count] : sorted)
    table.addRow({Cell::text(type), Cell::count(count)});
  if (numEvaluated != 0)
    report.addTable("evaluated", "by the reference", table);
  report.addField("arena_bytes", "arena", Cell::bytes(program.getArenaBytes()));
}
