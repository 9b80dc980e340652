//===- StageForms.h - The forms of operators that stages take ---*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TARGET_STAGEFORMS_H
#define INLAY_LIB_TARGET_STAGEFORMS_H

#include "YamlTree.h"

namespace inlay {

/// The keys of predicates, which say in which form an operator is taken.
llvm::ArrayRef<llvm::StringRef> getPredicateKeys();

/// The element types of `node`, a word or a list of them.
std::vector<std::string> readElementTypes(const YamlNode &node,
                                          FaultList &faults);

/// Reads the predicates of a mapping into `form`, over what it has of them.
/// Those that can never hold are faults.
void readPredicates(const YamlNode &node, StageOp &form, FaultList &faults);

/// A fault where none of `ops` has what files call `word`, so that nothing
/// said of it matters.
bool checkWord(llvm::StringRef word, YamlLocation location,
               llvm::ArrayRef<llvm::StringRef> ops, OpFormLookup getForms,
               FaultList &faults);

/// Faults of predicates of a mapping that matter to none of `ops`: attributes
/// and operands that these do not have, words that no attribute can be.
void checkPredicates(const YamlNode &node, llvm::ArrayRef<llvm::StringRef> ops,
                     OpFormLookup getForms, FaultList &faults);

} // namespace inlay

#endif // INLAY_LIB_TARGET_STAGEFORMS_H
