//===- AssemblyLoops.cpp - The innermost loops of assembly ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AssemblyLoops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <optional>
#include <set>

using namespace inlay::testing;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace {
/// One line: an instruction with its operands, or a label.
struct Line {
  StringRef text, label, name;
  SmallVector<StringRef, 4> operands;
};

/// What an instruction does with vectors, numbers of registers.
struct Effect {
  enum Kind : uint8_t { Other, Fused, Product, Sum } kind = Other;
  SmallVector<unsigned, 4> written, read;
};
} // namespace

/// At commas outside of brackets.
static SmallVector<StringRef, 4> splitOperands(StringRef text) {
  SmallVector<StringRef, 4> operands;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i == text.size() ? ',' : text[i];
    depth += (StringRef("([{").contains(c) ? 1 : 0) -
             (StringRef(")]}").contains(c) ? 1 : 0);
    if (c != ',' || (depth != 0 && i != text.size()))
      continue;
    operands.push_back(text.slice(start, i).trim());
    start = i + 1;
  }
  return operands;
}

static std::optional<Line> readLine(StringRef text, bool isArm) {
  Line line;
  line.text = text.trim();
  StringRef code = text.split(isArm ? "//" : "#").first.trim();
  if (code.consume_back(":")) {
    line.label = code;
    return line;
  }
  if (code.empty() || code.starts_with("."))
    return std::nullopt;
  size_t end = code.find_first_of(" \t");
  line.name = code.substr(0, end);
  if (end != StringRef::npos)
    line.operands = splitOperands(code.substr(end).trim());
  return line;
}

/// The number of a vector register: "v3.4s", "v3.s[1]", "q3", "s3" and "d3" of
/// arm64, "%zmm3" and the like of x86-64.
static std::optional<unsigned> getVector(StringRef operand, bool isArm) {
  unsigned number;
  if (isArm) {
    if (operand.size() < 2 || !StringRef("vqds").contains(operand.front()))
      return std::nullopt;
    operand = operand.drop_front().split('.').first;
  } else {
    if (!operand.consume_front("%xmm") && !operand.consume_front("%ymm") &&
        !operand.consume_front("%zmm"))
      return std::nullopt;
    operand = operand.split(' ').first;
  }
  if (operand.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

static bool isMemory(StringRef operand) {
  return operand.contains('(') || operand.contains('[');
}

namespace {
/// Where a function's frame is. The register that may point to it has other
/// uses where it does not.
struct Frame {
  bool isArm, hasPointer;

  /// Whether an operand is a fixed place of it. What is indexed is memory of
  /// the kernel's own.
  bool contains(StringRef operand) const;
};
} // namespace

bool Frame::contains(StringRef operand) const {
  if (isArm)
    return (operand.consume_front("[sp") ||
            (hasPointer && operand.consume_front("[x29"))) &&
           !operand.contains(", x") && !operand.contains(", w");
  size_t at = operand.find('(');
  StringRef base = at == StringRef::npos ? "" : operand.substr(at);
  return base == "(%rsp)" || (hasPointer && base == "(%rbp)");
}

static bool setsPointer(const Line &line, bool isArm) {
  if (line.operands.size() < 2)
    return false;
  return isArm ? line.operands[0] == "x29" && line.operands[1] == "sp"
               : line.operands[0] == "%rsp" && line.operands[1] == "%rbp";
}

static Effect::Kind getKind(const Line &line, bool isArm) {
  if (isArm) {
    // Of vectors, not of single elements.
    bool isVector = !line.operands.empty() &&
                    line.operands.front().starts_with("v") &&
                    line.operands.front().contains(".");
    if (!isVector)
      return Effect::Other;
    return line.name == "fmla"   ? Effect::Fused
           : line.name == "fmul" ? Effect::Product
           : line.name == "fadd" ? Effect::Sum
                                 : Effect::Other;
  }
  return line.name.starts_with("vfmadd") && line.name.ends_with("ps")
             ? Effect::Fused
         : line.name == "vmulps" ? Effect::Product
         : line.name == "vaddps" ? Effect::Sum
                                 : Effect::Other;
}

/// On arm64 the first operand is written, on x86-64 the last.
static Effect getEffect(const Line &line, bool isArm) {
  Effect effect;
  effect.kind = getKind(line, isArm);
  bool isStore = isArm
                     ? line.name.starts_with("st")
                     : !line.operands.empty() && isMemory(line.operands.back());
  // One of arm64 may load several.
  bool isLoad = isArm && line.name.starts_with("ld");
  size_t last = line.operands.size() - 1;
  for (auto [i, operand] : llvm::enumerate(line.operands)) {
    std::optional<unsigned> number = getVector(operand, isArm);
    if (!number)
      continue;
    bool isWritten = !isStore && (isArm ? i == 0 || isLoad : i == last);
    if (isWritten)
      effect.written.push_back(*number);
    if (!isWritten || effect.kind == Effect::Fused)
      effect.read.push_back(*number);
  }
  return effect;
}

/// Registers that are only ever added to, and all that add to them.
static std::set<unsigned> findSums(ArrayRef<Effect> effects) {
  std::set<unsigned> sums, others;
  for (const Effect &effect : effects) {
    bool adds = effect.kind == Effect::Fused || effect.kind == Effect::Sum;
    for (unsigned number : effect.written) {
      bool isOwn = llvm::is_contained(effect.read, number);
      (adds && isOwn ? sums : others).insert(number);
    }
  }
  for (unsigned number : others)
    sums.erase(number);
  return sums;
}

static ProductLoop getLoop(ArrayRef<Line> lines, const Frame &frame) {
  ProductLoop loop;
  std::vector<Effect> effects;
  std::set<unsigned> multiplied;
  for (const Line &line : lines) {
    effects.push_back(getEffect(line, frame.isArm));
    if (effects.back().kind == Effect::Product)
      multiplied.insert(effects.back().written.begin(),
                        effects.back().written.end());
  }
  std::set<unsigned> sums = findSums(effects);
  for (auto [line, effect] : llvm::zip_equal(lines, effects)) {
    loop.products += effect.kind == Effect::Fused;
    bool isOfFrame = llvm::any_of(line.operands, [&](StringRef operand) {
      return frame.contains(operand);
    });
    bool isOfVectors = !effect.written.empty() || !effect.read.empty();
    if (isOfFrame && isOfVectors)
      loop.spills.push_back(line.text.str());
    loop.scalarReloads += isOfFrame && !isOfVectors;
    auto isOf = [](const std::set<unsigned> &numbers) {
      return [&numbers](unsigned own) { return numbers.count(own) != 0; };
    };
    if (effect.kind == Effect::Sum &&
        llvm::any_of(effect.written, isOf(sums)) &&
        llvm::any_of(effect.read, isOf(multiplied)))
      loop.splits.push_back(line.text.str());
  }
  loop.sums = sums.size();
  return loop;
}

static bool isBranch(const Line &line, bool isArm) {
  StringRef name = line.name;
  if (!isArm)
    return name.starts_with("j");
  return name == "b" || name.starts_with("b.") || name.starts_with("cb") ||
         name.starts_with("tb");
}

std::vector<ProductLoop> inlay::testing::findProductLoops(StringRef assembly,
                                                          bool isArm) {
  std::vector<Line> lines;
  Frame frame = {isArm, false};
  llvm::StringMap<size_t> labels;
  /// From a label to the last branch back to it.
  std::map<size_t, size_t> ends;
  SmallVector<StringRef> texts;
  assembly.split(texts, '\n');
  for (StringRef text : texts) {
    std::optional<Line> line = readLine(text, isArm);
    if (!line)
      continue;
    frame.hasPointer |= setsPointer(*line, isArm);
    if (!line->label.empty())
      labels[line->label] = lines.size();
    else if (isBranch(*line, isArm) && !line->operands.empty())
      if (auto label = labels.find(line->operands.back());
          label != labels.end())
        ends[label->second] = lines.size();
    lines.push_back(std::move(*line));
  }
  std::vector<ProductLoop> loops;
  for (auto [start, end] : ends) {
    auto inner = ends.upper_bound(start);
    if (inner != ends.end() && inner->first < end)
      continue;
    ProductLoop loop =
        getLoop(ArrayRef(lines).slice(start, end - start), frame);
    if (loop.products != 0 || !loop.splits.empty())
      loops.push_back(std::move(loop));
  }
  return loops;
}
