//===- Cpu.c - What this CPU has ------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cpu.h"
#include "inlay/NativeRuntime/Program.h"

#if defined(__x86_64__)

typedef struct cpu_words {
  uint32_t a, b, c, d;
} cpu_words;

static cpu_words cpuid(uint32_t leaf) {
  cpu_words words;
  __asm__ volatile("cpuid"
                   : "=a"(words.a), "=b"(words.b), "=c"(words.c), "=d"(words.d)
                   : "a"(leaf), "c"(0));
  return words;
}

/* Which registers the system saves. */
static uint32_t saved_state(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static int has_all(uint32_t word, uint32_t bits) {
  return (word & bits) == bits;
}

/* fma, movbe, osxsave, avx, f16c; avx2, bmi1, bmi2; lzcnt. */
static int has_v3(void) {
  const uint32_t fma_group =
      1u << 12 | 1u << 22 | 1u << 27 | 1u << 28 | 1u << 29;
  const uint32_t avx2_group = 1u << 3 | 1u << 5 | 1u << 8;
  const uint32_t lzcnt = 1u << 5, xmm_and_ymm = 6;
  return cpuid(0).a >= 7 && cpuid(0x80000000).a >= 0x80000001 &&
         has_all(cpuid(1).c, fma_group) && has_all(cpuid(7).b, avx2_group) &&
         has_all(cpuid(0x80000001).c, lzcnt) &&
         has_all(saved_state(), xmm_and_ymm);
}

/* avx512 f, dq, cd, bw, vl. */
static int has_v4(void) {
  const uint32_t avx512_group =
      1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31;
  const uint32_t masks_and_zmm = 0xe0;
  return has_v3() && has_all(cpuid(7).b, avx512_group) &&
         has_all(saved_state(), masks_and_zmm);
}

int inlay_cpu_has(uint32_t required) {
  switch (required) {
  case INLAY_CPU_ANY:
    return 1;
  case INLAY_CPU_X86_64_V3:
    return has_v3();
  case INLAY_CPU_X86_64_V4:
    return has_v4();
  default:
    return 0;
  }
}

#else

int inlay_cpu_has(uint32_t required) { return required == INLAY_CPU_ANY; }

#endif
