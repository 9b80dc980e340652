//===- ModuleData.cpp - The data file beside a module ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/ModuleData.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/ModuleAttrs.h"
#include "inlay/Support/Error.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace inlay;
using namespace mlir;

/// So that elements of every type can be used as they lie.
static constexpr uint64_t dataAlignment = 64;
/// What is resident of a file while its checksum is computed.
static constexpr uint64_t hashedAtOnce = 16 << 20;

static InlayDialect &getDialect(ModuleOp module) {
  return *module.getContext()->getLoadedDialect<InlayDialect>();
}

//===----------------------------------------------------------------------===//
// Checksums
//===----------------------------------------------------------------------===//

static void addTo(llvm::SHA256 &hash, ArrayRef<char> bytes) {
  hash.update(StringRef(bytes.data(), bytes.size()));
}

static void addTo(llvm::SHA256 &hash, const FileRange &range) {
  for (uint64_t done = 0; done < range.length; done += hashedAtOnce) {
    uint64_t length = std::min(hashedAtOnce, range.length - done);
    addTo(hash, range.getBytes().slice(done, length));
    range.file->releasePages(range.offset + done, length);
  }
}

static std::string finish(llvm::SHA256 &hash) {
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
/// The data file of a module, under construction.
class DataWriter {
public:
  DataWriter(ModuleOp module, StringRef modulePath)
      : module(module),
        path(getDialect(module).getDataFiles().chooseDataPath(modulePath)),
        name(StringAttr::get(module.getContext(),
                             llvm::sys::path::filename(path))) {}

  llvm::Expected<std::unique_ptr<OutputFile>> run();

private:
  llvm::Error append(const FileRange &range);
  llvm::Expected<DataAttr> move(DataAttr value);
  DictionaryAttr describe();

  ModuleOp module;
  std::string path;
  StringAttr name;
  std::unique_ptr<OutputFile> file;
  llvm::SHA256 hash;
  /// Where ranges that several constants refer to have gone.
  llvm::DenseMap<std::tuple<StringAttr, uint64_t, uint64_t>, uint64_t> moved;
};
} // namespace

llvm::Error DataWriter::append(const FileRange &range) {
  uint64_t position = file->getPosition();
  if (llvm::Error error = file->padTo(dataAlignment))
    return error;
  static constexpr char zeros[dataAlignment] = {};
  addTo(hash, ArrayRef(zeros, file->getPosition() - position));
  addTo(hash, range);
  return range.file->isInMemory()
             ? file->write(range.getBytes())
             : file->copyRange(*range.file, range.offset, range.length);
}

/// Writes what `value` refers to, once; returns a reference to that.
llvm::Expected<DataAttr> DataWriter::move(DataAttr value) {
  auto [it, isNew] = moved.try_emplace(
      {value.getFile(), value.getOffset(), value.getLength()}, 0);
  if (isNew) {
    auto range = getFileRange(value);
    if (!range)
      return range.takeError();
    if (llvm::Error error = append(*range))
      return std::move(error);
    it->second = file->getPosition() - value.getLength();
  }
  return DataAttr::get(value.getContext(), name, it->second, value.getLength(),
                       value.getType());
}

DictionaryAttr DataWriter::describe() {
  Builder builder(module.getContext());
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("file", name),
       builder.getNamedAttr("bytes",
                            builder.getI64IntegerAttr(file->getPosition())),
       builder.getNamedAttr("sha256", builder.getStringAttr(finish(hash)))});
}

/// Replaces every reference to bytes, those in expressions and in attributes
/// of arguments included, until one cannot be.
static llvm::Error replaceData(
    ModuleOp module,
    llvm::function_ref<llvm::Expected<DataAttr>(DataAttr)> getReplacement) {
  llvm::Error failure = llvm::Error::success();
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](DataAttr value) -> std::optional<Attribute> {
    if (failure)
      return value;
    auto replacement = getReplacement(value);
    if (replacement)
      return *replacement;
    failure = replacement.takeError();
    return value;
  });
  replacer.recursivelyReplaceElementsIn(module);
  return failure;
}

llvm::Expected<std::unique_ptr<OutputFile>> DataWriter::run() {
  module->removeAttr(attrs::data);
  llvm::Error error =
      replaceData(module, [&](DataAttr value) -> llvm::Expected<DataAttr> {
        if (!file) {
          auto created = OutputFile::create(path);
          if (!created)
            return created.takeError();
          file = std::move(*created);
        }
        return move(value);
      });
  if (error)
    return std::move(error);
  if (file)
    module->setAttr(attrs::data, describe());
  return std::move(file);
}

llvm::Expected<std::unique_ptr<OutputFile>>
inlay::storeData(ModuleOp module, StringRef modulePath) {
  return DataWriter(module, modulePath).run();
}

llvm::Error inlay::embedData(ModuleOp module) {
  module->removeAttr(attrs::data);
  DataFiles &known = getDialect(module).getDataFiles();
  llvm::DenseMap<std::tuple<StringAttr, uint64_t, uint64_t>, StringAttr> moved;
  return replaceData(module, [&](DataAttr value) -> llvm::Expected<DataAttr> {
    StringAttr &buffer =
        moved[{value.getFile(), value.getOffset(), value.getLength()}];
    if (!buffer) {
      auto range = getFileRange(value);
      if (!range)
        return range.takeError();
      buffer = StringAttr::get(value.getContext(),
                               known.addBuffer(range->getBytes()));
    }
    return DataAttr::get(value.getContext(), buffer, 0, value.getLength(),
                         value.getType());
  });
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

llvm::Expected<std::shared_ptr<const MappedFile>>
inlay::openData(ModuleOp module, ExternalFiles &files) {
  auto data = module->getAttrOfType<DictionaryAttr>(attrs::data);
  if (!data)
    return nullptr;
  StringRef name = data.getAs<StringAttr>("file").getValue();
  auto file = files.open(name);
  if (!file)
    return file.takeError();
  uint64_t size = (*file)->getSize();
  uint64_t expected = data.getAs<IntegerAttr>("bytes").getInt();
  if (size != expected)
    return modelError("data file " + quoteForMessage(name) + " has " +
                      Twine(size) + " bytes, the module was written with " +
                      Twine(expected));
  llvm::SHA256 hash;
  addTo(hash, FileRange{*file, 0, size});
  if (finish(hash) != data.getAs<StringAttr>("sha256").getValue())
    return modelError("data file " + quoteForMessage(name) +
                      " is not what the module was written with: its SHA-256 "
                      "is another");
  return file;
}

llvm::Error inlay::bindData(ModuleOp module, ExternalFiles &files) {
  auto file = openData(module, files);
  if (!file)
    return file.takeError();
  DataFiles &known = getDialect(module).getDataFiles();
  StringRef name;
  StringAttr path;
  if (*file) {
    auto data = module->getAttrOfType<DictionaryAttr>(attrs::data);
    name = data.getAs<StringAttr>("file").getValue();
    path = StringAttr::get(module.getContext(), (*file)->getPath());
    known.add(*file);
    module->removeAttr(attrs::data);
  }
  return replaceData(module, [&](DataAttr value) -> llvm::Expected<DataAttr> {
    StringRef source = value.getFile().getValue();
    if (!known.findBuffer(source) && (!path || source != name))
      return modelError("a constant refers to " + quoteForMessage(source) +
                        ", which is not the data file of the module");
    auto bound = DataAttr::get(
        value.getContext(), path && source == name ? path : value.getFile(),
        value.getOffset(), value.getLength(), value.getType());
    if (auto range = getFileRange(bound); !range)
      return range.takeError();
    return bound;
  });
}
