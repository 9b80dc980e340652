//===- TensorData.h - Where a TensorProto keeps its elements ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing here reads elements before somebody asks for them: a TensorProto
// becomes a checked reference to a range of a file wherever the file's bytes
// are the elements.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ONNX_TENSORDATA_H
#define INLAY_ONNX_TENSORDATA_H

#include "inlay/ONNX/Proto.h"
#include "inlay/Support/ExternalFiles.h"
#include "inlay/Tensor/HostTensor.h"
#include "inlay/Tensor/Packing.h"

namespace inlay {

/// The largest rank that is taken for a tensor rather than for damage.
constexpr size_t maxTensorRank = 64;

/// The elements of a tensor: a range of a file that holds them row-major,
/// little-endian, elements narrower than a byte packed from the low bits up;
/// or, where the file encodes them otherwise (strings, varints), decoded.
struct TensorData {
  ElementType type = ElementType::Undefined;
  HostTensor::Shape shape;
  /// With range.file null the elements are in `decoded`.
  FileRange range;
  HostTensor decoded;
  /// Whether `range` is one of an external data file.
  bool isExternal = false;

  bool isRange() const { return range.file != nullptr; }
  /// Bytes of the elements in a file, zero for strings.
  uint64_t getByteSize() const;
};

/// Finds and checks the elements of a TensorProto read from `file`. Errors are
/// model errors that name the file and the tensor.
llvm::Expected<TensorData>
locateTensorData(const proto::Tensor &tensor,
                 const std::shared_ptr<const MappedFile> &file,
                 ExternalFiles &externals);

/// The elements in memory: a view of the range where it can be one, a copy
/// where alignment or packing prevent it.
llvm::Expected<HostTensor> readHostTensor(const TensorData &data);

/// A file that is one TensorProto, as the test data of ONNX has them.
llvm::Expected<HostTensor> readTensorFile(llvm::StringRef path,
                                          std::string *name = nullptr);
llvm::Error writeTensorFile(llvm::StringRef path, const HostTensor &tensor,
                            llvm::StringRef name);

} // namespace inlay

#endif // INLAY_ONNX_TENSORDATA_H
