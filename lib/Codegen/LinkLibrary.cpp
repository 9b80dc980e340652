//===- LinkLibrary.cpp - Object files as a shared library -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkLibrary.h"
#include "Embedded.h"
#include "inlay/Support/Error.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace inlay;

namespace {
/// A folder that is gone with this object: the linker reads and writes files.
class TemporaryFolder {
public:
  static llvm::Expected<TemporaryFolder> create();

  TemporaryFolder(TemporaryFolder &&other) noexcept
      : path(std::exchange(other.path, {})) {}
  TemporaryFolder &operator=(TemporaryFolder &&) = delete;
  ~TemporaryFolder() {
    if (!path.empty())
      llvm::sys::fs::remove_directories(path);
  }

  std::string getPath(const llvm::Twine &name) const {
    llvm::SmallString<128> file(path);
    llvm::sys::path::append(file, name);
    return file.str().str();
  }
  /// The path of a file of these bytes.
  llvm::Expected<std::string> write(const llvm::Twine &name,
                                    llvm::StringRef bytes) const;

private:
  TemporaryFolder() = default;

  std::string path;
};
} // namespace

llvm::Expected<TemporaryFolder> TemporaryFolder::create() {
  llvm::SmallString<128> path;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("inlay-link", path))
    return ioError("cannot make a temporary folder: " + code.message());
  TemporaryFolder folder;
  folder.path = path.str().str();
  return folder;
}

llvm::Expected<std::string>
TemporaryFolder::write(const llvm::Twine &name, llvm::StringRef bytes) const {
  std::string file = getPath(name);
  std::error_code code;
  llvm::raw_fd_ostream stream(file, code);
  if (!code) {
    stream << bytes;
    stream.close();
    code = stream.error();
    stream.clear_error();
  }
  if (code)
    return ioError("'" + file + "': " + code.message());
  return file;
}

/// The linker has one state for the whole process.
static llvm::Error link(llvm::ArrayRef<const char *> arguments) {
  static std::mutex mutex;
  static bool isBroken = false;
  std::lock_guard lock(mutex);
  if (isBroken)
    return makeError(ExitCode::Internal,
                     "the linker failed before and cannot be used again");
  std::string text;
  llvm::raw_string_ostream output(text);
  lld::Result result =
      lld::lldMain(arguments, output, output, {{lld::Gnu, &lld::elf::link}});
  isBroken = !result.canRunAgain;
  if (result.retCode != 0)
    return makeError(ExitCode::Internal, "linking failed: " + text);
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
inlay::linkLibrary(llvm::ArrayRef<llvm::MemoryBufferRef> objects,
                   const Machine &machine, llvm::StringRef name) {
  auto folder = TemporaryFolder::create();
  if (!folder)
    return folder.takeError();
  llvm::Triple triple(machine.triple);
  EmbeddedRuntime runtime =
      getEmbeddedRuntime(llvm::Triple::getArchTypeName(triple.getArch()));
  std::string library = folder->getPath("library.so");
  llvm::SmallVector<std::string> arguments = {
      "ld.lld", "-shared", "-o", library, ("--soname=" + name).str(),
      // No text relocations, no executable stack, and nothing left to change
      // once it is loaded.
      "-z", "relro", "-z", "now", "-z", "noexecstack", "-z", "text", "-z",
      "defs", "--gc-sections", "--hash-style=gnu", "--build-id=none",
      "--threads=1", "--as-needed"};
  for (auto [i, object] : llvm::enumerate(objects)) {
    auto file = folder->write(llvm::Twine(i) + ".o", object.getBuffer());
    if (!file)
      return file.takeError();
    arguments.push_back(*file);
  }
  for (auto [file, bytes] : {std::pair("runtime.o", runtime.object),
                             std::pair("libc.so.6", runtime.libc),
                             std::pair("libm.so.6", runtime.libm)}) {
    auto path = folder->write(file, bytes);
    if (!path)
      return path.takeError();
    arguments.push_back(*path);
  }
  llvm::SmallVector<const char *> words;
  for (const std::string &argument : arguments)
    words.push_back(argument.c_str());
  if (llvm::Error error = link(words))
    return error;
  auto linked = llvm::MemoryBuffer::getFile(library, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
  if (!linked)
    return ioError("'" + library + "': " + linked.getError().message());
  return std::move(*linked);
}
