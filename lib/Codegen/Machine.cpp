//===- Machine.cpp - Machines that code is made for -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Codegen/Machine.h"
#include "inlay/NativeRuntime/Program.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"

using namespace inlay;

namespace {
/// A set of features that many CPUs share, by the name that LLVM knows.
struct Level {
  llvm::StringLiteral arch, name;
  llvm::StringLiteral features;
  VectorUnit unit;
  uint32_t required;
  /// What tells that a machine has it, and all below.
  llvm::ArrayRef<llvm::StringLiteral> hostFeatures;
};
} // namespace

static constexpr llvm::StringLiteral v3Features[] = {"avx2", "fma",  "bmi",
                                                     "bmi2", "f16c", "movbe"};
static constexpr llvm::StringLiteral v4Features[] = {
    "avx2",    "fma",      "bmi",      "bmi2",     "f16c",    "movbe",
    "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"};

static constexpr VectorUnit avx2 = {
    .lanes = 8, .registers = 16, .blocksAhead = 64};
static constexpr VectorUnit avx512 = {.lanes = 16,
                                      .registers = 32,
                                      .rowCost = 0.6,
                                      .nearRowCost = 0.1,
                                      .columnCost = 1,
                                      .elementsAhead = 256,
                                      .blocksAhead = 64,
                                      .termsAtOnce = 1024,
                                      .turnsAtOnce = 2};
static constexpr VectorUnit neon = {.lanes = 4,
                                    .registers = 32,
                                    .multipliesByLane = true,
                                    .sums = 0,
                                    .products = 4,
                                    .stores = 1.3,
                                    .streamedBytes = 11,
                                    .bytesAhead = 6144,
                                    .keepsNaN = true};

/// Of each architecture the lowest first, which is the generic one. Vectors are
/// as long as templates make them.
static const Level levels[] = {
    {"x86_64", "x86-64-v3", "", avx2, INLAY_CPU_X86_64_V3, v3Features},
    {"x86_64", "x86-64-v4", "-prefer-256-bit", avx512, INLAY_CPU_X86_64_V4,
     v4Features},
    {"aarch64", "armv8-a", "", neon, INLAY_CPU_ANY, {}}};

static llvm::StringRef getArch(const llvm::Triple &triple) {
  return llvm::Triple::getArchTypeName(triple.getArch());
}

static llvm::Triple getHostTriple() {
  return llvm::Triple(llvm::sys::getProcessTriple());
}

static bool hasLevel(const Level &level) {
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  return getArch(getHostTriple()) == level.arch &&
         llvm::all_of(level.hostFeatures, [&](llvm::StringRef feature) {
           return host.lookup(feature);
         });
}

static const Level *getHostLevel() {
  const Level *best = nullptr;
  for (const Level &level : levels)
    if (hasLevel(level))
      best = &level;
  return best;
}

Machine Machine::getHost() {
  llvm::SubtargetFeatures features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features.AddFeature(feature.first(), feature.second);
  // The name of an arm64 CPU implies SVE, which the kernel may hide: what is
  // not listed is not used.
  llvm::Triple triple = getHostTriple();
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  if (triple.isAArch64() && !host.lookup("sve"))
    for (llvm::StringRef feature : {"sve", "sve2"})
      features.AddFeature(feature, false);
  const Level *level = getHostLevel();
  if (level && !level->features.empty())
    features.AddFeature(level->features);
  return {triple.str(), llvm::sys::getHostCPUName().str(), features.getString(),
          level ? level->unit : VectorUnit{4, 16},
          level ? level->required : uint32_t(INLAY_CPU_ANY)};
}

static Machine getMachine(const llvm::Triple &triple, const Level &level) {
  // LLVM's name of the architecture's first version is "generic".
  bool isFirst = level.hostFeatures.empty();
  return {triple.str(), isFirst ? "generic" : level.name.str(),
          level.features.str(), level.unit, level.required};
}

llvm::Expected<Machine> Machine::get(llvm::StringRef name,
                                     llvm::StringRef cpu) {
  llvm::Triple triple = name.empty()
                            ? getHostTriple()
                            : llvm::Triple(llvm::Triple::normalize(name));
  bool isKnown = llvm::any_of(levels, [&](const Level &level) {
    return level.arch == getArch(triple);
  });
  if (!isKnown || !triple.isOSLinux())
    return usageError("--triple is '" + name +
                      "', expected x86_64-linux-gnu or aarch64-linux-gnu");
  if (cpu == "native") {
    const Level *level = getHostLevel();
    if (level && level->arch == getArch(triple))
      return getMachine(triple, *level);
    if (level)
      return usageError("--cpu native is this machine, which --triple '" +
                        name + "' is not");
    return unsupportedError(
        "this CPU lacks what code is made for: AVX2, FMA, BMI2 and F16C");
  }
  llvm::SmallVector<llvm::StringRef> names = {"native", "generic"};
  for (const Level &level : levels) {
    if (level.arch != getArch(triple))
      continue;
    if (cpu == level.name || cpu == "generic")
      return getMachine(triple, level);
    names.push_back(level.name);
  }
  return usageError("--cpu is '" + cpu + "', expected one of " +
                    llvm::join(names, ", "));
}

bool Machine::isRunnable() const {
  if (getArch(llvm::Triple(triple)) != getArch(getHostTriple()))
    return false;
  const Level *host = getHostLevel();
  return required <= (host ? host->required : uint32_t(INLAY_CPU_ANY));
}
