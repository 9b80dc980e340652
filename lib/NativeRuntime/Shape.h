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

/* Whether a shape is the one that is required, whose open dimension may be any
 * but 0. */
int inlay_fits_dims(const int64_t *found, const int64_t *required,
                    int32_t rank);

/* "float"; "type 99" of what it does not know. */
const char *inlay_print_type(int32_t type, char text[INLAY_TYPE_BYTES]);

/* "1x3x224x224", "?x3x224x224" where a dimension is open; "1x3x..." where that
 * is too long. */
const char *inlay_print_shape(const int64_t *dims, int32_t rank,
                              char text[INLAY_SHAPE_BYTES]);

#endif // INLAY_LIB_NATIVERUNTIME_SHAPE_H
