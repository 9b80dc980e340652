//===- GraphExporter.h - Graphs and nodes as messages -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ONNX_GRAPHEXPORTER_H
#define INLAY_LIB_ONNX_GRAPHEXPORTER_H

#include "FunctionTable.h"
#include "NodeForm.h"
#include "NodeNames.h"
#include "TensorWriter.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace inlay::onnx {

/// Names of values in the exported file: the model's own where it gave one,
/// each once.
class Names {
public:
  /// `wanted`, or with a number behind it where that is taken.
  std::string makeUnique(llvm::StringRef wanted);
  void assign(mlir::Value value, std::string name) {
    names[value] = std::move(name);
  }
  bool isNamed(mlir::Value value) const { return names.contains(value); }
  /// The name of a value that has been assigned one.
  llvm::StringRef get(mlir::Value value) const;
  /// Makes room for the names of so many more values.
  void makeRoom(size_t numValues) { names.reserve(names.size() + numValues); }
  /// Keeps a name from being given to anything else.
  void reserve(llvm::StringRef name) { used.insert(name); }
  bool isUsed(llvm::StringRef name) const { return used.contains(name); }

private:
  llvm::DenseMap<mlir::Value, std::string> names;
  llvm::StringSet<> used;
  llvm::StringMap<unsigned> counters;
};

/// A text among `attributes`; empty when there is none.
llvm::StringRef getString(mlir::DictionaryAttr attributes,
                          llvm::StringRef name);

void writeMetadata(MessageWriter &message, unsigned field,
                   mlir::DictionaryAttr metadata);

/// Writes the graph of a function, and graphs in its nodes, as GraphProto.
class GraphExporter {
public:
  GraphExporter(mlir::ModuleOp module, int64_t irVersion, TensorWriter &tensors,
                FunctionTable &functions);

  llvm::Error exportFunction(mlir::func::FuncOp function,
                             MessageWriter &message);

  /// Nodes of the graph and of graphs in them, so far.
  uint64_t getNumNodes() const { return numNodes; }

private:
  /// One GraphProto under construction. Its parts are collected apart because
  /// nodes come before initializers, and those of constants before those that
  /// import takes for parameters: the next export then has the same order.
  struct Graph {
    MessageWriter nodes, initializers, parameterTensors, valueInfos;
    /// Constant inputs of nodes, each content once.
    llvm::StringMap<std::string> parameters;
    /// (name, type) of initializers, which old models list as inputs.
    llvm::SmallVector<std::pair<std::string, mlir::Type>, 0> initializerTypes;
    bool writesValueInfo = false;
    /// Of the message that the nodes go into.
    unsigned nodeField = proto::GraphField::Node;

    void addNode(MessageWriter &&node) {
      nodes.addMessage(nodeField, std::move(node));
    }
  };

  /// One NodeProto in the model's terms.
  struct NodeText {
    std::string opType, domain, overload;
    llvm::SmallVector<std::string> inputs, outputs;
  };

  void nameOutputs(mlir::ValueRange values, llvm::ArrayRef<std::string> names);
  void nameValues(mlir::Block &block);
  llvm::Error exportBlock(mlir::Block &block, Graph &graph);
  llvm::Error exportOutputs(mlir::ValueRange values,
                            llvm::MutableArrayRef<std::string> names,
                            mlir::Block *block, Graph &graph);
  llvm::Error exportRegion(mlir::Region &region, llvm::StringRef name,
                           MessageWriter &message);

  llvm::Error exportOperation(mlir::Operation *op, Graph &graph);
  llvm::Error exportConstant(ConstantOp op, Graph &graph);
  llvm::Error exportTyped(mlir::Operation *op, const OpForm &form,
                          Graph &graph);
  llvm::Error exportControlFlow(mlir::Operation *op, Graph &graph);
  llvm::Error exportOpaque(OpaqueOp op, Graph &graph);

  // Model-local functions (FunctionExporter.cpp). A body is exported by an
  // exporter of its own: it sees no names of the graph.
  GraphExporter(const GraphExporter &caller, mlir::Operation *function);
  llvm::Error exportInLayout(InLayoutOp op, Graph &graph);
  llvm::Error exportGroup(GroupOp op, Graph &graph);
  /// The fields of the function but its name. It takes `inputs`, as its body
  /// sees them, by the names `inputNames`.
  llvm::Error exportFunctionBody(mlir::ValueRange inputs,
                                 llvm::ArrayRef<std::string> inputNames,
                                 MessageWriter &fields);
  void writeOpsetImports(MessageWriter &fields);
  void writeFunctionMetadata(MessageWriter &fields);
  /// Nothing in an operator's function is called as the model does, so that
  /// equal functions are equal; a group keeps the names of its nodes.
  bool keepsNames() const { return !function || llvm::isa<GroupOp>(function); }
  llvm::Error exportInnerConstant(ConstantOp op, llvm::StringRef name,
                                  Graph &graph);
  llvm::Error writeConstantNode(llvm::StringRef name, llvm::StringRef nodeName,
                                const HostTensor &tensor, Graph &graph);
  llvm::Error writeConvertedConstant(llvm::StringRef name,
                                     llvm::StringRef nodeName,
                                     const HostTensor &tensor, Graph &graph);
  /// Attributes that the caller gives, noted for the call.
  llvm::Error writeReferences(MessageWriter &node,
                              const mlir::NamedAttrList &attributes);

  /// The name that the model gives to a value, or an empty one.
  llvm::StringRef getOriginalName(mlir::Value value) const;

  /// The name of the node that the operation becomes.
  llvm::StringRef nameNode(mlir::Operation *op);
  void nameResults(mlir::Operation *op, unsigned numRequired,
                   llvm::SmallVectorImpl<std::string> &outputs);
  llvm::Expected<std::string>
  exportParameter(const HostTensor &tensor, llvm::StringRef hint, Graph &graph);

  /// The parts of a NodeProto that all nodes have; those of its origin where
  /// `op` is one.
  void writeNode(MessageWriter &message, llvm::StringRef name,
                 mlir::Operation *op, const NodeText &text);
  llvm::Error writeAttribute(MessageWriter &node, llvm::StringRef name,
                             mlir::Attribute value);
  llvm::Error writeAttributes(MessageWriter &node,
                              const mlir::NamedAttrList &attributes);
  llvm::Error writeGraphAttribute(MessageWriter &node, llvm::StringRef name,
                                  llvm::ArrayRef<mlir::Region *> regions,
                                  llvm::ArrayRef<llvm::StringRef> names);
  void writeValueInfo(MessageWriter &graph, unsigned field,
                      llvm::StringRef name, mlir::Type type,
                      mlir::ArrayAttr dims, mlir::DictionaryAttr attributes);

  mlir::MLIRContext *context;
  TensorWriter &tensors;
  FunctionTable &functions;
  Names names;
  /// Those of a graph and of the functions of its groups are one.
  std::shared_ptr<NodeNames> nodeNames;
  int64_t irVersion;
  mlir::DictionaryAttr opsets;
  unsigned opset;
  bool hasValueInfo;
  uint64_t numNodes = 0;
  /// The operation whose body is exported as a function; null in the graph.
  mlir::Operation *function = nullptr;
  /// What calls of the function give.
  mlir::NamedAttrList callAttributes;
};

} // namespace inlay::onnx

#endif // INLAY_LIB_ONNX_GRAPHEXPORTER_H
