//===- Arguments.h - What the caller of a run gives ---------------*- C -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_NATIVERUNTIME_ARGUMENTS_H
#define INLAY_LIB_NATIVERUNTIME_ARGUMENTS_H

#include "Session.h"

/* Checks all, and sets where kernels find inputs and outputs. Nothing is
 * changed for the caller, unless an output is too small. */
inlay_status inlay_take_arguments(inlay_session *session,
                                  const inlay_tensor *inputs, size_t num_inputs,
                                  inlay_tensor *outputs, size_t num_outputs);

/* After a run: fills in the outputs. */
void inlay_give_results(const inlay_session *session, inlay_tensor *outputs);

#endif // INLAY_LIB_NATIVERUNTIME_ARGUMENTS_H
