//===- Picture.h - A graph for people ---------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Knows nothing of models: nodes with words and numbers on them, in levels that
// open and close, and tensors between them.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_DRAWING_PICTURE_H
#define INLAY_DRAWING_PICTURE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inlay {

struct PictureTensor {
  std::string name;
  /// "f32", "1x64x56x56".
  std::string type, shape;
  /// "NHWC"; empty where nothing is known of it.
  std::string order;
  std::optional<uint64_t> bytes;
};

enum class PictureKind : uint8_t {
  Operator,
  /// Moves elements only.
  Relayout,
  Group,
  Kernel,
  /// An operator with graphs of its own.
  Control,
  Input,
  Output,
  /// Where a tensor enters or leaves a level.
  Port,
  /// Part of a level that is too large to be drawn at once.
  Section,
};

/// Why a copy is there, or why an operator stands alone.
struct PictureReason {
  std::string from, to;
  std::string storedFor, neededBy;
  std::string words;
};

struct PictureNode {
  PictureKind kind = PictureKind::Operator;
  std::string name, opType;
  /// Tensors; those that are constant are not drawn.
  llvm::SmallVector<unsigned, 3> inputs, constants, outputs;
  /// What it opens to.
  llvm::SmallVector<unsigned, 1> levels;
  /// Nodes of the other picture that it comes from.
  llvm::SmallVector<unsigned, 1> origins;
  /// Storage orders of its operands and results where the operator has some of
  /// its own, and the stages that it takes.
  std::string layouts, stages;
  std::optional<PictureReason> reason;
  bool isFallback = false;
  /// Work, bytes moved, constants among them, bytes alive meanwhile; seconds
  /// and what bounds them where the target has rates.
  std::optional<uint64_t> flops, bytes, weightBytes, liveBytes;
  std::optional<double> seconds;
  std::string bound;
  /// Nodes inside that are not in the picture.
  uint64_t numLeftOut = 0;
};

struct PictureEdge {
  /// Places in the level.
  unsigned from, to;
  unsigned tensor;
};

struct PictureLevel {
  std::string title;
  /// In an order in which they can run.
  std::vector<unsigned> nodes;
  std::vector<PictureEdge> edges;
};

/// The first level is the outermost.
struct Picture {
  std::vector<PictureTensor> tensors;
  std::vector<PictureNode> nodes;
  std::vector<PictureLevel> levels;
};

/// Splits levels that are too large to be drawn at once into sections, between
/// nodes where few tensors pass.
void splitLevels(Picture &picture);

/// Draws every level and writes all as a value of JSON. `progress` is told how
/// many levels are drawn.
llvm::Error writePicture(const Picture &picture, llvm::json::OStream &json,
                         llvm::function_ref<void(size_t, size_t)> progress);

} // namespace inlay

#endif // INLAY_DRAWING_PICTURE_H
