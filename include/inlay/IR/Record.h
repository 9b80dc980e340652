//===- Record.h - Results of passes as attributes ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass leaves what it has found, for reports, as a dictionary on the function
// or the module. A struct takes part by naming its fields once, for both ways:
//
//   template <typename Visitor>
//   void visitFields(Cost &cost, Visitor &&visit) {
//     visit("bytes", cost.bytes);
//     visit("count", cost.count);
//   }
//
//   func->setAttr("inlay.cost", toAttribute(context, cost));
//   Cost cost = fromAttribute<Cost>(func->getAttr("inlay.cost"));
//
// Reading is lenient: what is missing or of another kind keeps its default.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_RECORD_H
#define INLAY_IR_RECORD_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace inlay {

template <typename T> mlir::Attribute toAttribute(mlir::MLIRContext *, T &);
template <typename T> void readAttribute(mlir::Attribute, T &);

namespace record {

template <typename T>
inline constexpr bool isNumber = std::is_integral_v<T> || std::is_enum_v<T>;

/// Everything else is a struct with fields.
template <typename T> struct Form {
  static mlir::Attribute write(mlir::MLIRContext *context, T &value) {
    mlir::NamedAttrList fields;
    visitFields(value, [&](llvm::StringRef name, auto &field) {
      if (mlir::Attribute attribute = toAttribute(context, field))
        fields.append(name, attribute);
    });
    return fields.getDictionary(context);
  }
  static void read(mlir::Attribute attribute, T &value) {
    auto fields = llvm::dyn_cast<mlir::DictionaryAttr>(attribute);
    if (!fields)
      return;
    visitFields(value, [&](llvm::StringRef name, auto &field) {
      if (mlir::Attribute own = fields.get(name))
        readAttribute(own, field);
    });
  }
};

template <typename T>
  requires isNumber<T>
struct Form<T> {
  static mlir::Attribute write(mlir::MLIRContext *context, T &value) {
    return mlir::Builder(context).getI64IntegerAttr(int64_t(value));
  }
  static void read(mlir::Attribute attribute, T &value) {
    if (auto number = llvm::dyn_cast<mlir::IntegerAttr>(attribute))
      if (number.getType().isInteger(64))
        value = T(number.getInt());
  }
};

template <> struct Form<std::string> {
  static mlir::Attribute write(mlir::MLIRContext *context, std::string &value) {
    return mlir::StringAttr::get(context, value);
  }
  static void read(mlir::Attribute attribute, std::string &value) {
    if (auto text = llvm::dyn_cast<mlir::StringAttr>(attribute))
      value = text.getValue().str();
  }
};

/// Nothing is no field.
template <typename T> struct Form<std::optional<T>> {
  static mlir::Attribute write(mlir::MLIRContext *context,
                               std::optional<T> &value) {
    return value ? toAttribute(context, *value) : mlir::Attribute();
  }
  static void read(mlir::Attribute attribute, std::optional<T> &value) {
    readAttribute(attribute, value.emplace());
  }
};

template <typename T> struct Form<std::vector<T>> {
  static mlir::Attribute write(mlir::MLIRContext *context,
                               std::vector<T> &values) {
    llvm::SmallVector<mlir::Attribute> list;
    for (T &value : values)
      list.push_back(toAttribute(context, value));
    return mlir::ArrayAttr::get(context, list);
  }
  static void read(mlir::Attribute attribute, std::vector<T> &values) {
    auto list = llvm::dyn_cast<mlir::ArrayAttr>(attribute);
    values.clear();
    for (mlir::Attribute each :
         list ? list.getValue() : llvm::ArrayRef<mlir::Attribute>())
      readAttribute(each, values.emplace_back());
  }
};

template <typename T> struct Form<std::map<std::string, T>> {
  static mlir::Attribute write(mlir::MLIRContext *context,
                               std::map<std::string, T> &values) {
    mlir::NamedAttrList fields;
    for (auto &[name, value] : values)
      fields.append(name, toAttribute(context, value));
    return fields.getDictionary(context);
  }
  static void read(mlir::Attribute attribute,
                   std::map<std::string, T> &values) {
    values.clear();
    if (auto fields = llvm::dyn_cast<mlir::DictionaryAttr>(attribute))
      for (mlir::NamedAttribute field : fields)
        readAttribute(field.getValue(), values[field.getName().str()]);
  }
};

} // namespace record

template <typename T>
mlir::Attribute toAttribute(mlir::MLIRContext *context, T &value) {
  return record::Form<T>::write(context, value);
}

template <typename T> void readAttribute(mlir::Attribute attribute, T &value) {
  record::Form<T>::read(attribute, value);
}

/// The record `name` of an operation; nothing where it has none.
template <typename T>
std::optional<T> readRecord(mlir::Operation *op, llvm::StringRef name) {
  mlir::Attribute attribute = op->getAttr(name);
  if (!attribute)
    return std::nullopt;
  std::optional<T> value;
  readAttribute(attribute, value.emplace());
  return value;
}

template <typename T>
void writeRecord(mlir::Operation *op, llvm::StringRef name, T value) {
  op->setAttr(name, toAttribute(op->getContext(), value));
}

} // namespace inlay

#endif // INLAY_IR_RECORD_H
