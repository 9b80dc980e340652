//===- VerifyKernels.cpp - What must hold of kernels ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/KernelFusion/VerifyKernels.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace inlay;

using Operand = KernelGraph::Operand;
static constexpr unsigned none = KernelGraph::none;

static llvm::Error fault(const llvm::Twine &text) {
  return makeError(ExitCode::Internal, "kernels: " + text);
}

static llvm::Error checkMembers(const KernelGraph &graph,
                                const KernelPlan &plan) {
  if (plan.kernelOf.size() != graph.size())
    return fault("not every operator has one");
  size_t numMembers = 0;
  unsigned lastFirst = 0;
  for (auto [number, kernel] : llvm::enumerate(plan.kernels)) {
    if (kernel.empty() || kernel.front() < lastFirst)
      return fault("one is empty or behind a later one");
    lastFirst = kernel.front();
    for (auto [i, node] : llvm::enumerate(kernel)) {
      if (i != 0 && kernel[i - 1] >= node)
        return fault("one has its operators out of order, or one twice");
      if (node >= graph.size() || plan.kernelOf[node] != number)
        return fault("an operator is in another one than it says");
    }
    numMembers += kernel.size();
  }
  // Each is where it says, and none is twice in one: as many are in none as
  // there are too few.
  if (numMembers != graph.size())
    return fault("an operator is in none");
  return llvm::Error::success();
}

/// Runs kernels as soon as they can; what is left waits for itself.
static llvm::Error checkOrder(const KernelGraph &graph,
                              const KernelPlan &plan) {
  std::vector<std::vector<unsigned>> waiting(plan.kernels.size());
  std::vector<unsigned> waitsFor(plan.kernels.size()), work;
  for (unsigned node = 0; node < graph.size(); ++node)
    for (const Operand &operand : graph[node].operands) {
      unsigned producer = graph.getRoot(operand.value).producer;
      if (producer == none || plan.kernelOf[producer] == plan.kernelOf[node])
        continue;
      waiting[plan.kernelOf[producer]].push_back(plan.kernelOf[node]);
      ++waitsFor[plan.kernelOf[node]];
    }
  for (unsigned kernel = 0; kernel < plan.kernels.size(); ++kernel)
    if (waitsFor[kernel] == 0)
      work.push_back(kernel);
  size_t numRun = 0;
  for (; !work.empty(); ++numRun) {
    unsigned kernel = work.back();
    work.pop_back();
    for (unsigned other : waiting[kernel])
      if (--waitsFor[other] == 0)
        work.push_back(other);
  }
  if (numRun != plan.kernels.size())
    return fault("they wait for each other");
  return llvm::Error::success();
}

/// Adds what one more operator reads; whoever reads all of it says 2^64 - 1.
static void addPart(uint64_t &bytes, uint64_t more) {
  bytes = more > ~bytes ? ~uint64_t(0) : bytes + more;
}

KernelTraffic inlay::countTraffic(const KernelGraph &graph,
                                  llvm::ArrayRef<unsigned> kernelOf) {
  // Of each value that is no view, the other kernels that read it and how much
  // of it at most.
  std::vector<std::map<unsigned, uint64_t>> readers(graph.getValues().size());
  for (unsigned node = 0; node < graph.size(); ++node)
    for (const Operand &operand : graph[node].operands) {
      unsigned producer = graph.getRoot(operand.value).producer;
      if (producer == none || kernelOf[producer] != kernelOf[node])
        addPart(readers[graph.getValue(operand.value).root][kernelOf[node]],
                operand.bytes);
    }
  KernelTraffic traffic;
  for (auto [value, own] : llvm::zip_equal(graph.getValues(), readers)) {
    for (auto [kernel, bytes] : own)
      traffic.read += std::min(bytes, value.bytes);
    // Views have no readers and do not escape: their roots do.
    bool isComputed = value.producer != none;
    if (isComputed && (value.escapes || !own.empty()))
      traffic.written += value.bytes;
  }
  return traffic;
}

static llvm::Error checkTraffic(const KernelGraph &graph,
                                const KernelPlan &plan) {
  KernelTraffic found = countTraffic(graph, plan.kernelOf);
  if (found != plan.traffic)
    return fault("they read " + llvm::Twine(found.read) + " and write " +
                 llvm::Twine(found.written) + " bytes, not " +
                 llvm::Twine(plan.traffic.read) + " and " +
                 llvm::Twine(plan.traffic.written));
  if (plan.bound && *plan.bound > found.getTotal())
    return fault("they move " + llvm::Twine(found.getTotal()) +
                 " bytes, less than the least: " + llvm::Twine(*plan.bound));
  return llvm::Error::success();
}

llvm::Error inlay::verifyKernels(const KernelGraph &graph,
                                 const KernelTarget &target,
                                 const KernelPlan &plan) {
  if (llvm::Error error = checkMembers(graph, plan))
    return error;
  for (const std::vector<unsigned> &kernel : plan.kernels)
    if (llvm::Error error = verifyKernel(graph, target, kernel))
      return error;
  if (llvm::Error error = checkOrder(graph, plan))
    return error;
  return checkTraffic(graph, plan);
}
