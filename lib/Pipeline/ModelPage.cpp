//===- ModelPage.cpp - inlay report ---------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/ModelPage.h"
#include "PageData.h"
#include "inlay/Drawing/Page.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Support/Error.h"
#include "inlay/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// The model as layouts were chosen of it
//===----------------------------------------------------------------------===//

namespace {
/// Keeps a copy of the module as it is when this pass runs.
class KeepCopy : public PassWrapper<KeepCopy, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KeepCopy)

  explicit KeepCopy(OwningOpRef<ModuleOp> &copy) : copy(copy) {}

  void runOnOperation() override { copy = getOperation().clone(); }

private:
  OwningOpRef<ModuleOp> &copy;
};
} // namespace

//===----------------------------------------------------------------------===//
// What is known of nodes and tensors
//===----------------------------------------------------------------------===//

/// Which stages operators take, and why others stand outside of groups.
static void markUngrouped(const FusionResult &fusion, Picture &picture) {
  llvm::StringMap<const UngroupedOp *> byName;
  for (const UngroupedOp &op : fusion.ungrouped)
    byName[op.node] = &op;
  llvm::StringMap<const FusedOp *> fused;
  for (const FusedGroup &group : fusion.groups)
    for (const FusedOp &op : group.ops)
      fused[op.node] = &op;
  for (PictureNode &node : picture.nodes) {
    if (node.kind == PictureKind::Port || node.kind == PictureKind::Group)
      continue;
    if (const FusedOp *op = fused.lookup(node.name))
      node.stages = op->stages;
    const UngroupedOp *op = byName.lookup(node.name);
    if (!op)
      continue;
    node.isFallback = true;
    node.reason.emplace().words = op->reason.text;
  }
}

namespace {
/// Finds for each transpose what forces it.
class RelayoutTeller {
public:
  RelayoutTeller(const LayoutStory &story, Picture &picture)
      : story(story), picture(picture), isTold(story.relayouts.size()) {}

  void tell();

private:
  void tell(PictureNode &node, unsigned index);
  std::optional<unsigned> find(const PictureNode &node) const;
  void tellInOrder();

  const LayoutStory &story;
  Picture &picture;
  std::vector<bool> isTold;
  SmallVector<PictureNode *> left;
};
} // namespace

void RelayoutTeller::tell(PictureNode &node, unsigned index) {
  const RelayoutStory &own = story.relayouts[index];
  isTold[index] = true;
  PictureTensor &in = picture.tensors[node.inputs.front()];
  PictureTensor &out = picture.tensors[node.outputs.front()];
  // Later rounds count from what earlier ones stored.
  bool isNamed = !in.order.empty() && !out.order.empty();
  node.reason =
      PictureReason{isNamed ? in.order : own.from, isNamed ? out.order : own.to,
                    own.storedFor, own.neededBy, ""};
  if (out.order.empty())
    out.order = own.to;
}

/// The one of the same tensors that moves as much.
std::optional<unsigned> RelayoutTeller::find(const PictureNode &node) const {
  const PictureTensor &in = picture.tensors[node.inputs.front()];
  const PictureTensor &out = picture.tensors[node.outputs.front()];
  for (auto [i, each] : llvm::enumerate(story.relayouts)) {
    bool isOwn = (!each.tensor.empty() &&
                  (each.tensor == in.name || each.tensor == out.name)) ||
                 (!each.source.empty() && each.source == in.name);
    if (isOwn && !isTold[i] && each.bytes == out.bytes)
      return i;
  }
  return std::nullopt;
}

/// Those whose tensors have no names, if the rest of both is the same.
void RelayoutTeller::tellInOrder() {
  SmallVector<unsigned> rest;
  for (unsigned i = 0; i < isTold.size(); ++i)
    if (!isTold[i])
      rest.push_back(i);
  bool isSame = rest.size() == left.size() &&
                llvm::all_of(llvm::zip(rest, left), [&](auto pair) {
                  auto [index, node] = pair;
                  return story.relayouts[index].bytes ==
                         picture.tensors[node->outputs.front()].bytes;
                });
  if (isSame)
    for (auto [index, node] : llvm::zip(rest, left))
      tell(*node, index);
}

void RelayoutTeller::tell() {
  for (PictureNode &node : picture.nodes) {
    if (node.kind != PictureKind::Relayout || node.inputs.empty() ||
        node.outputs.empty())
      continue;
    if (std::optional<unsigned> index = find(node))
      tell(node, *index);
    else
      left.push_back(&node);
  }
  tellInOrder();
}

/// "NHWC" of "NCHW" by a transpose; nothing where the letters do not fit.
static std::string permute(StringRef letters, ArrayRef<int64_t> perm) {
  if (letters.size() != perm.size() || !llvm::all_of(letters, llvm::isAlpha))
    return "";
  std::string permuted;
  for (int64_t axis : perm)
    permuted += letters[axis];
  return permuted;
}

/// What transposes write is stored as they say.
static void followTransposes(func::FuncOp graph, GraphPicture &picture) {
  graph.walk([&](TransposeOp op) {
    auto in = picture.tensors.find(op.getInput());
    auto out = picture.tensors.find(op.getResult());
    if (in == picture.tensors.end() || out == picture.tensors.end())
      return;
    PictureTensor &tensor = picture.picture.tensors[out->second];
    if (tensor.order.empty())
      tensor.order = permute(picture.picture.tensors[in->second].order,
                             op.getPermutation());
  });
}

static void setOrders(const llvm::StringMap<std::string> &orders,
                      Picture &picture) {
  for (PictureTensor &tensor : picture.tensors)
    if (auto it = orders.find(tensor.name);
        !tensor.name.empty() && it != orders.end())
      tensor.order = it->second;
}

//===----------------------------------------------------------------------===//
// The page
//===----------------------------------------------------------------------===//

namespace {
class PageMaker {
public:
  explicit PageMaker(const ModelPageOptions &options) : options(options) {}

  llvm::Expected<Report> run();

private:
  llvm::Expected<OwningOpRef<ModuleOp>> read(Compiler &compiler);
  llvm::Error compile(Compiler &compiler, OwningOpRef<ModuleOp> module);
  llvm::Error tell();
  llvm::Error drawAfter();
  llvm::Error write(const std::string &json);
  Report summarize() const;
  void enter(StringRef phase) const {
    if (options.progress)
      options.progress(phase, 0, 0);
  }

  const ModelPageOptions &options;
  std::unique_ptr<MLIRContext> context = createContext();
  OwningOpRef<ModuleOp> asked;
  CompiledModule compiled;
  PageData data;
  uint64_t pageBytes = 0;
};
} // namespace

/// Reads the model and takes its picture, which outlives the model.
llvm::Expected<OwningOpRef<ModuleOp>> PageMaker::read(Compiler &compiler) {
  enter("importing");
  auto module = compiler.read(*context, options.model);
  if (!module)
    return module;
  if (llvm::Error error =
          checkOutputPath(*context, options.model, options.output))
    return std::move(error);
  auto graph = getGraph(**module);
  if (!graph)
    return graph.takeError();
  data.before = makePicture(*graph);
  ModelCosts costs = getModelCosts(*graph);
  addCosts(data.before, costs, {});
  data.flopsBefore = costs.sum(&NodeCost::flops);
  return module;
}

llvm::Error PageMaker::compile(Compiler &compiler,
                               OwningOpRef<ModuleOp> module) {
  auto result = compiler.compile(std::move(module));
  if (!result)
    return result.takeError();
  compiled = std::move(*result);
  data.record = std::move(compiled.record);
  data.statsBefore = std::move(compiled.before);
  data.statsAfter = std::move(compiled.after);
  if (compiled.target.machine)
    data.rates = compiled.target.machine->rates;
  return llvm::Error::success();
}

/// Why layouts are what they are.
llvm::Error PageMaker::tell() {
  if (!asked || data.record.isFinished)
    return llvm::Error::success();
  enter("explaining");
  auto story = tellLayouts(*asked, compiled.target, data.record.layouts,
                           options.layouts);
  if (!story)
    return story.takeError();
  data.story = std::move(*story);
  asked = nullptr;
  return llvm::Error::success();
}

llvm::Error PageMaker::drawAfter() {
  auto graph = getGraph(*compiled.module);
  if (!graph)
    return graph.takeError();
  data.after = makePicture(*graph);
  ModelCosts costs = getModelCosts(*graph, data.rates.onChip);
  addCosts(data.after, costs, data.rates);
  data.flopsAfter = costs.sum(&NodeCost::flops);
  linkPictures(data.before, data.after);
  if (data.record.fusion)
    markUngrouped(data.record.fusion->result, data.after.picture);
  if (data.story) {
    setOrders(data.story->ordersBefore, data.before.picture);
    setOrders(data.story->orders, data.after.picture);
    followTransposes(*graph, data.after);
    RelayoutTeller(*data.story, data.after.picture).tell();
  }
  splitLevels(data.before.picture);
  splitLevels(data.after.picture);
  return llvm::Error::success();
}

llvm::Error PageMaker::write(const std::string &json) {
  enter("writing");
  auto file = OutputFile::create(options.output);
  if (!file)
    return file.takeError();
  std::string title = data.model + " on " + data.target + " \u2013 Inlay";
  std::string page = makePage(title, json);
  pageBytes = page.size();
  if (llvm::Error error = (*file)->write(page))
    return error;
  return (*file)->commit();
}

Report PageMaker::summarize() const {
  Report report;
  report.addField("model", "", Cell::text(options.model));
  report.addField("target", "target", Cell::text(data.target));
  report.addField("output", "wrote", Cell::text(options.output));
  report.addField("page_bytes", "size", Cell::bytes(pageBytes));
  report.addField("nodes_before", "", Cell::count(data.statsBefore.numNodes));
  report.addField("nodes_after", "", Cell::count(data.statsAfter.numNodes));
  if (data.before.isLeftOut() || data.after.isLeftOut())
    report.addWarning(
        "the graph has " +
        formatCount(std::max(data.before.numOps, data.after.numOps)) +
        " operators: the page shows parts of it, which stay "
        "closed, instead of more than " +
        formatCount(maxPictureNodes));
  return report;
}

llvm::Expected<Report> PageMaker::run() {
  if (!options.profile.empty()) {
    auto profile = readProfile(options.profile);
    if (!profile)
      return profile.takeError();
    data.profile = std::move(*profile);
  }
  CompilerOptions own = options;
  own.callbacks.addBefore(Phase::Layouts, [&](OpPassManager &passes) {
    passes.addPass(std::make_unique<KeepCopy>(asked));
  });
  Compiler compiler(std::move(own));
  compiler.setProgress(options.progress);
  auto module = read(compiler);
  if (!module)
    return module.takeError();
  if (llvm::Error error = compile(compiler, std::move(*module)))
    return std::move(error);
  data.model = llvm::sys::path::filename(options.model).str();
  data.target = compiled.target.name;
  if (llvm::Error error = tell())
    return std::move(error);
  if (llvm::Error error = drawAfter())
    return std::move(error);
  auto json = writePageData(data, options.progress);
  if (!json)
    return json.takeError();
  if (llvm::Error error = write(*json))
    return std::move(error);
  return summarize();
}

llvm::Expected<Report> inlay::writeModelPage(const ModelPageOptions &options) {
  return PageMaker(options).run();
}
