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
#include "inlay/Support/MappedFile.h"
#include "inlay/Tensor/HostTensor.h"
#include "inlay/Tensor/Packing.h"
#include "llvm/ADT/StringMap.h"

namespace inlay {

/// The largest rank that is taken for a tensor rather than for damage.
constexpr size_t maxTensorRank = 64;

/// The external data files of one model, each opened once. With links resolved,
/// a file must lie below the folder that the model is named in; directly in the
/// folder of the file that the model's name leads to, as model hubs lay them
/// out; or below a folder that the caller allows.
class ExternalFiles {
public:
  explicit ExternalFiles(llvm::StringRef modelPath);
  ExternalFiles(const MappedFile &model, llvm::ArrayRef<std::string> dataRoots);

  llvm::Expected<std::shared_ptr<const MappedFile>>
  open(llvm::StringRef location);

private:
  /// Where files may lie. Its path has no links.
  struct Place {
    std::string folder;
    bool holdsFolders = true;
    /// Whether a location may lead there in any way.
    bool isRoot = false;
  };
  struct Found {
    const Place *place;
    std::string path;

    llvm::StringRef getInner() const;
  };

  void addPlace(llvm::StringRef folder, bool holdsFolders, bool isRoot);
  llvm::Expected<Found> resolve(llvm::StringRef location) const;

  llvm::SmallVector<Place, 2> places;
  /// By location, and by path without links.
  llvm::StringMap<std::shared_ptr<const MappedFile>> files, byPath;
};

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
