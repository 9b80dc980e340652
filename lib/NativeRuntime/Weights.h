//===- Weights.h - Weights that sessions share --------------------*- C -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_NATIVERUNTIME_WEIGHTS_H
#define INLAY_LIB_NATIVERUNTIME_WEIGHTS_H

#include "Error.h"
#include "inlay/NativeRuntime/Program.h"

typedef struct inlay_weights inlay_weights;

/* Finds, maps and checks the weights of a program, or takes those that
 * another session of it has. NULL if it has none. */
inlay_status inlay_weights_take(const inlay_program *program,
                                const inlay_options *options,
                                inlay_weights **weights, char *text);

/* Of NULL nothing. */
void inlay_weights_give(inlay_weights *weights);

/* NULL of NULL. */
const char *inlay_weights_data(const inlay_weights *weights);

#endif // INLAY_LIB_NATIVERUNTIME_WEIGHTS_H
