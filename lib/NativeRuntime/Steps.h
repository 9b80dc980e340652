//===- Steps.h - Running the steps of a program -------------------*- C -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_NATIVERUNTIME_STEPS_H
#define INLAY_LIB_NATIVERUNTIME_STEPS_H

#include "Session.h"

/* What is the same in all runs: which buffers there are, and whether a step
 * is worth more than one thread. */
uint64_t inlay_count_buffers(const inlay_program *program);
int inlay_has_shared_steps(const inlay_program *program,
                           const int64_t *lengths);

/* How many turns a run of some lengths has. */
int64_t inlay_count_turns(const inlay_turns *turns, const int64_t *lengths);

/* What each thread of the session's team does. */
void inlay_walk_steps(inlay_session *session, uint32_t thread);

/* Runs all steps and copies, for one sample after another. The arguments have
 * been taken; who calls has the float mode of kernels. */
inlay_status inlay_run_steps(inlay_session *session);

#endif // INLAY_LIB_NATIVERUNTIME_STEPS_H
