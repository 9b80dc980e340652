//===- Error.h - Texts of what went wrong -------------------------*- C -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_NATIVERUNTIME_ERROR_H
#define INLAY_LIB_NATIVERUNTIME_ERROR_H

#include "inlay/NativeRuntime/Model.h"

/* Of every text, its end included. */
enum { INLAY_TEXT_BYTES = 1024 };

/* Writes the text and returns the status, for `return inlay_fail(...)`. */
inlay_status inlay_fail(char *text, inlay_status status, const char *format,
                        ...) __attribute__((format(printf, 3, 4)));

/* This thread's text, for calls that have no session to leave it in. */
char *inlay_thread_text(void);

/* The session that this thread found busy, or NULL. Its own text belongs to
 * the thread that runs it. */
void inlay_set_busy(const inlay_session *session);
const inlay_session *inlay_get_busy(void);

/* What the last function of libc that failed says about it. */
const char *inlay_system_error(char *text, size_t bytes);

#endif // INLAY_LIB_NATIVERUNTIME_ERROR_H
