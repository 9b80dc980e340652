/*===- Program.h - A compiled model as its runtime reads it ---------*- C -*-===
 *
 * Part of the Inlay project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===
 *
 * A list of steps over places in memory. Everything is constant and of known
 * size; code generation writes these tables, the runtime only reads them. Where
 * a model takes any number of samples, the steps compute one, and run again for
 * the next: places in open inputs and outputs move on by one sample each time.
 * Some samples may be at hand at once, each with an arena of its own; a step
 * then runs for all of them before the next one does.
 *
 * Where lengths are open, tensors lie as they do for the largest ones, and
 * `bytes` of a place in an input or output are those of the largest. A run has
 * the turns that its lengths take; what lies behind them is anything, and steps
 * in which it would matter read the lengths, or it is cleared for them.
 *
 *===----------------------------------------------------------------------===*/

#ifndef INLAY_NATIVERUNTIME_PROGRAM_H
#define INLAY_NATIVERUNTIME_PROGRAM_H

#include "inlay/NativeRuntime/Model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a value is. */
enum {
  /* In the session's own memory, 64-byte aligned. */
  INLAY_ARENA = 0,
  /* Number `index` of the caller's tensors. */
  INLAY_INPUT = 1,
  INLAY_OUTPUT = 2,
  /* In the weights. */
  INLAY_WEIGHTS = 3,
  /* In memory that each step may use while it runs. */
  INLAY_SCRATCH = 4,
  /* Length number `index` of the run, an int64_t. */
  INLAY_LENGTH = 5
};

/* So many lengths at most, with those that follow from others. */
#define INLAY_MAX_LENGTHS 64

typedef struct inlay_place {
  uint32_t home;
  uint32_t index;
  uint64_t offset;
  uint64_t bytes;
} inlay_place;

/* Runs turns `begin` to `end` of the outermost loop. */
typedef void (*inlay_kernel)(void *const *buffers, int64_t begin, int64_t end);

/* A buffer of places in a tensor: number i is at least -extents[i % n] and
 * below extents[i % n]. */
typedef struct inlay_indices {
  /* Which of the step's buffers, and how many bytes a number has: 4 or 8. */
  uint32_t buffer;
  uint32_t width;
  uint32_t num_extents;
  const int64_t *extents;
  /* Numbers that belong to each element of a length, and which one; 0: all
   * numbers are there, whatever the length. */
  int64_t per_length;
  uint32_t length;
} inlay_indices;

/* Turns of a loop: `fixed`, and `turns` for each `block` elements of a length,
 * the last of which may be fewer; where `block` is 0, none of these. */
typedef struct inlay_turns {
  int64_t fixed, block, turns;
  uint32_t length;
} inlay_turns;

/* What a step looks at behind the lengths of the run: the tensor in a buffer
 * has `value`, of `width` bytes, at the first `borders` elements behind the
 * length of each dimension that is one. `dims` are those of the largest. */
typedef struct inlay_clear {
  uint32_t buffer;
  uint32_t width;
  uint32_t value;
  uint32_t rank;
  const int64_t *dims;
  /* As those of ports. */
  const uint32_t *lengths;
  const int64_t *borders;
} inlay_clear;

typedef struct inlay_step {
  /* The node's name, for messages. */
  const char *name;
  inlay_kernel run;
  /* Turns of the outermost loop, and how many of them are worth a thread. */
  inlay_turns extent;
  int64_t grain;
  /* NULL, or what is run before, in the same way. */
  inlay_kernel pack;
  inlay_turns pack_extent;
  const inlay_place *buffers;
  uint32_t num_buffers;
  uint32_t num_indices;
  const inlay_indices *indices;
  uint32_t num_clears;
  const inlay_clear *clears;
} inlay_step;

/* An output that no step writes: an input, a constant or a second name. */
typedef struct inlay_copy {
  inlay_place from;
  uint32_t output;
} inlay_copy;

/* What a CPU must have. */
enum { INLAY_CPU_ANY = 0, INLAY_CPU_X86_64_V3 = 1, INLAY_CPU_X86_64_V4 = 2 };

typedef struct inlay_program {
  inlay_info info;
  uint32_t required_cpu;
  /* How many samples are at hand at once; 1 or more. */
  uint32_t samples_at_once;
  uint64_t scratch_bytes;
  const inlay_step *steps;
  uint64_t num_steps;
  const inlay_copy *copies;
  uint64_t num_copies;
  /* The weights, where they are part of the library; else NULL. */
  const char *weights;
  /* The name of the file beside the library that has them. */
  const char *weights_name;
  /* Of the weights' bytes; which also tells those of other models. */
  uint64_t weights_checksum;
} inlay_program;

/* A file of weights: this, then the weights at INLAY_WEIGHTS_START. */
#define INLAY_WEIGHTS_MAGIC "INLAYW1"
#define INLAY_WEIGHTS_START 4096
typedef struct inlay_weights_header {
  char magic[8];
  uint32_t abi;
  uint32_t reserved;
  uint64_t bytes;
  uint64_t checksum;
} inlay_weights_header;

/* The checksum of bytes that come in pieces. */
typedef struct inlay_checksum {
  uint64_t lanes[4];
  uint64_t count;
  unsigned char rest[32];
} inlay_checksum;
void inlay_checksum_start(inlay_checksum *checksum);
void inlay_checksum_add(inlay_checksum *checksum, const void *data,
                        uint64_t bytes);
uint64_t inlay_checksum_finish(const inlay_checksum *checksum);

/* What the functions of a model call. */
inlay_status inlay_create(const inlay_program *program,
                          const inlay_options *options,
                          inlay_session **session);
inlay_status inlay_run(inlay_session *session, const inlay_tensor *inputs,
                       size_t num_inputs, inlay_tensor *outputs,
                       size_t num_outputs);
void inlay_destroy(inlay_session *session);
/* Of a session's last call; of NULL: of this thread's last create. */
const char *inlay_error(const inlay_session *session);

#ifdef __cplusplus
}
#endif

#endif /* INLAY_NATIVERUNTIME_PROGRAM_H */
