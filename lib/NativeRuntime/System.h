//===- System.h - What the runtime needs of libc ------------------*- C -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declared here, since models are made for machines whose headers are not at
// hand. All is the same on x86-64 and arm64 unless it says otherwise. Another
// function has to be added to Symbols.txt.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_NATIVERUNTIME_SYSTEM_H
#define INLAY_LIB_NATIVERUNTIME_SYSTEM_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

void *malloc(size_t bytes);
void free(void *memory);
void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *memory, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int snprintf(char *text, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int vsnprintf(char *text, size_t bytes, const char *format, va_list arguments);

int *__errno_location(void);
/* GNU's, which returns the text. */
char *strerror_r(int error, char *text, size_t bytes);

enum { O_RDONLY = 0, O_CLOEXEC = 02000000, SEEK_END = 2 };
int open(const char *path, int flags, ...);
int close(int file);
long pread(int file, void *memory, size_t bytes, long offset);
long lseek(int file, long offset, int origin);

enum { PROT_READ = 1, PROT_WRITE = 2 };
enum { MAP_PRIVATE = 2, MAP_ANONYMOUS = 0x20 };
#define MAP_FAILED ((void *)-1)
void *mmap(void *wanted, size_t bytes, int access, int flags, int file,
           long offset);
int munmap(void *memory, size_t bytes);
enum { MADV_DONTNEED = 4 };
int madvise(void *memory, size_t bytes, int advice);

int getpid(void);
long syscall(long number, ...);
#if defined(__x86_64__)
enum { SYS_futex = 202 };
#elif defined(__aarch64__)
enum { SYS_futex = 98 };
#else
#error "the runtime knows x86-64 and arm64 only"
#endif
enum { FUTEX_WAIT_PRIVATE = 128, FUTEX_WAKE_PRIVATE = 129 };

enum { CLOCK_MONOTONIC = 1 };
typedef struct inlay_time {
  long seconds, nanoseconds;
} inlay_time;
int clock_gettime(int clock, inlay_time *time);

/* As large as the larger of the two, arm64's. */
typedef struct inlay_thread_attributes {
  uint64_t opaque[8];
} inlay_thread_attributes;
int pthread_attr_init(inlay_thread_attributes *attributes);
int pthread_attr_setstacksize(inlay_thread_attributes *attributes,
                              size_t bytes);
int pthread_attr_destroy(inlay_thread_attributes *attributes);
int pthread_create(unsigned long *thread,
                   const inlay_thread_attributes *attributes,
                   void *(*function)(void *), void *argument);
int pthread_join(unsigned long thread, void **result);

enum { SIG_SETMASK = 2 };
typedef struct inlay_signals {
  uint64_t bits[16];
} inlay_signals;
int pthread_sigmask(int how, const inlay_signals *now, inlay_signals *before);

typedef struct inlay_library {
  const char *path;
  void *base;
  const char *symbol;
  void *address;
} inlay_library;
int dladdr(const void *address, inlay_library *library);

#endif // INLAY_LIB_NATIVERUNTIME_SYSTEM_H
