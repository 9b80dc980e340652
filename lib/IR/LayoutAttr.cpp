//===- LayoutAttr.cpp - Layouts as encodings of tensor types --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The notation belongs to Layout. Here its tokens are only collected as MLIR
// reads them and handed on as text.
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/InlayDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace inlay;
using namespace mlir;

static bool takePunctuation(AsmParser &parser, raw_ostream &text) {
  auto take = [&](ParseResult parsed, char c) {
    if (failed(parsed))
      return false;
    text << c;
    return true;
  };
  return take(parser.parseOptionalLParen(), '(') ||
         take(parser.parseOptionalRParen(), ')') ||
         take(parser.parseOptionalComma(), ',') ||
         take(parser.parseOptionalColon(), ':') ||
         take(parser.parseOptionalEqual(), '=') ||
         take(parser.parseOptionalStar(), '*');
}

/// Appends the next token of a layout to `text`; false when there is none.
static FailureOr<bool> takeToken(AsmParser &parser, raw_ostream &text) {
  if (takePunctuation(parser, text))
    return true;
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word))) {
    text << word << ' ';
    return true;
  }
  std::string symbol;
  if (succeeded(parser.parseOptionalString(&symbol))) {
    text << '"';
    llvm::printEscapedString(symbol, text);
    text << '"';
    return true;
  }
  llvm::APInt number;
  OptionalParseResult parsed = parser.parseOptionalInteger(number);
  if (!parsed.has_value())
    return false;
  if (failed(*parsed))
    return failure();
  number.print(text, /*isSigned=*/true);
  text << ' ';
  return true;
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  std::string text;
  llvm::raw_string_ostream os(text);
  FailureOr<bool> more = true;
  while (succeeded(more) && *more)
    more = takeToken(parser, os);
  if (failed(more) || parser.parseGreater())
    return {};
  auto layout = Layout::parse(text);
  if (!layout) {
    parser.emitError(loc, llvm::toString(layout.takeError()));
    return {};
  }
  return get(parser.getContext(), *layout);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << '<';
  getLayout().print(printer.getStream());
  printer << '>';
}

LogicalResult
LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                           function_ref<InFlightDiagnostic()> emitError) const {
  if (llvm::Error error = getLayout().verify(shape))
    return emitError() << llvm::toString(std::move(error));
  return success();
}
