//===- stale.cpp - A back end of another version --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

namespace {
/// What the head of inlay::BackendPlugin is in every version.
struct Plugin {
  unsigned abi;
  const char *llvmVersion;
};
} // namespace

extern "C" const void *inlayGetBackendPlugin() {
  static constexpr Plugin plugin{0, "0"};
  return &plugin;
}
