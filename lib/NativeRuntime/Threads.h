//===- Threads.h - Threads that walk the same way -----------------*- C -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_NATIVERUNTIME_THREADS_H
#define INLAY_LIB_NATIVERUNTIME_THREADS_H

#include "Error.h"
#include "Futex.h"

enum { INLAY_MAX_THREADS = 256 };

/* What each thread does in a run. */
typedef void (*inlay_walk)(inlay_session *session, uint32_t thread);

typedef struct inlay_worker {
  struct inlay_team *team;
  unsigned long id;
  uint32_t number;
} inlay_worker;

/* The caller of a run, who is number 0, and workers that sleep between runs.
 * Zero before it is started. */
typedef struct inlay_team {
  uint32_t size;
  inlay_worker *workers;
  inlay_walk walk;
  inlay_session *session;
  /* Counts runs; the last one is over at once. */
  inlay_event run;
  _Atomic uint32_t is_over;
  /* The turns of the present step that nobody has taken; and how often, and
   * by how many this time, all have met. On lines of their own. */
  _Alignas(64) _Atomic int64_t next;
  _Alignas(64) _Atomic uint32_t arrived;
  /* What number 0 decided at this meeting, and at the one before, which a
   * thread may be late to leave. */
  _Atomic uint32_t goes_on[2];
  _Alignas(64) inlay_event meeting;
} inlay_team;

/* Starts the workers of a team of `size`; a text is written on failure. */
inlay_status inlay_team_start(inlay_team *team, uint32_t size, inlay_walk walk,
                              inlay_session *session, char *text);

/* Ends the workers, of a team that could not be started as well. */
void inlay_team_stop(inlay_team *team);

/* Lets the workers walk. Number 0 has to walk, too, and to meet at least
 * once: only that keeps workers from missing a run. */
void inlay_team_wake(inlay_team *team);

/* Waits until all are here, and starts counting turns anew. Returns whether
 * they go on, which number 0 decides; what the others give is not read. */
int inlay_team_meet(inlay_team *team, uint32_t thread, int goes_on);

#endif // INLAY_LIB_NATIVERUNTIME_THREADS_H
