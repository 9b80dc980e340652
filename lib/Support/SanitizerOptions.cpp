//===- SanitizerOptions.cpp - Defaults of sanitized builds ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The packaged libMLIR and libLLVM are not instrumented. Checks that need both
// sides of a container or an arena to agree would report what is not there, so
// sanitized builds switch them off for themselves.
//
//===----------------------------------------------------------------------===//

/// What the linker asks for by name to have this file; the runtime has weak
/// definitions of the functions below and asks for nothing.
extern "C" const bool inlaySanitizerOptions = true;

/// Read by the runtime of the address sanitizer when a program starts.
extern "C" const char *__asan_default_options() {
  return "detect_container_overflow=0:" // a vector grown on the other side
         "allow_user_poisoning=0:"      // an arena used by both sides
         "alloc_dealloc_mismatch=0";    // operator new here, delete there
}

extern "C" const char *__ubsan_default_options() {
  return "print_stacktrace=1";
}

/// Graphviz keeps what it has loaded until the program ends.
extern "C" const char *__lsan_default_suppressions() {
  return "leak:libgvc\nleak:libcgraph\nleak:libcdt\nleak:libgvplugin\n"
         "leak:libltdl\n";
}
