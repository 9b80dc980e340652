//===- BuiltinTargets.cpp - Finding targets by name or path ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "YamlTree.h"
#include "inlay/Support/Error.h"
#include "inlay/Support/MappedFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace inlay;

llvm::ArrayRef<BuiltinTarget> inlay::getBuiltinTargets() {
  static constexpr BuiltinTarget targets[] = {
#include "BuiltinTargets.inc"
  };
  return targets;
}

std::string inlay::makeTargetText(llvm::StringRef name) {
  static constexpr llvm::StringLiteral skeleton =
#include "Skeleton.inc"
      ;
  std::string text;
  llvm::StringRef rest = skeleton;
  while (!rest.empty()) {
    auto [before, after] = rest.split("NAME");
    bool isLast = before.size() == rest.size();
    text += before;
    text += isLast ? "" : name;
    rest = after;
  }
  return text;
}

llvm::Expected<TargetSource> inlay::readTargetFile(llvm::StringRef path) {
  auto file = MappedFile::open(path);
  if (!file)
    return file.takeError();
  // Only to be refused; it need not all be read for that.
  llvm::ArrayRef<char> bytes = (*file)->getBytes().take_front(maxYamlBytes + 1);
  return TargetSource{path.str(), std::string(bytes.data(), bytes.size())};
}

/// What is no path to a file was probably meant as a name.
static llvm::Error makeNameError(llvm::StringRef name) {
  std::string names = llvm::join(
      llvm::map_range(getBuiltinTargets(),
                      [](const BuiltinTarget &target) { return target.name; }),
      ", ");
  return targetError("no target or file '" + name +
                     "', expected a file or one of " + names);
}

llvm::Expected<TargetSource> inlay::loadTargetText(llvm::StringRef nameOrPath) {
  for (const BuiltinTarget &target : getBuiltinTargets())
    if (target.name == nameOrPath)
      return TargetSource{target.name.str(), target.text.str()};
  if (!llvm::sys::fs::exists(nameOrPath))
    return makeNameError(nameOrPath);
  return readTargetFile(nameOrPath);
}

llvm::Expected<Target>
inlay::loadTarget(llvm::StringRef nameOrPath,
                  llvm::ArrayRef<llvm::StringRef> knownOps,
                  OpFormLookup getForms) {
  auto source = loadTargetText(nameOrPath);
  if (!source)
    return source.takeError();
  return parseTarget(source->text, source->name, knownOps, getForms);
}
