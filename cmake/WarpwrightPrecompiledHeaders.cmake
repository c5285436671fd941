# Parsing the standard library, fmt and GoogleTest costs more than compiling most of our files: each is parsed once for all of them.
# A file includes what it uses all the same: clang-tidy reads the files without these headers. <filesystem> is not among them: once it is
# compiled, GCC 12 refuses std::visit with a generic lambda.
set(standard_headers
    <algorithm>
    <array>
    <atomic>
    <bit>
    <charconv>
    <fstream>
    <functional>
    <map>
    <memory>
    <mutex>
    <optional>
    <set>
    <span>
    <sstream>
    <string>
    <string_view>
    <tuple>
    <unordered_map>
    <vector>
    <fmt/format.h>)

# Programs are compiled as position-independent executables and libraries as position-independent code: a compiled header serves one of the two.
function(warpwright_precompiled_headers NAME)
  cmake_parse_arguments(HEADERS "" "" "OPTIONS;LIBRARIES;HEADERS" ${ARGN})
  add_library(${NAME} OBJECT ${CMAKE_SOURCE_DIR}/cmake/precompiled.cpp)
  target_link_libraries(${NAME} PRIVATE ${HEADERS_LIBRARIES})
  target_compile_options(${NAME} PRIVATE ${HEADERS_OPTIONS})
  target_precompile_headers(${NAME} PRIVATE ${HEADERS_HEADERS})
endfunction()

warpwright_precompiled_headers(warpwright_room_headers LIBRARIES fmt::fmt HEADERS ${standard_headers})
if(WARPWRIGHT_TESTS)
  find_package(GTest REQUIRED)
  warpwright_precompiled_headers(
    warpwright_test_headers
    OPTIONS -fPIE ${WARPWRIGHT_TEST_OPTIONS}
    LIBRARIES fmt::fmt GTest::gtest
    HEADERS ${standard_headers} <random> <gtest/gtest.h>)
  set_target_properties(warpwright_test_headers PROPERTIES POSITION_INDEPENDENT_CODE OFF)
endif()
