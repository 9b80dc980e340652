//===- BlockedGemm.h - Matrix products that use the caches ------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix product over operands that are loaded row by row, so that they may
// have any element type and need not exist in memory (convolution windows).
//
// The product is cut into blocks that fit the second-level cache. Of each block
// both operands are packed into the order in which the innermost loop, a small
// tile of sums held in registers, reads them. Every sum is taken in ascending
// order of k, so results do not depend on the block sizes.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TENSOR_KERNELS_BLOCKEDGEMM_H
#define INLAY_LIB_TENSOR_KERNELS_BLOCKEDGEMM_H

#include "inlay/Support/Cancellation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <algorithm>
#include <cstdint>
#include <vector>

namespace inlay::kernels {

/// c = a * b, with a of rows x depth and b of depth x columns.
template <typename T> struct GemmProblem {
  int64_t rows;
  int64_t columns;
  int64_t depth;
  /// Loads part of row `row` of a, from `k` on.
  llvm::function_ref<void(int64_t row, int64_t k, llvm::MutableArrayRef<T> to)>
      loadA;
  /// Loads part of row `k` of b, from `column` on.
  llvm::function_ref<void(int64_t k, int64_t column,
                          llvm::MutableArrayRef<T> to)>
      loadB;
  /// Takes part of row `row` of c; called once for every element.
  llvm::function_ref<void(int64_t row, int64_t column,
                          llvm::MutableArrayRef<T> sums)>
      store;
};

/// Keeps its buffers from one product to the next.
template <typename T> class BlockedGemm {
public:
  void run(const GemmProblem<T> &problem) {
    for (int64_t column = 0; column < problem.columns; column += blockColumns)
      for (int64_t row = 0; row < problem.rows && !isCancelled();
           row += blockRows)
        runBlock(problem, {row, std::min(blockRows, problem.rows - row), column,
                           std::min(blockColumns, problem.columns - column)});
  }

private:
  // The tile needs 8 vector registers of two 64-bit elements for its sums, half
  // of what x86-64 has at least.
  static constexpr int64_t tileRows = 4;
  static constexpr int64_t tileColumns = 4;
  static constexpr int64_t blockRows = 128;
  static constexpr int64_t blockColumns = 512;
  static constexpr int64_t blockDepth = 256;

  struct Block {
    int64_t row, rows, column, columns;
  };

  static int64_t roundUp(int64_t value, int64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
  }

  void runBlock(const GemmProblem<T> &problem, const Block &block) {
    stride = roundUp(block.columns, tileColumns);
    sums.assign(roundUp(block.rows, tileRows) * stride, T(0));
    for (int64_t k = 0; k < problem.depth; k += blockDepth) {
      int64_t depth = std::min(blockDepth, problem.depth - k);
      if (block.rows < tileRows) {
        addRows(problem, block, k, depth);
        continue;
      }
      packA(problem, block, k, depth);
      packB(problem, block, k, depth);
      for (int64_t column = 0; column < stride; column += tileColumns)
        for (int64_t row = 0; row < block.rows; row += tileRows)
          addTile(packedA.data() + row * depth, packedB.data() + column * depth,
                  depth, sums.data() + row * stride + column);
    }
    for (int64_t row = 0; row < block.rows; ++row)
      problem.store(block.row + row, block.column,
                    {sums.data() + row * stride, size_t(block.columns)});
  }

  /// Few rows do not fill tiles: rows of b are added up as they come.
  void addRows(const GemmProblem<T> &problem, const Block &block, int64_t k,
               int64_t depth) {
    line.resize(block.columns);
    packedA.resize(block.rows * depth);
    for (int64_t row = 0; row < block.rows; ++row)
      problem.loadA(block.row + row, k,
                    {packedA.data() + row * depth, size_t(depth)});
    for (int64_t i = 0; i < depth; ++i) {
      problem.loadB(k + i, block.column, line);
      for (int64_t row = 0; row < block.rows; ++row) {
        T factor = packedA[row * depth + i];
        T *to = sums.data() + row * stride;
        const T *from = line.data();
        for (int64_t column = 0; column < block.columns; ++column)
          to[column] += factor * from[column];
      }
    }
  }

  /// Strips of tileRows rows, each in order of k. Rows beyond the block are 0.
  void packA(const GemmProblem<T> &problem, const Block &block, int64_t k,
             int64_t depth) {
    packedA.assign(roundUp(block.rows, tileRows) * depth, T(0));
    line.resize(depth);
    for (int64_t row = 0; row < block.rows; ++row) {
      problem.loadA(block.row + row, k, line);
      T *to =
          packedA.data() + row / tileRows * tileRows * depth + row % tileRows;
      for (int64_t i = 0; i < depth; ++i)
        to[i * tileRows] = line[i];
    }
  }

  /// Strips of tileColumns columns, each in order of k.
  void packB(const GemmProblem<T> &problem, const Block &block, int64_t k,
             int64_t depth) {
    packedB.resize(stride * depth);
    line.assign(stride, T(0));
    for (int64_t i = 0; i < depth; ++i) {
      problem.loadB(k + i, block.column, {line.data(), size_t(block.columns)});
      for (int64_t column = 0; column < stride; column += tileColumns)
        std::copy_n(line.data() + column, tileColumns,
                    packedB.data() + column * depth + i * tileColumns);
    }
  }

  void addTile(const T *a, const T *b, int64_t depth, T *to) {
    T tile[tileRows][tileColumns] = {};
    for (int64_t row = 0; row < tileRows; ++row)
      for (int64_t column = 0; column < tileColumns; ++column)
        tile[row][column] = to[row * stride + column];
    for (int64_t k = 0; k < depth; ++k, a += tileRows, b += tileColumns)
      for (int64_t row = 0; row < tileRows; ++row)
        for (int64_t column = 0; column < tileColumns; ++column)
          tile[row][column] += a[row] * b[column];
    for (int64_t row = 0; row < tileRows; ++row)
      for (int64_t column = 0; column < tileColumns; ++column)
        to[row * stride + column] = tile[row][column];
  }

  int64_t stride = 0;
  std::vector<T> packedA, packedB, line, sums;
};

} // namespace inlay::kernels

#endif // INLAY_LIB_TENSOR_KERNELS_BLOCKEDGEMM_H
