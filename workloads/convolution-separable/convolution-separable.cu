// Blur of an image by a separable Gaussian filter of 17 coefficients in constant memory: rows first, then columns. Each thread
// makes eight results; a block holds its part of the image in shared memory with a halo on both sides, which is one further
// step of the block, so that loads stay aligned (Podlozhnyuk 2007). Outside the image everything is zero.
#include "../common/image.hpp"
#include "../common/workload.hpp"

using namespace workloads;

constexpr int kRadius = 8;
constexpr int kTaps = 2 * kRadius + 1;
constexpr int kSteps = 8;  // results per thread
constexpr int kRowsX = 16, kRowsY = 4;
constexpr int kColumnsX = 16, kColumnsY = 8;
static_assert(kRowsX >= kRadius && kColumnsY >= kRadius, "the halo is one step");

__constant__ float taps[kTaps];

__global__ void convolveRows(const float* in, float* out, int width, int height) {
  __shared__ float tile[kRowsY][(kSteps + 2) * kRowsX];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kRowsY + ty;
  const int first = (blockIdx.x * kSteps - 1) * kRowsX + tx;
#pragma unroll
  for (int step = 0; step < kSteps + 2; ++step) {
    const int column = first + step * kRowsX;
    const bool inside = row < height && column >= 0 && column < width;
    tile[ty][tx + step * kRowsX] = inside ? in[row * width + column] : 0.0f;
  }
  __syncthreads();
#pragma unroll
  for (int step = 1; step <= kSteps; ++step) {
    const int column = first + step * kRowsX;
    float sum = 0.0f;
#pragma unroll
    for (int tap = -kRadius; tap <= kRadius; ++tap) sum += taps[kRadius + tap] * tile[ty][tx + step * kRowsX + tap];
    if (row < height && column < width) out[row * width + column] = sum;
  }
}

// The tile is transposed; the padding word per column keeps half-warps free of conflicts in 16 banks.
__global__ void convolveColumns(const float* in, float* out, int width, int height) {
  __shared__ float tile[kColumnsX][(kSteps + 2) * kColumnsY + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int column = blockIdx.x * kColumnsX + tx;
  const int first = (blockIdx.y * kSteps - 1) * kColumnsY + ty;
#pragma unroll
  for (int step = 0; step < kSteps + 2; ++step) {
    const int row = first + step * kColumnsY;
    const bool inside = column < width && row >= 0 && row < height;
    tile[tx][ty + step * kColumnsY] = inside ? in[row * width + column] : 0.0f;
  }
  __syncthreads();
#pragma unroll
  for (int step = 1; step <= kSteps; ++step) {
    const int row = first + step * kColumnsY;
    float sum = 0.0f;
#pragma unroll
    for (int tap = -kRadius; tap <= kRadius; ++tap) sum += taps[kRadius + tap] * tile[tx][ty + step * kColumnsY + tap];
    if (column < width && row < height) out[row * width + column] = sum;
  }
}

// One direction: `stride` is the distance of neighbours, `position` runs from 0 to `length` - 1 along it.
float referenceSum(const std::vector<float>& filter, const float* centre, int position, int length, int stride) {
  float sum = 0.0f;
  for (int tap = -kRadius; tap <= kRadius; ++tap) {
    if (position + tap >= 0 && position + tap < length) sum += filter[kRadius + tap] * centre[tap * stride];
  }
  return sum;
}

void referenceConvolve(const std::vector<float>& filter, const std::vector<float>& in, std::vector<float>& out, int width, int height) {
  std::vector<float> rows(in.size());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) rows[y * width + x] = referenceSum(filter, &in[y * width + x], x, width, 1);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) out[y * width + x] = referenceSum(filter, &rows[y * width + x], y, height, width);
}

std::vector<float> gaussian() {
  std::vector<float> filter(kTaps);
  float sum = 0.0f;
  for (int tap = -kRadius; tap <= kRadius; ++tap) sum += filter[kRadius + tap] = std::exp(-float(tap * tap) / 18.0f);
  for (float& coefficient : filter) coefficient /= sum;
  return filter;
}

struct Extent {
  int width, height;
};

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"convolution-separable",
                                        "Gaussian blur by rows and columns, halo in shared memory, 17 taps in constant memory",
                                        "250 x 190 pixels",
                                        "1000 x 768 pixels",
                                        "3072 x 3072 pixels",
                                        {}});
  const Extent extent = options.pick(Extent{250, 190}, Extent{1000, 768}, Extent{3072, 3072});
  const int width = extent.width, height = extent.height;

  Random random(13);
  const std::vector<float> image = makeImage(width, height, random), filter = gaussian();
  std::vector<float> expected(image.size());
  WORKLOAD_CHECK(cudaMemcpyToSymbol(taps, filter.data(), filter.size() * sizeof(float)));

  Timings timings;
  const DeviceArray<float> in(image), rows(image.size()), out(image.size());
  const dim3 rowsGrid(divideUp(width, kRowsX * kSteps), divideUp(height, kRowsY));
  const dim3 columnsGrid(divideUp(width, kColumnsX), divideUp(height, kColumnsY * kSteps));
  timings.kernels([&] {
    convolveRows<<<rowsGrid, dim3(kRowsX, kRowsY)>>>(in.data(), rows.data(), width, height);
    convolveColumns<<<columnsGrid, dim3(kColumnsX, kColumnsY)>>>(rows.data(), out.data(), width, height);
  });
  timings.reference([&] { referenceConvolve(filter, image, expected, width, height); });
  timings.print();

  // All terms are positive and the coefficients add up to one, so each of the 2 x 2 x 17 roundings of both sides, at most 2^-24
  // of the result, adds to the relative difference.
  return report("convolution-separable", expectNear("pixel", expected, out.download(), 4 * kTaps * 0x1p-24f, 0.0f));
}
