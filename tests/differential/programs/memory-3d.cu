// cudaMalloc3D and cudaMemcpy3D: a box out of a volume, with positions on both sides.
#include "check.hpp"

constexpr size_t kX = 20, kY = 10, kZ = 6;

__global__ void fill(cudaPitchedPtr volume) {
  char* row = static_cast<char*>(volume.ptr) + (blockIdx.y * kY + blockIdx.x) * volume.pitch;
  reinterpret_cast<short*>(row)[threadIdx.x] = static_cast<short>(threadIdx.x + 100 * blockIdx.x + 1000 * blockIdx.y);
}

int main() {
  cudaPitchedPtr volume{};
  CUDA(cudaMalloc3D(&volume, make_cudaExtent(kX * sizeof(short), kY, kZ)));
  check::that(volume.xsize == kX * sizeof(short) && volume.ysize == kY && volume.pitch >= volume.xsize, "extent is remembered");
  fill<<<dim3(kY, kZ), kX>>>(volume);

  constexpr size_t kW = 7, kH = 3, kD = 4;
  std::vector<short> box(kW * kH * kD, -1);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = volume;
  copy.srcPos = make_cudaPos(5 * sizeof(short), 2, 1);
  copy.dstPtr = make_cudaPitchedPtr(box.data(), kW * sizeof(short), kW * sizeof(short), kH);
  copy.extent = make_cudaExtent(kW * sizeof(short), kH, kD);
  copy.kind = cudaMemcpyDeviceToHost;
  CUDA(cudaMemcpy3D(&copy));
  check::same(box, table(kW * kH * kD, [](size_t i) {
    return static_cast<short>(i % kW + 5 + 100 * (i / kW % kH + 2) + 1000 * (i / (kW * kH) + 1));
  }), "box");

  // Back to the volume's origin, and its first row read.
  cudaMemcpy3DParms back{};
  back.srcPtr = copy.dstPtr;
  back.dstPtr = volume;
  back.extent = copy.extent;
  back.kind = cudaMemcpyHostToDevice;
  CUDA(cudaMemcpy3D(&back));
  std::vector<short> row(kX);
  CUDA(cudaMemcpy(row.data(), volume.ptr, kX * sizeof(short), cudaMemcpyDeviceToHost));
  check::same(row, table(kX, [](size_t i) { return static_cast<short>(i < kW ? 1205 + i : i); }), "first row");
  CUDA(cudaFree(volume.ptr));
  return check::finish();
}
