//===- NodeNames.cpp - What nodes are called in the file ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeNames.h"
#include "inlay/IR/DerivedNames.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/OpTypes.h"
#include <utility>

using namespace inlay;
using namespace inlay::onnx;
using namespace mlir;

//===----------------------------------------------------------------------===//
// What an operation comes from
//===----------------------------------------------------------------------===//

/// "Conv": the operator without its domain.
static std::string getShortType(Operation *op) {
  std::string type = getOnnxOpType(op);
  StringRef text = type;
  size_t colons = text.rfind("::");
  return colons == StringRef::npos ? type : text.drop_front(colons + 2).str();
}

/// Whether the operation is still its node's operator.
static bool isItself(Operation *op) {
  OriginAttr origin = getFirstOrigin(op->getLoc());
  return origin && getShortType(op) == origin.getOpType().getValue();
}

/// Whether a pass made `origin` of `node`: named after it, of its operator, and
/// without outputs of its own. A node of the model may have such a name, too,
/// and be merged with the other.
static bool isDerivedFrom(OriginAttr origin, OriginAttr node) {
  StringRef rest = origin.getName(), name = node.getName();
  if (name.empty() || !rest.consume_front(shortenName(name)) ||
      !rest.starts_with("/") || origin.getOpType() != node.getOpType())
    return false;
  return llvm::all_of(
      origin.getOutputs().getAsRange<StringAttr>(), [&](StringAttr output) {
        return output.empty() || llvm::is_contained(node.getOutputs(), output);
      });
}

/// Whether a pass named the operation after one of its origins.
static bool isDerived(ArrayRef<OriginAttr> origins) {
  return llvm::any_of(origins.drop_front(), [&](OriginAttr origin) {
    return isDerivedFrom(origins.front(), origin);
  });
}

/// What a node is claimed by: its name, or all of a nameless origin.
static Attribute getKey(OriginAttr origin) {
  return origin.getName().empty() ? Attribute(origin)
                                  : Attribute(origin.getName());
}

/// What messages call a node, without copying it.
static StringRef getText(OriginAttr origin) {
  if (!origin.getName().empty())
    return origin.getName().getValue();
  for (auto output : origin.getOutputs().getAsRange<StringAttr>())
    if (!output.empty())
      return output.getValue();
  return "";
}

//===----------------------------------------------------------------------===//
// Names of the model
//===----------------------------------------------------------------------===//

static std::string getFunctionName(GroupOp group) {
  return (group.getTarget() + "::" + group.getName()).str();
}

void NodeNames::noteGroup(GroupOp group) {
  if (scripts[getFunctionName(group)].numGroups++ != 0)
    repeated.insert(group);
}

/// The region of the graph or function that an operation is a node of.
Region *NodeNames::getGraph(Operation *op) const {
  Region *region = op->getParentRegion();
  while (true) {
    auto group = dyn_cast_if_present<GroupOp>(region->getParentOp());
    if (!group || repeated.contains(group))
      return region;
    region = group->getParentRegion();
  }
}

/// Calls `visit` for the operations that become nodes.
template <typename Visit> static void forEachNode(Region &region, Visit visit) {
  region.walk<WalkOrder::PreOrder>([&](Operation *op) {
    visit(op);
    return isa<InLayoutOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
}

NodeNames::NodeNames(Region &region, bool keepsOrigins)
    : keepsOrigins(keepsOrigins), region(region) {
  if (!keepsOrigins)
    return;
  owners.reserve(region.front().getOperations().size());
  forEachNode(region, [&](Operation *op) {
    if (auto group = dyn_cast<GroupOp>(op))
      noteGroup(group);
    claim(op);
  });
}

void NodeNames::claim(Operation *op) {
  SmallVector<OriginAttr, 1> origins = getOrigins(op->getLoc());
  if (origins.empty() || isDerived(origins))
    return;
  OriginAttr first = origins.front();
  // A constant is a node only where it was one.
  if (getText(first).empty() ||
      (isa<ConstantOp>(op) && first.getOpType() != "Constant"))
    return;
  Operation *&owner = owners[{getGraph(op), getKey(first)}];
  if (!owner || (!isItself(owner) && isItself(op)))
    owner = op;
}

/// What a pass derived is no name of the model.
void NodeNames::collectOriginal() {
  forEachNode(region, [&](Operation *op) {
    SmallVector<OriginAttr, 1> origins = getOrigins(op->getLoc());
    bool isNew = !origins.empty() && isDerived(origins);
    for (OriginAttr origin : ArrayRef(origins).drop_front(isNew))
      if (!origin.getName().empty())
        original.insert(origin.getName());
  });
}

bool NodeNames::isOwner(Operation *op, OriginAttr origin) const {
  return owners.lookup({getGraph(op), getKey(origin)}) == op;
}

//===----------------------------------------------------------------------===//
// New names
//===----------------------------------------------------------------------===//

void NodeNames::enter(GroupOp group) {
  auto own = scripts.find(getFunctionName(group));
  if (own == scripts.end() || own->second.numGroups < 2)
    return;
  script = &own->second;
  script->next = 0;
}

StringRef NodeNames::make(StringRef wanted) {
  if (!script)
    return makeNew(wanted);
  size_t line = script->next++;
  if (line < script->lines.size() && script->lines[line].first == wanted)
    return script->lines[line].second;
  StringRef name = makeNew(wanted);
  if (line == script->lines.size())
    script->lines.emplace_back(wanted.str(), name);
  return name;
}

bool NodeNames::isTaken(StringRef name) {
  if (keepsOrigins && !std::exchange(hasOriginal, true))
    collectOriginal();
  return made.contains(name) ||
         original.contains(StringAttr::get(region.getContext(), name));
}

StringRef NodeNames::makeNew(StringRef wanted) {
  if (!isTaken(wanted))
    return *made.insert(saver.save(wanted)).first;
  unsigned &counter = counters[wanted];
  while (true) {
    std::string name = (wanted + "_" + llvm::Twine(++counter)).str();
    if (!isTaken(name))
      return *made.insert(saver.save(name)).first;
  }
}

StringRef NodeNames::assign(Operation *op, StringRef wanted) {
  roots[op] = given[op] = make(wanted);
  return given[op];
}

/// The first name among an operation's origins, or an empty one.
static StringRef getOriginText(Operation *op) {
  for (OriginAttr origin : getOrigins(op->getLoc()))
    if (StringRef text = getText(origin); !text.empty())
      return text;
  return "";
}

StringRef NodeNames::getRoot(Operation *op, StringRef read) const {
  if (StringRef own = getOriginText(op); !own.empty())
    return own;
  Operation *producer =
      op->getNumOperands() == 0 ? nullptr : op->getOperand(0).getDefiningOp();
  if (!producer)
    return read;
  StringRef root = roots.lookup(producer);
  if (root.empty())
    root = getOriginText(producer);
  return root.empty() ? read : root;
}

std::string NodeNames::getWanted(Operation *op, StringRef root) const {
  SmallVector<OriginAttr, 1> origins = getOrigins(op->getLoc());
  if (!origins.empty() && isDerived(origins))
    return origins.front().getName().str();
  bool isNode = !origins.empty() && !getText(origins.front()).empty();
  if (isNode && (isOwner(op, origins.front()) || isItself(op)))
    return root.str();
  return root.empty() ? getShortType(op) : deriveName(root, getShortType(op));
}

StringRef NodeNames::get(Operation *op, StringRef read) {
  if (StringRef name = given.lookup(op); !name.empty())
    return name;
  OriginAttr origin =
      keepsOrigins ? getFirstOrigin(op->getLoc()) : OriginAttr();
  if (origin && !origin.getName().empty() && isOwner(op, origin))
    return origin.getName().getValue();
  if (!keepsOrigins)
    return assign(op, getShortType(op));
  StringRef root = getRoot(op, read);
  StringRef name = assign(op, getWanted(op, root));
  if (!root.empty())
    roots[op] = saver.save(shortenName(root));
  return name;
}
