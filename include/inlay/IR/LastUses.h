//===- LastUses.h - Where the values of a block die -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_LASTUSES_H
#define INLAY_IR_LASTUSES_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"
#include <vector>

namespace inlay {

/// For every operation of a block, in order, the values of the block that it
/// is the last to need. A use inside a region counts for the operation of the
/// block that holds the region. A result without uses dies with its operation,
/// an argument without uses with the first one.
class LastUses {
public:
  explicit LastUses(mlir::Block &block);

  /// The values that nothing after operation number `index` needs.
  llvm::ArrayRef<mlir::Value> getDying(size_t index) const {
    return llvm::ArrayRef(values).slice(ends[index],
                                        ends[index + 1] - ends[index]);
  }

private:
  std::vector<mlir::Value> values;
  /// Values ends[i] to ends[i + 1] die with operation i.
  std::vector<size_t> ends;
};

} // namespace inlay

#endif // INLAY_IR_LASTUSES_H
