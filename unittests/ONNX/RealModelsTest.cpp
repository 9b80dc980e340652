//===- RealModelsTest.cpp - Files that others have written ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallModel.h"

using namespace inlay;
using namespace inlay::proto;

/// Debian's package libonnx-testdata.
static constexpr StringRef testData = "/usr/share/libonnx-testdata/data";

/// Calls `visit` with every file below the test data that ends in `extension`.
static unsigned forEachFile(StringRef extension,
                            llvm::function_ref<void(StringRef)> visit) {
  unsigned count = 0;
  std::error_code error;
  llvm::sys::fs::recursive_directory_iterator it(testData, error), end;
  for (; !error && it != end; it.increment(error)) {
    if (!StringRef(it->path()).ends_with(extension))
      continue;
    ++count;
    visit(it->path());
  }
  return count;
}

TEST(RealModels, EveryModelOfTheTestDataIsRead) {
  unsigned count = forEachFile(".onnx", [](StringRef path) {
    auto file = MappedFile::open(path);
    ASSERT_TRUE(bool(file));
    auto parsed = parseModel(*file);
    ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
    const Model &model = (*parsed)->message;
    EXPECT_TRUE(model.hasGraph && model.irVersion > 0) << path.str();
    EXPECT_FALSE(model.opsetImports.empty()) << path.str();
    ExternalFiles externals(path);
    for (const Tensor &tensor : model.graph.initializers) {
      auto data = locateTensorData(tensor, *file, externals);
      EXPECT_TRUE(bool(data)) << llvm::toString(data.takeError());
    }
  });
  if (count == 0)
    GTEST_SKIP() << "libonnx-testdata is not installed";
}

TEST(RealModels, EveryTensorOfTheTestDataIsReadAndWrittenBack) {
  TemporaryFolder folder;
  unsigned tensors = 0;
  unsigned count = forEachFile(".pb", [&](StringRef path) {
    std::string name;
    auto tensor = readTensorFile(path, &name);
    // Some files are sequences or optionals.
    if (!tensor) {
      llvm::consumeError(tensor.takeError());
      return;
    }
    ++tensors;
    ASSERT_FALSE(bool(writeTensorFile(folder / "t.pb", *tensor, name)));
    auto again = readTensorFile(folder / "t.pb");
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(again->getShape(), tensor->getShape()) << path.str();
    if (tensor->getType() == ElementType::String)
      EXPECT_EQ(again->getStrings(), tensor->getStrings()) << path.str();
    else
      EXPECT_EQ(again->getBytes(), tensor->getBytes()) << path.str();
  });
  if (count == 0)
    GTEST_SKIP() << "libonnx-testdata is not installed";
  EXPECT_GT(tensors, count * 9 / 10);
}
