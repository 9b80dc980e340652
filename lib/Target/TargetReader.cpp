//===- TargetReader.cpp - Target files ------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the sections of a target file, each apart from the others, so that a
// fault in one does not hide those of another.
//
//===----------------------------------------------------------------------===//

#include "CostReader.h"
#include "DataFlowReader.h"
#include "Fields.h"
#include "Formats.h"
#include "KernelReader.h"
#include "LayoutRules.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace inlay;

static constexpr llvm::StringLiteral schemaName = "inlay.target/1";
static constexpr size_t maxNameLength = 64;

namespace {
class TargetReader {
public:
  TargetReader(llvm::ArrayRef<llvm::StringRef> knownOps, OpFormLookup getForms,
               FaultList &faults)
      : knownOps(knownOps), getForms(getForms), faults(faults) {}

  Target read(const YamlNode &root);

private:
  void readSchema(const YamlNode &node);
  void readName(const YamlNode &node);
  void readClasses(const YamlNode &node);
  void readRanks(const YamlNode &node, LayoutClass layoutClass);
  void readDims(const YamlNode &node);
  void readIo(const YamlNode &node);
  void readPatterns(const YamlNode &node);
  void readIoLayout(const YamlNode *node, llvm::StringRef what, IoLayout &to);
  std::optional<double> readRate(const YamlNode &node, llvm::StringRef what);
  void readRates(Fields &fields, MachineRates &rates);
  void readMachine(const YamlNode &node);
  void readBackends(const YamlNode &node);
  void checkCosts(const Fields &fields);

  llvm::ArrayRef<llvm::StringRef> knownOps;
  OpFormLookup getForms;
  FaultList &faults;
  Target target;
};
} // namespace

void TargetReader::readSchema(const YamlNode &node) {
  readChoice(node, "'schema'", {schemaName}, faults);
}

bool inlay::isTargetName(llvm::StringRef name) {
  auto isGood = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; };
  return !name.empty() && name.size() <= maxNameLength &&
         llvm::all_of(name, isGood);
}

std::string inlay::describeTargetNames() {
  return "1 to " + std::to_string(maxNameLength) +
         " letters, digits, '_' and '-'";
}

void TargetReader::readName(const YamlNode &node) {
  std::optional<llvm::StringRef> name = readText(node, "'name'", faults);
  if (!name)
    return;
  if (!isTargetName(*name))
    faults.add(node.location, "'name' must be " + describeTargetNames() +
                                  ", found '" + name->take_front(40) + "'");
  target.name = name->str();
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// The ranks that a class can have at all: axes have letters up to rank 6.
static RankBounds getPossibleRanks(LayoutClass layoutClass) {
  bool isNamed =
      layoutClass == LayoutClass::Feature || layoutClass == LayoutClass::Weight;
  return isNamed ? RankBounds{2, 2 + maxSpatialAxes} : RankBounds{0, 64};
}

void TargetReader::readRanks(const YamlNode &node, LayoutClass layoutClass) {
  std::string what = ("the rank of " + getName(layoutClass)).str();
  if (node.kind != YamlNode::Kind::Sequence || node.items.size() != 2) {
    faults.add(node.location,
               what + " must be a list of two numbers, such as [3, 6]");
    return;
  }
  RankBounds possible = getPossibleRanks(layoutClass);
  auto min =
      readInteger(node.items[0], what, possible.min, possible.max, faults);
  auto max =
      readInteger(node.items[1], what, possible.min, possible.max, faults);
  if (!min || !max)
    return;
  if (*min > *max)
    faults.add(node.location, what +
                                  " must begin with the smaller number, "
                                  "found [" +
                                  llvm::Twine(*min) + ", " + llvm::Twine(*max) +
                                  "]");
  target.ranks[size_t(layoutClass)] = {unsigned(*min), unsigned(*max)};
}

void TargetReader::readClasses(const YamlNode &node) {
  static constexpr LayoutClass classes[] = {
      LayoutClass::Feature, LayoutClass::Weight, LayoutClass::NTensor,
      LayoutClass::Tensor};
  llvm::SmallVector<llvm::StringRef> names;
  for (LayoutClass layoutClass : classes)
    names.push_back(getName(layoutClass));
  Fields fields(node, "'classes'", names, faults);
  for (LayoutClass layoutClass : classes) {
    const YamlNode *entry = fields.find(getName(layoutClass));
    if (!entry)
      continue;
    Fields bounds(*entry, getName(layoutClass), {"rank"}, faults);
    if (const YamlNode *rank = bounds.require("rank"))
      readRanks(*rank, layoutClass);
  }
}

//===----------------------------------------------------------------------===//
// Whether there are costs; dimensions, inputs and outputs
//===----------------------------------------------------------------------===//

/// Without costs nothing says which of two ways to serve a key operator is
/// better, so they must not be forgotten.
void TargetReader::checkCosts(const Fields &fields) {
  if (fields.find("costs") || target.getKeyOps().empty())
    return;
  faults.add(fields.getKeyLocation("layouts"),
             "missing costs: a target with key operators (" +
                 llvm::join(target.getKeyOps(), ", ") +
                 ") needs 'costs', such as {relayout: 0}");
}

void TargetReader::readDims(const YamlNode &node) {
  forEachEntry(node, "'dims'", faults,
               [&](const YamlNode::Key &key, const YamlNode &value) {
                 auto extent =
                     readInteger(value, "an extent", 1, INT32_MAX, faults);
                 if (!extent)
                   return;
                 if (key.text == "default")
                   target.defaultDim = *extent;
                 else
                   target.dims[key.text] = *extent;
               });
}

void TargetReader::readIoLayout(const YamlNode *node, llvm::StringRef what,
                                IoLayout &to) {
  if (!node)
    return;
  if (auto choice = readChoice(*node, what, {"keep", "any"}, faults))
    to = *choice == 0 ? IoLayout::Keep : IoLayout::Any;
}

void TargetReader::readIo(const YamlNode &node) {
  Fields fields(node, "'io'", {"inputs", "outputs"}, faults);
  readIoLayout(fields.find("inputs"), "'inputs'", target.io.inputs);
  readIoLayout(fields.find("outputs"), "'outputs'", target.io.outputs);
}

void TargetReader::readPatterns(const YamlNode &node) {
  if (!expectSequence(node, "'patterns'", faults))
    return;
  llvm::SmallVector<llvm::StringRef> names;
  for (PatternKind kind : getPatternKinds())
    names.push_back(getName(kind));
  for (const YamlNode &item : node.items) {
    std::optional<unsigned> choice =
        readChoice(item, "a pattern", names, faults);
    if (!choice)
      continue;
    PatternKind kind = getPatternKinds()[*choice];
    if (llvm::is_contained(target.patterns, kind))
      faults.add(item.location,
                 "pattern '" + getName(kind) + "' is listed twice");
    else
      target.patterns.push_back(kind);
  }
}

std::optional<double> TargetReader::readRate(const YamlNode &node,
                                             llvm::StringRef what) {
  double number = 0;
  bool isNumber =
      node.kind == YamlNode::Kind::Scalar &&
      !llvm::StringRef(node.text).getAsDouble(number, /*AllowInexact=*/true);
  if (isNumber && std::isfinite(number) && number > 0)
    return number;
  addMismatch(node, what, "a number above 0, such as 2.5e12", faults);
  return std::nullopt;
}

void TargetReader::readRates(Fields &fields, MachineRates &rates) {
  if (const YamlNode *flops = fields.find("flops"))
    rates.flops = readRate(*flops, "'flops'");
  if (const YamlNode *bandwidth = fields.find("bandwidth"))
    rates.bandwidth = readRate(*bandwidth, "'bandwidth'");
  if (const YamlNode *onChip = fields.find("on-chip"))
    rates.onChip = readInteger(*onChip, "'on-chip'", 0,
                               std::numeric_limits<int64_t>::max(), faults)
                       .value_or(0);
}

/// Vectors are of 2, 4, ... elements.
void TargetReader::readMachine(const YamlNode &node) {
  Fields fields(node, "'machine'",
                {"cpu", "lanes", "registers", "flops", "bandwidth", "on-chip"},
                faults);
  MachineTarget machine;
  static constexpr llvm::StringRef cpus[] = {"native", "generic", "x86-64-v3",
                                             "x86-64-v4", "armv8-a"};
  if (const YamlNode *cpu = fields.find("cpu"))
    if (auto choice = readChoice(*cpu, "'cpu'", cpus, faults))
      machine.cpu = cpus[*choice].str();
  if (const YamlNode *lanes = fields.find("lanes"))
    if (auto number = readInteger(*lanes, "'lanes'", 2, 64, faults)) {
      if (!llvm::isPowerOf2_64(*number))
        addMismatch(*lanes, "'lanes'", "a power of two", faults);
      machine.lanes = *number;
    }
  if (const YamlNode *registers = fields.find("registers"))
    if (auto number = readInteger(*registers, "'registers'", 8, 64, faults))
      machine.registers = *number;
  readRates(fields, machine.rates);
  // Rates alone say nothing of a CPU.
  bool isCpu =
      machine.lanes || machine.registers || machine.rates == MachineRates();
  if (isCpu && !machine.cpu)
    machine.cpu = "native";
  target.machine = machine;
}

/// Sections of back ends that may not be there: only their form is known.
void TargetReader::readBackends(const YamlNode &node) {
  auto readSection = [&](const YamlNode::Key &name, const YamlNode &section) {
    BackendSection &entries = target.backends[name.text];
    forEachEntry(section, "'" + name.text + "'", faults,
                 [&](const YamlNode::Key &key, const YamlNode &value) {
                   std::string what = "'" + key.text + "'";
                   if (auto text = readText(value, what, faults))
                     entries[key.text] = text->str();
                 });
  };
  forEachEntry(node, "'backends'", faults, readSection);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

Target TargetReader::read(const YamlNode &root) {
  Fields fields(root, "a target",
                {"schema", "name", "description", "formats", "layouts",
                 "classes", "costs", "dims", "candidates", "io", "patterns",
                 "limits", "dataflow", "kernels", "machine", "backends"},
                faults);
  if (const YamlNode *node = fields.require("schema"))
    readSchema(*node);
  if (const YamlNode *node = fields.require("name"))
    readName(*node);
  if (const YamlNode *node = fields.find("description"))
    target.description =
        readText(*node, "'description'", faults).value_or("").str();
  if (const YamlNode *node = fields.find("formats"))
    target.formats = readFormats(*node, faults);
  if (const YamlNode *node = fields.find("layouts"))
    target.layouts =
        readLayoutRules(*node, knownOps, getForms, target.formats, faults);
  if (const YamlNode *node = fields.find("classes"))
    readClasses(*node);
  if (const YamlNode *node = fields.find("costs"))
    target.costs = readCosts(*node, knownOps, getForms, faults);
  if (const YamlNode *node = fields.find("dims"))
    readDims(*node);
  if (const YamlNode *node = fields.find("candidates"))
    target.candidates = readCandidates(*node, faults);
  if (const YamlNode *node = fields.find("io"))
    readIo(*node);
  if (const YamlNode *node = fields.find("patterns"))
    readPatterns(*node);
  if (const YamlNode *node = fields.find("limits"))
    target.limits = readOpLimits(*node, knownOps, faults);
  if (const YamlNode *node = fields.find("dataflow"))
    target.dataFlow = readDataFlow(*node, knownOps, getForms, faults);
  if (const YamlNode *node = fields.find("kernels"))
    target.kernels = readKernels(*node, knownOps, faults);
  if (const YamlNode *node = fields.find("machine"))
    readMachine(*node);
  if (const YamlNode *node = fields.find("backends"))
    readBackends(*node);
  checkCosts(fields);
  return std::move(target);
}

TargetResult inlay::readTarget(llvm::StringRef text,
                               llvm::ArrayRef<llvm::StringRef> knownOps,
                               OpFormLookup getForms) {
  FaultList faults;
  TargetResult result;
  if (std::optional<YamlNode> root = readYaml(text, faults))
    result.target = TargetReader(knownOps, getForms, faults).read(*root);
  result.faults = faults.take();
  return result;
}

std::string inlay::formatFault(llvm::StringRef bufferName,
                               const TargetFault &fault) {
  return (bufferName + ":" + llvm::Twine(fault.line) + ":" +
          llvm::Twine(fault.column) + ": error: " + fault.message)
      .str();
}

llvm::Expected<Target>
inlay::parseTarget(llvm::StringRef text, llvm::StringRef bufferName,
                   llvm::ArrayRef<llvm::StringRef> knownOps,
                   OpFormLookup getForms) {
  TargetResult result = readTarget(text, knownOps, getForms);
  if (result.faults.empty())
    return std::move(result.target);
  std::string message = "target " + bufferName.str() + " is not valid";
  for (const TargetFault &fault : result.faults)
    message += "\n" + formatFault(bufferName, fault);
  return targetError(message);
}
