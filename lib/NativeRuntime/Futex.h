//===- Futex.h - How threads wait for each other ------------------*- C -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_NATIVERUNTIME_FUTEX_H
#define INLAY_LIB_NATIVERUNTIME_FUTEX_H

#include <stdatomic.h>
#include <stdint.h>

/* A number that threads wait for to change. */
typedef struct inlay_event {
  _Atomic uint32_t value;
  _Atomic uint32_t sleepers;
} inlay_event;

/* Waits until the value is no longer `old`: some time awake, then asleep. */
void inlay_event_wait(inlay_event *event, uint32_t old);

/* Adds one and wakes all who wait. */
void inlay_event_raise(inlay_event *event);

/* 0, or the process whose thread has it: a child of a fork has a lock that
 * belonged to a thread of its parent, but not the thread. */
typedef _Atomic uint32_t inlay_lock;
void inlay_lock_take(inlay_lock *lock);
void inlay_lock_give(inlay_lock *lock);

#endif // INLAY_LIB_NATIVERUNTIME_FUTEX_H
