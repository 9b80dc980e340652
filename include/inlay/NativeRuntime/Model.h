/*===- Model.h - Models as C programs see them ----------------------*- C -*-===
 *
 * Part of the Inlay project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===
 *
 * What the headers of all models share; each adds functions of its own name:
 *
 *   const inlay_info *M_info(void);
 *   inlay_status M_create(const inlay_options *options,
 *                         inlay_session **session);
 *   inlay_status M_run(inlay_session *session, const inlay_tensor *inputs,
 *                      size_t num_inputs, inlay_tensor *outputs,
 *                      size_t num_outputs);
 *   void M_destroy(inlay_session *session);
 *   const char *M_error(const inlay_session *session);
 *
 *===----------------------------------------------------------------------===*/

#ifndef INLAY_NATIVERUNTIME_MODEL_H
#define INLAY_NATIVERUNTIME_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes with every change of these types. */
#define INLAY_ABI 4

typedef enum inlay_status {
  INLAY_OK = 0,
  /* What the caller gave: the text says what was required and found. */
  INLAY_ARGUMENT = 2,
  /* The model or its weights are damaged, or do not belong together. */
  INLAY_MODEL = 3,
  /* This CPU lacks what the code was made for. */
  INLAY_UNSUPPORTED = 5,
  INLAY_IO = 6,
  INLAY_MEMORY = 7,
  /* The session was made before a fork. */
  INLAY_FORKED = 8,
  INLAY_INTERNAL = 70
} inlay_status;

/* The numbers of ONNX's element types. */
typedef enum inlay_type {
  INLAY_FLOAT = 1,
  INLAY_UINT8 = 2,
  INLAY_INT8 = 3,
  INLAY_UINT16 = 4,
  INLAY_INT16 = 5,
  INLAY_INT32 = 6,
  INLAY_INT64 = 7,
  INLAY_BOOL = 9,
  INLAY_FLOAT16 = 10,
  INLAY_DOUBLE = 11,
  INLAY_UINT32 = 12,
  INLAY_UINT64 = 13,
  INLAY_BFLOAT16 = 16
} inlay_type;

/* Dense and row-major. Of an input all is the caller's, `data` need not be
 * aligned. Of an output without data all is filled in, and `data` belongs to
 * the session until its next run; one with data has room for `bytes` bytes.
 * Where that is too little, nothing is run, the status is INLAY_ARGUMENT, and
 * all but `data` is filled in: what is needed. No output may overlap another
 * tensor. */
typedef struct inlay_tensor {
  void *data;
  int32_t type;
  int32_t rank;
  const int64_t *dims;
  uint64_t bytes;
} inlay_tensor;

/* How large dimensions are whose size a run says. An open one has no divisor
 * and is what inputs say, 1 to the largest. Another one follows from one in
 * front of it, as (that + add) / divide, rounded down; no run may have less
 * than 1. */
typedef struct inlay_length {
  /* What the model calls an open one; else NULL. */
  const char *name;
  int64_t largest;
  uint32_t from;
  int64_t add, divide;
} inlay_length;

/* An input or output of the model. Where the model takes any number of samples,
 * the first dimension of what is one behind the other for them is open: it is
 * -1 here, and `bytes` and `per_sample`, how many of that dimension, are of one
 * sample. All open inputs of a run have the same number of samples, one or
 * more, and so have its open outputs. Elsewhere `per_sample` is 0.
 *
 * Where lengths are open, a dimension that is one is -1, too, `lengths` says
 * for each dimension one more than the number of its length, or 0, and `bytes`
 * are those of the largest. Inputs of a run that have the same length have the
 * same size there. `lengths` is NULL where no dimension is one. */
typedef struct inlay_port {
  const char *name;
  int32_t type;
  int32_t rank;
  const int64_t *dims;
  uint64_t bytes;
  int64_t per_sample;
  const uint32_t *lengths;
} inlay_port;

typedef struct inlay_info {
  uint32_t abi;
  uint32_t num_inputs, num_outputs;
  const char *name;
  /* What it was made for: "x86-64-v3". */
  const char *cpu;
  const inlay_port *inputs, *outputs;
  /* What a session takes for each sample at hand (more than one only where all
   * are 1 MiB at most), and what all sessions share. */
  uint64_t arena_bytes, weights_bytes;
  /* What a run says the size of; the open ones first. */
  const inlay_length *lengths;
  uint32_t num_lengths;
} inlay_info;

typedef struct inlay_options {
  /* INLAY_ABI. */
  uint32_t abi;
  /* How many threads run the model; 0 means 1. */
  uint32_t threads;
  /* The file with the weights; NULL: the one beside the library. */
  const char *weights;
  /* Not to read all weights when the session is made. */
  int32_t skip_checksum;
} inlay_options;

typedef struct inlay_session inlay_session;

#ifdef __cplusplus
}
#endif

#endif /* INLAY_NATIVERUNTIME_MODEL_H */
