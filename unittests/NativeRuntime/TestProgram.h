//===- TestProgram.h - Programs with kernels in C++ -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_NATIVERUNTIME_TESTPROGRAM_H
#define INLAY_UNITTESTS_NATIVERUNTIME_TESTPROGRAM_H

#include "inlay/NativeRuntime/Program.h"
#include "gtest/gtest.h"
#include <deque>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace inlay {

inline inlay_place arenaAt(uint64_t offset, uint64_t bytes) {
  return {INLAY_ARENA, 0, offset, bytes};
}
inline inlay_place scratchAt(uint64_t offset, uint64_t bytes) {
  return {INLAY_SCRATCH, 0, offset, bytes};
}
inline inlay_place weightsAt(uint64_t offset, uint64_t bytes) {
  return {INLAY_WEIGHTS, 0, offset, bytes};
}
inline inlay_place inputAt(uint32_t index, uint64_t bytes) {
  return {INLAY_INPUT, index, 0, bytes};
}
inline inlay_place outputAt(uint32_t index, uint64_t bytes) {
  return {INLAY_OUTPUT, index, 0, bytes};
}

/// The arena becomes the table at the places that the indices say.
inline void pick(void *const *buffers, int64_t begin, int64_t end) {
  auto *table = static_cast<const float *>(buffers[0]);
  auto *indices = static_cast<const int64_t *>(buffers[1]);
  auto *arena = static_cast<float *>(buffers[2]);
  for (int64_t i = begin; i != end; ++i)
    arena[i] = table[indices[i]];
}

/// A program that is put together step by step. It stays where it is: its
/// tables point into it.
class TestProgram {
public:
  explicit TestProgram(const char *name = "model") {
    program.info.abi = INLAY_ABI;
    program.info.name = name;
    program.info.cpu = "any";
    program.samples_at_once = 1;
  }
  TestProgram(const TestProgram &) = delete;
  TestProgram &operator=(const TestProgram &) = delete;

  TestProgram &input(const char *name, inlay_type type, uint64_t elementBytes,
                     std::vector<int64_t> dims) {
    inputs.push_back(makePort(name, type, elementBytes, std::move(dims)));
    return *this;
  }
  TestProgram &output(const char *name, inlay_type type, uint64_t elementBytes,
                      std::vector<int64_t> dims) {
    outputs.push_back(makePort(name, type, elementBytes, std::move(dims)));
    return *this;
  }
  /// Makes the first dimension of an input or output open, of which each
  /// sample has as many as it has now.
  TestProgram &openInput(size_t number) {
    open(inputs[number]);
    return *this;
  }
  TestProgram &openOutput(size_t number) {
    open(outputs[number]);
    return *this;
  }
  /// A length that inputs say, or one that follows from another.
  TestProgram &length(const char *name, int64_t largest) {
    lengths.push_back({name, largest, 0, 0, 0});
    return *this;
  }
  TestProgram &follow(uint32_t from, int64_t add, int64_t divide) {
    lengths.push_back(
        {nullptr, (lengths[from].largest + add) / divide, from, add, divide});
    return *this;
  }
  /// Makes a dimension that is the largest of a length one of that length.
  TestProgram &openLengthOfInput(size_t number, int32_t dim,
                                 uint32_t length = 0) {
    openLength(inputs[number], dim, length);
    return *this;
  }
  TestProgram &openLengthOfOutput(size_t number, int32_t dim,
                                  uint32_t length = 0) {
    openLength(outputs[number], dim, length);
    return *this;
  }
  inlay_step &step(const char *name, inlay_kernel kernel, int64_t extent,
                   int64_t grain, std::vector<inlay_place> places) {
    buffers.push_back(std::move(places));
    inlay_step step = {};
    step.name = name;
    step.run = kernel;
    step.extent = {extent, 0, 0, 0};
    step.grain = grain;
    step.buffers = buffers.back().data();
    step.num_buffers = buffers.back().size();
    steps.push_back(step);
    return steps.back();
  }
  void indices(inlay_step &step, inlay_indices what) {
    indexed.push_back(what);
    step.indices = &indexed.back();
    step.num_indices = 1;
  }
  /// What lies behind the lengths of a tensor of these dimensions, in a buffer
  /// of floats.
  void clear(inlay_step &step, uint32_t buffer, uint32_t bits,
             std::vector<int64_t> dims, std::vector<uint32_t> numbers,
             std::vector<int64_t> borders) {
    shapes.push_back(std::move(dims));
    shapes.push_back(std::move(borders));
    numbersOfLengths.push_back(std::move(numbers));
    cleared.push_back({buffer, 4, bits,
                       uint32_t(numbersOfLengths.back().size()),
                       shapes.end()[-2].data(), numbersOfLengths.back().data(),
                       shapes.back().data()});
    step.clears = &cleared.back();
    step.num_clears = 1;
  }
  void copy(inlay_place from, uint32_t output) {
    copies.push_back({from, output});
  }

  /// With all that was added so far.
  const inlay_program *get() {
    program.info.inputs = inputs.data();
    program.info.num_inputs = inputs.size();
    program.info.outputs = outputs.data();
    program.info.num_outputs = outputs.size();
    program.info.lengths = lengths.data();
    program.info.num_lengths = lengths.size();
    finished.assign(steps.begin(), steps.end());
    program.steps = finished.data();
    program.num_steps = finished.size();
    program.copies = copies.data();
    program.num_copies = copies.size();
    return &program;
  }

  inlay_program program = {};

private:
  inlay_port makePort(const char *name, inlay_type type, uint64_t elementBytes,
                      std::vector<int64_t> dims) {
    uint64_t bytes = elementBytes;
    for (int64_t dim : dims)
      bytes *= dim;
    shapes.push_back(std::move(dims));
    return {name,
            type,
            int32_t(shapes.back().size()),
            shapes.back().data(),
            bytes,
            0,
            nullptr};
  }

  void open(inlay_port &port) {
    port.per_sample = port.dims[0];
    openDim(port, 0);
  }

  void openLength(inlay_port &port, int32_t dim, uint32_t length) {
    std::vector<uint32_t> numbers(port.rank);
    if (port.lengths)
      numbers.assign(port.lengths, port.lengths + port.rank);
    numbers[dim] = length + 1;
    numbersOfLengths.push_back(std::move(numbers));
    port.lengths = numbersOfLengths.back().data();
    openDim(port, dim);
  }

  void openDim(inlay_port &port, int32_t dim) {
    shapes.emplace_back(port.dims, port.dims + port.rank);
    shapes.back()[dim] = -1;
    port.dims = shapes.back().data();
  }

  std::deque<std::vector<int64_t>> shapes;
  std::deque<std::vector<uint32_t>> numbersOfLengths;
  std::deque<inlay_clear> cleared;
  std::vector<inlay_length> lengths;
  std::deque<std::vector<inlay_place>> buffers;
  std::deque<inlay_indices> indexed;
  std::deque<inlay_step> steps;
  std::vector<inlay_step> finished;
  std::vector<inlay_port> inputs, outputs;
  std::vector<inlay_copy> copies;
};

inline inlay_options withThreads(uint32_t threads) {
  inlay_options options = {};
  options.abi = INLAY_ABI;
  options.threads = threads;
  return options;
}

/// A session that could be made.
class TestSession {
public:
  explicit TestSession(TestProgram &program, uint32_t threads = 1)
      : TestSession(program, withThreads(threads)) {}
  TestSession(TestProgram &program, const inlay_options &options) {
    EXPECT_EQ(inlay_create(program.get(), &options, &session), INLAY_OK)
        << inlay_error(nullptr);
  }
  TestSession(const TestSession &) = delete;
  TestSession &operator=(const TestSession &) = delete;
  ~TestSession() { inlay_destroy(session); }

  inlay_status run(const std::vector<inlay_tensor> &inputs,
                   std::vector<inlay_tensor> &outputs) {
    return inlay_run(session, inputs.data(), inputs.size(), outputs.data(),
                     outputs.size());
  }
  std::string error() const { return inlay_error(session); }

  inlay_session *session = nullptr;
};

/// Expects that no session is made, and returns why.
inline std::string failureOf(TestProgram &program, const inlay_options *options,
                             inlay_status expected) {
  inlay_session *session = nullptr;
  EXPECT_EQ(inlay_create(program.get(), options, &session), expected);
  EXPECT_EQ(session, nullptr);
  inlay_destroy(session);
  return inlay_error(nullptr);
}

/// What sessions of tests that look for it have, so that it is seen: the heap
/// of libc takes 64 MiB and more for a thread. No page of it is used.
constexpr uint64_t largeArena = 1 << 30;

/// Whether this process has no more memory than it had, but for what the heap
/// and others may take.
class MemoryCheck {
public:
  bool isAsBefore() const { return mappedBytes() < before + largeArena / 2; }

private:
  static uint64_t mappedBytes() {
    std::ifstream statm("/proc/self/statm");
    uint64_t pages = 0;
    statm >> pages;
    return pages * sysconf(_SC_PAGESIZE);
  }

  uint64_t before = mappedBytes();
};

} // namespace inlay

#endif // INLAY_UNITTESTS_NATIVERUNTIME_TESTPROGRAM_H
