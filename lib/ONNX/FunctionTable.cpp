//===- FunctionTable.cpp - Model-local functions that are written ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionTable.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace inlay::onnx;
namespace FunctionField = proto::FunctionField;

FunctionTable::FunctionTable(mlir::ModuleOp module) {
  module.walk([&](OpaqueOp op) { taken.insert(op.getCallee()); });
}

std::string FunctionTable::define(llvm::StringRef domain, llvm::StringRef base,
                                  std::string fields) {
  return define(domain, base, std::move(fields), /*isNumbered=*/true);
}

std::string FunctionTable::defineNamed(llvm::StringRef domain,
                                       llvm::StringRef base,
                                       std::string fields) {
  return define(domain, base, std::move(fields), /*isNumbered=*/false);
}

std::string FunctionTable::define(llvm::StringRef domain, llvm::StringRef base,
                                  std::string fields, bool isNumbered) {
  std::string family = (domain + "::" + base).str();
  std::string content = family + '\0' + fields;
  auto [it, isNew] = byContent.try_emplace(content, functions.size());
  if (!isNew)
    return functions[it->second].name;
  std::string name = base.str();
  while (isNumbered || !taken.insert((domain + "::" + name).str()).second) {
    name = (base + "_" + llvm::Twine(counters[family]++)).str();
    isNumbered = false;
  }
  domains.insert(domain.str());
  functions.push_back({domain.str(), name, std::move(fields)});
  return name;
}

void FunctionTable::write(MessageWriter &model) const {
  for (const Function &function : functions)
    model.addMessage(proto::ModelField::Functions, [&](MessageWriter &message) {
      message.addString(FunctionField::Name, function.name);
      message.addEncoded({function.fields.data(), function.fields.size()});
      message.addString(FunctionField::Domain, function.domain);
    });
}
