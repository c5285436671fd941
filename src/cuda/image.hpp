// What a program loads as a module: PTX text, a fat binary, or the result of a link.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cuda.h"
#include "runtime/ptx_source.hpp"

namespace warpwright::cuda {

struct Image {
  CUresult status = CUDA_SUCCESS;
  std::vector<runtime::PtxUnit> units;
  std::string message;  // why there are none
};

// The PTX of an image in this process's memory, for sm_VERSION. Machine code without PTX: CUDA_ERROR_NO_BINARY_FOR_GPU; damaged or
// unknown data: CUDA_ERROR_INVALID_IMAGE.
Image readImage(const void* image, u32 smVersion);
// The same of a file's bytes: PTX, fat binary, object file, archive.
Image readBytes(std::string_view bytes, const std::string& name, u32 smVersion);

}  // namespace warpwright::cuda
