//===- ImportTypes.cpp - Types, tensors and attributes --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ImportTypes.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Support/Error.h"
#include "mlir/IR/Builders.h"

using namespace inlay;
using namespace inlay::onnx;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// What people see of a type that is kept as bytes.
static std::string describe(const proto::Type &type) {
  switch (type.kind) {
  case proto::Type::Kind::Sequence:
    return "sequence";
  case proto::Type::Kind::Map:
    return "map";
  case proto::Type::Kind::Optional:
    return "optional";
  case proto::Type::Kind::SparseTensor:
    return "sparse_tensor";
  default:
    return "opaque";
  }
}

static llvm::Expected<Type> importTensorType(MLIRContext *context,
                                             const proto::Type &type) {
  if (type.elementType == 0)
    return UnknownType::get(context);
  std::optional<ElementType> element = getElementType(type.elementType);
  if (!element)
    return modelError("element type " + llvm::Twine(type.elementType) +
                      " is unknown");
  Type elementType = getMlirElementType(context, *element);
  if (!type.hasShape)
    return UnrankedTensorType::get(elementType);
  if (type.dims.size() > maxTensorRank)
    return modelError("rank " + llvm::Twine(type.dims.size()) +
                      " exceeds the largest supported, " +
                      llvm::Twine(maxTensorRank));
  SmallVector<int64_t> shape, known;
  for (const proto::Dim &dim : type.dims) {
    bool isKnown = dim.kind == proto::Dim::Kind::Value && dim.value >= 0;
    shape.push_back(isKnown ? dim.value : ShapedType::kDynamic);
    if (isKnown && dim.value > 0)
      known.push_back(dim.value);
  }
  std::optional<int64_t> count = getNumElements(known);
  if (!count || *count > (int64_t(1) << 56))
    return modelError("shape " + formatShape(known) +
                      " has more elements than can be counted");
  return RankedTensorType::get(shape, elementType);
}

llvm::Expected<Type> onnx::importType(MLIRContext *context,
                                      const proto::Type *type) {
  if (!type || type->kind == proto::Type::Kind::Unset)
    return UnknownType::get(context);
  if (type->kind == proto::Type::Kind::Tensor)
    return importTensorType(context, *type);
  return OpaqueValueType::get(context, describe(*type),
                              StringRef(type->raw.data(), type->raw.size()));
}

ArrayAttr onnx::importDimNames(MLIRContext *context, const proto::Type *type) {
  if (!type || llvm::none_of(type->dims, [](const proto::Dim &dim) {
        return dim.kind == proto::Dim::Kind::Param && !dim.param.empty();
      }))
    return {};
  SmallVector<Attribute> names;
  for (const proto::Dim &dim : type->dims)
    names.push_back(StringAttr::get(
        context, dim.kind == proto::Dim::Kind::Param ? dim.param : ""));
  return ArrayAttr::get(context, names);
}

DictionaryAttr onnx::importMetadata(MLIRContext *context,
                                    ArrayRef<proto::StringEntry> entries) {
  if (entries.empty())
    return {};
  NamedAttrList list;
  for (const proto::StringEntry &entry : entries)
    if (!entry.key.empty())
      list.set(entry.key, StringAttr::get(context, entry.value));
  return list.getDictionary(context);
}

ArrayAttr onnx::importRaw(MLIRContext *context, ArrayRef<proto::Raw> messages) {
  if (messages.empty())
    return {};
  SmallVector<Attribute> list;
  for (proto::Raw raw : messages)
    list.push_back(StringAttr::get(context, StringRef(raw.data(), raw.size())));
  return ArrayAttr::get(context, list);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

AttributeImporter::AttributeImporter(MLIRContext *context,
                                     std::shared_ptr<const MappedFile> file,
                                     llvm::ArrayRef<std::string> dataRoots)
    : context(context), file(file), externals(*file, dataRoots) {}

llvm::Expected<TypedAttr>
AttributeImporter::importTensor(const proto::Tensor &tensor) {
  auto data = locateTensorData(tensor, file, externals);
  if (!data)
    return data.takeError();
  if (!data->isRange())
    return getConstantAttr(context, data->decoded);
  // Also files of which only small tensors are used must not be overwritten.
  auto *dialect = context->getLoadedDialect<InlayDialect>();
  dialect->getDataFiles().add(data->range.file);
  if (data->range.length <= maxInlineBytes) {
    auto host = readHostTensor(*data);
    if (!host)
      return host.takeError();
    return getConstantAttr(context, *host);
  }
  auto type = RankedTensorType::get(data->shape,
                                    getMlirElementType(context, data->type));
  return TypedAttr(DataAttr::get(
      context, StringAttr::get(context, data->range.file->getPath()),
      data->range.offset, data->range.length, type));
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

llvm::Expected<Attribute>
AttributeImporter::importAttribute(const proto::Attribute &attribute) {
  Builder builder(context);
  switch (attribute.kind) {
  case proto::AttributeKind::Float:
    return Attribute(builder.getF32FloatAttr(attribute.getFloat()));
  case proto::AttributeKind::Int:
    return Attribute(builder.getI64IntegerAttr(attribute.getInt()));
  case proto::AttributeKind::String:
    return Attribute(builder.getStringAttr(attribute.getString()));
  case proto::AttributeKind::Floats:
    return Attribute(builder.getDenseF32ArrayAttr(attribute.getFloats()));
  case proto::AttributeKind::Ints:
    return Attribute(builder.getDenseI64ArrayAttr(attribute.getInts()));
  case proto::AttributeKind::Strings:
    return Attribute(builder.getStrArrayAttr(attribute.getStrings()));
  case proto::AttributeKind::Tensor: {
    auto tensor = importTensor(attribute.getTensor());
    if (!tensor)
      return tensor.takeError();
    return Attribute(*tensor);
  }
  default:
    return Attribute(ProtoAttr::get(
        context, builder.getStringAttr(
                     StringRef(attribute.raw.data(), attribute.raw.size()))));
  }
}
