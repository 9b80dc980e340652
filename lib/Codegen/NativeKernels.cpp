//===- NativeKernels.cpp - From loops to machine code ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Codegen/KernelCode.h"
#include "inlay/Support/Error.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace inlay;
using namespace mlir;

static LogicalResult lowerToLLVM(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.addPass(createConvertSCFToCFPass());
  passes.addPass(createConvertVectorToLLVMPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  return passes.run(module);
}

/// This machine. The name of an arm64 CPU implies SVE, which the kernel may
/// hide: what it does not list is not used.
static llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine() {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  if (builder->getTargetTriple().isAArch64() && !features.lookup("sve"))
    builder->addFeatures({"-sve", "-sve2"});
  // Vectors are as long as templates make them.
  if (features.lookup("avx512f"))
    builder->addFeatures({"-prefer-256-bit"});
  return builder->createTargetMachine();
}

VectorUnit VectorUnit::getHost() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  if (features.lookup("avx512f"))
    return {16, 32};
  if (features.lookup("avx2"))
    return {8, 16};
  return {4,
          llvm::sys::getDefaultTargetTriple().find("aarch64") == 0 ? 32u : 16u};
}

/// Templates write loops as they should be, but compute addresses where they
/// are needed: what does not change in a loop is taken out of it.
static llvm::Error hoist(llvm::Module *module) {
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager calls;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(calls);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, calls, modules);
  llvm::ModulePassManager passes;
  if (llvm::Error error = builder.parsePassPipeline(
          passes, "function(simplifycfg,early-cse,loop-mssa(licm),instcombine<"
                  "no-verify-fixpoint>)"))
    return error;
  passes.run(*module, modules);
  return llvm::Error::success();
}

NativeKernels::NativeKernels(std::unique_ptr<ExecutionEngine> engine)
    : engine(std::move(engine)) {}
NativeKernels::NativeKernels(NativeKernels &&) = default;
NativeKernels::~NativeKernels() = default;

llvm::Expected<NativeKernels>
NativeKernels::compile(OwningOpRef<ModuleOp> module) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  registerBuiltinDialectTranslation(*module->getContext());
  registerLLVMDialectTranslation(*module->getContext());
  if (failed(lowerToLLVM(*module)))
    return makeError(ExitCode::Internal, "kernels do not lower to LLVM");
  auto machine = createMachine();
  if (!machine)
    return machine.takeError();
  ExecutionEngineOptions options;
  options.transformer = hoist;
  auto engine = ExecutionEngine::create(*module, options, std::move(*machine));
  if (!engine)
    return engine.takeError();
  return NativeKernels(std::move(*engine));
}

llvm::Expected<KernelFunction> NativeKernels::lookup(StringRef name) const {
  auto address = engine->lookup(name);
  if (!address)
    return address.takeError();
  return reinterpret_cast<KernelFunction>(*address);
}
