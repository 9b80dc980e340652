//===- DataFiles.cpp - The bytes that constants refer to ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/DataFiles.h"

using namespace inlay;

void DataFiles::add(std::shared_ptr<const MappedFile> file) {
  std::lock_guard<std::mutex> lock(mutex);
  auto [it, inserted] = byName.try_emplace(file->getPath(), file);
  if (inserted)
    files.push_back(std::move(file));
  else
    it->second = std::move(file);
}

std::string DataFiles::addBuffer(llvm::ArrayRef<char> bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  std::string name = "memory:" + std::to_string(numBuffers++);
  byName[name] = MappedFile::fromMemory(bytes, name);
  return name;
}

llvm::Expected<std::shared_ptr<const MappedFile>>
DataFiles::lookup(llvm::StringRef name) {
  std::lock_guard<std::mutex> lock(mutex);
  if (auto it = byName.find(name); it != byName.end())
    return it->second;
  auto file = MappedFile::open(name);
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
