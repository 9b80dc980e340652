//===- Shape.c - Types and shapes, and how messages say them --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shape.h"
#include "System.h"

typedef struct type_facts {
  const char *name;
  uint64_t bytes;
} type_facts;

static const type_facts types[] = {
    [INLAY_FLOAT] = {"float", 4},       [INLAY_UINT8] = {"uint8", 1},
    [INLAY_INT8] = {"int8", 1},         [INLAY_UINT16] = {"uint16", 2},
    [INLAY_INT16] = {"int16", 2},       [INLAY_INT32] = {"int32", 4},
    [INLAY_INT64] = {"int64", 8},       [INLAY_BOOL] = {"bool", 1},
    [INLAY_FLOAT16] = {"float16", 2},   [INLAY_DOUBLE] = {"double", 8},
    [INLAY_UINT32] = {"uint32", 4},     [INLAY_UINT64] = {"uint64", 8},
    [INLAY_BFLOAT16] = {"bfloat16", 2},
};

/* NULL of what is none. */
static const type_facts *find_type(int32_t type) {
  const int32_t count = sizeof types / sizeof *types;
  return type >= 0 && type < count && types[type].name ? &types[type] : NULL;
}

uint64_t inlay_type_bytes(int32_t type) {
  const type_facts *facts = find_type(type);
  return facts ? facts->bytes : 1;
}

int inlay_fits_dims(const int64_t *found, const int64_t *required,
                    int32_t rank) {
  for (int32_t i = 0; i < rank; ++i)
    if (required[i] < 0 ? found[i] <= 0 : found[i] != required[i])
      return 0;
  return 1;
}

const char *inlay_print_type(int32_t type, char text[INLAY_TYPE_BYTES]) {
  const type_facts *facts = find_type(type);
  if (facts)
    return facts->name;
  snprintf(text, INLAY_TYPE_BYTES, "type %d", type);
  return text;
}

const char *inlay_print_shape(const int64_t *dims, int32_t rank,
                              char text[INLAY_SHAPE_BYTES]) {
  const size_t longest_number = 24;
  size_t length = 0;
  text[0] = 0;
  for (int32_t i = 0; i < rank; ++i) {
    const char *before = i == 0 ? "" : "x";
    if (length + longest_number > INLAY_SHAPE_BYTES) {
      snprintf(text + length, INLAY_SHAPE_BYTES - length, "x...");
      break;
    }
    length += (size_t)(dims[i] == -1
                           ? snprintf(text + length, INLAY_SHAPE_BYTES - length,
                                      "%s?", before)
                           : snprintf(text + length, INLAY_SHAPE_BYTES - length,
                                      "%s%lld", before, (long long)dims[i]));
  }
  return text;
}
