//===- GraphImporter.h - Graphs, nodes and functions ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ONNX_GRAPHIMPORTER_H
#define INLAY_LIB_ONNX_GRAPHIMPORTER_H

#include "ImportTypes.h"
#include "NodeForm.h"
#include "inlay/IR/Diagnostics.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "inlay/ONNX/Import.h"
#include "inlay/ONNX/Proto.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace inlay::onnx {

/// The opset version of every domain that a model or function imports.
using Opsets = llvm::DenseMap<llvm::StringRef, int64_t>;

Opsets getOpsets(llvm::ArrayRef<proto::OperatorSetId> imports);

/// "ai.onnx" is another name of ONNX's own domain.
llvm::StringRef normalizeDomain(llvm::StringRef domain);

/// "Conv", "com.acme::Swirl".
std::string getQualifiedType(const proto::Node &node);

/// Names in force: those of one graph, behind them those around it.
struct Scope {
  const Scope *parent = nullptr;
  llvm::DenseMap<llvm::StringRef, mlir::Value> values;

  mlir::Value lookup(llvm::StringRef name) const;
};

/// A call of a model-local function that is being inlined.
struct Call {
  const Call *parent = nullptr;
  const proto::Function *function = nullptr;
  /// What the names of nodes and values inside begin with.
  std::string prefix;
  Opsets opsets;
  /// The call's attributes, and the function's defaults.
  llvm::DenseMap<llvm::StringRef, const proto::Attribute *> attributes;
  /// Names that the caller gives to the function's outputs.
  llvm::DenseMap<llvm::StringRef, llvm::StringRef> outputNames;
  unsigned depth = 1;
};

/// Declared types of values, by name.
using Declarations = llvm::DenseMap<llvm::StringRef, const proto::ValueInfo *>;

/// Builds the operations of one model's graphs.
class GraphImporter {
public:
  GraphImporter(mlir::MLIRContext *context, const proto::Model &model,
                std::shared_ptr<const MappedFile> file,
                const ImportOptions &options);

  /// The declarations of a graph's intermediate values and outputs.
  static Declarations getDeclarations(const proto::Graph &graph);

  /// Adds the graph's initializers to the end of `block`; those in `skip` are
  /// inputs.
  llvm::Error importInitializers(const proto::Graph &graph, mlir::Block *block,
                                 Scope &scope,
                                 const llvm::DenseSet<llvm::StringRef> &skip);

  /// Adds the graph's nodes to the end of `block` and looks its outputs up.
  llvm::Error importBody(const proto::Graph &graph, mlir::Block *block,
                         Scope &scope, const Call *call,
                         llvm::SmallVectorImpl<mlir::Value> &outputs);

  /// Removes constants that have become parameters of all their users; their
  /// nodes are noted.
  void eraseConsumedConstants();
  /// Lets groups that were kernels be kernels again.
  void finishKernels();

  AttributeImporter &getAttributes() { return attributes; }
  /// Nodes that no operation stands for.
  RemovedNodes &getRemoved() { return removed; }
  llvm::Error takeDiagnostics() { return diagnostics.take(ExitCode::Model); }

  /// An error about a value or node, with its name.
  static llvm::Error makeNodeError(const proto::Node &node,
                                   const llvm::Twine &message);

private:
  using Node = proto::Node;
  struct Context {
    mlir::Block *block;
    Scope &scope;
    const Call *call;
    const Declarations &declarations;
  };

  llvm::Error importNodes(llvm::ArrayRef<Node> nodes, Context &context);
  llvm::Error importNode(const Node &node, Context &context);
  // Model-local functions (FunctionImporter.cpp).
  llvm::Error importCall(const Node &node, const proto::Function &function,
                         Context &context);
  /// The call as the operator in a layout that it was exported from.
  llvm::Error importInLayout(const Node &node, Call &call,
                             llvm::ArrayRef<mlir::Value> inputs,
                             mlir::ArrayAttr layouts, Context &context);
  llvm::Error inlineCall(const Node &node, Call &call,
                         llvm::ArrayRef<mlir::Value> inputs, Context &context);
  llvm::Expected<Call> prepareCall(const Node &node,
                                   const proto::Function &function,
                                   Context &context);
  /// Adds the nodes of a function and looks up its first outputs, as many as
  /// there are in `outputs`.
  llvm::Error importFunctionBody(const Node &node, const Call &call,
                                 mlir::Block *block,
                                 llvm::ArrayRef<mlir::Value> inputs,
                                 llvm::MutableArrayRef<mlir::Value> outputs);
  llvm::Error importGroup(const Node &node, Call &call,
                          llvm::ArrayRef<mlir::Value> inputs,
                          mlir::ArrayAttr stages, Context &context);
  /// Whether the call gives all that the function takes and is for the target.
  bool isKept(const Node &node, const proto::Function &function) const;
  /// The stages of a group's operators where the call is one; null otherwise.
  mlir::ArrayAttr getStages(const Node &node,
                            const proto::Function &function) const;
  /// The layouts of an operator's tensors where the call is one; null
  /// otherwise.
  mlir::ArrayAttr getLayouts(const Node &node,
                             const proto::Function &function) const;
  llvm::Error importConstant(const Node &node, Context &context);
  ConstantOp getConverted(const Node &node, int64_t opset, Context &context);
  llvm::Expected<bool> importConvertedConstant(const Node &node, int64_t opset,
                                               Context &context);
  llvm::Error importControlFlow(const Node &node, Context &context);
  llvm::Error importForeign(const Node &node, Context &context);
  llvm::Error importOpaque(const Node &node, Context &context);
  /// False when the dialect does not model the node as it is.
  llvm::Expected<bool> importTyped(const Node &node, int64_t opset,
                                   Context &context);

  llvm::Error importSubgraph(const proto::Graph &graph, mlir::Region &region,
                             llvm::ArrayRef<mlir::Type> carriedTypes,
                             Context &context);

  /// A builder at the end of `block`.
  mlir::OpBuilder getBuilder(mlir::Block *block) const;

  /// Creates the operation, refines its types and defines the node's outputs.
  llvm::Error create(mlir::OperationState &state, const Node &node,
                     Context &context);
  llvm::Error define(const Node &node, unsigned output, mlir::Value value,
                     Context &context);
  llvm::Expected<mlir::Value> lookupInput(const Node &node, unsigned index,
                                          Context &context);
  llvm::Error lookupInputs(const Node &node, Context &context,
                           llvm::SmallVectorImpl<mlir::Value> &values);

  /// The attribute that stands in the node or that a function's caller gives.
  const proto::Attribute *resolve(const proto::Attribute &attribute,
                                  const Call *call) const;
  const proto::Attribute *findAttribute(const Node &node, llvm::StringRef name,
                                        const Call *call) const;
  int64_t getOpset(llvm::StringRef domain, const Call *call) const;
  mlir::Location getLoc(const Node &node, Context &context);
  /// What a value of a function that is inlined is called.
  std::string getInnerName(llvm::StringRef name, const Call *call) const;
  /// The same of a node. Nodes of the model's graphs keep their names, so that
  /// it is none of those.
  std::string getInnerNodeName(llvm::StringRef name, const Call *call);

  mlir::MLIRContext *context;
  AttributeImporter attributes;
  ErrorCollector diagnostics;
  Opsets opsets;
  llvm::StringMap<const proto::Function *> functions;
  /// Names of the nodes of graphs, where there are functions to inline.
  llvm::DenseSet<llvm::StringRef> nodeNames;
  /// What inlined nodes are called whose names are among them.
  llvm::StringMap<std::string> otherNames;
  llvm::SetVector<mlir::Operation *> parameterConstants;
  RemovedNodes removed;
  uint64_t numInlined = 0;
  /// Groups that the file calls kernels, or clusters, and what it calls them.
  llvm::SmallVector<std::pair<GroupOp, llvm::StringRef>> kernels;
  /// Whose operators are kept; those of all targets when there is none.
  std::optional<llvm::StringRef> target;
};

} // namespace inlay::onnx

#endif // INLAY_LIB_ONNX_GRAPHIMPORTER_H
