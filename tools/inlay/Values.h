//===- Values.h - Values of options -----------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_INLAY_VALUES_H
#define INLAY_TOOLS_INLAY_VALUES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace inlay {

/// "N=1".
struct DimValue {
  std::string name;
  int64_t extent;
  /// Whether it is "1..8": any extent up to that.
  bool isOpen = false;
};
llvm::Expected<DimValue> parseDim(llvm::StringRef text);

/// "x:1,3,224,224"; "x:" is a scalar. Names may hold colons themselves.
struct ShapeValue {
  std::string name;
  llvm::SmallVector<int64_t> extents;
};
llvm::Expected<ShapeValue> parseShape(llvm::StringRef text);

/// "65536", "64kB", "4MiB": a number of bytes with an optional unit.
llvm::Expected<uint64_t> parseBytes(llvm::StringRef option,
                                    llvm::StringRef text);

/// A number of threads, 1 to 256.
llvm::Expected<unsigned> parseThreads(llvm::StringRef option,
                                      llvm::StringRef text);

/// A finite number that is not negative.
llvm::Expected<double> parseTolerance(llvm::StringRef option,
                                      llvm::StringRef text);

/// That `word`, given to an option as a `kind` of thing, is a known one; the
/// error names the nearest.
llvm::Error checkWord(llvm::StringRef option, llvm::StringRef word,
                      llvm::StringRef kind,
                      llvm::ArrayRef<llvm::StringRef> known);

} // namespace inlay

#endif // INLAY_TOOLS_INLAY_VALUES_H
