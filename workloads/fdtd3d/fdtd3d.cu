// Finite differences in three dimensions: a stencil that reaches four cells along each axis, as in acoustic wave propagation
// (Micikevicius: "3D Finite Difference Computation on GPUs using CUDA", GPGPU-2, 2009). A block of 32 x 16 threads marches through
// the volume plane by plane: the cells before and behind it are a queue in registers, its own plane with halo lies in shared memory.
// In the variant `whole` the volume is as large as its blocks, none of which reaches beyond it.
#include <algorithm>
#include <string>
#include <utility>

#include "../common/workload.hpp"

using namespace workloads;

constexpr int kBlockX = 32, kBlockY = 16;
constexpr int kRadius = 4;

__constant__ float coefficients[kRadius + 1];

// Cells that are computed; around them lie kRadius cells that stay what they are.
struct Volume {
  int x, y, z;

  __host__ __device__ int row() const { return x + 2 * kRadius; }
  __host__ __device__ int plane() const { return row() * (y + 2 * kRadius); }
  __host__ __device__ int cell(int i, int j, int k) const { return (k + kRadius) * plane() + (j + kRadius) * row() + i + kRadius; }
  size_t size() const { return size_t(plane()) * (z + 2 * kRadius); }
};

__global__ void finiteDifferences3D(const float* in, float* out, Volume volume) {
  __shared__ float tile[kBlockY + 2 * kRadius][kBlockX + 2 * kRadius];
  const int tx = threadIdx.x + kRadius, ty = threadIdx.y + kRadius;
  const int x = blockIdx.x * kBlockX + threadIdx.x, y = blockIdx.y * kBlockY + threadIdx.y;
  // Threads beyond the volume help with the halo as far as there are cells.
  const bool inPlane = x < volume.x + kRadius && y < volume.y + kRadius;
  const bool inVolume = x < volume.x && y < volume.y;
  const int plane = volume.plane(), row = volume.row();
  int cell = volume.cell(x, y, 0);

  float behind[kRadius], ahead[kRadius], current = 0.0f;
#pragma unroll
  for (int i = 0; i < kRadius; ++i) {
    behind[i] = inPlane ? in[cell - (i + 1) * plane] : 0.0f;
    ahead[i] = inPlane ? in[cell + i * plane] : 0.0f;
  }
  for (int z = 0; z < volume.z; ++z, cell += plane) {
    if (z > 0) {
#pragma unroll
      for (int i = kRadius - 1; i > 0; --i) behind[i] = behind[i - 1];
      behind[0] = current;
    }
    current = ahead[0];
#pragma unroll
    for (int i = 0; i < kRadius - 1; ++i) ahead[i] = ahead[i + 1];
    ahead[kRadius - 1] = inPlane ? in[cell + kRadius * plane] : 0.0f;

    __syncthreads();
    if (inPlane) {
      tile[ty][tx] = current;
      if (threadIdx.y < kRadius) {
        tile[threadIdx.y][tx] = in[cell - kRadius * row];
        const int below = min(kBlockY, volume.y - int(blockIdx.y) * kBlockY);
        tile[ty + below][tx] = in[cell + below * row];
      }
      if (threadIdx.x < kRadius) {
        tile[ty][threadIdx.x] = in[cell - kRadius];
        const int right = min(kBlockX, volume.x - int(blockIdx.x) * kBlockX);
        tile[ty][tx + right] = in[cell + right];
      }
    }
    __syncthreads();
    if (!inVolume) continue;
    float sum = coefficients[0] * current;
#pragma unroll
    for (int i = 1; i <= kRadius; ++i)
      sum += coefficients[i] * (behind[i - 1] + ahead[i - 1] + tile[ty - i][tx] + tile[ty + i][tx] + tile[ty][tx - i] + tile[ty][tx + i]);
    out[cell] = sum;
  }
}

void referenceStep(const std::vector<float>& coefficient, const std::vector<float>& in, std::vector<float>& out, const Volume& volume) {
  const int row = volume.row(), plane = volume.plane();
  for (int z = 0; z < volume.z; ++z)
    for (int y = 0; y < volume.y; ++y)
      for (int x = 0; x < volume.x; ++x) {
        const int cell = volume.cell(x, y, z);
        float sum = coefficient[0] * in[cell];
        for (int i = 1; i <= kRadius; ++i)
          sum += coefficient[i] *
                 (in[cell - i * plane] + in[cell + i * plane] + in[cell - i * row] + in[cell + i * row] + in[cell - i] + in[cell + i]);
        out[cell] = sum;
      }
}

// A field with a smooth background, a few sources and noise; nothing is negative.
std::vector<float> makeField(const Volume& volume, Random& random) {
  std::vector<float> field = uniformFloats(random, volume.size(), 0.0f, 0.1f);
  for (int source = 0; source < 12; ++source) {
    const int centre = volume.cell(random.below(volume.x), random.below(volume.y), random.below(volume.z));
    const float strength = random.uniform(0.5f, 5.0f);
    for (int i = -kRadius; i <= kRadius; ++i) field[centre + i] += strength / (1 + i * i);
  }
  return field;
}

// The volume up to whole blocks, so that no thread is beyond it.
Volume wholeBlocks(const Volume& volume) {
  return {divideUp(volume.x, kBlockX) * kBlockX, divideUp(volume.y, kBlockY) * kBlockY, volume.z};
}

// The device's steps beside the reference's.
bool isComputed(const char* name, const Volume& volume, int steps, Timings& timings) {
  // Weights that fall off with the distance and add up to one: 0.4 + 6 (0.05 + 0.025 + 0.015 + 0.01).
  const std::vector<float> weights = {0.4f, 0.05f, 0.025f, 0.015f, 0.01f};
  Random random(33);
  std::vector<float> expected = makeField(volume, random), scratch = expected;

  const DeviceArray<float> first(expected), second(expected);
  float *in = first.data(), *out = second.data();
  WORKLOAD_CHECK(cudaMemcpyToSymbol(coefficients, weights.data(), weights.size() * sizeof(float)));
  const dim3 blocks(divideUp(volume.x, kBlockX), divideUp(volume.y, kBlockY)), threads(kBlockX, kBlockY);
  timings.kernels([&] {
    for (int step = 0; step < steps; ++step) {
      finiteDifferences3D<<<blocks, threads>>>(in, out, volume);
      std::swap(in, out);
    }
  });
  timings.reference([&] {
    for (int step = 0; step < steps; ++step) {
      referenceStep(weights, expected, scratch, volume);
      expected.swap(scratch);
    }
  });

  std::vector<float> got(expected.size());
  WORKLOAD_CHECK(cudaMemcpy(got.data(), in, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
  // All terms are positive. A cell is rounded at most 14 times on the way of any of its terms (five sums within a distance, a product,
  // the sums over distances), on either side: 2^-24 each.
  return expectNear(std::string("field, ") + name, expected, got, 28 * 0x1p-24f * steps, 0.0f);
}

struct Problem {
  Volume volume;
  int steps;
};

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"fdtd3d",
                                        "stencil of radius 4 in three dimensions with a queue of planes in registers",
                                        "70 x 45 x 24 cells, 3 steps",
                                        "160 x 160 x 96 cells, 5 steps",
                                        "376 x 376 x 376 cells, 5 steps",
                                        {"usual", "whole"},
                                        "usual"});
  const Problem problem = options.pick(Problem{{70, 45, 24}, 3}, Problem{{160, 160, 96}, 5}, Problem{{376, 376, 376}, 5});
  Timings timings;
  bool correct = true;
  if (options.runs("usual")) correct = isComputed("usual", problem.volume, problem.steps, timings);
  if (options.runs("whole")) correct = isComputed("whole", wholeBlocks(problem.volume), problem.steps, timings) && correct;
  timings.print();
  return report("fdtd3d", correct);
}
