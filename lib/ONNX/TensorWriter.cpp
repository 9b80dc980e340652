//===- TensorWriter.cpp - Constants as TensorProto messages ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorWriter.h"
#include "inlay/IR/ConstantExpressions.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace inlay::onnx;
namespace TensorField = proto::TensorField;

/// Tensors below this stay in the model: shapes and scalars that readers want
/// to see without the data file.
static constexpr uint64_t minExternalBytes = 1024;
/// What an expression over constants takes in memory while it is written.
static constexpr uint64_t maxTileBytes = 16 << 20;
/// A page, so that readers can map tensors one by one.
static constexpr uint64_t dataAlignment = 4096;

void TensorWriter::useDataFile(OutputFile &file, llvm::StringRef location) {
  dataFile = &file;
  this->location = location.str();
}

static void writeHeader(MessageWriter &message, llvm::StringRef name,
                        ElementType type, llvm::ArrayRef<int64_t> shape) {
  message.addInts(TensorField::Dims, shape);
  message.addInt(TensorField::DataType, int64_t(type));
  if (!name.empty())
    message.addString(TensorField::Name, name);
}

bool TensorWriter::isExternal(uint64_t size) const {
  return dataFile && size >= minExternalBytes;
}

llvm::Error
TensorWriter::writeExternal(MessageWriter &message, uint64_t size,
                            llvm::function_ref<llvm::Error()> write) {
  if (llvm::Error error = dataFile->padTo(dataAlignment))
    return error;
  uint64_t offset = dataFile->getPosition();
  if (llvm::Error error = write())
    return error;
  message.addEntry(TensorField::ExternalData, "location", location);
  message.addEntry(TensorField::ExternalData, "offset", std::to_string(offset));
  message.addEntry(TensorField::ExternalData, "length", std::to_string(size));
  message.addInt(TensorField::DataLocation, 1);
  return llvm::Error::success();
}

llvm::Error TensorWriter::writeData(MessageWriter &message,
                                    const FileRange &range) {
  if (!isExternal(range.length)) {
    message.addData(TensorField::RawData, range);
    return llvm::Error::success();
  }
  return writeExternal(message, range.length, [&] {
    return range.file->isInMemory()
               ? dataFile->write(range.getBytes())
               : dataFile->copyRange(*range.file, range.offset, range.length);
  });
}

/// Writes an expression's elements tile by tile.
static llvm::Error writeTiles(mlir::Attribute value, OutputFile &file) {
  auto elements = readExpression(value);
  if (!elements)
    return elements.takeError();
  return (*elements)->forEachTile(maxTileBytes, [&](llvm::ArrayRef<char> tile) {
    return file.write(tile);
  });
}

llvm::Error TensorWriter::writeExpression(MessageWriter &message,
                                          mlir::Attribute value) {
  uint64_t size = getByteSize(value);
  if (isExternal(size))
    return writeExternal(message, size,
                         [&] { return writeTiles(value, *dataFile); });
  message.addData(TensorField::RawData,
                  StreamedData{size, [value](OutputFile &file) {
                                 return writeTiles(value, file);
                               }});
  return llvm::Error::success();
}

llvm::Error TensorWriter::writeTensor(MessageWriter &message,
                                      llvm::StringRef name,
                                      const HostTensor &tensor) {
  writeHeader(message, name, tensor.getType(), tensor.getShape());
  if (tensor.getType() == ElementType::String) {
    for (const std::string &text : tensor.getStrings())
      message.addString(TensorField::StringData, text);
    return llvm::Error::success();
  }
  message.addBytes(TensorField::RawData, packElements(tensor).bytes);
  return llvm::Error::success();
}

llvm::Error TensorWriter::writeTensor(MessageWriter &message,
                                      llvm::StringRef name,
                                      mlir::Attribute value) {
  if (!llvm::isa<DataAttr>(value) && !isExpression(value)) {
    auto tensor = getHostTensor(value);
    if (!tensor)
      return tensor.takeError();
    return writeTensor(message, name, *tensor);
  }
  auto type = llvm::cast<mlir::RankedTensorType>(
      llvm::cast<mlir::TypedAttr>(value).getType());
  writeHeader(message, name, *getOnnxElementType(type.getElementType()),
              type.getShape());
  if (isExpression(value))
    return writeExpression(message, value);
  auto range = getFileRange(llvm::cast<DataAttr>(value));
  if (!range)
    return range.takeError();
  return writeData(message, *range);
}
