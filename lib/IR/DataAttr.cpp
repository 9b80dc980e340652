//===- DataAttr.cpp - References to bytes, in the text --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DataResources.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectImplementation.h"

using namespace inlay;
using namespace mlir;

MLIR_DEFINE_EXPLICIT_TYPE_ID(inlay::DataBufferHandle)

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static constexpr StringLiteral namePrefix = "memory:", keyPrefix = "buffer";

/// A key is a word, so that it cannot be taken for the name of a file.
static std::string getKey(const DataFiles::Buffer &buffer) {
  return (keyPrefix + StringRef(buffer.name).drop_front(namePrefix.size()))
      .str();
}

/// The bytes are to be little endian: the alignment is for readers that map.
static constexpr unsigned blobAlignment = 8;

FailureOr<AsmDialectResourceHandle>
DataResources::declareResource(StringRef) const {
  // The context may have a buffer of that key already.
  auto *dialect = static_cast<InlayDialect *>(getDialect());
  return AsmDialectResourceHandle(
      DataBufferHandle(dialect->getDataFiles().declareBuffer(), dialect));
}

std::string
DataResources::getResourceKey(const AsmDialectResourceHandle &handle) const {
  return getKey(*DataBufferHandle(handle).getResource());
}

LogicalResult
DataResources::parseResource(AsmParsedResourceEntry &entry) const {
  StringRef number = entry.getKey();
  DataFiles &files = static_cast<InlayDialect *>(getDialect())->getDataFiles();
  const DataFiles::Buffer *buffer =
      number.consume_front(keyPrefix)
          ? files.findBuffer((namePrefix + number).str())
          : nullptr;
  if (!buffer)
    return entry.emitError()
           << "no constant refers to '" << entry.getKey() << "'";
  FailureOr<AsmResourceBlob> blob = entry.parseAsBlob();
  if (failed(blob))
    return failure();
  files.fillBuffer(buffer->name, blob->getData());
  return success();
}

void DataResources::buildResources(
    Operation *, const SetVector<AsmDialectResourceHandle> &referenced,
    AsmResourceBuilder &builder) const {
  for (const AsmDialectResourceHandle &handle : referenced)
    if (auto *buffer = dyn_cast<DataBufferHandle>(&handle)) {
      const DataFiles::Buffer &data = *buffer->getResource();
      builder.buildBlob(getKey(data), data.bytes->getBytes(), blobAlignment);
    }
}

//===----------------------------------------------------------------------===//
// DataAttr
//===----------------------------------------------------------------------===//

/// "FILE" or the key of a buffer.
static ParseResult parseSource(AsmParser &parser, StringAttr &source) {
  std::string file;
  if (succeeded(parser.parseOptionalString(&file))) {
    source = parser.getBuilder().getStringAttr(file);
    return success();
  }
  FailureOr<DataBufferHandle> buffer =
      parser.parseResourceHandle<DataBufferHandle>();
  if (failed(buffer))
    return failure();
  source = parser.getBuilder().getStringAttr(buffer->getResource()->name);
  return success();
}

Attribute DataAttr::parse(AsmParser &parser, Type type) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  StringAttr source;
  uint64_t offset = 0, length = 0;
  if (parser.parseLess() || parseSource(parser, source) ||
      parser.parseComma() || parser.parseInteger(offset) ||
      parser.parseComma() || parser.parseInteger(length) ||
      parser.parseGreater())
    return {};
  if (!type) {
    parser.emitError(loc, "expected the type of the elements");
    return {};
  }
  return DataAttr::get(parser.getContext(), source, offset, length, type);
}

void DataAttr::print(AsmPrinter &printer) const {
  auto *dialect = getContext()->getLoadedDialect<InlayDialect>();
  StringRef source = getFile().getValue();
  printer << '<';
  if (const DataFiles::Buffer *buffer =
          dialect->getDataFiles().findBuffer(source))
    printer.printResourceHandle(DataBufferHandle(*buffer, dialect));
  else
    printer.printString(source);
  printer << ", " << getOffset() << ", " << getLength() << '>';
}
