//===- LibraryTable.cpp - A program as the runtime reads it ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibraryTable.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Origin.h"
#include "llvm/IR/IRBuilder.h"

using namespace inlay;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

namespace {
/// Writes constants whose types are those of C: every member is as wide as its
/// type there, and lies where the data layout puts it.
class ConstantWriter {
public:
  explicit ConstantWriter(llvm::Module &module) : module(module) {}

  llvm::Constant *word(uint32_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt32Ty(getContext()), value);
  }
  llvm::Constant *wide(uint64_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(getContext()), value);
  }
  llvm::Constant *null() {
    return llvm::ConstantPointerNull::get(getPointerType());
  }
  llvm::Constant *text(llvm::StringRef value) {
    return global(llvm::ConstantDataArray::getString(getContext(), value));
  }
  llvm::Constant *numbers(llvm::ArrayRef<int64_t> values) {
    llvm::SmallVector<uint64_t> words(values.begin(), values.end());
    return values.empty()
               ? null()
               : global(llvm::ConstantDataArray::get(getContext(), words));
  }
  llvm::Constant *words(llvm::ArrayRef<uint32_t> values) {
    return values.empty()
               ? null()
               : global(llvm::ConstantDataArray::get(getContext(), values));
  }
  llvm::Constant *record(llvm::ArrayRef<llvm::Constant *> members) {
    return llvm::ConstantStruct::getAnon(members);
  }
  /// A table of records, which are of one type.
  llvm::Constant *table(llvm::ArrayRef<llvm::Constant *> records) {
    if (records.empty())
      return null();
    auto *type =
        llvm::ArrayType::get(records.front()->getType(), records.size());
    return global(llvm::ConstantArray::get(type, records));
  }
  llvm::GlobalVariable *global(llvm::Constant *value) {
    return new llvm::GlobalVariable(module, value->getType(),
                                    /*isConstant=*/true,
                                    llvm::GlobalValue::InternalLinkage, value);
  }
  /// A function of another object of the library.
  llvm::Function *function(llvm::StringRef name, llvm::FunctionType *type) {
    auto *function = llvm::cast<llvm::Function>(
        module.getOrInsertFunction(name, type).getCallee());
    function->setVisibility(llvm::GlobalValue::HiddenVisibility);
    function->setDSOLocal(true);
    return function;
  }

  llvm::LLVMContext &getContext() { return module.getContext(); }
  llvm::PointerType *getPointerType() {
    return llvm::PointerType::get(getContext(), 0);
  }

private:
  llvm::Module &module;
};

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

class TableWriter {
public:
  TableWriter(llvm::Module &module, const NativeProgram::State &program,
              const LibraryWeights &weights, const LibraryFacts &facts)
      : constants(module), program(program), weights(weights), facts(facts) {}

  llvm::GlobalVariable *writeProgram();
  void writeFunctions(llvm::Module &module, llvm::Constant *program);

private:
  llvm::Constant *place(uint32_t home, uint32_t index, uint64_t offset,
                        uint64_t bytes);
  llvm::Constant *place(unsigned slot);
  llvm::Constant *turns(int64_t extent, const KernelCode::OpenTurns &open);
  llvm::Constant *port(llvm::StringRef name, mlir::Value value,
                       int64_t perSample);
  llvm::Constant *ports(bool areInputs);
  llvm::Constant *buffers(const ProgramStep &step);
  llvm::Constant *indices(const ProgramStep &step);
  llvm::Constant *clears(const ProgramStep &step);
  llvm::Constant *lengths();
  llvm::Constant *step(const ProgramStep &step);
  llvm::Constant *info();
  llvm::SmallVector<llvm::Constant *> copies();
  void writeFunction(llvm::Module &module, llvm::StringRef name,
                     llvm::FunctionType *type, llvm::Constant *program,
                     bool takesProgram);

  ConstantWriter constants;
  const NativeProgram::State &program;
  const LibraryWeights &weights;
  const LibraryFacts &facts;
};
} // namespace

llvm::Constant *TableWriter::place(uint32_t home, uint32_t index,
                                   uint64_t offset, uint64_t bytes) {
  return constants.record({constants.word(home), constants.word(index),
                           constants.wide(offset), constants.wide(bytes)});
}

/// A slot that is on the heap has no place: such programs get no table.
llvm::Constant *TableWriter::place(unsigned number) {
  const Slot &slot = program.slots[number];
  const BufferPlace &own = slot.place;
  switch (own.home) {
  case BufferHome::Arena:
    return place(INLAY_ARENA, 0, own.offset, own.bytes);
  case BufferHome::Input:
    return place(INLAY_INPUT, own.index, 0, slot.getBytes());
  case BufferHome::Output:
    return place(INLAY_OUTPUT, own.index, 0, own.bytes);
  case BufferHome::Constant:
    return place(INLAY_WEIGHTS, 0,
                 weights.getOffset(getConstantValue(slot.value)),
                 slot.getBytes());
  case BufferHome::Heap:
    break;
  }
  llvm_unreachable("a value without a place");
}

/// The first dimension is open where some of it belongs to each sample, others
/// where they are lengths.
llvm::Constant *TableWriter::port(llvm::StringRef name, mlir::Value value,
                                  int64_t perSample) {
  const Slot &slot = program.slots[program.numbers.lookup(value)];
  HostTensor::Shape shape = slot.shape;
  if (perSample != 0)
    shape[0] = -1;
  for (unsigned dim : program.open.get(value))
    shape[dim] = -1;
  return constants.record(
      {constants.text(name), constants.word(uint32_t(slot.type)),
       constants.word(shape.size()), constants.numbers(shape),
       constants.wide(slot.getBytes()), constants.wide(perSample),
       program.open.get(value).empty()
           ? constants.null()
           : constants.words(program.open.getNumbers(value))});
}

llvm::Constant *TableWriter::turns(int64_t extent,
                                   const KernelCode::OpenTurns &open) {
  return constants.record(
      {constants.wide(open.block == 0 ? extent : 0), constants.wide(open.block),
       constants.wide(open.turns), constants.word(open.length)});
}

llvm::Constant *TableWriter::ports(bool areInputs) {
  mlir::func::FuncOp graph = program.graph;
  llvm::SmallVector<llvm::Constant *> all;
  auto perSample = [&](llvm::ArrayRef<int64_t> numbers, size_t i) {
    return facts.samples ? numbers[i] : 0;
  };
  const Samples samples = facts.samples.value_or(Samples());
  if (areInputs)
    for (auto [i, argument] : llvm::enumerate(graph.getArguments()))
      all.push_back(
          port(getInputName(graph, i), argument, perSample(samples.inputs, i)));
  else
    for (auto [i, value] : llvm::enumerate(
             graph.getBody().front().getTerminator()->getOperands()))
      all.push_back(
          port(getOutputName(graph, i), value, perSample(samples.outputs, i)));
  return constants.table(all);
}

/// Places of what the kernel does not touch are empty.
llvm::Constant *TableWriter::buffers(const ProgramStep &step) {
  llvm::SmallVector<llvm::Constant *> all;
  for (auto [i, slot] : llvm::enumerate(step.readSlots))
    all.push_back(step.isUsed[i] ? place(slot) : place(INLAY_SCRATCH, 0, 0, 0));
  for (unsigned slot : step.resultSlots)
    all.push_back(place(slot));
  if (step.packing && step.packing->isConstant)
    all.push_back(
        place(INLAY_WEIGHTS, 0, weights.getOffset(step), step.packing->bytes));
  else if (step.packing)
    all.push_back(place(INLAY_SCRATCH, 0, 0, step.packing->bytes));
  for (unsigned length : step.lengths)
    all.push_back(place(INLAY_LENGTH, length, 0, sizeof(int64_t)));
  return constants.table(all);
}

llvm::Constant *TableWriter::indices(const ProgramStep &step) {
  llvm::SmallVector<llvm::Constant *> all;
  for (const KernelCode::Indices &own : step.indices) {
    const Slot &slot = program.slots[step.readSlots[own.read]];
    uint64_t width = getHostByteWidth(slot.type);
    llvm::ArrayRef<unsigned> open = program.open.get(slot.value);
    unsigned length =
        open.empty() ? 0 : program.open.getNumber(slot.value, open.front());
    int64_t perLength = open.empty()
                            ? 0
                            : slot.getBytes() / width /
                                  program.open.getLengths()[length].largest;
    all.push_back(constants.record(
        {constants.word(own.read), constants.word(width),
         constants.word(own.extents.size()), constants.numbers(own.extents),
         constants.wide(perLength), constants.word(length)}));
  }
  return constants.table(all);
}

/// Along dimensions of no length nothing is cleared.
llvm::Constant *TableWriter::clears(const ProgramStep &step) {
  llvm::SmallVector<llvm::Constant *> all;
  for (const KernelCode::Clear &own : step.clears) {
    const Slot &slot = program.slots[step.readSlots[own.read]];
    llvm::SmallVector<uint32_t> lengths = program.open.getNumbers(slot.value);
    llvm::SmallVector<int64_t> borders;
    for (uint32_t length : lengths)
      borders.push_back(length == 0 ? 0 : own.borders.lookup(length - 1));
    all.push_back(constants.record(
        {constants.word(own.read), constants.word(getHostByteWidth(slot.type)),
         constants.word(own.bits), constants.word(lengths.size()),
         constants.numbers(slot.shape), constants.words(lengths),
         constants.numbers(borders)}));
  }
  return constants.table(all);
}

llvm::Constant *TableWriter::lengths() {
  llvm::SmallVector<llvm::Constant *> all;
  for (auto [i, own] : llvm::enumerate(program.open.getLengths()))
    all.push_back(constants.record(
        {own.isOpen() ? constants.text(facts.lengths[i]) : constants.null(),
         constants.wide(own.largest), constants.word(own.from),
         constants.wide(own.add), constants.wide(own.divide)}));
  return constants.table(all);
}

llvm::Constant *TableWriter::step(const ProgramStep &step) {
  llvm::LLVMContext &context = constants.getContext();
  llvm::Type *wide = llvm::Type::getInt64Ty(context);
  auto *type =
      llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                              {constants.getPointerType(), wide, wide}, false);
  bool packs = step.packing && !step.packing->isConstant;
  size_t numBuffers = step.reads.size() + step.results.size() +
                      step.packing.has_value() + step.lengths.size();
  return constants.record(
      {constants.text(describeNode(step.op)),
       constants.function(getKernelName(step), type),
       turns(step.extent, step.open), constants.wide(step.grain),
       packs ? constants.function(getPackingName(step), type)
             : constants.null(),
       packs ? turns(step.packing->extent, step.packing->open) : turns(0, {}),
       buffers(step), constants.word(numBuffers),
       constants.word(step.indices.size()), indices(step),
       constants.word(step.clears.size()), clears(step)});
}

llvm::SmallVector<llvm::Constant *> TableWriter::copies() {
  llvm::SmallVector<llvm::Constant *> all;
  mlir::func::FuncOp graph = program.graph;
  for (auto [i, value] : llvm::enumerate(
           graph.getBody().front().getTerminator()->getOperands())) {
    unsigned number = program.numbers.lookup(value);
    if (!program.slots[number].isOutput(i))
      all.push_back(constants.record({place(number), constants.word(i)}));
  }
  return all;
}

llvm::Constant *TableWriter::info() {
  mlir::func::FuncOp graph = program.graph;
  return constants.record(
      {constants.word(INLAY_ABI), constants.word(graph.getNumArguments()),
       constants.word(graph.getNumResults()), constants.text(facts.prefix),
       constants.text(facts.cpu), ports(/*areInputs=*/true),
       ports(/*areInputs=*/false), constants.wide(program.arenaBytes),
       constants.wide(weights.getBytes()), lengths(),
       constants.word(program.open.getLengths().size())});
}

llvm::GlobalVariable *TableWriter::writeProgram() {
  llvm::SmallVector<llvm::Constant *> steps;
  for (const ProgramStep &own : program.bodies.front().second.steps)
    if (own.kind == StepKind::Kernel)
      steps.push_back(step(own));
  llvm::SmallVector<llvm::Constant *> copied = copies();
  llvm::Constant *inside = constants.null();
  if (facts.weightsName.empty() && !facts.weights.empty()) {
    auto *bytes = constants.global(llvm::ConstantDataArray::getRaw(
        llvm::StringRef(facts.weights.data(), facts.weights.size()),
        facts.weights.size(), llvm::Type::getInt8Ty(constants.getContext())));
    bytes->setAlignment(llvm::Align(BufferPlan::alignment));
    inside = bytes;
  }
  return constants.global(constants.record(
      {info(), constants.word(facts.requiredCpu),
       constants.word(facts.samplesAtOnce),
       constants.wide(program.packingBytes), constants.table(steps),
       constants.wide(steps.size()), constants.table(copied),
       constants.wide(copied.size()), inside,
       facts.weightsName.empty() ? constants.null()
                                 : constants.text(facts.weightsName),
       constants.wide(facts.weightsChecksum)}));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// M_NAME calls inlay_NAME, with the program in front where that takes it.
void TableWriter::writeFunction(llvm::Module &module, llvm::StringRef name,
                                llvm::FunctionType *type,
                                llvm::Constant *program, bool takesProgram) {
  llvm::LLVMContext &context = module.getContext();
  auto *function =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                             facts.prefix + "_" + name, module);
  llvm::IRBuilder<> builder(
      llvm::BasicBlock::Create(context, "entry", function));
  llvm::SmallVector<llvm::Type *> types(type->params());
  llvm::SmallVector<llvm::Value *> arguments;
  if (takesProgram) {
    types.insert(types.begin(), constants.getPointerType());
    arguments.push_back(program);
  }
  for (llvm::Argument &argument : function->args())
    arguments.push_back(&argument);
  auto *callee = constants.function(
      ("inlay_" + name).str(),
      llvm::FunctionType::get(type->getReturnType(), types, false));
  llvm::Value *result = builder.CreateCall(callee, arguments);
  if (type->getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(result);
}

void TableWriter::writeFunctions(llvm::Module &module,
                                 llvm::Constant *program) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *pointer = constants.getPointerType();
  llvm::Type *status = llvm::Type::getInt32Ty(context);
  llvm::Type *size = llvm::Type::getInt64Ty(context);
  auto get = [](llvm::Type *result, llvm::ArrayRef<llvm::Type *> arguments) {
    return llvm::FunctionType::get(result, arguments, false);
  };
  writeFunction(module, "create", get(status, {pointer, pointer}), program,
                /*takesProgram=*/true);
  writeFunction(module, "run",
                get(status, {pointer, pointer, size, pointer, size}), program,
                /*takesProgram=*/false);
  writeFunction(module, "destroy", get(llvm::Type::getVoidTy(context), pointer),
                program, /*takesProgram=*/false);
  writeFunction(module, "error", get(pointer, pointer), program,
                /*takesProgram=*/false);
  // What it says is what the program begins with.
  auto *info = llvm::Function::Create(get(pointer, {}),
                                      llvm::GlobalValue::ExternalLinkage,
                                      facts.prefix + "_info", module);
  llvm::IRBuilder<>(llvm::BasicBlock::Create(context, "entry", info))
      .CreateRet(program);
}

std::unique_ptr<llvm::Module>
inlay::makeTable(llvm::LLVMContext &context,
                 const NativeProgram::State &program,
                 const LibraryWeights &weights, const LibraryFacts &facts) {
  auto module = std::make_unique<llvm::Module>("table", context);
  TableWriter writer(*module, program, weights, facts);
  writer.writeFunctions(*module, writer.writeProgram());
  return module;
}
