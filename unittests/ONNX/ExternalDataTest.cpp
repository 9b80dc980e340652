//===- ExternalDataTest.cpp -----------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallModel.h"
#include <sys/stat.h>
#include <unistd.h>

using namespace inlay;
using namespace inlay::proto;

namespace {

/// A folder with a model, a data file "data" of ten bytes and a subfolder.
class ExternalDataTest : public testing::Test {
protected:
  ExternalDataTest() {
    folder.add("data", "0123456789");
    llvm::sys::fs::create_directory(folder / "model");
    llvm::sys::fs::create_directory(folder / "model/sub");
    folder.add("model/data", "0123456789");
  }

  using Entry = std::pair<StringRef, StringRef>;

  llvm::Expected<TensorData> locate(std::initializer_list<Entry> entries,
                                    int64_t elements = 4) {
    MessageWriter message;
    message.addInts(TensorField::Dims, {elements});
    message.addInt(TensorField::DataType, int64_t(ElementType::UInt8));
    message.addString(TensorField::Name, "t");
    for (const auto &[key, value] : entries)
      message.addEntry(TensorField::ExternalData, key, value);
    message.addInt(TensorField::DataLocation, 1);
    auto file = MappedFile::fromMemory(toBytes(message), folder / "model/m");
    auto parsed = parseTensor(file);
    EXPECT_TRUE(bool(parsed));
    return locateTensorData((*parsed)->message, file, externals);
  }

  std::string fail(std::initializer_list<Entry> entries, int64_t elements = 4) {
    return messageOf(locate(entries, elements), ExitCode::Model);
  }

  TemporaryFolder folder;
  ExternalFiles externals{folder / "model/m"};
};

} // namespace

TEST_F(ExternalDataTest, IsARangeOfItsFile) {
  auto data = locate({{"location", "data"},
                      {"offset", "3"},
                      {"length", "4"},
                      {"checksum", "whatever"}});
  ASSERT_TRUE(bool(data));
  EXPECT_TRUE(data->isExternal);
  auto tensor = readHostTensor(*data);
  ASSERT_TRUE(bool(tensor));
  EXPECT_EQ(tensor->getData<uint8_t>(),
            ArrayRef<uint8_t>({'3', '4', '5', '6'}));
}

TEST_F(ExternalDataTest, OffsetAndLengthMayBeAbsent) {
  auto data = locate({{"location", "data"}});
  ASSERT_TRUE(bool(data));
  EXPECT_EQ(data->range.offset, 0u);
  EXPECT_EQ(data->range.length, 4u);
}

TEST_F(ExternalDataTest, AFileIsOpenedOnce) {
  auto a = locate({{"location", "data"}});
  auto b = locate({{"location", "data"}, {"offset", "2"}});
  auto c = locate({{"location", "./sub/../data"}});
  auto d = locate({{"location", ".//data"}});
  ASSERT_TRUE(a && b && d);
  llvm::consumeError(c.takeError());
  EXPECT_EQ(a->range.file, b->range.file);
  EXPECT_EQ(a->range.file, d->range.file);
}

TEST_F(ExternalDataTest, MayLieInASubfolderAndBehindALink) {
  folder.add("model/sub/data", "0123456789");
  EXPECT_TRUE(bool(locate({{"location", "sub/data"}})));
  ASSERT_EQ(::symlink("sub/data", (folder / "model/link").c_str()), 0);
  EXPECT_TRUE(bool(locate({{"location", "link"}})));
}

TEST_F(ExternalDataTest, MustNotLeaveTheModelsFolder) {
  EXPECT_CONTAINS(fail({{"location", "../data"}}), "contains '..'");
  EXPECT_CONTAINS(fail({{"location", "sub/../../data"}}), "contains '..'");
  EXPECT_CONTAINS(fail({{"location", folder / "model/data"}}), "is absolute");
  ASSERT_EQ(::symlink("../data", (folder / "model/link").c_str()), 0);
  EXPECT_CONTAINS(fail({{"location", "link"}}), "leads out of the model's");
  ASSERT_EQ(::symlink("..", (folder / "model/up").c_str()), 0);
  EXPECT_CONTAINS(fail({{"location", "up/data"}}), "leads out of the model's");
}

TEST_F(ExternalDataTest, AFolderOfALongerNameIsAnotherFolder) {
  llvm::sys::fs::create_directory(folder / "model2");
  folder.add("model2/data", "0123456789");
  ASSERT_EQ(::symlink("../model2/data", (folder / "model/link").c_str()), 0);
  EXPECT_CONTAINS(fail({{"location", "link"}}), "leads out of the model's");
}

TEST_F(ExternalDataTest, MessagesSayHowToAllowIt) {
  for (std::string location : {std::string("../data"), folder / "data"})
    EXPECT_CONTAINS(fail({{"location", location}}), "--data-root DIR allows");
  ASSERT_EQ(::symlink("../data", (folder / "model/link").c_str()), 0);
  EXPECT_CONTAINS(fail({{"location", "link"}}), "--data-root DIR allows");
}

//===----------------------------------------------------------------------===//
// Model hubs, and folders that are allowed
//===----------------------------------------------------------------------===//

namespace {

/// "snapshots/1/m.onnx" and "snapshots/1/data" are links into "blobs", as is
/// everything that model hubs lay out.
class HubTest : public testing::Test {
protected:
  HubTest() {
    for (const char *name : {"blobs/deeper", "snapshots/1", "other"})
      llvm::sys::fs::create_directories(folder / name);
    for (const char *name : {"blobs/m", "blobs/d", "blobs/deeper/d", "other/d"})
      folder.add(name, "0123456789");
    link("../../blobs/m", "snapshots/1/m.onnx");
  }

  void link(const std::string &target, StringRef name) {
    ASSERT_EQ(::symlink(target.c_str(), (folder / name).c_str()), 0);
  }

  /// Opens the location "data" of the model as the hub names it.
  llvm::Expected<std::shared_ptr<const MappedFile>>
  open(StringRef location = "data", llvm::ArrayRef<std::string> roots = {}) {
    auto model = MappedFile::open(folder / "snapshots/1/m.onnx");
    EXPECT_TRUE(bool(model));
    return ExternalFiles(**model, roots).open(location);
  }

  TemporaryFolder folder;
};

} // namespace

TEST_F(HubTest, ALinkMayEndBesideTheModelsFile) {
  link("../../blobs/d", "snapshots/1/data");
  auto file = open();
  ASSERT_TRUE(bool(file)) << llvm::toString(file.takeError());
  EXPECT_EQ((*file)->getSize(), 10u);
  link("data", "snapshots/1/chain");
  EXPECT_TRUE(bool(open("chain")));
}

TEST_F(HubTest, LocationsMeanNothingThere) {
  // "d" lies beside the model's file, but the model is not named there.
  EXPECT_CONTAINS(messageOf(open("d"), ExitCode::Model), "cannot be read");
  EXPECT_CONTAINS(messageOf(open("../../blobs/d"), ExitCode::Model), "'..'");
}

TEST_F(HubTest, NoOtherPlaceIsAllowed) {
  const char *targets[] = {"/etc/passwd", "../../blobs/deeper/d",
                           "../../other/d"};
  for (auto [i, target] : llvm::enumerate(targets)) {
    std::string name = "data" + std::to_string(i);
    link(target, "snapshots/1/" + name);
    EXPECT_CONTAINS(messageOf(open(name), ExitCode::Model), "leads out");
  }
  link("../../blobs/deeper", "snapshots/1/folder");
  EXPECT_CONTAINS(messageOf(open("folder"), ExitCode::Model), "it is a folder");
  EXPECT_CONTAINS(messageOf(open("folder/d"), ExitCode::Model), "leads out");
  ASSERT_EQ(::mkfifo((folder / "blobs/pipe").c_str(), 0600), 0);
  link("../../blobs/pipe", "snapshots/1/pipe");
  EXPECT_CONTAINS(messageOf(open("pipe"), ExitCode::Model), "not a regular");
}

TEST_F(HubTest, TheModelsFileIsTheOneThatWasOpened) {
  link("../../blobs/d", "snapshots/1/data");
  auto model = MappedFile::open(folder / "snapshots/1/m.onnx");
  ASSERT_TRUE(bool(model));
  // The name has come to lead to another file, and so to another folder.
  ASSERT_EQ(::unlink((folder / "snapshots/1/m.onnx").c_str()), 0);
  link("../../other/d", "snapshots/1/m.onnx");
  EXPECT_CONTAINS(
      messageOf(ExternalFiles(**model, {}).open("data"), ExitCode::Model),
      "leads out");
}

TEST_F(HubTest, WhatLiesBelowAnAllowedFolderMayBeReachedInAnyWay) {
  link("../../other/d", "snapshots/1/data");
  std::string root = folder / "other", sibling = folder / "blobs/deeper";
  EXPECT_TRUE(bool(open("data", {root})));
  EXPECT_TRUE(bool(open("../../other/d", {root})));
  EXPECT_TRUE(bool(open(folder / "other/d", {root})));
  EXPECT_TRUE(bool(open("data", {sibling, root})));
  EXPECT_TRUE(bool(open("../../blobs/deeper/d", {folder / "blobs"})));
  for (StringRef location : {"data", "../../other/d", "/etc/passwd"})
    EXPECT_CONTAINS(messageOf(open(location, {sibling}), ExitCode::Model),
                    "leads out");
}

TEST_F(ExternalDataTest, MustExist) {
  EXPECT_CONTAINS(fail({{"location", "missing"}}), "'missing' cannot be read");
  EXPECT_CONTAINS(fail({{"location", "sub"}}), "it is a folder");
  EXPECT_CONTAINS(fail({{"location", ""}}), "no location");
  EXPECT_CONTAINS(fail({}), "no location");
  EXPECT_CONTAINS(fail({{"location", StringRef("data\0x", 6)}}), "zero byte");
}

TEST_F(ExternalDataTest, MustLieInTheFile) {
  EXPECT_CONTAINS(fail({{"location", "data"}, {"offset", "7"}}),
                  "passes the end of 'data' of 10 bytes");
  EXPECT_CONTAINS(
      fail({{"location", "data"}, {"offset", "18446744073709551615"}}),
      "passes the end");
  EXPECT_CONTAINS(fail({{"location", "data"}}, 11), "passes the end");
}

TEST_F(ExternalDataTest, NumbersMustBeNumbersOfBytes) {
  EXPECT_CONTAINS(fail({{"location", "data"}, {"offset", "-1"}}),
                  "offset is '-1'");
  EXPECT_CONTAINS(fail({{"location", "data"}, {"length", "4 "}}),
                  "length is '4 '");
  EXPECT_CONTAINS(
      fail({{"location", "data"}, {"length", "99999999999999999999999"}}),
      "required a number of bytes");
  EXPECT_CONTAINS(fail({{"location", "data"}, {"length", "5"}}),
                  "external data takes 5 bytes");
}
