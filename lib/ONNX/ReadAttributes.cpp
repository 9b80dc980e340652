//===- ReadAttributes.cpp - Reads the attributes of nodes -----------------===//
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
using llvm::SmallVector;
using llvm::Twine;

StringRef proto::getName(AttributeKind kind) {
  static constexpr StringRef names[] = {
      "undefined",      "float",      "int",        "string",
      "tensor",         "graph",      "floats",     "ints",
      "strings",        "tensors",    "graphs",     "sparse_tensor",
      "sparse_tensors", "type_proto", "type_protos"};
  return names[unsigned(kind)];
}

/// The field that holds the values of each kind, in the order of the kinds.
static constexpr unsigned valueFields[] = {
    0,
    AttributeField::F,
    AttributeField::I,
    AttributeField::S,
    AttributeField::T,
    AttributeField::G,
    AttributeField::Floats,
    AttributeField::Ints,
    AttributeField::Strings,
    AttributeField::Tensors,
    AttributeField::Graphs,
    AttributeField::SparseTensor,
    AttributeField::SparseTensors,
    AttributeField::TP,
    AttributeField::TypeProtos,
};

/// The kind of the values that a field holds; Undefined for other fields.
static AttributeKind getKindOfField(unsigned field) {
  for (unsigned kind = 1; kind != std::size(valueFields); ++kind)
    if (valueFields[kind] == field)
      return AttributeKind(kind);
  return AttributeKind::Undefined;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

template <typename T>
void MessageReader::setValues(Attribute &attribute, ArrayRef<T> values) {
  if (values.size() > UINT32_MAX)
    return fail(Twine(values.size()) + " values are too many",
                attribute.raw.begin());
  attribute.values = values.data();
  attribute.count = values.size();
}

void MessageReader::readFloats(Attribute &attribute, unsigned field,
                               bool isList) {
  SmallVector<float, 8> values;
  Fields fields(*this, attribute.raw);
  while (fields.next()) {
    if (fields.getField() != field)
      continue;
    if (isList)
      fields.getFloats(values);
    else
      values.assign(1, fields.getFloat());
  }
  if (!isList && values.empty())
    values.push_back(0);
  setValues(attribute, copy<float>(values));
}

void MessageReader::readInts(Attribute &attribute, unsigned field,
                             bool isList) {
  SmallVector<int64_t, 8> values;
  Fields fields(*this, attribute.raw);
  while (fields.next()) {
    if (fields.getField() != field)
      continue;
    if (isList)
      fields.getInts(values);
    else
      values.assign(1, fields.getInt());
  }
  if (!isList && values.empty())
    values.push_back(0);
  setValues(attribute, copy<int64_t>(values));
}

void MessageReader::readStrings(Attribute &attribute, unsigned field,
                                bool isList) {
  SmallVector<StringRef, 4> values;
  Fields fields(*this, attribute.raw);
  while (fields.next())
    fields.at(field, values);
  if (!isList)
    values = {values.empty() ? StringRef() : values.back()};
  setValues(attribute, copy<StringRef>(values));
}

template <typename T>
void MessageReader::readMessages(Attribute &attribute, unsigned field,
                                 bool isList,
                                 void (MessageReader::*read)(Raw, T &),
                                 StringRef what) {
  RawList raws;
  Fields fields(*this, attribute.raw);
  while (fields.next())
    fields.at(field, raws);
  if (!isList)
    raws = {merge(raws)};
  setValues(attribute, readList(raws, read, what));
}

void MessageReader::readAttributeValues(Attribute &attribute) {
  unsigned field = valueFields[unsigned(attribute.kind)];
  switch (attribute.kind) {
  case AttributeKind::Undefined:
    return;
  case AttributeKind::Float:
    return readFloats(attribute, field, /*isList=*/false);
  case AttributeKind::Floats:
    return readFloats(attribute, field, /*isList=*/true);
  case AttributeKind::Int:
    return readInts(attribute, field, /*isList=*/false);
  case AttributeKind::Ints:
    return readInts(attribute, field, /*isList=*/true);
  case AttributeKind::String:
    return readStrings(attribute, field, /*isList=*/false);
  case AttributeKind::Strings:
    return readStrings(attribute, field, /*isList=*/true);
  case AttributeKind::Tensor:
  case AttributeKind::Tensors:
    return readMessages(attribute, field,
                        attribute.kind == AttributeKind::Tensors,
                        &MessageReader::readTensor, "tensor");
  case AttributeKind::Graph:
  case AttributeKind::Graphs:
    return readMessages(attribute, field,
                        attribute.kind == AttributeKind::Graphs,
                        &MessageReader::readGraph, "graph");
  case AttributeKind::SparseTensor:
  case AttributeKind::SparseTensors:
    return readMessages(attribute, field,
                        attribute.kind == AttributeKind::SparseTensors,
                        &MessageReader::readSparseTensor, "sparse tensor");
  case AttributeKind::TypeProto:
  case AttributeKind::TypeProtos:
    return readMessages(attribute, field,
                        attribute.kind == AttributeKind::TypeProtos,
                        &MessageReader::readType, "type");
  }
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

void MessageReader::readAttribute(Raw raw, Attribute &attribute) {
  attribute.raw = raw;
  int64_t declared = 0;
  AttributeKind found = AttributeKind::Undefined;
  Fields fields(*this, raw);
  while (fields.next()) {
    fields.at(AttributeField::Name, attribute.name)
        .at(AttributeField::RefAttrName, attribute.refName)
        .at(AttributeField::DocString, attribute.docString)
        .at(AttributeField::Type, declared);
    AttributeKind kind = getKindOfField(fields.getField());
    if (kind != AttributeKind::Undefined)
      found = kind;
  }
  if (declared < 0 || declared > int64_t(AttributeKind::TypeProtos))
    return fail("unknown attribute type " + Twine(declared), raw.begin());
  attribute.kind = declared ? AttributeKind(declared) : found;
  if (attribute.refName.empty())
    readAttributeValues(attribute);
}
