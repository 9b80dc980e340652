//===- Endings.h - Ends that no verb has chosen -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory, stack, CPU time and file sizes have limits (`ulimit`), signals come,
// and who reads the output may have seen enough. None of these is an error of
// the program: each ends it with few words, its own exit code, and no file that
// is half written.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_INLAY_ENDINGS_H
#define INLAY_TOOLS_INLAY_ENDINGS_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace inlay {

class Cancellation;

/// Handles what may end the process early. The first interrupt or termination
/// requests `interruption`, which ends what runs in good order; a second one
/// ends it at once.
void installEndings(Cancellation &interruption);

/// Calls `body`, and gives it and threads that it starts a stack of the usual
/// size where the limit of the process is smaller.
int runWithStack(llvm::function_ref<int()> body);

} // namespace inlay

#endif // INLAY_TOOLS_INLAY_ENDINGS_H
