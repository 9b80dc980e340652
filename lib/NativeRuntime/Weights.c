//===- Weights.c - Weights that sessions share ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Weights.h"
#include "Futex.h"
#include "System.h"

enum { PATH_BYTES = 4096 };

struct inlay_weights {
  inlay_weights *next;
  const inlay_program *program;
  uint64_t users;
  int is_verified;
  /* NULL where they are part of the library. */
  void *mapping;
  uint64_t mapped_bytes;
  const char *data;
  /* Empty where they are part of the library. */
  char path[];
};

/* All that a session has, and who may change the list. */
static inlay_weights *all_weights;
static inlay_lock all_weights_lock;

/* The length of the folder's name, with the slash. */
static size_t folder_length(const char *path) {
  size_t length = strlen(path);
  while (length != 0 && path[length - 1] != '/')
    --length;
  return length;
}

/* Where the file of the given name beside the library is. */
static inlay_status path_beside(const inlay_program *program, char *path,
                                char *text) {
  inlay_library library;
  if (!program->weights_name)
    return inlay_fail(text, INLAY_INTERNAL, "the model names no weights");
  if (dladdr(program, &library) == 0 || !library.path)
    return inlay_fail(text, INLAY_IO,
                      "cannot find the library that '%s' should be beside",
                      program->weights_name);
  int folder = (int)folder_length(library.path);
  int needed = snprintf(path, PATH_BYTES, "%.*s%s", folder, library.path,
                        program->weights_name);
  if (needed >= PATH_BYTES)
    return inlay_fail(text, INLAY_IO, "the path of '%s' is too long",
                      program->weights_name);
  return INLAY_OK;
}

/* The path, empty where no file is needed. */
static inlay_status find_path(const inlay_program *program,
                              const inlay_options *options, char *path,
                              char *text) {
  path[0] = 0;
  if (program->weights)
    return INLAY_OK;
  if (!options->weights)
    return path_beside(program, path, text);
  size_t length = strlen(options->weights);
  if (length >= PATH_BYTES)
    return inlay_fail(text, INLAY_ARGUMENT,
                      "the path of the weights has %zu "
                      "bytes where %d are allowed",
                      length, PATH_BYTES - 1);
  memcpy(path, options->weights, length + 1);
  return INLAY_OK;
}

static inlay_status check_header(const inlay_program *program, const char *path,
                                 const inlay_weights_header *header,
                                 char *text) {
  if (memcmp(header->magic, INLAY_WEIGHTS_MAGIC, sizeof header->magic) != 0)
    return inlay_fail(text, INLAY_MODEL, "'%s' is no file of weights", path);
  if (header->abi != INLAY_ABI)
    return inlay_fail(text, INLAY_MODEL,
                      "the weights '%s' have the ABI %u where %u is required",
                      path, header->abi, INLAY_ABI);
  if (header->bytes != program->info.weights_bytes ||
      header->checksum != program->weights_checksum)
    return inlay_fail(text, INLAY_MODEL,
                      "the weights '%s' are of another model than '%s'", path,
                      program->info.name);
  return INLAY_OK;
}

static inlay_status fail_to(const char *what, const char *path, char *text) {
  char reason[128];
  return inlay_fail(text, INLAY_IO, "cannot %s the weights '%s': %s", what,
                    path, inlay_system_error(reason, sizeof reason));
}

static inlay_status check_size(const char *path, uint64_t found,
                               uint64_t required, char *text) {
  if (found == required)
    return INLAY_OK;
  return inlay_fail(text, INLAY_MODEL,
                    "the weights '%s' have %llu bytes where %llu are required",
                    path, (unsigned long long)found,
                    (unsigned long long)required);
}

static inlay_status check_file(const inlay_program *program, const char *path,
                               int file, uint64_t required, char *text) {
  long bytes = lseek(file, 0, SEEK_END);
  if (bytes < 0)
    return fail_to("read", path, text);
  inlay_weights_header header;
  if ((uint64_t)bytes < sizeof header)
    return check_size(path, (uint64_t)bytes, required, text);
  if (pread(file, &header, sizeof header, 0) != (long)sizeof header)
    return fail_to("read", path, text);
  inlay_status status = check_header(program, path, &header, text);
  return status ? status : check_size(path, (uint64_t)bytes, required, text);
}

static inlay_status map_open_file(inlay_weights *weights, int file,
                                  char *text) {
  uint64_t bytes = INLAY_WEIGHTS_START + weights->program->info.weights_bytes;
  inlay_status status =
      check_file(weights->program, weights->path, file, bytes, text);
  if (status)
    return status;
  void *mapping = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
  if (mapping == MAP_FAILED)
    return fail_to("map", weights->path, text);
  weights->mapping = mapping;
  weights->mapped_bytes = bytes;
  weights->data = (const char *)mapping + INLAY_WEIGHTS_START;
  return INLAY_OK;
}

static inlay_status map_file(inlay_weights *weights, char *text) {
  int file = open(weights->path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return fail_to("open", weights->path, text);
  inlay_status status = map_open_file(weights, file, text);
  close(file);
  return status;
}

static void unmap(inlay_weights *weights) {
  if (weights->mapping)
    munmap(weights->mapping, weights->mapped_bytes);
  free(weights);
}

/* In pieces of whole pages, each given back before the next: what a model never
 * reads, such as most rows of an embedding, takes no memory then. */
static void add_file(inlay_checksum *checksum, const inlay_weights *weights) {
  enum { PIECE = 4 << 20 };
  char *mapping = weights->mapping;
  uint64_t begin = INLAY_WEIGHTS_START, all = weights->mapped_bytes;
  for (uint64_t piece = 0; piece < all; piece += PIECE, begin = piece) {
    uint64_t end = all - piece < PIECE ? all : piece + PIECE;
    inlay_checksum_add(checksum, mapping + begin, end - begin);
    madvise(mapping + piece, end - piece, MADV_DONTNEED);
  }
}

static inlay_status verify(inlay_weights *weights, char *text) {
  const inlay_program *program = weights->program;
  inlay_checksum checksum;
  inlay_checksum_start(&checksum);
  if (weights->mapping)
    add_file(&checksum, weights);
  else
    inlay_checksum_add(&checksum, weights->data, program->info.weights_bytes);
  uint64_t found = inlay_checksum_finish(&checksum);
  weights->is_verified = found == program->weights_checksum;
  if (weights->is_verified)
    return INLAY_OK;
  return inlay_fail(text, INLAY_MODEL,
                    "the weights %s%s%s are damaged: their checksum is %016llx "
                    "where %016llx is required",
                    weights->mapping ? "'" : "of the model ",
                    weights->mapping ? weights->path : program->info.name,
                    weights->mapping ? "'" : "", (unsigned long long)found,
                    (unsigned long long)program->weights_checksum);
}

static inlay_weights *find_shared(const inlay_program *program,
                                  const char *path) {
  inlay_weights *weights = all_weights;
  while (weights &&
         (weights->program != program || strcmp(weights->path, path) != 0))
    weights = weights->next;
  return weights;
}

/* Weights that nobody shares yet. */
static inlay_status open_weights(const inlay_program *program, const char *path,
                                 inlay_weights **result, char *text) {
  size_t path_bytes = strlen(path) + 1;
  inlay_weights *weights = malloc(sizeof *weights + path_bytes);
  if (!weights)
    return inlay_fail(text, INLAY_MEMORY, "no memory for the weights");
  *weights = (inlay_weights){.program = program, .data = program->weights};
  memcpy(weights->path, path, path_bytes);
  inlay_status status = program->weights ? INLAY_OK : map_file(weights, text);
  if (status)
    unmap(weights);
  else
    *result = weights;
  return status;
}

/* With the lock taken. The list is never in between two states: a fork may
 * find it at any time. */
static inlay_status take_locked(const inlay_program *program,
                                const inlay_options *options, const char *path,
                                inlay_weights **result, char *text) {
  inlay_weights *weights = find_shared(program, path);
  inlay_status status = INLAY_OK;
  if (!weights)
    status = open_weights(program, path, &weights, text);
  if (!status && !weights->is_verified && !options->skip_checksum)
    status = verify(weights, text);
  if (!status) {
    if (weights->users++ == 0) {
      weights->next = all_weights;
      all_weights = weights;
    }
    *result = weights;
  } else if (weights && weights->users == 0) {
    unmap(weights);
  }
  return status;
}

inlay_status inlay_weights_take(const inlay_program *program,
                                const inlay_options *options,
                                inlay_weights **weights, char *text) {
  *weights = NULL;
  if (program->info.weights_bytes == 0)
    return INLAY_OK;
  char path[PATH_BYTES];
  inlay_status status = find_path(program, options, path, text);
  if (status)
    return status;
  inlay_lock_take(&all_weights_lock);
  status = take_locked(program, options, path, weights, text);
  inlay_lock_give(&all_weights_lock);
  return status;
}

void inlay_weights_give(inlay_weights *weights) {
  if (!weights)
    return;
  inlay_lock_take(&all_weights_lock);
  int is_last = --weights->users == 0;
  if (is_last) {
    inlay_weights **link = &all_weights;
    while (*link != weights)
      link = &(*link)->next;
    *link = weights->next;
  }
  inlay_lock_give(&all_weights_lock);
  if (is_last)
    unmap(weights);
}

const char *inlay_weights_data(const inlay_weights *weights) {
  return weights ? weights->data : NULL;
}
