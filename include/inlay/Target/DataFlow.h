//===- DataFlow.h - The pipeline of a hardware target -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a target file says about execution: the stages that data flows through,
// which operators each stage takes and in which form, the links between stages,
// and the limits of instructions and of one pass through the pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TARGET_DATAFLOW_H
#define INLAY_TARGET_DATAFLOW_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace inlay {

/// What an attribute of an operator must be: each of its numbers lies between
/// `min` and `max`, or it is one of `names`.
struct AttributeRange {
  /// As target files call it: kernel, stride, dilation, group, pads, slope,
  /// scale, mode, or the name of an ONNX attribute.
  std::string attribute;
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  /// Only whole numbers.
  bool isWhole = false;
  /// Texts that are allowed; empty for numbers.
  std::vector<std::string> names;

  bool operator==(const AttributeRange &) const = default;
};

/// How the extents of a side operand (the second of a binary operator) relate
/// to those of the data.
enum class SideShape : uint8_t {
  /// One element.
  Scalar,
  /// One element per channel.
  Channel,
  /// The shape of the data.
  Same,
  /// Anything else that broadcasts.
  Other,
};
llvm::StringRef getName(SideShape shape);

/// What a stage accepts beside the data that flows through it.
struct SideOperand {
  /// Must it be known at compile time?
  bool isConstant = false;
  /// Shapes that are accepted; empty when any is.
  std::vector<SideShape> shapes;

  bool operator==(const SideOperand &) const = default;
};

/// An operator that a stage takes, and in which form.
struct StageOp {
  /// An ONNX operator type, such as "Conv".
  std::string op;
  /// Element types of the data ("f32", "i8"); empty when any is taken.
  std::vector<std::string> types;
  /// Ranks of the data, both ends included.
  unsigned minRank = 0;
  unsigned maxRank = std::numeric_limits<unsigned>::max();
  std::vector<AttributeRange> attributes;
  /// Of operators that have a side operand.
  SideOperand side;

  /// What is said of an attribute, or null.
  const AttributeRange *findAttribute(llvm::StringRef attribute) const;
  bool operator==(const StageOp &) const = default;
};

/// Whether some operator is of both forms.
bool overlap(const StageOp &a, const StageOp &b);

/// A part of an operator that occupies a stage of its own.
enum class OpPart : uint8_t {
  /// Padding that is not zero.
  Pads,
  /// A bias operand.
  Bias,
};
llvm::StringRef getName(OpPart part);

/// One stage of the pipeline.
struct Stage {
  std::string name;
  std::vector<StageOp> ops;
  /// Stages that parts of an operator of this stage occupy too, by number: the
  /// pads of a convolution in a stage before it, its bias in one behind it.
  std::vector<std::pair<OpPart, unsigned>> uses;
  /// How often a group may use it.
  unsigned max = std::numeric_limits<unsigned>::max();
  /// Whether data may pass it without being changed.
  bool bypass = true;

  bool operator==(const Stage &) const = default;
};

/// What a group takes in besides what stages take.
enum class Collect : uint8_t {
  /// Nothing.
  None,
  /// Every operator that no stage maps.
  Unmapped,
  /// The operators of a list.
  Listed,
};

/// What one group may have at the most; nothing where there is no limit.
struct GroupLimits {
  std::optional<unsigned> inputs;
  std::optional<unsigned> outputs;
  std::optional<unsigned> ops;
  /// Bytes of the values that a group keeps to itself, at their peak.
  std::optional<uint64_t> onChipBytes;

  bool operator==(const GroupLimits &) const = default;
};

/// The hardware data-flow graph.
struct DataFlow {
  std::vector<Stage> stages;
  /// Of each stage, the numbers of those behind it, in the order of the file.
  std::vector<llvm::SmallVector<unsigned, 4>> links;
  /// Where data may enter.
  std::vector<unsigned> roots;
  Collect collect = Collect::None;
  /// The operators that `Collect::Listed` names.
  std::vector<std::string> collected;
  GroupLimits limits;

  /// How many links lead to each stage from the stage `from`, 1 at the least,
  /// or else from the roots, which are at distance 0, past stages that may be
  /// skipped; nothing for stages that data does not reach so.
  std::vector<std::optional<unsigned>>
  getDistances(std::optional<unsigned> from) const;

  bool operator==(const DataFlow &) const = default;
};

/// An instruction that takes only so many operands or results at a time.
struct OpLimit {
  /// An ONNX operator type.
  std::string op;
  std::optional<unsigned> maxInputs;
  std::optional<unsigned> maxOutputs;

  bool operator==(const OpLimit &) const = default;
};

} // namespace inlay

#endif // INLAY_TARGET_DATAFLOW_H
