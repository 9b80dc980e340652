//===- Completion.cpp - What shells complete ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Manual.h"
#include "llvm/ADT/StringExtras.h"

using namespace inlay;

/// The words that a value may be: "on|off" are two, FILE stands for others.
static llvm::SmallVector<llvm::StringRef> getChoices(llvm::StringRef value) {
  llvm::SmallVector<llvm::StringRef> choices;
  if (!value.contains('|'))
    return choices;
  value.split(choices, '|');
  llvm::erase_if(choices, [](llvm::StringRef choice) {
    return choice.empty() || llvm::any_of(choice, [](char c) {
             return llvm::isUpper(c) || c == '[' || c == ':' || c == '=';
           });
  });
  return choices;
}

static std::string listVerbs() {
  std::vector<std::string> names;
  for (const VerbInfo &verb : getVerbs())
    names.push_back(verb.name.str());
  names.push_back("help");
  return llvm::join(names, " ");
}

//===----------------------------------------------------------------------===//
// bash
//===----------------------------------------------------------------------===//

static void printBashVerb(llvm::raw_ostream &os, const VerbInfo &verb) {
  std::vector<std::string> names;
  os << "    " << verb.name << ")\n      case $previous in\n";
  for (const OptionInfo &option : listOptions(verb)) {
    llvm::append_range(names, option.names);
    llvm::SmallVector<llvm::StringRef> choices = getChoices(option.value);
    if (!choices.empty())
      os << "        " << llvm::join(option.names, "|") << ") choices='"
         << llvm::join(choices, " ") << "' ;;\n";
  }
  os << "      esac\n      options='" << llvm::join(names, " ")
     << "'\n      ;;\n";
}

static void printBash(llvm::raw_ostream &os) {
  os << "# Completes the words of inlay in bash: source <(inlay help "
        "--completion bash)\n"
        "_inlay() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} "
        "previous=${COMP_WORDS[COMP_CWORD-1]} options='' choices=''\n"
        "  COMPREPLY=()\n"
        "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
        "    COMPREPLY=($(compgen -W '"
     << listVerbs()
     << "' -- \"$word\"))\n"
        "    return\n"
        "  fi\n"
        "  case ${COMP_WORDS[1]} in\n";
  for (const VerbInfo &verb : getVerbs())
    printBashVerb(os, verb);
  os << "    help) choices='" << listVerbs()
     << "' ;;\n"
        "  esac\n"
        "  if [ -n \"$choices\" ]; then\n"
        "    COMPREPLY=($(compgen -W \"$choices\" -- \"$word\"))\n"
        "  elif [[ $word == -* ]]; then\n"
        "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
        "  fi\n"
        "}\n"
        "complete -o default -F _inlay inlay\n";
}

//===----------------------------------------------------------------------===//
// zsh
//===----------------------------------------------------------------------===//

/// Text inside of single quotes and brackets.
static std::string escapeZsh(llvm::StringRef text) {
  std::string escaped;
  for (char c : text) {
    if (c == '\'')
      escaped += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      escaped += std::string("\\") + c;
    else
      escaped += c;
  }
  return escaped;
}

static void printZshVerb(llvm::raw_ostream &os, const VerbInfo &verb) {
  os << "    " << verb.name << ")\n      _arguments";
  for (const OptionInfo &option : listOptions(verb))
    for (const std::string &name : option.names) {
      os << " \\\n        '*" << name << "[" << escapeZsh(option.help) << "]";
      llvm::SmallVector<llvm::StringRef> choices = getChoices(option.value);
      if (!choices.empty())
        os << ":" << escapeZsh(option.value) << ":(" << llvm::join(choices, " ")
           << ")";
      else if (!option.value.empty())
        os << ":" << escapeZsh(option.value) << ":_files";
      os << "'";
    }
  os << " \\\n        '*:file:_files'\n      ;;\n";
}

static void printZsh(llvm::raw_ostream &os) {
  os << "#compdef inlay\n"
        "_inlay() {\n"
        "  if (( CURRENT == 2 )); then\n"
        "    local -a verbs=(\n";
  for (const VerbInfo &verb : getVerbs())
    os << "      '" << verb.name << ":" << escapeZsh(verb.summary) << "'\n";
  os << "      'help:Say how a verb is used'\n"
        "    )\n"
        "    _describe verb verbs\n"
        "    return\n"
        "  fi\n"
        "  local verb=$words[2]\n"
        "  shift words\n"
        "  (( CURRENT-- ))\n"
        "  case $verb in\n";
  for (const VerbInfo &verb : getVerbs())
    printZshVerb(os, verb);
  os << "    help) _arguments '1:verb:(" << listVerbs()
     << ")' ;;\n"
        "  esac\n"
        "}\n"
        "_inlay \"$@\"\n";
}

bool inlay::printCompletion(llvm::raw_ostream &os, llvm::StringRef shell) {
  if (shell == "bash")
    printBash(os);
  else if (shell == "zsh")
    printZsh(os);
  else
    return false;
  return true;
}
