# Writes OUTPUT: the package's VERSION, and a hash of the headers that a plug-in includes and of the sources of the ROOMS
# and FILES that it is linked with.
cmake_minimum_required(VERSION 3.20)
include(${CMAKE_CURRENT_LIST_DIR}/headers.cmake)
warpwright_plugin_headers(${SOURCE} files)
foreach(room IN LISTS ROOMS)
  file(GLOB_RECURSE sources RELATIVE ${SOURCE} ${SOURCE}/${room}/*.cpp ${SOURCE}/${room}/*.hpp ${SOURCE}/${room}/*.def)
  list(APPEND files ${sources})
endforeach()
list(APPEND files plugins/include/warpwright/plugin.hpp ${FILES})
list(REMOVE_DUPLICATES files)
list(SORT files)
set(all)
foreach(file IN LISTS files)
  file(SHA256 ${SOURCE}/${file} one)
  string(APPEND all "${file} ${one}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 16 hash)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[// Made by the build.
#pragma once

#define WARPWRIGHT_PLUGIN_VERSION "@VERSION@"
#define WARPWRIGHT_PLUGIN_HASH "@hash@"
]] @ONLY)
