//===- Error.cpp - Errors with a stable exit code -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace inlay;

char InlayError::ID;

llvm::Error inlay::makeError(ExitCode code, const llvm::Twine &message) {
  return llvm::make_error<InlayError>(code, message.str());
}

ExitCode inlay::takeError(llvm::Error error, std::string &message) {
  ExitCode code = ExitCode::Internal;
  llvm::handleAllErrors(
      std::move(error),
      [&](const InlayError &info) {
        code = info.getExitCode();
        message = info.message();
      },
      [&](const llvm::ErrorInfoBase &info) { message = info.message(); });
  return code;
}

llvm::Error inlay::addContext(const llvm::Twine &prefix, llvm::Error error) {
  if (!error)
    return error;
  std::string message;
  ExitCode code = takeError(std::move(error), message);
  return makeError(code, prefix + message);
}

std::string inlay::quoteForMessage(llvm::StringRef text) {
  constexpr size_t limit = 120;
  std::string result;
  llvm::raw_string_ostream os(result);
  os << '\'';
  llvm::printEscapedString(text.take_front(limit), os);
  os << (text.size() > limit ? "...'" : "'");
  return result;
}
