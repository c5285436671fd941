#include "image.hpp"

#include "base/error.hpp"
#include "fatbin/container.hpp"
#include "runtime/fatbinary.hpp"

namespace warpwright::cuda {
namespace {

// Read: std::vector<runtime::PtxUnit>().
template <typename Read>
Image imageFrom(Read&& read) {
  try {
    return {CUDA_SUCCESS, read(), {}};
  } catch (const fatbin::NoPtx& error) {
    return {CUDA_ERROR_NO_BINARY_FOR_GPU, {}, error.what()};
  } catch (const Error& error) {
    return {CUDA_ERROR_INVALID_IMAGE, {}, error.what()};
  }
}

}  // namespace

Image readImage(const void* image, u32 smVersion) {
  if (!image) return {CUDA_ERROR_INVALID_VALUE, {}, "no image"};
  return imageFrom([&] { return runtime::imagePtx(image, "module", smVersion); });
}

Image readBytes(std::string_view bytes, const std::string& name, u32 smVersion) {
  return imageFrom([&] { return runtime::filePtx(bytes, name, smVersion); });
}

}  // namespace warpwright::cuda
