//===- StoredFormChecker.h - Operators over permuted tensors ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds an operator in every storage form that it admits, executes it on
// permuted tensors and compares with the operator itself:
//
//   FormCase concat{"concat", {"A B C f32", "A 2 C f32"},
//                   "%a, %b {axis = -2 : i64}"};
//   checkForms(concat);
//
// The operands are %a, %b, ...; letters in their types are extents, as is $A in
// the text; an operand SAME is the first one again. They are tried all equal,
// as different primes, as products, and unknown at compile time; ?2 is an
// extent of 2 that never is known. Where blocks are not full, padding that may
// be anything is NaN and infinity.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_IR_STOREDFORMCHECKER_H
#define INLAY_UNITTESTS_IR_STOREDFORMCHECKER_H

#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>
#include <vector>

namespace inlay::testing {

struct FormCase {
  std::string op;
  std::vector<std::string> operands;
  /// Operands and attributes, as they are written before the types.
  std::string text;
  /// The element types of the results.
  std::vector<std::string> results = {"f32"};
  /// Sums of terms that are not exact are added up in another order.
  bool isInexact = false;
  /// Integers of 64 bits are drawn below this.
  unsigned indexLimit = 2;
  /// The opset of the module; 0 for none.
  unsigned opset = 17;
  /// How many of the results are used.
  unsigned numUsed = ~0u;
  /// The values of operands, by their number; others are drawn.
  std::map<unsigned, std::vector<double>> values = {};
};

struct FormCounts {
  /// Forms asked for that are not row-major, and those built.
  unsigned asked = 0, built = 0;
  /// Of those built, how many have a factored dimension.
  unsigned factored = 0;
  /// How many have a dimension in blocks of which the last is not full, and in
  /// how many of these a result's padding is known to be zero.
  unsigned blocked = 0, zero = 0;
};

/// Tries all forms with all extents; failures are reported to gtest.
FormCounts checkForms(const FormCase &formCase);

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_IR_STOREDFORMCHECKER_H
