//===- GroupCounter.h - Inputs and outputs of a growing group ---*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_HARDWAREFUSION_GROUPCOUNTER_H
#define INLAY_LIB_HARDWAREFUSION_GROUPCOUNTER_H

#include "inlay/HardwareFusion/DFG.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace inlay {

/// Counts what a group reads and writes while nodes join it, each in the time
/// that its operands and results take.
class GroupCounter {
public:
  explicit GroupCounter(const DFG &graph) : graph(graph) {}

  /// Starts over with these nodes.
  void reset(llvm::ArrayRef<unsigned> nodes);
  void add(unsigned node);

  unsigned getNumInputs() const { return inputs.size(); }
  unsigned getNumOutputs() const { return numOutputs; }

private:
  void read(unsigned operand);
  void write(unsigned result);

  const DFG &graph;
  llvm::DenseSet<unsigned> members;
  llvm::DenseSet<unsigned> inputs;
  /// Of values that the group computes: how many nodes outside use them.
  llvm::DenseMap<unsigned, unsigned> usersOutside;
  unsigned numOutputs = 0;
};

} // namespace inlay

#endif // INLAY_LIB_HARDWAREFUSION_GROUPCOUNTER_H
