//===- NodeNames.h - What nodes are called in the file ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ONNX_NODENAMES_H
#define INLAY_LIB_ONNX_NODENAMES_H

#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "mlir/IR/Region.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/StringSaver.h"

namespace inlay::onnx {

/// Names of the nodes of a graph, of its subgraphs and of the functions that
/// its groups become. Every node has one.
///
/// A node of the model keeps its name. Where several operations come from one
/// node, it stays with the one that is still the node's operator, or the first;
/// the others are called "node/OpType", or "node_1" where they are, too. What
/// has no origin is called so after what it reads. Names are unique in each
/// graph, which is all that runtimes ask and all that keeps the names of
/// branches which are alike; the nodes of groups count as those of the graph
/// around them. New names are unique in the file. Groups of one name get the
/// same names inside, so that equal ones can be one function.
class NodeNames {
public:
  /// Without `keepsOrigins` nodes are called by their operators only.
  NodeNames(mlir::Region &region, bool keepsOrigins);

  /// The name of the node that `op` becomes. `read` is what the first value
  /// that it reads is called, or an empty name.
  llvm::StringRef get(mlir::Operation *op, llvm::StringRef read);
  /// Gives `op` the name `wanted`, with a number behind it where that is taken.
  llvm::StringRef assign(mlir::Operation *op, llvm::StringRef wanted);
  /// A name for a node that is no operation's.
  llvm::StringRef make(llvm::StringRef wanted);

  /// What follows is named for the function of this group.
  void enter(GroupOp group);
  void leave() { script = nullptr; }

private:
  /// The new names in the function of a group, in the order of their use.
  struct Script {
    llvm::SmallVector<std::pair<std::string, llvm::StringRef>, 0> lines;
    size_t next = 0;
    unsigned numGroups = 0;
  };

  using Claim = std::pair<mlir::Region *, mlir::Attribute>;

  mlir::Region *getGraph(mlir::Operation *op) const;
  void noteGroup(GroupOp group);
  void claim(mlir::Operation *op);
  void collectOriginal();
  bool isTaken(llvm::StringRef name);
  llvm::StringRef makeNew(llvm::StringRef wanted);
  bool isOwner(mlir::Operation *op, OriginAttr origin) const;
  llvm::StringRef getRoot(mlir::Operation *op, llvm::StringRef read) const;
  std::string getWanted(mlir::Operation *op, llvm::StringRef root) const;

  bool keepsOrigins;
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver{allocator};
  mlir::Region &region;
  /// Names in the model; compared by address, for there are many, and not
  /// collected before a new name is asked for.
  llvm::DenseSet<mlir::StringAttr> original;
  bool hasOriginal = false;
  /// Names given, which lie in `saver`.
  llvm::DenseSet<llvm::StringRef> made;
  llvm::StringMap<unsigned> counters;
  /// The operation that a node's name stays with, by graph and name.
  llvm::DenseMap<Claim, mlir::Operation *> owners;
  llvm::DenseMap<mlir::Operation *, llvm::StringRef> given;
  /// What names of those that read an operation's results begin with.
  llvm::DenseMap<mlir::Operation *, llvm::StringRef> roots;
  /// By the name of the function.
  llvm::StringMap<Script> scripts;
  /// Groups that another of the same name comes before.
  llvm::DenseSet<mlir::Operation *> repeated;
  Script *script = nullptr;
};

} // namespace inlay::onnx

#endif // INLAY_LIB_ONNX_NODENAMES_H
