//===- FunctionTable.h - Model-local functions that are written -*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ONNX_FUNCTIONTABLE_H
#define INLAY_LIB_ONNX_FUNCTIONTABLE_H

#include "inlay/ONNX/ProtoWriter.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <set>

namespace inlay::onnx {

/// The first part of the domain of functions that stand for operators of a
/// target; its name follows.
inline constexpr llvm::StringLiteral targetDomainPrefix = "inlay.";
/// Keys of a function's metadata: the operator that it is, and the layout of
/// each input and then each output, numbered from 0.
inline constexpr llvm::StringLiteral opTypeKey = "inlay.op_type";
inline constexpr llvm::StringLiteral layoutKey = "inlay.layout.";
/// Keys of a function that is a group: the target it is for, and the stages of
/// each of its operators, numbered from 0.
inline constexpr llvm::StringLiteral groupKey = "inlay.group";
inline constexpr llvm::StringLiteral stagesKey = "inlay.stages.";
/// The class of a group that is a kernel, which has no stages.
inline constexpr llvm::StringLiteral kernelKey = "inlay.kernel";
/// The version of all domains of targets.
inline constexpr int64_t targetDomainVersion = 1;

/// The first IR version that has functions.
inline constexpr int64_t minFunctionIRVersion = 8;

/// The functions of a model under construction, equal ones once. Names count
/// up in the order of first use.
class FunctionTable {
public:
  /// Names of operators that the module calls and does not define are not
  /// given to functions.
  explicit FunctionTable(mlir::ModuleOp module);

  /// The name of the function of `domain` whose other fields are `fields`; it
  /// is `base` and a number.
  std::string define(llvm::StringRef domain, llvm::StringRef base,
                     std::string fields);
  /// The same, but the name is `base` itself where no other function has it.
  std::string defineNamed(llvm::StringRef domain, llvm::StringRef base,
                          std::string fields);

  /// Notes that a node of `domain` was written.
  void useDomain(llvm::StringRef domain) { domains.insert(domain.str()); }
  /// Domains that functions were defined in, or nodes written of.
  const std::set<std::string> &getDomains() const { return domains; }

  /// Adds the functions to a ModelProto.
  void write(MessageWriter &model) const;

private:
  struct Function {
    std::string domain, name, fields;
  };

  std::string define(llvm::StringRef domain, llvm::StringRef base,
                     std::string fields, bool isNumbered);

  llvm::SmallVector<Function, 0> functions;
  /// The place of each function, by domain, base and fields.
  llvm::StringMap<size_t> byContent;
  llvm::StringMap<unsigned> counters;
  llvm::StringSet<> taken;
  std::set<std::string> domains;
};

} // namespace inlay::onnx

#endif // INLAY_LIB_ONNX_FUNCTIONTABLE_H
