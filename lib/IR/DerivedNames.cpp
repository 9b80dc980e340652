//===- DerivedNames.cpp - Names of what becomes of a node -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/DerivedNames.h"

using llvm::StringRef;

/// Whether a character of UTF-8 does not begin with this byte.
static bool isInside(char byte) { return (byte & 0xC0) == 0x80; }

StringRef inlay::shortenName(StringRef name) {
  if (name.size() <= maxDerivedBytes)
    return name;
  size_t end = maxDerivedBytes;
  while (end != 0 && isInside(name[end]))
    --end;
  return name.take_front(end);
}

std::string inlay::deriveName(StringRef origin, StringRef part) {
  return (shortenName(origin) + "/" + part).str();
}
