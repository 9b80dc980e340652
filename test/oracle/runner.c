//===- runner.c - Run a compiled model on files ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   runner ./M.so M THREADS ROUNDS [--lengths NAME=N,...] [--after-largest]
//          INPUT... OUTPUT...
//
// Reads each input's bytes from a file, runs the model ROUNDS times, for as
// many samples as the file of an open input has or for these lengths, and
// writes the bytes of each output of the last run. Before that it runs the
// largest lengths, if told so, on floats that are no numbers and integers that
// are zero, so that the session's memory is full of what is no number. Prints
// one line of JSON: the time of creating a session and of every run, in
// milliseconds, and the most memory the process had, in kB. Exits with the
// status of what failed.
//
//===----------------------------------------------------------------------===//

#include "inlay/NativeRuntime/Model.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  const inlay_info *(*info)(void);
  inlay_status (*create)(const inlay_options *, inlay_session **);
  inlay_status (*run)(inlay_session *, const inlay_tensor *, size_t,
                      inlay_tensor *, size_t);
  void (*destroy)(inlay_session *);
  const char *(*error)(const inlay_session *);
} model;

static void *find(void *library, const char *prefix, const char *name) {
  char symbol[256];
  snprintf(symbol, sizeof symbol, "%s_%s", prefix, name);
  void *found = dlsym(library, symbol);
  if (!found) {
    fprintf(stderr, "no function %s\n", symbol);
    exit(3);
  }
  return found;
}

static model load(const char *path, const char *prefix) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    exit(6);
  }
  model own;
  *(void **)&own.info = find(library, prefix, "info");
  *(void **)&own.create = find(library, prefix, "create");
  *(void **)&own.run = find(library, prefix, "run");
  *(void **)&own.destroy = find(library, prefix, "destroy");
  *(void **)&own.error = find(library, prefix, "error");
  return own;
}

static void fail(inlay_status status, const char *text) {
  fprintf(stderr, "%s\n", text);
  exit(status);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

static uint64_t get_size(const char *path) {
  FILE *file = fopen(path, "rb");
  long size = file && !fseek(file, 0, SEEK_END) ? ftell(file) : -1;
  if (size < 0) {
    fprintf(stderr, "%s: cannot be read\n", path);
    exit(6);
  }
  fclose(file);
  return (uint64_t)size;
}

static void *read_bytes(const char *path, uint64_t bytes) {
  FILE *file = fopen(path, "rb");
  char *data = malloc(bytes + 1);
  if (!file || !data || fread(data, 1, bytes + 1, file) != bytes) {
    fprintf(stderr, "%s: expected %llu bytes\n", path,
            (unsigned long long)bytes);
    exit(6);
  }
  fclose(file);
  return data;
}

/* "height=64,width=48", or NULL. */
static const char *said_lengths;

/* Of an open length; 0 where the command line does not say it. */
static int64_t find_extent(const char *name) {
  const char *all = said_lengths;
  size_t length = strlen(name);
  for (; all && *all; all = strchr(all, ',') ? strchr(all, ',') + 1 : NULL)
    if (!strncmp(all, name, length) && all[length] == '=')
      return atoll(all + length + 1);
  return 0;
}

/* The only one that the command line does not say follows from how much there
 * is to read. Returns the bytes of all. */
static uint64_t take_lengths(const inlay_info *info, const inlay_port *port,
                             uint64_t found, int64_t *dims) {
  uint64_t bytes = port->bytes;
  int32_t left = -1;
  for (int32_t d = 0; d < port->rank; ++d) {
    if (port->lengths[d] == 0)
      continue;
    const inlay_length *length = &info->lengths[port->lengths[d] - 1];
    dims[d] = find_extent(length->name);
    bytes /= (uint64_t)length->largest;
    if (dims[d] == 0)
      left = d;
    else
      bytes *= (uint64_t)dims[d];
  }
  if (left < 0)
    return bytes;
  dims[left] = (int64_t)(found / bytes);
  return bytes * (uint64_t)dims[left];
}

static inlay_tensor read_input(const inlay_info *info, const inlay_port *port,
                               const char *path) {
  int64_t *dims = malloc(sizeof *dims * ((size_t)port->rank + 1));
  uint64_t bytes = port->bytes;
  for (int32_t i = 0; i < port->rank; ++i)
    dims[i] = port->dims[i];
  if (port->per_sample != 0) {
    uint64_t samples = bytes == 0 ? 1 : get_size(path) / bytes;
    dims[0] = (int64_t)samples * port->per_sample;
    bytes *= samples;
  }
  if (port->lengths)
    bytes = take_lengths(info, port, get_size(path), dims);
  return (inlay_tensor){read_bytes(path, bytes), port->type, port->rank, dims,
                        bytes};
}

static inlay_tensor make_largest(const inlay_info *info,
                                 const inlay_port *port) {
  int64_t *dims = malloc(sizeof *dims * ((size_t)port->rank + 1));
  for (int32_t d = 0; d < port->rank; ++d)
    dims[d] = port->lengths && port->lengths[d] != 0
                  ? info->lengths[port->lengths[d] - 1].largest
                  : port->dims[d];
  int is_float = port->type == INLAY_FLOAT || port->type == INLAY_DOUBLE ||
                 port->type == INLAY_FLOAT16 || port->type == INLAY_BFLOAT16;
  void *data = malloc(port->bytes + 1);
  memset(data, is_float ? 0xff : 0, port->bytes);
  return (inlay_tensor){data, port->type, port->rank, dims, port->bytes};
}

static void run_largest(const model *own, const inlay_info *info,
                        inlay_session *session) {
  inlay_tensor *inputs = calloc(info->num_inputs + 1, sizeof *inputs);
  inlay_tensor *outputs = calloc(info->num_outputs + 1, sizeof *outputs);
  for (uint32_t i = 0; i < info->num_inputs; ++i)
    inputs[i] = make_largest(info, &info->inputs[i]);
  inlay_status status =
      own->run(session, inputs, info->num_inputs, outputs, info->num_outputs);
  if (status != INLAY_OK)
    fail(status, own->error(session));
  for (uint32_t i = 0; i < info->num_inputs; ++i) {
    free(inputs[i].data);
    free((void *)inputs[i].dims);
  }
  free(inputs);
  free(outputs);
}

static void write_bytes(const char *path, const void *data, uint64_t bytes) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file)) {
    fprintf(stderr, "%s: cannot be written\n", path);
    exit(6);
  }
}

static long get_peak_memory(void) {
  char line[256];
  long peak = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (!strncmp(line, "VmHWM:", 6))
      peak = atol(line + 6);
  if (file)
    fclose(file);
  return peak;
}

int main(int argc, char **argv) {
  if (argc < 5)
    fail(2, "usage: runner ./M.so M THREADS ROUNDS [--lengths NAME=N,...] "
            "[--after-largest] INPUT... OUTPUT...");
  char **files = argv + 5;
  if (argc > 6 && !strcmp(argv[5], "--lengths")) {
    said_lengths = argv[6];
    files += 2;
  }
  int is_after_largest =
      files < argv + argc && !strcmp(*files, "--after-largest");
  files += is_after_largest;
  model own = load(argv[1], argv[2]);
  const inlay_info *info = own.info();
  if (argv + argc - files != (ptrdiff_t)info->num_inputs + info->num_outputs)
    fail(2, "expected one file for each input and output");
  inlay_options options = {INLAY_ABI, (uint32_t)atoi(argv[3]), NULL, 0};
  inlay_session *session;
  double start = now();
  inlay_status status = own.create(&options, &session);
  if (status != INLAY_OK)
    fail(status, own.error(NULL));
  double created = now() - start;
  inlay_tensor *inputs = calloc(info->num_inputs + 1, sizeof *inputs);
  inlay_tensor *outputs = calloc(info->num_outputs + 1, sizeof *outputs);
  for (uint32_t i = 0; i < info->num_inputs; ++i)
    inputs[i] = read_input(info, &info->inputs[i], files[i]);
  if (is_after_largest)
    run_largest(&own, info, session);
  printf("{\"create_ms\": %.3f, \"run_ms\": [", created);
  for (int round = 0, rounds = atoi(argv[4]); round < rounds; ++round) {
    memset(outputs, 0, info->num_outputs * sizeof *outputs);
    start = now();
    status =
        own.run(session, inputs, info->num_inputs, outputs, info->num_outputs);
    double taken = now() - start;
    if (status != INLAY_OK)
      fail(status, own.error(session));
    printf("%s%.4f", round ? ", " : "", taken);
  }
  printf("], \"peak_kb\": %ld}\n", get_peak_memory());
  for (uint32_t i = 0; i < info->num_outputs; ++i)
    write_bytes(files[info->num_inputs + i], outputs[i].data, outputs[i].bytes);
  own.destroy(session);
  return 0;
}
