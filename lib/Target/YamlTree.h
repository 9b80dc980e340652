//===- YamlTree.h - A YAML text as plain nodes ------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's YAML parser reads forwards only and stops at its first error. Here a
// text becomes a tree that can be looked at in any order, of bounded size and
// depth, and knows where everything was written.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TARGET_YAMLTREE_H
#define INLAY_LIB_TARGET_YAMLTREE_H

#include "inlay/Target/Target.h"
#include <optional>

namespace inlay {

/// Both numbers count from 1.
struct YamlLocation {
  unsigned line = 1;
  unsigned column = 1;
};

/// A scalar, a list or a mapping with scalar keys.
struct YamlNode {
  enum class Kind { Null, Scalar, Sequence, Mapping };
  struct Key {
    std::string text;
    YamlLocation location;
  };

  Kind kind = Kind::Null;
  YamlLocation location;
  /// Of a scalar, without quotes and escapes.
  std::string text;
  /// A scalar on one line without quotes: `location` and an offset into `text`
  /// are the place of what stands there.
  bool isPlain = false;
  /// Of a sequence, or the values of a mapping.
  std::vector<YamlNode> items;
  /// Of a mapping, one per item.
  std::vector<Key> keys;
};

/// The faults of a text. There are at most `limit`: a hostile file does not
/// become a long list.
class FaultList {
public:
  static constexpr size_t limit = 100;

  void add(YamlLocation location, const llvm::Twine &message);
  bool empty() const { return faults.empty(); }
  size_t size() const { return faults.size() + isCut; }
  /// In the order of the text.
  std::vector<TargetFault> take();

private:
  std::vector<TargetFault> faults;
  bool isCut = false;
};

/// A text beyond this is refused unread.
constexpr size_t maxYamlBytes = size_t(1) << 20;

/// Reads the one document of `text`; nothing after a fault of YAML itself.
std::optional<YamlNode> readYaml(llvm::StringRef text, FaultList &faults);

} // namespace inlay

#endif // INLAY_LIB_TARGET_YAMLTREE_H
