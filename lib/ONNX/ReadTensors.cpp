//===- ReadTensors.cpp - Reads dense and sparse tensors -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MessageReader.h"
#include "inlay/ONNX/ProtoFields.h"

using namespace inlay;
using namespace inlay::proto;

/// Tensors from this size on give their pages back: the kernel maps up to
/// 64 KiB around each byte that is looked at.
constexpr size_t releaseThreshold = 128 * 1024;

void MessageReader::releaseLargeData(Raw data) {
  if (data.size() < releaseThreshold)
    return;
  if (std::optional<uint64_t> offset = file.getOffset(data))
    file.releasePages(*offset, data.size());
}

/// The wire type of one element of a typed data field, or nothing for the
/// other fields.
static std::optional<WireType> getTypedDataWireType(unsigned field) {
  switch (field) {
  case TensorField::FloatData:
    return WireType::Fixed32;
  case TensorField::DoubleData:
    return WireType::Fixed64;
  case TensorField::Int32Data:
  case TensorField::Int64Data:
  case TensorField::UInt64Data:
    return WireType::Varint;
  case TensorField::StringData:
    return WireType::Bytes;
  }
  return std::nullopt;
}

void MessageReader::noteTypedData(Fields &fields, WireType type,
                                  Tensor &tensor) {
  fields.expectNumbers(type);
  bool isRun = fields.isBytes() && type != WireType::Bytes;
  Raw run = isRun ? fields.getRaw() : Raw();
  if (isRun && run.empty())
    return;
  // Only a single run is used as it lies in the file.
  tensor.isPacked = isRun && tensor.typedField == 0;
  tensor.packedData = tensor.isPacked ? run : Raw();
  int8_t field = fields.getField();
  bool isOnlyKind = tensor.typedField == 0 || tensor.typedField == field;
  tensor.typedField = isOnlyKind ? field : -1;
}

void MessageReader::readTensor(Raw raw, Tensor &tensor) {
  tensor.raw = raw;
  llvm::SmallVector<int64_t, 8> dims;
  RawList rawData, segment, externalData, metadata;
  Fields fields(*this, raw);
  while (fields.next()) {
    fields.at(TensorField::Dims, dims)
        .at(TensorField::DataType, tensor.dataType)
        .at(TensorField::Segment, segment)
        .at(TensorField::Name, tensor.name)
        .at(TensorField::RawData, rawData)
        .at(TensorField::DocString, tensor.docString)
        .at(TensorField::ExternalData, externalData)
        .at(TensorField::DataLocation, tensor.dataLocation)
        .at(TensorField::MetadataProps, metadata);
    if (auto type = getTypedDataWireType(fields.getField()))
      noteTypedData(fields, *type, tensor);
  }
  tensor.dims = copy<int64_t>(dims);
  tensor.hasSegment = !segment.empty();
  tensor.hasRawData = !rawData.empty();
  tensor.rawData = rawData.empty() ? Raw() : rawData.back();
  tensor.externalData =
      readList(externalData, &MessageReader::readStringEntry, "external data");
  tensor.metadata =
      readList(metadata, &MessageReader::readStringEntry, "metadata");
  releaseLargeData(raw);
}

void MessageReader::readSparseTensor(Raw raw, SparseTensor &tensor) {
  tensor.raw = raw;
  llvm::SmallVector<int64_t, 8> dims;
  RawList values, indices;
  Fields fields(*this, raw);
  while (fields.next())
    fields.at(SparseTensorField::Values, values)
        .at(SparseTensorField::Indices, indices)
        .at(SparseTensorField::Dims, dims);
  tensor.dims = copy<int64_t>(dims);
  tensor.values = readSingle(values, &MessageReader::readTensor, "values");
  tensor.indices = readSingle(indices, &MessageReader::readTensor, "indices");
}
