//===- Memory.c - Large pieces of memory ----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "System.h"

int inlay_memory_take(inlay_memory *memory, uint64_t bytes) {
  *memory = (inlay_memory){NULL, 0};
  if (bytes == 0)
    return 1;
  void *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED)
    return 0;
  *memory = (inlay_memory){data, bytes};
  return 1;
}

void inlay_memory_give(inlay_memory *memory) {
  if (memory->data)
    munmap(memory->data, memory->bytes);
  *memory = (inlay_memory){NULL, 0};
}
