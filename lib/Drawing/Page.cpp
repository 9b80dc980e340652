//===- Page.cpp - A page for a browser ------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Drawing/Page.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"

using namespace inlay;

static constexpr llvm::StringLiteral pageStyle =
#include "PageStyle.inc"
    ;
static constexpr llvm::StringLiteral pageScript =
#include "PageScript.inc"
    ;
static constexpr llvm::StringLiteral pageBody =
#include "PageBody.inc"
    ;

std::string inlay::escapeForScript(llvm::StringRef json) {
  std::string text;
  text.reserve(json.size());
  // Outside of strings, JSON has none of these.
  for (char letter : json) {
    if (letter == '<')
      text += "\\u003c";
    else if (letter == '>')
      text += "\\u003e";
    else if (letter == '&')
      text += "\\u0026";
    else
      text += letter;
  }
  return text;
}

std::string inlay::escapeForHtml(llvm::StringRef text) {
  std::string escaped;
  for (char letter : llvm::json::fixUTF8(text)) {
    if (letter == '<')
      escaped += "&lt;";
    else if (letter == '>')
      escaped += "&gt;";
    else if (letter == '&')
      escaped += "&amp;";
    else if (letter == '"')
      escaped += "&quot;";
    else
      // Controls are no letters in HTML.
      escaped += (unsigned char)letter < 0x20 ? ' ' : letter;
  }
  return escaped;
}

/// The source of a policy that allows an element with this text.
static std::string getHash(llvm::StringRef text) {
  auto digest =
      llvm::SHA256::hash(llvm::ArrayRef(text.bytes_begin(), text.bytes_end()));
  return "'sha256-" + llvm::encodeBase64(digest) + "'";
}

std::string inlay::makePage(llvm::StringRef title, llvm::StringRef json) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
      "'none'; style-src ";
  page += getHash(pageStyle) + "; script-src " + getHash(pageScript);
  page += "; base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" "
          "content=\"width=device-width, initial-scale=1\">\n<title>";
  page += escapeForHtml(title) + "</title>\n<style>" + pageStyle.str();
  page += "</style>\n</head>\n<body>\n" + pageBody.str();
  page += "<script type=\"application/json\" id=\"data\">";
  page += escapeForScript(json) + "</script>\n<script>" + pageScript.str();
  page += "</script>\n</body>\n</html>\n";
  return page;
}
