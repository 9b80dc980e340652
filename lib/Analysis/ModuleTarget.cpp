//===- ModuleTarget.cpp - The target that a module is for -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/ModuleTarget.h"
#include "inlay/IR/InlayDialect.h"
#include "inlay/Support/Error.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

using namespace inlay;
using namespace mlir;

DictionaryAttr inlay::makeTargetAttr(MLIRContext *context,
                                     const TargetSource &source) {
  Builder builder(context);
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("source", builder.getStringAttr(source.name)),
       builder.getNamedAttr("text", builder.getStringAttr(source.text))});
}

/// What the innermost module that has one says; null without.
static Attribute findTarget(Operation *op) {
  for (; op; op = op->getParentOp())
    if (isa<ModuleOp>(op))
      if (Attribute attribute = op->getAttr(targetAttr))
        return attribute;
  return {};
}

bool inlay::hasTarget(Operation *op) { return bool(findTarget(op)); }

static llvm::Expected<std::shared_ptr<const Target>>
read(llvm::Expected<Target> target) {
  if (!target)
    return target.takeError();
  return std::make_shared<const Target>(std::move(*target));
}

static llvm::Expected<std::shared_ptr<const Target>> parse(Attribute said) {
  auto fields = dyn_cast<DictionaryAttr>(said);
  auto text = fields ? fields.getAs<StringAttr>("text") : StringAttr();
  auto source = fields ? fields.getAs<StringAttr>("source") : StringAttr();
  if (fields && fields.get("memory"))
    return targetError("attribute '" + targetAttr +
                       "': the target was in the memory of another process");
  if (!text || !source)
    return targetError("attribute '" + targetAttr +
                       "': expected a source and a text");
  // Operators were known, or not, to whoever wrote the attribute.
  return read(parseTarget(text.getValue(), source.getValue()));
}

llvm::Expected<std::shared_ptr<const Target>>
TargetCache::get(Attribute attribute) {
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<const Target> &known = targets[attribute];
  if (known)
    return known;
  auto parsed = parse(attribute);
  if (!parsed)
    return parsed.takeError();
  return known = std::move(*parsed);
}

DictionaryAttr TargetCache::add(Target target) {
  std::lock_guard<std::mutex> lock(mutex);
  Builder builder(getContext());
  DictionaryAttr attribute = builder.getDictionaryAttr(
      {builder.getNamedAttr("source", builder.getStringAttr(target.name)),
       builder.getNamedAttr("memory", builder.getI64IntegerAttr(numAdded++))});
  targets[attribute] = std::make_shared<const Target>(std::move(target));
  return attribute;
}

static TargetCache *getCache(MLIRContext *context) {
  auto *dialect = context->getLoadedDialect<InlayDialect>();
  return dialect ? dialect->getRegisteredInterface<TargetCache>() : nullptr;
}

DictionaryAttr inlay::makeTargetAttr(MLIRContext *context, Target target) {
  TargetCache *cache = getCache(context);
  assert(cache && "the context was made without registerTargetCache");
  return cache->add(std::move(target));
}

llvm::Expected<std::shared_ptr<const Target>> inlay::getTarget(Operation *op) {
  Attribute said = findTarget(op);
  if (!said)
    return read(loadTarget("none"));
  TargetCache *cache = getCache(op->getContext());
  return cache ? cache->get(said) : parse(said);
}

void inlay::registerTargetCache(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, InlayDialect *dialect) {
    dialect->addInterfaces<TargetCache>();
  });
}
