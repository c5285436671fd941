// What a program loads as a module: PTX text, a fat binary, or the result of a link.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cuda.h"
#include "fatbin/container.hpp"

namespace warpwright::cuda {

struct Image {
  CUresult status = CUDA_SUCCESS;
  std::vector<std::string> units;  // PTX, one text a translation unit
  std::string message;             // why there is none
};

// The PTX of an image in this process's memory, for sm_VERSION. Machine code without PTX: CUDA_ERROR_NO_BINARY_FOR_GPU; damaged or
// unknown data: CUDA_ERROR_INVALID_IMAGE.
Image readImage(const void* image, u32 smVersion);
// The same of a file's bytes: PTX, fat binary, object file, archive.
Image readBytes(std::string_view bytes, const std::string& name, u32 smVersion);

// One PTX text from those of several units: directives that stand for the whole text are kept once, declarations of what another unit
// defines are left out. Names local to two units clash.
std::string join(const std::vector<std::string>& units);

}  // namespace warpwright::cuda
