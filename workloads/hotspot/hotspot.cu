// HotSpot: transient temperature of a chip from its power map, an explicit five-point stencil (Huang et al., TVLSI 2006), with
// the pyramid blocking that the Rodinia paper describes: a 16 x 16 block (or one of 32 x 32, whose rows are warps) loads a tile with its
// halo and advances it several steps in shared memory, one ring of cells losing validity with each step, so that only the inner cells are
// written back. In the variants `control` the conductances are made in the kernel, the part of the tile that lies on the chip is four
// numbers, and new temperatures have a tile of their own, as in Rodinia's program: more control data live in registers.
#include <algorithm>
#include <map>
#include <string>
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

// A cell's node in the thermal network: heat capacity, resistances to its neighbours and to the surroundings; and the step in time.
struct Chip {
  float capacity, resistanceX, resistanceY, resistanceZ, step;
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

__device__ __forceinline__ bool within(int x, int first, int last) { return x >= first && x <= last; }

// As advanceTile; `chip` is what the coefficients are made of.
template <int kBlock>
__device__ __forceinline__ void advanceWindow(const float* power, const float* in, float* out, const Grid& grid, const Chip& chip,
                                              int steps) {
  __shared__ float temperature[kBlock][kBlock];
  __shared__ float heating[kBlock][kBlock];
  __shared__ float next[kBlock][kBlock];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const float rate = chip.step / chip.capacity;
  const float perX = 1.0f / chip.resistanceX, perY = 1.0f / chip.resistanceY, perZ = 1.0f / chip.resistanceZ;
  const int inner = kBlock - 2 * steps;  // side of the part that is written back
  const int firstRow = inner * blockIdx.y - steps, firstColumn = inner * blockIdx.x - steps;
  const int row = firstRow + ty, column = firstColumn + tx;
  const int cell = grid.columns * row + column;
  if (within(row, 0, grid.rows - 1) && within(column, 0, grid.columns - 1)) {
    temperature[ty][tx] = in[cell];
    heating[ty][tx] = power[cell];
  }
  __syncthreads();

  // The part of the tile on the chip; no heat flows over its edge: a missing neighbour is the cell itself.
  const int top = firstRow < 0 ? -firstRow : 0, bottom = min(kBlock - 1, grid.rows - 1 - firstRow);
  const int left = firstColumn < 0 ? -firstColumn : 0, right = min(kBlock - 1, grid.columns - 1 - firstColumn);
  const int north = max(ty - 1, top), south = min(ty + 1, bottom);
  const int west = max(tx - 1, left), east = min(tx + 1, right);
  bool computed = false;
  for (int i = 0; i < steps; ++i) {
    computed = within(tx, i + 1, kBlock - i - 2) && within(ty, i + 1, kBlock - i - 2) && within(tx, left, right) && within(ty, top, bottom);
    if (computed) {
      const float centre = temperature[ty][tx];
      next[ty][tx] = centre + rate * (heating[ty][tx] + (temperature[south][tx] + temperature[north][tx] - 2.0f * centre) * perY +
                                      (temperature[ty][east] + temperature[ty][west] - 2.0f * centre) * perX + (kAmbient - centre) * perZ);
    }
    __syncthreads();
    if (i == steps - 1) break;
    if (computed) temperature[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (computed) out[cell] = next[ty][tx];
}

__global__ void hotspotControl(const float* power, const float* in, float* out, Grid grid, Chip chip, int steps) {
  advanceWindow<16>(power, in, out, grid, chip, steps);
}

__global__ void hotspotControl32(const float* power, const float* in, float* out, Grid grid, Chip chip, int steps) {
  advanceWindow<32>(power, in, out, grid, chip, steps);
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
Chip thermalNetwork(const Grid& grid) {
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
  return {capacity, resistanceX, resistanceY, resistanceZ, step};
}

Coefficients coefficientsOf(const Chip& chip) {
  const float rate = chip.step / chip.capacity;
  return {rate, rate / chip.resistanceX, rate / chip.resistanceY, rate / chip.resistanceZ};
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

// A line of `length` cells, `stride` apart, of which each becomes the mean of those within the distance.
void spreadAlong(float* cells, int length, int stride, int distance) {
  std::vector<double> sums(length + 1, 0.0);
  for (int i = 0; i < length; ++i) sums[i + 1] = sums[i] + cells[size_t(i) * stride];
  for (int i = 0; i < length; ++i) {
    const int first = std::max(0, i - distance), end = std::min(length, i + distance + 1);
    cells[size_t(i) * stride] = float((sums[end] - sums[first]) / (end - first));
  }
}

// A chip that has been running: 323 K and up to 20 K more where much power is near, in hundredths of a kelvin. Heat has spread over a
// sixteenth of the chip, twice.
std::vector<float> warmChip(const Grid& grid, const std::vector<float>& power) {
  std::vector<float> heat = power;
  for (int pass = 0; pass < 2; ++pass) {
    for (int row = 0; row < grid.rows; ++row) spreadAlong(&heat[size_t(row) * grid.columns], grid.columns, 1, grid.columns / 16);
    for (int column = 0; column < grid.columns; ++column) spreadAlong(&heat[column], grid.rows, grid.columns, grid.rows / 16);
  }
  const float most = *std::max_element(heat.begin(), heat.end());
  for (float& each : heat) each = inSteps(323.0f + 20.0f * each / most, 0.01f);
  return heat;
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
                                        {"square", "wide", "control", "control-wide"},
                                        "square"});
  const Problem problem = options.pick(Problem{128, 12}, Problem{512, 60}, Problem{1024, 60});
  const Grid grid{problem.side, problem.side};
  const Chip chip = thermalNetwork(grid);
  const Coefficients k = coefficientsOf(chip);

  Random random(6);
  const std::vector<float> power = powerMap(grid, random);
  std::vector<float> expected = warmChip(grid, power);
  std::vector<float> scratch(expected.size());

  Timings timings;
  const DeviceArray<float> devicePower(power);
  const auto simulate = [&](int block, auto kernel, const auto& network) {
    const DeviceArray<float> first(expected), second(expected.size());
    float *in = first.data(), *out = second.data();
    const int blocks = divideUp(problem.side, block - 2 * kPyramidHeight);
    timings.kernels([&] {
      for (int step = 0; step < problem.steps; step += kPyramidHeight) {
        kernel<<<dim3(blocks, blocks), dim3(block, block)>>>(devicePower.data(), in, out, grid, network, kPyramidHeight);
        std::swap(in, out);
      }
    });
    std::vector<float> got(expected.size());
    WORKLOAD_CHECK(cudaMemcpy(got.data(), in, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
    return got;
  };
  std::map<std::string, std::vector<float>> results;  // by variant
  if (options.runs("square")) results["square"] = simulate(16, hotspot, k);
  if (options.runs("wide")) results["wide"] = simulate(32, hotspot32, k);
  if (options.runs("control")) results["control"] = simulate(16, hotspotControl, chip);
  if (options.runs("control-wide")) results["control-wide"] = simulate(32, hotspotControl32, chip);
  timings.reference([&] {
    for (int step = 0; step < problem.steps; ++step) {
      referenceStep(grid, k, power, expected, scratch);
      expected.swap(scratch);
    }
  });
  timings.print();

  // One unit in the last place of 343 K is 3.1e-5 K. The kernels with coefficients add as the reference does; fused and separate roundings
  // differ by at most a few of them. The others make one addition to the temperature of the reference's four: half a unit each.
  const float unit = 3.1e-5f;
  bool correct = true;
  for (const auto& [variant, got] : results) {
    const float tolerance = (variant.rfind("control", 0) == 0 ? 2.5f : 1.0f) * unit * problem.steps;
    correct = expectNear("temperature, " + variant, expected, got, 0.0f, tolerance) && correct;
  }
  return report("hotspot", correct);
}
