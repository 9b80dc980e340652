//===- AttrKinds.cpp - What a module says of its model, checked -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes and the exporter take the attributes of ModuleAttrs.h to be of their
// kinds. What comes from a text may be anything, so the kinds are verified.
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/InlayDialect.h"
#include "inlay/IR/ModuleAttrs.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace inlay;
using namespace mlir;

namespace {
/// Says whether an attribute is of a kind, and what the kind is called.
struct Kind {
  StringLiteral name;
  bool (*holds)(Attribute);
};
} // namespace

template <typename T> static bool is(Attribute attribute) {
  return isa<T>(attribute);
}

/// Whole numbers that fit the 64 bits in which ONNX has them.
static bool isInteger(Attribute attribute) {
  auto integer = dyn_cast<IntegerAttr>(attribute);
  return integer && integer.getType().isInteger(64);
}

template <bool (*holds)(Attribute)> static bool isArray(Attribute attribute) {
  auto array = dyn_cast<ArrayAttr>(attribute);
  return array && llvm::all_of(array, holds);
}

template <bool (*holds)(Attribute)>
static bool isDictionary(Attribute attribute) {
  auto dictionary = dyn_cast<DictionaryAttr>(attribute);
  return dictionary && llvm::all_of(dictionary, [](NamedAttribute entry) {
           return holds(entry.getValue());
         });
}

/// A constant's value: nothing else is a tensor.
static bool isElements(Attribute attribute) {
  auto typed = dyn_cast<TypedAttr>(attribute);
  return typed && isa<RankedTensorType>(typed.getType()) &&
         isa<DenseElementsAttr, DataAttr, StoredAttr, ScaledAttr>(attribute);
}

static bool isDataFile(Attribute attribute) {
  auto entries = dyn_cast<DictionaryAttr>(attribute);
  auto bytes = entries ? entries.getAs<IntegerAttr>("bytes") : IntegerAttr();
  return bytes && isInteger(bytes) && bytes.getInt() >= 0 &&
         entries.getAs<StringAttr>("file") &&
         entries.getAs<StringAttr>("sha256");
}

static constexpr Kind text{"a string", is<StringAttr>},
    texts{"an array of strings", isArray<is<StringAttr>>},
    textEntries{"a dictionary of strings", isDictionary<is<StringAttr>>},
    integer{"an integer of 64 bits", isInteger},
    integerEntries{"a dictionary of integers", isDictionary<isInteger>},
    flag{"a unit", is<UnitAttr>}, type{"a type", is<TypeAttr>},
    elements{"the elements of a tensor", isElements},
    removals{"an array of removed nodes", isArray<is<RemovedAttr>>},
    dataFile{"a data file with its bytes and checksum", isDataFile};

/// The kind that an attribute has wherever it stands; null for others' names.
static const Kind *getKind(StringRef name) {
  return llvm::StringSwitch<const Kind *>(name)
      .Cases(attrs::irVersion, attrs::modelVersion, &integer)
      .Case(attrs::opsets, &integerEntries)
      .Cases(attrs::producerName, attrs::producerVersion, attrs::domain, &text)
      .Cases(attrs::doc, attrs::name, attrs::graphName, &text)
      .Cases(attrs::target, attrs::kernel, &text)
      .Cases(attrs::trainingInfo, attrs::deviceConfigurations, &texts)
      .Cases(attrs::quantizationAnnotations, attrs::inputOrder, &texts)
      .Cases(attrs::dims, attrs::graphNames, attrs::stages, &texts)
      .Case(attrs::metadata, &textEntries)
      .Case(attrs::hasValueInfo, &flag)
      .Case(attrs::declaredType, &type)
      .Case(attrs::defaultValue, &elements)
      .Case(attrs::removed, &removals)
      .Case(attrs::data, &dataFile)
      .Default(nullptr);
}

static LogicalResult verifyKind(Operation *op, NamedAttribute attribute) {
  const Kind *kind = getKind(attribute.getName());
  if (!kind || kind->holds(attribute.getValue()))
    return success();
  return op->emitError() << "attribute '" << attribute.getName().strref()
                         << "' is not " << kind->name;
}

LogicalResult InlayDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  return verifyKind(op, attribute);
}

LogicalResult InlayDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                     unsigned,
                                                     NamedAttribute attribute) {
  return verifyKind(op, attribute);
}

LogicalResult
InlayDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned,
                                          NamedAttribute attribute) {
  return verifyKind(op, attribute);
}

//===----------------------------------------------------------------------===//
// OriginAttr
//===----------------------------------------------------------------------===//

/// The kind of an entry of `extra`; null for what has none.
static const Kind *getExtraKind(StringRef name) {
  static constexpr Kind dims{"names of dimensions",
                             isArray<isArray<is<StringAttr>>>};
  return llvm::StringSwitch<const Kind *>(name)
      .Case("doc", &text)
      .Case("metadata", &textEntries)
      .Case("device_configurations", &texts)
      .Case("dims", &dims)
      .Default(nullptr);
}

LogicalResult OriginAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringAttr, StringAttr, ArrayAttr outputs,
                                 DictionaryAttr extra) {
  if (!texts.holds(outputs))
    return emitError() << "outputs of a node are not " << texts.name;
  if (!extra)
    return success();
  for (NamedAttribute entry : extra)
    if (const Kind *kind = getExtraKind(entry.getName());
        kind && !kind->holds(entry.getValue()))
      return emitError() << "'" << entry.getName().strref()
                         << "' of a node is not " << kind->name;
  return success();
}
