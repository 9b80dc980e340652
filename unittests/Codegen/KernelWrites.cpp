//===- KernelWrites.cpp - What kernels write to ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelWrites.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace inlay;
using namespace mlir;

/// Bytes of a thread's own memory.
static constexpr uint64_t maxScratch = 256 * 1024;

/// What an address is made of: a buffer's number, or memory of the function.
static std::optional<unsigned> findBuffer(Value address, bool &isOwn) {
  while (auto moved = address.getDefiningOp<LLVM::GEPOp>())
    address = moved.getBase();
  isOwn = address.getDefiningOp<LLVM::AllocaOp>() != nullptr;
  auto loaded = address.getDefiningOp<LLVM::LoadOp>();
  auto entry = loaded ? loaded.getAddr().getDefiningOp<LLVM::GEPOp>() : nullptr;
  auto table = entry ? dyn_cast<BlockArgument>(entry.getBase()) : nullptr;
  if (!table || table.getArgNumber() != 0 ||
      !isa<FunctionOpInterface>(table.getOwner()->getParentOp()))
    return std::nullopt;
  return entry.getRawConstantIndices().front();
}

static uint64_t getBytes(LLVM::AllocaOp own) {
  APInt count;
  if (!matchPattern(own.getArraySize(), m_ConstantInt(&count)))
    return maxScratch + 1;
  return count.getZExtValue() * own.getElemType().getIntOrFloatBitWidth() / 8;
}

/// What only keeps loads in their order.
static bool isNothing(Operation *op) {
  auto assembly = dyn_cast<LLVM::InlineAsmOp>(op);
  return assembly && assembly.getAsmString().empty() &&
         assembly.getOperands().empty();
}

std::string
testing::checkWrites(func::FuncOp kernel,
                     llvm::function_ref<bool(unsigned buffer)> mayWrite) {
  uint64_t scratch = 0;
  std::string message;
  kernel.walk([&](Operation *op) {
    if (auto own = dyn_cast<LLVM::AllocaOp>(op)) {
      scratch += getBytes(own);
      return;
    }
    auto store = dyn_cast<LLVM::StoreOp>(op);
    if (!store) {
      if (isNothing(op))
        return;
      auto effects = dyn_cast<MemoryEffectOpInterface>(op);
      if (isa<CallOpInterface>(op) ||
          (effects && effects.hasEffect<MemoryEffects::Write>()))
        message = op->getName().getStringRef().str() + " in a kernel";
      return;
    }
    bool isOwn = false;
    std::optional<unsigned> buffer = findBuffer(store.getAddr(), isOwn);
    if (!isOwn && (!buffer || !mayWrite(*buffer)))
      message = "writes to " + (buffer ? "buffer " + std::to_string(*buffer)
                                       : std::string("an unknown place"));
  });
  if (scratch > maxScratch)
    message = "has " + std::to_string(scratch) + " bytes of its own";
  return message;
}
