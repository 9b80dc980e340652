//===- element.js - Element types of tensors and their encodings ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor on this side is {type, dims, data}. `data` is the typed array of
// the table below: 16-bit and 8-bit floats are their bits, complex numbers
// are pairs, elements below a byte are packed as ONNX packs them (low bits
// first), strings are a plain array.
//
//===----------------------------------------------------------------------===//

'use strict';

const table = [
  // ONNX number, name, bits of an element, array, field of TensorProto
  [1, 'float', 32, Float32Array, 'floatData'],
  [2, 'uint8', 8, Uint8Array, 'int32Data'],
  [3, 'int8', 8, Int8Array, 'int32Data'],
  [4, 'uint16', 16, Uint16Array, 'int32Data'],
  [5, 'int16', 16, Int16Array, 'int32Data'],
  [6, 'int32', 32, Int32Array, 'int32Data'],
  [7, 'int64', 64, BigInt64Array, 'int64Data'],
  [8, 'string', 0, Array, 'stringData'],
  [9, 'bool', 8, Uint8Array, 'int32Data'],
  [10, 'float16', 16, Uint16Array, 'int32Data'],
  [11, 'double', 64, Float64Array, 'doubleData'],
  [12, 'uint32', 32, Uint32Array, 'uint64Data'],
  [13, 'uint64', 64, BigUint64Array, 'uint64Data'],
  [14, 'complex64', 64, Float32Array, 'floatData'],
  [15, 'complex128', 128, Float64Array, 'doubleData'],
  [16, 'bfloat16', 16, Uint16Array, 'int32Data'],
  [17, 'float8e4m3fn', 8, Uint8Array, 'int32Data'],
  [18, 'float8e4m3fnuz', 8, Uint8Array, 'int32Data'],
  [19, 'float8e5m2', 8, Uint8Array, 'int32Data'],
  [20, 'float8e5m2fnuz', 8, Uint8Array, 'int32Data'],
  [21, 'uint4', 4, Uint8Array, 'int32Data'],
  [22, 'int4', 4, Uint8Array, 'int32Data'],
  [23, 'float4e2m1', 4, Uint8Array, 'int32Data'],
  [24, 'float8e8m0', 8, Uint8Array, 'int32Data'],
  [25, 'uint2', 2, Uint8Array, 'int32Data'],
  [26, 'int2', 2, Uint8Array, 'int32Data'],
];

const elements = table.map(([number, name, bits, array, field]) => ({ number, name, bits, array, field }));
const byName = new Map(elements.map(element => [element.name, element]));
const byNumber = new Map(elements.map(element => [element.number, element]));

function element(nameOrNumber) {
  const found = byName.get(nameOrNumber) ?? byNumber.get(nameOrNumber);
  if (!found) throw new Error(`no element type '${nameOrNumber}'`);
  return found;
}

function count(dims) { return dims.reduce((product, dim) => product * Number(dim), 1); }

// Bytes that `n` elements take in raw data.
function byteSize(type, n) { return Math.ceil(element(type).bits * n / 8); }

//===----------------------------------------------------------------------===//
// 16-bit floats
//===----------------------------------------------------------------------===//

const floatView = new Float32Array(1), bitView = new Uint32Array(floatView.buffer);

function bitsOf(value) { floatView[0] = value; return bitView[0]; }
function floatOf(bits) { bitView[0] = bits; return floatView[0]; }

function bfloat16ToFloat(bits) { return floatOf(bits << 16); }

function floatToBfloat16(value) {
  if (Number.isNaN(value)) return 0x7fc0;
  const bits = bitsOf(value);
  return (bits + 0x7fff + (bits >>> 16 & 1)) >>> 16 & 0xffff;
}

function halfToFloat(bits) {
  const sign = bits & 0x8000 ? -1 : 1, exponent = bits >> 10 & 31, mantissa = bits & 1023;
  if (exponent === 31) return mantissa ? NaN : sign * Infinity;
  return exponent ? sign * 2 ** (exponent - 25) * (1024 + mantissa) : sign * 2 ** -24 * mantissa;
}

// Rounds to nearest, ties to even, from the value and not from float bits.
function floatToHalf(value) {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = Object.is(value, -0) || value < 0 ? 0x8000 : 0, magnitude = Math.abs(value);
  if (magnitude >= 65520) return sign | 0x7c00;
  if (magnitude < 2 ** -14) return sign | roundHalfToEven(magnitude * 2 ** 24);
  const exponent = Math.floor(Math.log2(magnitude));
  const mantissa = roundHalfToEven(magnitude * 2 ** (10 - exponent)) - 1024;
  return sign | ((exponent + 15 << 10) + mantissa);
}

function roundHalfToEven(value) {
  const floor = Math.floor(value), rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2) ? floor + 1 : floor;
}

//===----------------------------------------------------------------------===//
// Floats of 8 and 4 bits
//===----------------------------------------------------------------------===//

// Bits of the exponent and the mantissa, bias, and what is not a number: the
// largest exponent ('ieee'), its last pattern ('last'), minus zero, or nothing.
const smallFloats = {
  float8e4m3fn: [4, 3, 7, 'last'], float8e4m3fnuz: [4, 3, 8, 'minus zero'], float8e5m2: [5, 2, 15, 'ieee'],
  float8e5m2fnuz: [5, 2, 16, 'minus zero'], float4e2m1: [2, 1, 1, 'none'],
};

function smallFloatValue(type, bits) {
  if (type === 'float8e8m0') return bits === 255 ? NaN : 2 ** (bits - 127);
  const [exponentBits, mantissaBits, bias, notNumbers] = smallFloats[type];
  const width = exponentBits + mantissaBits, sign = bits >> width ? -1 : 1, magnitude = bits & (1 << width) - 1;
  const exponent = magnitude >> mantissaBits, mantissa = magnitude & (1 << mantissaBits) - 1;
  if (notNumbers === 'minus zero' && sign < 0 && magnitude === 0) return NaN;
  if (notNumbers === 'last' && magnitude === (1 << width) - 1) return NaN;
  if (notNumbers === 'ieee' && exponent === (1 << exponentBits) - 1) return mantissa ? NaN : sign * Infinity;
  const unit = 2 ** (Math.max(exponent, 1) - bias - mantissaBits);
  return sign * unit * (mantissa + (exponent ? 1 << mantissaBits : 0));
}

const smallFloatTables = new Map();

// Every value of a type, by its bits.
function smallFloatTable(type) {
  if (!smallFloatTables.has(type))
    smallFloatTables.set(type,
        Array.from({ length: 1 << element(type).bits }, (_, bits) => smallFloatValue(type, bits)));
  return smallFloatTables.get(type);
}

const isSmallFloat = type => type === 'float8e8m0' || type in smallFloats;

// The bits of numbers that the type holds exactly.
function smallFloatBits(type, values) {
  const table = smallFloatTable(type);
  const bits = Array.from(values, value => {
    const found = table.findIndex(candidate => Object.is(candidate, value));
    if (found < 0) throw new Error(`${type} does not hold ${value}`);
    return found;
  });
  return arrayOf(type, bits);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

// A typed array over `values`, given as numbers (or BigInts, or strings); for
// floats of 8 and 4 bits, as bits.
function arrayOf(type, values) {
  const { array, bits } = element(type);
  if (type === 'string') return Array.from(values, String);
  if (type === 'float16') return Uint16Array.from(values, floatToHalf);
  if (type === 'bfloat16') return Uint16Array.from(values, floatToBfloat16);
  if (type === 'bool') return Uint8Array.from(values, value => value ? 1 : 0);
  if (bits === 64 && array !== Float64Array && array !== Float32Array) return array.from(values, BigInt);
  if (bits < 8) return pack(Array.from(values, Number), bits);
  return array.from(values, Number);
}

function pack(values, bits) {
  const perByte = 8 / bits, mask = (1 << bits) - 1, packed = new Uint8Array(Math.ceil(values.length / perByte));
  values.forEach((value, i) => { packed[Math.floor(i / perByte)] |= (value & mask) << i % perByte * bits; });
  return packed;
}

function tensor(type, dims, values) { return { type, dims, data: arrayOf(type, values) }; }

// The elements as numbers for comparison; 64-bit integers stay BigInts.
function numbers({ type, dims, data }) {
  if (type === 'float16') return Float32Array.from(data, halfToFloat);
  if (type === 'bfloat16') return Float32Array.from(data, bfloat16ToFloat);
  const { bits } = element(type);
  if (bits >= 8 || type === 'string') return isSmallFloat(type) ? valuesOf(type, data) : data;
  const integers = Int8Array.from({ length: count(dims) }, (_, i) => unpack(data, bits, i, type.startsWith('int')));
  return isSmallFloat(type) ? valuesOf(type, integers) : integers;
}

function valuesOf(type, bits) {
  const table = smallFloatTable(type);
  return Float32Array.from(bits, pattern => table[pattern]);
}

function unpack(data, bits, i, signed) {
  const perByte = 8 / bits, value = data[Math.floor(i / perByte)] >> i % perByte * bits & (1 << bits) - 1;
  return signed && value >> bits - 1 ? value - (1 << bits) : value;
}

// The tensor's raw little-endian bytes.
function bytesOf({ data }) { return Buffer.from(data.buffer, data.byteOffset, data.byteLength); }

// A typed array over a copy of raw little-endian bytes (a copy for alignment).
function fromBytes(type, bytes) {
  const copy = Uint8Array.from(bytes), { array } = element(type);
  return new array(copy.buffer, 0, copy.byteLength / array.BYTES_PER_ELEMENT);
}

module.exports = {
  elements, element, count, byteSize, arrayOf, pack, tensor, numbers, bytesOf, fromBytes,
  halfToFloat, floatToHalf, bfloat16ToFloat, floatToBfloat16, isSmallFloat, smallFloatBits,
};
