//===- Fields.h - Typed values of a YAML tree -------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function reads one value; what is wrong goes into the list of faults.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TARGET_FIELDS_H
#define INLAY_LIB_TARGET_FIELDS_H

#include "YamlTree.h"

namespace inlay {

/// The values of a mapping whose keys are known beforehand.
class Fields {
public:
  /// `what` names the mapping in messages ("a target", "costs"). Keys that are
  /// not `known` and keys that occur twice are faults; of these the first
  /// counts.
  Fields(const YamlNode &node, llvm::StringRef what,
         llvm::ArrayRef<llvm::StringRef> known, FaultList &faults);

  /// Null when the key is absent.
  const YamlNode *find(llvm::StringRef key) const;
  /// The same; its absence is a fault.
  const YamlNode *require(llvm::StringRef key) const;
  /// Where the key is written, or the mapping when it is absent.
  YamlLocation getKeyLocation(llvm::StringRef key) const;

private:
  const YamlNode &node;
  llvm::StringRef what;
  FaultList &faults;
};

/// Calls `visit(key, value)` for each entry; keys that occur twice are faults
/// and visited once. Nothing happens, besides a fault, without a mapping.
void forEachEntry(
    const YamlNode &node, llvm::StringRef what, FaultList &faults,
    llvm::function_ref<void(const YamlNode::Key &, const YamlNode &)> visit);

/// A fault unless `node` is a mapping or a list; `what` says of what.
bool expectMapping(const YamlNode &node, llvm::StringRef what,
                   FaultList &faults);
bool expectSequence(const YamlNode &node, llvm::StringRef what,
                    FaultList &faults);

/// The fault of a value that is something else than expected.
void addMismatch(const YamlNode &node, llvm::StringRef what,
                 const llvm::Twine &expected, FaultList &faults);

std::optional<llvm::StringRef>
readText(const YamlNode &node, llvm::StringRef what, FaultList &faults);
/// A whole number of `min` to `max`.
std::optional<int64_t> readInteger(const YamlNode &node, llvm::StringRef what,
                                   int64_t min, int64_t max, FaultList &faults);
/// "true" or "false".
std::optional<bool> readFlag(const YamlNode &node, llvm::StringRef what,
                             FaultList &faults);
/// The position of the text among `choices`.
std::optional<unsigned> readChoice(const YamlNode &node, llvm::StringRef what,
                                   llvm::ArrayRef<llvm::StringRef> choices,
                                   FaultList &faults);

/// An operator type that is among `knownOps`; any without known ones.
std::optional<llvm::StringRef>
readOperator(const YamlNode &node, llvm::StringRef what,
             llvm::ArrayRef<llvm::StringRef> knownOps, FaultList &faults);
/// The items of a list, or the one that stands for it.
llvm::ArrayRef<YamlNode> getItems(const YamlNode &node);

/// ", did you mean 'Conv'?", or nothing when no word is near.
std::string suggestNearest(llvm::StringRef word,
                           llvm::ArrayRef<llvm::StringRef> words);

} // namespace inlay

#endif // INLAY_LIB_TARGET_FIELDS_H
