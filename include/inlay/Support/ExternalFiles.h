//===- ExternalFiles.h - The data files beside a model ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SUPPORT_EXTERNALFILES_H
#define INLAY_SUPPORT_EXTERNALFILES_H

#include "inlay/Support/MappedFile.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace inlay {

/// The external data files of one model, each opened once. With links resolved,
/// a file must lie below the folder that the model is named in; directly in the
/// folder of the file that the model's name leads to, as model hubs lay them
/// out; or below a folder that the caller allows.
class ExternalFiles {
public:
  explicit ExternalFiles(llvm::StringRef modelPath);
  ExternalFiles(const MappedFile &model, llvm::ArrayRef<std::string> dataRoots);

  llvm::Expected<std::shared_ptr<const MappedFile>>
  open(llvm::StringRef location);

private:
  /// Where files may lie. Its path has no links.
  struct Place {
    std::string folder;
    bool holdsFolders = true;
    /// Whether a location may lead there in any way.
    bool isRoot = false;
  };
  struct Found {
    const Place *place;
    std::string path;

    llvm::StringRef getInner() const;
  };

  void addPlace(llvm::StringRef folder, bool holdsFolders, bool isRoot);
  llvm::Expected<Found> resolve(llvm::StringRef location) const;

  llvm::SmallVector<Place, 2> places;
  /// By location, and by path without links.
  llvm::StringMap<std::shared_ptr<const MappedFile>> files, byPath;
};

} // namespace inlay

#endif // INLAY_SUPPORT_EXTERNALFILES_H
