//===- DataFlowReader.cpp - The section 'dataflow' of a target file -------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DataFlowReader.h"
#include "Fields.h"
#include "LinkParser.h"
#include "StageForms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace inlay;

static constexpr size_t maxStages = 256;
/// Of one stage.
static constexpr size_t maxOps = 64;
static constexpr size_t maxNameLength = 64;
static constexpr int64_t maxBytes = int64_t(1) << 50;

//===----------------------------------------------------------------------===//
// Limits of instructions
//===----------------------------------------------------------------------===//

/// What takes one at a time joins nothing, so that several steps do not help.
static std::optional<unsigned>
readOpLimit(const Fields &fields, llvm::StringRef key, FaultList &faults) {
  const YamlNode *node = fields.find(key);
  if (!node)
    return std::nullopt;
  return readInteger(*node, ("'" + key + "'").str(), 2, INT32_MAX, faults);
}

std::vector<OpLimit>
inlay::readOpLimits(const YamlNode &node,
                    llvm::ArrayRef<llvm::StringRef> knownOps,
                    FaultList &faults) {
  std::vector<OpLimit> limits;
  if (!expectSequence(node, "'limits'", faults))
    return limits;
  llvm::StringMap<unsigned> firstLines;
  for (const YamlNode &item : node.items) {
    Fields fields(item, "a limit", {"op", "max-inputs", "max-outputs"}, faults);
    OpLimit limit;
    limit.maxInputs = readOpLimit(fields, "max-inputs", faults);
    limit.maxOutputs = readOpLimit(fields, "max-outputs", faults);
    if (item.kind == YamlNode::Kind::Mapping && !fields.find("max-inputs") &&
        !fields.find("max-outputs"))
      faults.add(item.location, "a limit must have 'max-inputs' or "
                                "'max-outputs', found neither");
    const YamlNode *op = fields.require("op");
    auto name = op ? readOperator(*op, "'op'", knownOps, faults) : std::nullopt;
    if (!name)
      continue;
    auto [first, isNew] = firstLines.try_emplace(*name, op->location.line);
    if (!isNew) {
      faults.add(op->location, "duplicate limit: operator " + *name +
                                   " has one already, on line " +
                                   llvm::Twine(first->second));
      continue;
    }
    limit.op = name->str();
    limits.push_back(std::move(limit));
  }
  return limits;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

namespace {
class DataFlowReader {
public:
  DataFlowReader(llvm::ArrayRef<llvm::StringRef> knownOps,
                 OpFormLookup getForms, FaultList &faults)
      : knownOps(knownOps), getForms(getForms), faults(faults) {}

  DataFlow read(const YamlNode &node);

private:
  void readStages(const YamlNode &node);
  void readStage(const YamlNode &node, unsigned number);
  void readOps(const YamlNode &node, const StageOp &common, unsigned number);
  std::optional<StageOp> readOp(const YamlNode &node, StageOp form);
  void checkStagePredicates(const YamlNode &node, unsigned number);
  void readUses(const YamlNode &node, unsigned number);
  void checkStage(const YamlNode &node, unsigned number);
  void readLinks(const YamlNode &node);
  void readRoots(const Fields &fields);
  void addRoot(const YamlNode &node);
  void readCollect(const YamlNode &node);
  void readLimits(const YamlNode &node);
  std::optional<unsigned> findStage(llvm::StringRef name,
                                    YamlLocation location);

  llvm::ArrayRef<llvm::StringRef> knownOps;
  OpFormLookup getForms;
  FaultList &faults;
  DataFlow flow;
  DataFlowPlaces places;
  llvm::StringMap<unsigned> numbers;
  /// The names of the stages, for suggestions.
  llvm::SmallVector<llvm::StringRef> names;
};
} // namespace

std::optional<unsigned> DataFlowReader::findStage(llvm::StringRef name,
                                                  YamlLocation location) {
  auto found = numbers.find(name);
  if (found != numbers.end())
    return found->second;
  faults.add(location, "unknown stage '" + name.take_front(40) + "'" +
                           suggestNearest(name, names));
  return std::nullopt;
}

static bool isStageName(llvm::StringRef name) {
  return !name.empty() && name.size() <= maxNameLength &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Names first: links and uses may speak of stages further below.
void DataFlowReader::readStages(const YamlNode &node) {
  std::vector<const YamlNode *> bodies;
  forEachEntry(
      node, "'stages'", faults,
      [&](const YamlNode::Key &key, const YamlNode &value) {
        if (!isStageName(key.text))
          faults.add(key.location,
                     "a stage's name must be 1 to " +
                         llvm::Twine(maxNameLength) +
                         " letters, digits and '_', found '" +
                         llvm::StringRef(key.text).take_front(40) + "'");
        if (bodies.size() == maxStages)
          faults.add(key.location,
                     "more than " + llvm::Twine(maxStages) + " stages");
        if (bodies.size() >= maxStages)
          return;
        numbers[key.text] = bodies.size();
        names.push_back(key.text);
        bodies.push_back(&value);
        flow.stages.emplace_back().name = key.text;
        places.stages.emplace_back().name = key.location;
      });
  flow.links.resize(bodies.size());
  for (auto [number, body] : llvm::enumerate(bodies))
    readStage(*body, number);
  for (auto [number, body] : llvm::enumerate(bodies))
    checkStage(*body, number);
  if (node.kind == YamlNode::Kind::Mapping && node.items.empty())
    faults.add(node.location, "'stages' must have a stage, found none");
}

void DataFlowReader::readStage(const YamlNode &node, unsigned number) {
  llvm::SmallVector<llvm::StringRef> known = {"ops", "uses", "max", "bypass"};
  llvm::append_range(known, getPredicateKeys());
  Fields fields(node, "a stage", known, faults);
  StageOp common;
  readPredicates(node, common, faults);
  size_t numFaults = faults.size();
  if (const YamlNode *ops = fields.find("ops"))
    readOps(*ops, common, number);
  // An operator that was not read might be the one.
  if (faults.size() == numFaults)
    checkStagePredicates(node, number);
  if (const YamlNode *uses = fields.find("uses"))
    readUses(*uses, number);
  if (const YamlNode *max = fields.find("max"))
    if (auto times = readInteger(*max, "'max'", 1, INT32_MAX, faults))
      flow.stages[number].max = *times;
  if (const YamlNode *flag = fields.find("bypass"))
    flow.stages[number].bypass =
        readFlag(*flag, "'bypass'", faults).value_or(true);
}

std::optional<StageOp> DataFlowReader::readOp(const YamlNode &node,
                                              StageOp form) {
  size_t numFaults = faults.size();
  const YamlNode *name = &node;
  if (node.kind == YamlNode::Kind::Mapping) {
    llvm::SmallVector<llvm::StringRef> known = {"op"};
    llvm::append_range(known, getPredicateKeys());
    Fields fields(node, "an operator", known, faults);
    readPredicates(node, form, faults);
    name = fields.require("op");
  }
  if (!name)
    return std::nullopt;
  auto op = readOperator(*name, "an operator", knownOps, faults);
  if (op)
    checkPredicates(node, {*op}, getForms, faults);
  if (!op || faults.size() != numFaults)
    return std::nullopt;
  form.op = op->str();
  return form;
}

/// What stands on a stage must matter to some operator of it.
void DataFlowReader::checkStagePredicates(const YamlNode &node,
                                          unsigned number) {
  llvm::SmallVector<llvm::StringRef> ops;
  for (const StageOp &form : flow.stages[number].ops)
    ops.push_back(form.op);
  if (!ops.empty())
    checkPredicates(node, ops, getForms, faults);
}

void DataFlowReader::readOps(const YamlNode &node, const StageOp &common,
                             unsigned number) {
  llvm::ArrayRef<YamlNode> items = getItems(node);
  if (items.empty() || items.size() > maxOps) {
    faults.add(node.location, "'ops' must list 1 to " + llvm::Twine(maxOps) +
                                  " operators, found " +
                                  llvm::Twine(items.size()));
    return;
  }
  std::vector<StageOp> &ops = flow.stages[number].ops;
  for (const YamlNode &item : items) {
    std::optional<StageOp> op = readOp(item, common);
    if (!op)
      continue;
    if (llvm::is_contained(ops, *op))
      faults.add(item.location,
                 "operator " + op->op + " is listed twice in the same form");
    ops.push_back(std::move(*op));
    places.stages[number].ops.push_back(item.location);
  }
}

void DataFlowReader::readUses(const YamlNode &node, unsigned number) {
  Fields fields(node, "'uses'", {getName(OpPart::Pads), getName(OpPart::Bias)},
                faults);
  for (OpPart part : {OpPart::Pads, OpPart::Bias}) {
    const YamlNode *stage = fields.find(getName(part));
    if (!stage)
      continue;
    auto name = readText(*stage, ("'" + getName(part) + "'").str(), faults);
    auto used = name ? findStage(*name, stage->location) : std::nullopt;
    if (!used)
      continue;
    flow.stages[number].uses.emplace_back(part, *used);
    places.stages[number].uses.push_back(stage->location);
  }
}

/// A stage takes operators, or parts of those of another.
void DataFlowReader::checkStage(const YamlNode &node, unsigned number) {
  bool isUsed = llvm::any_of(flow.stages, [&](const Stage &stage) {
    return llvm::any_of(stage.uses,
                        [&](const auto &use) { return use.second == number; });
  });
  if (node.kind != YamlNode::Kind::Mapping || isUsed ||
      llvm::any_of(node.keys,
                   [](const auto &key) { return key.text == "ops"; }))
    return;
  faults.add(places.stages[number].name,
             "stage '" + names[number] +
                 "' takes nothing: it has no 'ops' and no 'uses' names it");
}

//===----------------------------------------------------------------------===//
// Links and roots
//===----------------------------------------------------------------------===//

void DataFlowReader::readLinks(const YamlNode &node) {
  if (!expectSequence(node, "'links'", faults))
    return;
  for (const YamlNode &item : node.items) {
    LinkChain chain = parseLinks(item, faults);
    std::vector<llvm::SmallVector<unsigned, 4>> steps;
    for (const auto &step : chain) {
      llvm::SmallVector<unsigned, 4> &known = steps.emplace_back();
      for (const LinkWord &word : step)
        if (auto stage = findStage(word.name, word.location))
          known.push_back(*stage);
    }
    for (size_t i = 1; i < steps.size(); ++i)
      for (unsigned from : steps[i - 1])
        for (unsigned to : steps[i]) {
          if (llvm::is_contained(flow.links[from], to))
            faults.add(item.location, "link " + names[from] + " -> " +
                                          names[to] + " is given twice");
          else
            flow.links[from].push_back(to);
        }
  }
}

void DataFlowReader::addRoot(const YamlNode &node) {
  auto name = readText(node, "a root", faults);
  auto stage = name ? findStage(*name, node.location) : std::nullopt;
  if (!stage)
    return;
  if (llvm::is_contained(flow.roots, *stage))
    faults.add(node.location, "root '" + *name + "' is listed twice");
  else
    flow.roots.push_back(*stage);
}

void DataFlowReader::readRoots(const Fields &fields) {
  const YamlNode *root = fields.find("root");
  const YamlNode *roots = fields.find("roots");
  if (root && roots)
    faults.add(fields.getKeyLocation("roots"),
               "'dataflow' must have 'root' or 'roots', found both");
  else if (root)
    addRoot(*root);
  else if (!roots)
    faults.add(fields.getKeyLocation("root"),
               "'dataflow' must have 'root' or 'roots', found neither");
  else if (expectSequence(*roots, "'roots'", faults)) {
    if (roots->items.empty())
      faults.add(roots->location, "'roots' must list a stage, found none");
    for (const YamlNode &item : roots->items)
      addRoot(item);
  }
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void DataFlowReader::readCollect(const YamlNode &node) {
  if (node.kind != YamlNode::Kind::Sequence) {
    auto choice = readChoice(
        node, "'collect'", {"unmapped", "none", "a list of operators"}, faults);
    if (choice)
      flow.collect = *choice == 0 ? Collect::Unmapped : Collect::None;
    return;
  }
  flow.collect = Collect::Listed;
  if (node.items.empty())
    faults.add(node.location,
               "'collect' must list an operator, found none; write none");
  for (const YamlNode &item : node.items) {
    auto op = readOperator(item, "'collect'", knownOps, faults);
    if (!op)
      continue;
    if (llvm::is_contained(flow.collected, *op))
      faults.add(item.location, "operator " + *op + " is listed twice");
    else
      flow.collected.push_back(op->str());
  }
}

void DataFlowReader::readLimits(const YamlNode &node) {
  Fields fields(node, "'limits'", {"inputs", "outputs", "ops", "on-chip"},
                faults);
  auto read = [&](llvm::StringRef key, int64_t max, auto &to) {
    if (const YamlNode *value = fields.find(key))
      to = readInteger(*value, ("'" + key + "'").str(), 1, max, faults);
  };
  read("inputs", INT32_MAX, flow.limits.inputs);
  read("outputs", INT32_MAX, flow.limits.outputs);
  read("ops", INT32_MAX, flow.limits.ops);
  read("on-chip", maxBytes, flow.limits.onChipBytes);
}

DataFlow DataFlowReader::read(const YamlNode &node) {
  Fields fields(node, "'dataflow'",
                {"root", "roots", "collect", "limits", "stages", "links"},
                faults);
  if (node.kind != YamlNode::Kind::Mapping)
    return {};
  size_t numFaults = faults.size();
  if (const YamlNode *stages = fields.require("stages"))
    readStages(*stages);
  size_t numFormFaults = faults.size() - numFaults;
  if (const YamlNode *links = fields.find("links"))
    readLinks(*links);
  if (fields.find("stages"))
    readRoots(fields);
  size_t numGraphFaults = faults.size() - numFaults - numFormFaults;
  if (const YamlNode *collect = fields.find("collect"))
    readCollect(*collect);
  if (const YamlNode *limits = fields.find("limits"))
    readLimits(*limits);
  // In a graph with holes everything would seem unreachable, and forms that
  // were not read would seem to be equal.
  if (!flow.stages.empty() && numGraphFaults == 0)
    lintDataFlow(flow, places, /*checkForms=*/numFormFaults == 0, faults);
  return std::move(flow);
}

DataFlow inlay::readDataFlow(const YamlNode &node,
                             llvm::ArrayRef<llvm::StringRef> knownOps,
                             OpFormLookup getForms, FaultList &faults) {
  return DataFlowReader(knownOps, getForms, faults).read(node);
}
