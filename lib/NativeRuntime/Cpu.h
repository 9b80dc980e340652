//===- Cpu.h - What this CPU has ----------------------------------*- C -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_NATIVERUNTIME_CPU_H
#define INLAY_LIB_NATIVERUNTIME_CPU_H

#include <stdint.h>

/* Whether it runs code that was made for one of INLAY_CPU_*. */
int inlay_cpu_has(uint32_t required);

#endif // INLAY_LIB_NATIVERUNTIME_CPU_H
