//===- Threads.c - Threads that walk the same way -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Threads.h"
#include "Float.h"
#include "System.h"

/* Kernels take up to 256 KiB. */
static const size_t stack_bytes = 1 << 20;

static void *work(void *argument) {
  const inlay_worker *worker = argument;
  inlay_team *team = worker->team;
  inlay_set_float_mode(inlay_default_float_mode());
  for (uint32_t seen = 0;; ++seen) {
    inlay_event_wait(&team->run, seen);
    if (atomic_load(&team->is_over))
      return NULL;
    team->walk(team->session, worker->number);
  }
}

/* Returns 0, or libc's number of the error. */
static int start_worker(inlay_worker *worker) {
  inlay_thread_attributes attributes;
  int error = pthread_attr_init(&attributes);
  if (error != 0)
    return error;
  error = pthread_attr_setstacksize(&attributes, stack_bytes);
  if (error == 0)
    error = pthread_create(&worker->id, &attributes, work, worker);
  pthread_attr_destroy(&attributes);
  return error;
}

/* Starts as many as possible up to `size`. */
static int start_workers(inlay_team *team, uint32_t size) {
  for (; team->size != size; ++team->size) {
    inlay_worker *worker = &team->workers[team->size - 1];
    worker->team = team;
    worker->number = team->size;
    int error = start_worker(worker);
    if (error != 0)
      return error;
  }
  return 0;
}

inlay_status inlay_team_start(inlay_team *team, uint32_t size, inlay_walk walk,
                              inlay_session *session, char *text) {
  team->size = 1;
  team->walk = walk;
  team->session = session;
  if (size == 1)
    return INLAY_OK;
  team->workers = malloc((size - 1) * sizeof *team->workers);
  if (!team->workers)
    return inlay_fail(text, INLAY_MEMORY, "no memory for %u threads", size);
  // Workers have the signals of who starts them: none is for them.
  inlay_signals all, before;
  memset(&all, 0xff, sizeof all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = start_workers(team, size);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error == 0)
    return INLAY_OK;
  char reason[64];
  return inlay_fail(text, INLAY_MEMORY, "cannot start thread %u of %u: %s",
                    team->size + 1, size,
                    strerror_r(error, reason, sizeof reason));
}

void inlay_team_stop(inlay_team *team) {
  atomic_store(&team->is_over, 1);
  inlay_event_raise(&team->run);
  for (uint32_t i = 1; i < team->size; ++i)
    pthread_join(team->workers[i - 1].id, NULL);
  free(team->workers);
  team->workers = NULL;
  team->size = 0;
}

void inlay_team_wake(inlay_team *team) { inlay_event_raise(&team->run); }

int inlay_team_meet(inlay_team *team, uint32_t thread, int goes_on) {
  uint32_t number = atomic_load(&team->meeting.value);
  if (thread == 0)
    atomic_store(&team->goes_on[number & 1], goes_on);
  if (atomic_fetch_add(&team->arrived, 1) + 1 == team->size) {
    atomic_store(&team->arrived, 0);
    atomic_store(&team->next, 0);
    inlay_event_raise(&team->meeting);
  } else {
    inlay_event_wait(&team->meeting, number);
  }
  return atomic_load(&team->goes_on[number & 1]);
}
