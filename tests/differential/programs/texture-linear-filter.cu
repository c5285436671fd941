// Linear filtering in one, two and three dimensions, at quarters between texels, where the weights are exact.
#include "check.hpp"

constexpr int kX = 8, kY = 6, kZ = 5;

__global__ void sample1D(cudaTextureObject_t texture, float* out) { out[threadIdx.x] = tex1D<float>(texture, 0.25f * threadIdx.x); }
__global__ void sample2D(cudaTextureObject_t texture, float* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = tex2D<float>(texture, 0.25f * threadIdx.x, 0.25f * blockIdx.x);
}
__global__ void sample3D(cudaTextureObject_t texture, float* out) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  out[(z * gridDim.x + y) * blockDim.x + x] = tex3D<float>(texture, 0.5f * x, 0.5f * y, 0.5f * z);
}

float value(int x, int y, int z) { return static_cast<float>((x * x * 3 + y * 5 + z * 7 * (x + 1)) % 64); }
int clamped(int index, int size) { return index < 0 ? 0 : index >= size ? size - 1 : index; }

// Weights of the two neighbours along each axis, as the programming guide gives them: x - 0.5 split into whole and fraction.
float filtered(float x, float y, float z, int width, int height, int depth) {
  float sum = 0;
  const float at[3] = {x - 0.5f, y - 0.5f, z - 0.5f};
  int first[3];
  float part[3];
  const int size[3] = {width, height, depth};
  for (int axis = 0; axis < 3; ++axis) {
    first[axis] = static_cast<int>(at[axis] + 100) - 100;
    part[axis] = size[axis] == 1 ? 0 : at[axis] - first[axis];
  }
  for (int corner = 0; corner < 8; ++corner) {
    float weight = 1;
    int index[3];
    for (int axis = 0; axis < 3; ++axis) {
      const int upper = corner >> axis & 1;
      weight *= upper ? part[axis] : 1 - part[axis];
      index[axis] = clamped(first[axis] + upper, size[axis]);
    }
    sum += weight * value(index[0], index[1], index[2]);
  }
  return sum;
}

cudaTextureObject_t makeTexture(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description{};
  for (cudaTextureAddressMode& mode : description.addressMode) mode = cudaAddressModeClamp;
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t object = 0;
  CUDA(cudaCreateTextureObject(&object, &resource, &description, nullptr));
  return object;
}

cudaArray_t array(int width, int height, int depth) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t result = nullptr;
  // A zero height or depth is what makes an array one- or two-dimensional.
  CUDA(cudaMalloc3DArray(&result, &format, make_cudaExtent(width, height > 1 ? height : 0, depth > 1 ? depth : 0)));
  auto values = table(width * height * depth, [=](size_t i) {
    const int index = static_cast<int>(i);
    return value(index % width, index / width % height, index / (width * height));
  });
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(values.data(), width * sizeof(float), width, height);
  copy.dstArray = result;
  copy.extent = make_cudaExtent(width, height, depth);
  copy.kind = cudaMemcpyHostToDevice;
  CUDA(cudaMemcpy3D(&copy));
  return result;
}

int main() {
  Buffer<float> line(4 * kX), plane(16 * kX * kY), volume(8 * kX * kY * kZ);
  sample1D<<<1, 4 * kX>>>(makeTexture(array(kX, 1, 1)), line);
  check::same(line.read(), table(4 * kX, [](size_t i) { return filtered(0.25f * i, 0.5f, 0.5f, kX, 1, 1); }), "tex1D");
  sample2D<<<4 * kY, 4 * kX>>>(makeTexture(array(kX, kY, 1)), plane);
  check::same(plane.read(), table(16 * kX * kY, [](size_t i) { return filtered(0.25f * (i % (4 * kX)), 0.25f * (i / (4 * kX)), 0.5f, kX, kY, 1); }), "tex2D");
  sample3D<<<dim3(2 * kY, 2 * kZ), 2 * kX>>>(makeTexture(array(kX, kY, kZ)), volume);
  check::same(volume.read(), table(8 * kX * kY * kZ, [](size_t i) {
    return filtered(0.5f * (i % (2 * kX)), 0.5f * (i / (2 * kX) % (2 * kY)), 0.5f * (i / (4 * kX * kY)), kX, kY, kZ);
  }), "tex3D");
  return check::finish();
}
