//===- FaultCheck.h - Whether a model shows a fault -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_FAULTCHECK_H
#define INLAY_LIB_PIPELINE_FAULTCHECK_H

#include "Candidate.h"
#include "inlay/Pipeline/Reduce.h"
#include "llvm/ADT/SmallString.h"

namespace inlay {

/// Asks whether candidates show the fault that is looked for.
class FaultCheck {
public:
  static llvm::Expected<std::unique_ptr<FaultCheck>>
  create(const ReduceOptions &options);
  ~FaultCheck();

  /// What the whole model does. Nothing where it shows no fault; what a part
  /// does must be the same.
  std::optional<std::string> begin(const Candidate &whole);
  /// Whether a part shows it. What cannot be tried does not.
  bool shows(const Candidate &candidate);

  /// A folder for what is tried, which goes with this.
  llvm::StringRef getFolder() const { return folder; }

private:
  explicit FaultCheck(const ReduceOptions &options) : options(options) {}

  bool differs(const Candidate &candidate) const;
  bool differsNatively() const;
  /// The exit code of the user's command, or of compiling; -2 for a signal.
  int runCommand() const;
  int runCompiler() const;
  int runProgram(const Candidate &candidate);
  bool writeFiles(const Candidate &candidate);

  const ReduceOptions &options;
  llvm::SmallString<128> folder;
  std::string model, inputs;
  int expected = 0;
};

/// Writes inputs as .npz, but for those of types that it lacks.
llvm::Error writeInputs(llvm::StringRef path,
                        llvm::ArrayRef<GraphInput> inputs);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_FAULTCHECK_H
