//===- Groups.h - Moving operators in and out of groups ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_GROUPS_H
#define INLAY_IR_GROUPS_H

#include "inlay/IR/InlayOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace inlay {

/// Whether the operation stands for others and is finished: a group, or an
/// operator in a layout. What is in it only says what it computes.
bool isFinished(mlir::Operation *op);

/// Whether the operation is none of a model's operators but stands for several
/// or for a copy: a group or a relayout.
bool isArrangement(mlir::Operation *op);

/// Whether the group was a call in the model: its location is then that of the
/// call, and nothing of what it consists of.
bool wasCalled(GroupOp op);

/// The operation itself, or the outermost group that it is in: where what no
/// group may hold has to stand.
mlir::Operation *getOutsideGroups(mlir::Operation *op);

/// Whether kernels were made of the operators of a graph, in it or in a body of
/// If, Loop or Scan: it is finished then, and what is outside of them stays
/// there.
bool hasKernels(mlir::Operation *graph);

/// Moves the constants of groups in front of them: they are passed in.
void hoistConstants(mlir::Region &region);

/// Removes the results that nobody uses. Returns whether there were any; the
/// group is another operation then, and a kernel has to be updated. A group of
/// the model stays as it is.
bool dropUnusedResults(GroupOp op);

/// Puts operations of one block, in an order in which they can run, into a new
/// group of a pipeline where the last of them stands. Its results are theirs
/// that others use. What is not needed before the group may stand before it:
/// sort the block.
GroupOp groupOperations(llvm::ArrayRef<mlir::Operation *> ops,
                        llvm::StringRef target, llvm::StringRef name,
                        mlir::ArrayAttr stages);

/// Brings the operations of a block into an order in which each follows what it
/// and its regions need, as near to the present one as that allows.
void sortBlock(mlir::Block &block);

/// Puts the operators of a group in its place.
void inlineGroup(GroupOp op);

/// Puts the operator and the transposes around it in the place of both.
void inlineInLayout(InLayoutOp op);

/// Puts functions that groups were outlined to in the place of their calls, as
/// groups. The module then has one function, the graph; one that has others is
/// a model error.
llvm::Error restoreGroups(mlir::ModuleOp module);

} // namespace inlay

#endif // INLAY_IR_GROUPS_H
