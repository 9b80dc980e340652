//===- ProtoReader.h - From a mapped file to messages -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ONNX_PROTOREADER_H
#define INLAY_ONNX_PROTOREADER_H

#include "inlay/ONNX/Proto.h"
#include "inlay/Support/Error.h"
#include "inlay/Support/MappedFile.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace inlay {

/// How deep graphs may nest inside attributes, and types inside types.
constexpr unsigned maxGraphNesting = 64;
constexpr unsigned maxTypeNesting = 64;

/// A file's message with what its views look into.
template <typename Message> struct Parsed {
  std::shared_ptr<const MappedFile> file;
  llvm::BumpPtrAllocator arena;
  Message message;
};
using ParsedModel = Parsed<proto::Model>;
using ParsedTensor = Parsed<proto::Tensor>;

/// Reads a ModelProto. Malformed files give a model error that names the file,
/// the graph, node and attribute and the byte where reading failed.
llvm::Expected<std::unique_ptr<ParsedModel>>
parseModel(std::shared_ptr<const MappedFile> file);

/// Reads a file that is a single TensorProto (.pb).
llvm::Expected<std::unique_ptr<ParsedTensor>>
parseTensor(std::shared_ptr<const MappedFile> file);

} // namespace inlay

#endif // INLAY_ONNX_PROTOREADER_H
