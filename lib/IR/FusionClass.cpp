//===- FusionClass.cpp - Classes of operators for fusion ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/FusionClass.h"

using namespace inlay;

llvm::StringRef inlay::getName(FusionClass fusionClass) {
  switch (fusionClass) {
  case FusionClass::Elementwise:
    return "elementwise";
  case FusionClass::Broadcast:
    return "broadcast";
  case FusionClass::Reduce:
    return "reduce";
  case FusionClass::Window:
    return "window";
  case FusionClass::Transform:
    return "transform";
  case FusionClass::View:
    return "view";
  case FusionClass::Contraction:
    return "contraction";
  case FusionClass::Opaque:
    return "opaque";
  }
  return "";
}
