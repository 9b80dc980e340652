//===- MatchLog.h - Why rewrites did not apply ------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For who wonders why an equation was not used: every guard of a rewrite gives
// a reason, and a log that is attached to a registry of dialects hears it. One
// line per rewrite and operation that it was tried at:
//
//   rewrite: swish at 'gate': no factor is the sigmoid of the other
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_REWRITE_MATCHLOG_H
#define INLAY_TRANSFORMS_REWRITE_MATCHLOG_H

#include "inlay/Transforms/Rewrite/Rewrite.h"
#include "mlir/IR/DialectInterface.h"

namespace inlay {

class MatchLog : public mlir::DialectInterface::Base<MatchLog> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MatchLog)

  /// `os` must be there as long as the context is.
  MatchLog(mlir::Dialect *dialect, llvm::raw_ostream &os)
      : Base(dialect), os(os) {}

  /// The log of a context; null where none was attached.
  static const MatchLog *get(mlir::MLIRContext *context);

  /// The rewrite was tried at the root and did not apply.
  void hear(const Rewrite &rewrite, mlir::Operation *root,
            llvm::StringRef reason) const;

private:
  llvm::raw_ostream &os;
};

/// Lets contexts of the registry log to `os`, if `isWanted` says so when the
/// dialect is loaded.
void attachMatchLog(mlir::DialectRegistry &registry, llvm::raw_ostream &os,
                    std::function<bool()> isWanted);

} // namespace inlay

#endif // INLAY_TRANSFORMS_REWRITE_MATCHLOG_H
