# Build options and the settings that hold for every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Most of what a file costs is its headers: CLI11 alone takes 8 s of g++ 12. Who changes files all day may want them one by one.
option(CMAKE_UNITY_BUILD "Compile files of a room or test program together" ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12 CACHE STRING "Files that are compiled together")

option(WARPWRIGHT_TESTS "Build the tests" ON)
option(WARPWRIGHT_BENCHMARKS "Build the Google Benchmarks" ON)
option(WARPWRIGHT_WORKLOADS "Compile the workloads with warpwright-cc" ON)
option(WARPWRIGHT_FUZZERS "Build the libFuzzer targets (needs clang++ as the compiler)" OFF)
set(WARPWRIGHT_HOST_LEVELS portable avx2 avx512 CACHE STRING "Instruction-set levels of the host to build the vector lanes for; portable always")
set(WARPWRIGHT_SANITIZE "" CACHE STRING "Sanitizers, comma-separated, as for -fsanitize (address,undefined or thread)")

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

# Lane arithmetic must round as PTX says: never contract a*b+c on our own, never assume a rounding mode.
add_compile_options(-Wall -Wextra -Wshadow -Wno-missing-field-initializers -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # Wrong about concatenated strings in GCC 12 (its bug 105651).
  add_compile_options(-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
if(WARPWRIGHT_SANITIZE)
  add_compile_options(-fsanitize=${WARPWRIGHT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${WARPWRIGHT_SANITIZE})
  add_compile_definitions(WARPWRIGHT_SANITIZED) # for tests that try many random cases
endif()
# Compiling tests is most of a build. What they test is optimised as ever.
set(WARPWRIGHT_TEST_OPTIONS $<$<CONFIG:Release>:-O1>)
find_program(CCACHE ccache)
if(CCACHE)
  # What ccache asks for before it takes compiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess> "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
