//===- DataFlowReader.h - Reading 'dataflow' --------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TARGET_DATAFLOWREADER_H
#define INLAY_LIB_TARGET_DATAFLOWREADER_H

#include "YamlTree.h"

namespace inlay {

/// Reads the list 'limits'; those with faults are left out.
std::vector<OpLimit> readOpLimits(const YamlNode &node,
                                  llvm::ArrayRef<llvm::StringRef> knownOps,
                                  FaultList &faults);

/// Where the parts of a data flow are written, by stage.
struct DataFlowPlaces {
  struct StagePlaces {
    YamlLocation name;
    /// One per operator and one per use.
    std::vector<YamlLocation> ops, uses;
  };
  std::vector<StagePlaces> stages;
};

/// Reads the section 'dataflow'; what has faults is left out.
DataFlow readDataFlow(const YamlNode &node,
                      llvm::ArrayRef<llvm::StringRef> knownOps,
                      OpFormLookup getForms, FaultList &faults);

/// Finds what is wrong with a data flow whose links are all good: stages that
/// no data reaches, parts of operators in stages that are not on their way and,
/// where `checkForms`, operators that two stages want equally.
void lintDataFlow(const DataFlow &flow, const DataFlowPlaces &places,
                  bool checkForms, FaultList &faults);

} // namespace inlay

#endif // INLAY_LIB_TARGET_DATAFLOWREADER_H
