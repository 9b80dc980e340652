//===- LetterOrder.h - Storage orders by the letters of axes ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target writes a storage order once for all ranks: NHWC stands for NWC in
// rank 3 and for NDHWC in rank 5, HWOI for WOI and DHWOI. Letters mean axes,
// not positions: HWOI of a ConvTranspose, whose weight ONNX has as IOHW, is
// stored H, W, O, I all the same.
//
//   getDataAxes(4)              NCHW
//   getWeightAxes(5)            OIDHW
//   expandForRank("NHWC", 5)    NDHWC
//   getOrderLayout("IOHW", "HWOI")    the layout IOHW as HWOI
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TARGET_LETTERORDER_H
#define INLAY_TARGET_LETTERORDER_H

#include "inlay/Layout/Layout.h"
#include <optional>
#include <string>

namespace inlay {

/// Spatial axes that have letters; ranks above this and two have none.
constexpr unsigned maxSpatialAxes = 4;

/// The last `count` of T, D, H, W: "HW" for 2; nothing above maxSpatialAxes.
std::optional<llvm::StringRef> getSpatialLetters(unsigned count);

/// The axes of ONNX's own order for a tensor of `rank`: N and C, or O and I,
/// before the spatial ones. Nothing below rank 2 and above 6.
std::optional<std::string> getDataAxes(unsigned rank);
std::optional<std::string> getWeightAxes(unsigned rank);

/// The order that `order`, written for any rank, stands for in `rank`.
/// Nothing when it does not carry over: only an order that has its spatial
/// letters together and in the order T, D, H, W means something in another
/// rank than its own.
std::optional<std::string> expandForRank(llvm::StringRef order, unsigned rank);

/// The layout of a tensor whose logical axes are `axes` and that is stored in
/// `order`, expanded for its rank; nothing where there is none.
std::optional<Layout> getOrderLayout(llvm::StringRef axes,
                                     llvm::StringRef order);

/// The same as a sequence of atoms, empty when it is row-major.
std::optional<AtomSequence> getRuleOrder(llvm::StringRef axes,
                                         llvm::StringRef letters);

/// What the letters of an order belong to: N, C or O, I.
enum class OrderRole : uint8_t { Data, Weight };

/// Why `order` is no order of axes of that role, or an empty text.
std::string checkOrder(llvm::StringRef order, OrderRole role);

} // namespace inlay

#endif // INLAY_TARGET_LETTERORDER_H
