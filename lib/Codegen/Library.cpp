//===- Library.cpp - Models as shared libraries ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Codegen/Library.h"
#include "LibraryHeader.h"
#include "LibraryTable.h"
#include "LinkLibrary.h"
#include "ObjectCode.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "inlay/Support/Error.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Path.h"

using namespace inlay;
using namespace mlir;

/// Weights below this many bytes are part of the library, unless told
/// otherwise; above the second number never.
static constexpr uint64_t insideBytes = 16'000'000, maxInsideBytes = 1ull << 30;

/// What a message lists at most.
static constexpr size_t maxListed = 20;

//===----------------------------------------------------------------------===//
// What has no library
//===----------------------------------------------------------------------===//

/// A group by its first node, which has a name of the model.
static std::string describeStep(Operation *op) {
  auto group = dyn_cast<GroupOp>(op);
  if (!group)
    return describeNode(op);
  SmallVector<Operation *> inner;
  for (Operation &own : group.getBody().front().without_terminator())
    if (!isa<ConstantOp>(own))
      inner.push_back(&own);
  std::string text = "the kernel of " + describeNode(inner.front());
  if (inner.size() > 1)
    text += " and " + std::to_string(inner.size() - 1) + " more";
  return text;
}

static std::string list(ArrayRef<std::string> lines) {
  std::string text;
  for (const std::string &line : lines.take_front(maxListed))
    text += "\n  " + line;
  if (lines.size() > maxListed)
    text += "\n  and " + std::to_string(lines.size() - maxListed) + " more";
  return text;
}

/// The runtime has neither operators nor a heap.
static llvm::Error checkSteps(const NativeProgram::State &state) {
  std::vector<std::string> evaluated, unknown;
  for (const ProgramStep &step : state.bodies.front().second.steps) {
    if (step.kind == StepKind::Evaluated || !step.checkedSlots.empty())
      evaluated.push_back(describeStep(step.op));
    for (unsigned slot : step.resultSlots)
      if (state.slots[slot].place.home == BufferHome::Heap &&
          !state.slots[slot].value.use_empty())
        unknown.push_back(
            ("'" + getValueName(state.slots[slot].value) + "'").str());
  }
  for (unsigned slot : state.bodies.front().second.arguments)
    if (state.slots[slot].shape.empty() &&
        state.slots[slot].type == ElementType::Undefined)
      unknown.push_back(
          ("'" + getValueName(state.slots[slot].value) + "'").str());
  if (!unknown.empty())
    return unsupportedError(
        Twine(unknown.size()) +
        " values are of a size or type that a library has no place for (give "
        "sizes with --dim):" +
        list(unknown));
  if (!evaluated.empty())
    return unsupportedError(Twine(evaluated.size()) +
                            " steps have no machine code, which a library "
                            "needs (run --native has a reference for them):" +
                            list(evaluated));
  return llvm::Error::success();
}

/// The first dimension of what has samples is as large as one makes it.
static llvm::Error checkSamples(const NativeProgram::State &state,
                                const Samples &samples) {
  const ProgramBody &body = state.bodies.front().second;
  auto areThose = [&](ArrayRef<unsigned> slots, ArrayRef<int64_t> perSample) {
    return llvm::all_of(llvm::zip_equal(slots, perSample), [&](auto pair) {
      auto [slot, own] = pair;
      ArrayRef<int64_t> shape = state.slots[slot].shape;
      return own == 0 || (!shape.empty() && shape.front() == own);
    });
  };
  if (areThose(body.arguments, samples.inputs) &&
      areThose(body.results, samples.outputs))
    return llvm::Error::success();
  return makeError(ExitCode::Internal,
                   "the graph of one sample has other sizes than one sample");
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
class LibraryWriter {
public:
  LibraryWriter(BuiltProgram &program, const LibraryOptions &options)
      : program(program), state(*program.state), options(options) {}

  llvm::Expected<LibraryFiles> write();

private:
  std::string getBeside(StringRef extension) const {
    SmallString<128> path(options.path);
    llvm::sys::path::replace_extension(path, extension);
    return path.str().str();
  }
  void placeWeights();
  llvm::Error compileKernels();
  llvm::Error writeWeights(LibraryFacts &facts);
  llvm::Error streamWeights(LibraryFacts &facts, LibraryWeights::Sink sink);
  llvm::Error writeFile(LibraryFacts &facts);
  llvm::Error linkTo(OutputFile &file, const LibraryFacts &facts);
  llvm::Expected<LibraryFacts> getFacts() const;

  BuiltProgram &program;
  NativeProgram::State &state;
  const LibraryOptions &options;
  LibraryWeights weights;
  std::vector<ObjectCode> objects;
  /// On this machine, to pack.
  std::optional<NativeKernels> kernels;
  std::unique_ptr<OutputFile> weightsFile;
  std::vector<char> inside;
};
} // namespace

void LibraryWriter::placeWeights() {
  auto addSlot = [&](unsigned slot) {
    if (Attribute constant = getConstantValue(state.slots[slot].value))
      weights.add(constant);
  };
  for (const ProgramStep &step : state.bodies.front().second.steps) {
    if (step.kind != StepKind::Kernel)
      continue;
    for (auto [slot, isUsed] : llvm::zip_equal(step.readSlots, step.isUsed))
      if (isUsed)
        addSlot(slot);
    if (step.packing && step.packing->isConstant)
      weights.add(step);
  }
  for (unsigned slot : state.bodies.front().second.results)
    addSlot(slot);
}

static std::vector<CodeChunk> copyChunks(ArrayRef<CodeChunk> chunks) {
  std::vector<CodeChunk> copies;
  for (const CodeChunk &chunk : chunks) {
    OwningOpRef<ModuleOp> copy = chunk.module.get().clone();
    copies.push_back({std::move(copy), chunk.text, chunk.numKernels});
  }
  return copies;
}

static std::vector<ObjectCode> copyObjects(ArrayRef<ObjectCode> objects) {
  std::vector<ObjectCode> copies;
  for (const ObjectCode &object : objects)
    copies.push_back(llvm::MemoryBuffer::getMemBufferCopy(object->getBuffer()));
  return copies;
}

/// Code for another machine cannot pack: the same is compiled for this one.
llvm::Error LibraryWriter::compileKernels() {
  std::vector<CodeChunk> copies;
  if (!options.machine.isRunnable())
    copies = copyChunks(program.code);
  auto compiled =
      compileChunks(std::move(program.code), options.machine, options.jobs);
  if (!compiled)
    return compiled.takeError();
  objects = std::move(compiled->objects);
  std::vector<ObjectCode> own = copyObjects(objects);
  if (!copies.empty()) {
    auto here =
        compileChunks(std::move(copies), Machine::getHost(), options.jobs);
    if (!here)
      return here.takeError();
    own = std::move(here->objects);
  }
  auto loaded = NativeKernels::load(std::move(own));
  if (!loaded)
    return loaded.takeError();
  kernels.emplace(std::move(*loaded));
  return llvm::Error::success();
}

/// Samples that are computed side by side read weights once. That is of use
/// where these do not stay in a cache, and none where tensors do not.
static uint32_t chooseSamplesAtOnce(uint64_t weightBytes, uint64_t arenaBytes) {
  const uint64_t cachedBytes = 1 << 20, most = 16;
  if (weightBytes <= cachedBytes)
    return 1;
  return std::clamp<uint64_t>(cachedBytes / std::max<uint64_t>(arenaBytes, 1),
                              1, most);
}

llvm::Expected<LibraryFacts> LibraryWriter::getFacts() const {
  StringRef stem = llvm::sys::path::stem(options.path);
  LibraryFacts facts;
  facts.prefix = options.prefix.empty() ? makeIdentifier(stem) : options.prefix;
  if (!isIdentifier(facts.prefix))
    return usageError("--prefix is '" + facts.prefix +
                      "', expected a C identifier");
  facts.cpu = options.machine.cpu;
  facts.requiredCpu = options.machine.required;
  facts.samples = options.samples;
  if (options.samples)
    facts.samplesAtOnce =
        chooseSamplesAtOnce(weights.getBytes(), state.arenaBytes);
  for (const OpenLength &length : options.lengths)
    facts.lengths.push_back(length.symbol);
  bool isSmall = weights.getBytes() < insideBytes;
  if (options.weights == WeightsHome::Inside &&
      weights.getBytes() > maxInsideBytes)
    return usageError("--weights inside: " + Twine(weights.getBytes()) +
                      " bytes are more than a library holds");
  if (options.weights == WeightsHome::File ||
      (options.weights == WeightsHome::Auto && !isSmall))
    facts.weightsName = llvm::sys::path::filename(getBeside("weights")).str();
  return facts;
}

/// Hands the weights over, and knows their checksum afterwards.
llvm::Error LibraryWriter::streamWeights(LibraryFacts &facts,
                                         LibraryWeights::Sink sink) {
  inlay_checksum checksum;
  inlay_checksum_start(&checksum);
  if (llvm::Error error = weights.write(kernels, [&](ArrayRef<char> bytes) {
        inlay_checksum_add(&checksum, bytes.data(), bytes.size());
        return sink(bytes);
      }))
    return error;
  facts.weightsChecksum = inlay_checksum_finish(&checksum);
  return llvm::Error::success();
}

llvm::Error LibraryWriter::writeFile(LibraryFacts &facts) {
  auto file = OutputFile::create(getBeside("weights"));
  if (!file)
    return file.takeError();
  weightsFile = std::move(*file);
  if (llvm::Error error = weightsFile->writeZeros(INLAY_WEIGHTS_START))
    return error;
  if (llvm::Error error = streamWeights(facts, [&](ArrayRef<char> bytes) {
        return weightsFile->write(bytes);
      }))
    return error;
  inlay_weights_header header = {INLAY_WEIGHTS_MAGIC, INLAY_ABI, 0,
                                 weights.getBytes(), facts.weightsChecksum};
  return weightsFile->overwrite(
      0,
      ArrayRef<char>(reinterpret_cast<const char *>(&header), sizeof(header)));
}

llvm::Error LibraryWriter::writeWeights(LibraryFacts &facts) {
  if (!facts.weightsName.empty())
    return writeFile(facts);
  if (llvm::Error error = streamWeights(facts, [&](ArrayRef<char> bytes) {
        inside.insert(inside.end(), bytes.begin(), bytes.end());
        return llvm::Error::success();
      }))
    return error;
  facts.weights = inside;
  return llvm::Error::success();
}

llvm::Error LibraryWriter::linkTo(OutputFile &file, const LibraryFacts &facts) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      makeTable(context, state, weights, facts);
  auto table = compileModule(*module, options.machine);
  if (!table)
    return table.takeError();
  SmallVector<llvm::MemoryBufferRef> parts = {(*table)->getMemBufferRef()};
  for (const ObjectCode &object : objects)
    parts.push_back(object->getMemBufferRef());
  auto library = linkLibrary(parts, options.machine,
                             llvm::sys::path::filename(options.path));
  if (!library)
    return library.takeError();
  return file.write((*library)->getBuffer());
}

llvm::Expected<LibraryFiles> LibraryWriter::write() {
  placeWeights();
  auto facts = getFacts();
  if (!facts)
    return facts.takeError();
  if (llvm::Error error = compileKernels())
    return error;
  if (llvm::Error error = writeWeights(*facts))
    return error;
  auto library = OutputFile::create(options.path);
  if (!library)
    return library.takeError();
  if (llvm::Error error = linkTo(**library, *facts))
    return error;
  auto header = OutputFile::create(getBeside("h"));
  if (!header)
    return header.takeError();
  if (llvm::Error error = (*header)->write(
          makeHeader(state.graph, facts->prefix, options.samples,
                     options.lengths, state.open)))
    return error;
  LibraryFiles files;
  files.header = (*header)->getPath().str();
  files.libraryBytes = (*library)->getPosition();
  files.weightsBytes = weights.getBytes();
  files.arenaBytes = state.arenaBytes;
  files.numSteps = llvm::count_if(
      state.bodies.front().second.steps,
      [](const ProgramStep &step) { return step.kind == StepKind::Kernel; });
  files.numKernels = state.numKernels;
  if (weightsFile) {
    files.weights = weightsFile->getPath().str();
    if (llvm::Error error = weightsFile->commit())
      return error;
  }
  if (llvm::Error error = (*header)->commit())
    return error;
  if (llvm::Error error = (*library)->commit())
    return error;
  return files;
}

llvm::Expected<LibraryFiles>
inlay::writeLibrary(ModuleOp module, const LibraryOptions &options) {
  auto program = buildProgram(module, {options.machine.unit, options.choices},
                              options.lengths);
  if (!program)
    return program.takeError();
  if (llvm::Error error = checkSteps(*program->state))
    return error;
  if (options.samples)
    if (llvm::Error error = checkSamples(*program->state, *options.samples))
      return error;
  return LibraryWriter(*program, options).write();
}
