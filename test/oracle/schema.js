//===- schema.js - Field numbers of ONNX, up to IR version 13 -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const schema = {
  ModelProto: {
    irVersion: [1, 'int64'], producerName: [2, 'string'], producerVersion: [3, 'string'], domain: [4, 'string'],
    modelVersion: [5, 'int64'], docString: [6, 'string'], graph: [7, 'GraphProto'],
    opsetImport: [8, 'OperatorSetIdProto[]'], metadataProps: [14, 'StringStringEntryProto[]'],
    functions: [25, 'FunctionProto[]'],
  },
  OperatorSetIdProto: { domain: [1, 'string'], version: [2, 'int64'] },
  StringStringEntryProto: { key: [1, 'string'], value: [2, 'string'] },
  GraphProto: {
    node: [1, 'NodeProto[]'], name: [2, 'string'], initializer: [5, 'TensorProto[]'], docString: [10, 'string'],
    input: [11, 'ValueInfoProto[]'], output: [12, 'ValueInfoProto[]'], valueInfo: [13, 'ValueInfoProto[]'],
    quantizationAnnotation: [14, 'TensorAnnotation[]'], sparseInitializer: [15, 'SparseTensorProto[]'],
    metadataProps: [16, 'StringStringEntryProto[]'],
  },
  TensorAnnotation: { tensorName: [1, 'string'], quantParameterTensorNames: [2, 'StringStringEntryProto[]'] },
  NodeProto: {
    input: [1, 'string[]'], output: [2, 'string[]'], name: [3, 'string'], opType: [4, 'string'],
    attribute: [5, 'AttributeProto[]'], docString: [6, 'string'], domain: [7, 'string'], overload: [8, 'string'],
    metadataProps: [9, 'StringStringEntryProto[]'],
  },
  AttributeProto: {
    name: [1, 'string'], f: [2, 'float'], i: [3, 'int64'], s: [4, 'bytes'], t: [5, 'TensorProto'],
    g: [6, 'GraphProto'], floats: [7, 'float[]'], ints: [8, 'int64[]'], strings: [9, 'bytes[]'],
    tensors: [10, 'TensorProto[]'], graphs: [11, 'GraphProto[]'], docString: [13, 'string'], tp: [14, 'TypeProto'],
    typeProtos: [15, 'TypeProto[]'], type: [20, 'int32'], refAttrName: [21, 'string'],
    sparseTensor: [22, 'SparseTensorProto'], sparseTensors: [23, 'SparseTensorProto[]'],
  },
  TensorProto: {
    dims: [1, 'int64[]'], dataType: [2, 'int32'], segment: [3, 'Segment'], floatData: [4, 'float[packed]'],
    int32Data: [5, 'int32[packed]'], stringData: [6, 'bytes[]'], int64Data: [7, 'int64[packed]'],
    name: [8, 'string'], rawData: [9, 'bytes'], doubleData: [10, 'double[packed]'],
    uint64Data: [11, 'uint64[packed]'], docString: [12, 'string'],
    externalData: [13, 'StringStringEntryProto[]'], dataLocation: [14, 'int32'],
    metadataProps: [16, 'StringStringEntryProto[]'],
  },
  Segment: { begin: [1, 'int64'], end: [2, 'int64'] },
  SparseTensorProto: { values: [1, 'TensorProto'], indices: [2, 'TensorProto'], dims: [3, 'int64[]'] },
  ValueInfoProto: {
    name: [1, 'string'], type: [2, 'TypeProto'], docString: [3, 'string'],
    metadataProps: [4, 'StringStringEntryProto[]'],
  },
  TypeProto: {
    tensorType: [1, 'TensorType'], sequenceType: [4, 'ElementType'], mapType: [5, 'MapType'],
    denotation: [6, 'string'], opaqueType: [7, 'OpaqueType'], sparseTensorType: [8, 'TensorType'],
    optionalType: [9, 'ElementType'],
  },
  TensorType: { elemType: [1, 'int32'], shape: [2, 'TensorShapeProto'] },
  ElementType: { elemType: [1, 'TypeProto'] },
  MapType: { keyType: [1, 'int32'], valueType: [2, 'TypeProto'] },
  OpaqueType: { domain: [1, 'string'], name: [2, 'string'] },
  TensorShapeProto: { dim: [1, 'Dimension[]'] },
  Dimension: { dimValue: [1, 'int64'], dimParam: [2, 'string'], denotation: [3, 'string'] },
  FunctionProto: {
    name: [1, 'string'], input: [4, 'string[]'], output: [5, 'string[]'], attribute: [6, 'string[]'],
    node: [7, 'NodeProto[]'], docString: [8, 'string'], opsetImport: [9, 'OperatorSetIdProto[]'],
    domain: [10, 'string'], attributeProto: [11, 'AttributeProto[]'], valueInfo: [12, 'ValueInfoProto[]'],
    overload: [13, 'string'], metadataProps: [14, 'StringStringEntryProto[]'],
  },
  // A test's input or output that is not a tensor (onnx-data.proto).
  SequenceProto: {
    name: [1, 'string'], elemType: [2, 'int32'], tensorValues: [3, 'TensorProto[]'],
    sparseTensorValues: [4, 'SparseTensorProto[]'], sequenceValues: [5, 'SequenceProto[]'],
  },
  OptionalProto: {
    name: [1, 'string'], elemType: [2, 'int32'], tensorValue: [3, 'TensorProto'],
    sequenceValue: [5, 'SequenceProto'],
  },
};

const attributeTypes = {
  FLOAT: 1, INT: 2, STRING: 3, TENSOR: 4, GRAPH: 5, FLOATS: 6, INTS: 7, STRINGS: 8, TENSORS: 9, GRAPHS: 10,
  SPARSE_TENSOR: 11, SPARSE_TENSORS: 12, TYPE_PROTO: 13, TYPE_PROTOS: 14,
};

module.exports = { schema, attributeTypes };
