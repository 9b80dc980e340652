//===- ModuleData.h - The data file beside a module -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In memory a constant refers to whatever file the model was read from. In a
// file it refers to one data file beside it, by name, and the module says how
// many bytes that has and what their SHA-256 is: the two may be moved together,
// and neither is taken for another.
//
//   module attributes {inlay.data = {bytes = 37632 : i64,
//                                    file = "m.mlir.data", sha256 = "9f86…"}}
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_MODULEDATA_H
#define INLAY_IR_MODULEDATA_H

#include "inlay/Support/ExternalFiles.h"
#include "inlay/Support/OutputFile.h"
#include "mlir/IR/BuiltinOps.h"

namespace inlay {

/// Writes what constants refer to beside `modulePath` and makes them refer to
/// that. Returns the file, to be committed; null where nothing refers to bytes.
llvm::Expected<std::unique_ptr<OutputFile>>
storeData(mlir::ModuleOp module, llvm::StringRef modulePath);

/// The same into the text itself, for a module that has no place beside it.
llvm::Error embedData(mlir::ModuleOp module);

/// Opens the data file that the module names, and checks that it is the one
/// that the module was written with. Null where it names none.
llvm::Expected<std::shared_ptr<const MappedFile>>
openData(mlir::ModuleOp module, ExternalFiles &files);

/// Opens the data file and makes constants refer to what was opened, so that
/// modules of several folders can be in one context. What refers to any other
/// file is an error.
llvm::Error bindData(mlir::ModuleOp module, ExternalFiles &files);

} // namespace inlay

#endif // INLAY_IR_MODULEDATA_H
