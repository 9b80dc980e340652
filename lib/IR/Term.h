//===- Term.h - Formulas that build operators -------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An expansion reads like its equation:
//
//   Term x(expansion, expansion.widen(op.getInput()));
//   expansion.set(op.getResult(), x / (1.0 + abs(x)));
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_IR_TERM_H
#define INLAY_LIB_IR_TERM_H

#include "Expansions.h"

namespace inlay {

/// A value of an expansion. Numbers beside it are scalars of its element type.
class Term {
public:
  Term(Expansion &expansion, mlir::Value value)
      : expansion(&expansion), value(value) {}

  operator mlir::Value() const { return value; }
  Expansion &getExpansion() const { return *expansion; }

  template <typename OpT> Term apply() const {
    return {*expansion, expansion->create<OpT>(value)};
  }
  template <typename OpT> Term apply(Term other) const {
    return {*expansion, expansion->create<OpT>(value, other.value)};
  }
  template <typename OpT> Term applyVariadic(Term other) const {
    return {*expansion,
            expansion->create<OpT>(mlir::ValueRange({value, other.value}))};
  }
  template <typename OpT> Term reduce(llvm::ArrayRef<int64_t> axes) const {
    return {*expansion, inlay::reduce<OpT>(*expansion, value, axes)};
  }

  Term getNumber(double number) const {
    return {*expansion, expansion->createScalarLike(value, number)};
  }

private:
  Expansion *expansion;
  mlir::Value value;
};

// A binary function of two terms, or of a term and a number.
#define INLAY_TERM_FUNCTION(name, call)                                        \
  inline Term name(Term a, Term b) { return a.call(b); }                       \
  inline Term name(Term a, double b) { return a.call(a.getNumber(b)); }        \
  inline Term name(double a, Term b) { return b.getNumber(a).call(b); }

INLAY_TERM_FUNCTION(operator+, apply<AddOp>)
INLAY_TERM_FUNCTION(operator-, apply<SubOp>)
INLAY_TERM_FUNCTION(operator*, apply<MulOp>)
INLAY_TERM_FUNCTION(operator/, apply<DivOp>)
INLAY_TERM_FUNCTION(operator<, apply<LessOp>)
INLAY_TERM_FUNCTION(operator>, apply<GreaterOp>)
INLAY_TERM_FUNCTION(operator==, apply<EqualOp>)
INLAY_TERM_FUNCTION(pow, apply<PowOp>)
INLAY_TERM_FUNCTION(max, applyVariadic<MaxOp>)
INLAY_TERM_FUNCTION(min, applyVariadic<MinOp>)

#undef INLAY_TERM_FUNCTION

inline Term operator-(Term x) { return x.apply<NegOp>(); }
inline Term abs(Term x) { return x.apply<AbsOp>(); }
inline Term erf(Term x) { return x.apply<ErfOp>(); }
inline Term exp(Term x) { return x.apply<ExpOp>(); }
inline Term log(Term x) { return x.apply<LogOp>(); }
inline Term reciprocal(Term x) { return x.apply<ReciprocalOp>(); }
inline Term round(Term x) { return x.apply<RoundOp>(); }
inline Term sigmoid(Term x) { return x.apply<SigmoidOp>(); }
inline Term sqrt(Term x) { return x.apply<SqrtOp>(); }
inline Term tanh(Term x) { return x.apply<TanhOp>(); }

/// condition ? a : b.
inline Term select(Term condition, Term a, Term b) {
  Expansion &expansion = condition.getExpansion();
  return {expansion, expansion.create<WhereOp>(condition, a, b)};
}

} // namespace inlay

#endif // INLAY_LIB_IR_TERM_H
