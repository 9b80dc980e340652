//===- Session.h - What a session has -----------------------------*- C -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_NATIVERUNTIME_SESSION_H
#define INLAY_LIB_NATIVERUNTIME_SESSION_H

#include "Memory.h"
#include "Threads.h"
#include "Weights.h"

/* An input or output in a run: where kernels find it, of all samples, and the
 * session's own memory for what the caller has none for, or none that is
 * aligned. */
typedef struct inlay_slot {
  char *used;
  inlay_memory own;
  uint64_t bytes;
  /* The port's, or for an output that is open those of the run. */
  const int64_t *dims;
} inlay_slot;

struct inlay_session {
  const inlay_program *program;
  /* Whose process it is, to notice a fork. */
  int process;
  _Atomic uint32_t is_running;
  /* Whether any step of the run is worth more than one thread. */
  int has_shared_steps;
  /* The arenas of samples at hand, so many bytes apart, then the scratch
   * memory. */
  inlay_memory memory;
  uint64_t arena_stride;
  char *scratch;
  inlay_weights *weights;
  inlay_slot *inputs, *outputs;
  /* How many samples the run has, and how many of them are at hand. */
  int64_t samples, at_hand;
  /* Those of the run, of which there may be none. */
  int64_t lengths[INLAY_MAX_LENGTHS];
  /* Of all steps, one behind the other, for each sample at hand; and how many
   * they are for one. */
  void **buffers;
  uint64_t num_buffers;
  inlay_team team;
  /* What the last run says. */
  char text[INLAY_TEXT_BYTES];
  /* Of the session itself with its tables. */
  inlay_memory tables;
};

#endif // INLAY_LIB_NATIVERUNTIME_SESSION_H
