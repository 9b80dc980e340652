//===- DamageTest.cpp - Damaged files never crash a reader ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallModel.h"
#include <random>

using namespace inlay;
using namespace inlay::proto;

/// Reads a file as far as it goes, with the elements of its tensors.
static void readAll(StringRef bytes) {
  auto parsed = parseBytes(bytes);
  if (!parsed) {
    EXPECT_CONTAINS(messageOf(parsed.takeError(), ExitCode::Model),
                    "model.onnx");
    return;
  }
  ExternalFiles externals("model.onnx");
  for (const Tensor &tensor : (*parsed)->message.graph.initializers) {
    auto data = locateTensorData(tensor, (*parsed)->file, externals);
    if (!data) {
      messageOf(data.takeError(), ExitCode::Model);
      continue;
    }
    auto host = readHostTensor(*data);
    if (!host)
      llvm::consumeError(host.takeError());
  }
}

TEST(Damage, AFileMayEndAnywhere) {
  std::string bytes = toBytes(getSampleModel());
  for (size_t size = 0; size != bytes.size(); ++size)
    readAll(StringRef(bytes).take_front(size));
}

TEST(Damage, AnyBitMayBeWrong) {
  std::string bytes = toBytes(getSampleModel());
  for (size_t i = 0; i != bytes.size() * 8; ++i) {
    bytes[i / 8] ^= char(1 << (i % 8));
    readAll(bytes);
    bytes[i / 8] ^= char(1 << (i % 8));
  }
}

TEST(Damage, AnyByteMayBeAnother) {
  std::string bytes = toBytes(getSampleModel());
  for (size_t i = 0; i != bytes.size(); ++i)
    for (char value : {'\0', '\x7f', '\x80', '\xff'}) {
      char old = std::exchange(bytes[i], value);
      readAll(bytes);
      bytes[i] = old;
    }
}

TEST(Damage, ManyBytesMayBeWrong) {
  std::string original = toBytes(getSampleModel());
  std::mt19937 random(1);
  for (unsigned round = 0; round != 5000; ++round) {
    std::string bytes = original;
    for (unsigned i = 0; i != 1 + round % 8; ++i)
      bytes[random() % bytes.size()] = char(random());
    readAll(bytes);
  }
}

TEST(Damage, PartsMayBeMovedAbout) {
  std::string original = toBytes(getSampleModel());
  std::mt19937 random(2);
  for (unsigned round = 0; round != 2000; ++round) {
    size_t from = random() % original.size(), to = random() % original.size();
    size_t length = random() % (original.size() - from);
    readAll(original.substr(0, to) + original.substr(from, length) +
            original.substr(to));
  }
}
