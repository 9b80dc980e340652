//===- FileNodes.cpp - The nodes that a file of ONNX has ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileNodes.h"
#include "inlay/ONNX/ProtoReader.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Report/Cell.h"
#include "llvm/ADT/DenseSet.h"

using namespace inlay;

std::string FileNodes::describe() const {
  std::string why;
  auto add = [&](uint64_t count, const char *one, const char *many) {
    if (count != 0)
      why += (why.empty() ? "" : "; ") + formatCount(count) +
             (count == 1 ? one : many);
  };
  add(numConstants, " Constant is a constant here",
      " Constants are constants here");
  add(numCalls, " calls a function, whose nodes count instead",
      " call functions, whose nodes count instead");
  return why.empty() ? ""
                     : "the file has " + formatCount(numNodes) + ": " + why;
}

static FileNodes countNodes(const proto::Model &model) {
  llvm::DenseSet<std::pair<llvm::StringRef, llvm::StringRef>> functions;
  for (const proto::Function &function : model.functions)
    functions.insert({function.domain, function.name});
  FileNodes found;
  llvm::SmallVector<const proto::Graph *> graphs{&model.graph};
  while (!graphs.empty()) {
    for (const proto::Node &node : graphs.pop_back_val()->nodes) {
      ++found.numNodes;
      found.numConstants += node.isConstant();
      found.numCalls += functions.contains({node.domain, node.opType});
      for (const proto::Attribute &attribute : node.attributes)
        if (attribute.kind == proto::AttributeKind::Graph ||
            attribute.kind == proto::AttributeKind::Graphs)
          for (const proto::Graph &graph : attribute.getGraphs())
            graphs.push_back(&graph);
    }
  }
  return found;
}

llvm::Expected<std::optional<FileNodes>>
inlay::countFileNodes(llvm::StringRef path) {
  auto file = openModel(path);
  if (!file)
    return file.takeError();
  if (isModule(**file))
    return std::nullopt;
  auto parsed = parseModel(std::move(*file));
  if (!parsed)
    return parsed.takeError();
  return countNodes((*parsed)->message);
}
