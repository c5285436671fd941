// Which CUDA runtime a program asks for, and where Warpwright's libraries of that name are.
#pragma once

#include <string>
#include <string_view>

namespace warpwright::cli {

// All of Warpwright's stand-ins are in one folder, this one among them.
inline constexpr const char* kDriverLibrary = "libcuda.so.1";

enum class CudaUse {
  none,           // no CUDA in the program itself
  own,            // linked by warpwright-cc
  shared,         // libcudart.so of a version that there is a drop-in library for
  otherVersion,   // libcudart.so of another version
  driver,         // the driver API alone
  staticRuntime,  // NVIDIA's runtime is a part of the program
};

struct CudaRuntime {
  CudaUse use = CudaUse::none;
  std::string library;  // the name that the program asks the loader for; empty where it asks for none
};

// Throws Error for a damaged file.
CudaRuntime cudaRuntimeOf(std::string_view elfBytes, const std::string& name);

// The folder of Warpwright's library of that name; empty when there is none.
std::string dropInFolder(const std::string& library);

}  // namespace warpwright::cli
