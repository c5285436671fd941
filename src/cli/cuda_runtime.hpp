// Which CUDA runtime a program asks for, and where Warpwright's libraries of that name are.
#pragma once

#include <string>
#include <string_view>

namespace warpwright::cli {

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

// The folder with libcudart.so.11.0, .12 and .13; empty when it is missing.
std::string dropInFolder();

}  // namespace warpwright::cli
