//===- Targets.cpp - inlay targets ----------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Targets.h"
#include "inlay/Pipeline/Layouts.h"
#include "inlay/Support/Error.h"
#include "inlay/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace inlay;

llvm::Expected<Report> inlay::listTargets() {
  Table table({{"name", "name"},
               {"description", "description"},
               {"key_operators", "key operators"}});
  for (const BuiltinTarget &builtin : getBuiltinTargets()) {
    auto target = loadKnownTarget(builtin.name);
    if (!target)
      return target.takeError();
    table.addRow({Cell::text(target->name), Cell::text(target->description),
                  Cell::text(llvm::join(target->getKeyOps(), ", "))});
  }
  Report report;
  report.addTable("targets", "built-in targets", std::move(table));
  return report;
}

llvm::Expected<Report> inlay::showTarget(llvm::StringRef nameOrPath) {
  auto source = loadTargetText(nameOrPath);
  if (!source)
    return source.takeError();
  auto target = parseKnownTarget(*source);
  if (!target)
    return target.takeError();
  Report report;
  report.addField("name", "", Cell::text(target->name));
  report.addText("yaml", source->text);
  return report;
}

static llvm::Error writeText(llvm::StringRef path, llvm::StringRef text) {
  auto file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  if (llvm::Error error = (*file)->write(text))
    return error;
  return (*file)->commit();
}

llvm::Expected<Report> inlay::startTarget(llvm::StringRef name,
                                          llvm::StringRef output) {
  if (!isTargetName(name))
    return usageError("a target's name must be " + describeTargetNames() +
                      ", found '" + name.take_front(40) + "'");
  std::string text = makeTargetText(name);
  Report report;
  if (output.empty()) {
    report.addField("name", "", Cell::text(name));
    report.addText("yaml", text);
    return report;
  }
  // Somebody may have made a target of it.
  if (llvm::sys::fs::exists(output))
    return ioError("'" + output + "' exists already");
  if (llvm::Error error = writeText(output, text))
    return error;
  report.addField("name", "", Cell::text(name));
  report.addField("output", "written to", Cell::text(output));
  return report;
}

llvm::Expected<TargetValidation> inlay::validateTarget(llvm::StringRef path) {
  auto source = readTargetFile(path);
  if (!source)
    return source.takeError();
  TargetResult result = readKnownTarget(source->text);
  TargetValidation validation;
  validation.isValid = result.faults.empty();
  Report &report = validation.report;
  report.addField("file", "", Cell::text(path));
  report.addField("valid", "", Cell::flag(validation.isValid));
  Table faults({{"line", ""}, {"column", ""}, {"message", ""}});
  for (const TargetFault &fault : result.faults) {
    faults.addRow({Cell::count(uint64_t(fault.line)),
                   Cell::count(uint64_t(fault.column)),
                   Cell::text(fault.message)});
    report.addText("", formatFault(path, fault));
  }
  report.addTable("faults", "", std::move(faults));
  if (validation.isValid)
    report.addText("", path.str() + ": valid");
  return validation;
}
