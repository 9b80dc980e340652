//===- ExternalFiles.cpp - The data files beside a model ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/ONNX/ProtoReader.h"
#include "inlay/ONNX/TensorData.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace inlay;
using llvm::StringRef;
namespace path = llvm::sys::path;

ExternalFiles::ExternalFiles(StringRef modelPath) {
  StringRef parent = path::parent_path(modelPath);
  llvm::SmallString<256> resolved;
  if (llvm::sys::fs::real_path(parent.empty() ? "." : parent, resolved))
    resolved = parent;
  folder = resolved.str().str();
}

/// Whether `file` lies in `folder`, both without links.
static bool isInside(StringRef file, StringRef folder) {
  if (!file.consume_front(folder))
    return false;
  return folder.ends_with("/") || file.starts_with("/");
}

llvm::Expected<std::string> ExternalFiles::resolve(StringRef location) const {
  auto fail = [&](const llvm::Twine &why) {
    return modelError("external data location " + quoteForMessage(location) +
                      " " + why);
  };
  if (location.empty())
    return modelError("external data has no location");
  if (location.contains('\0'))
    return fail("contains a zero byte");
  if (path::is_absolute(location))
    return fail("is absolute, required a path relative to the model");
  if (llvm::is_contained(
          llvm::make_range(path::begin(location), path::end(location)),
          StringRef("..")))
    return fail("contains '..', required a path below the model's folder");
  llvm::SmallString<256> joined(folder), resolved;
  path::append(joined, location);
  if (std::error_code error = llvm::sys::fs::real_path(joined, resolved))
    return fail("cannot be read: " + error.message());
  if (!isInside(resolved, folder))
    return fail("leads out of the model's folder");
  return resolved.str().str();
}

llvm::Expected<std::shared_ptr<const MappedFile>>
ExternalFiles::open(StringRef location) {
  auto known = files.find(location);
  if (known != files.end())
    return known->second;
  llvm::Expected<std::string> resolved = resolve(location);
  if (!resolved)
    return resolved.takeError();
  // Two locations may be one file; an absolute path is never a location.
  std::shared_ptr<const MappedFile> &file = files[*resolved];
  if (!file) {
    llvm::Expected<std::shared_ptr<const MappedFile>> opened =
        MappedFile::open(*resolved);
    if (!opened) {
      files.erase(*resolved);
      return modelError(llvm::toString(opened.takeError()));
    }
    file = std::move(*opened);
  }
  std::shared_ptr<const MappedFile> result = file;
  files[location] = result;
  return result;
}
