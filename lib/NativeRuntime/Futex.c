//===- Futex.c - How threads wait for each other --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Futex.h"
#include "System.h"

/* How long a thread stays awake. To wake one takes a fifth of it; one that
 * never sleeps keeps the core from the thread that it waits for. */
static const long patience_nanoseconds = 50000;

static void futex_wait(_Atomic uint32_t *word, uint32_t value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL);
}

static void futex_wake(_Atomic uint32_t *word, int threads) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, threads);
}

static void pause_briefly(void) {
#if defined(__x86_64__)
  __asm__ volatile("pause");
#else
  __asm__ volatile("isb" : : : "memory");
#endif
}

static long nanoseconds_since(const inlay_time *start) {
  inlay_time now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (now.seconds - start->seconds) * 1000000000L + now.nanoseconds -
         start->nanoseconds;
}

/* Whether the value changed while this thread was awake. */
static int changes_soon(inlay_event *event, uint32_t old) {
  inlay_time start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  do {
    for (int turn = 0; turn != 32; ++turn) {
      if (atomic_load_explicit(&event->value, memory_order_acquire) != old)
        return 1;
      pause_briefly();
    }
  } while (nanoseconds_since(&start) < patience_nanoseconds);
  return 0;
}

void inlay_event_wait(inlay_event *event, uint32_t old) {
  if (changes_soon(event, old))
    return;
  // Who raises reads the sleepers after the value was changed, and the system
  // reads the value after this: one of the two sees the other.
  atomic_fetch_add(&event->sleepers, 1);
  while (atomic_load(&event->value) == old)
    futex_wait(&event->value, old);
  atomic_fetch_sub(&event->sleepers, 1);
}

void inlay_event_raise(inlay_event *event) {
  atomic_fetch_add(&event->value, 1);
  if (atomic_load(&event->sleepers) != 0)
    futex_wake(&event->value, INT32_MAX);
}

void inlay_lock_take(inlay_lock *lock) {
  const uint32_t own = (uint32_t)getpid();
  for (;;) {
    uint32_t holder = 0;
    if (atomic_compare_exchange_strong(lock, &holder, own))
      return;
    if (holder == own)
      futex_wait(lock, own);
    else if (atomic_compare_exchange_strong(lock, &holder, own))
      return;
  }
}

void inlay_lock_give(inlay_lock *lock) {
  atomic_store(lock, 0);
  futex_wake(lock, 1);
}
