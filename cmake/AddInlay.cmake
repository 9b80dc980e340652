# Helpers that keep the CMakeLists.txt of each folder to a list of sources.

# inlay_sanitizer_link_options(SANITIZERS RESULT)
#
# What links code that is built with SANITIZERS. A checked product of 128 bits
# calls __muloti4 on arm64, which compiler-rt has and libgcc has not; the
# standard library still unwinds with libgcc.
function(inlay_sanitizer_link_options sanitizers result)
  set(${result} -fsanitize=${sanitizers} -rtlib=compiler-rt --unwindlib=libgcc PARENT_SCOPE)
endfunction()

# inlay_precompile(NAME header...)
#
# Headers that are read once. Files still include what they use: the preset
# `debug` builds without.
function(inlay_precompile name)
  set(source ${PROJECT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Only carries the precompiled headers.\n")
  add_library(${name} OBJECT ${source})
  # Lets ccache tell a header that was only written anew from one that changed.
  target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp" -fPIC)
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

# inlay_precompile_headers()
#
# Most of the time of most files goes into the headers of MLIR and of the
# dialect.
function(inlay_precompile_headers)
  if(NOT INLAY_PRECOMPILE_HEADERS)
    return()
  endif()
  set(headers <mlir/Dialect/Func/IR/FuncOps.h> <mlir/Pass/PassManager.h>
      ${PROJECT_SOURCE_DIR}/include/inlay/IR/InlayOps.h)
  inlay_precompile(InlayPrecompiled ${headers})
  add_dependencies(InlayPrecompiled InlayIRIncGen)
  if(NOT INLAY_BUILD_TESTS)
    return()
  endif()
  # And half of that of tests into those of gtest.
  find_package(GTest REQUIRED)
  inlay_precompile(InlayPrecompiledTests ${headers} <gtest/gtest.h>)
  add_dependencies(InlayPrecompiledTests InlayIRIncGen)
  inlay_precompile(InlayPrecompiledGtest <gtest/gtest.h>)
  foreach(name InlayPrecompiledTests InlayPrecompiledGtest)
    target_link_libraries(${name} PRIVATE GTest::gtest)
  endforeach()
endfunction()

# inlay_use_precompiled_headers(NAME [TESTS] library...)
#
# Lets a target use the precompiled headers if it links MLIR, itself or through
# a library of ours; and those of gtest, if it has tests.
function(inlay_use_precompiled_headers name)
  cmake_parse_arguments(ARG "TESTS" "" "" ${ARGN})
  set(uses_mlir OFF)
  foreach(library ${ARG_UNPARSED_ARGUMENTS})
    if(library STREQUAL MLIR)
      set(uses_mlir ON)
    elseif(TARGET ${library})
      get_target_property(inherited ${library} INLAY_USES_MLIR)
      if(inherited)
        set(uses_mlir ON)
      endif()
    endif()
  endforeach()
  set_target_properties(${name} PROPERTIES INLAY_USES_MLIR ${uses_mlir})
  if(uses_mlir AND ARG_TESTS)
    set(headers InlayPrecompiledTests)
  elseif(uses_mlir)
    set(headers InlayPrecompiled)
  elseif(ARG_TESTS)
    set(headers InlayPrecompiledGtest)
  endif()
  if(headers AND TARGET ${headers})
    # Executables too have to be compiled as the headers were.
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp" -fPIC)
    target_precompile_headers(${name} REUSE_FROM ${headers})
  endif()
endfunction()

# inlay_add_library(NAME source... [DEPENDS tablegen-target...] [LINK library...])
#
# One static library per folder of lib/, for the tests; together they are the
# shared one that tools and others use. LINK names libraries of ours, as the layer
# table of docs/Architecture.md allows, or imported ones.
function(inlay_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(Inlay::${name} ALIAS ${name})
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  target_compile_features(${name} INTERFACE cxx_std_20)
  inlay_use_precompiled_headers(${name} ${ARG_LINK})
  set_property(GLOBAL APPEND PROPERTY INLAY_LIBRARIES ${name})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# inlay_add_shared_library()
#
# All libraries as one libInlay.so: a tool and the back ends that it loads have
# the same registries and type ids only if they have the same library.
function(inlay_add_shared_library)
  get_property(libraries GLOBAL PROPERTY INLAY_LIBRARIES)
  # Programs have the options of sanitizers: a second copy would be a fault.
  list(TRANSFORM libraries REPLACE "(.+)"
    "$<FILTER:$<TARGET_OBJECTS:\\1>,EXCLUDE,SanitizerOptions>" OUTPUT_VARIABLE objects)
  add_library(Inlay SHARED ${objects})
  add_library(Inlay::Inlay ALIAS Inlay)
  # The linker's own functions are nobody else's business.
  target_link_libraries(Inlay PRIVATE ZLIB::ZLIB lldELF lldCommon ${GRAPHVIZ_LIBRARIES})
  target_link_options(Inlay PRIVATE -Wl,--exclude-libs,liblldELF.a:liblldCommon.a)
  target_link_libraries(Inlay PUBLIC MLIR LLVM)
  target_include_directories(Inlay INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(Inlay INTERFACE cxx_std_20)
  # Calls inside need no table; what is not inside is found when it is linked.
  target_link_options(Inlay PRIVATE -Wl,-Bsymbolic-functions)
  set_target_properties(Inlay PROPERTIES INLAY_USES_MLIR ON INSTALL_RPATH_USE_LINK_PATH ON
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  install(TARGETS Inlay EXPORT InlayTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT runtime NAMELINK_COMPONENT dev)
endfunction()

# inlay_add_tool(NAME source...)
#
# A program that is installed, beside the library that it finds from there.
function(inlay_add_tool name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE Inlay)
  if(INLAY_SANITIZE)
    # The runtime reads its options from the program.
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/lib/Support/SanitizerOptions.cpp)
  endif()
  set_target_properties(${name} PROPERTIES
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
endfunction()

# inlay_add_unittest(NAME source... [LINK library...])
#
# A gtest executable, registered with CTest under its own name.
function(inlay_add_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  inlay_use_precompiled_headers(${name} TESTS ${ARG_LINK})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS fast)
endfunction()

# inlay_add_random_test(NAME EXECUTABLE SHARE FULL source... LINK library...
#                       [PARTS number])
#
# A gtest executable that takes how many cases it draws, and the seed of the
# first: SHARE of them in NAME, all in NAME-in-full, which `make soak` runs, or
# in so many tests of this name, -1 and so on, of which several run at a time.
function(inlay_add_random_test name executable share full)
  cmake_parse_arguments(ARG "" "PARTS" "LINK" ${ARGN})
  add_executable(${executable} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${executable} PRIVATE ${ARG_LINK} GTest::gtest)
  inlay_use_precompiled_headers(${executable} TESTS ${ARG_LINK})
  add_test(NAME ${name} COMMAND ${executable} ${share})
  set_tests_properties(${name} PROPERTIES LABELS fast TIMEOUT 600)
  if(NOT ARG_PARTS)
    add_test(NAME ${name}-in-full COMMAND ${executable} ${full})
    set_tests_properties(${name}-in-full PROPERTIES LABELS soak TIMEOUT 7200)
    return()
  endif()
  math(EXPR count "${full} / ${ARG_PARTS}")
  foreach(part RANGE 1 ${ARG_PARTS})
    math(EXPR first "(${part} - 1) * ${count} + 1")
    add_test(NAME ${name}-in-full-${part}
      COMMAND ${executable} ${count} ${first})
    set_tests_properties(${name}-in-full-${part} PROPERTIES
      LABELS soak TIMEOUT 7200)
  endforeach()
endfunction()
