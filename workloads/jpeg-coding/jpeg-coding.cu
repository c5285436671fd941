// The stages of a baseline JPEG coder for grey pictures (ITU-T T.81, 1992) and back. `jpegTransform` shifts the level of 8 x 8 pixels,
// transforms them by cosines, quantises and leaves the coefficients in zig-zag order; `jpegSizes` finds how many bits a block's Huffman
// codes take, a thread a block, which ends when its last coefficient is reached; prefix sums of them say where each block's bits begin.
// `jpegRestore` takes the coefficients back to pixels. 64 threads work on each block in shared memory, a coefficient each, in whole
// numbers.
#include <algorithm>
#include <cmath>

#include "../common/image.hpp"
#include "../common/prefix_sums.hpp"
#include "../common/workload.hpp"
#include "huffman.hpp"

using namespace workloads;
using namespace jpeg;

constexpr int kBlocksAtOnce = 4;  // of pixels, in a block of threads
constexpr int kSizeThreads = 64;
constexpr int kMiddle = 128;      // the level that is moved to zero
constexpr int kCosineBits = 13;   // of the fraction of a cosine
constexpr int kFractionBits = 4;  // that stay between the passes along rows and columns

// cosine[frequency][place]; also contains the factor that makes the transform orthonormal.
struct CosineTable {
  int cosine[kSide][kSide];
};

__constant__ CosineTable cosines;
__constant__ short steps[kCoefficients];
__constant__ Order zigZagOrder;
__constant__ CodeLengths acLengths;
__constant__ unsigned char dcLengths[sizeof(kFirstLengths)];

__host__ __device__ inline int roundShift(int value, int bits) { return (value + (1 << (bits - 1))) >> bits; }

// To the nearest multiple; halves away from zero.
__host__ __device__ inline int quantise(int value, int step) { return (value + (value < 0 ? -step / 2 : step / 2)) / step; }

// Where a block of a picture begins; the pixels beyond its right and lower edges are those at the edge.
struct Tile {
  int x, y, block;
  bool exists;
};

__device__ inline Tile tileOf(int blocksAcross, int blocks) {
  const int block = blockIdx.x * kBlocksAtOnce + threadIdx.z;
  return {block % blocksAcross * kSide, block / blocksAcross * kSide, block, block < blocks};
}

__global__ void jpegTransform(const unsigned char* image, short* coefficients, int width, int height, int blocksAcross, int blocks) {
  __shared__ int tiles[kBlocksAtOnce][kSide][kSide + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int(*tile)[kSide + 1] = tiles[threadIdx.z];
  const Tile own = tileOf(blocksAcross, blocks);
  if (own.exists) tile[ty][tx] = image[min(own.y + ty, height - 1) * width + min(own.x + tx, width - 1)] - kMiddle;
  __syncthreads();

  // This thread's coefficient: frequency tx along the rows, then ty along the columns.
  int sum = 0;
  if (own.exists)
    for (int i = 0; i < kSide; ++i) sum += cosines.cosine[tx][i] * tile[ty][i];
  __syncthreads();
  tile[ty][tx] = roundShift(sum, kCosineBits - kFractionBits);
  __syncthreads();
  sum = 0;
  for (int i = 0; i < kSide; ++i) sum += cosines.cosine[ty][i] * tile[i][tx];
  __syncthreads();
  tile[ty][tx] = quantise(roundShift(sum, kCosineBits + kFractionBits), steps[ty * kSide + tx]);
  __syncthreads();

  const int thread = ty * kSide + tx, from = zigZagOrder.at[thread];
  if (own.exists) coefficients[own.block * kCoefficients + thread] = short(tile[from / kSide][from % kSide]);
}

__device__ inline int bitsOf(int value) { return 32 - __clz(abs(value)); }

__global__ void jpegSizes(const short* coefficients, int* sizes, int blocks) {
  const int block = blockIdx.x * kSizeThreads + threadIdx.x;
  if (block >= blocks) return;
  const short* own = coefficients + block * kCoefficients;
  const int difference = bitsOf(own[0] - (block == 0 ? 0 : own[-kCoefficients]));
  int size = dcLengths[difference] + difference, zeros = 0;
  for (int i = 1; i < kCoefficients; ++i) {
    const int value = own[i];
    if (value == 0) {
      ++zeros;
      continue;
    }
    for (; zeros >= 16; zeros -= 16) size += acLengths.of[kSixteenZeros];
    const int bits = bitsOf(value);
    size += acLengths.of[16 * zeros + bits] + bits;
    zeros = 0;
  }
  sizes[block] = size + (zeros > 0 ? acLengths.of[kEndOfBlock] : 0);
}

__global__ void jpegRestore(const short* coefficients, unsigned char* image, int width, int height, int blocksAcross, int blocks) {
  __shared__ int tiles[kBlocksAtOnce][kSide][kSide + 1];
  const int tx = threadIdx.x, ty = threadIdx.y, thread = ty * kSide + tx;
  int(*tile)[kSide + 1] = tiles[threadIdx.z];
  const Tile own = tileOf(blocksAcross, blocks);
  const int to = zigZagOrder.at[thread];
  tile[to / kSide][to % kSide] = own.exists ? coefficients[own.block * kCoefficients + thread] * steps[to] : 0;
  __syncthreads();

  int sum = 0;
  for (int i = 0; i < kSide; ++i) sum += cosines.cosine[i][ty] * tile[i][tx];
  __syncthreads();
  tile[ty][tx] = roundShift(sum, kCosineBits - kFractionBits);
  __syncthreads();
  sum = 0;
  for (int i = 0; i < kSide; ++i) sum += cosines.cosine[i][tx] * tile[ty][i];
  const int pixel = roundShift(sum, kCosineBits + kFractionBits) + kMiddle;
  const int x = own.x + tx, y = own.y + ty;
  if (own.exists && x < width && y < height) image[y * width + x] = static_cast<unsigned char>(min(max(pixel, 0), 255));
}

CosineTable makeCosines() {
  CosineTable table{};
  for (int frequency = 0; frequency < kSide; ++frequency)
    for (int place = 0; place < kSide; ++place) {
      const double scale = frequency == 0 ? std::sqrt(0.125) : 0.5;
      table.cosine[frequency][place] =
          int(std::lround(scale * std::cos((2 * place + 1) * frequency * 3.14159265358979 / 16) * (1 << kCosineBits)));
    }
  return table;
}

struct Picture {
  int width, height;

  int blocksAcross() const { return divideUp(width, kSide); }
  int blocks() const { return blocksAcross() * divideUp(height, kSide); }
};

using Pixels = std::vector<unsigned char>;
using Coefficients = std::vector<short>;

// out[a][b] = the sum of matrix[a][i] * in[i][b], with rounding; either may be turned over.
template <class Matrix, class In>
std::vector<int> multiply(Matrix matrix, In in, int shift) {
  std::vector<int> out(kCoefficients, 0);
  for (int a = 0; a < kSide; ++a)
    for (int b = 0; b < kSide; ++b) {
      int sum = 0;
      for (int i = 0; i < kSide; ++i) sum += matrix(a, i) * in(i, b);
      out[a * kSide + b] = roundShift(sum, shift);
    }
  return out;
}

void referenceTransform(const Picture& picture, const CosineTable& table, const Pixels& image, Coefficients& coefficients) {
  const Order order = zigZag();
  const auto cosine = [&](int frequency, int place) { return table.cosine[frequency][place]; };
  for (int block = 0; block < picture.blocks(); ++block) {
    const int x = block % picture.blocksAcross() * kSide, y = block / picture.blocksAcross() * kSide;
    const auto pixel = [&](int column, int row) {
      return image[size_t(std::min(y + row, picture.height - 1)) * picture.width + std::min(x + column, picture.width - 1)] - kMiddle;
    };
    const std::vector<int> rows = multiply(cosine, pixel, kCosineBits - kFractionBits);  // [frequency along x][row]
    const auto turned = [&](int row, int frequency) { return rows[frequency * kSide + row]; };
    const std::vector<int> both = multiply(cosine, turned, kCosineBits + kFractionBits);
    for (int i = 0; i < kCoefficients; ++i)
      coefficients[size_t(block) * kCoefficients + i] = short(quantise(both[order.at[i]], kSteps[order.at[i]]));
  }
}

int referenceBits(int value) {
  int bits = 0;
  for (int rest = std::abs(value); rest != 0; rest /= 2) ++bits;
  return bits;
}

// How many bits come before each block, and in all.
void referenceOffsets(const Coefficients& coefficients, std::vector<int>& offsets) {
  const CodeLengths lengths = codeLengths();
  int before = 0, total = 0;
  for (size_t block = 0; block + 1 < offsets.size(); ++block) {
    const short* own = &coefficients[block * kCoefficients];
    offsets[block] = total;
    const int difference = referenceBits(own[0] - before);
    total += kFirstLengths[difference] + difference;
    before = own[0];
    int last = kCoefficients - 1;
    while (last > 0 && own[last] == 0) --last;
    int previous = 0;
    for (int i = 1; i <= last; ++i) {
      if (own[i] == 0) continue;
      const int zeros = i - previous - 1, bits = referenceBits(own[i]);
      total += zeros / 16 * lengths.of[kSixteenZeros] + lengths.of[zeros % 16 * 16 + bits] + bits;
      previous = i;
    }
    if (last < kCoefficients - 1) total += lengths.of[kEndOfBlock];
  }
  offsets.back() = total;
}

void referenceRestore(const Picture& picture, const CosineTable& table, const Coefficients& coefficients, Pixels& image) {
  const Order order = zigZag();
  const auto cosine = [&](int place, int frequency) { return table.cosine[frequency][place]; };
  for (int block = 0; block < picture.blocks(); ++block) {
    std::vector<int> values(kCoefficients);
    for (int i = 0; i < kCoefficients; ++i) values[order.at[i]] = coefficients[size_t(block) * kCoefficients + i] * kSteps[order.at[i]];
    const auto value = [&](int row, int column) { return values[row * kSide + column]; };
    const std::vector<int> columns = multiply(cosine, value, kCosineBits - kFractionBits);
    const auto turned = [&](int frequency, int row) { return columns[row * kSide + frequency]; };
    const std::vector<int> both = multiply(cosine, turned, kCosineBits + kFractionBits);  // [column][row]
    for (int i = 0; i < kCoefficients; ++i) {
      const int x = block % picture.blocksAcross() * kSide + i / kSide, y = block / picture.blocksAcross() * kSide + i % kSide;
      if (x < picture.width && y < picture.height)
        image[size_t(y) * picture.width + x] = static_cast<unsigned char>(std::clamp(both[i] + kMiddle, 0, 255));
    }
  }
}

// Both sides read one table. The inverse undoes the transform if and only if its rows are at right angles and of length 1: up to the
// rounding of eight pairs of cosines below 1/2, by half a unit each.
bool isOrthonormal(const CosineTable& table) {
  constexpr double kUnit = 1.0 / (1 << kCosineBits);
  bool orthonormal = true;
  for (int a = 0; a < kSide; ++a)
    for (int b = 0; b < kSide; ++b) {
      double product = 0;
      for (int i = 0; i < kSide; ++i) product += table.cosine[a][i] * kUnit * table.cosine[b][i] * kUnit;
      const double expected = a == b ? 1 : 0;
      if (std::fabs(product - expected) <= 4 * kUnit) continue;
      std::cerr << "cosines of frequencies " << a << " and " << b << ": expected a product of " << expected << ", got " << product << "\n";
      orthonormal = false;
    }
  return orthonormal;
}

// A photograph in which something is as fine as pixels are, a mesh or a cloth, so that some blocks keep their last coefficient.
Pixels makePhotograph(const Picture& picture, Random& random) {
  const std::vector<float> light = makeImage(picture.width, picture.height, random);
  Pixels image(light.begin(), light.end());
  for (int y = picture.height / 3; y < picture.height / 2; ++y)
    for (int x = picture.width / 4; x < picture.width / 3; ++x) {
      unsigned char& pixel = image[size_t(y) * picture.width + x];
      pixel = static_cast<unsigned char>(std::clamp(pixel + ((x + y) % 2 == 0 ? 50 : -50), 0, 255));
    }
  return image;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"jpeg-coding",
                                        "stages of a JPEG coder: transform, quantisation, sizes of Huffman codes, and back to pixels",
                                        "244 x 130 pixels",
                                        "500 x 380 pixels",
                                        "512 x 512 pixels",
                                        {}});
  const Picture picture = options.pick(Picture{244, 130}, Picture{500, 380}, Picture{512, 512});
  const int across = picture.blocksAcross(), blocks = picture.blocks();

  Random random(34);
  const Pixels image = makePhotograph(picture, random);
  const CosineTable table = makeCosines();
  const Order order = zigZag();
  const CodeLengths lengths = codeLengths();

  Timings timings;
  const DeviceArray<unsigned char> deviceImage(image), restored(image.size());
  const DeviceArray<short> deviceCoefficients(size_t(blocks) * kCoefficients);
  const DeviceArray<int> sizes(std::vector<int>(blocks + 1, 0));
  WORKLOAD_CHECK(cudaMemcpyToSymbol(cosines, &table, sizeof(table)));
  WORKLOAD_CHECK(cudaMemcpyToSymbol(steps, kSteps, sizeof(kSteps)));
  WORKLOAD_CHECK(cudaMemcpyToSymbol(zigZagOrder, &order, sizeof(order)));
  WORKLOAD_CHECK(cudaMemcpyToSymbol(acLengths, &lengths, sizeof(lengths)));
  WORKLOAD_CHECK(cudaMemcpyToSymbol(dcLengths, kFirstLengths, sizeof(kFirstLengths)));
  timings.kernels([&] {
    const dim3 threads(kSide, kSide, kBlocksAtOnce);
    const int groups = divideUp(blocks, kBlocksAtOnce);
    jpegTransform<<<groups, threads>>>(deviceImage.data(), deviceCoefficients.data(), picture.width, picture.height, across, blocks);
    jpegSizes<<<divideUp(blocks, kSizeThreads), kSizeThreads>>>(deviceCoefficients.data(), sizes.data(), blocks);
    prefixSums(sizes);
    jpegRestore<<<groups, threads>>>(deviceCoefficients.data(), restored.data(), picture.width, picture.height, across, blocks);
  });

  Coefficients coefficients(size_t(blocks) * kCoefficients);
  std::vector<int> offsets(blocks + 1);
  Pixels again(image.size());
  timings.reference([&] {
    referenceTransform(picture, table, image, coefficients);
    referenceOffsets(coefficients, offsets);
    referenceRestore(picture, table, coefficients, again);
  });
  timings.print();

  bool correct = expectEqual("coefficient", coefficients, deviceCoefficients.download());
  correct = expectEqual("bits before block", offsets, sizes.download()) && correct;
  correct = expectEqual("pixel", again, restored.download()) && correct;
  std::cout << offsets.back() << " bits\n";
  return report("jpeg-coding", isOrthonormal(table) && correct);
}
