//===- Target.h - What a piece of hardware asks for -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target is data: which storage orders its operators take, what a relayout
// costs, what is assumed of graphs. docs/Targets.md describes the files.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TARGET_TARGET_H
#define INLAY_TARGET_TARGET_H

#include "inlay/Layout/Layout.h"
#include "inlay/Target/Costs.h"
#include "inlay/Target/DataFlow.h"
#include "inlay/Target/Format.h"
#include "inlay/Target/KernelTarget.h"
#include "inlay/Target/MachineTarget.h"
#include "inlay/Target/Patterns.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace inlay {

/// Storage orders that go together for one operator, as the file writes them:
/// letters for some rank, or the name of a format; `Target::getOrder` says what
/// they mean for a tensor.
struct LayoutChoice {
  /// The data operand, in the letters N, C and spatial ones.
  std::string data;
  /// The weight, in the letters O, I and spatial ones; empty: the weight, if
  /// any, stays row-major.
  std::string weight;
  /// The result; the same as `data` unless the file says otherwise.
  std::string result;
  /// How much longer the operator takes with its data in that order, however
  /// it comes to run so.
  CostFactor factor = CostFactor();

  bool operator==(const LayoutChoice &) const = default;
};

/// The layouts in which a target runs one operator.
struct OpLayout {
  /// An ONNX operator type, such as "Conv".
  std::string op;
  /// At least one, in the order of the file, none twice.
  std::vector<LayoutChoice> choices;
  /// The operator runs in one of `choices` and in nothing else: it is a key
  /// operator. Otherwise it may also run in what plain ONNX expresses.
  bool required = false;
  /// Element types of the data ("f32", "i8") that it holds for; empty: any.
  std::vector<std::string> types = {};

  bool operator==(const OpLayout &) const = default;
};

/// The ranks that a class of layouts is given to, both ends included.
struct RankBounds {
  unsigned min = 0;
  unsigned max = 6;

  bool contains(int64_t rank) const { return min <= rank && rank <= max; }
  bool operator==(const RankBounds &) const = default;
};

/// Whether the graph's inputs or outputs stay in row-major order.
enum class IoLayout : uint8_t { Keep, Any };

struct IoPolicy {
  IoLayout inputs = IoLayout::Keep;
  IoLayout outputs = IoLayout::Keep;

  bool operator==(const IoPolicy &) const = default;
};

/// What a target file says to a back end from outside, by name. Scalars only;
/// the back end gives them their meaning.
using BackendSection = std::map<std::string, std::string, std::less<>>;

/// A value type.
struct Target {
  std::string name;
  std::string description;
  /// Blocked storage orders, by name.
  std::map<std::string, Format, std::less<>> formats;
  /// At most one rule per operator and element type. An operator without one
  /// runs only in the layouts that plain ONNX expresses.
  std::vector<OpLayout> layouts;
  /// By LayoutClass. A value whose rank is outside of Tensor's bounds has no
  /// class.
  std::array<RankBounds, 4> ranks = {{{3, 6}, {3, 6}, {3, 6}, {0, 6}}};
  TargetCosts costs;
  /// Extents assumed for symbolic dimensions where bytes are counted.
  std::map<std::string, int64_t, std::less<>> dims;
  int64_t defaultDim = 1;
  /// Storage orders to consider for every value of their rank, as the file
  /// writes them: "NHWC" or "(0,2,1)".
  std::vector<std::string> candidates;
  IoPolicy io;
  /// What layouts leave whole, so that the target still finds it: moved as one
  /// or not at all. None twice.
  std::vector<PatternKind> patterns;
  /// The pipeline; nothing when operators run one by one.
  std::optional<DataFlow> dataFlow;
  /// At most one per operator.
  std::vector<OpLimit> limits;
  /// What kernels hold that are made of other operators.
  KernelTarget kernels;
  /// Nothing where no code of ours runs on it.
  std::optional<MachineTarget> machine;
  /// By the name of the back end.
  std::map<std::string, BackendSection, std::less<>> backends;

  /// The rule for an ONNX operator type on data of element type `type`, or
  /// null; the first one for some type where that is empty.
  const OpLayout *findRule(llvm::StringRef op, llvm::StringRef type = "") const;
  bool isKeyOp(llvm::StringRef op) const {
    const OpLayout *rule = findRule(op);
    return rule && rule->required;
  }
  /// The limit of an ONNX operator type, or null.
  const OpLimit *findLimit(llvm::StringRef op) const;
  /// The storage order that `order`, as a rule has it, means for a tensor of
  /// `axes` ("NCHW") and an element type by ONNX's name ("int8"); empty when it
  /// is row-major, nothing when it does not fit.
  std::optional<AtomSequence> getOrder(llvm::StringRef order,
                                       llvm::StringRef axes,
                                       llvm::StringRef elementType) const;
  /// The types of the key operators, in the order of the file.
  llvm::SmallVector<llvm::StringRef> getKeyOps() const;

  const RankBounds &getRankBounds(LayoutClass layoutClass) const {
    return ranks[size_t(layoutClass)];
  }
  /// The extent assumed for the dimension symbol `name`.
  int64_t getAssumedExtent(llvm::StringRef name) const;
  /// The candidates for values of `rank` as permutations (position i of the
  /// storage is dimension p[i]), each once, the identity left out.
  std::vector<llvm::SmallVector<unsigned>> getCandidates(unsigned rank) const;
  /// The ONNX domain of functions for this target.
  std::string getDomain() const { return "inlay." + name; }

  bool operator==(const Target &) const = default;
};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Something wrong in a target file; both numbers count from 1.
struct TargetFault {
  unsigned line = 1;
  unsigned column = 1;
  std::string message;

  bool operator==(const TargetFault &) const = default;
};

/// A target, meaningful when there are no faults.
struct TargetResult {
  Target target;
  /// In the order of the text.
  std::vector<TargetFault> faults;
};

/// Which forms an operator, by its ONNX type, may have.
using OpFormLookup = llvm::function_ref<OpForms(llvm::StringRef)>;

/// Reads a target file and finds every fault in it. An operator that is not
/// among `knownOps` is a fault; without known operators any name will do. What
/// is said of a form that an operator cannot have is one where `getForms` is
/// given.
TargetResult readTarget(llvm::StringRef text,
                        llvm::ArrayRef<llvm::StringRef> knownOps = {},
                        OpFormLookup getForms = nullptr);

/// The same with one error of exit code Target for all faults, each on a line
/// "bufferName:line:column: error: message".
llvm::Expected<Target>
parseTarget(llvm::StringRef text, llvm::StringRef bufferName,
            llvm::ArrayRef<llvm::StringRef> knownOps = {},
            OpFormLookup getForms = nullptr);

/// "file:line:column: error: message".
std::string formatFault(llvm::StringRef bufferName, const TargetFault &fault);

/// The text of a target that is part of the library.
struct BuiltinTarget {
  llvm::StringLiteral name;
  llvm::StringLiteral text;
};
llvm::ArrayRef<BuiltinTarget> getBuiltinTargets();

/// Whether a target may be called so: the name becomes part of a domain of
/// ONNX.
bool isTargetName(llvm::StringRef name);
/// What files must call targets, for messages.
std::string describeTargetNames();
/// The text of a file to start from, which is a valid target of that name.
std::string makeTargetText(llvm::StringRef name);

/// What a target was read from.
struct TargetSource {
  /// The path, or the name of a built-in target.
  std::string name;
  std::string text;
};

/// The text of a built-in target, or else of the file of that name.
llvm::Expected<TargetSource> loadTargetText(llvm::StringRef nameOrPath);
/// The text of a file.
llvm::Expected<TargetSource> readTargetFile(llvm::StringRef path);
/// The two steps together: what `-t` names.
llvm::Expected<Target> loadTarget(llvm::StringRef nameOrPath,
                                  llvm::ArrayRef<llvm::StringRef> knownOps = {},
                                  OpFormLookup getForms = nullptr);

} // namespace inlay

#endif // INLAY_TARGET_TARGET_H
