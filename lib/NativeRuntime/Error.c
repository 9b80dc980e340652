//===- Error.c - Texts of what went wrong ---------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Error.h"
#include "System.h"

static __thread char thread_text[INLAY_TEXT_BYTES];
static __thread const inlay_session *busy;

inlay_status inlay_fail(char *text, inlay_status status, const char *format,
                        ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, INLAY_TEXT_BYTES, format, arguments);
  va_end(arguments);
  return status;
}

char *inlay_thread_text(void) { return thread_text; }

void inlay_set_busy(const inlay_session *session) { busy = session; }

const inlay_session *inlay_get_busy(void) { return busy; }

const char *inlay_system_error(char *text, size_t bytes) {
  return strerror_r(*__errno_location(), text, bytes);
}
