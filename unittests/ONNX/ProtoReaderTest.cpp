//===- ProtoReaderTest.cpp ------------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallModel.h"

using namespace inlay;
using namespace inlay::proto;

static StringRef textOf(Raw raw) { return {raw.data(), raw.size()}; }

static std::string failToParse(const MessageWriter &model) {
  return messageOf(parseBytes(toBytes(model)), ExitCode::Model);
}

//===----------------------------------------------------------------------===//
// What is read
//===----------------------------------------------------------------------===//

TEST(ProtoReader, ReadsTheFieldsOfModels) {
  auto parsed = parse(getSampleModel());
  ASSERT_TRUE(parsed);
  const Model &model = parsed->message;
  EXPECT_EQ(model.irVersion, 10);
  EXPECT_EQ(model.modelVersion, 3);
  EXPECT_EQ(model.producerName, "producer");
  EXPECT_EQ(model.producerVersion, "1.0");
  EXPECT_EQ(model.domain, "org.example");
  EXPECT_EQ(model.docString, "a model");
  EXPECT_TRUE(model.hasGraph);
  ASSERT_EQ(model.opsetImports.size(), 1u);
  EXPECT_EQ(model.opsetImports[0].version, 17);
  ASSERT_EQ(model.metadata.size(), 1u);
  EXPECT_EQ(model.metadata[0].key, "author");
  EXPECT_EQ(model.metadata[0].value, "me");
  EXPECT_EQ(textOf(model.trainingInfos[0]), "training");
  EXPECT_EQ(textOf(model.deviceConfigurations[0]), "configuration");
  EXPECT_EQ(model.functions.size(), 1u);
}

TEST(ProtoReader, ReadsTheFieldsOfGraphs) {
  auto parsed = parse(getSampleModel());
  ASSERT_TRUE(parsed);
  const Graph &graph = parsed->message.graph;
  EXPECT_EQ(graph.name, "g");
  EXPECT_EQ(graph.docString, "a graph");
  EXPECT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(graph.inputs[0].name, "x");
  EXPECT_EQ(graph.outputs[0].name, "y");
  EXPECT_EQ(graph.valueInfos[0].name, "v");
  EXPECT_EQ(graph.valueInfos[0].docString, "a value");
  EXPECT_EQ(graph.valueInfos[0].metadata[0].value, "metre");
  EXPECT_EQ(textOf(graph.quantizationAnnotations[0]), "annotation");
  EXPECT_EQ(graph.metadata[0].key, "k");
  const SparseTensor &sparse = graph.sparseInitializers[0];
  EXPECT_EQ(sparse.dims, ArrayRef<int64_t>({1000}));
  EXPECT_EQ(sparse.values->name, "w");
  EXPECT_EQ(sparse.indices->dims, ArrayRef<int64_t>({2}));
}

TEST(ProtoReader, ReadsTheFieldsOfNodes) {
  auto parsed = parse(getSampleModel());
  ASSERT_TRUE(parsed);
  const Node &node = parsed->message.graph.nodes[0];
  EXPECT_EQ(node.name, "conv1");
  EXPECT_EQ(node.opType, "Conv");
  EXPECT_EQ(node.domain, "d");
  EXPECT_EQ(node.overload, "o");
  EXPECT_EQ(node.docString, "a convolution");
  EXPECT_EQ(node.inputs, ArrayRef<StringRef>({"x", ""}));
  EXPECT_EQ(node.outputs, ArrayRef<StringRef>({"y"}));
  EXPECT_EQ(node.metadata[0].value, "v");
  EXPECT_EQ(textOf(node.deviceConfigurations[0]), "device");

  ASSERT_EQ(node.attributes.size(), 4u);
  EXPECT_EQ(node.attributes[0].name, "pads");
  EXPECT_EQ(node.attributes[0].getInts(), ArrayRef<int64_t>({1, -1, 300}));
  EXPECT_EQ(node.attributes[1].getFloat(), 0.5f);
  EXPECT_EQ(node.attributes[2].getTensor().name, "w");
  EXPECT_EQ(node.attributes[3].getGraph().name, "inner");
  EXPECT_EQ(node.attributes[3].getGraph().outputs[0].name, "z");
}

TEST(ProtoReader, ReadsTheFieldsOfTypes) {
  auto parsed = parse(getSampleModel());
  ASSERT_TRUE(parsed);
  const Type &type = *parsed->message.graph.inputs[0].type;
  EXPECT_EQ(type.kind, Type::Kind::Tensor);
  EXPECT_EQ(type.elementType, 1);
  EXPECT_EQ(type.denotation, "IMAGE");
  ASSERT_TRUE(type.hasShape);
  ASSERT_EQ(type.dims.size(), 3u);
  EXPECT_EQ(type.dims[0].kind, Dim::Kind::Param);
  EXPECT_EQ(type.dims[0].param, "N");
  EXPECT_EQ(type.dims[0].denotation, "DATA_BATCH");
  EXPECT_EQ(type.dims[1].kind, Dim::Kind::Value);
  EXPECT_EQ(type.dims[1].value, 3);
  EXPECT_EQ(type.dims[2].kind, Dim::Kind::Unknown);
}

TEST(ProtoReader, ReadsTheFieldsOfTensors) {
  auto parsed = parse(getSampleModel());
  ASSERT_TRUE(parsed);
  const Tensor &tensor = parsed->message.graph.initializers[0];
  EXPECT_EQ(tensor.name, "w");
  EXPECT_EQ(tensor.docString, "weights");
  EXPECT_EQ(tensor.dims, ArrayRef<int64_t>({2, 1}));
  EXPECT_EQ(tensor.dataType, 1);
  EXPECT_TRUE(tensor.hasRawData);
  EXPECT_EQ(textOf(tensor.rawData), "01234567");
  EXPECT_EQ(tensor.typedField, 0);
  EXPECT_EQ(tensor.metadata[0].value, "training");
}

TEST(ProtoReader, ReadsTheFieldsOfFunctions) {
  auto parsed = parse(getSampleModel());
  ASSERT_TRUE(parsed);
  const Function &function = parsed->message.functions[0];
  EXPECT_EQ(function.name, "f");
  EXPECT_EQ(function.domain, "local");
  EXPECT_EQ(function.overload, "1");
  EXPECT_EQ(function.docString, "doc");
  EXPECT_EQ(function.inputs, ArrayRef<StringRef>({"a"}));
  EXPECT_EQ(function.outputs, ArrayRef<StringRef>({"b"}));
  EXPECT_EQ(function.attributes, ArrayRef<StringRef>({"alpha"}));
  EXPECT_EQ(function.attributeDefaults[0].getInt(), 7);
  EXPECT_EQ(function.nodes[0].opType, "Elu");
  EXPECT_EQ(function.nodes[0].attributes[0].refName, "alpha");
  EXPECT_EQ(function.opsetImports[0].version, 17);
  EXPECT_EQ(function.valueInfos[0].name, "b");
  EXPECT_EQ(function.metadata[0].key, "k");
}

TEST(ProtoReader, ReadsNestedTypes) {
  auto parsed = parse(modelOf([](MessageWriter &graph) {
    graph.addMessage(GraphField::Input, [](MessageWriter &info) {
      info.addMessage(ValueInfoField::Type, [](MessageWriter &type) {
        type.addMessage(TypeField::OptionalType, [](MessageWriter &optional) {
          optional.addMessage(
              ElementTypeField::ElemType, [](MessageWriter &element) {
                element.addMessage(TypeField::MapType, [](MessageWriter &map) {
                  map.addInt(MapTypeField::KeyType, 7);
                  map.addMessage(MapTypeField::ValueType,
                                 [](MessageWriter &) {});
                });
              });
        });
      });
    });
  }));
  ASSERT_TRUE(parsed);
  const Type &type = *parsed->message.graph.inputs[0].type;
  EXPECT_EQ(type.kind, Type::Kind::Optional);
  EXPECT_EQ(type.element->kind, Type::Kind::Map);
  EXPECT_EQ(type.element->elementType, 7);
  EXPECT_EQ(type.element->element->kind, Type::Kind::Unset);
}

TEST(ProtoReader, ViewsLookIntoTheFile) {
  auto parsed = parse(getSampleModel());
  ASSERT_TRUE(parsed);
  const Tensor &tensor = parsed->message.graph.initializers[0];
  EXPECT_TRUE(parsed->file->getOffset(tensor.rawData).has_value());
}

TEST(ProtoReader, RefusesAnEmptyFile) {
  EXPECT_CONTAINS(messageOf(parseBytes(""), ExitCode::Model),
                  "not an ONNX file: it is empty");
}

//===----------------------------------------------------------------------===//
// Variants of the encoding
//===----------------------------------------------------------------------===//

TEST(ProtoReader, RepeatedNumbersMayBePackedAndNot) {
  auto parsed = parse(modelOfAttribute([](MessageWriter &attribute) {
    attribute.addInt(AttributeField::Type, int64_t(AttributeKind::Ints));
    attribute.addInt(AttributeField::Ints, 1);
    attribute.addPackedInts(AttributeField::Ints, {-2, 3});
  }));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->message.graph.nodes[0].attributes[0].getInts(),
            ArrayRef<int64_t>({1, -2, 3}));

  parsed = parse(modelOfAttribute([](MessageWriter &attribute) {
    attribute.addInt(AttributeField::Type, int64_t(AttributeKind::Floats));
    attribute.addPackedFloats(AttributeField::Floats, {1, 2});
    attribute.addFloat(AttributeField::Floats, 3);
  }));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->message.graph.nodes[0].attributes[0].getFloats(),
            ArrayRef<float>({1, 2, 3}));
}

TEST(ProtoReader, OfAFieldGivenTwiceTheLastCounts) {
  MessageWriter model;
  model.addInt(ModelField::IRVersion, 3);
  model.addInt(ModelField::IRVersion, 4);
  model.addString(ModelField::Domain, "a");
  model.addString(ModelField::Domain, "b");
  auto parsed = parse(model);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->message.irVersion, 4);
  EXPECT_EQ(parsed->message.domain, "b");
}

TEST(ProtoReader, AMessageGivenTwiceIsMerged) {
  MessageWriter model;
  model.addMessage(ModelField::Graph, [](MessageWriter &graph) {
    graph.addString(GraphField::Name, "first");
    graph.addString(GraphField::Node, "");
  });
  model.addMessage(ModelField::Graph, [](MessageWriter &graph) {
    graph.addString(GraphField::Name, "second");
    graph.addString(GraphField::Node, "");
  });
  auto parsed = parse(model);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->message.graph.name, "second");
  EXPECT_EQ(parsed->message.graph.nodes.size(), 2u);
}

TEST(ProtoReader, OfAOneofTheLastMemberCounts) {
  auto parsed = parse(modelOf([](MessageWriter &graph) {
    graph.addMessage(GraphField::Input, [](MessageWriter &info) {
      info.addMessage(ValueInfoField::Type, [](MessageWriter &type) {
        type.addString(TypeField::SequenceType, "");
        type.addMessage(TypeField::TensorType, [](MessageWriter &tensor) {
          tensor.addInt(TensorTypeField::ElemType, 7);
        });
      });
    });
  }));
  ASSERT_TRUE(parsed);
  const Type &type = *parsed->message.graph.inputs[0].type;
  EXPECT_EQ(type.kind, Type::Kind::Tensor);
  EXPECT_EQ(type.elementType, 7);
  EXPECT_FALSE(type.hasShape);
}

TEST(ProtoReader, UnknownFieldsAreSkipped) {
  MessageWriter model;
  model.addInt(1000, 1);
  model.addFloat(1001, 1);
  model.addString(1002, "x");
  model.addInt(ModelField::IRVersion, 4);
  auto parsed = parse(model);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->message.irVersion, 4);
}

TEST(ProtoReader, AnAttributeWithoutTypeHasThatOfItsValue) {
  auto parsed = parse(modelOfAttribute([](MessageWriter &attribute) {
    attribute.addString(AttributeField::S, "text");
  }));
  ASSERT_TRUE(parsed);
  const Attribute &attribute = parsed->message.graph.nodes[0].attributes[0];
  EXPECT_EQ(attribute.kind, AttributeKind::String);
  EXPECT_EQ(attribute.getString(), "text");
}

TEST(ProtoReader, AnAbsentValueIsZero) {
  for (unsigned kind = 1; kind <= unsigned(AttributeKind::TypeProtos); ++kind) {
    auto parsed = parse(modelOfAttribute([&](MessageWriter &attribute) {
      attribute.addInt(AttributeField::Type, kind);
    }));
    ASSERT_TRUE(parsed);
    const Attribute &attribute = parsed->message.graph.nodes[0].attributes[0];
    bool isSingle = !proto::getName(AttributeKind(kind)).ends_with("s");
    EXPECT_EQ(attribute.count, isSingle ? 1u : 0u) << kind;
  }
}

TEST(ProtoReader, NamesNeedNotBeUtf8) {
  MessageWriter model;
  model.addString(ModelField::Domain, "\xff\xfe");
  auto parsed = parse(model);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->message.domain, "\xff\xfe");
}

//===----------------------------------------------------------------------===//
// What is refused, and where
//===----------------------------------------------------------------------===//

TEST(ProtoReader, SaysWhereALengthPassesTheEnd) {
  // A tag of the attribute's ints, a length of 400 and two bytes.
  MessageWriter model = modelOfAttribute([](MessageWriter &attribute) {
    attribute.addInt(AttributeField::Type, int64_t(AttributeKind::Ints));
    attribute.addEncoded({'\x42', '\x90', '\x03', '\x01', '\x02'});
  });
  EXPECT_EQ(failToParse(model),
            "model.onnx: graph 'g', node 0 'n', attribute 0 'a': length 400 "
            "exceeds the 2 bytes left at byte 23");
}

TEST(ProtoReader, RefusesLengthsBeyond32Bits) {
  // 2^32 + 2: what fits when it is cut to 32 bits.
  std::string bytes = std::string("\x22\x82\x80\x80\x80\x10", 6) + "abcd";
  EXPECT_CONTAINS(messageOf(parseBytes(bytes), ExitCode::Model),
                  "length 4294967298 exceeds the 4 bytes left");
}

TEST(ProtoReader, RefusesDamagedNumbers) {
  EXPECT_CONTAINS(messageOf(parseBytes("\x08\x80"), ExitCode::Model),
                  "cut off or longer than ten bytes at byte 1");
  EXPECT_CONTAINS(
      messageOf(parseBytes("\x08" + std::string(11, '\xff')), ExitCode::Model),
      "cut off or longer than ten bytes");
  EXPECT_CONTAINS(messageOf(parseBytes(StringRef("\0\0", 2)), ExitCode::Model),
                  "field number 0");
  EXPECT_CONTAINS(messageOf(parseBytes("\x0b"), ExitCode::Model),
                  "wire type 3");
}

TEST(ProtoReader, RefusesWrongWireTypes) {
  MessageWriter model;
  model.addString(ModelField::IRVersion, "x");
  EXPECT_CONTAINS(failToParse(model), "field 1 has a length-delimited value, "
                                      "required a varint one at byte 0");
  MessageWriter other;
  other.addInt(ModelField::Graph, 1);
  EXPECT_CONTAINS(failToParse(other), "required a length-delimited one");
}

TEST(ProtoReader, RefusesUnknownAttributeTypes) {
  for (int64_t type : {int64_t(-1), int64_t(15), INT64_MAX})
    EXPECT_CONTAINS(failToParse(modelOfAttribute([&](MessageWriter &attribute) {
                      attribute.addInt(AttributeField::Type, type);
                    })),
                    "unknown attribute type");
}

TEST(ProtoReader, RefusesPackedFloatsOfOddSize) {
  EXPECT_CONTAINS(failToParse(modelOfAttribute([](MessageWriter &attribute) {
                    attribute.addInt(AttributeField::Type,
                                     int64_t(AttributeKind::Floats));
                    attribute.addString(AttributeField::Floats, "12345");
                  })),
                  "packed floats take 5 bytes");
}

/// `depth` graphs, each in an attribute of the one around it.
static MessageWriter getNestedGraphs(unsigned depth) {
  MessageWriter graph;
  for (unsigned i = 1; i != depth; ++i) {
    MessageWriter attribute, node, outer;
    attribute.addMessage(AttributeField::G, std::move(graph));
    attribute.addInt(AttributeField::Type, int64_t(AttributeKind::Graph));
    node.addMessage(NodeField::Attribute, std::move(attribute));
    outer.addMessage(GraphField::Node, std::move(node));
    graph = std::move(outer);
  }
  MessageWriter model;
  model.addMessage(ModelField::Graph, std::move(graph));
  return model;
}

TEST(ProtoReader, BoundsTheNestingOfGraphs) {
  EXPECT_TRUE(parse(getNestedGraphs(maxGraphNesting)));
  EXPECT_CONTAINS(failToParse(getNestedGraphs(maxGraphNesting + 1)),
                  "graphs nest deeper than 64 levels");
  failToParse(getNestedGraphs(2000));
}

static MessageWriter getNestedTypes(unsigned depth) {
  MessageWriter type;
  for (unsigned i = 1; i != depth; ++i) {
    MessageWriter sequence, outer;
    sequence.addMessage(ElementTypeField::ElemType, std::move(type));
    outer.addMessage(TypeField::SequenceType, std::move(sequence));
    type = std::move(outer);
  }
  return modelOf([&](MessageWriter &graph) {
    graph.addMessage(GraphField::Input, [&](MessageWriter &info) {
      info.addMessage(ValueInfoField::Type, std::move(type));
    });
  });
}

TEST(ProtoReader, BoundsTheNestingOfTypes) {
  EXPECT_TRUE(parse(getNestedTypes(maxTypeNesting)));
  EXPECT_CONTAINS(failToParse(getNestedTypes(maxTypeNesting + 1)),
                  "types nest deeper than 64 levels");
}

TEST(ProtoReader, QuotesNamesForMessages) {
  EXPECT_EQ(quoteForMessage("conv1"), "'conv1'");
  EXPECT_EQ(quoteForMessage("a\n\xff"), "'a\\0A\\FF'");
  EXPECT_EQ(quoteForMessage(std::string(200, 'x')).size(), 125u);
}
