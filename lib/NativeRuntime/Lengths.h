//===- Lengths.h - Sizes that a run says --------------------------*- C -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_NATIVERUNTIME_LENGTHS_H
#define INLAY_LIB_NATIVERUNTIME_LENGTHS_H

#include "Session.h"

/* Sets the lengths of a run by inputs whose shapes fit, and those that follow
 * from them. */
inlay_status inlay_take_lengths(inlay_session *session,
                                const inlay_tensor *inputs);

/* How many elements of a dimension of a port a run has. */
int64_t inlay_run_extent(const inlay_session *session, const inlay_port *port,
                         int32_t dim);

/* Moves what a run has of a tensor, from dense elements to where they lie for
 * the largest lengths, or back; both may be in the same memory when they come
 * closer. */
void inlay_spread_elements(const inlay_session *session, const inlay_port *port,
                           char *to, const char *from);
void inlay_gather_elements(const inlay_session *session, const inlay_port *port,
                           char *to, const char *from);

/* Sets what a step looks at behind the lengths of the run. */
void inlay_clear_borders(const inlay_session *session, const inlay_step *step,
                         void *const *buffers);

/* Whether what it says of its lengths fits together. */
int inlay_has_good_lengths(const inlay_info *info);
int inlay_is_good_clear(const inlay_program *program, const inlay_step *step,
                        const inlay_clear *clear);

#endif // INLAY_LIB_NATIVERUNTIME_LENGTHS_H
