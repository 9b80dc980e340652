//===- ProtoWriter.cpp - Building and writing messages --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/ONNX/ProtoWriter.h"
#include "WireCursor.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace inlay;
using llvm::ArrayRef;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

/// Messages and payloads up to this size are copied into their parent, larger
/// ones become runs of their own. Each byte is thus copied a few times at most,
/// however deep messages nest.
constexpr size_t copyLimit = 4096;

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

static unsigned getVarintSize(uint64_t value) {
  return (std::bit_width(value | 1) + 6) / 7;
}

void MessageWriter::addVarint(uint64_t value) {
  while (value >= 0x80) {
    tail.push_back(char(value | 0x80));
    value >>= 7;
  }
  tail.push_back(char(value));
}

void MessageWriter::addTag(unsigned field, unsigned wireType) {
  addVarint(uint64_t(field) << 3 | wireType);
}

void MessageWriter::addHeader(unsigned field, uint64_t length) {
  addTag(field, unsigned(WireType::Bytes));
  addVarint(length);
}

void MessageWriter::addInt(unsigned field, int64_t value) {
  addUInt(field, uint64_t(value));
}

void MessageWriter::addUInt(unsigned field, uint64_t value) {
  addTag(field, unsigned(WireType::Varint));
  addVarint(value);
}

void MessageWriter::addFloat(unsigned field, float value) {
  addTag(field, unsigned(WireType::Fixed32));
  char bytes[sizeof(value)];
  std::memcpy(bytes, &value, sizeof(value));
  tail.append(std::begin(bytes), std::end(bytes));
}

void MessageWriter::addString(unsigned field, StringRef value) {
  addHeader(field, value.size());
  tail.append(value.begin(), value.end());
}

void MessageWriter::addPackedInts(unsigned field, ArrayRef<int64_t> values) {
  uint64_t size = 0;
  for (int64_t value : values)
    size += getVarintSize(uint64_t(value));
  addHeader(field, size);
  for (int64_t value : values)
    addVarint(uint64_t(value));
}

void MessageWriter::addPackedFloats(unsigned field, ArrayRef<float> values) {
  addString(field, {reinterpret_cast<const char *>(values.data()),
                    values.size() * sizeof(float)});
}

void MessageWriter::addInts(unsigned field, ArrayRef<int64_t> values) {
  for (int64_t value : values)
    addInt(field, value);
}

void MessageWriter::addFloats(unsigned field, ArrayRef<float> values) {
  for (float value : values)
    addFloat(field, value);
}

void MessageWriter::addEntry(unsigned field, StringRef key, StringRef value) {
  addMessage(field, [&](MessageWriter &entry) {
    entry.addString(proto::StringEntryField::Key, key);
    entry.addString(proto::StringEntryField::Value, value);
  });
}

void MessageWriter::addEncoded(ArrayRef<char> fields) {
  tail.append(fields.begin(), fields.end());
}

void MessageWriter::addFields(MessageWriter &&other) {
  if (other.runs.empty())
    return addEncoded(other.tail);
  sealTail();
  runsSize += other.runsSize;
  std::move(other.runs.begin(), other.runs.end(), std::back_inserter(runs));
  tail = std::move(other.tail);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

void MessageWriter::sealTail() {
  if (tail.empty())
    return;
  runsSize += tail.size();
  runs.emplace_back(std::string(tail.begin(), tail.end()));
  tail.clear();
}

void MessageWriter::addRun(Run run, uint64_t size) {
  sealTail();
  runs.push_back(std::move(run));
  runsSize += size;
}

void MessageWriter::addData(unsigned field, FileRange range) {
  addHeader(field, range.length);
  uint64_t size = range.length;
  if (size <= copyLimit)
    return addEncoded(range.getBytes());
  addRun(std::move(range), size);
}

void MessageWriter::addData(unsigned field, Blob blob) {
  addHeader(field, blob.bytes.size());
  uint64_t size = blob.bytes.size();
  if (size <= copyLimit)
    return addEncoded(blob.bytes);
  addRun(std::move(blob), size);
}

void MessageWriter::addData(unsigned field, StreamedData data) {
  addHeader(field, data.size);
  uint64_t size = data.size;
  addRun(std::move(data), size);
}

void MessageWriter::addMessage(unsigned field, MessageWriter &&child) {
  addHeader(field, child.getSize());
  if (child.runs.empty() && child.tail.size() <= copyLimit)
    return addEncoded(child.tail);
  sealTail();
  child.sealTail();
  runsSize += child.runsSize;
  llvm::append_range(
      runs, llvm::make_range(std::make_move_iterator(child.runs.begin()),
                             std::make_move_iterator(child.runs.end())));
}

void MessageWriter::addMessage(
    unsigned field, llvm::function_ref<void(MessageWriter &)> build) {
  MessageWriter child;
  build(child);
  addMessage(field, std::move(child));
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static Error writeRun(const std::string &bytes, OutputFile &file) {
  return file.write(bytes);
}
static Error writeRun(const FileRange &range, OutputFile &file) {
  return file.copyRange(*range.file, range.offset, range.length);
}
static Error writeRun(const Blob &blob, OutputFile &file) {
  return file.write(blob.bytes);
}
static Error writeRun(const StreamedData &data, OutputFile &file) {
  uint64_t start = file.getPosition();
  if (Error error = data.write(file))
    return error;
  uint64_t written = file.getPosition() - start;
  if (written != data.size)
    return makeError(ExitCode::Internal, "wrote " + Twine(written) +
                                             " bytes of data, announced " +
                                             Twine(data.size));
  return Error::success();
}

static ArrayRef<char> getRunBytes(const std::string &bytes) {
  return {bytes.data(), bytes.size()};
}
static ArrayRef<char> getRunBytes(const FileRange &range) {
  return range.getBytes();
}
static ArrayRef<char> getRunBytes(const Blob &blob) { return blob.bytes; }
static ArrayRef<char> getRunBytes(const StreamedData &) {
  llvm_unreachable("streamed data has no bytes yet");
}

std::string MessageWriter::getBytes() const {
  std::string bytes;
  for (const Run &run : runs) {
    ArrayRef<char> part =
        std::visit([](const auto &data) { return getRunBytes(data); }, run);
    bytes.append(part.begin(), part.end());
  }
  bytes.append(tail.begin(), tail.end());
  return bytes;
}

Error MessageWriter::writeTo(OutputFile &file) const {
  if (getSize() > maxMessageSize)
    return usageError("'" + file.getPath() + "' would take " +
                      Twine(getSize()) + " bytes, above the " +
                      Twine(maxMessageSize) +
                      " that protobuf allows; keep weights in a file of their "
                      "own with --external-data always");
  for (const Run &run : runs)
    if (Error error = std::visit(
            [&](const auto &data) { return writeRun(data, file); }, run))
      return error;
  return file.write(ArrayRef<char>(tail));
}
