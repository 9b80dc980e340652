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

/// What a dimension is in a run: a number, "?" where samples are parts of it,
/// "?height" where it is an open length, "?" where it follows from one.
static std::string describeExtent(int64_t extent, uint32_t length,
                                  ArrayRef<OpenLength> lengths) {
  if (length == 0)
    return std::to_string(extent);
  if (lengths.size() == 1 || length > lengths.size())
    return "?";
  return "?" + getCommentText(lengths[length - 1].symbol);
}

static void printPort(llvm::raw_ostream &os, StringRef kind, unsigned number,
                      StringRef name, Type type, bool hasSamples,
                      ArrayRef<uint32_t> open, ArrayRef<OpenLength> lengths) {
  os << " *   " << kind << ' ' << number << ": '" << getCommentText(name)
     << "', ";
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<std::string> extents;
  for (auto [extent, length] : llvm::zip_equal(tensor.getShape(), open))
    extents.push_back(describeExtent(extent, length, lengths));
  if (hasSamples)
    extents.front() = "?";
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

static void printLengths(llvm::raw_ostream &os, ArrayRef<OpenLength> lengths) {
  os << " *\n";
  for (const OpenLength &length : lengths) {
    std::string symbol = getCommentText(length.symbol);
    os << " * \"?" << (lengths.size() == 1 ? "" : symbol) << "\" is '" << symbol
       << "', 1 to " << length.largest
       << ", the same in all inputs of a run.\n";
  }
}

std::string inlay::makeHeader(func::FuncOp graph, StringRef prefix,
                              const std::optional<Samples> &samples,
                              ArrayRef<OpenLength> lengths,
                              const OpenDims &open) {
  Operation *end = graph.getBody().front().getTerminator();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/* The model '" << prefix << "' as a library, made by Inlay.\n *\n";
  for (auto [i, type] : llvm::enumerate(graph.getArgumentTypes()))
    printPort(os, "input", i, getInputName(graph, i), type,
              samples && samples->inputs[i] != 0,
              open.getNumbers(graph.getArgument(i)), lengths);
  for (auto [i, type] : llvm::enumerate(graph.getResultTypes()))
    printPort(os, "output", i, getOutputName(graph, i), type,
              samples && samples->outputs[i] != 0,
              open.getNumbers(end->getOperand(i)), lengths);
  if (samples)
    printSamples(os, *samples);
  if (!lengths.empty())
    printLengths(os, lengths);
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
