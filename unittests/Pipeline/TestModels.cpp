//===- TestModels.cpp - Models that all must hold for ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModels.h"
#include "llvm/ADT/STLExtras.h"

using namespace inlay;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// More than any of the models refers to.
static constexpr uint64_t weightBytes = uint64_t(64) << 20;
/// Debian's package libonnx-testdata.
static constexpr size_t numOperatorTests = 1072;

/// The .onnx files below a folder, ordered by name.
static std::vector<std::string> findModels(StringRef folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error))
    if (path::extension(it->path()) == ".onnx")
      found.push_back(it->path());
  llvm::sort(found);
  return found;
}

void TestModels::addWithWeights(StringRef model) {
  std::string copy = folder / path::filename(model);
  EXPECT_FALSE(fs::copy_file(model, copy)) << model.str();
  std::string weights = folder.add(path::stem(model).str() + ".weights", "");
  int file;
  EXPECT_FALSE(fs::openFileForWrite(weights, file, fs::CD_OpenExisting));
  EXPECT_FALSE(fs::resize_file(file, weightBytes));
  llvm::sys::fs::closeFile(file);
  paths.push_back(copy);
}

TestModels::TestModels() {
  for (const std::string &model : findModels(INLAY_TEST_MODELS))
    addWithWeights(model);
  EXPECT_FALSE(paths.empty()) << "no model in " << INLAY_TEST_MODELS;
  llvm::append_range(paths, findModels(INLAY_EXAMPLES));
  std::vector<std::string> tests = findModels(INLAY_ONNX_TESTDATA);
  EXPECT_GE(tests.size(), numOperatorTests)
      << "libonnx-testdata is not installed";
  llvm::append_range(paths, tests);
}
