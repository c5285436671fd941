# warpwright_room(NAME [HOT] [SEPARATE] [DEPENDS room...] [LIBRARIES target...] [EXCLUDE file...])
# One static library, warpwright_NAME, from every .cpp of the current folder and its sub-folders.
# HOT: it holds inner loops of the simulation. Its functions may be inlined into one another, which the rules of shared libraries forbid by
# default, as another library might replace them; the libraries' own calls end in themselves anyway (-Bsymbolic-functions).
# SEPARATE: its files repeat names by design, so that a unity build never joins them.
function(warpwright_room NAME)
  cmake_parse_arguments(ROOM "HOT;SEPARATE" "" "DEPENDS;LIBRARIES;EXCLUDE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(excluded ${ROOM_EXCLUDE})
    list(FILTER sources EXCLUDE REGEX "/${excluded}$")
  endforeach()
  list(TRANSFORM ROOM_DEPENDS PREPEND warpwright_)
  if(sources)
    add_library(warpwright_${NAME} STATIC ${sources})
    set(scope PUBLIC)
    target_precompile_headers(warpwright_${NAME} REUSE_FROM warpwright_room_headers)
  else()
    add_library(warpwright_${NAME} INTERFACE)
    set(scope INTERFACE)
  endif()
  if(ROOM_HOT)
    target_compile_options(warpwright_${NAME} PRIVATE -fno-semantic-interposition)
  endif()
  if(ROOM_SEPARATE)
    set_target_properties(warpwright_${NAME} PROPERTIES UNITY_BUILD OFF)
  endif()
  target_include_directories(warpwright_${NAME} ${scope} ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(warpwright_${NAME} ${scope} fmt::fmt ${ROOM_DEPENDS} ${ROOM_LIBRARIES})
endfunction()

# Test programs that `./check` builds with sanitizers; in the ordinary build they are made on demand (target fast-tests, or their names).
add_custom_target(sanitized-tests)
# Test programs of the quick part of `./check`.
add_custom_target(fast-tests)

# warpwright_tests(NAME [SEPARATE] [DEPENDS room...] [LIBRARIES target...] [LABELS label...])
# One GoogleTest program, test_NAME, from every *_test.cpp of the current folder and its sub-folders. Labels that mean something here:
#   fast             runs in the quick part of `./check`
#   sanitized        runs under sanitizers as well
#   sanitized-only   runs under sanitizers, and without them in the quick part alone: it is not part of the target `all`
# SEPARATE: as of rooms.
function(warpwright_tests NAME)
  cmake_parse_arguments(TESTS "SEPARATE" "" "DEPENDS;LIBRARIES;LABELS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp)
  if(NOT sources)
    return()
  endif()
  list(TRANSFORM TESTS_DEPENDS PREPEND warpwright_)
  add_executable(test_${NAME} ${sources})
  target_include_directories(test_${NAME} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(test_${NAME} PRIVATE WARPWRIGHT_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                                  WARPWRIGHT_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_compile_options(test_${NAME} PRIVATE ${WARPWRIGHT_TEST_OPTIONS})
  target_precompile_headers(test_${NAME} REUSE_FROM warpwright_test_headers)
  target_link_libraries(test_${NAME} PRIVATE ${TESTS_DEPENDS} ${TESTS_LIBRARIES} fmt::fmt GTest::gtest_main)
  # One entry a program: some hold thousands of cases, and starting a process for each would cost more than running it.
  add_test(NAME ${NAME} COMMAND test_${NAME} --gtest_brief=1)
  set_tests_properties(${NAME} PROPERTIES LABELS "${TESTS_LABELS}" TIMEOUT 600)
  if("sanitized" IN_LIST TESTS_LABELS OR "sanitized-only" IN_LIST TESTS_LABELS)
    add_dependencies(sanitized-tests test_${NAME})
  endif()
  if(TESTS_SEPARATE)
    set_target_properties(test_${NAME} PROPERTIES UNITY_BUILD OFF)
  endif()
  if("fast" IN_LIST TESTS_LABELS)
    add_dependencies(fast-tests test_${NAME})
  endif()
  if("sanitized-only" IN_LIST TESTS_LABELS)
    set_target_properties(test_${NAME} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()
