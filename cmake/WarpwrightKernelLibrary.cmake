# warpwright_kernel_library(NAME VERSIONS n... KERNELS file.cu... HEADERS file...)
# Libraries libNAME.so.n from the .cpp files of the current folder and kernels that warpwright-cc compiles; targets warpwright_NAME_n.
# HEADERS: what the kernels include of the folder. WARPWRIGHT_<NAME>_MAJOR tells the files which version it is; -lNAME finds the first.
function(warpwright_kernel_library NAME)
  cmake_parse_arguments(LIBRARY "" "" "VERSIONS;KERNELS;HEADERS" ${ARGN})
  list(GET LIBRARY_VERSIONS 0 first)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(objects)
  foreach(kernels ${LIBRARY_KERNELS})
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${kernels}.o)
    list(APPEND objects ${object})
    add_custom_command(
      OUTPUT ${object}
      COMMAND warpwright-cc -std=c++20 -O2 -Xcompiler=-fPIC,-fvisibility=hidden -c -o ${object} ${CMAKE_CURRENT_SOURCE_DIR}/${kernels}
      DEPENDS warpwright-cc ${kernels} ${LIBRARY_HEADERS}
      COMMENT "Compiling kernels of ${NAME}: ${kernels}"
      VERBATIM)
  endforeach()
  add_custom_target(warpwright_${NAME}_kernels DEPENDS ${objects})
  foreach(major ${LIBRARY_VERSIONS})
    set(target warpwright_${NAME}_${major})
    set(SONAME lib${NAME}.so.${major})
    set(script ${CMAKE_CURRENT_BINARY_DIR}/${SONAME}.map)
    file(CONFIGURE OUTPUT ${script} CONTENT "@SONAME@ {\n  global:\n    @NAME@*;\n  local:\n    *;\n};\n" @ONLY)
    add_library(${target} SHARED ${sources} ${objects})
    add_dependencies(${target} warpwright_${NAME}_kernels)
    string(TOUPPER ${NAME} upper)
    target_compile_definitions(${target} PRIVATE WARPWRIGHT_${upper}_MAJOR=${major})
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/include)
    target_link_libraries(${target} PUBLIC warpwright_cudart)
    set_target_properties(
      ${target}
      PROPERTIES OUTPUT_NAME ${NAME}
                 SUFFIX .so.${major}
                 LIBRARY_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/warpwright
                 CXX_VISIBILITY_PRESET hidden
                 VISIBILITY_INLINES_HIDDEN ON
                 UNITY_BUILD OFF
                 BUILD_RPATH "$ORIGIN/.."
                 INSTALL_RPATH "$ORIGIN/.."
                 LINK_DEPENDS ${script})
    target_link_options(${target} PRIVATE -Wl,-soname,${SONAME} -Wl,--version-script=${script})
    install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/warpwright)
    add_dependencies(product ${target})
  endforeach()
  # What -lNAME finds.
  set(link ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/warpwright/lib${NAME}.so)
  add_custom_command(TARGET warpwright_${NAME}_${first} POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink lib${NAME}.so.${first} ${link} VERBATIM)
  install(FILES ${link} DESTINATION ${CMAKE_INSTALL_LIBDIR}/warpwright)
endfunction()
