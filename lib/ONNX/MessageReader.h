//===- MessageReader.h - Reads nested messages into structs -----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each message is read in one pass that keeps numbers and strings and the
// bytes of nested messages; those are read when the pass is over, so that an
// error inside them can name what they are nested in. The first failure ends
// all passes: after it every message is at its end.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ONNX_MESSAGEREADER_H
#define INLAY_LIB_ONNX_MESSAGEREADER_H

#include "WireCursor.h"
#include "inlay/ONNX/Proto.h"
#include "inlay/Support/MappedFile.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace inlay {

class MessageReader;

/// The bytes of nested messages, in the order of the file.
using RawList = llvm::SmallVector<proto::Raw, 4>;

/// What is being read, for error messages.
class ReadScope {
public:
  /// The name may still be unread: it is looked at when something fails.
  ReadScope(MessageReader &reader, llvm::StringRef what,
            std::optional<size_t> index, const llvm::StringRef *name);
  ~ReadScope();

private:
  friend class MessageReader;

  MessageReader &reader;
  const ReadScope *parent;
  llvm::StringRef what;
  std::optional<size_t> index;
  const llvm::StringRef *name;
};

/// The fields of one message. `at` stores the current field's value when it
/// has the given number; of a field that occurs several times the last counts,
/// or all where the destination is a list.
class Fields {
public:
  Fields(MessageReader &reader, proto::Raw message)
      : reader(reader), cursor(message) {}

  bool next();
  unsigned getField() const { return cursor.getField(); }
  bool isBytes() const { return cursor.getWireType() == WireType::Bytes; }

  proto::Raw getRaw();
  llvm::StringRef getString();
  int64_t getInt();
  float getFloat();
  /// Appends one number, or the numbers of a packed run.
  void getInts(llvm::SmallVectorImpl<int64_t> &values);
  void getFloats(llvm::SmallVectorImpl<float> &values);
  /// Checks the encoding of repeated numbers that are decoded later.
  void expectNumbers(WireType type);

  Fields &at(unsigned field, llvm::StringRef &value) {
    if (getField() == field)
      value = getString();
    return *this;
  }
  Fields &at(unsigned field, int64_t &value) {
    if (getField() == field)
      value = getInt();
    return *this;
  }
  Fields &at(unsigned field, std::optional<int64_t> &value) {
    if (getField() == field)
      value = getInt();
    return *this;
  }
  /// int32 and enums, which the wire holds as 64 bits and readers cut.
  Fields &at(unsigned field, int32_t &value) {
    if (getField() == field)
      value = int32_t(getInt());
    return *this;
  }
  Fields &at(unsigned field, llvm::SmallVectorImpl<proto::Raw> &values) {
    if (getField() == field)
      values.push_back(getRaw());
    return *this;
  }
  Fields &at(unsigned field, llvm::SmallVectorImpl<llvm::StringRef> &values) {
    if (getField() == field)
      values.push_back(getString());
    return *this;
  }
  Fields &at(unsigned field, llvm::SmallVectorImpl<int64_t> &values) {
    if (getField() == field)
      getInts(values);
    return *this;
  }

private:
  bool expect(WireType type);

  MessageReader &reader;
  WireCursor cursor;
};

class MessageReader {
public:
  MessageReader(const MappedFile &file, llvm::BumpPtrAllocator &arena)
      : file(file), arena(arena) {}

  void readModel(proto::Raw raw, proto::Model &model);
  void readTensor(proto::Raw raw, proto::Tensor &tensor);

  bool hasFailed() const { return !failure.empty(); }
  /// Records the first failure; `at` is where the file is damaged.
  void fail(const llvm::Twine &what, const char *at);
  llvm::Error takeError();

private:
  friend class ReadScope;

  void readGraph(proto::Raw raw, proto::Graph &graph);
  void readGraphFields(proto::Raw raw, proto::Graph &graph);
  void readNode(proto::Raw raw, proto::Node &node);
  void readFunction(proto::Raw raw, proto::Function &function);
  void readAttribute(proto::Raw raw, proto::Attribute &attribute);
  void readAttributeValues(proto::Attribute &attribute);
  void readSparseTensor(proto::Raw raw, proto::SparseTensor &tensor);
  void readValueInfo(proto::Raw raw, proto::ValueInfo &info);
  void readType(proto::Raw raw, proto::Type &type);
  void readTypeFields(proto::Raw raw, proto::Type &type);
  void readTensorType(proto::Raw raw, proto::Type &type);
  void readElementType(proto::Raw raw, proto::Type &type);
  void readOpaqueType(proto::Raw raw, proto::Type &type);
  void readShape(proto::Raw raw, proto::Type &type);
  void readDim(proto::Raw raw, proto::Dim &dim);
  void readOperatorSetId(proto::Raw raw, proto::OperatorSetId &id);
  void readStringEntry(proto::Raw raw, proto::StringEntry &entry);

  void noteTypedData(Fields &fields, WireType type, proto::Tensor &tensor);
  /// Gives back the pages of a large tensor, which the kernel maps along with
  /// those that were looked at.
  void releaseLargeData(proto::Raw data);

  template <typename T>
  void setValues(proto::Attribute &attribute, llvm::ArrayRef<T> values);
  void readFloats(proto::Attribute &attribute, unsigned field, bool isList);
  void readInts(proto::Attribute &attribute, unsigned field, bool isList);
  void readStrings(proto::Attribute &attribute, unsigned field, bool isList);
  template <typename T>
  void readMessages(proto::Attribute &attribute, unsigned field, bool isList,
                    void (MessageReader::*read)(proto::Raw, T &),
                    llvm::StringRef what);

  template <typename T> llvm::ArrayRef<T> copy(llvm::ArrayRef<T> values) {
    T *items = arena.Allocate<T>(values.size());
    std::uninitialized_copy(values.begin(), values.end(), items);
    return {items, values.size()};
  }

  /// Reads the messages of a repeated field.
  template <typename T>
  llvm::ArrayRef<T> readList(llvm::ArrayRef<proto::Raw> raws,
                             void (MessageReader::*read)(proto::Raw, T &),
                             llvm::StringRef what);

  /// Reads a message that a field holds once; null when it does not occur.
  template <typename T>
  const T *readSingle(llvm::ArrayRef<proto::Raw> parts,
                      void (MessageReader::*read)(proto::Raw, T &),
                      llvm::StringRef what);

  /// One message from the parts that a singular field holds, which is, as
  /// protobuf defines it, their concatenation.
  proto::Raw merge(llvm::ArrayRef<proto::Raw> parts);

  const MappedFile &file;
  llvm::BumpPtrAllocator &arena;
  const ReadScope *scope = nullptr;
  unsigned graphNesting = 0;
  unsigned typeNesting = 0;
  std::string failure;
};

template <typename T>
llvm::ArrayRef<T>
MessageReader::readList(llvm::ArrayRef<proto::Raw> raws,
                        void (MessageReader::*read)(proto::Raw, T &),
                        llvm::StringRef what) {
  if (hasFailed() || raws.empty())
    return {};
  T *items = arena.Allocate<T>(raws.size());
  std::uninitialized_value_construct_n(items, raws.size());
  for (size_t i = 0; i != raws.size() && !hasFailed(); ++i) {
    const llvm::StringRef *name = nullptr;
    if constexpr (requires { items[i].name; })
      name = &items[i].name;
    ReadScope inner(*this, what, i, name);
    (this->*read)(raws[i], items[i]);
  }
  return {items, raws.size()};
}

template <typename T>
const T *MessageReader::readSingle(llvm::ArrayRef<proto::Raw> parts,
                                   void (MessageReader::*read)(proto::Raw, T &),
                                   llvm::StringRef what) {
  if (hasFailed() || parts.empty())
    return nullptr;
  T *item = new (arena.Allocate<T>()) T();
  ReadScope inner(*this, what, std::nullopt, nullptr);
  (this->*read)(merge(parts), *item);
  return item;
}

} // namespace inlay

#endif // INLAY_LIB_ONNX_MESSAGEREADER_H
