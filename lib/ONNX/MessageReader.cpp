//===- MessageReader.cpp - Fields and failures of a reader ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MessageReader.h"
#include "inlay/ONNX/ProtoReader.h"
#include "inlay/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

using namespace inlay;
using namespace inlay::proto;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

ReadScope::ReadScope(MessageReader &reader, StringRef what,
                     std::optional<size_t> index, const StringRef *name)
    : reader(reader), parent(reader.scope), what(what), index(index),
      name(name) {
  reader.scope = this;
}

ReadScope::~ReadScope() { reader.scope = parent; }

void MessageReader::fail(const Twine &what, const char *at) {
  if (hasFailed())
    return;
  SmallVector<const ReadScope *> scopes;
  for (const ReadScope *s = scope; s; s = s->parent)
    scopes.push_back(s);

  llvm::raw_string_ostream os(failure);
  os << file.getPath() << ": ";
  for (const ReadScope *s : llvm::reverse(scopes)) {
    os << s->what;
    if (s->index)
      os << ' ' << *s->index;
    if (s->name && !s->name->empty())
      os << ' ' << quoteForMessage(*s->name);
    os << (s == scopes.front() ? ": " : ", ");
  }
  os << what;
  // Merged messages lie outside the file.
  if (std::optional<uint64_t> offset = file.getOffset({at, size_t(0)}))
    os << " at byte " << *offset;
}

llvm::Error MessageReader::takeError() {
  return hasFailed() ? modelError(failure) : llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

bool Fields::next() {
  if (reader.hasFailed())
    return false;
  if (cursor.next())
    return true;
  if (cursor.isDamaged())
    reader.fail(cursor.describeDamage(), cursor.getDamagePosition());
  return false;
}

bool Fields::expect(WireType type) {
  if (cursor.getWireType() == type)
    return true;
  reader.fail("field " + Twine(cursor.getField()) + " has a " +
                  getName(cursor.getWireType()) + " value, required a " +
                  getName(type) + " one",
              cursor.getFieldStart());
  return false;
}

Raw Fields::getRaw() {
  return expect(WireType::Bytes) ? cursor.getPayload() : Raw();
}

StringRef Fields::getString() {
  Raw raw = getRaw();
  return {raw.data(), raw.size()};
}

int64_t Fields::getInt() {
  return expect(WireType::Varint) ? int64_t(cursor.getNumber()) : 0;
}

float Fields::getFloat() {
  if (!expect(WireType::Fixed32))
    return 0;
  return llvm::bit_cast<float>(uint32_t(cursor.getNumber()));
}

void Fields::expectNumbers(WireType type) {
  if (!isBytes())
    expect(type);
}

void Fields::getInts(SmallVectorImpl<int64_t> &values) {
  if (!isBytes()) {
    values.push_back(getInt());
    return;
  }
  Raw run = cursor.getPayload();
  const char *position = run.begin();
  while (position != run.end()) {
    uint64_t value;
    if (!decodeVarint(position, run.end(), value))
      return reader.fail("a number is cut off or longer than ten bytes",
                         position);
    values.push_back(value);
  }
}

void Fields::getFloats(SmallVectorImpl<float> &values) {
  if (!isBytes()) {
    values.push_back(getFloat());
    return;
  }
  Raw run = cursor.getPayload();
  if (run.size() % sizeof(float) != 0)
    return reader.fail("packed floats take " + Twine(run.size()) +
                           " bytes, required a multiple of 4",
                       run.begin());
  size_t old = values.size();
  values.resize_for_overwrite(old + run.size() / sizeof(float));
  if (!run.empty())
    std::memcpy(values.data() + old, run.data(), run.size());
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

Raw MessageReader::merge(ArrayRef<Raw> parts) {
  if (parts.empty())
    return {};
  if (parts.size() == 1)
    return parts.front();
  size_t size = 0;
  for (Raw part : parts)
    size += part.size();
  char *bytes = arena.Allocate<char>(size);
  char *end = bytes;
  for (Raw part : parts)
    end = std::copy(part.begin(), part.end(), end);
  return {bytes, size};
}
