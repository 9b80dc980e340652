//===- ReadTypes.cpp - Reads types, value infos and entries ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MessageReader.h"
#include "inlay/ONNX/ProtoFields.h"
#include "inlay/ONNX/ProtoReader.h"

using namespace inlay;
using namespace inlay::proto;

void MessageReader::readStringEntry(Raw raw, StringEntry &entry) {
  Fields fields(*this, raw);
  while (fields.next())
    fields.at(StringEntryField::Key, entry.key)
        .at(StringEntryField::Value, entry.value);
}

void MessageReader::readOperatorSetId(Raw raw, OperatorSetId &id) {
  Fields fields(*this, raw);
  while (fields.next())
    fields.at(OperatorSetIdField::Domain, id.domain)
        .at(OperatorSetIdField::Version, id.version);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

void MessageReader::readDim(Raw raw, Dim &dim) {
  Fields fields(*this, raw);
  while (fields.next()) {
    fields.at(DimField::DimValue, dim.value)
        .at(DimField::DimParam, dim.param)
        .at(DimField::Denotation, dim.denotation);
    // Value and param are a oneof: the last one counts.
    if (fields.getField() == DimField::DimValue)
      dim.kind = Dim::Kind::Value;
    else if (fields.getField() == DimField::DimParam)
      dim.kind = Dim::Kind::Param;
  }
}

void MessageReader::readShape(Raw raw, Type &type) {
  RawList dims;
  Fields fields(*this, raw);
  while (fields.next())
    fields.at(ShapeField::Dim, dims);
  type.hasShape = true;
  type.dims = readList(dims, &MessageReader::readDim, "dimension");
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

void MessageReader::readTensorType(Raw raw, Type &type) {
  RawList shape;
  Fields fields(*this, raw);
  while (fields.next())
    fields.at(TensorTypeField::ElemType, type.elementType)
        .at(TensorTypeField::Shape, shape);
  if (!shape.empty())
    readShape(merge(shape), type);
}

/// Sequence, Optional and Map, which has a key type besides.
void MessageReader::readElementType(Raw raw, Type &type) {
  bool isMap = type.kind == Type::Kind::Map;
  RawList element;
  Fields fields(*this, raw);
  while (fields.next()) {
    if (isMap)
      fields.at(MapTypeField::KeyType, type.elementType)
          .at(MapTypeField::ValueType, element);
    else
      fields.at(ElementTypeField::ElemType, element);
  }
  type.element = readSingle(element, &MessageReader::readType, "element type");
}

void MessageReader::readOpaqueType(Raw raw, Type &type) {
  Fields fields(*this, raw);
  while (fields.next())
    fields.at(OpaqueTypeField::Domain, type.opaqueDomain)
        .at(OpaqueTypeField::Name, type.opaqueName);
}

static Type::Kind getKindOfField(unsigned field) {
  switch (field) {
  case TypeField::TensorType:
    return Type::Kind::Tensor;
  case TypeField::SequenceType:
    return Type::Kind::Sequence;
  case TypeField::MapType:
    return Type::Kind::Map;
  case TypeField::OptionalType:
    return Type::Kind::Optional;
  case TypeField::SparseTensorType:
    return Type::Kind::SparseTensor;
  case TypeField::OpaqueType:
    return Type::Kind::Opaque;
  }
  return Type::Kind::Unset;
}

void MessageReader::readTypeFields(Raw raw, Type &type) {
  type.raw = raw;
  // A later member of the oneof replaces an earlier one, or merges with it
  // when it is the same.
  RawList parts;
  Fields fields(*this, raw);
  while (fields.next()) {
    fields.at(TypeField::Denotation, type.denotation);
    Type::Kind kind = getKindOfField(fields.getField());
    if (kind == Type::Kind::Unset)
      continue;
    if (kind != type.kind)
      parts.clear();
    type.kind = kind;
    parts.push_back(fields.getRaw());
  }
  Raw value = merge(parts);
  switch (type.kind) {
  case Type::Kind::Unset:
    return;
  case Type::Kind::Tensor:
  case Type::Kind::SparseTensor:
    return readTensorType(value, type);
  case Type::Kind::Sequence:
  case Type::Kind::Optional:
  case Type::Kind::Map:
    return readElementType(value, type);
  case Type::Kind::Opaque:
    return readOpaqueType(value, type);
  }
}

void MessageReader::readType(Raw raw, Type &type) {
  if (typeNesting == maxTypeNesting)
    return fail("types nest deeper than " + llvm::Twine(maxTypeNesting) +
                    " levels",
                raw.begin());
  ++typeNesting;
  readTypeFields(raw, type);
  --typeNesting;
}

void MessageReader::readValueInfo(Raw raw, ValueInfo &info) {
  RawList type, metadata;
  Fields fields(*this, raw);
  while (fields.next())
    fields.at(ValueInfoField::Name, info.name)
        .at(ValueInfoField::Type, type)
        .at(ValueInfoField::DocString, info.docString)
        .at(ValueInfoField::MetadataProps, metadata);
  info.type = readSingle(type, &MessageReader::readType, "type");
  info.metadata =
      readList(metadata, &MessageReader::readStringEntry, "metadata");
}
