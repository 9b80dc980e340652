//===- ExternalFiles.cpp - The data files beside a model ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/ExternalFiles.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace inlay;
using llvm::StringRef;
namespace path = llvm::sys::path;

//===----------------------------------------------------------------------===//
// Where files may lie
//===----------------------------------------------------------------------===//

void ExternalFiles::addPlace(StringRef folder, bool holdsFolders, bool isRoot) {
  llvm::SmallString<256> resolved;
  if (llvm::sys::fs::real_path(folder.empty() ? "." : folder, resolved))
    resolved = folder;
  places.push_back({resolved.str().str(), holdsFolders, isRoot});
}

ExternalFiles::ExternalFiles(StringRef modelPath) {
  addPlace(path::parent_path(modelPath), /*holdsFolders=*/true,
           /*isRoot=*/false);
}

/// The path of the file that was opened as `model`, without links; empty where
/// another has taken its place.
static std::string getRealPath(const MappedFile &model) {
  llvm::SmallString<256> real;
  if (model.isInMemory() || llvm::sys::fs::real_path(model.getPath(), real))
    return "";
  auto again =
      MappedFile::openBelow(path::parent_path(real), path::filename(real));
  if (!again) {
    llvm::consumeError(again.takeError());
    return "";
  }
  return (*again)->getIdentity() == model.getIdentity() ? real.str().str() : "";
}

ExternalFiles::ExternalFiles(const MappedFile &model,
                             llvm::ArrayRef<std::string> dataRoots)
    : ExternalFiles(model.getPath()) {
  if (std::string real = getRealPath(model); !real.empty())
    addPlace(path::parent_path(real), /*holdsFolders=*/false, /*isRoot=*/false);
  for (const std::string &root : dataRoots)
    addPlace(root, /*holdsFolders=*/true, /*isRoot=*/true);
}

/// What follows `folder` in the path of a file in it, both without links; empty
/// for what is not in it.
static StringRef getInner(StringRef file, StringRef folder) {
  if (!file.consume_front(folder))
    return "";
  if (folder.ends_with("/"))
    return file;
  return file.consume_front("/") ? file : "";
}

StringRef ExternalFiles::Found::getInner() const {
  return ::getInner(path, place->folder);
}

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

/// Whether a location stays in its folder but for links.
static bool isRelative(StringRef location) {
  return !path::is_absolute(location) &&
         !llvm::is_contained(
             llvm::make_range(path::begin(location), path::end(location)),
             StringRef(".."));
}

static constexpr llvm::StringLiteral howToAllow =
    " (--data-root DIR allows what lies below DIR)";

/// What a location leads to from a folder, without links.
static std::error_code findPath(StringRef folder, StringRef location,
                                llvm::SmallVectorImpl<char> &real) {
  llvm::SmallString<256> joined;
  if (!path::is_absolute(location))
    joined = folder;
  path::append(joined, location);
  return llvm::sys::fs::real_path(joined, real);
}

llvm::Expected<ExternalFiles::Found>
ExternalFiles::resolve(StringRef location) const {
  auto fail = [&](const llvm::Twine &why) {
    return modelError("external data location " + quoteForMessage(location) +
                      " " + why);
  };
  if (location.empty())
    return modelError("external data has no location");
  if (location.contains('\0'))
    return fail("contains a zero byte");
  bool isFree = !isRelative(location);
  if (isFree && !places.back().isRoot)
    return fail((path::is_absolute(location)
                     ? "is absolute, required a path relative to the model"
                     : "contains '..', required a path below the model's "
                       "folder") +
                howToAllow);
  llvm::SmallString<256> real;
  std::error_code error = findPath(places.front().folder, location, real);
  // A model on standard input may have been taken from there.
  for (const Place &place : places)
    if (error && place.isRoot && !findPath(place.folder, location, real))
      error = {};
  if (error)
    return fail("cannot be read: " + error.message());
  for (const Place &place : places) {
    StringRef inner = ::getInner(real, place.folder);
    if (!inner.empty() && (!isFree || place.isRoot) &&
        (place.holdsFolders || !inner.contains('/')))
      return Found{&place, real.str().str()};
  }
  return fail("leads out of the model's folder" + howToAllow);
}

llvm::Expected<std::shared_ptr<const MappedFile>>
ExternalFiles::open(StringRef location) {
  auto known = files.find(location);
  if (known != files.end())
    return known->second;
  llvm::Expected<Found> found = resolve(location);
  if (!found)
    return found.takeError();
  // Two locations may be one file.
  std::shared_ptr<const MappedFile> &file = byPath[found->path];
  if (!file) {
    // A name may have come to mean another file since it was resolved: what
    // counts is what is opened, and that lies below the place.
    auto opened =
        MappedFile::openBelow(found->place->folder, found->getInner());
    if (!opened) {
      byPath.erase(found->path);
      return modelError(llvm::toString(opened.takeError()));
    }
    file = std::move(*opened);
  }
  return files[location] = file;
}
