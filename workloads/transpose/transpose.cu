// Matrix transposition three ways, with blocks of 16 x 16 threads:
//   naive   writes columns, so its stores scatter over memory;
//   tiled   goes through a shared tile whose columns all fall into few banks;
//   padded  adds one column to the tile, which spreads them over all banks.
#include "../common/image.hpp"
#include "../common/workload.hpp"
#include "reference.hpp"

using namespace workloads;

constexpr int kTile = 16;

__global__ void transposeNaive(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

// The block's tile goes in by rows and comes out by columns, so that both global accesses run along rows.
template <int kPitch>
__device__ void transposeThrough(float (&tile)[kTile][kPitch], float* out, const float* in, int width, int height) {
  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transposeTiled(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile];
  transposeThrough(tile, out, in, width, height);
}

__global__ void transposePadded(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  transposeThrough(tile, out, in, width, height);
}

using Kernel = void (*)(float*, const float*, int, int);
struct Version {
  const char* name;
  Kernel kernel;
};
constexpr Version kVersions[] = {{"naive", transposeNaive}, {"tiled", transposeTiled}, {"padded", transposePadded}};

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"transpose",
                                        "matrix transposition: naive, through a shared tile, and through a padded one",
                                        "256 x 256",
                                        "1024 x 1000",
                                        "2688 x 2688",
                                        {"naive", "tiled", "padded"}});
  const int width = options.pick(256, 1024, 2688);
  const int height = options.pick(256, 1000, 2688);

  Random random(2);
  const std::vector<float> in = makeImage(width, height, random);
  std::vector<float> expected(in.size());
  Timings timings;
  timings.reference([&] { referenceTranspose(expected, in, width, height); });

  const DeviceArray<float> deviceIn(in);
  const dim3 grid(divideUp(width, kTile), divideUp(height, kTile)), block(kTile, kTile);
  bool correct = true;
  for (const Version& version : kVersions) {
    if (!options.runs(version.name)) continue;
    const DeviceArray<float> deviceOut(in.size());
    timings.kernels([&] { version.kernel<<<grid, block>>>(deviceOut.data(), deviceIn.data(), width, height); });
    correct = expectEqual(version.name, expected, deviceOut.download()) && correct;
  }
  timings.print();
  return report("transpose", correct);
}
