// Discrete cosine transform of 8 x 8 blocks of pixels and its inverse, in single precision and with 16-bit whole numbers (Obukhov
// and Kharlamov 2008). Each thread transforms one row and then one column of a block in shared memory: 8 x 4 x 2 threads for
// 32 x 16 pixels, and 8 x 4 x 4 for 32 x 32 in short integers, which move in pairs. A padding column of one word keeps the
// threads that walk along rows off each other's banks; every kernel exists with and without it.
#include <utility>

#include "../common/image.hpp"
#include "../common/workload.hpp"
#include "reference.hpp"
#include "transform.hpp"

using namespace workloads;
using dct::kSide;

constexpr int kTileWidth = 32;
constexpr int kBlocksWide = kTileWidth / kSide;
constexpr int kTileHeight = 16, kShortTileHeight = 32;
constexpr int kFractionBits = 3;  // that short integers keep between rows and columns

template <class Transform, int kPadding>
__device__ void transformTile(const float* in, float* out, int width) {
  __shared__ float tile[kTileHeight][kTileWidth + kPadding];
  const int left = threadIdx.y * kSide, top = threadIdx.z * kSide;
  const int column = left + threadIdx.x, row = top + threadIdx.x;
  const int corner = (blockIdx.y * kTileHeight + top) * width + blockIdx.x * kTileWidth + column;
  float values[kSide];
#pragma unroll
  for (int i = 0; i < kSide; ++i) tile[top + i][column] = in[corner + i * width];
  __syncthreads();

#pragma unroll
  for (int i = 0; i < kSide; ++i) values[i] = tile[row][left + i];
  Transform::apply(values);
#pragma unroll
  for (int i = 0; i < kSide; ++i) tile[row][left + i] = values[i];
  __syncthreads();

#pragma unroll
  for (int i = 0; i < kSide; ++i) values[i] = tile[top + i][column];
  Transform::apply(values);
#pragma unroll
  for (int i = 0; i < kSide; ++i) tile[top + i][column] = values[i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kSide; ++i) out[corner + i * width] = tile[top + i][column];
}

__host__ __device__ inline short roundRow(int sum) {
  constexpr int kBits = dct::kCosineBits - kFractionBits;
  return short((sum + (1 << (kBits - 1))) >> kBits);
}

__host__ __device__ inline short roundColumn(int sum) {
  constexpr int kBits = dct::kCosineBits + kFractionBits;
  return short((sum + (1 << (kBits - 1))) >> kBits);
}

// `pitch` is the image's width in pairs.
template <class Transform, int kPadding>
__device__ void transformShortTile(const short2* in, short2* out, int pitch) {
  constexpr int kPairs = kTileWidth / 2, kPitch = kPairs + kPadding;
  constexpr int kRowsPerStep = kSide * kBlocksWide * kShortTileHeight / kSide / kPairs;
  __shared__ short2 tile[kShortTileHeight][kPitch];
  const int thread = (threadIdx.z * kBlocksWide + threadIdx.y) * kSide + threadIdx.x;
  const int pair = thread % kPairs, firstRow = thread / kPairs;
  const int corner = (blockIdx.y * kShortTileHeight + firstRow) * pitch + blockIdx.x * kPairs + pair;
  int values[kSide];
#pragma unroll
  for (int i = 0; i < kShortTileHeight; i += kRowsPerStep) tile[firstRow + i][pair] = in[corner + i * pitch];
  __syncthreads();

  short2* line = &tile[threadIdx.z * kSide + threadIdx.x][threadIdx.y * kSide / 2];
#pragma unroll
  for (int i = 0; i < kSide / 2; ++i) {
    const short2 both = line[i];
    values[2 * i] = both.x;
    values[2 * i + 1] = both.y;
  }
  Transform::apply(values);
#pragma unroll
  for (int i = 0; i < kSide / 2; ++i) line[i] = make_short2(roundRow(values[2 * i]), roundRow(values[2 * i + 1]));
  __syncthreads();

  short* top = &tile[threadIdx.z * kSide][0].x + threadIdx.y * kSide + threadIdx.x;
#pragma unroll
  for (int i = 0; i < kSide; ++i) values[i] = top[i * 2 * kPitch];
  Transform::apply(values);
#pragma unroll
  for (int i = 0; i < kSide; ++i) top[i * 2 * kPitch] = roundColumn(values[i]);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kShortTileHeight; i += kRowsPerStep) out[corner + i * pitch] = tile[firstRow + i][pair];
}

using dct::Forward;
using dct::Inverse;

__global__ void dctPadded(const float* in, float* out, int width) { transformTile<Forward, 1>(in, out, width); }
__global__ void dctUnpadded(const float* in, float* out, int width) { transformTile<Forward, 0>(in, out, width); }
__global__ void idctPadded(const float* in, float* out, int width) { transformTile<Inverse, 1>(in, out, width); }
__global__ void idctUnpadded(const float* in, float* out, int width) { transformTile<Inverse, 0>(in, out, width); }
__global__ void dctShortPadded(const short2* in, short2* out, int pitch) { transformShortTile<Forward, 1>(in, out, pitch); }
__global__ void dctShortUnpadded(const short2* in, short2* out, int pitch) { transformShortTile<Forward, 0>(in, out, pitch); }
__global__ void idctShortPadded(const short2* in, short2* out, int pitch) { transformShortTile<Inverse, 1>(in, out, pitch); }
__global__ void idctShortUnpadded(const short2* in, short2* out, int pitch) { transformShortTile<Inverse, 0>(in, out, pitch); }

// A kernel by its name on the command line; the first of each pair has the padding column.
template <class T>
struct Version {
  const char* name;
  bool forward;
  void (*kernel)(const T*, T*, int);
};

const Version<float> kFloatVersions[] = {{"dct-padded", true, dctPadded},
                                         {"dct-unpadded", true, dctUnpadded},
                                         {"idct-padded", false, idctPadded},
                                         {"idct-unpadded", false, idctUnpadded}};
const Version<short2> kShortVersions[] = {{"dct-short-padded", true, dctShortPadded},
                                          {"dct-short-unpadded", true, dctShortUnpadded},
                                          {"idct-short-padded", false, idctShortPadded},
                                          {"idct-short-unpadded", false, idctShortUnpadded}};

std::vector<float> referenceFloat(bool forward, std::vector<float> image, int width) {
  const auto keep = [](float sum) { return sum; };
  dct::referenceImage(dct::Basis<float>(1.0), forward, image, width, keep, keep);
  return image;
}

std::vector<short> referenceShort(bool forward, std::vector<short> image, int width) {
  dct::referenceImage(dct::Basis<int>(1 << dct::kCosineBits), forward, image, width, roundRow, roundColumn);
  return image;
}

// What is left of coefficients in a compressed image: multiples of a step that grows with the frequency, most of them zero.
template <class T>
std::vector<T> quantise(std::vector<T> coefficients, int width) {
  for (size_t i = 0; i < coefficients.size(); ++i) {
    const int step = 8 + 3 * int(i % width % kSide + i / width % kSide);
    coefficients[i] = T(std::round(float(coefficients[i]) / step) * step);
  }
  return coefficients;
}

// Both directions' inputs and expected results.
template <class T>
struct Case {
  std::vector<T> image, coefficients, compressed, decompressed;

  template <class Reference>
  Case(std::vector<T> pixels, int width, Reference reference, Timings& timings) : image(std::move(pixels)) {
    timings.reference([&] { coefficients = reference(true, image, width); });
    compressed = quantise(coefficients, width);
    timings.reference([&] { decompressed = reference(false, compressed, width); });
  }
  const std::vector<T>& in(bool forward) const { return forward ? image : compressed; }
  const std::vector<T>& out(bool forward) const { return forward ? coefficients : decompressed; }
};

bool runFloat(const Version<float>& version, const Case<float>& data, int width, Timings& timings) {
  const DeviceArray<float> in(data.in(version.forward)), out(in.size());
  const int height = int(in.size()) / width;
  const dim3 grid(width / kTileWidth, height / kTileHeight), block(kSide, kBlocksWide, kTileHeight / kSide);
  timings.kernels([&] { version.kernel<<<grid, block>>>(in.data(), out.data(), width); });
  // Each pass rounds a term at most 10 times, on either side. Pixels are at most 128 in size, hence the sums of eight terms of the
  // passes 512 and 1448 (an orthonormal transform makes no value larger than sqrt(8) times the largest), and the second pass
  // multiplies errors of the first by at most 4. Coefficients of images are bounded likewise.
  constexpr float kTolerance = 2 * 10 * 0x1p-24f * (4 * 512.0f + 1448.0f);
  return expectNear(version.name, data.out(version.forward), out.download(), 0.0f, kTolerance);
}

bool runShort(const Version<short2>& version, const Case<short>& data, int width, Timings& timings) {
  const DeviceArray<short> in(data.in(version.forward)), out(in.size());
  const int height = int(in.size()) / width;
  const dim3 grid(width / kTileWidth, height / kShortTileHeight), block(kSide, kBlocksWide, kShortTileHeight / kSide);
  timings.kernels([&] {
    version.kernel<<<grid, block>>>(reinterpret_cast<const short2*>(in.data()), reinterpret_cast<short2*>(out.data()), width / 2);
  });
  return expectEqual(version.name, data.out(version.forward), out.download());
}

struct Extent {
  int width, height;
};

int main(int argc, char** argv) {
  Program program{"dct",
                  "cosine transform of 8 x 8 blocks and its inverse, single precision and short integers",
                  "128 x 96 pixels",
                  "320 x 256 pixels",
                  "512 x 512 pixels",
                  {}};
  for (const Version<float>& version : kFloatVersions) program.variants.push_back(version.name);
  for (const Version<short2>& version : kShortVersions) program.variants.push_back(version.name);
  const Options options = parseOptions(argc, argv, program);
  const Extent extent = options.pick(Extent{128, 96}, Extent{320, 256}, Extent{512, 512});

  Random random(21);
  std::vector<float> image = makeImage(extent.width, extent.height, random);
  for (float& pixel : image) pixel -= 128.0f;

  Timings timings;
  const Case<float> floats(image, extent.width, referenceFloat, timings);
  const Case<short> shorts(std::vector<short>(image.begin(), image.end()), extent.width, referenceShort, timings);
  bool correct = true;
  for (const Version<float>& version : kFloatVersions)
    if (options.runs(version.name)) correct = runFloat(version, floats, extent.width, timings) && correct;
  for (const Version<short2>& version : kShortVersions)
    if (options.runs(version.name)) correct = runShort(version, shorts, extent.width, timings) && correct;
  timings.print();
  return report("dct", correct);
}
