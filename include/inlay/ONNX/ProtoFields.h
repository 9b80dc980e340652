//===- ProtoFields.h - Field numbers of the ONNX format ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers of onnx.proto up to IR version 13, message by message. The names
// are the format's own, in our casing.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ONNX_PROTOFIELDS_H
#define INLAY_ONNX_PROTOFIELDS_H

namespace inlay::proto {

namespace ModelField {
enum : unsigned {
  IRVersion = 1,
  ProducerName = 2,
  ProducerVersion = 3,
  Domain = 4,
  ModelVersion = 5,
  DocString = 6,
  Graph = 7,
  OpsetImport = 8,
  MetadataProps = 14,
  TrainingInfo = 20,
  Functions = 25,
  Configuration = 26,
};
} // namespace ModelField

namespace OperatorSetIdField {
enum : unsigned { Domain = 1, Version = 2 };
} // namespace OperatorSetIdField

namespace StringEntryField {
enum : unsigned { Key = 1, Value = 2 };
} // namespace StringEntryField

namespace GraphField {
enum : unsigned {
  Node = 1,
  Name = 2,
  Initializer = 5,
  DocString = 10,
  Input = 11,
  Output = 12,
  ValueInfo = 13,
  QuantizationAnnotation = 14,
  SparseInitializer = 15,
  MetadataProps = 16,
};
} // namespace GraphField

namespace NodeField {
enum : unsigned {
  Input = 1,
  Output = 2,
  Name = 3,
  OpType = 4,
  Attribute = 5,
  DocString = 6,
  Domain = 7,
  Overload = 8,
  MetadataProps = 9,
  DeviceConfigurations = 10,
};
} // namespace NodeField

namespace AttributeField {
enum : unsigned {
  Name = 1,
  F = 2,
  I = 3,
  S = 4,
  T = 5,
  G = 6,
  Floats = 7,
  Ints = 8,
  Strings = 9,
  Tensors = 10,
  Graphs = 11,
  DocString = 13,
  TP = 14,
  TypeProtos = 15,
  Type = 20,
  RefAttrName = 21,
  SparseTensor = 22,
  SparseTensors = 23,
};
} // namespace AttributeField

namespace TensorField {
enum : unsigned {
  Dims = 1,
  DataType = 2,
  Segment = 3,
  FloatData = 4,
  Int32Data = 5,
  StringData = 6,
  Int64Data = 7,
  Name = 8,
  RawData = 9,
  DoubleData = 10,
  UInt64Data = 11,
  DocString = 12,
  ExternalData = 13,
  DataLocation = 14,
  MetadataProps = 16,
};
} // namespace TensorField

namespace SparseTensorField {
enum : unsigned { Values = 1, Indices = 2, Dims = 3 };
} // namespace SparseTensorField

namespace ValueInfoField {
enum : unsigned { Name = 1, Type = 2, DocString = 3, MetadataProps = 4 };
} // namespace ValueInfoField

namespace TypeField {
enum : unsigned {
  TensorType = 1,
  SequenceType = 4,
  MapType = 5,
  Denotation = 6,
  OpaqueType = 7,
  SparseTensorType = 8,
  OptionalType = 9,
};
} // namespace TypeField

/// TypeProto.Tensor and TypeProto.SparseTensor.
namespace TensorTypeField {
enum : unsigned { ElemType = 1, Shape = 2 };
} // namespace TensorTypeField

/// TypeProto.Sequence and TypeProto.Optional.
namespace ElementTypeField {
enum : unsigned { ElemType = 1 };
} // namespace ElementTypeField

namespace MapTypeField {
enum : unsigned { KeyType = 1, ValueType = 2 };
} // namespace MapTypeField

namespace OpaqueTypeField {
enum : unsigned { Domain = 1, Name = 2 };
} // namespace OpaqueTypeField

namespace ShapeField {
enum : unsigned { Dim = 1 };
} // namespace ShapeField

namespace DimField {
enum : unsigned { DimValue = 1, DimParam = 2, Denotation = 3 };
} // namespace DimField

namespace FunctionField {
enum : unsigned {
  Name = 1,
  Input = 4,
  Output = 5,
  Attribute = 6,
  Node = 7,
  DocString = 8,
  OpsetImport = 9,
  Domain = 10,
  AttributeProto = 11,
  ValueInfo = 12,
  Overload = 13,
  MetadataProps = 14,
};
} // namespace FunctionField

} // namespace inlay::proto

#endif // INLAY_ONNX_PROTOFIELDS_H
