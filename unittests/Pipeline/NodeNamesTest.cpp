//===- NodeNamesTest.cpp - Every node of every result has a name ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModels.h"
#include "inlay/ONNX/ProtoReader.h"
#include "inlay/Pipeline/Compile.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace inlay;
using llvm::StringRef;

/// The graphs of a model and its functions, as lists of nodes.
static llvm::SmallVector<llvm::ArrayRef<proto::Node>>
getNodeLists(const proto::Model &model) {
  llvm::SmallVector<llvm::ArrayRef<proto::Node>> lists = {model.graph.nodes};
  for (const proto::Function &function : model.functions)
    lists.push_back(function.nodes);
  for (size_t i = 0; i < lists.size(); ++i)
    for (const proto::Node &node : llvm::ArrayRef(lists[i]))
      for (const proto::Attribute &attribute : node.attributes)
        if (attribute.kind == proto::AttributeKind::Graph ||
            attribute.kind == proto::AttributeKind::Graphs)
          for (const proto::Graph &graph : attribute.getGraphs())
            lists.push_back(graph.nodes);
  return lists;
}

static std::string getKey(const proto::Node &node) {
  return (node.opType + " " + (node.outputs.empty() ? "" : node.outputs[0]))
      .str();
}

namespace {
/// Compiles models in different ways and looks at the names of nodes.
class NameChecker {
public:
  void check(const std::string &model, unsigned variant);

  unsigned numNamed = 0, numKept = 0;

private:
  std::unique_ptr<ParsedModel> parse(const std::string &path);
  void checkUnique(const proto::Model &model);
  void checkKept(const proto::Model &before, const proto::Model &after);

  TemporaryFolder folder;
};
} // namespace

static CompileOptions getOptions(unsigned variant) {
  static constexpr const char *targets[] = {"none", "nhwc", "opu", "ascend"};
  CompileOptions options;
  options.layouts.target = targets[variant % 4];
  options.verify = VerifyMode::Off;
  options.exportOptions.externalData = ExternalData::Always;
  if (variant / 4 == 1)
    options.rewrites = RewriteOptions::all();
  options.kernels.isEnabled = variant / 4 == 1;
  options.expandAll = variant / 4 == 2;
  return options;
}
static constexpr unsigned numVariants = 12;

std::unique_ptr<ParsedModel> NameChecker::parse(const std::string &path) {
  auto file = MappedFile::open(path);
  EXPECT_TRUE(bool(file)) << llvm::toString(file.takeError());
  auto parsed = parseModel(*file);
  EXPECT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  return std::move(*parsed);
}

void NameChecker::checkUnique(const proto::Model &model) {
  for (llvm::ArrayRef<proto::Node> nodes : getNodeLists(model)) {
    llvm::StringSet<> seen;
    for (const proto::Node &node : nodes) {
      EXPECT_FALSE(node.name.empty()) << getKey(node) << " has no name";
      EXPECT_TRUE(seen.insert(node.name).second)
          << "'" << node.name.str() << "' is the name of two nodes";
      ++numNamed;
    }
  }
}

/// A node whose operator still gives the same output keeps its name. What is
/// copied to an output may be a new node.
void NameChecker::checkKept(const proto::Model &before,
                            const proto::Model &after) {
  llvm::StringMap<StringRef> names;
  llvm::StringMap<unsigned> counts;
  for (const proto::Node &node : before.graph.nodes) {
    ++counts[node.name];
    if (!node.name.empty() && node.opType != "Identity")
      names[getKey(node)] = node.name;
  }
  for (const proto::Node &node : after.graph.nodes) {
    StringRef name = names.lookup(getKey(node));
    if (name.empty() || counts.lookup(name) != 1)
      continue;
    EXPECT_EQ(node.name.str(), name.str());
    ++numKept;
  }
}

void NameChecker::check(const std::string &model, unsigned variant) {
  SCOPED_TRACE(model + ", variant " + std::to_string(variant));
  CompileOptions options = getOptions(variant);
  options.model = model;
  options.output = folder / "out.onnx";
  auto report = compile(options);
  if (!report) {
    // What an opset cannot say is no matter of names.
    std::string message;
    EXPECT_EQ(takeError(report.takeError(), message), ExitCode::Unsupported)
        << message;
    return;
  }
  auto before = parse(model), after = parse(options.output);
  checkUnique(after->message);
  checkKept(before->message, after->message);
  if (variant % 3 != 0)
    return;
  std::string bytes = readBytes(options.output);
  EXPECT_TRUE(bool(compile(options)));
  EXPECT_TRUE(readBytes(options.output) == bytes) << "not the same twice";
}

/// Large models in every way, each of the small ones in one.
TEST(NodeNames, AreUniqueAndStayWithTheirNodes) {
  TestModels models;
  NameChecker checker;
  for (auto [i, path] : llvm::enumerate(models.getPaths())) {
    bool isLarge = !StringRef(path).starts_with(INLAY_ONNX_TESTDATA);
    for (unsigned variant = 0; variant < numVariants; ++variant)
      if (isLarge || i % numVariants == variant)
        checker.check(path, variant);
  }
  EXPECT_GT(checker.numNamed, 20000u);
  EXPECT_GT(checker.numKept, 5000u);
}
