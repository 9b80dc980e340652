# What `make package` makes: inlay_*.deb with the tools and the library, and
# inlay-dev_*.deb with what other projects build against.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME inlay)
set(CPACK_PACKAGE_CONTACT "The maintainers of Inlay <maintainers@inlay.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL runtime dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)

set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
  "Fits neural networks to the hardware that runs them\nReads ONNX and a description of the hardware; writes ONNX, MLIR or machine code.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME inlay)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)

set(CPACK_COMPONENT_DEV_DESCRIPTION
  "Headers of Inlay, and what CMake needs to find it\nFor back ends and programs that compile models themselves.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME inlay-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
  "inlay (= ${PROJECT_VERSION}), libmlir-19-dev, llvm-19-dev, zlib1g-dev")
include(CPack)
