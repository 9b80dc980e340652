//===- Backend.cpp - Back ends from outside -------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Backend.h"
#include "inlay/Support/Error.h"
#include "llvm/Support/DynamicLibrary.h"

using namespace inlay;
using llvm::StringRef;

Backend::~Backend() = default;

llvm::Error Backend::checkSection(const BackendSection &) const {
  return llvm::Error::success();
}

void Backend::addPasses(mlir::OpPassManager &, const BackendSection &) const {}

BackendRegistry &BackendRegistry::get() {
  // Never destroyed: LLVM closes the libraries before it would be.
  static auto *registry = new BackendRegistry();
  return *registry;
}

llvm::Error BackendRegistry::add(std::unique_ptr<Backend> backend) {
  std::string name = backend->getName().str();
  if (name == "onnx" || name == "mlir" || find(name))
    return usageError("a back end calls itself '" + name + "', which is taken");
  backends.push_back(std::move(backend));
  return llvm::Error::success();
}

const Backend *BackendRegistry::find(StringRef name) const {
  for (const auto &backend : backends)
    if (backend->getName() == name)
      return backend.get();
  return nullptr;
}

llvm::SmallVector<StringRef> BackendRegistry::getNames() const {
  return llvm::map_to_vector(
      backends, [](const auto &backend) { return backend->getName(); });
}

/// A library is built against one version of our headers and of LLVM's: what
/// was built against another would read objects wrongly.
static llvm::Error checkVersions(const BackendPlugin &plugin) {
  if (plugin.abi != backendAbi)
    return usageError("it was built for version " + llvm::Twine(plugin.abi) +
                      " of the interface, this is version " +
                      llvm::Twine(backendAbi) + ": build it again");
  if (StringRef(plugin.llvmVersion) != LLVM_VERSION_STRING)
    return usageError("it was built with LLVM " +
                      llvm::Twine(plugin.llvmVersion) +
                      ", this is " LLVM_VERSION_STRING ": build it again");
  return llvm::Error::success();
}

llvm::Error BackendRegistry::load(StringRef path) {
  std::string context = "back end '" + path.str() + "': ", reason;
  // A name without a folder would be looked for where libraries lie.
  std::string file = (path.contains('/') ? path : "./" + path).str();
  auto library =
      llvm::sys::DynamicLibrary::getPermanentLibrary(file.c_str(), &reason);
  if (!library.isValid())
    return ioError(context + "cannot be loaded: " + reason);
  auto *getPlugin = reinterpret_cast<const BackendPlugin *(*)()>(
      library.getAddressOfSymbol("inlayGetBackendPlugin"));
  if (!getPlugin)
    return usageError(context + "it has no function 'inlayGetBackendPlugin'");
  const BackendPlugin *plugin = getPlugin();
  if (llvm::Error error = checkVersions(*plugin))
    return addContext(context, std::move(error));
  return addContext(context, plugin->addTo(*this));
}

const BackendSection &inlay::getBackendSection(const Target &target,
                                               llvm::StringRef name) {
  static const BackendSection none;
  auto it = target.backends.find(name);
  return it == target.backends.end() ? none : it->second;
}

llvm::Error inlay::checkBackend(llvm::StringRef name, const Target &target) {
  const Backend *backend = BackendRegistry::get().find(name);
  if (!backend)
    return usageError("no back end is named '" + name + "'");
  return addContext("target '" + target.name + "', section '" + name + "': ",
                    backend->checkSection(getBackendSection(target, name)));
}
