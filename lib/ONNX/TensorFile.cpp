//===- TensorFile.cpp - Files that are one TensorProto --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/ONNX/ProtoReader.h"
#include "inlay/ONNX/ProtoWriter.h"

using namespace inlay;
using namespace inlay::proto;
using llvm::Error;

llvm::Expected<HostTensor> inlay::readTensorFile(StringRef path,
                                                 std::string *name) {
  auto file = MappedFile::open(path);
  if (!file)
    return file.takeError();
  auto parsed = parseTensor(*file);
  if (!parsed)
    return parsed.takeError();
  const Tensor &tensor = (*parsed)->message;
  ExternalFiles externals(**file, /*dataRoots=*/{});
  auto data = locateTensorData(tensor, *file, externals);
  if (!data)
    return data.takeError();
  if (name)
    *name = tensor.name.str();
  return readHostTensor(*data);
}

Error inlay::writeTensorFile(StringRef path, const HostTensor &tensor,
                             StringRef name) {
  MessageWriter message;
  message.addInts(TensorField::Dims, tensor.getShape());
  message.addInt(TensorField::DataType, int64_t(tensor.getType()));
  bool isString = tensor.getType() == ElementType::String;
  if (isString)
    for (const std::string &element : tensor.getStrings())
      message.addString(TensorField::StringData, element);
  message.addString(TensorField::Name, name);
  if (!isString)
    message.addData(TensorField::RawData, packElements(tensor));
  auto file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  if (Error error = message.writeTo(**file))
    return error;
  return (*file)->commit();
}
