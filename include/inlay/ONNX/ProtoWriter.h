//===- ProtoWriter.h - Building and writing messages ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A message is a list of byte runs and of references to data elsewhere, so
// that weights are streamed from file to file when it is written:
//
//   MessageWriter model;
//   model.addInt(ModelField::IRVersion, 8);
//   model.addMessage(ModelField::Graph, [&](MessageWriter &graph) {
//     graph.addString(GraphField::Name, "main");
//     graph.addMessage(GraphField::Initializer, [&](MessageWriter &tensor) {
//       tensor.addData(TensorField::RawData, range);
//     });
//   });
//   return model.writeTo(file);
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ONNX_PROTOWRITER_H
#define INLAY_ONNX_PROTOWRITER_H

#include "inlay/ONNX/ProtoFields.h"
#include "inlay/ONNX/TensorData.h"
#include "inlay/Support/OutputFile.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>
#include <variant>
#include <vector>

namespace inlay {

/// Data made while it is written, of a size known before.
struct StreamedData {
  uint64_t size = 0;
  /// Writes exactly `size` bytes.
  std::function<llvm::Error(OutputFile &)> write;
};

/// The largest message that readers of protobuf accept.
constexpr uint64_t maxMessageSize = (uint64_t(1) << 31) - 1;

/// One message under construction. Fields are written in the order they are
/// added, whatever their value: leaving out defaults is the caller's choice.
class MessageWriter {
public:
  MessageWriter() = default;
  MessageWriter(MessageWriter &&) = default;
  MessageWriter &operator=(MessageWriter &&) = default;

  /// int32, int64 and enums: negative numbers take ten bytes.
  void addInt(unsigned field, int64_t value);
  void addUInt(unsigned field, uint64_t value);
  void addFloat(unsigned field, float value);
  /// A string, or bytes, or a message kept as it was read.
  void addString(unsigned field, llvm::StringRef value);
  void addBytes(unsigned field, llvm::ArrayRef<char> bytes) {
    addString(field, {bytes.data(), bytes.size()});
  }

  /// Repeated numbers, packed or one by one: AttributeProto and the dims of
  /// TensorProto are declared unpacked, which all readers accept, some only.
  void addPackedInts(unsigned field, llvm::ArrayRef<int64_t> values);
  void addPackedFloats(unsigned field, llvm::ArrayRef<float> values);
  void addInts(unsigned field, llvm::ArrayRef<int64_t> values);
  void addFloats(unsigned field, llvm::ArrayRef<float> values);

  /// Bytes that are not copied into the message.
  void addData(unsigned field, FileRange range);
  void addData(unsigned field, Blob blob);
  void addData(unsigned field, StreamedData data);

  void addMessage(unsigned field, MessageWriter &&child);
  void addMessage(unsigned field,
                  llvm::function_ref<void(MessageWriter &)> build);
  /// StringStringEntryProto.
  void addEntry(unsigned field, llvm::StringRef key, llvm::StringRef value);

  /// Fields encoded elsewhere, appended as they are.
  void addEncoded(llvm::ArrayRef<char> fields);
  /// All fields of another message under construction.
  void addFields(MessageWriter &&other);

  /// The bytes of the message.
  uint64_t getSize() const { return runsSize + tail.size(); }

  /// The message as bytes. It has no streamed data.
  std::string getBytes() const;

  /// Fails before writing anything when the message exceeds maxMessageSize.
  llvm::Error writeTo(OutputFile &file) const;

private:
  using Run = std::variant<std::string, FileRange, Blob, StreamedData>;

  void addVarint(uint64_t value);
  void addTag(unsigned field, unsigned wireType);
  void addHeader(unsigned field, uint64_t length);
  void addRun(Run run, uint64_t size);
  void sealTail();

  std::vector<Run> runs;
  /// Bytes in `runs`.
  uint64_t runsSize = 0;
  /// Bytes after the last run.
  llvm::SmallVector<char, 96> tail;
};

} // namespace inlay

#endif // INLAY_ONNX_PROTOWRITER_H
