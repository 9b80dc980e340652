//===- Shape.h - Types and shapes, and how messages say them ------*- C -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_NATIVERUNTIME_SHAPE_H
#define INLAY_LIB_NATIVERUNTIME_SHAPE_H

#include "inlay/NativeRuntime/Model.h"

enum { INLAY_TYPE_BYTES = 24, INLAY_SHAPE_BYTES = 160 };

/* Of one element; 1 of what it does not know. */
uint64_t inlay_type_bytes(int32_t type);

int inlay_same_dims(const int64_t *a, const int64_t *b, int32_t rank);

/* "float"; "type 99" of what it does not know. */
const char *inlay_print_type(int32_t type, char text[INLAY_TYPE_BYTES]);

/* "1x3x224x224"; "1x3x..." where that is too long. */
const char *inlay_print_shape(const int64_t *dims, int32_t rank,
                              char text[INLAY_SHAPE_BYTES]);

#endif // INLAY_LIB_NATIVERUNTIME_SHAPE_H
