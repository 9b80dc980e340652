# What `cmake --install` lays out, so that find_package(Inlay) works from there.
# The library and the tools install themselves (AddInlay.cmake).
include(CMakePackageConfigHelpers)

set(INLAY_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Inlay)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/inlay
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/inlay
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
  FILES_MATCHING PATTERN "*.h.inc")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/inlay RENAME copyright COMPONENT runtime)

get_property(INLAY_LIBRARIES GLOBAL PROPERTY INLAY_LIBRARIES)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/InlayConfig.cmake.in
  ${PROJECT_BINARY_DIR}/InlayConfig.cmake
  INSTALL_DESTINATION ${INLAY_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/InlayConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/InlayConfig.cmake
  ${PROJECT_BINARY_DIR}/InlayConfigVersion.cmake
  DESTINATION ${INLAY_CMAKE_DIR} COMPONENT dev)
install(EXPORT InlayTargets NAMESPACE Inlay:: DESTINATION ${INLAY_CMAKE_DIR} COMPONENT dev)
