//===- IslandWriter.h - Graphs with what runtimes fuse ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes functions in which LayerNormalization, Gelu, attention and activations
// behind convolutions stand as exporters take them apart, in several spellings,
// between transposes, reshapes, sums and operators on each element. Every
// function runs.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_ISLANDWRITER_H
#define INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_ISLANDWRITER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <random>
#include <string>
#include <vector>

namespace inlay::testing {

class IslandWriter {
public:
  explicit IslandWriter(uint64_t seed) : random(seed) {}

  /// The text of a module whose function has one input of floats. The same for
  /// the same seed, on every machine.
  std::string write(unsigned numIslands);

private:
  using Shape = llvm::SmallVector<int64_t, 5>;
  struct Tensor {
    std::string name;
    Shape shape;
  };

  uint64_t draw(uint64_t bound) { return random() % bound; }

  // Operations.
  Tensor add(llvm::StringRef op, llvm::ArrayRef<Tensor> operands, Shape shape,
             llvm::StringRef attributes = "");
  /// Where operands have the shape of the result, or broadcast to the first.
  Tensor apply(llvm::StringRef op, llvm::ArrayRef<Tensor> operands);
  Tensor reshape(const Tensor &x, Shape shape);
  Tensor transpose(const Tensor &x, llvm::ArrayRef<int64_t> perm);
  Tensor multiply(const Tensor &a, const Tensor &b);
  Tensor addScalar(float value);
  Tensor addConstant(llvm::ArrayRef<float> values, Shape shape);
  Tensor addWeight(Shape shape);
  Tensor addIndex(int64_t value);

  // What stands between islands.
  void addSea();
  void addTranspose();
  void addReshape();
  void addResidual();

  // Islands.
  void addIsland();
  Tensor addNormalization(const Tensor &x);
  Tensor addGelu(const Tensor &x);
  Tensor addActivation(const Tensor &x);
  Tensor addAttention(const Tensor &x);

  // Of an attention: (batch, positions, size) of the heads side by side.
  struct Heads {
    /// (batch, heads, positions, size of a head), the key turned.
    Tensor query, key, value;
  };
  Tensor project(const Tensor &x, int64_t size);
  Tensor moveHeads(const Tensor &x, int64_t heads, bool isKey);
  Heads projectEach(const Tensor &x, int64_t heads, int64_t size);
  Heads gatherHeads(const Tensor &x, int64_t heads, int64_t size);
  Heads splitHeads(const Tensor &x, int64_t heads, int64_t size);

  std::mt19937_64 random;
  std::string body;
  unsigned numValues = 0;
  Tensor current;
  /// What was current before.
  std::vector<Tensor> earlier;
};

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_ISLANDWRITER_H
