//===- PageData.cpp - What a page shows -----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageData.h"
#include "inlay/KernelFusion/KernelRules.h"
#include "inlay/Support/Cancellation.h"
#include "inlay/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace inlay;
using llvm::json::fixUTF8;
using llvm::json::OStream;

/// Of reasons, unfused values and rows of a profile that a page lists.
static constexpr size_t maxListed = 5000;

static void writeTotals(OStream &json, llvm::StringRef key,
                        const ModelStats &stats, uint64_t flops,
                        const GraphPicture &picture) {
  json.attributeObject(key, [&] {
    json.attribute("nodes", int64_t(stats.numNodes));
    json.attribute("groups", int64_t(stats.numGroups));
    json.attribute("transposes", int64_t(stats.numTransposes));
    json.attribute("transposeBytes", int64_t(stats.transposeBytes));
    json.attribute("weightBytes", int64_t(stats.weightBytes));
    if (stats.peakActivationBytes)
      json.attribute("peakBytes", int64_t(*stats.peakActivationBytes));
    json.attribute("flops", int64_t(flops));
    json.attribute("isLeftOut", picture.isLeftOut());
  });
}

static void writeStory(OStream &json, const LayoutStory &story) {
  json.attribute("proved", story.certificate.isOptimal());
  json.attributeArray("strategies", [&] {
    for (const StrategyCost &each : story.strategies)
      json.object([&] {
        json.attribute("name", getName(each.strategy));
        json.attribute("relayouts", int64_t(each.chosen.count));
        json.attribute("bytes", int64_t(each.chosen.bytes));
        json.attribute("relayoutsCancelled", int64_t(each.cancelled.count));
        json.attribute("bytesCancelled", int64_t(each.cancelled.bytes));
      });
  });
  json.attributeArray("relayouts", [&] {
    for (const RelayoutStory &each :
         llvm::ArrayRef(story.relayouts).take_front(maxListed))
      json.object([&] {
        json.attribute("tensor", fixUTF8(each.tensor));
        json.attribute("from", fixUTF8(each.from));
        json.attribute("to", fixUTF8(each.to));
        json.attribute("bytes", int64_t(each.bytes));
        json.attribute("storedFor", fixUTF8(each.storedFor));
        json.attribute("neededBy", fixUTF8(each.neededBy));
      });
  });
}

template <typename EdgeT>
static void writeUnfused(OStream &json, const EdgeT &edge, llvm::StringRef code,
                         llvm::StringRef reason) {
  json.object([&] {
    json.attribute("from", fixUTF8(edge.fromNode));
    json.attribute("to", fixUTF8(edge.toNode));
    json.attribute("value", fixUTF8(edge.value));
    json.attribute("bytes", int64_t(edge.bytes));
    json.attribute("code", code);
    json.attribute("reason", fixUTF8(reason));
  });
}

static void writeUnfused(OStream &json, const CompileRecord &record) {
  json.attributeArray("unfused", [&] {
    if (record.fusion)
      for (const UnfusedEdge &edge :
           llvm::ArrayRef(record.fusion->result.edges).take_front(maxListed))
        writeUnfused(json, edge, getName(edge.reason.code), edge.reason.text);
    if (record.kernels)
      for (const UnfusedValue &edge :
           llvm::ArrayRef(record.kernels->edges).take_front(maxListed))
        writeUnfused(json, edge, getName(edge.code), edge.reason);
  });
}

static void writeRates(OStream &json, const MachineRates &rates) {
  if (!rates.flops && !rates.bandwidth)
    return;
  json.attributeObject("rates", [&] {
    if (rates.flops)
      json.attribute("flops", *rates.flops);
    if (rates.bandwidth)
      json.attribute("bandwidth", *rates.bandwidth);
  });
}

llvm::Expected<std::string>
inlay::writePageData(const PageData &data, const ProgressFunction &progress) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OStream json(os);
  auto tell = [&](size_t done, size_t all) {
    if (progress)
      progress("drawing", done, all);
  };
  json.objectBegin();
  json.attribute("schema", "inlay.page/1");
  json.attribute("model", fixUTF8(data.model));
  json.attribute("target", fixUTF8(data.target));
  json.attributeObject("totals", [&] {
    writeTotals(json, "before", data.statsBefore, data.flopsBefore,
                data.before);
    writeTotals(json, "after", data.statsAfter, data.flopsAfter, data.after);
  });
  if (data.story)
    writeStory(json, *data.story);
  writeUnfused(json, data.record);
  writeRates(json, data.rates);
  json.attribute("profile", llvm::json::Value(llvm::json::Array(data.profile)));
  for (auto [key, picture] : {std::pair("before", &data.before.picture),
                              std::pair("after", &data.after.picture)}) {
    json.attributeBegin(key);
    if (llvm::Error error = writePicture(*picture, json, tell))
      return std::move(error);
    json.attributeEnd();
    if (llvm::Error error = checkCancelled())
      return std::move(error);
  }
  json.objectEnd();
  return text;
}

//===----------------------------------------------------------------------===//
// Profiles
//===----------------------------------------------------------------------===//

/// The row with what a page shows of it, and nothing else.
static std::optional<llvm::json::Object>
readRow(const llvm::json::Value &value) {
  const llvm::json::Object *row = value.getAsObject();
  if (!row)
    return std::nullopt;
  std::optional<double> ms = row->getNumber("ms");
  std::optional<llvm::StringRef> operators = row->getString("operators");
  if (!ms || !operators)
    return std::nullopt;
  llvm::json::Object own{{"ms", *ms}, {"operators", operators->str()}};
  for (llvm::StringRef key : {"result", "template"})
    if (auto text = row->getString(key))
      own[key] = text->str();
  for (llvm::StringRef key : {"gflops", "gbytes"})
    if (auto number = row->getNumber(key))
      own[key] = *number;
  return own;
}

llvm::Expected<llvm::json::Array> inlay::readProfile(llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return ioError("cannot read '" + path + "': " + file.getError().message());
  auto value = llvm::json::parse((*file)->getBuffer());
  if (!value)
    return usageError("--profile: '" + path +
                      "' is no JSON: " + llvm::toString(value.takeError()));
  const llvm::json::Object *root = value->getAsObject();
  const llvm::json::Array *rows = root ? root->getArray("profile") : nullptr;
  if (!rows)
    return usageError("--profile: '" + path +
                      "' has no 'profile': print it with 'inlay bench "
                      "--profile --format json'");
  llvm::json::Array profile;
  for (const llvm::json::Value &each : *rows) {
    auto row = readRow(each);
    if (!row)
      return usageError("--profile: row " + llvm::Twine(profile.size() + 1) +
                        " of '" + path + "' has no 'ms' and 'operators'");
    if (profile.size() < maxListed)
      profile.push_back(std::move(*row));
  }
  return profile;
}
