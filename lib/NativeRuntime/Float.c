//===- Float.c - How floats are computed ----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Float.h"

#if defined(__x86_64__)

/* mxcsr has both, what was asked for and what has happened. */
inlay_float_mode inlay_get_float_mode(void) {
  uint32_t value;
  __asm__ volatile("stmxcsr %0" : "=m"(value));
  return (inlay_float_mode){value, 0};
}

void inlay_set_float_mode(inlay_float_mode mode) {
  uint32_t value = (uint32_t)mode.control;
  __asm__ volatile("ldmxcsr %0" : : "m"(value) : "memory");
}

inlay_float_mode inlay_default_float_mode(void) {
  const uint64_t all_traps_masked = 0x1f80;
  return (inlay_float_mode){all_traps_masked, 0};
}

#else

inlay_float_mode inlay_get_float_mode(void) {
  inlay_float_mode mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode.control));
  __asm__ volatile("mrs %0, fpsr" : "=r"(mode.status));
  return mode;
}

void inlay_set_float_mode(inlay_float_mode mode) {
  __asm__ volatile("msr fpcr, %0" : : "r"(mode.control) : "memory");
  __asm__ volatile("msr fpsr, %0" : : "r"(mode.status) : "memory");
}

inlay_float_mode inlay_default_float_mode(void) {
  return (inlay_float_mode){0, 0};
}

#endif
