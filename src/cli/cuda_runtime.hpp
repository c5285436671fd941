// Which CUDA runtime a program asks for, and where Warpwright's libraries of that name are.
#pragma once

#include <string>
#include <string_view>

namespace warpwright::cli {

// All of Warpwright's stand-ins are in one folder, this one among them.
inline constexpr const char* kDriverLibrary = "libcuda.so.1";
// Puts one of them in the place of a runtime that is linked into a program (src/cudart/intercept).
inline constexpr const char* kInterceptor = "libwarpwright_intercept.so";

enum class CudaUse {
  none,           // no CUDA in the program itself
  own,            // linked by warpwright-cc
  shared,         // libcudart.so of a version that there is a drop-in library for
  otherVersion,   // libcudart.so of another version
  driver,         // the driver API alone
  staticRuntime,  // NVIDIA's runtime is a part of the program, and its functions can be found there
  hiddenRuntime,  // the same, but the program has no symbol table
};

struct CudaRuntime {
  CudaUse use = CudaUse::none;
  std::string library;  // the name that the program asks the loader for, or that stands for the release in it; empty where there is none
};

// Throws Error for a damaged file.
CudaRuntime cudaRuntimeOf(std::string_view elfBytes, const std::string& name);

// The folder of Warpwright's library of that name; empty when there is none.
std::string dropInFolder(const std::string& library);

}  // namespace warpwright::cli
