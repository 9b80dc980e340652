//===- Endings.cpp - Ends that no verb has chosen -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Endings.h"
#include "CommandLine.h"
#include "inlay/Pipeline/Resources.h"
#include "inlay/Support/Cancellation.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cxxabi.h>
#include <exception>
#include <new>
#include <pthread.h>
#include <system_error>
#include <typeinfo>
#include <unistd.h>

using namespace inlay;

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

/// From wherever it is called, handlers of signals included: nothing of it
/// allocates.
[[noreturn]] static void end(ExitCode code, llvm::StringRef lead,
                             llvm::StringRef reason) {
  for (llvm::StringRef part :
       {llvm::StringRef("inlay: "), lead, reason, llvm::StringRef("\n")})
    if (::write(STDERR_FILENO, part.data(), part.size()) < 0)
      break;
  // Removes what is half-written.
  llvm::sys::RunInterruptHandlers();
  _exit(int(code));
}

[[noreturn]] static void endByMachine(llvm::StringRef reason) {
  end(machineLimit, "error: ", reason);
}

[[noreturn]] static void endOutOfMemory() { endByMachine("out of memory"); }

/// What the standard library throws where it gets no memory and no thread.
[[noreturn]] static void endByException() {
  const std::type_info *type = abi::__cxa_current_exception_type();
  if (type && *type == typeid(std::bad_alloc))
    endOutOfMemory();
  if (type && *type == typeid(std::system_error))
    endByMachine("the machine has no thread left (ulimit -u, ulimit -v)");
  std::abort();
}

/// As by the signal itself, which is how who started it knows why.
static void endByPipe() {
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
  _exit(int(closedPipe));
}

static void installFatal() {
  llvm::setBugReportMsg("inlay: this is an error of inlay itself; please "
                        "report it with the command and the model\n");
  llvm::install_fatal_error_handler([](void *, const char *reason, bool) {
    end(ExitCode::Internal, "internal error: ", reason);
  });
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { endOutOfMemory(); });
  std::set_new_handler(endOutOfMemory);
  std::set_terminate(endByException);
}

void inlay::installEndings(Cancellation &interruption) {
  installFatal();
  static Cancellation *request = &interruption;
  llvm::sys::SetInterruptFunction([] { request->request(); });
  llvm::sys::SetOneShotPipeSignalFunction(endByPipe);
  // To write fails then, with a reason.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGXCPU, [](int) {
    endByMachine("the limit of CPU time is reached (ulimit -t)");
  });
}

//===----------------------------------------------------------------------===//
// The stack
//===----------------------------------------------------------------------===//

/// What Linux gives a process that nobody limits.
static constexpr size_t usualStack = size_t(8) << 20;

namespace {
struct Call {
  llvm::function_ref<int()> body;
  int result = 0;
};
} // namespace

int inlay::runWithStack(llvm::function_ref<int()> body) {
  pthread_attr_t attributes;
  size_t size = 0;
  if (::pthread_getattr_default_np(&attributes) != 0)
    return body();
  ::pthread_attr_getstacksize(&attributes, &size);
  if (size >= usualStack)
    return body();
  ::pthread_attr_setstacksize(&attributes, usualStack);
  ::pthread_setattr_default_np(&attributes);
  Call call{body};
  pthread_t thread;
  auto run = [](void *data) -> void * {
    auto *call = static_cast<Call *>(data);
    call->result = call->body();
    return nullptr;
  };
  if (int error = ::pthread_create(&thread, &attributes, run, &call))
    endByMachine("cannot start a thread: " + llvm::sys::StrError(error));
  ::pthread_join(thread, nullptr);
  return call.result;
}
