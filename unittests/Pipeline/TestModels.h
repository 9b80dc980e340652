//===- TestModels.h - Models that all must hold for -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_PIPELINE_TESTMODELS_H
#define INLAY_UNITTESTS_PIPELINE_TESTMODELS_H

#include "../Support/TemporaryFolder.h"
#include <string>
#include <vector>

namespace inlay {

/// The models of test/models and examples, and ONNX's own operator tests. They
/// are about structure: external weights are files of holes.
class TestModels {
public:
  TestModels();

  const std::vector<std::string> &getPaths() const { return paths; }

private:
  void addWithWeights(llvm::StringRef path);

  TemporaryFolder folder;
  std::vector<std::string> paths;
};

} // namespace inlay

#endif // INLAY_UNITTESTS_PIPELINE_TESTMODELS_H
