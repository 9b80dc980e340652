//===- TensorFiles.cpp - Tensors in files of any format -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/TensorFiles.h"
#include "inlay/ONNX/TensorData.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace inlay;
namespace path = llvm::sys::path;
namespace fs = llvm::sys::fs;

/// Names of files are cut to this length, which every file system takes.
static constexpr size_t maxFileName = 120;

bool inlay::isTensorFileName(llvm::StringRef file) {
  return llvm::is_contained({".npy", ".npz", ".pb"}, path::extension(file));
}

llvm::Expected<std::vector<NamedTensor>>
inlay::readTensors(llvm::StringRef file) {
  llvm::StringRef extension = path::extension(file);
  if (extension == ".npz")
    return readNpz(file);
  NamedTensor result;
  if (extension != ".npy" && extension != ".pb")
    return usageError("'" + file +
                      "' is not a tensor file: expected .npy, .npz or .pb");
  auto tensor =
      extension == ".npy" ? readNpy(file) : readTensorFile(file, &result.name);
  if (!tensor)
    return tensor.takeError();
  result.tensor = std::move(*tensor);
  if (result.name.empty())
    result.name = path::stem(file).str();
  std::vector<NamedTensor> tensors;
  tensors.push_back(std::move(result));
  return tensors;
}

/// The tensor files of a folder, ordered by name.
static llvm::Expected<std::vector<std::string>>
listTensorFiles(llvm::StringRef folder) {
  std::vector<std::string> files;
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; it != end && !code;
       it.increment(code))
    if (isTensorFileName(it->path()))
      files.push_back(it->path());
  if (code)
    return ioError("cannot read folder '" + folder + "': " + code.message());
  llvm::sort(files);
  return files;
}

llvm::Expected<std::vector<NamedTensor>>
inlay::readTensorFolder(llvm::StringRef folder) {
  auto files = listTensorFiles(folder);
  if (!files)
    return files.takeError();
  std::vector<NamedTensor> all;
  llvm::StringSet<> names;
  for (const std::string &file : *files) {
    auto tensors = readTensors(file);
    if (!tensors)
      return tensors.takeError();
    for (NamedTensor &tensor : *tensors) {
      // Files correspond by their own names; a name inside may be anything.
      if (path::extension(file) != ".npz")
        tensor.name = path::stem(file).str();
      if (!names.insert(tensor.name).second)
        return usageError("folder '" + folder + "' has two tensors named '" +
                          tensor.name + "'");
      all.push_back(std::move(tensor));
    }
  }
  return all;
}

llvm::Expected<std::string> inlay::writeTensor(llvm::StringRef folder,
                                               llvm::StringRef stem,
                                               const NamedTensor &tensor) {
  bool isNpy = isNpyType(tensor.tensor.getType());
  llvm::SmallString<128> file(folder);
  path::append(file, stem + (isNpy ? ".npy" : ".pb"));
  if (llvm::Error error =
          isNpy ? writeNpy(file, tensor.tensor)
                : writeTensorFile(file, tensor.tensor, tensor.name))
    return error;
  return std::string(file);
}

static std::string sanitizeName(llvm::StringRef name) {
  std::string safe;
  for (char c : name.take_front(maxFileName))
    safe += llvm::isAlnum(c) || c == '-' || c == '_' || c == '.' ? c : '_';
  if (safe.empty())
    return "output";
  // Neither hidden nor "..".
  if (safe.front() == '.')
    safe.front() = '_';
  return safe;
}

std::vector<std::string>
inlay::chooseFileNames(llvm::ArrayRef<std::string> names) {
  std::vector<std::string> chosen;
  llvm::StringSet<> taken;
  for (const std::string &name : names) {
    std::string safe = sanitizeName(name), candidate = safe;
    for (unsigned i = 2;
         !taken.insert(llvm::StringRef(candidate).lower()).second; ++i)
      candidate = safe + "_" + std::to_string(i);
    chosen.push_back(candidate);
  }
  return chosen;
}

std::string inlay::escapeMemberName(llvm::StringRef name) {
  std::string escaped;
  for (auto [i, c] : llvm::enumerate(name)) {
    bool isPlain = llvm::isPrint(c) && c != '/' && c != '\\' && c != '%' &&
                   c != ':' && (i != 0 || c != '.');
    if (isPlain || (c & 0x80))
      escaped += c;
    else
      escaped += "%" + llvm::utohexstr(uint8_t(c), /*LowerCase=*/false,
                                       /*Width=*/2);
  }
  return escaped;
}

std::string inlay::unescapeMemberName(llvm::StringRef name) {
  std::string plain;
  for (size_t i = 0; i < name.size(); ++i) {
    unsigned value = 0;
    bool isEscaped = name[i] == '%' && i + 2 < name.size() &&
                     !name.substr(i + 1, 2).getAsInteger(16, value);
    plain += isEscaped ? char(value) : name[i];
    i += isEscaped ? 2 : 0;
  }
  return plain;
}
