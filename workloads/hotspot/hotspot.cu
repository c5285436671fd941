// HotSpot: transient temperature of a chip from its power map, an explicit five-point stencil (Huang et al., TVLSI 2006), with
// the pyramid blocking that the Rodinia paper describes: a 16 x 16 block (or one of 32 x 32, whose rows are warps) loads a tile with its
// halo and advances it several steps in shared memory, one ring of cells losing validity with each step, so that only the inner cells are
// written back.
#include <algorithm>
#include <utility>

#include "../common/workload.hpp"

using namespace workloads;

constexpr int kPyramidHeight = 2;    // steps per launch
constexpr float kAmbient = 318.15f;  // K

// Change of a cell's temperature per step and unit of power, and per unit of temperature difference to each neighbour.
struct Coefficients {
  float power, horizontal, vertical, ambient;
};

struct Grid {
  int columns, rows;
};

__host__ __device__ inline float advance(const Coefficients& k, float centre, float north, float south, float east, float west,
                                         float power) {
  return centre + k.power * power + k.vertical * (north + south - 2.0f * centre) + k.horizontal * (east + west - 2.0f * centre) +
         k.ambient * (kAmbient - centre);
}

template <int kBlock>
__device__ __forceinline__ void advanceTile(const float* power, const float* in, float* out, const Grid& grid, const Coefficients& k,
                                            int steps) {
  __shared__ float temperature[kBlock][kBlock];
  __shared__ float heating[kBlock][kBlock];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int inner = kBlock - 2 * steps;  // side of the part that is written back
  const int column = blockIdx.x * inner - steps + tx;
  const int row = blockIdx.y * inner - steps + ty;
  const bool inGrid = column >= 0 && column < grid.columns && row >= 0 && row < grid.rows;
  const int cell = row * grid.columns + column;
  if (inGrid) {
    temperature[ty][tx] = in[cell];
    heating[ty][tx] = power[cell];
  }
  // No heat flows over the chip's edge: a missing neighbour has the cell's own temperature.
  const int north = row > 0 ? ty - 1 : ty;
  const int south = row < grid.rows - 1 ? ty + 1 : ty;
  const int west = column > 0 ? tx - 1 : tx;
  const int east = column < grid.columns - 1 ? tx + 1 : tx;
  __syncthreads();

  for (int step = 1; step <= steps; ++step) {
    const int last = kBlock - 1 - step;
    const bool valid = inGrid && tx >= step && tx <= last && ty >= step && ty <= last;
    float next = 0.0f;
    if (valid) {
      next = advance(k, temperature[ty][tx], temperature[north][tx], temperature[south][tx], temperature[ty][east], temperature[ty][west],
                     heating[ty][tx]);
    }
    __syncthreads();
    if (valid) temperature[ty][tx] = next;
    __syncthreads();
    if (valid && step == steps) out[cell] = next;
  }
}

__global__ void hotspot(const float* power, const float* in, float* out, Grid grid, Coefficients k, int steps) {
  advanceTile<16>(power, in, out, grid, k, steps);
}

__global__ void hotspot32(const float* power, const float* in, float* out, Grid grid, Coefficients k, int steps) {
  advanceTile<32>(power, in, out, grid, k, steps);
}

void referenceStep(const Grid& grid, const Coefficients& k, const std::vector<float>& power, const std::vector<float>& in,
                   std::vector<float>& out) {
  for (int row = 0; row < grid.rows; ++row) {
    for (int column = 0; column < grid.columns; ++column) {
      const int cell = row * grid.columns + column;
      const float centre = in[cell];
      const float north = row > 0 ? in[cell - grid.columns] : centre;
      const float south = row < grid.rows - 1 ? in[cell + grid.columns] : centre;
      const float west = column > 0 ? in[cell - 1] : centre;
      const float east = column < grid.columns - 1 ? in[cell + 1] : centre;
      out[cell] = advance(k, centre, north, south, east, west, power[cell]);
    }
  }
}

// The thermal network of a silicon die in SI units, with HotSpot's published material constants.
Coefficients thermalNetwork(const Grid& grid) {
  const float side = 0.016f, thickness = 0.0005f;             // m
  const float conductivity = 100.0f, heatCapacity = 1.75e6f;  // W/(m K), J/(m^3 K)
  const float lumping = 0.5f;                                 // share of a cell's capacity at its node
  const float maximumPowerDensity = 3.0e6f;                   // W/m^2
  const float precision = 0.001f;                             // K per step at that density
  const float width = side / grid.columns, height = side / grid.rows;
  const float capacity = lumping * heatCapacity * thickness * width * height;
  const float step = precision * lumping * thickness * heatCapacity / maximumPowerDensity;
  const float resistanceX = width / (2.0f * conductivity * thickness * height);
  const float resistanceY = height / (2.0f * conductivity * thickness * width);
  const float resistanceZ = thickness / (conductivity * width * height);
  const float rate = step / capacity;
  return {rate, rate / resistanceX, rate / resistanceY, rate / resistanceZ};
}

// A floorplan of rectangular units, each with its own power density, over a low background.
std::vector<float> powerMap(const Grid& grid, Random& random) {
  const float cellArea = (0.016f / grid.columns) * (0.016f / grid.rows);
  std::vector<float> power(size_t(grid.columns) * grid.rows, 1.0e5f * cellArea);
  for (int unit = 0; unit < 24; ++unit) {
    const int left = random.below(grid.columns), top = random.below(grid.rows);
    const int right = std::min<int>(grid.columns, left + 1 + random.below(grid.columns / 4));
    const int bottom = std::min<int>(grid.rows, top + 1 + random.below(grid.rows / 4));
    const float density = random.uniform(2.0e5f, 3.0e6f);
    for (int row = top; row < bottom; ++row)
      std::fill(&power[row * grid.columns + left], &power[row * grid.columns] + right, density * cellArea);
  }
  return power;
}

struct Problem {
  int side, steps;
};

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"hotspot",
                                        "chip temperature, five-point stencil with pyramid blocking of two steps",
                                        "128 x 128 cells, 12 steps",
                                        "512 x 512 cells, 60 steps",
                                        "1024 x 1024 cells, 60 steps",
                                        {"square", "wide"},
                                        "square"});
  const Problem problem = options.pick(Problem{128, 12}, Problem{512, 60}, Problem{1024, 60});
  const Grid grid{problem.side, problem.side};
  const Coefficients k = thermalNetwork(grid);

  Random random(6);
  const std::vector<float> power = powerMap(grid, random);
  std::vector<float> expected = uniformFloats(random, power.size(), 323.0f, 343.0f);
  std::vector<float> scratch(expected.size());

  Timings timings;
  const DeviceArray<float> devicePower(power);
  const auto simulate = [&](int block, auto kernel) {
    const DeviceArray<float> first(expected), second(expected.size());
    float *in = first.data(), *out = second.data();
    const int blocks = divideUp(problem.side, block - 2 * kPyramidHeight);
    timings.kernels([&] {
      for (int step = 0; step < problem.steps; step += kPyramidHeight) {
        kernel<<<dim3(blocks, blocks), dim3(block, block)>>>(devicePower.data(), in, out, grid, k, kPyramidHeight);
        std::swap(in, out);
      }
    });
    std::vector<float> got(expected.size());
    WORKLOAD_CHECK(cudaMemcpy(got.data(), in, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
    return got;
  };
  std::vector<float> square, wide;
  if (options.runs("square")) square = simulate(16, hotspot);
  if (options.runs("wide")) wide = simulate(32, hotspot32);
  timings.reference([&] {
    for (int step = 0; step < problem.steps; ++step) {
      referenceStep(grid, k, power, expected, scratch);
      expected.swap(scratch);
    }
  });
  timings.print();

  // One unit in the last place of 343 K is 3.1e-5 K; fused and separate roundings differ by at most a few of them per step.
  const float tolerance = 3.1e-5f * problem.steps;
  const bool correct = (square.empty() || expectNear("temperature", expected, square, 0.0f, tolerance)) &&
                       (wide.empty() || expectNear("temperature, wide", expected, wide, 0.0f, tolerance));
  return report("hotspot", correct);
}
