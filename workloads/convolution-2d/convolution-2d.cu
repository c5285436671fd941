// Edge detection by a 7 x 7 Laplacian of Gaussian that does not factor into rows and columns. A block of 16 x 16 threads loads
// its 22 x 22 part of the image, halo included, into shared memory; the filter lies in constant memory. Pixels outside the image
// repeat the nearest one inside.
#include "../common/image.hpp"
#include "../common/workload.hpp"

using namespace workloads;

constexpr int kBlock = 16;
constexpr int kRadius = 3;
constexpr int kSide = 2 * kRadius + 1;  // of the filter
constexpr int kTile = kBlock + 2 * kRadius;

__constant__ float coefficients[kSide * kSide];

__host__ __device__ inline int clampTo(int position, int length) { return position < 0 ? 0 : position < length ? position : length - 1; }

__global__ void convolve2D(const float* in, float* out, int width, int height) {
  __shared__ float tile[kTile][kTile];
  const int left = blockIdx.x * kBlock - kRadius, top = blockIdx.y * kBlock - kRadius;
  for (int y = threadIdx.y; y < kTile; y += kBlock)
    for (int x = threadIdx.x; x < kTile; x += kBlock) tile[y][x] = in[clampTo(top + y, height) * width + clampTo(left + x, width)];
  __syncthreads();

  const int column = blockIdx.x * kBlock + threadIdx.x, row = blockIdx.y * kBlock + threadIdx.y;
  if (column >= width || row >= height) return;
  float sum = 0.0f;
#pragma unroll
  for (int y = 0; y < kSide; ++y)
#pragma unroll
    for (int x = 0; x < kSide; ++x) sum += coefficients[y * kSide + x] * tile[threadIdx.y + y][threadIdx.x + x];
  out[row * width + column] = sum;
}

void referenceConvolve(const std::vector<float>& filter, const std::vector<float>& in, std::vector<float>& out, int width, int height) {
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      float sum = 0.0f;
      for (int y = -kRadius; y <= kRadius; ++y) {
        const float* line = &in[size_t(clampTo(row + y, height)) * width];
        for (int x = -kRadius; x <= kRadius; ++x) sum += filter[(y + kRadius) * kSide + x + kRadius] * line[clampTo(column + x, width)];
      }
      out[size_t(row) * width + column] = sum;
    }
  }
}

// Zero in sum, so that even areas become zero.
std::vector<float> laplacianOfGaussian() {
  const float variance = 1.96f;
  std::vector<float> filter(kSide * kSide);
  float sum = 0.0f;
  for (int y = -kRadius; y <= kRadius; ++y) {
    for (int x = -kRadius; x <= kRadius; ++x) {
      const float scaled = float(x * x + y * y) / (2.0f * variance);
      sum += filter[(y + kRadius) * kSide + x + kRadius] = (scaled - 1.0f) * std::exp(-scaled);
    }
  }
  for (float& coefficient : filter) coefficient -= sum / filter.size();
  return filter;
}

struct Extent {
  int width, height;
};

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"convolution-2d",
                                        "7 x 7 edge filter in constant memory, 16 x 16 blocks with halo in shared memory",
                                        "200 x 150 pixels",
                                        "1000 x 768 pixels",
                                        "3072 x 3072 pixels",
                                        {}});
  const Extent extent = options.pick(Extent{200, 150}, Extent{1000, 768}, Extent{3072, 3072});
  const int width = extent.width, height = extent.height;

  Random random(14);
  const std::vector<float> image = makeImage(width, height, random), filter = laplacianOfGaussian();
  std::vector<float> expected(image.size());
  WORKLOAD_CHECK(cudaMemcpyToSymbol(coefficients, filter.data(), filter.size() * sizeof(float)));

  Timings timings;
  const DeviceArray<float> in(image), out(image.size());
  const dim3 grid(divideUp(width, kBlock), divideUp(height, kBlock)), block(kBlock, kBlock);
  timings.kernels([&] { convolve2D<<<grid, block>>>(in.data(), out.data(), width, height); });
  timings.reference([&] { referenceConvolve(filter, image, expected, width, height); });
  timings.print();

  // Partial sums stay below 255 times the sum of the coefficients' magnitudes; each of the 2 x 49 roundings on either side is at
  // most 2^-24 of that.
  float magnitude = 0.0f;
  for (float coefficient : filter) magnitude += std::fabs(coefficient);
  const float tolerance = 4 * kSide * kSide * 0x1p-24f * 255.0f * magnitude;
  return report("convolution-2d", expectNear("pixel", expected, out.download(), 0.0f, tolerance));
}
