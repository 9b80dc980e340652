//===- Error.h - Errors with a stable exit code -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every failure that can reach a user carries the exit code it ends in, so
// that no caller has to guess it from a message.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SUPPORT_ERROR_H
#define INLAY_SUPPORT_ERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace inlay {

/// What a run of a tool ends with. The numbers are part of the interface.
enum class ExitCode : int {
  Success = 0,
  Negative = 1,
  Usage = 2,
  Model = 3,
  Target = 4,
  Unsupported = 5,
  IO = 6,
  Internal = 70,
  /// As shells say it of a program that SIGINT has ended.
  Cancelled = 130,
};

/// An error message together with the exit code it leads to.
class InlayError : public llvm::ErrorInfo<InlayError> {
public:
  static char ID;

  InlayError(ExitCode code, std::string message)
      : code(code), text(std::move(message)) {}

  ExitCode getExitCode() const { return code; }
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  ExitCode code;
  std::string text;
};

/// Creates an error of the given kind. Messages are lower case, without a full
/// stop, and say what was required and what was found.
llvm::Error makeError(ExitCode code, const llvm::Twine &message);

inline llvm::Error modelError(const llvm::Twine &message) {
  return makeError(ExitCode::Model, message);
}
inline llvm::Error usageError(const llvm::Twine &message) {
  return makeError(ExitCode::Usage, message);
}
inline llvm::Error targetError(const llvm::Twine &message) {
  return makeError(ExitCode::Target, message);
}
inline llvm::Error ioError(const llvm::Twine &message) {
  return makeError(ExitCode::IO, message);
}
inline llvm::Error unsupportedError(const llvm::Twine &message) {
  return makeError(ExitCode::Unsupported, message);
}

/// Prefixes the message of `error`, keeping its exit code.
llvm::Error addContext(const llvm::Twine &prefix, llvm::Error error);

/// Consumes `error`; returns its exit code and stores its message.
ExitCode takeError(llvm::Error error, std::string &message);

/// Text from a file in quotes, for messages: cut when long, what is not
/// printable escaped.
std::string quoteForMessage(llvm::StringRef text);

} // namespace inlay

#endif // INLAY_SUPPORT_ERROR_H
