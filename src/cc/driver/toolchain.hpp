// Where the parts that the driver puts together lie: clang, the project's headers, the runtime library.
#pragma once

#include <string>
#include <vector>

#include "base/types.hpp"

namespace warpwright::cc {

struct Toolchain {
  std::string clang;  // path or name of clang++
  u32 clangMajor = 14;
  std::vector<std::string> includeFolders;  // in order of search
  std::string vendorStubFolder;             // headers that say "out of scope"; searched last
  std::string address32Folder;              // what a 32-bit device pass needs besides
  std::string libraryFolder;                // holds libwarpwright_cudart.so
  std::string dropInFolder;                 // holds libcuda.so, libnvrtc.so, libcublas.so, libcurand.so
  std::vector<std::string> hostCxxFolders;  // the host's C++ headers, which a 32-bit pass cannot find by itself
};

// Finds the parts relative to `executable` (build tree or installation) and else where the build put them. `clangOption` is -ccbin's
// value; empty: $WARPWRIGHT_CLANG, then clang++ from 19 down to 14, then clang++. Throws Error when clang or the headers are missing.
Toolchain findToolchain(const std::string& executable, const std::string& clangOption);

// The folders in which `clang` looks for the host's system headers, as it prints them itself.
std::vector<std::string> systemIncludeFolders(const std::string& clang);

}  // namespace warpwright::cc
