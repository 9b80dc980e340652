//===- ToyBackend.cpp - A back end out of the tree ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a listing of instructions, group by group, for a machine with one
// arena of memory. docs/Backend.md walks through it.
//
//   1. The section of the target says how large the arena is.
//   2. The graph becomes a list of instructions, each in its group.
//   3. Every tensor gets a place in the arena from its definition to its last
//      use.
//   4. Instructions are printed with places for operands.
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Constants.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Pipeline/Backend.h"
#include "inlay/Support/Error.h"
#include "inlay/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// The section of the target
//===----------------------------------------------------------------------===//

namespace {
struct Machine {
  uint64_t arenaBytes = 65536;
  uint64_t align = 64;
};
} // namespace

static llvm::Expected<Machine> readMachine(const BackendSection &section) {
  Machine machine;
  for (const auto &[key, text] : section) {
    uint64_t *field = key == "arena-bytes" ? &machine.arenaBytes
                      : key == "align"     ? &machine.align
                                           : nullptr;
    if (!field)
      return targetError("unknown key '" + key +
                         "', expected arena-bytes or align");
    if (StringRef(text).getAsInteger(10, *field) || *field == 0)
      return targetError("'" + key + "' must be a positive number, found '" +
                         text + "'");
  }
  return machine;
}

//===----------------------------------------------------------------------===//
// From the graph to a list of instructions
//===----------------------------------------------------------------------===//

namespace {
/// One operation of the listing. Its values are those of the graph, with the
/// results of groups replaced by what is yielded.
struct Instruction {
  Operation *op;
  std::string group;
  SmallVector<Value> operands;
};

struct Program {
  std::vector<Instruction> instructions;
  llvm::DenseMap<Value, Value> yielded;

  Value resolve(Value value) const {
    while (Value inner = yielded.lookup(value))
      value = inner;
    return value;
  }
};
} // namespace

static void addBlock(Block &block, StringRef group, Program &program) {
  for (Operation &op : block.without_terminator()) {
    if (auto inner = dyn_cast<GroupOp>(op)) {
      addBlock(inner.getBody().front(), inner.getName(), program);
      for (auto [result, value] :
           llvm::zip(inner.getOutputs(), inner.getYielded()))
        program.yielded[result] = program.resolve(value);
      continue;
    }
    Instruction instruction{&op, group.str(), {}};
    for (Value operand : op.getOperands())
      instruction.operands.push_back(program.resolve(operand));
    program.instructions.push_back(std::move(instruction));
  }
}

//===----------------------------------------------------------------------===//
// Places in the arena
//===----------------------------------------------------------------------===//

namespace {
/// Gives the lowest place that no living tensor has.
class Arena {
public:
  explicit Arena(const Machine &machine) : machine(machine) {}

  llvm::Expected<uint64_t> take(Value value) {
    std::optional<uint64_t> bytes = getByteSize(value.getType());
    if (!bytes)
      return unsupportedError("a tensor has no static shape");
    uint64_t size = llvm::alignTo(*bytes, machine.align), offset = 0;
    for (const auto &[begin, end] : living) {
      if (begin >= offset + size)
        break;
      offset = end;
    }
    if (offset + size > machine.arenaBytes)
      return unsupportedError("the arena of " + Twine(machine.arenaBytes) +
                              " bytes is too small");
    living[offset] = offset + size;
    return places[value] = offset;
  }
  void release(Value value) { living.erase(places.lookup(value)); }
  uint64_t getPlace(Value value) const { return places.lookup(value); }

private:
  Machine machine;
  std::map<uint64_t, uint64_t> living;
  llvm::DenseMap<Value, uint64_t> places;
};
} // namespace

//===----------------------------------------------------------------------===//
// The listing
//===----------------------------------------------------------------------===//

namespace {
class Lister {
public:
  Lister(func::FuncOp graph, const Machine &machine)
      : graph(graph), arena(machine), os(text) {}

  llvm::Expected<std::string> run();

private:
  void findLastUses();
  std::string format(Value value) const;
  llvm::Error listConstant(ConstantOp op);
  llvm::Error list(size_t index);
  void listAttributes(Operation *op);

  func::FuncOp graph;
  Program program;
  Arena arena;
  /// The last instruction that reads a value; outputs and constants stay.
  llvm::DenseMap<Value, size_t> lastUse;
  std::string text;
  llvm::raw_string_ostream os;
};
} // namespace

/// "@64:1x8x8x3": where, and of which shape.
std::string Lister::format(Value value) const {
  return "@" + std::to_string(arena.getPlace(value)) + ":" +
         formatShape(cast<ShapedType>(value.getType()).getShape());
}

void Lister::findLastUses() {
  for (auto [i, instruction] : llvm::enumerate(program.instructions))
    for (Value operand : instruction.operands)
      lastUse[operand] = i;
  for (Value output : graph.getBody().front().getTerminator()->getOperands())
    lastUse.erase(program.resolve(output));
}

/// The machine computes in f32; its constants are loaded once.
llvm::Error Lister::listConstant(ConstantOp op) {
  auto tensor = getHostTensor(op.getValue());
  if (!tensor)
    return tensor.takeError();
  if (tensor->getType() != ElementType::Float)
    return unsupportedError("a constant is not of f32");
  auto place = arena.take(op.getResult());
  if (!place)
    return place.takeError();
  lastUse.erase(op.getResult());
  os << "const " << format(op.getResult()) << ' '
     << llvm::toHex(
            StringRef(tensor->getBytes().data(), tensor->getBytes().size()))
     << '\n';
  return llvm::Error::success();
}

void Lister::listAttributes(Operation *op) {
  for (NamedAttribute attribute : op->getAttrs()) {
    os << ' ' << attribute.getName().strref() << '=';
    if (auto integer = dyn_cast<IntegerAttr>(attribute.getValue()))
      os << integer.getInt();
    else if (auto list = dyn_cast<DenseI64ArrayAttr>(attribute.getValue()))
      os << llvm::join(
          llvm::map_range(list.asArrayRef(),
                          [](int64_t i) { return std::to_string(i); }),
          ",");
    else if (auto number = dyn_cast<FloatAttr>(attribute.getValue()))
      os << number.getValueAsDouble();
    else
      os << '?';
  }
}

llvm::Error Lister::list(size_t index) {
  const Instruction &instruction = program.instructions[index];
  Operation *op = instruction.op;
  if (op->getNumResults() != 1)
    return unsupportedError("an operator has several results");
  auto place = arena.take(op->getResult(0));
  if (!place)
    return place.takeError();
  // An operator in a layout is the operator, and which orders it works in.
  auto inLayout = dyn_cast<InLayoutOp>(op);
  Operation *meant = inLayout ? inLayout.getWrapped() : op;
  os << "  " << meant->getName().stripDialect() << ' '
     << format(op->getResult(0)) << " <-";
  for (Value operand : instruction.operands)
    os << ' ' << format(operand);
  os << " |";
  listAttributes(meant);
  if (inLayout)
    os << " layout=" << cast<StringAttr>(inLayout.getLayouts()[0]).getValue();
  os << '\n';
  for (Value operand : llvm::SmallSetVector<Value, 4>(
           instruction.operands.begin(), instruction.operands.end()))
    if (auto it = lastUse.find(operand);
        it != lastUse.end() && it->second == index)
      arena.release(operand);
  return llvm::Error::success();
}

llvm::Expected<std::string> Lister::run() {
  Block &body = graph.getBody().front();
  addBlock(body, "host", program);
  findLastUses();
  for (BlockArgument argument : graph.getArguments()) {
    auto place = arena.take(argument);
    if (!place)
      return place.takeError();
    os << "input " << format(argument) << '\n';
  }
  for (const Instruction &instruction : program.instructions)
    if (auto constant = dyn_cast<ConstantOp>(instruction.op))
      if (llvm::Error error = listConstant(constant))
        return std::move(error);
  StringRef group;
  for (size_t i = 0; i != program.instructions.size(); ++i) {
    const Instruction &instruction = program.instructions[i];
    if (isa<ConstantOp>(instruction.op))
      continue;
    if (instruction.group != group)
      os << "group " << (group = instruction.group) << '\n';
    if (llvm::Error error = list(i))
      return std::move(error);
  }
  for (Value output : body.getTerminator()->getOperands())
    os << "output " << format(program.resolve(output)) << '\n';
  return os.str();
}

//===----------------------------------------------------------------------===//
// The back end
//===----------------------------------------------------------------------===//

namespace {
struct ToyBackend final : Backend {
  StringRef getName() const override { return "toy"; }

  llvm::Error checkSection(const BackendSection &section) const override {
    return readMachine(section).takeError();
  }

  llvm::Expected<uint64_t> emit(const EmitRequest &request) const override {
    auto machine = readMachine(request.section);
    auto graph = getGraph(request.module);
    if (!machine)
      return machine.takeError();
    if (!graph)
      return graph.takeError();
    auto text = Lister(*graph, *machine).run();
    if (!text)
      return text.takeError();
    auto file = OutputFile::create(request.output);
    if (!file)
      return file.takeError();
    if (llvm::Error error = (*file)->write(StringRef(*text)))
      return std::move(error);
    if (llvm::Error error = (*file)->commit())
      return std::move(error);
    return text->size();
  }
};
} // namespace

static llvm::Error addToy(BackendRegistry &registry) {
  return registry.add(std::make_unique<ToyBackend>());
}

extern "C" const BackendPlugin *inlayGetBackendPlugin() {
  static constexpr BackendPlugin plugin(addToy);
  return &plugin;
}
