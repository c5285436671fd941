// Laplace's equation in a box by Jacobi's method: each cell becomes the mean of its six neighbours, and the faces of the box keep their
// values. A block of 32 x 4 threads owns a column of cells and marches along z; the planes below, at and above its cells wait in shared
// memory, each with a border that some of the threads bring, so that warps part at the edges of blocks and of the box (the 3D Laplace
// solver of Bakhoda, Yuan, Fung, Wong, Aamodt: "Analyzing CUDA Workloads Using a Detailed GPU Simulator", ISPASS 2009).
#include <utility>

#include "../common/workload.hpp"

using namespace workloads;

constexpr int kTileX = 32, kTileY = 4;
constexpr int kPlanes = 3;
constexpr int kBorderCells = 2 * (kTileX + kTileY);  // no corners: the stencil has none
static_assert(kBorderCells <= kTileX * kTileY, "a thread brings at most one cell of the border");

struct Box {
  int nx, ny, nz;
  size_t cells() const { return size_t(nx) * ny * nz; }
};

struct Position {
  int x, y;
};

// Where border cell `i` lies, counted from the tile's first cell: first the rows before and after it, then the columns.
__device__ inline Position borderPosition(int i) {
  if (i < 2 * kTileX) return {i % kTileX, i < kTileX ? -1 : kTileY};
  const int side = i - 2 * kTileX;
  return {side < kTileY ? -1 : kTileX, side % kTileY};
}

__global__ void laplaceStep(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float tile[kPlanes][kTileY + 2][kTileX + 2];
  const int tx = threadIdx.x, ty = threadIdx.y, thread = ty * kTileX + tx;
  const int left = blockIdx.x * kTileX, top = blockIdx.y * kTileY;
  const int x = left + tx, y = top + ty, plane = nx * ny;
  const Position border = borderPosition(thread);
  const int borderX = left + border.x, borderY = top + border.y;
  const bool own = x < nx && y < ny;
  const bool bringsBorder = thread < kBorderCells && borderX >= 0 && borderX < nx && borderY >= 0 && borderY < ny;
  const bool onFace = x == 0 || x == nx - 1 || y == 0 || y == ny - 1;
  int below = 0, middle = 1, above = 2;
  int cell = y * nx + x, borderCell = borderY * nx + borderX;

  if (own) tile[above][ty + 1][tx + 1] = in[cell];
  for (int z = 0; z < nz; ++z) {
    const int oldest = below;
    below = middle;
    middle = above;
    above = oldest;
    // Only the thread of a cell still reads it in the oldest plane; its border was last read before the barrier of the step before.
    if (own && z + 1 < nz) tile[above][ty + 1][tx + 1] = in[cell + plane];
    if (bringsBorder) tile[middle][border.y + 1][border.x + 1] = in[borderCell];
    __syncthreads();
    if (own) {
      float value = tile[middle][ty + 1][tx + 1];
      if (!onFace && z > 0 && z < nz - 1) {
        value = (tile[middle][ty + 1][tx] + tile[middle][ty + 1][tx + 2] + tile[middle][ty][tx + 1] + tile[middle][ty + 2][tx + 1] +
                 tile[below][ty + 1][tx + 1] + tile[above][ty + 1][tx + 1]) *
                (1.0f / 6.0f);
      }
      out[cell] = value;
    }
    cell += plane;
    borderCell += plane;
  }
}

void referenceStep(const Box& box, const std::vector<float>& in, std::vector<float>& out) {
  const size_t row = box.nx, plane = row * box.ny;
  out = in;
  for (int z = 1; z < box.nz - 1; ++z)
    for (int y = 1; y < box.ny - 1; ++y)
      for (int x = 1; x < box.nx - 1; ++x) {
        const size_t cell = z * plane + y * row + x;
        const float sum = in[cell - 1] + in[cell + 1] + in[cell - row] + in[cell + row] + in[cell - plane] + in[cell + plane];
        out[cell] = sum * (1.0f / 6.0f);
      }
}

// The potential in a box of six metal plates, each at a voltage of its own. Relaxation begins with no field inside, as such solvers do,
// but for some balls at one potential each: large even regions with few distinct values, and fronts between them.
std::vector<float> makePotential(const Box& box, Random& random) {
  std::vector<float> potential(box.cells(), 0.0f);
  const float plates[6] = {1.0f, -0.5f, 0.25f, 0.75f, 1.5f, -1.0f};  // V
  constexpr int kBalls = 8;
  struct Ball {
    float x, y, z, radius, voltage;
  };
  std::vector<Ball> balls;
  for (int i = 0; i < kBalls; ++i) {
    const float side = float(box.nz);
    balls.push_back({random.uniform(0, box.nx), random.uniform(0, box.ny), random.uniform(0, box.nz), random.uniform(0.1f, 0.25f) * side,
                     random.uniform(-2.0f, 2.0f)});
  }
  const auto valueAt = [&](int x, int y, int z) {
    if (x == 0 || x == box.nx - 1) return plates[x == 0 ? 0 : 1];
    if (y == 0 || y == box.ny - 1) return plates[y == 0 ? 2 : 3];
    if (z == 0 || z == box.nz - 1) return plates[z == 0 ? 4 : 5];
    for (const Ball& ball : balls) {
      const float dx = x - ball.x, dy = y - ball.y, dz = z - ball.z;
      if (dx * dx + dy * dy + dz * dz < ball.radius * ball.radius) return ball.voltage;
    }
    return 0.0f;
  };
  size_t cell = 0;
  for (int z = 0; z < box.nz; ++z)
    for (int y = 0; y < box.ny; ++y)
      for (int x = 0; x < box.nx; ++x) potential[cell++] = valueAt(x, y, z);
  return potential;
}

struct Problem {
  Box box;
  int steps;
};

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"laplace3d",
                                        "Jacobi's method for Laplace's equation in a box, tiles in shared memory that march along z",
                                        "70 x 45 x 22 cells, 3 steps",
                                        "100 x 100 x 100 cells, 2 steps",
                                        "100 x 100 x 100 cells, 10 steps",
                                        {}});
  const Problem problem = options.pick(Problem{{70, 45, 22}, 3}, Problem{{100, 100, 100}, 2}, Problem{{100, 100, 100}, 10});
  const Box box = problem.box;

  Random random(31);
  std::vector<float> expected = makePotential(box, random);
  std::vector<float> scratch;

  Timings timings;
  const DeviceArray<float> first(expected), second(expected.size());
  float *in = first.data(), *out = second.data();
  timings.kernels([&] {
    const dim3 blocks(divideUp(box.nx, kTileX), divideUp(box.ny, kTileY)), threads(kTileX, kTileY);
    for (int step = 0; step < problem.steps; ++step) {
      laplaceStep<<<blocks, threads>>>(in, out, box.nx, box.ny, box.nz);
      std::swap(in, out);
    }
  });
  timings.reference([&] {
    for (int step = 0; step < problem.steps; ++step) {
      referenceStep(box, expected, scratch);
      expected.swap(scratch);
    }
  });
  timings.print();

  // Both sides add the same six numbers in the same order, and no product is added to: nothing can be fused, so the values are equal.
  std::vector<float> got(expected.size());
  WORKLOAD_CHECK(cudaMemcpy(got.data(), in, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
  return report("laplace3d", expectEqual("potential", expected, got));
}
