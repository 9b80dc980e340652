# Helpers that keep the CMakeLists.txt of each folder to a list of sources.

# inlay_add_library(NAME source... [DEPENDS tablegen-target...] [LINK library...])
#
# One static library per folder of lib/. LINK names libraries of ours, as the
# layer table of docs/Architecture.md allows, or imported ones.
function(inlay_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(Inlay::${name} ALIAS ${name})
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  target_compile_features(${name} INTERFACE cxx_std_20)
  set_property(GLOBAL APPEND PROPERTY INLAY_LIBRARIES ${name})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  install(TARGETS ${name} EXPORT InlayTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# inlay_add_unittest(NAME source... [LINK library...])
#
# A gtest executable, registered with CTest under its own name.
function(inlay_add_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS fast)
endfunction()
