//===- SmallModel.h - Messages for tests ------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_ONNX_SMALLMODEL_H
#define INLAY_UNITTESTS_ONNX_SMALLMODEL_H

#include "../Support/TemporaryFolder.h"
#include "inlay/ONNX/ProtoReader.h"
#include "inlay/ONNX/ProtoWriter.h"

namespace inlay {

inline void writeMessage(const MessageWriter &message, llvm::StringRef path) {
  auto file = OutputFile::create(path);
  ASSERT_TRUE(bool(file));
  ASSERT_FALSE(bool(message.writeTo(**file)));
  ASSERT_FALSE(bool((*file)->commit()));
}

inline std::string toBytes(const MessageWriter &message) {
  TemporaryFolder folder;
  writeMessage(message, folder / "message");
  return readBytes(folder / "message");
}

inline llvm::Expected<std::unique_ptr<ParsedModel>>
parseBytes(llvm::StringRef bytes) {
  return parseModel(MappedFile::fromMemory(bytes, "model.onnx"));
}

inline std::unique_ptr<ParsedModel> parse(const MessageWriter &model) {
  auto parsed = parseBytes(toBytes(model));
  if (parsed)
    return std::move(*parsed);
  ADD_FAILURE() << llvm::toString(parsed.takeError());
  return nullptr;
}

using Build = llvm::function_ref<void(MessageWriter &)>;

/// A model whose graph "g" is what `build` makes of it.
inline MessageWriter modelOf(Build build) {
  MessageWriter model;
  model.addInt(proto::ModelField::IRVersion, 8);
  model.addMessage(proto::ModelField::Graph, [&](MessageWriter &graph) {
    graph.addString(proto::GraphField::Name, "g");
    build(graph);
  });
  return model;
}

/// A model with one attribute "a" of one node.
inline MessageWriter modelOfAttribute(Build build) {
  return modelOf([&](MessageWriter &graph) {
    graph.addMessage(proto::GraphField::Node, [&](MessageWriter &node) {
      node.addString(proto::NodeField::Name, "n");
      node.addMessage(proto::NodeField::Attribute, [&](MessageWriter &a) {
        a.addString(proto::AttributeField::Name, "a");
        build(a);
      });
    });
  });
}

/// A model with one of everything.
MessageWriter getSampleModel();

} // namespace inlay

#endif // INLAY_UNITTESTS_ONNX_SMALLMODEL_H
