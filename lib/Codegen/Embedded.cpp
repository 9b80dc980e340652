//===- Embedded.cpp - Files inside of Inlay -------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Embedded.h"
#include <cassert>

using namespace inlay;

/// Embedded.S.in puts a file between two symbols.
#define INLAY_EMBEDDED(name)                                                   \
  extern "C" const char inlayEmbedded_##name[];                                \
  extern "C" const char inlayEmbedded_##name##_end[];                          \
  static llvm::StringRef get_##name() {                                        \
    return {inlayEmbedded_##name,                                              \
            size_t(inlayEmbedded_##name##_end - inlayEmbedded_##name)};        \
  }

INLAY_EMBEDDED(x86_64_runtime)
INLAY_EMBEDDED(x86_64_libc)
INLAY_EMBEDDED(x86_64_libm)
INLAY_EMBEDDED(aarch64_runtime)
INLAY_EMBEDDED(aarch64_libc)
INLAY_EMBEDDED(aarch64_libm)
INLAY_EMBEDDED(model_header)

EmbeddedRuntime inlay::getEmbeddedRuntime(llvm::StringRef arch) {
  assert((arch == "x86_64" || arch == "aarch64") && "no such runtime");
  if (arch == "x86_64")
    return {get_x86_64_runtime(), get_x86_64_libc(), get_x86_64_libm()};
  return {get_aarch64_runtime(), get_aarch64_libc(), get_aarch64_libm()};
}

llvm::StringRef inlay::getModelHeader() { return get_model_header(); }
