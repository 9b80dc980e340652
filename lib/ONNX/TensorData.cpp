//===- TensorData.cpp - Where a TensorProto keeps its elements ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/ONNX/TensorData.h"
#include "TypedData.h"
#include "inlay/ONNX/ProtoFields.h"
#include "inlay/ONNX/ProtoReader.h"
#include "inlay/Support/CheckedMath.h"
#include "inlay/Support/Error.h"

using namespace inlay;
using namespace inlay::proto;
using llvm::Error;
using llvm::Twine;

/// Copies of at least this size give back the pages they were copied from.
constexpr uint64_t releaseThreshold = 128 * 1024;

uint64_t TensorData::getByteSize() const {
  return isRange() ? range.length
                   : getPackedByteSize(type, *getNumElements(shape));
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The numbers that all encodings have in common.
static Error checkHeader(const Tensor &tensor, TensorData &data) {
  std::optional<ElementType> type = getElementType(tensor.dataType);
  if (!type || *type == ElementType::Undefined)
    return modelError("data type " + Twine(tensor.dataType) + " is unknown");
  if (tensor.dims.size() > maxTensorRank)
    return modelError("rank " + Twine(tensor.dims.size()) +
                      " exceeds the largest one, " + Twine(maxTensorRank));
  for (int64_t dim : tensor.dims)
    if (dim < 0)
      return modelError("dimension " + Twine(dim) + " is negative");
  std::optional<int64_t> count = getNumElements(tensor.dims);
  uint64_t width = std::max(getHostByteWidth(*type), 1u);
  if (!count || !checkedMul<int64_t>(*count, width))
    return modelError("the size of shape " + formatShape(tensor.dims) +
                      " does not fit into 63 bits");
  if (tensor.hasSegment)
    return modelError("tensors in segments are not supported");
  data.type = *type;
  data.shape.assign(tensor.dims.begin(), tensor.dims.end());
  return Error::success();
}

static Error checkByteSize(const TensorData &data, uint64_t found,
                           llvm::StringRef what) {
  uint64_t required = getPackedByteSize(data.type, *getNumElements(data.shape));
  if (found == required)
    return Error::success();
  return modelError(what + " takes " + Twine(found) + " bytes, its shape " +
                    formatShape(data.shape) + " of " + getName(data.type) +
                    " requires " + Twine(required));
}

//===----------------------------------------------------------------------===//
// External data
//===----------------------------------------------------------------------===//

namespace {
struct ExternalLocation {
  llvm::StringRef path;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};
} // namespace

static llvm::Expected<ExternalLocation>
parseExternalData(ArrayRef<StringEntry> entries) {
  ExternalLocation location;
  for (const StringEntry &entry : entries) {
    if (entry.key == "location") {
      location.path = entry.value;
      continue;
    }
    if (entry.key != "offset" && entry.key != "length")
      continue;
    uint64_t number;
    if (entry.value.getAsInteger(10, number))
      return modelError("external data " + entry.key + " is " +
                        quoteForMessage(entry.value) +
                        ", required a number of bytes");
    if (entry.key == "offset")
      location.offset = number;
    else
      location.length = number;
  }
  return location;
}

static Error locateExternal(const Tensor &tensor, ExternalFiles &externals,
                            TensorData &data) {
  if (data.type == ElementType::String)
    return modelError("strings cannot be external data");
  if (!tensor.rawData.empty() || tensor.typedField != 0)
    return modelError("has both external data and data of its own");
  auto location = parseExternalData(tensor.externalData);
  if (!location)
    return location.takeError();
  auto file = externals.open(location->path);
  if (!file)
    return file.takeError();
  uint64_t required = getPackedByteSize(data.type, *getNumElements(data.shape));
  uint64_t length = location->length.value_or(required);
  if (Error error = checkByteSize(data, length, "external data"))
    return error;
  if (!isRangeWithin(location->offset, length, (*file)->getSize()))
    return modelError("external data at offset " + Twine(location->offset) +
                      " of " + Twine(length) + " bytes passes the end of " +
                      quoteForMessage(location->path) + " of " +
                      Twine((*file)->getSize()) + " bytes");
  data.range = {std::move(*file), location->offset, length};
  data.isExternal = true;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Data of the tensor's own
//===----------------------------------------------------------------------===//

/// Elements that lie in the file as they are. Merged messages do not lie in the
/// file; their elements are copied.
static void locateBytes(ArrayRef<char> bytes,
                        const std::shared_ptr<const MappedFile> &file,
                        TensorData &data) {
  if (std::optional<uint64_t> offset = file->getOffset(bytes))
    data.range = {file, *offset, bytes.size()};
  else
    data.range = {MappedFile::fromMemory(bytes, file->getPath()), 0,
                  bytes.size()};
}

static Error locateTyped(const Tensor &tensor,
                         const std::shared_ptr<const MappedFile> &file,
                         TensorData &data) {
  if (tensor.typedField < 0)
    return modelError("has data in several fields");
  unsigned required = getTypedDataField(data.type);
  if (tensor.typedField != 0 && unsigned(tensor.typedField) != required)
    return modelError("has data in field " + Twine(int(tensor.typedField)) +
                      ", required field " + Twine(required) + " for " +
                      getName(data.type));
  bool isAsRaw =
      required == TensorField::FloatData || required == TensorField::DoubleData;
  if (!tensor.isPacked || !isAsRaw)
    return decodeTypedData(tensor, data.type).moveInto(data.decoded);
  if (Error error = checkByteSize(data, tensor.packedData.size(), "data"))
    return error;
  locateBytes(tensor.packedData, file, data);
  return Error::success();
}

static Error locateOwn(const Tensor &tensor,
                       const std::shared_ptr<const MappedFile> &file,
                       TensorData &data) {
  // Some writers leave an empty raw_data beside the typed data.
  bool isRaw =
      tensor.hasRawData && (!tensor.rawData.empty() || tensor.typedField == 0);
  if (!isRaw || (data.type == ElementType::String && tensor.rawData.empty()))
    return locateTyped(tensor, file, data);
  if (tensor.typedField != 0)
    return modelError("has both raw data and typed data");
  if (data.type == ElementType::String)
    return modelError("strings cannot be raw data");
  if (Error error = checkByteSize(data, tensor.rawData.size(), "raw data"))
    return error;
  locateBytes(tensor.rawData, file, data);
  return Error::success();
}

llvm::Expected<TensorData>
inlay::locateTensorData(const Tensor &tensor,
                        const std::shared_ptr<const MappedFile> &file,
                        ExternalFiles &externals) {
  auto locate = [&](TensorData &data) -> Error {
    if (Error error = checkHeader(tensor, data))
      return error;
    if (tensor.dataLocation == 1)
      return locateExternal(tensor, externals, data);
    if (tensor.dataLocation != 0)
      return modelError("data location " + Twine(tensor.dataLocation) +
                        " is unknown");
    return locateOwn(tensor, file, data);
  };
  TensorData data;
  if (Error error = locate(data))
    return addContext(file->getPath() + ": tensor " +
                          quoteForMessage(tensor.name) + ": ",
                      std::move(error));
  return data;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

llvm::Expected<HostTensor> inlay::readHostTensor(const TensorData &data) {
  if (!data.isRange())
    return data.decoded;
  const FileRange &range = data.range;
  llvm::Expected<HostTensor> tensor =
      unpackElements(data.type, data.shape, range);
  bool isCopy = tensor && tensor->getBytes().data() != range.getBytes().data();
  if (isCopy && range.length >= releaseThreshold)
    range.file->releasePages(range.offset, range.length);
  return tensor;
}
