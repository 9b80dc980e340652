//===- Page.h - A page for a browser ----------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One file that opens in any browser and asks the network for nothing. Its
// script and its style are files of their own in lib/Drawing/page.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_DRAWING_PAGE_H
#define INLAY_DRAWING_PAGE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace inlay {

/// JSON that may stand in a script element: whatever its strings hold, they end
/// no element and begin no comment. It is the same value.
std::string escapeForScript(llvm::StringRef json);

/// Text that stands between tags.
std::string escapeForHtml(llvm::StringRef text);

/// A page that shows `json`. Its policy allows this script and this style and
/// nothing else.
std::string makePage(llvm::StringRef title, llvm::StringRef json);

} // namespace inlay

#endif // INLAY_DRAWING_PAGE_H
