//===- TensorFilesTest.cpp - Tensors in files of any format ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/TensorFiles.h"
#include "inlay/ONNX/TensorData.h"
#include "inlay/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace inlay;

namespace {
class TensorFilesTest : public ::testing::Test {
protected:
  TensorFilesTest() {
    llvm::SmallString<64> path;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("tensors", path));
    folder = std::string(path);
  }
  ~TensorFilesTest() override { llvm::sys::fs::remove_directories(folder); }

  std::string folder;
};
} // namespace

TEST_F(TensorFilesTest, WritesNumpyWhereItHasTheType) {
  NamedTensor tensor{"y", HostTensor(ElementType::Int32, {2})};
  std::string path = llvm::cantFail(writeTensor(folder, "y", tensor));
  EXPECT_EQ(llvm::sys::path::extension(path), ".npy");
  auto tensors = llvm::cantFail(readTensors(path));
  EXPECT_EQ(tensors.front().name, "y");
  EXPECT_EQ(tensors.front().tensor.getType(), ElementType::Int32);
}

TEST_F(TensorFilesTest, WritesTensorProtosOtherwise) {
  NamedTensor tensor{"y:0", HostTensor(ElementType::BFloat16, {2})};
  std::string path = llvm::cantFail(writeTensor(folder, "y", tensor));
  EXPECT_EQ(llvm::sys::path::extension(path), ".pb");
  auto tensors = llvm::cantFail(readTensors(path));
  EXPECT_EQ(tensors.front().name, "y:0");
  EXPECT_EQ(tensors.front().tensor.getType(), ElementType::BFloat16);
}

TEST_F(TensorFilesTest, ReadsFoldersByFileName) {
  HostTensor tensor(ElementType::Float, {1});
  llvm::cantFail(writeNpy(folder + "/b.npy", tensor));
  llvm::cantFail(writeTensorFile(folder + "/a.pb", tensor, "inside"));
  auto tensors = llvm::cantFail(readTensorFolder(folder));
  ASSERT_EQ(tensors.size(), 2u);
  EXPECT_EQ(tensors[0].name, "a");
  EXPECT_EQ(tensors[1].name, "b");
}

TEST_F(TensorFilesTest, RefusesTwoTensorsOfOneName) {
  HostTensor tensor(ElementType::Float, {1});
  llvm::cantFail(writeNpy(folder + "/a.npy", tensor));
  llvm::cantFail(writeTensorFile(folder + "/a.pb", tensor, "a"));
  auto tensors = readTensorFolder(folder);
  ASSERT_FALSE(tensors);
  std::string message;
  EXPECT_EQ(takeError(tensors.takeError(), message), ExitCode::Usage);
}

TEST_F(TensorFilesTest, RefusesOtherFormats) {
  auto tensors = readTensors(folder + "/x.txt");
  ASSERT_FALSE(tensors);
  std::string message;
  EXPECT_EQ(takeError(tensors.takeError(), message), ExitCode::Usage);
}

TEST(FileNames, AreSafe) {
  EXPECT_EQ(chooseFileNames({"a/b:0", "..", "", "\n"}),
            (std::vector<std::string>{"a_b_0", "_.", "output", "_"}));
}

TEST(FileNames, Differ) {
  EXPECT_EQ(chooseFileNames({"a/b", "a:b", "A_b"}),
            (std::vector<std::string>{"a_b", "a_b_2", "A_b_3"}));
}

TEST(FileNames, AreNotTooLong) {
  EXPECT_LE(chooseFileNames({std::string(5000, 'x')}).front().size(), 200u);
}

TEST(MemberNames, ComeBackAndStayInTheArchive) {
  for (llvm::StringRef name :
       {"plain.weight", "/layer/Conv_output_0", "../../up", "100%2F", "a\nb",
        "C:\\x", "", "%", "\xc3\xa9"}) {
    std::string escaped = escapeMemberName(name);
    EXPECT_EQ(unescapeMemberName(escaped), name);
    EXPECT_EQ(escaped.find_first_of("/\\\n:"), std::string::npos);
    EXPECT_FALSE(llvm::StringRef(escaped).starts_with("."));
  }
  EXPECT_EQ(escapeMemberName("plain.weight"), "plain.weight");
  EXPECT_EQ(escapeMemberName("/a"), "%2Fa");
  // What is no escape is left alone.
  EXPECT_EQ(unescapeMemberName("50%"), "50%");
  EXPECT_EQ(unescapeMemberName("%zz"), "%zz");
}
