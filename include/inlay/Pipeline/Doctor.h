//===- Doctor.h - inlay doctor ----------------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_DOCTOR_H
#define INLAY_PIPELINE_DOCTOR_H

#include "inlay/Report/Report.h"

namespace inlay {

struct Diagnosis {
  Report report;
  bool isWell = true;
};

/// Tries what Inlay needs of this machine: the CPU, machine code in memory and
/// as libraries for both architectures, the cache, the targets.
Diagnosis diagnose();

} // namespace inlay

#endif // INLAY_PIPELINE_DOCTOR_H
