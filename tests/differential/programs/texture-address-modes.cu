// A plane read beyond its borders: clamp, border, wrap and mirror, each axis with a mode of its own.
#include "check.hpp"

constexpr int kWidth = 8, kHeight = 4, kSpan = 28;

__global__ void sample(cudaTextureObject_t texture, float* out, bool normalized) {
  const int x = static_cast<int>(threadIdx.x) - 10, y = static_cast<int>(blockIdx.x) - 10;
  const float u = x + 0.5f, v = y + 0.5f;
  out[blockIdx.x * kSpan + threadIdx.x] = normalized ? tex2D<float>(texture, u / kWidth, v / kHeight) : tex2D<float>(texture, u, v);
}

// The index that a mode makes of one outside 0 … size - 1, or -1 for the border.
int address(int index, int size, cudaTextureAddressMode mode) {
  if (index >= 0 && index < size) return index;
  const int lap = (index % (2 * size) + 2 * size) % (2 * size);
  switch (mode) {
    case cudaAddressModeClamp: return index < 0 ? 0 : size - 1;
    case cudaAddressModeBorder: return -1;
    case cudaAddressModeWrap: return lap % size;
    default: return lap < size ? lap : 2 * size - 1 - lap;
  }
}

int main() {
  const auto values = table(kWidth * kHeight, [](size_t i) { return 1.0f + i; });
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CUDA(cudaMallocArray(&array, &format, kWidth, kHeight));
  CUDA(cudaMemcpy2DToArray(array, 0, 0, values.data(), kWidth * sizeof(float), kWidth * sizeof(float), kHeight, cudaMemcpyHostToDevice));
  const struct {
    cudaTextureAddressMode x, y;
    bool normalized;
    const char* name;
  } cases[] = {{cudaAddressModeClamp, cudaAddressModeClamp, false, "clamp"},
               {cudaAddressModeBorder, cudaAddressModeClamp, false, "border and clamp"},
               {cudaAddressModeWrap, cudaAddressModeMirror, true, "wrap and mirror"},
               {cudaAddressModeMirror, cudaAddressModeBorder, true, "mirror and border"}};
  for (const auto& one : cases) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    description.addressMode[0] = one.x;
    description.addressMode[1] = one.y;
    description.normalizedCoords = one.normalized;
    cudaTextureObject_t texture = 0;
    CUDA(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    Buffer<float> out(kSpan * kSpan);
    sample<<<kSpan, kSpan>>>(texture, out, one.normalized);
    check::same(out.read(), table(kSpan * kSpan, [&](size_t i) {
      const int x = address(static_cast<int>(i % kSpan) - 10, kWidth, one.x), y = address(static_cast<int>(i / kSpan) - 10, kHeight, one.y);
      return x < 0 || y < 0 ? 0.0f : values[y * kWidth + x];
    }), one.name);
    CUDA(cudaDestroyTextureObject(texture));
  }
  CUDA(cudaFreeArray(array));
  return check::finish();
}
