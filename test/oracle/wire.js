//===- wire.js - The protobuf wire format, driven by tables ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schema is a table  message -> field -> [number, kind];  a kind is a scalar
// or a message name, with `[]` for repeated and `[packed]` for repeated and
// written packed. Decoding gives plain objects: absent fields are undefined,
// repeated ones arrays, `bytes` views into the buffer. Fields the schema does
// not know are kept as raw bytes under `unknown` and written back.
//
//===----------------------------------------------------------------------===//

'use strict';

const VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5;

const wireTypes = {
  int64: VARINT, uint64: VARINT, int32: VARINT,
  float: FIXED32, double: FIXED64, string: BYTES, bytes: BYTES,
};

// 64-bit integers are numbers where those are exact and BigInts elsewhere.
function toInteger(value) {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function parseKind(kind) {
  const match = /^(\w+)(\[(packed)?\])?$/.exec(kind);
  return { type: match[1], repeated: match[2] !== undefined, packed: match[3] !== undefined };
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

class Reader {
  constructor(buffer) {
    this.buffer = buffer;
    this.at = 0;
  }

  get done() { return this.at >= this.buffer.length; }

  varint() {
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.byte();
      low |= (byte & 127) << shift;
      if (byte < 128) return BigInt(low);
    }
    let value = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new Error(`varint longer than ten bytes at offset ${this.at}`);
  }

  byte() {
    if (this.done) throw new Error('protobuf ends inside a field');
    return this.buffer[this.at++];
  }

  take(length) {
    if (length > this.buffer.length - this.at)
      throw new Error(`field of ${length} bytes at offset ${this.at} passes the end, ${this.buffer.length}`);
    this.at += length;
    return this.buffer.subarray(this.at - length, this.at);
  }

  skip(wireType) {
    if (wireType === VARINT) this.varint();
    else if (wireType === FIXED64) this.take(8);
    else if (wireType === BYTES) this.take(Number(this.varint()));
    else if (wireType === FIXED32) this.take(4);
    else throw new Error(`wire type ${wireType} at offset ${this.at}`);
  }

  scalar(type) {
    switch (type) {
    case 'int64': return toInteger(BigInt.asIntN(64, this.varint()));
    case 'uint64': return toInteger(BigInt.asUintN(64, this.varint()));
    case 'int32': return Number(BigInt.asIntN(32, this.varint()));
    case 'float': return this.take(4).readFloatLE();
    case 'double': return this.take(8).readDoubleLE();
    case 'string': return this.take(Number(this.varint())).toString();
    case 'bytes': return this.take(Number(this.varint()));
    }
    throw new Error(`no scalar type '${type}'`);
  }
}

class Codec {
  constructor(schema) {
    this.messages = {};
    for (const [message, fields] of Object.entries(schema)) {
      const list = Object.entries(fields).map(([name, [number, kind]]) => ({ name, number, ...parseKind(kind) }));
      this.messages[message] = { list, byNumber: new Map(list.map(field => [field.number, field])) };
    }
  }

  decode(message, buffer) {
    const { list, byNumber } = this.messages[message];
    const result = {};
    for (const field of list) if (field.repeated) result[field.name] = [];
    const reader = new Reader(buffer);
    while (!reader.done) this.decodeField(byNumber, reader, result);
    return result;
  }

  decodeField(byNumber, reader, result) {
    const start = reader.at, tag = Number(reader.varint()), wireType = tag & 7;
    const field = byNumber.get(tag >>> 3);
    if (!field) {
      reader.skip(wireType);
      (result.unknown ??= []).push(reader.buffer.subarray(start, reader.at));
      return;
    }
    const declared = wireTypes[field.type] ?? BYTES;
    if (field.repeated && wireType === BYTES && declared !== BYTES) {
      const packed = new Reader(reader.scalar('bytes'));
      while (!packed.done) result[field.name].push(packed.scalar(field.type));
      return;
    }
    if (wireType !== declared)
      throw new Error(`field '${field.name}' at offset ${start} has wire type ${wireType}, not ${declared}`);
    const value = wireTypes[field.type] === undefined ? this.decode(field.type, reader.scalar('bytes'))
                                                      : reader.scalar(field.type);
    if (field.repeated) result[field.name].push(value);
    else result[field.name] = value;
  }

  //===--------------------------------------------------------------------===//
  // Writing
  //===--------------------------------------------------------------------===//

  encode(message, object) { return Buffer.concat(this.chunks(message, object)); }

  // The encoding as a list of buffers, so that large `bytes` are not copied.
  chunks(message, object) {
    const out = [];
    for (const field of this.messages[message].list) {
      const value = object[field.name];
      if (value === undefined) continue;
      if (field.packed) this.putPacked(out, field, value);
      else for (const item of field.repeated ? value : [value]) this.putField(out, field, item);
    }
    for (const bytes of object.unknown ?? []) out.push(bytes);
    return out;
  }

  putPacked(out, field, values) {
    if (!values.length) return;
    const body = Buffer.concat(Array.from(values, value => scalarBytes(field.type, value)));
    out.push(tagBytes(field.number, BYTES), varintBytes(body.length), body);
  }

  putField(out, field, value) {
    const wireType = wireTypes[field.type];
    out.push(tagBytes(field.number, wireType ?? BYTES));
    if (wireType === undefined) {
      const body = this.chunks(field.type, value);
      out.push(varintBytes(body.reduce((sum, chunk) => sum + chunk.length, 0)));
      for (const chunk of body) out.push(chunk); // a spread would be an argument each
    } else if (wireType === BYTES) {
      const body = Buffer.isBuffer(value) ? value : Buffer.from(value);
      out.push(varintBytes(body.length), body);
    } else {
      out.push(scalarBytes(field.type, value));
    }
  }
}

function tagBytes(number, wireType) { return varintBytes(number * 8 + wireType); }

function varintBytes(value) {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes = [];
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

function scalarBytes(type, value) {
  if (wireTypes[type] === VARINT) return varintBytes(value);
  const bytes = Buffer.alloc(type === 'float' ? 4 : 8);
  if (type === 'float') bytes.writeFloatLE(value);
  else bytes.writeDoubleLE(value);
  return bytes;
}

module.exports = { Codec, VARINT, FIXED64, BYTES, FIXED32, tagBytes, varintBytes };
