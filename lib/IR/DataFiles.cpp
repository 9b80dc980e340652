//===- DataFiles.cpp - The bytes that constants refer to ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/DataFiles.h"
#include "inlay/Support/Error.h"
#include "llvm/Support/FileSystem.h"

using namespace inlay;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

const DataFiles::Buffer &DataFiles::declareBuffer() {
  std::lock_guard<std::mutex> lock(mutex);
  auto buffer = std::make_unique<Buffer>();
  buffer->name = "memory:" + std::to_string(buffers.size());
  buffer->bytes = MappedFile::fromMemory(StringRef(), buffer->name);
  std::string name = buffer->name;
  return *(buffers[name] = std::move(buffer));
}

void DataFiles::fillBuffer(StringRef name, llvm::ArrayRef<char> bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  buffers.find(name)->second->bytes = MappedFile::fromMemory(bytes, name);
}

std::string DataFiles::addBuffer(llvm::ArrayRef<char> bytes) {
  const Buffer &buffer = declareBuffer();
  fillBuffer(buffer.name, bytes);
  return buffer.name;
}

const DataFiles::Buffer *DataFiles::findBuffer(StringRef name) const {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = buffers.find(name);
  return it == buffers.end() ? nullptr : it->second.get();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

void DataFiles::add(std::shared_ptr<const MappedFile> file) {
  std::lock_guard<std::mutex> lock(mutex);
  auto [it, inserted] = byName.try_emplace(file->getPath(), file);
  if (inserted)
    files.push_back(std::move(file));
  else
    it->second = std::move(file);
}

void DataFiles::allow(ExternalFiles files) {
  std::lock_guard<std::mutex> lock(mutex);
  allowed = std::move(files);
}

llvm::Expected<std::shared_ptr<const MappedFile>>
DataFiles::lookup(StringRef name) {
  std::lock_guard<std::mutex> lock(mutex);
  if (auto it = buffers.find(name); it != buffers.end())
    return it->second->bytes;
  if (auto it = byName.find(name); it != byName.end())
    return it->second;
  if (!allowed)
    return modelError(quoteForMessage(name) + " is no data file of the module");
  auto file = allowed->open(name);
  if (!file)
    return file.takeError();
  byName[name] = *file;
  files.push_back(*file);
  return *file;
}

llvm::SmallVector<std::shared_ptr<const MappedFile>>
DataFiles::getFiles() const {
  std::lock_guard<std::mutex> lock(mutex);
  return files;
}

bool DataFiles::isInUse(StringRef path) const {
  llvm::sys::fs::UniqueID id;
  if (llvm::sys::fs::getUniqueID(path, id))
    return false;
  MappedFile::Identity identity{id.getDevice(), id.getFile()};
  return llvm::any_of(getFiles(), [&](const auto &file) {
    return file->getIdentity() == identity;
  });
}

std::string DataFiles::chooseDataPath(StringRef modelPath) const {
  std::string path = (modelPath + ".data").str();
  for (unsigned i = 1; isInUse(path); ++i)
    path = (modelPath + "." + llvm::Twine(i) + ".data").str();
  return path;
}
