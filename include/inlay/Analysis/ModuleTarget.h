//===- ModuleTarget.h - The target that a module is for ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The module says what it is fitted to, so that passes need no files:
//
//   module attributes {inlay.fitted_to = {source = "nhwc", text = "..."}}
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_MODULETARGET_H
#define INLAY_ANALYSIS_MODULETARGET_H

#include "inlay/Target/Target.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectInterface.h"
#include <memory>
#include <mutex>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace inlay {

/// Of a module: the text of the target and where it came from.
inline constexpr llvm::StringLiteral targetAttr = "inlay.fitted_to";

mlir::DictionaryAttr makeTargetAttr(mlir::MLIRContext *context,
                                    const TargetSource &source);

/// Stands for a target that has no text. Means something in this context only,
/// which must have a TargetCache.
mlir::DictionaryAttr makeTargetAttr(mlir::MLIRContext *context, Target target);

/// Whether a module around `op`, or `op` itself, says its target.
bool hasTarget(mlir::Operation *op);

/// The target of the module around `op`; the built-in `none` where it does not
/// say any. An error (target) for a text that is no target.
llvm::Expected<std::shared_ptr<const Target>> getTarget(mlir::Operation *op);

/// Remembers what texts of targets mean for as long as the context lives.
class TargetCache : public mlir::DialectInterface::Base<TargetCache> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TargetCache)

  explicit TargetCache(mlir::Dialect *dialect) : Base(dialect) {}

  llvm::Expected<std::shared_ptr<const Target>> get(mlir::Attribute attribute);
  mlir::DictionaryAttr add(Target target);

private:
  std::mutex mutex;
  llvm::DenseMap<mlir::Attribute, std::shared_ptr<const Target>> targets;
  int64_t numAdded = 0;
};

/// Contexts that are made from `registry` read each target once.
void registerTargetCache(mlir::DialectRegistry &registry);

} // namespace inlay

#endif // INLAY_ANALYSIS_MODULETARGET_H
