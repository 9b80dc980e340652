//===- FileKind.cpp - What a file is that is no model ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model begins with the tag of a field, mostly that of its IR version, 8. No
// kind below begins like one but JSON, XML and text, which have no bytes that
// a model cannot do without.
//
//===----------------------------------------------------------------------===//

#include "FileKind.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"

using namespace inlay;
using llvm::StringRef;

/// As much as a guess looks at.
static constexpr size_t front = 4096;

namespace {
/// Bytes at a place that a format always has.
struct Magic {
  size_t offset;
  StringRef bytes;
  StringRef kind;
};
} // namespace

static const Magic magics[] = {
    {0, "\x89PNG", "a PNG image"},
    {0, "\xff\xd8\xff", "a JPEG image"},
    {0, "GIF8", "a GIF image"},
    {0, "%PDF", "a PDF document"},
    {0, "\x89HDF", "HDF5, as Keras writes it"},
    {0, "\x1f\x8b", "compressed by gzip"},
    {0, "BZh", "compressed by bzip2"},
    {0,
     "\xfd"
     "7zXZ",
     "compressed by xz"},
    {0, "\x28\xb5\x2f\xfd", "compressed by zstd"},
    {0, "\x93NUMPY", "a NumPy array"},
    {0,
     "\x7f"
     "ELF",
     "a program or library"},
    {0, "GGUF", "GGUF: weights without a graph"},
    {0, "ML\xefR", "MLIR bytecode, which inlay-opt turns into text"},
    {0, "version https://git-lfs",
     "a pointer of Git LFS: 'git lfs pull' gets the file itself"},
    {4, "TFL3", "TensorFlow Lite"},
    {4, "ORTM", "ONNX Runtime's own format (.ort)"},
    {257, "ustar", "a tar archive"},
};

/// By the name of the first file in it.
static StringRef guessArchive(StringRef bytes) {
  constexpr size_t header = 30;
  if (bytes.size() < header)
    return "a zip archive";
  uint16_t length = llvm::support::endian::read16le(bytes.data() + 26);
  StringRef name = bytes.substr(header, length);
  if (name.ends_with("/data.pkl") || name.contains(".data/"))
    return "a PyTorch checkpoint: torch.onnx.export makes a model of one";
  return name.ends_with(".npy") ? "a NumPy archive" : "a zip archive";
}

/// Whether the bytes are the size of a JSON object, and one.
static bool isSafetensors(StringRef bytes) {
  if (bytes.size() < 10 || bytes[8] != '{' || bytes[9] != '"')
    return false;
  return llvm::support::endian::read64le(bytes.data()) <= bytes.size() - 8;
}

/// Whether people could read it. What is looked at may end within a character.
static bool isText(StringRef bytes) {
  bool isWhole = bytes.size() <= front;
  bytes = bytes.take_front(front);
  bool isPrinted = llvm::none_of(bytes, [](unsigned char c) {
    return (c < 0x20 && !StringRef("\t\n\r\f").contains(c)) || c == 0x7f;
  });
  for (size_t cut = 0; isPrinted && cut <= (isWhole ? 0 : 3); ++cut)
    if (llvm::json::isUTF8(bytes.drop_back(cut)))
      return true;
  return false;
}

static StringRef guessText(StringRef text) {
  StringRef word = text.ltrim();
  if (word.contains("ir_version:") || word.contains("opset_import"))
    return "ONNX as text: save it in binary form";
  if (word.starts_with("module") || word.starts_with("\"builtin.module\""))
    return "MLIR: name it .mlir";
  if (word.starts_with_insensitive("<!doctype html") ||
      word.starts_with_insensitive("<html"))
    return "a page of HTML, such as a server's answer";
  if (word.starts_with("<?xml"))
    return "XML, as OpenVINO writes it";
  if (word.starts_with("{") || word.starts_with("["))
    return "JSON";
  return "text";
}

StringRef inlay::guessFileKind(StringRef bytes) {
  for (const Magic &magic : magics)
    if (bytes.substr(magic.offset).starts_with(magic.bytes))
      return magic.kind;
  if (bytes.starts_with("PK\3\4"))
    return guessArchive(bytes);
  if (isSafetensors(bytes))
    return "safetensors: weights without a graph";
  // The protocol's number, and what it begins a dictionary or a frame with.
  if (bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5)
    return "a Python pickle, as older PyTorch checkpoints are";
  return isText(bytes) ? guessText(bytes.take_front(front)) : "";
}
