//===- Rewrite.h - Equations between graphs ---------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rewrite is an equation with a name. The function behind it finds its left
// side at the last operation, and puts the right side in its place:
//
//   static bool foldNegation(Operation *root, RewriteContext &context) {
//     auto inner = root->getOperand(0).getDefiningOp<NegOp>();
//     if (!inner || !inner->hasOneUse())
//       return context.refuse("its input is no Neg, or has another user");
//     context.replace(root, inner.getInput());
//     return true;
//   }
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_REWRITE_REWRITE_H
#define INLAY_TRANSFORMS_REWRITE_REWRITE_H

#include "inlay/Analysis/Patterns/MatchReason.h"
#include "inlay/IR/Origin.h"
#include "inlay/Target/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include <functional>

namespace inlay {

/// What a rewrite is told and does its work with. The last reason that is given
/// before a rewrite returns false is the one that MatchLog hears.
class RewriteContext : public MatchReason {
public:
  RewriteContext(mlir::MLIRContext *context, const Target &target)
      : builder(context), target(target) {}

  const Target &getTarget() const { return target; }
  /// Whether a stage of the target's pipeline takes the ONNX operator in some
  /// form.
  bool hasStage(llvm::StringRef opType) const;

  /// The location of an operation that stands for all of `ops`. The first of
  /// them gives its name, and its results theirs: it is the root, unless
  /// another value is computed. No two operations may have one name, so that it
  /// is the first for one of them only. Any location that is not made here
  /// loses the origins of the operations that go, which are then listed as
  /// removed.
  mlir::Location merge(llvm::ArrayRef<mlir::Operation *> ops);

  /// The same for an operation whose results are no values of the model, called
  /// "NAME/`suffix`".
  mlir::Location mergeInner(llvm::ArrayRef<mlir::Operation *> ops,
                            llvm::StringRef suffix);

  /// Puts `values`, one per result that is used, into the place of the root's
  /// results. Null is for a result that nobody uses. A value that was made for
  /// the root has its type from now on. The root and what only it used are
  /// erased afterwards: a rewrite erases nothing itself.
  void replace(mlir::Operation *root, mlir::ValueRange values);

  /// In front of the root.
  mlir::OpBuilder builder;

private:
  friend class RewriteDriver;

  const Target &target;
  /// Origins that operations bear which were made for the root at hand.
  llvm::DenseSet<OriginAttr> kept;
  /// Operations that were made for it.
  llvm::DenseSet<mlir::Operation *> created;
};

struct Rewrite {
  /// "conv-batch-norm".
  llvm::StringLiteral name;
  /// Left side = right side, and what the letters are, in operator types of
  /// ONNX: "Neg(Neg(x)) = x".
  llvm::StringLiteral equation;
  /// The last operation of the left side, "inlay.neg", or those that it may be,
  /// "inlay.mul inlay.div".
  llvm::StringLiteral root;
  /// Puts the right side in the place of the left side that ends in `root`. A
  /// rewrite that returns false has changed nothing.
  bool (*apply)(mlir::Operation *root, RewriteContext &context);
  /// Whether floats are computed in another way, so that they may differ in
  /// their last digits.
  bool rounds = true;
};

/// All rewrites, in the order in which they are tried; the names are unique.
/// Valid until one is added.
llvm::ArrayRef<Rewrite> getRewrites();
/// Adds a rewrite behind all others; an error where its name is taken. Not
/// while models are rewritten.
llvm::Error registerRewrite(const Rewrite &rewrite);
const Rewrite *findRewrite(llvm::StringRef name);

/// Which rewrites are on, by their place in `getRewrites()`.
struct RewriteOptions {
  std::vector<bool> isOn;

  static RewriteOptions all() {
    return {std::vector(getRewrites().size(), true)};
  }
  static RewriteOptions none() {
    return {std::vector(getRewrites().size(), false)};
  }
  bool isNone() const { return !llvm::is_contained(isOn, true); }
};

/// "on", "off", "NAME,NAME" for these alone, "-NAME,-NAME" for all but these. A
/// usage error names what is unknown, and what may have been meant.
llvm::Expected<RewriteOptions> parseRewrites(llvm::StringRef text);

/// A rewrite at the place of its root, which keeps its location from one run to
/// the next.
using RewritePlace = std::pair<const Rewrite *, mlir::Location>;

/// What rewrites are not to do.
struct RewriteLimits {
  /// Where they are not applied.
  llvm::DenseSet<RewritePlace> except;
  /// Whether an operation that was made will have to be replaced again; empty
  /// where none will.
  std::function<bool(mlir::Operation *)> isLacking;
};

/// One application of a rewrite.
struct RewriteStep {
  RewritePlace place;
  /// Whether it made an operation that is lacking.
  bool isLacking;
};

/// What rewrites that built on each other put in the place of what they found
/// first.
struct RewriteChain {
  /// In order.
  llvm::SmallVector<RewriteStep, 1> steps;
  /// The operations that stand there now, constants left out.
  llvm::SmallVector<mlir::Operation *, 2> made;
  /// How many there were before, constants left out.
  unsigned numReplaced = 0;
};

/// A rewrite that was taken back.
struct UndoneRewrite {
  const Rewrite *rewrite;
  std::string node;
  std::string reason;
};

/// How often each rewrite was applied, by its place in `getRewrites()`.
struct RewriteResult {
  std::vector<unsigned> counts;
  /// In the order in which they ended. Valid until the graph is changed.
  std::vector<RewriteChain> chains;
  /// Those that `counts` does not count because whoever asked for them could
  /// not use what they make.
  std::vector<UndoneRewrite> undone;

  unsigned getTotal() const;
  /// Whether a rewrite was applied that computes floats in another way.
  bool rounds() const;
};

/// Called for each rewrite that is applied, while its root is still there.
using RewriteListener =
    llvm::function_ref<void(const Rewrite &rewrite, mlir::Operation *root)>;

/// Applies the rewrites that are on until none applies any more. Visits
/// operations in program order, bodies of control flow included, and tries
/// what it makes at once.
RewriteResult rewriteModel(mlir::func::FuncOp function,
                           const RewriteOptions &options, const Target &target,
                           RemovedNodes &removed,
                           RewriteListener listener = nullptr,
                           const RewriteLimits &limits = {});

} // namespace inlay

#endif // INLAY_TRANSFORMS_REWRITE_REWRITE_H
