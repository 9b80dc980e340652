//===- ObjectCode.cpp - Kernels as object files ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ObjectCode.h"
#include "FloatExtremes.h"
#include "inlay/Support/Error.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include <mutex>

using namespace inlay;
using namespace mlir;

/// Functions that LLVM has no operation for become calls of the C library, of
/// each element of a vector.
static LogicalResult callLibrary(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateMathToLibmConversionPatterns(patterns);
  ConversionTarget target(*module.getContext());
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  target.addIllegalOp<math::TanOp, math::AsinOp, math::AcosOp, math::AtanOp,
                      math::SinhOp, math::CoshOp, math::AsinhOp, math::AcoshOp,
                      math::AtanhOp, math::TanhOp, math::ErfOp>();
  return applyPartialConversion(module, target, std::move(patterns));
}

static LogicalResult lowerToLLVM(ModuleOp module) {
  if (failed(callLibrary(module)))
    return failure();
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

/// Both architectures, whichever this one is.
static void initializeTargets() {
  static const bool isDone = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    return true;
  }();
  (void)isDone;
}

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const Machine &machine) {
  initializeTargets();
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(machine.triple, message);
  if (!target)
    return makeError(ExitCode::Internal, message);
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(machine.triple, machine.cpu, machine.features,
                                  llvm::TargetOptions(), llvm::Reloc::PIC_));
}

/// Templates write loops as they should be, but compute addresses where they
/// are needed: what does not change in a loop is taken out of it.
static llvm::Error hoist(llvm::Module &module) {
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
  passes.run(module, modules);
  return llvm::Error::success();
}

static llvm::Error emit(llvm::Module &module, const Machine &machine,
                        llvm::CodeGenFileType type,
                        llvm::raw_pwrite_stream &stream) {
  auto target = createTargetMachine(machine);
  if (!target)
    return target.takeError();
  module.setTargetTriple(machine.triple);
  module.setDataLayout((*target)->createDataLayout());
  llvm::legacy::PassManager passes;
  if ((*target)->addPassesToEmitFile(passes, stream, nullptr, type))
    return makeError(ExitCode::Internal,
                     "no object files for '" + machine.triple + "'");
  passes.run(module);
  return llvm::Error::success();
}

llvm::Expected<ObjectCode> inlay::compileModule(llvm::Module &module,
                                                const Machine &machine) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  if (llvm::Error error =
          emit(module, machine, llvm::CodeGenFileType::ObjectFile, stream))
    return error;
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(
      std::move(bytes), /*RequiresNullTerminator=*/false);
}

namespace {
/// A chunk on its way to LLVM.
struct LoweredChunk {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};
} // namespace

static llvm::Expected<LoweredChunk> lower(OwningOpRef<ModuleOp> module) {
  registerBuiltinDialectTranslation(*module->getContext());
  registerLLVMDialectTranslation(*module->getContext());
  if (failed(lowerToLLVM(*module)))
    return makeError(ExitCode::Internal, "kernels do not lower to LLVM");
  LoweredChunk lowered{std::make_unique<llvm::LLVMContext>(), nullptr};
  lowered.module = translateModuleToLLVMIR(*module, *lowered.context);
  if (!lowered.module)
    return makeError(ExitCode::Internal, "kernels do not become LLVM");
  for (llvm::Function &function : *lowered.module)
    if (!function.isDeclaration())
      function.setVisibility(llvm::GlobalValue::HiddenVisibility);
  return lowered;
}

static llvm::Expected<ObjectCode> compileLowered(const LoweredChunk &chunk,
                                                 const Machine &machine) {
  if (machine.unit.keepsNaN)
    useFloatExtremes(*chunk.module);
  if (llvm::Error error = hoist(*chunk.module))
    return error;
  return compileModule(*chunk.module, machine);
}

llvm::Expected<std::string>
NativeKernels::printAssembly(OwningOpRef<ModuleOp> module,
                             const Machine &machine) {
  auto lowered = lower(std::move(module));
  if (!lowered)
    return lowered.takeError();
  if (llvm::Error error = hoist(*lowered->module))
    return error;
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  if (llvm::Error error = emit(*lowered->module, machine,
                               llvm::CodeGenFileType::AssemblyFile, stream))
    return error;
  return text.str().str();
}

static std::string describe(const Machine &machine) {
  return machine.triple + "\n" + machine.cpu + "\n" + machine.features;
}

namespace {
/// LLVM compiles on several threads while the next chunk is lowered on this
/// one: MLIR has one context for all.
class ChunkCompiler {
public:
  ChunkCompiler(const Machine &machine, const CompileJobs &jobs, size_t count)
      : machine(machine), jobs(jobs), objects(count), errors(count),
        keys(count), pool(llvm::hardware_concurrency(jobs.count)) {}

  /// Asks the cache, or lowers and hands over; false where that fails.
  bool add(size_t number, CodeChunk chunk);
  llvm::Expected<CompiledChunks> finish();

private:
  bool isCached(size_t number, const CodeChunk &chunk);
  void set(size_t number, llvm::Expected<ObjectCode> object);
  void tellProgress();

  const Machine &machine;
  const CompileJobs &jobs;
  std::mutex mutex;
  /// By chunk; both are written under the mutex.
  std::vector<ObjectCode> objects;
  std::vector<std::string> errors;
  /// Of chunks that the cache does not have.
  std::vector<std::string> keys;
  unsigned numCached = 0, numDone = 0;
  llvm::DefaultThreadPool pool;
};
} // namespace

void ChunkCompiler::set(size_t number, llvm::Expected<ObjectCode> object) {
  std::lock_guard lock(mutex);
  if (object)
    objects[number] = std::move(*object);
  else
    errors[number] = llvm::toString(object.takeError());
  ++numDone;
}

void ChunkCompiler::tellProgress() {
  std::lock_guard lock(mutex);
  if (jobs.progress)
    jobs.progress(numDone, objects.size());
}

bool ChunkCompiler::isCached(size_t number, const CodeChunk &chunk) {
  if (!jobs.cache)
    return false;
  std::string key = ObjectCache::getKey(chunk.text, describe(machine));
  ObjectCode object = jobs.cache->find(key);
  if (!object) {
    keys[number] = std::move(key);
    return false;
  }
  ++numCached;
  set(number, std::move(object));
  return true;
}

bool ChunkCompiler::add(size_t number, CodeChunk chunk) {
  tellProgress();
  if (isCached(number, chunk))
    return true;
  auto lowered = lower(std::move(chunk.module));
  if (!lowered) {
    set(number, lowered.takeError());
    return false;
  }
  if (jobs.count == 1) {
    set(number, compileLowered(*lowered, machine));
    return true;
  }
  auto shared = std::make_shared<LoweredChunk>(std::move(*lowered));
  pool.async([this, shared, number] {
    set(number, compileLowered(*shared, machine));
  });
  return true;
}

llvm::Expected<CompiledChunks> ChunkCompiler::finish() {
  pool.wait();
  for (const std::string &error : errors)
    if (!error.empty())
      return makeError(ExitCode::Internal, error);
  for (auto [key, object] : llvm::zip_equal(keys, objects))
    if (!key.empty())
      jobs.cache->store(key, object->getBuffer());
  return CompiledChunks{std::move(objects), numCached};
}

llvm::Expected<CompiledChunks>
inlay::compileChunks(std::vector<CodeChunk> chunks, const Machine &machine,
                     const CompileJobs &jobs) {
  initializeTargets();
  ChunkCompiler compiler(machine, jobs, chunks.size());
  for (auto [i, chunk] : llvm::enumerate(chunks))
    if (!compiler.add(i, std::move(chunk)))
      break;
  return compiler.finish();
}
