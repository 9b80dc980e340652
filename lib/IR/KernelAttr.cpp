//===- KernelAttr.cpp - The text of #inlay.kernel -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/GroupKind.h"
#include "inlay/IR/InlayDialect.h"
#include "mlir/IR/DialectImplementation.h"

using namespace inlay;
using namespace mlir;

static ParseResult parseClass(AsmParser &parser, FusionClass &kind) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<FusionClass> parsed = parseKernelClass(word);
  if (!parsed)
    return parser.emitError(loc) << "no kernel is of class '" << word
                                 << "', expected that of an operator, as "
                                    "'elementwise' or 'contraction'";
  kind = *parsed;
  return success();
}

static ParseResult parseExtents(AsmParser &parser, KernelNest &nest) {
  nest.space.emplace();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    int64_t &extent = nest.space->emplace_back(dynamicExtent);
    if (succeeded(parser.parseOptionalQuestion()))
      return ParseResult(success());
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseInteger(extent))
      return ParseResult(failure());
    if (extent < 0)
      return ParseResult(parser.emitError(loc) << "an extent is " << extent
                                               << ", expected none below 0");
    return ParseResult(success());
  });
}

static ParseResult parseReduced(AsmParser &parser, KernelNest &nest) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(nest.reduced.emplace_back());
  });
}

static ParseResult parsePlaces(AsmParser &parser, KernelRead &read) {
  do {
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<KernelRead> own = parseRead(word);
    if (!own)
      return parser.emitError(loc)
             << "a kernel reads nothing '" << word
             << "', expected 'same', 'other', 'prologue', 'anchor' or "
                "'epilogue'";
    read = read | *own;
  } while (succeeded(parser.parseOptionalVerticalBar()));
  return success();
}

static ParseResult parseReads(AsmParser &parser, KernelNest &nest) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parsePlaces(parser, nest.reads.emplace_back(KernelRead::None));
  });
}

/// What follows the class; `part` is its name.
static ParseResult parsePart(AsmParser &parser, StringRef part, SMLoc loc,
                             KernelNest &nest) {
  if (part == "anchor")
    return parser.parseInteger(nest.anchor.emplace());
  if (part == "space")
    return parseExtents(parser, nest);
  if (part == "reduced")
    return parseReduced(parser, nest);
  if (part == "reads")
    return parseReads(parser, nest);
  return parser.emitError(loc)
         << "a kernel has no '" << part
         << "', expected 'anchor', 'space', 'reduced' or 'reads'";
}

Attribute KernelAttr::parse(AsmParser &parser, Type) {
  KernelNest nest;
  if (parser.parseLess() || parseClass(parser, nest.kind))
    return {};
  SmallVector<StringRef> seen;
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef part;
    if (parser.parseKeyword(&part) || parser.parseEqual())
      return {};
    if (llvm::is_contained(seen, part)) {
      parser.emitError(loc) << "'" << part << "' is given twice";
      return {};
    }
    seen.push_back(part);
    if (parsePart(parser, part, loc, nest))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), nest);
}

void KernelAttr::print(AsmPrinter &printer) const {
  printer << '<';
  getNest().print(printer.getStream());
  printer << '>';
}
