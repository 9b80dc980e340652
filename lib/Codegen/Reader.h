//===- Reader.h - Values as functions of an index ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A template says which elements it wants, by index; the reader walks the
// kernel backwards: views and moves rewrite the index, elementwise operators
// want elements of their operands, what the kernel reads is loaded. What it
// takes is known before any code is made; then the code is written, in the
// order of the body.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_READER_H
#define INLAY_LIB_CODEGEN_READER_H

#include "IndexMaps.h"
#include "KernelBuilder.h"

namespace inlay {

class Reader {
public:
  Reader(const KernelBody &body, LoopSpace &space) : body(body), space(space) {}

  /// Elements of `value` at `index` are given by the template and read nowhere
  /// else than there. Call before anything is wanted.
  unsigned define(mlir::Value value, const LoopIndex &index);
  /// Wants the element of `value` at `index`; its number. Nothing where there
  /// is no way to it.
  std::optional<unsigned> want(mlir::Value value, const LoopIndex &index);

  /// How many elements the template gives; they are the first ones.
  unsigned getNumDefined() const { return numDefined; }
  /// Whether vectors along a loop can be made of all that is wanted.
  bool allowsVectors(unsigned loop) const;
  /// Whether elements of `value` are computed for what is wanted.
  bool computes(mlir::Value value) const;
  /// The operators that compute elements.
  llvm::SmallVector<mlir::Operation *> getComputing() const;
  /// Whether nothing but constants is read.
  bool readsConstants() const;
  /// Where elements are, if all that is wanted is to be loaded from one tensor;
  /// and which one is read.
  const Linear *getOnlyLoad() const;
  unsigned getOnlyRead() const {
    return body.getReadNumber(nodes.front().value);
  }
  /// All sums that elements are read at.
  llvm::SmallVector<const Linear *> getForms() const;
  /// A loop has become part of another, which all sums allow.
  void dropLoop(unsigned loop);

  /// Where code is made: what loops count, of which one counts `width` at
  /// once, and what was computed.
  struct Scope {
    /// By variable; those that are not loops follow from them.
    llvm::SmallVector<mlir::Value> variables;
    /// By number of what is wanted; those that were defined are given.
    llvm::SmallVector<mlir::Value> elements;
    unsigned lane = ~0u, width = 1;
  };
  Scope getScope() const;
  /// Writes what does not change with the loops `inner`, unless the scope has
  /// it already: before a loop is entered, what is the same in all its turns.
  /// False where an operator has no code for its element types.
  bool emit(KernelBuilder &builder, Scope &scope,
            llvm::ArrayRef<unsigned> inner = {}) const;
  /// A sum in the scope, of as many elements as are computed at once.
  mlir::Value emitWide(KernelBuilder &builder, const Scope &scope,
                       const Linear &value, unsigned width) const;
  /// A sum in the scope.
  mlir::Value emit(KernelBuilder &builder, const Scope &scope,
                   const Linear &value) const;

private:
  struct Node {
    mlir::Value value;
    LoopIndex index;
    enum Kind : uint8_t {
      Given,
      Load,
      Element,
      Choice,
      Blend,
      Count,
      Sample
    } kind;
    /// Where it is loaded, or the channel that it is sampled from.
    Linear offset;
    /// What it is computed of.
    llvm::SmallVector<unsigned, 2> operands;
    /// When each operand of a choice is taken; null operands are zero.
    llvm::SmallVector<IndexPiece, 1> pieces;
    /// Along which dimensions two are blended each.
    llvm::SmallVector<ResampledDim, 0> blended = {};
    /// Its place in the body, behind what it needs.
    unsigned order = 0;
  };

  static constexpr unsigned zero = ~0u;

  std::optional<unsigned> add(Node node);
  std::optional<unsigned> find(mlir::Value value, LoopIndex index);
  bool addOperands(unsigned number);
  bool areIndicesRead() const;
  void emitVariables(KernelBuilder &builder, Scope &scope) const;
  mlir::Value emitVariable(KernelBuilder &builder, const Scope &scope,
                           const LoopSpace::Variable &variable) const;
  mlir::Value emitNode(KernelBuilder &builder, const Scope &scope,
                       const Node &node, unsigned width) const;
  mlir::Value emitLoad(KernelBuilder &builder, const Scope &scope,
                       const Node &node, unsigned width) const;
  mlir::Value emitChoice(KernelBuilder &builder, const Scope &scope,
                         const Node &node, unsigned width) const;
  mlir::Value emitBlend(KernelBuilder &builder, const Scope &scope,
                        const Node &node, unsigned width) const;
  mlir::Value emitCount(KernelBuilder &builder, const Scope &scope,
                        const Node &node, unsigned width) const;
  mlir::Value emitSample(KernelBuilder &builder, const Scope &scope,
                         const Node &node) const;
  mlir::Value emitElement(KernelBuilder &builder, const Scope &scope,
                          const Node &node, unsigned width) const;
  bool varies(const Node &node, unsigned loop) const;

  const KernelBody &body;
  LoopSpace &space;
  std::vector<Node> nodes;
  /// How many of them have operands.
  unsigned numComplete = 0, numDefined = 0;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 1>> byValue;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_READER_H
