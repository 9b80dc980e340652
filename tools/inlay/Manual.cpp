//===- Manual.cpp - Manual pages from the table of options ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Manual.h"

using namespace inlay;

/// Text that roff prints as it is.
static std::string escapeText(llvm::StringRef text) {
  std::string escaped;
  bool isFirst = true;
  for (char c : text) {
    // A line that begins so is a command.
    if (isFirst && (c == '.' || c == '\''))
      escaped += "\\&";
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
    isFirst = c == '\n';
  }
  return escaped;
}

static void printHead(llvm::raw_ostream &os, llvm::StringRef name,
                      llvm::StringRef summary) {
  os << ".TH \"" << name.upper() << "\" 1 \"\" \"Inlay " INLAY_VERSION "\"\n"
     << ".SH NAME\n"
     << escapeText(name) << " \\- " << escapeText(summary) << "\n";
}

/// Lines as they are.
static void printLines(llvm::raw_ostream &os, llvm::StringRef lines) {
  os << ".nf\n" << escapeText(lines);
  if (!lines.ends_with("\n"))
    os << "\n";
  os << ".fi\n";
}

void inlay::printManual(llvm::raw_ostream &os, const VerbInfo &verb) {
  printHead(os, ("inlay-" + verb.name).str(), verb.summary);
  os << ".SH SYNOPSIS\n.B inlay " << escapeText(verb.name) << "\n"
     << escapeText(verb.arguments) << " [options]\n.SH DESCRIPTION\n"
     << escapeText(verb.description) << "\n.SH OPTIONS\n";
  for (const OptionInfo &option : listOptions(verb)) {
    os << ".TP\n.B ";
    for (const std::string &name : option.names)
      os << (&name == &option.names.front() ? "" : ", ") << escapeText(name);
    if (!option.value.empty())
      os << " " << escapeText(option.value);
    os << "\n" << escapeText(option.help) << "\n";
  }
  os << ".SH EXAMPLES\n";
  printLines(os, verb.examples);
  os << ".SH SEE ALSO\n.BR inlay (1)\n";
}

void inlay::printManual(llvm::raw_ostream &os) {
  printHead(os, "inlay", "fit a neural network to the hardware that runs it");
  os << ".SH SYNOPSIS\n.B inlay\nVERB [arguments]\n.SH VERBS\n";
  for (const VerbInfo &verb : getVerbs())
    os << ".TP\n.BR inlay\\-" << escapeText(verb.name) << " (1)\n"
       << escapeText(verb.summary) << "\n";
  os << ".SH EXIT STATUS\n";
  for (const ExitCodeInfo &code : getExitCodes())
    os << ".TP\n.B " << int(code.code) << "\n"
       << escapeText(code.meaning) << "\n";
  os << ".SH FILES\n.TP\n.I $XDG_CACHE_HOME/inlay\n"
        "Machine code that was compiled earlier (\\-\\-cache).\n";
}
