//===- TensorDataTest.cpp -------------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallModel.h"

using namespace inlay;
using namespace inlay::proto;

namespace {

/// Parses one TensorProto and finds its elements.
class TensorDataTest : public testing::Test {
protected:
  llvm::Expected<TensorData> locate(Build build) {
    MessageWriter message;
    build(message);
    auto file = MappedFile::fromMemory(toBytes(message), "t.pb");
    auto tensor = parseTensor(file);
    if (!tensor)
      return tensor.takeError();
    // Keeps the views alive.
    parsed = std::move(*tensor);
    ExternalFiles externals("t.pb");
    return locateTensorData(parsed->message, file, externals);
  }

  HostTensor read(Build build) {
    auto data = locate(build);
    if (!data) {
      ADD_FAILURE() << llvm::toString(data.takeError());
      return HostTensor();
    }
    auto tensor = readHostTensor(*data);
    if (tensor)
      return *tensor;
    ADD_FAILURE() << llvm::toString(tensor.takeError());
    return HostTensor();
  }

  std::string fail(Build build) {
    return messageOf(locate(build), ExitCode::Model);
  }

  std::unique_ptr<ParsedTensor> parsed;
};

} // namespace

static void addHeader(MessageWriter &tensor, ElementType type,
                      ArrayRef<int64_t> dims) {
  tensor.addInts(TensorField::Dims, dims);
  tensor.addInt(TensorField::DataType, int64_t(type));
  tensor.addString(TensorField::Name, "t");
}

TEST_F(TensorDataTest, RawDataIsARangeOfTheFile) {
  auto data = locate([](MessageWriter &tensor) {
    addHeader(tensor, ElementType::Float, {2});
    tensor.addString(TensorField::RawData, StringRef("\0\0\x80?\0\0\0@", 8));
  });
  ASSERT_TRUE(bool(data));
  ASSERT_TRUE(data->isRange());
  EXPECT_FALSE(data->isExternal);
  EXPECT_EQ(data->range.file, parsed->file);
  EXPECT_EQ(data->getByteSize(), 8u);
  auto tensor = readHostTensor(*data);
  ASSERT_TRUE(bool(tensor));
  EXPECT_EQ(tensor->getData<float>(), ArrayRef<float>({1, 2}));
}

TEST_F(TensorDataTest, PackedFloatsAreARangeOfTheFile) {
  auto data = locate([](MessageWriter &tensor) {
    addHeader(tensor, ElementType::Complex64, {1});
    tensor.addPackedFloats(TensorField::FloatData, {1, 2});
  });
  ASSERT_TRUE(bool(data));
  EXPECT_TRUE(data->isRange());
  EXPECT_EQ(data->range.length, 8u);
}

TEST_F(TensorDataTest, ScatteredFloatsAreDecoded) {
  HostTensor tensor = read([](MessageWriter &tensor) {
    addHeader(tensor, ElementType::Float, {4});
    tensor.addFloat(TensorField::FloatData, 1);
    tensor.addPackedFloats(TensorField::FloatData, {2, 3});
    tensor.addFloat(TensorField::FloatData, 4);
  });
  EXPECT_EQ(tensor.getData<float>(), ArrayRef<float>({1, 2, 3, 4}));
}

TEST_F(TensorDataTest, IntegersAreDecodedFromTheFieldOfTheirType) {
  auto readInts = [&](ElementType type, unsigned field,
                      ArrayRef<int64_t> values) {
    HostTensor tensor = read([&](MessageWriter &message) {
      addHeader(message, type, {int64_t(values.size())});
      message.addPackedInts(field, values);
    });
    EXPECT_EQ(tensor.getType(), type);
    return tensor.getInts();
  };
  using Ints = llvm::SmallVector<int64_t>;
  constexpr unsigned ints = TensorField::Int32Data;
  constexpr unsigned uints = TensorField::UInt64Data;
  EXPECT_EQ(readInts(ElementType::Int32, ints, {-5, 1 << 30}),
            Ints({-5, 1 << 30}));
  EXPECT_EQ(readInts(ElementType::Int16, ints, {-5, 32767}), Ints({-5, 32767}));
  EXPECT_EQ(readInts(ElementType::UInt8, ints, {255}), Ints({255}));
  EXPECT_EQ(readInts(ElementType::Bool, ints, {1, 0}), Ints({1, 0}));
  EXPECT_EQ(readInts(ElementType::Int64, TensorField::Int64Data, {INT64_MIN}),
            Ints({INT64_MIN}));
  EXPECT_EQ(readInts(ElementType::UInt32, uints, {UINT32_MAX}),
            Ints({UINT32_MAX}));
}

TEST_F(TensorDataTest, BitsOfSmallFloatsAreDecoded) {
  HostTensor half = read([](MessageWriter &tensor) {
    addHeader(tensor, ElementType::Float16, {2});
    // 1.0, and -1.0 with its sign extended.
    tensor.addPackedInts(TensorField::Int32Data,
                         {0x3c00, int16_t(uint16_t(0xbc00))});
  });
  EXPECT_EQ(half.getData<uint16_t>(), ArrayRef<uint16_t>({0x3c00, 0xbc00}));
}

TEST_F(TensorDataTest, PackedElementsBeginInTheLowBits) {
  for (bool isRaw : {true, false}) {
    HostTensor tensor = read([&](MessageWriter &message) {
      addHeader(message, ElementType::Int4, {3});
      if (isRaw)
        message.addString(TensorField::RawData, "\x81\x07");
      else
        message.addPackedInts(TensorField::Int32Data, {0x81, 0x07});
    });
    EXPECT_EQ(tensor.getData<int8_t>(), ArrayRef<int8_t>({1, -8, 7}));
  }
  HostTensor unsignedTensor = read([](MessageWriter &message) {
    addHeader(message, ElementType::UInt4, {2});
    message.addString(TensorField::RawData, "\x81");
  });
  EXPECT_EQ(unsignedTensor.getData<uint8_t>(), ArrayRef<uint8_t>({1, 8}));
}

TEST_F(TensorDataTest, StringsAreDecoded) {
  HostTensor tensor = read([](MessageWriter &message) {
    addHeader(message, ElementType::String, {2});
    message.addString(TensorField::StringData, "");
    message.addString(TensorField::StringData, StringRef("a\0b", 3));
  });
  EXPECT_EQ(tensor.getStrings()[0], "");
  EXPECT_EQ(tensor.getStrings()[1], std::string("a\0b", 3));
}

TEST_F(TensorDataTest, AnEmptyTensorNeedsNoData) {
  HostTensor tensor = read([](MessageWriter &message) {
    addHeader(message, ElementType::Float, {3, 0});
  });
  EXPECT_EQ(tensor.getNumElements(), 0);
}

TEST_F(TensorDataTest, DataMustFitTheShape) {
  EXPECT_EQ(fail([](MessageWriter &tensor) {
              addHeader(tensor, ElementType::Float, {2, 3});
              tensor.addString(TensorField::RawData, "1234");
            }),
            "t.pb: tensor 't': raw data takes 4 bytes, its shape 2x3 of float "
            "requires 24");
  EXPECT_CONTAINS(fail([](MessageWriter &tensor) {
                    addHeader(tensor, ElementType::Int32, {3});
                    tensor.addPackedInts(TensorField::Int32Data, {1, 2});
                  }),
                  "holds 2 numbers, its shape 3 of int32 requires 3");
  EXPECT_CONTAINS(fail([](MessageWriter &tensor) {
                    addHeader(tensor, ElementType::Int32, {1});
                    tensor.addPackedInts(TensorField::Int32Data, {1, 2});
                  }),
                  "holds 2 numbers");
  EXPECT_CONTAINS(fail([](MessageWriter &tensor) {
                    addHeader(tensor, ElementType::Float, {3});
                    tensor.addPackedFloats(TensorField::FloatData, {1, 2});
                  }),
                  "requires 12");
  EXPECT_CONTAINS(fail([](MessageWriter &tensor) {
                    addHeader(tensor, ElementType::String, {3});
                    tensor.addString(TensorField::StringData, "a");
                  }),
                  "holds 1 strings");
}

TEST_F(TensorDataTest, HugeShapesTakeNoMemory) {
  for (ElementType type : {ElementType::Int32, ElementType::String})
    fail([&](MessageWriter &tensor) {
      addHeader(tensor, type, {int64_t(1) << 39});
    });
  EXPECT_CONTAINS(fail([](MessageWriter &tensor) {
                    addHeader(tensor, ElementType::Double,
                              {int64_t(1) << 40, int64_t(1) << 40});
                  }),
                  "does not fit into 63 bits");
}

TEST_F(TensorDataTest, RefusesImpossibleHeaders) {
  EXPECT_CONTAINS(fail([](MessageWriter &tensor) {
                    addHeader(tensor, ElementType::Float, {-1});
                  }),
                  "dimension -1 is negative");
  EXPECT_CONTAINS(fail([](MessageWriter &tensor) {
                    addHeader(tensor, ElementType(99), {1});
                  }),
                  "data type 99 is unknown");
  EXPECT_CONTAINS(fail([](MessageWriter &tensor) {
                    addHeader(tensor, ElementType::Float,
                              llvm::SmallVector<int64_t>(65, 1));
                  }),
                  "rank 65");
  EXPECT_CONTAINS(fail([](MessageWriter &tensor) {
                    addHeader(tensor, ElementType::Float, {1});
                    tensor.addInt(TensorField::DataLocation, 2);
                  }),
                  "data location 2");
  EXPECT_CONTAINS(fail([](MessageWriter &tensor) {
                    addHeader(tensor, ElementType::Float, {1});
                    tensor.addString(TensorField::Segment, "");
                  }),
                  "segments");
}

TEST_F(TensorDataTest, RefusesDataOfTheWrongKind) {
  EXPECT_CONTAINS(fail([](MessageWriter &tensor) {
                    addHeader(tensor, ElementType::Int64, {1});
                    tensor.addPackedInts(TensorField::Int32Data, {1});
                  }),
                  "has data in field 5, required field 7 for int64");
  EXPECT_CONTAINS(fail([](MessageWriter &tensor) {
                    addHeader(tensor, ElementType::Float, {1});
                    tensor.addString(TensorField::RawData, "1234");
                    tensor.addPackedFloats(TensorField::FloatData, {1});
                  }),
                  "both raw data and typed data");
  EXPECT_CONTAINS(fail([](MessageWriter &tensor) {
                    addHeader(tensor, ElementType::Float, {1});
                    tensor.addPackedInts(TensorField::Int32Data, {1});
                    tensor.addPackedFloats(TensorField::FloatData, {1});
                  }),
                  "several fields");
  EXPECT_CONTAINS(fail([](MessageWriter &tensor) {
                    addHeader(tensor, ElementType::String, {1});
                    tensor.addString(TensorField::RawData, "1234");
                  }),
                  "strings cannot be raw data");
}

TEST_F(TensorDataTest, RefusesNumbersOutsideTheirType) {
  auto failWith = [&](ElementType type, int64_t value) {
    return fail([&](MessageWriter &tensor) {
      addHeader(tensor, type, {1});
      tensor.addPackedInts(TensorField::Int32Data, {value});
    });
  };
  EXPECT_CONTAINS(failWith(ElementType::UInt8, 256),
                  "element 0 is 256, which is no uint8");
  failWith(ElementType::UInt8, -1);
  failWith(ElementType::Int8, 128);
  failWith(ElementType::Bool, 2);
  failWith(ElementType::Int32, int64_t(1) << 31);
}

TEST_F(TensorDataTest, MergedTensorsAreCopied) {
  // The attribute's tensor comes in two parts, which are nowhere adjacent.
  auto model = parse(modelOfAttribute([](MessageWriter &attribute) {
    attribute.addInt(AttributeField::Type, int64_t(AttributeKind::Tensor));
    attribute.addMessage(AttributeField::T, [](MessageWriter &tensor) {
      addHeader(tensor, ElementType::UInt8, {2});
    });
    attribute.addMessage(AttributeField::T, [](MessageWriter &tensor) {
      tensor.addString(TensorField::RawData, "ab");
    });
  }));
  ASSERT_TRUE(model);
  ExternalFiles externals("model.onnx");
  auto data =
      locateTensorData(model->message.graph.nodes[0].attributes[0].getTensor(),
                       model->file, externals);
  ASSERT_TRUE(bool(data));
  auto tensor = readHostTensor(*data);
  model.reset();
  ASSERT_TRUE(bool(tensor));
  EXPECT_EQ(tensor->getData<uint8_t>(), ArrayRef<uint8_t>({'a', 'b'}));
}

//===----------------------------------------------------------------------===//
// Files that are one tensor
//===----------------------------------------------------------------------===//

TEST(TensorFile, GivesBackWhatWasWritten) {
  TemporaryFolder folder;
  HostTensor strings(ElementType::String, {2});
  strings.getMutableStrings()[1] = "text";
  for (const HostTensor &tensor :
       {HostTensor::getInts({1, -2, 3}), strings,
        HostTensor::get<int8_t>(ElementType::Int4, {3}, {1, -8, 7}),
        HostTensor::get<float>(ElementType::Float, {}, {0.5f}),
        HostTensor(ElementType::Double, {0, 4})}) {
    std::string path = folder / "t.pb";
    ASSERT_FALSE(bool(writeTensorFile(path, tensor, "name")));
    std::string name;
    auto result = readTensorFile(path, &name);
    ASSERT_TRUE(bool(result));
    EXPECT_EQ(name, "name");
    EXPECT_EQ(result->getType(), tensor.getType());
    EXPECT_EQ(result->getShape(), tensor.getShape());
    if (tensor.getType() == ElementType::String)
      EXPECT_EQ(result->getStrings(), tensor.getStrings());
    else
      EXPECT_EQ(result->getBytes(), tensor.getBytes());
  }
}

TEST(TensorFile, RefusesDamagedAndMissingFiles) {
  TemporaryFolder folder;
  messageOf(readTensorFile(folder / "missing.pb"), ExitCode::IO);
  EXPECT_CONTAINS(
      messageOf(readTensorFile(folder.add("t.pb", "\x08")), ExitCode::Model),
      "t.pb");
}
