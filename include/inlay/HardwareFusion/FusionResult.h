//===- FusionResult.h - What hardware fusion has done -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_HARDWAREFUSION_FUSIONRESULT_H
#define INLAY_HARDWAREFUSION_FUSIONRESULT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class Operation;
class Value;
} // namespace mlir

namespace inlay {

/// Why an operator is in no group, or why two operators are not in one.
enum class FusionReasonCode : uint8_t {
  /// No stage takes operators of this type, and no group collects them.
  Unmapped,
  /// A stage takes operators of this type, but not in this form.
  Predicate,
  /// The links lead from the stages of the group to no stage that takes it, or
  /// only past one that cannot be skipped.
  Stage,
  /// The stage that takes it is used as often as a group may.
  StageUses,
  /// It takes nothing of what flows through the group.
  NoFlow,
  /// One of the limits of a group.
  Inputs,
  Outputs,
  Ops,
  OnChipBytes,
  /// The group would wait for an operator that waits for the group.
  Cycle,
  /// What a group collects must not be needed before the group.
  UsedBefore,
  /// It belongs to a group already.
  Finished,
  /// Nobody uses its results.
  Unused,
  /// It runs in another group.
  OtherGroup,
};
/// As reports write it: "unmapped", "on-chip-bytes".
llvm::StringRef getName(FusionReasonCode code);

struct FusionReason {
  FusionReasonCode code = FusionReasonCode::Unmapped;
  /// What was required and what was found.
  std::string text;

  bool operator==(const FusionReason &) const = default;
};

struct FusedOp {
  /// Inside the group.
  mlir::Operation *op = nullptr;
  /// What messages call it.
  std::string node;
  /// An ONNX operator type.
  std::string opType;
  /// The stages that it occupies, joined by '+'; empty when it was collected.
  std::string stages;
};

struct FusedGroup {
  /// "group_0", ... in an order in which they can run.
  std::string name;
  std::vector<FusedOp> ops;
  /// Values that it reads and writes, each once; constants do not count.
  unsigned numInputs = 0, numOutputs = 0;
  uint64_t bytesIn = 0, bytesOut = 0;
  /// Bytes of the values that it keeps to itself, at their peak.
  uint64_t onChipPeak = 0;
  /// Names of the graph inputs and nodes of the constants that were reached
  /// from it first.
  std::vector<std::string> attributed;
  /// "## 5: Conv added to group 2", in the order of the decisions; `optimal`
  /// has none.
  std::vector<std::string> trace;
};

struct UngroupedOp {
  mlir::Operation *op = nullptr;
  std::string node;
  std::string opType;
  FusionReason reason;
};

/// A value that crosses the border of a group.
struct UnfusedEdge {
  /// Of both ends, the node and its group; no group where it has none.
  std::string fromNode, toNode;
  std::string fromGroup, toGroup;
  /// The name that the model gives to the value; may be empty.
  std::string value;
  uint64_t bytes = 0;
  FusionReason reason;
};

/// What reports say about groups. Bytes that cross borders: every operator
/// outside of groups counts like a group; a value that is computed at run time
/// counts once for every group that reads it from outside and once for the
/// group that writes it, if anything outside uses it.
struct FusionResult {
  std::string target;
  /// "greedy" or "optimal".
  std::string strategy;
  std::vector<FusedGroup> groups;
  std::vector<UngroupedOp> ungrouped;
  std::vector<UnfusedEdge> edges;
  /// All decisions in order.
  std::vector<std::string> trace;
  /// Bytes that cross borders when every operator stands alone, and now.
  uint64_t bytesBefore = 0, bytesAfter = 0;
  /// No grouping of these operators crosses fewer bytes than this, layouts
  /// being what they are; of `optimal` only.
  std::optional<uint64_t> bound;
  /// What the bytes after were when groups were chosen, if that was not what is
  /// written: then there is no bound.
  std::optional<uint64_t> plannedBytes;

  /// Nothing without a bound; zero when the groups are proven best.
  std::optional<uint64_t> getGap() const {
    return bound ? std::optional(bytesAfter - *bound) : std::nullopt;
  }
};

} // namespace inlay

#endif // INLAY_HARDWAREFUSION_FUSIONRESULT_H
