//===- TensorWriter.cpp - Constants as TensorProto messages ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorWriter.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace inlay::onnx;
namespace TensorField = proto::TensorField;

/// Tensors below this stay in the model: shapes and scalars that readers want
/// to see without the data file.
static constexpr uint64_t minExternalBytes = 1024;
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

llvm::Error TensorWriter::writeData(MessageWriter &message,
                                    const FileRange &range) {
  if (!dataFile || range.length < minExternalBytes) {
    message.addData(TensorField::RawData, range);
    return llvm::Error::success();
  }
  if (llvm::Error error = dataFile->padTo(dataAlignment))
    return error;
  uint64_t offset = dataFile->getPosition();
  if (llvm::Error error =
          range.file->isInMemory()
              ? dataFile->write(range.getBytes())
              : dataFile->copyRange(*range.file, range.offset, range.length))
    return error;
  message.addEntry(TensorField::ExternalData, "location", location);
  message.addEntry(TensorField::ExternalData, "offset", std::to_string(offset));
  message.addEntry(TensorField::ExternalData, "length",
                   std::to_string(range.length));
  message.addInt(TensorField::DataLocation, 1);
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
  auto data = llvm::dyn_cast<DataAttr>(value);
  if (!data) {
    auto tensor = getHostTensor(value);
    if (!tensor)
      return tensor.takeError();
    return writeTensor(message, name, *tensor);
  }
  auto *dialect = context->getLoadedDialect<InlayDialect>();
  auto file = dialect->getDataFiles().lookup(data.getFile().getValue());
  if (!file)
    return file.takeError();
  auto type = llvm::cast<mlir::RankedTensorType>(data.getType());
  writeHeader(message, name, *getOnnxElementType(type.getElementType()),
              type.getShape());
  return writeData(message, {*file, data.getOffset(), data.getLength()});
}
