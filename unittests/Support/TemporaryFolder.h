//===- TemporaryFolder.h - A folder for one test ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_SUPPORT_TEMPORARYFOLDER_H
#define INLAY_UNITTESTS_SUPPORT_TEMPORARYFOLDER_H

#include "inlay/Support/Error.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <fstream>
#include <iterator>

namespace inlay {

/// A folder that is removed with all that is in it.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::error_code error =
        llvm::sys::fs::createUniqueDirectory("inlay-test", folder);
    EXPECT_FALSE(error) << error.message();
  }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(folder); }

  std::string operator/(llvm::StringRef name) const {
    llvm::SmallString<128> path = folder;
    llvm::sys::path::append(path, name);
    return path.str().str();
  }

  /// Writes a file and returns its path.
  std::string add(llvm::StringRef name, llvm::StringRef bytes) const {
    std::string path = *this / name;
    std::ofstream(path, std::ios::binary).write(bytes.data(), bytes.size());
    return path;
  }

  unsigned countFiles() const {
    std::error_code error;
    unsigned count = 0;
    for (llvm::sys::fs::directory_iterator it(folder, error), end;
         it != end && !error; it.increment(error))
      ++count;
    return count;
  }

private:
  llvm::SmallString<128> folder;
};

inline std::string readBytes(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The message of an error that must end in the given exit code.
inline std::string messageOf(llvm::Error error, ExitCode expected) {
  EXPECT_TRUE(bool(error)) << "expected a failure";
  std::string message;
  EXPECT_EQ(takeError(std::move(error), message), expected) << message;
  return message;
}

template <typename T>
std::string messageOf(llvm::Expected<T> result, ExitCode expected) {
  return messageOf(result.takeError(), expected);
}

#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)

} // namespace inlay

#endif // INLAY_UNITTESTS_SUPPORT_TEMPORARYFOLDER_H
