//===- Costs.h - What forms and copies cost a target ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Costs are bytes: those that copies move, and what slower kernels would have
// moved in their time. A kernel that takes f times as long in a form as it
// could costs f - 1 times the mean of what it reads and writes; a copy that
// takes f times as long as one of long runs costs f times what it moves.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TARGET_COSTS_H
#define INLAY_TARGET_COSTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace inlay {

/// How much longer something takes, in thousandths: 2400 for 2.4. Costs are
/// whole numbers on every machine.
class CostFactor {
public:
  static constexpr uint32_t one = 1000;
  static constexpr uint32_t most = 1000 * one;

  CostFactor() = default;
  explicit CostFactor(uint32_t thousandths) : thousandths(thousandths) {}

  uint32_t getThousandths() const { return thousandths; }
  /// That many times `bytes`; sums of two saturate.
  uint64_t scale(uint64_t bytes) const;
  /// What a form costs that reads and writes `bytes`.
  uint64_t getFormCost(uint64_t bytes) const;

  bool operator==(const CostFactor &) const = default;

private:
  uint32_t thousandths = one;
};

/// Numbers between two, both included.
struct NumberBounds {
  uint64_t min = 0;
  uint64_t max = UINT64_MAX;

  bool contains(uint64_t number) const {
    return min <= number && number <= max;
  }
  bool operator==(const NumberBounds &) const = default;
};

/// Whether something is true of the axis that lies innermost in memory.
enum class InnermostAxis : uint8_t { Any, Is, IsNot };

/// What operators do, as costs call it.
enum class OpClass : uint8_t {
  /// One element from those at the same place.
  Elementwise,
  /// Combines elements into fewer.
  Reduction,
  /// Combines elements into as many: Softmax, LayerNormalization.
  Normalization,
  /// Combines the elements of windows: pools.
  Window,
  /// Sums products.
  Contraction,
};
llvm::StringRef getName(OpClass opClass);
llvm::ArrayRef<OpClass> getOpClasses();

/// Which operands of a matrix product are stored transposed.
struct TransposedOperands {
  bool first = false;
  bool second = false;

  bool operator==(const TransposedOperands &) const = default;
};

/// What an operator is in one of its forms, as far as costs ask.
struct FormFacts {
  /// In ONNX, "Softmax".
  std::string op;
  std::optional<OpClass> opClass;
  /// Of the data: "f32".
  std::string type;
  /// What it reads and writes.
  uint64_t bytes = 0;
  /// The elements of the data that lie inside of what it combines elements
  /// along: one where that is the innermost axis. Nothing where it combines
  /// none.
  std::optional<uint64_t> inner;
  /// Whether an operand is repeated, and whether along the innermost axis.
  std::optional<bool> repeatsInnermost;
  /// Of a matrix product.
  std::optional<TransposedOperands> transposed;
  /// Of a matrix product: whether the operand that comes second in the model
  /// comes first, for a result that is stored transposed.
  std::optional<bool> isExchanged;
};

/// The forms of an operator, or of a class of them, that take longer.
struct FormFactor {
  /// One of both.
  std::string op;
  std::optional<OpClass> opClass;
  /// What elements are combined along is innermost, or not.
  InnermostAxis reduced = InnermostAxis::Any;
  /// An operand is repeated along the innermost axis, or along others only.
  InnermostAxis broadcast = InnermostAxis::Any;
  std::optional<TransposedOperands> transposed;
  std::optional<bool> isExchanged;
  /// Of the data; empty: all.
  std::vector<std::string> types;
  NumberBounds inner, bytes;
  CostFactor factor;

  bool matches(const FormFacts &facts) const;
  bool operator==(const FormFactor &) const = default;
};

/// A copy, as far as costs ask.
struct CopyFacts {
  /// "f32".
  std::string type;
  /// What it moves.
  uint64_t bytes = 0;
  /// Bytes that are together before and after.
  uint64_t run = 0;
  /// How many axes have to move at least, those that stay together being one.
  unsigned numMoved = 1;
};

/// Copies that take longer.
struct CopyFactor {
  NumberBounds run, bytes;
  /// More than one axis moves, or not.
  std::optional<bool> movesMany;
  /// Empty: all.
  std::vector<std::string> types;
  CostFactor factor;

  bool matches(const CopyFacts &facts) const;
  bool operator==(const CopyFactor &) const = default;
};

struct TargetCosts {
  /// Bytes that every relayout costs besides those that it moves.
  uint64_t relayout = 0;
  /// Of several that match the first counts.
  std::vector<FormFactor> forms;
  std::vector<CopyFactor> copies;

  /// The factor of a form or copy; one where nothing is said.
  CostFactor getFactor(const FormFacts &facts) const;
  CostFactor getFactor(const CopyFacts &facts) const;

  bool operator==(const TargetCosts &) const = default;
};

/// Which forms an operator may have: what files may ask of it.
struct OpForms {
  /// Of costs.
  bool combines = true;
  bool multiplies = true;
  bool broadcasts = true;
  /// Whether it has the attribute, "weight" or "operand" of that name. Without
  /// a function it may have everything.
  std::function<bool(llvm::StringRef word)> has = nullptr;
  /// Whether the attribute `word` may be `text`.
  std::function<bool(llvm::StringRef word, llvm::StringRef text)> canBe =
      nullptr;
};

} // namespace inlay

#endif // INLAY_TARGET_COSTS_H
