// SRAD: speckle reducing anisotropic diffusion of an ultrasound image (Yu and Acton, IEEE Transactions on Image Processing 2002),
// two kernels an iteration on blocks of 16 x 16 pixels, or of 32 x 32, whose rows are warps. The first finds the differences to the four
// neighbours and from them the diffusion coefficient; the second moves the intensities. Each keeps its tile in shared memory and fetches
// only the halo beside it.
#include <algorithm>
#include <cmath>

#include "../common/image.hpp"
#include "../common/workload.hpp"

using namespace workloads;

constexpr float kTimeStep = 0.05f;

struct Grid {
  int columns, rows;
};

// Differences to the neighbours; none over the image's edge.
struct Differences {
  float north, south, west, east;
};

// The instantaneous coefficient of variation against that of fully developed speckle, q0 (equations 31 to 35 of the paper).
__host__ __device__ inline float diffusionCoefficient(float centre, const Differences& d, float q0Squared) {
  const float gradient = (d.north * d.north + d.south * d.south + d.west * d.west + d.east * d.east) / (centre * centre);
  const float laplacian = (d.north + d.south + d.west + d.east) / centre;
  const float numerator = 0.5f * gradient - (1.0f / 16.0f) * laplacian * laplacian;
  const float root = 1.0f + 0.25f * laplacian;
  const float qSquared = numerator / (root * root);
  const float coefficient = 1.0f / (1.0f + (qSquared - q0Squared) / (q0Squared * (1.0f + q0Squared)));
  return fminf(fmaxf(coefficient, 0.0f), 1.0f);
}

__host__ __device__ inline float diffuse(float centre, const Differences& d, float own, float south, float east) {
  return centre + 0.25f * kTimeStep * (own * d.north + south * d.south + own * d.west + east * d.east);
}

template <int kBlock>
__device__ __forceinline__ void findCoefficient(const float* image, float* coefficient, float* north, float* south, float* west,
                                                float* east, Grid grid, float q0Squared) {
  __shared__ float tile[kBlock][kBlock];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int column = blockIdx.x * kBlock + tx, row = blockIdx.y * kBlock + ty;
  const bool inside = column < grid.columns && row < grid.rows;
  const int pixel = row * grid.columns + column;
  if (inside) tile[ty][tx] = image[pixel];
  __syncthreads();
  if (!inside) return;

  const float centre = tile[ty][tx];
  const float above = row == 0 ? centre : ty > 0 ? tile[ty - 1][tx] : image[pixel - grid.columns];
  const float below = row == grid.rows - 1 ? centre : ty < kBlock - 1 ? tile[ty + 1][tx] : image[pixel + grid.columns];
  const float left = column == 0 ? centre : tx > 0 ? tile[ty][tx - 1] : image[pixel - 1];
  const float right = column == grid.columns - 1 ? centre : tx < kBlock - 1 ? tile[ty][tx + 1] : image[pixel + 1];
  const Differences d{above - centre, below - centre, left - centre, right - centre};
  north[pixel] = d.north;
  south[pixel] = d.south;
  west[pixel] = d.west;
  east[pixel] = d.east;
  coefficient[pixel] = diffusionCoefficient(centre, d, q0Squared);
}

template <int kBlock>
__device__ __forceinline__ void update(float* image, const float* coefficient, const float* north, const float* south, const float* west,
                                       const float* east, Grid grid) {
  __shared__ float tile[kBlock][kBlock];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int column = blockIdx.x * kBlock + tx, row = blockIdx.y * kBlock + ty;
  const bool inside = column < grid.columns && row < grid.rows;
  const int pixel = row * grid.columns + column;
  if (inside) tile[ty][tx] = coefficient[pixel];
  __syncthreads();
  if (!inside) return;

  const float own = tile[ty][tx];
  const float below = row == grid.rows - 1 ? own : ty < kBlock - 1 ? tile[ty + 1][tx] : coefficient[pixel + grid.columns];
  const float right = column == grid.columns - 1 ? own : tx < kBlock - 1 ? tile[ty][tx + 1] : coefficient[pixel + 1];
  image[pixel] = diffuse(image[pixel], {north[pixel], south[pixel], west[pixel], east[pixel]}, own, below, right);
}

__global__ void sradCoefficient(const float* image, float* coefficient, float* north, float* south, float* west, float* east, Grid grid,
                                float q0Squared) {
  findCoefficient<16>(image, coefficient, north, south, west, east, grid, q0Squared);
}

__global__ void sradUpdate(float* image, const float* coefficient, const float* north, const float* south, const float* west,
                           const float* east, Grid grid) {
  update<16>(image, coefficient, north, south, west, east, grid);
}

__global__ void sradCoefficient32(const float* image, float* coefficient, float* north, float* south, float* west, float* east, Grid grid,
                                  float q0Squared) {
  findCoefficient<32>(image, coefficient, north, south, west, east, grid, q0Squared);
}

__global__ void sradUpdate32(float* image, const float* coefficient, const float* north, const float* south, const float* west,
                             const float* east, Grid grid) {
  update<32>(image, coefficient, north, south, west, east, grid);
}

class Reference {
 public:
  Reference(const Grid& grid) : grid_(grid), coefficient_(size_t(grid.columns) * grid.rows), differences_(coefficient_.size()) {}

  void step(std::vector<float>& image, float q0Squared) {
    for (int row = 0; row < grid_.rows; ++row)
      for (int column = 0; column < grid_.columns; ++column) {
        const size_t pixel = at(column, row);
        const float centre = image[pixel];
        differences_[pixel] = {image[at(column, row - 1)] - centre, image[at(column, row + 1)] - centre,
                               image[at(column - 1, row)] - centre, image[at(column + 1, row)] - centre};
        coefficient_[pixel] = diffusionCoefficient(centre, differences_[pixel], q0Squared);
      }
    for (int row = 0; row < grid_.rows; ++row)
      for (int column = 0; column < grid_.columns; ++column) {
        const size_t pixel = at(column, row);
        image[pixel] = diffuse(image[pixel], differences_[pixel], coefficient_[pixel], coefficient_[at(column, row + 1)],
                               coefficient_[at(column + 1, row)]);
      }
  }

 private:
  // Beyond the edge lies the edge.
  size_t at(int column, int row) const {
    return size_t(std::clamp(row, 0, grid_.rows - 1)) * grid_.columns + std::clamp(column, 0, grid_.columns - 1);
  }

  Grid grid_;
  std::vector<float> coefficient_;
  std::vector<Differences> differences_;
};

// Tissue seen through speckle: each pixel is scaled by a random amplitude and stored with 8 bits; the exponential makes a product of it
// again, in which nothing is zero.
std::vector<float> ultrasound(const Grid& grid, Random& random) {
  const auto tissue = makeImage(grid.columns, grid.rows, random);
  std::vector<float> image(tissue.size());
  for (size_t i = 0; i < image.size(); ++i)
    image[i] = std::exp(std::min(255.0f, std::round(tissue[i] * random.uniform(0.6f, 1.4f))) / 255.0f);
  return image;
}

struct Problem {
  Grid grid;
  int iterations;
};

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"srad",
                                        "speckle reducing anisotropic diffusion, two kernels an iteration",
                                        "150 x 122 pixels, 4 iterations",
                                        "502 x 458 pixels, 20 iterations",
                                        "2048 x 2048 pixels, 100 iterations",
                                        {"square", "wide"},
                                        "square"});
  const Problem problem = options.pick(Problem{{150, 122}, 4}, Problem{{502, 458}, 20}, Problem{{2048, 2048}, 100});
  const Grid grid = problem.grid;

  Random random(32);
  std::vector<float> expected = ultrasound(grid, random);
  // The speckle fades while the image is smoothed: q0 exp(-t / 6).
  const auto q0Squared = [](int iteration) { return 0.06f * std::exp(-kTimeStep * iteration / 3.0f); };

  Timings timings;
  const DeviceArray<float> coefficient(expected.size()), north(expected.size()), south(expected.size()), west(expected.size()),
      east(expected.size());
  const auto simulate = [&](int block, auto find, auto move) {
    const DeviceArray<float> image(expected);
    const dim3 blocks(divideUp(grid.columns, block), divideUp(grid.rows, block)), threads(block, block);
    timings.kernels([&] {
      for (int i = 0; i < problem.iterations; ++i) {
        find<<<blocks, threads>>>(image.data(), coefficient.data(), north.data(), south.data(), west.data(), east.data(), grid,
                                  q0Squared(i));
        move<<<blocks, threads>>>(image.data(), coefficient.data(), north.data(), south.data(), west.data(), east.data(), grid);
      }
    });
    return image.download();
  };
  std::vector<float> square, wide;
  if (options.runs("square")) square = simulate(16, sradCoefficient, sradUpdate);
  if (options.runs("wide")) wide = simulate(32, sradCoefficient32, sradUpdate32);
  timings.reference([&] {
    Reference reference(grid);
    for (int i = 0; i < problem.iterations; ++i) reference.step(expected, q0Squared(i));
  });
  timings.print();

  // A coefficient comes from some twenty roundings of quantities near one, of which the last difference, over q0^2 (1 + q0^2), magnifies
  // those before it up to ninetyfold. It moves a pixel by at most an eightieth of the differences to its neighbours.
  const float tolerance = 25 * 0x1p-24f * problem.iterations;
  const bool correct = (square.empty() || expectNear("image", expected, square, tolerance, 0.0f)) &&
                       (wide.empty() || expectNear("image, wide", expected, wide, tolerance, 0.0f));
  return report("srad", correct);
}
