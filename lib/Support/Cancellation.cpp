//===- Cancellation.cpp - Results that nobody waits for -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/Cancellation.h"
#include "inlay/Support/Error.h"

using namespace inlay;

static thread_local const CancellationScope *innermost = nullptr;

CancellationScope::CancellationScope(const Cancellation &cancellation)
    : cancellation(cancellation), outer(innermost) {
  innermost = this;
}

CancellationScope::~CancellationScope() { innermost = outer; }

bool CancellationScope::isCancelled() const {
  for (const CancellationScope *scope = this; scope; scope = scope->outer)
    if (scope->cancellation.isRequested())
      return true;
  return false;
}

bool inlay::isCancelled() { return innermost && innermost->isCancelled(); }

llvm::Error inlay::checkCancelled() {
  if (!isCancelled())
    return llvm::Error::success();
  return makeError(ExitCode::Cancelled, "cancelled");
}
