//===- BatchNormFolding.cpp - Normalisation in weights --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families.h"

using namespace inlay;

llvm::ArrayRef<Rewrite> rewrites::getBatchNormFolding() { return {}; }
