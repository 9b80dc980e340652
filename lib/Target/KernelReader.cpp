//===- KernelReader.cpp - Reading the kernels of a target -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

using namespace inlay;

llvm::ArrayRef<llvm::StringRef> inlay::getKernelRuleNames() {
  static constexpr llvm::StringRef names[] = {
      "reduce", "reuse", "broadcast", "transform", "prologue", "epilogue"};
  return names;
}

static std::vector<std::string>
readNative(const YamlNode &node, llvm::ArrayRef<llvm::StringRef> knownOps,
           FaultList &faults) {
  std::vector<std::string> ops;
  if (!expectSequence(node, "'native'", faults))
    return ops;
  for (const YamlNode &item : node.items) {
    auto op = readOperator(item, "'native'", knownOps, faults);
    if (!op)
      continue;
    if (llvm::is_contained(ops, *op))
      faults.add(item.location, "operator " + *op + " is listed twice");
    else
      ops.push_back(op->str());
  }
  return ops;
}

static unsigned readRules(const YamlNode &node, FaultList &faults) {
  unsigned rules = 0;
  if (!expectSequence(node, "'rules'", faults))
    return rules;
  for (const YamlNode &item : node.items)
    if (auto rule = readChoice(item, "a rule", getKernelRuleNames(), faults))
      rules |= 1u << *rule;
  unsigned reduce = 1u << unsigned(KernelRule::Reduce);
  unsigned reuse = 1u << unsigned(KernelRule::Reuse);
  if ((rules & reuse) && !(rules & reduce))
    faults.add(node.location,
               "rule 'reuse' can never hold without rule 'reduce'");
  return rules;
}

static KernelLimits readLimits(const YamlNode &node, FaultList &faults) {
  KernelLimits limits;
  Fields fields(node, "'limits'", {"inputs", "outputs", "ops", "row"}, faults);
  auto read = [&](llvm::StringRef key, int64_t min,
                  std::optional<uint64_t> &to) {
    if (const YamlNode *value = fields.find(key))
      to = readInteger(*value, ("'" + key + "'").str(), min, INT32_MAX, faults);
  };
  read("inputs", 1, limits.inputs);
  read("outputs", 1, limits.outputs);
  read("ops", 2, limits.ops);
  read("row", 1, limits.row);
  return limits;
}

KernelTarget inlay::readKernels(const YamlNode &node,
                                llvm::ArrayRef<llvm::StringRef> knownOps,
                                FaultList &faults) {
  KernelTarget kernels;
  Fields fields(node, "'kernels'", {"native", "rules", "limits"}, faults);
  if (const YamlNode *native = fields.find("native"))
    kernels.native = readNative(*native, knownOps, faults);
  if (const YamlNode *rules = fields.find("rules"))
    kernels.rules = readRules(*rules, faults);
  if (const YamlNode *limits = fields.find("limits"))
    kernels.limits = readLimits(*limits, faults);
  return kernels;
}
