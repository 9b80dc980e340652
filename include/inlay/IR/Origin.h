//===- Origin.h - Which nodes an operation comes from -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_ORIGIN_H
#define INLAY_IR_ORIGIN_H

#include "inlay/IR/InlayDialect.h"
#include "inlay/IR/ModuleAttrs.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace inlay {

/// A location that carries `origin` and nothing else.
mlir::Location getOriginLoc(OriginAttr origin);

/// Every origin that a location carries, in order, without repetition.
llvm::SmallVector<OriginAttr, 1> getOrigins(mlir::Location loc);

/// The first origin of a location, or null.
OriginAttr getFirstOrigin(mlir::Location loc);

/// What to call an operation in a message: its node's name, else the name of
/// the node's first output, else the operation's own name.
std::string getNodeName(mlir::Operation *op);

/// "node 'c1' (Conv)", or "(com.acme::Swirl)".
std::string describeNode(mlir::Operation *op);

/// The same of the operation itself or the innermost one around it that comes
/// from a node.
std::string describeNodeAround(mlir::Operation *op);

/// The name the model gives to a value, or an empty string.
llvm::StringRef getValueName(mlir::Value value);

/// One location with the origins of all, those of the first one first.
mlir::Location mergeLocs(mlir::MLIRContext *context,
                         llvm::ArrayRef<mlir::Location> locs);

/// The module's list of removed nodes. A pass collects what it removes and
/// writes it once.
class RemovedNodes {
public:
  /// Notes that the origins of `op` go, and why. Regions count with their op.
  void add(mlir::Operation *op, llvm::StringRef reason);
  void add(OriginAttr origin, llvm::StringRef reason);
  bool empty() const { return entries.empty(); }

  /// Appends to the module's list.
  void write(mlir::ModuleOp module);

  static llvm::StringRef getAttrName() { return attrs::removed; }

private:
  llvm::SmallVector<mlir::Attribute> entries;
};

using OriginSet = llvm::SetVector<OriginAttr>;

/// Every origin that a module knows: on its operations, those in regions
/// included, or with a reason in its list of removed nodes.
OriginSet collectOrigins(mlir::ModuleOp module);

/// Those of `before` that the module does not know any more. No pass may lose
/// one.
llvm::SmallVector<OriginAttr> findLostOrigins(const OriginSet &before,
                                              mlir::ModuleOp module);

} // namespace inlay

#endif // INLAY_IR_ORIGIN_H
