//===- WeightsTest.cpp - Weights that do and do not belong to a model -----===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <thread>

using namespace inlay;

namespace {

void addWeights(void *const *buffers, int64_t begin, int64_t end) {
  auto *x = static_cast<const int32_t *>(buffers[0]);
  auto *weights = static_cast<const int32_t *>(buffers[1]);
  auto *y = static_cast<int32_t *>(buffers[2]);
  for (int64_t i = begin; i != end; ++i)
    y[i] = x[i] + weights[i];
}

/// y = x + w, with the weights w in a file.
class Weights : public testing::Test {
protected:
  Weights() {
    char name[] = "/tmp/inlay-weights-XXXXXX";
    int file = mkstemp(name);
    EXPECT_GE(file, 0);
    close(file);
    path = name;
    program.input("x", INLAY_INT32, 4, {100})
        .output("y", INLAY_INT32, 4, {100});
    program.step("add", addWeights, 100, 10,
                 {inputAt(0, 400), weightsAt(400, 400), outputAt(0, 400)});
    for (int i = 0; i != 200; ++i)
      values.push_back(i * i);
    program.program.info.weights_bytes = 800;
    program.program.info.arena_bytes = largeArena;
    program.program.weights_checksum = checksum();
    std::memcpy(header.magic, INLAY_WEIGHTS_MAGIC, 8);
    header.abi = INLAY_ABI;
    header.bytes = 800;
    header.checksum = checksum();
    options.abi = INLAY_ABI;
    options.weights = path.c_str();
    write();
  }
  ~Weights() override { std::remove(path.c_str()); }

  uint64_t checksum() const {
    inlay_checksum checksum;
    inlay_checksum_start(&checksum);
    inlay_checksum_add(&checksum, values.data(), 800);
    return inlay_checksum_finish(&checksum);
  }

  void write() const {
    std::ofstream file(path, std::ios::binary);
    std::string start(INLAY_WEIGHTS_START, '\0');
    std::memcpy(start.data(), &header, sizeof header);
    file.write(start.data(), start.size());
    file.write(reinterpret_cast<const char *>(values.data()), 800);
  }

  std::string refusal(inlay_status expected = INLAY_MODEL) {
    MemoryCheck memory;
    std::string text = failureOf(program, &options, expected);
    EXPECT_TRUE(memory.isAsBefore());
    return text;
  }

  void expectResults(TestSession &session) {
    std::vector<int32_t> x(100, 1);
    int64_t dims[1] = {100};
    std::vector<inlay_tensor> inputs = {{x.data(), INLAY_INT32, 1, dims, 400}};
    std::vector<inlay_tensor> outputs(1);
    ASSERT_EQ(session.run(inputs, outputs), INLAY_OK) << session.error();
    for (int i = 0; i != 100; ++i)
      EXPECT_EQ(static_cast<int32_t *>(outputs[0].data)[i],
                1 + (100 + i) * (100 + i));
  }

  std::string named() const { return "the weights '" + path + "'"; }

  TestProgram program;
  std::string path;
  std::vector<int32_t> values;
  inlay_weights_header header = {};
  inlay_options options = {};
};

} // namespace

TEST_F(Weights, AreRead) {
  TestSession session(program, options);
  expectResults(session);
}

TEST_F(Weights, AreSharedBySessions) {
  TestSession first(program, options);
  auto isMapped = [&] {
    std::ifstream maps("/proc/self/maps");
    std::string line;
    unsigned count = 0;
    while (std::getline(maps, line))
      count += line.find(path) != std::string::npos;
    return count;
  };
  EXPECT_EQ(isMapped(), 1u);
  {
    TestSession second(program, options);
    EXPECT_EQ(isMapped(), 1u);
    expectResults(second);
  }
  EXPECT_EQ(isMapped(), 1u);
  expectResults(first);
  inlay_destroy(first.session);
  first.session = nullptr;
  EXPECT_EQ(isMapped(), 0u);
}

TEST_F(Weights, AreSharedWhenManyThreadsMakeSessions) {
  program.get();
  std::vector<std::thread> threads;
  for (int i = 0; i != 4; ++i)
    threads.emplace_back([&] {
      for (int turn = 0; turn != 50; ++turn) {
        inlay_session *session = nullptr;
        EXPECT_EQ(inlay_create(&program.program, &options, &session), INLAY_OK);
        inlay_destroy(session);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(Weights, BesideTheLibraryAreFound) {
  // What dladdr says of a program of this test is where the test is.
  static TestProgram inside;
  inside.program.info.weights_bytes = 800;
  inside.program.weights_checksum = checksum();
  char self[PATH_MAX] = {};
  ASSERT_GT(readlink("/proc/self/exe", self, sizeof self - 1), 0);
  std::string name = "weights-test-" + std::to_string(getpid());
  std::string beside(self);
  beside = beside.substr(0, beside.rfind('/') + 1) + name;
  inside.program.weights_name = name.c_str();
  std::string missing = failureOf(inside, nullptr, INLAY_IO);
  EXPECT_NE(missing.find(name + "': No such file"), std::string::npos)
      << missing;
  ASSERT_EQ(link(path.c_str(), beside.c_str()) == 0 ||
                std::system(("cp " + path + " " + beside).c_str()) == 0,
            true);
  inlay_session *session = nullptr;
  EXPECT_EQ(inlay_create(inside.get(), nullptr, &session), INLAY_OK)
      << inlay_error(nullptr);
  inlay_destroy(session);
  std::remove(beside.c_str());
}

TEST_F(Weights, ThatAreNotNamedAreRefused) {
  options.weights = nullptr;
  EXPECT_EQ(refusal(INLAY_INTERNAL), "the model names no weights");
}

TEST_F(Weights, ThatAreMissingAreRefused) {
  std::remove(path.c_str());
  EXPECT_EQ(refusal(INLAY_IO),
            "cannot open " + named() + ": No such file or directory");
}

TEST_F(Weights, ThatAreAFolderAreRefused) {
  options.weights = "/tmp";
  EXPECT_EQ(refusal(INLAY_IO),
            "cannot read the weights '/tmp': Is a directory");
}

TEST_F(Weights, OfTooLongANameAreRefused) {
  std::string name(5000, 'x');
  options.weights = name.c_str();
  EXPECT_EQ(refusal(INLAY_ARGUMENT),
            "the path of the weights has 5000 bytes where 4095 are allowed");
}

TEST_F(Weights, ThatAreShortAreRefused) {
  for (int bytes : {0, 31, 32, 4095, 4096, 4895}) {
    ASSERT_EQ(truncate(path.c_str(), bytes), 0);
    EXPECT_EQ(refusal(), named() + " have " + std::to_string(bytes) +
                             " bytes where 4896 are required");
    write();
  }
}

TEST_F(Weights, ThatAreLongAreRefused) {
  ASSERT_EQ(truncate(path.c_str(), 4897), 0);
  EXPECT_EQ(refusal(), named() + " have 4897 bytes where 4896 are required");
}

TEST_F(Weights, OfAnotherKindAreRefused) {
  header.magic[0] = 'X';
  write();
  EXPECT_EQ(refusal(), "'" + path + "' is no file of weights");
}

TEST_F(Weights, OfAnotherAbiAreRefused) {
  header.abi = INLAY_ABI + 1;
  write();
  EXPECT_EQ(refusal(), named() + " have the ABI 5 where 4 is required");
}

TEST_F(Weights, OfAnotherModelAreRefused) {
  values[7] = 1;
  header.checksum = checksum();
  write();
  EXPECT_EQ(refusal(), named() + " are of another model than 'model'");
  // Also where nobody wants to read them all.
  options.skip_checksum = 1;
  EXPECT_EQ(refusal(), named() + " are of another model than 'model'");
}

TEST_F(Weights, OfAnotherSizeAreRefused) {
  header.bytes = 804;
  write();
  EXPECT_EQ(refusal(), named() + " are of another model than 'model'");
}

TEST_F(Weights, ThatAreDamagedAreRefused) {
  values[3] ^= 1 << 30;
  write();
  std::string text = refusal();
  EXPECT_EQ(text.find(named() + " are damaged: their checksum is "), 0u)
      << text;
}

TEST_F(Weights, ThatAreDamagedAreTakenUnread) {
  values[3] ^= 1 << 30;
  write();
  options.skip_checksum = 1;
  TestSession session(program, options);
  // Who wants them read is told, and the others keep them.
  options.skip_checksum = 0;
  failureOf(program, &options, INLAY_MODEL);
  expectResults(session);
}

TEST_F(Weights, InsideOfTheLibraryAreUsed) {
  program.program.weights = reinterpret_cast<const char *>(values.data());
  TestSession session(program, withThreads(1));
  expectResults(session);
}

TEST_F(Weights, InsideOfTheLibraryMayBeDamaged) {
  program.program.weights = reinterpret_cast<const char *>(values.data());
  values[3] ^= 1;
  std::string text = refusal();
  EXPECT_EQ(text.find("the weights of the model model are damaged: "), 0u)
      << text;
}
