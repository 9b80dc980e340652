//===- LibraryHeader.cpp - What C programs include ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibraryHeader.h"
#include "Embedded.h"
#include "inlay/IR/Graph.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace inlay;
using namespace mlir;

bool inlay::isIdentifier(StringRef text) {
  return !text.empty() && !llvm::isDigit(text.front()) &&
         llvm::all_of(text,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

std::string inlay::makeIdentifier(StringRef text) {
  std::string identifier;
  for (char c : text)
    identifier += llvm::isAlnum(c) ? c : '_';
  if (identifier.empty() || llvm::isDigit(identifier.front()))
    identifier = "model_" + identifier;
  return identifier;
}

/// Inside of a comment; names are anybody's.
static std::string getCommentText(StringRef name) {
  std::string text;
  for (char c : name)
    text += llvm::isPrint(c) && c != '*' && c != '/' && c != '\\' ? c : '_';
  return text;
}

/// "?" is a dimension that samples are parts of, or that is the open length.
static void printPort(llvm::raw_ostream &os, StringRef kind, unsigned number,
                      StringRef name, Type type, std::optional<unsigned> open) {
  os << " *   " << kind << ' ' << number << ": '" << getCommentText(name)
     << "', ";
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<std::string> extents;
  for (int64_t extent : tensor.getShape())
    extents.push_back(std::to_string(extent));
  if (open)
    extents[*open] = "?";
  llvm::interleave(extents, os, "x");
  os << (tensor.getRank() == 0 ? "" : " of ") << tensor.getElementType()
     << '\n';
}

/// What "?" stands for.
static void printSamples(llvm::raw_ostream &os, const Samples &samples) {
  std::string name = samples.symbol.empty()
                         ? ""
                         : " ('" + getCommentText(samples.symbol) + "')";
  os << " *\n"
        " * Any number of samples"
     << name
     << ", one or more, is computed in a run: what has\n"
        " * \"?\" has those of all, one behind the other.\n";
}

static void printLength(llvm::raw_ostream &os, const OpenLength &length) {
  os << " *\n"
        " * \"?\" is '"
     << getCommentText(length.symbol) << "', 1 to " << length.largest
     << ", the same in all inputs of a run.\n";
}

std::string inlay::makeHeader(func::FuncOp graph, StringRef prefix,
                              const std::optional<Samples> &samples,
                              const OpenLength *length, const OpenDims &open) {
  auto getOpenDim = [&](Value value,
                        int64_t perSample) -> std::optional<unsigned> {
    ArrayRef<unsigned> dims = open.get(value);
    return !dims.empty()    ? std::optional(dims.front())
           : perSample != 0 ? std::optional(0u)
                            : std::nullopt;
  };
  Operation *end = graph.getBody().front().getTerminator();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/* The model '" << prefix << "' as a library, made by Inlay.\n *\n";
  for (auto [i, type] : llvm::enumerate(graph.getArgumentTypes()))
    printPort(
        os, "input", i, getInputName(graph, i), type,
        getOpenDim(graph.getArgument(i), samples ? samples->inputs[i] : 0));
  for (auto [i, type] : llvm::enumerate(graph.getResultTypes()))
    printPort(
        os, "output", i, getOutputName(graph, i), type,
        getOpenDim(end->getOperand(i), samples ? samples->outputs[i] : 0));
  if (samples)
    printSamples(os, *samples);
  if (length)
    printLength(os, *length);
  os << " *\n"
        " * The library contains Inlay's runtime, which is under the Apache "
        "License v2.0\n"
        " * with LLVM Exceptions.\n"
        " */\n\n"
     << getModelHeader() << '\n';
  std::string guard = "INLAY_MODEL_" + prefix.upper() + "_H";
  os << "#ifndef " << guard << "\n#define " << guard << "\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
     << "/* What the model takes and gives. */\n"
     << "const inlay_info *" << prefix << "_info(void);\n"
     << "/* A session, of which one call runs at a time; options may be NULL. "
        "*/\n"
     << "inlay_status " << prefix
     << "_create(const inlay_options *options,\n    inlay_session **session);\n"
     << "inlay_status " << prefix
     << "_run(inlay_session *session, const inlay_tensor *inputs,\n"
        "    size_t num_inputs, inlay_tensor *outputs, size_t num_outputs);\n"
     << "void " << prefix << "_destroy(inlay_session *session);\n"
     << "/* What was wrong with the session's last call; of NULL: with this "
        "thread's\n * last create. */\n"
     << "const char *" << prefix << "_error(const inlay_session *session);\n\n"
     << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
  return text;
}
