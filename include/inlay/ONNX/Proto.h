//===- Proto.h - The messages of an ONNX file, as views ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the wire holds, up to IR version 13, unchecked beyond being well-formed
// protobuf: strings need not be UTF-8, numbers need not make sense. Strings
// and bytes are views into the mapped file, arrays live in the arena of the
// ParsedModel (ProtoReader.h), which must outlive them all.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ONNX_PROTO_H
#define INLAY_ONNX_PROTO_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cassert>
#include <cstdint>
#include <optional>

namespace inlay::proto {

using llvm::ArrayRef;
using llvm::StringRef;

/// The bytes of a message, without its tag and length.
using Raw = ArrayRef<char>;

struct Graph;

/// StringStringEntryProto.
struct StringEntry {
  StringRef key;
  StringRef value;
};

/// OperatorSetIdProto.
struct OperatorSetId {
  StringRef domain;
  int64_t version = 0;
};

/// TensorShapeProto.Dimension.
struct Dim {
  enum class Kind : uint8_t { Unknown, Value, Param };

  Kind kind = Kind::Unknown;
  int64_t value = 0;
  StringRef param;
  StringRef denotation;
};

/// TypeProto.
struct Type {
  enum class Kind : uint8_t {
    Unset,
    Tensor,
    Sequence,
    Map,
    Optional,
    SparseTensor,
    Opaque,
  };

  Kind kind = Kind::Unset;
  /// Tensor and SparseTensor: no shape is an unknown rank.
  bool hasShape = false;
  /// Tensor and SparseTensor: the elements' TensorProto.DataType; Map: the
  /// keys'.
  int32_t elementType = 0;
  ArrayRef<Dim> dims;
  /// Sequence and Optional: the element's type; Map: the values'. Null when
  /// the file does not say.
  const Type *element = nullptr;
  StringRef opaqueDomain;
  StringRef opaqueName;
  StringRef denotation;
  Raw raw;
};

/// ValueInfoProto.
struct ValueInfo {
  StringRef name;
  /// Null when the file does not say.
  const Type *type = nullptr;
  StringRef docString;
  ArrayRef<StringEntry> metadata;
};

/// TensorProto. TensorData.h finds and checks its elements.
struct Tensor {
  StringRef name;
  StringRef docString;
  ArrayRef<int64_t> dims;
  int32_t dataType = 0;
  /// 1 is EXTERNAL.
  int32_t dataLocation = 0;
  bool hasSegment = false;
  bool hasRawData = false;
  Raw rawData;
  /// The field number of the typed data (float_data...), 0 when there is none,
  /// -1 when there are several kinds.
  int8_t typedField = 0;
  /// Whether the typed data is one packed run, which then is `packedData`.
  bool isPacked = false;
  Raw packedData;
  ArrayRef<StringEntry> externalData;
  ArrayRef<StringEntry> metadata;
  Raw raw;
};

/// SparseTensorProto.
struct SparseTensor {
  const Tensor *values = nullptr;
  const Tensor *indices = nullptr;
  ArrayRef<int64_t> dims;
  Raw raw;
};

/// AttributeProto.AttributeType.
enum class AttributeKind : uint8_t {
  Undefined = 0,
  Float = 1,
  Int = 2,
  String = 3,
  Tensor = 4,
  Graph = 5,
  Floats = 6,
  Ints = 7,
  Strings = 8,
  Tensors = 9,
  Graphs = 10,
  SparseTensor = 11,
  SparseTensors = 12,
  TypeProto = 13,
  TypeProtos = 14,
};

/// "ints", "tensor", ...
StringRef getName(AttributeKind kind);

/// AttributeProto. The kind is the declared one, or, where a file declares
/// none (IR version 1), that of the value there is. A single value is a list
/// of one.
struct Attribute {
  StringRef name;
  /// In functions: the function's attribute that this one stands for. There is
  /// no value then.
  StringRef refName;
  StringRef docString;
  Raw raw;
  AttributeKind kind = AttributeKind::Undefined;
  uint32_t count = 0;
  const void *values = nullptr;

  ArrayRef<float> getFloats() const {
    assert(isKind(AttributeKind::Float, AttributeKind::Floats));
    return getValues<float>();
  }
  ArrayRef<int64_t> getInts() const {
    assert(isKind(AttributeKind::Int, AttributeKind::Ints));
    return getValues<int64_t>();
  }
  ArrayRef<StringRef> getStrings() const {
    assert(isKind(AttributeKind::String, AttributeKind::Strings));
    return getValues<StringRef>();
  }
  ArrayRef<Tensor> getTensors() const {
    assert(isKind(AttributeKind::Tensor, AttributeKind::Tensors));
    return getValues<Tensor>();
  }
  ArrayRef<SparseTensor> getSparseTensors() const {
    assert(isKind(AttributeKind::SparseTensor, AttributeKind::SparseTensors));
    return getValues<SparseTensor>();
  }
  ArrayRef<Type> getTypes() const {
    assert(isKind(AttributeKind::TypeProto, AttributeKind::TypeProtos));
    return getValues<Type>();
  }
  inline ArrayRef<Graph> getGraphs() const;

  /// Of attributes that are a single value. Absent values are zero (proto3
  /// writers leave zeros out); an absent message is an empty one.
  float getFloat() const { return getFloats().front(); }
  int64_t getInt() const { return getInts().front(); }
  StringRef getString() const { return getStrings().front(); }
  const Tensor &getTensor() const { return getTensors().front(); }
  const Type &getType() const { return getTypes().front(); }
  inline const Graph &getGraph() const;

private:
  template <typename T> ArrayRef<T> getValues() const {
    return {static_cast<const T *>(values), count};
  }
  bool isKind(AttributeKind single, AttributeKind list) const {
    return kind == single || kind == list;
  }
};

/// NodeProto.
struct Node {
  StringRef name;
  StringRef opType;
  StringRef domain;
  StringRef overload;
  StringRef docString;
  ArrayRef<StringRef> inputs;
  ArrayRef<StringRef> outputs;
  ArrayRef<Attribute> attributes;
  ArrayRef<StringEntry> metadata;
  /// NodeDeviceConfigurationProto, kept as they are.
  ArrayRef<Raw> deviceConfigurations;

  /// Whether it holds a tensor instead of computing one.
  bool isConstant() const {
    return (domain.empty() || domain == "ai.onnx") && opType == "Constant";
  }
};

/// GraphProto.
struct Graph {
  StringRef name;
  StringRef docString;
  ArrayRef<Node> nodes;
  ArrayRef<Tensor> initializers;
  ArrayRef<SparseTensor> sparseInitializers;
  ArrayRef<ValueInfo> inputs;
  ArrayRef<ValueInfo> outputs;
  ArrayRef<ValueInfo> valueInfos;
  /// TensorAnnotation, kept as they are.
  ArrayRef<Raw> quantizationAnnotations;
  ArrayRef<StringEntry> metadata;
};

/// FunctionProto.
struct Function {
  StringRef name;
  StringRef domain;
  StringRef overload;
  StringRef docString;
  ArrayRef<StringRef> inputs;
  ArrayRef<StringRef> outputs;
  /// Names of attributes without a default, and those with one.
  ArrayRef<StringRef> attributes;
  ArrayRef<Attribute> attributeDefaults;
  ArrayRef<Node> nodes;
  ArrayRef<OperatorSetId> opsetImports;
  ArrayRef<ValueInfo> valueInfos;
  ArrayRef<StringEntry> metadata;
};

/// ModelProto.
struct Model {
  int64_t irVersion = 0;
  std::optional<int64_t> modelVersion;
  StringRef producerName;
  StringRef producerVersion;
  StringRef domain;
  StringRef docString;
  ArrayRef<OperatorSetId> opsetImports;
  /// Whether the file has a graph at all.
  bool hasGraph = false;
  Graph graph;
  ArrayRef<Function> functions;
  ArrayRef<StringEntry> metadata;
  /// TrainingInfoProto and DeviceConfigurationProto, kept as they are.
  ArrayRef<Raw> trainingInfos;
  ArrayRef<Raw> deviceConfigurations;
};

inline ArrayRef<Graph> Attribute::getGraphs() const {
  assert(isKind(AttributeKind::Graph, AttributeKind::Graphs));
  return getValues<Graph>();
}
inline const Graph &Attribute::getGraph() const { return getGraphs().front(); }

} // namespace inlay::proto

#endif // INLAY_ONNX_PROTO_H
