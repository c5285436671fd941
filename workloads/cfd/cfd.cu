// CFD: the Euler equations of a compressible gas on an unstructured mesh, finite volumes with artificial viscosity and a Runge-Kutta
// scheme of three stages (Corrigan, Camelli, Loehner, Wallin: "Running Unstructured Grid Based CFD Solvers on Modern Graphics
// Hardware", 2009). One thread a cell; each cell has four faces, gathers its neighbours' states and repeats their fluxes instead of
// sharing them. States lie component by component, so that neighbouring threads read neighbouring words of their own cells. The gas begins
// with a pulse of pressure and noise; in the variant `uniform` at the far field's state everywhere, as Rodinia's program does, until walls
// disturb it.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "../common/workload.hpp"

using namespace workloads;

constexpr int kBlock = 192;
constexpr int kFaces = 4;
constexpr int kComponents = 5;  // density, momentum (three), energy
constexpr int kStages = 3;
constexpr float kGamma = 1.4f;                     // air
constexpr float kSmoothing = 0.2f;                 // share of the artificial viscosity
constexpr float kMach = 0.6f, kIncidence = 0.05f;  // of the far field; radians
// What lies behind a face that has no neighbour.
constexpr int kWall = -1, kFarField = -2;

struct Vector {
  float x, y, z;
};

__host__ __device__ inline float dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

struct State {
  float density;
  Vector momentum;
  float energy;
};

__host__ __device__ inline State load(const float* states, int cell, int cells) {
  return {states[cell], {states[cell + cells], states[cell + 2 * cells], states[cell + 3 * cells]}, states[cell + 4 * cells]};
}

__host__ __device__ inline void store(float* states, int cell, int cells, const State& state) {
  states[cell] = state.density;
  states[cell + cells] = state.momentum.x;
  states[cell + 2 * cells] = state.momentum.y;
  states[cell + 3 * cells] = state.momentum.z;
  states[cell + 4 * cells] = state.energy;
}

// a + factor b
__host__ __device__ inline State sum(const State& a, float factor, const State& b) {
  return {a.density + factor * b.density,
          {a.momentum.x + factor * b.momentum.x, a.momentum.y + factor * b.momentum.y, a.momentum.z + factor * b.momentum.z},
          a.energy + factor * b.energy};
}

__host__ __device__ inline float pressureOf(const State& s) {
  return (kGamma - 1.0f) * (s.energy - 0.5f * dot(s.momentum, s.momentum) / s.density);
}

// The fastest that anything moves in the gas: speed and sound.
__host__ __device__ inline float signalSpeed(const State& s, float pressure) {
  return sqrtf(dot(s.momentum, s.momentum)) / s.density + sqrtf(kGamma * pressure / s.density);
}

// What flows through a face with the given area vector.
__host__ __device__ inline State flow(const State& s, float pressure, const Vector& area) {
  const float volume = dot(s.momentum, area) / s.density;
  return {s.density * volume,
          {s.momentum.x * volume + pressure * area.x, s.momentum.y * volume + pressure * area.y, s.momentum.z * volume + pressure * area.z},
          (s.energy + pressure) * volume};
}

__host__ __device__ inline State flowBetween(const State& own, float ownPressure, const State& other, const Vector& area) {
  const float pressure = pressureOf(other);
  const float viscosity = -0.5f * kSmoothing * sqrtf(dot(area, area)) * (signalSpeed(own, ownPressure) + signalSpeed(other, pressure));
  State result = flow(own, ownPressure, area);
  result = sum(result, 1.0f, flow(other, pressure, area));
  result = {0.5f * result.density, {0.5f * result.momentum.x, 0.5f * result.momentum.y, 0.5f * result.momentum.z}, 0.5f * result.energy};
  return sum(sum(result, viscosity, other), -viscosity, own);
}

__host__ __device__ inline State flowThrough(int neighbour, const State& own, float pressure, const State& other, const State& farField,
                                             const Vector& area) {
  if (neighbour >= 0) return flowBetween(own, pressure, other, area);
  if (neighbour == kFarField) return flowBetween(own, pressure, farField, area);
  return {0.0f, {pressure * area.x, pressure * area.y, pressure * area.z}, 0.0f};
}

__host__ __device__ inline float stepFactorOf(const State& state, float volume) {
  return 0.5f / (sqrtf(volume) * signalSpeed(state, pressureOf(state)));
}

// The largest stable time step over the cell's volume.
__global__ void cfdStepFactor(const float* states, const float* volumes, float* factors, int cells) {
  const int cell = blockIdx.x * kBlock + threadIdx.x;
  if (cell < cells) factors[cell] = stepFactorOf(load(states, cell, cells), volumes[cell]);
}

// What flows into each cell through all of its faces.
__global__ void cfdFlux(const float* states, const int* neighbours, const float* areas, float* fluxes, State farField, int cells) {
  const int cell = blockIdx.x * kBlock + threadIdx.x;
  if (cell >= cells) return;
  const State own = load(states, cell, cells);
  const float pressure = pressureOf(own);
  State flux{};
#pragma unroll
  for (int face = 0; face < kFaces; ++face) {
    const int neighbour = neighbours[cell + face * cells];
    const float* area = areas + cell + 3 * face * cells;
    State other = own;
    if (neighbour >= 0) other = load(states, neighbour, cells);
    flux = sum(flux, -1.0f, flowThrough(neighbour, own, pressure, other, farField, {area[0], area[cells], area[2 * cells]}));
  }
  store(fluxes, cell, cells, flux);
}

__global__ void cfdTimeStep(const float* before, const float* fluxes, const float* factors, float* states, float share, int cells) {
  const int cell = blockIdx.x * kBlock + threadIdx.x;
  if (cell >= cells) return;
  store(states, cell, cells, sum(load(before, cell, cells), share * factors[cell], load(fluxes, cell, cells)));
}

// A sheet of four-sided cells with shaken corners, turned in space and numbered as mesh generators do: neighbours are near, no more.
struct Mesh {
  int cells = 0;
  std::vector<int> neighbours;  // [face][cell]
  std::vector<float> areas;     // [face][axis][cell], pointing outwards
  std::vector<float> volumes;
};

std::vector<int> shuffledNumbers(int count, Random& random) {
  constexpr int kWindow = 512;
  std::vector<int> numbers(count);
  for (int i = 0; i < count; ++i) numbers[i] = i;
  for (int i = 0; i + 1 < count; ++i) std::swap(numbers[i], numbers[i + random.below(std::min(kWindow, count - i))]);
  return numbers;
}

Mesh makeMesh(int columns, int rows, Random& random) {
  struct Corner {
    float x, y;
  };
  std::vector<Corner> corners;
  for (int row = 0; row <= rows; ++row)
    for (int column = 0; column <= columns; ++column)
      corners.push_back({column + random.uniform(-0.2f, 0.2f), row + random.uniform(-0.2f, 0.2f)});
  const std::vector<int> number = shuffledNumbers(columns * rows, random);
  Mesh mesh;
  mesh.cells = columns * rows;
  mesh.neighbours.resize(size_t(kFaces) * mesh.cells);
  mesh.areas.resize(size_t(3 * kFaces) * mesh.cells);
  mesh.volumes.resize(mesh.cells);
  const float tilt = 0.6f, cosine = std::cos(tilt), sine = std::sin(tilt);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int cell = number[row * columns + column];
      const auto corner = [&](int right, int up) { return corners[size_t(row + up) * (columns + 1) + column + right]; };
      const std::array<Corner, 5> ring = {corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1), corner(0, 0)};
      const auto at = [&](int r, int c) { return number[r * columns + c]; };
      const std::array<int, kFaces> beside = {row > 0 ? at(row - 1, column) : kWall, column + 1 < columns ? at(row, column + 1) : kFarField,
                                              row + 1 < rows ? at(row + 1, column) : kWall, column > 0 ? at(row, column - 1) : kFarField};
      float twice = 0.0f;
      for (int face = 0; face < kFaces; ++face) {
        const Corner a = ring[face], b = ring[face + 1];
        twice += a.x * b.y - b.x * a.y;
        mesh.neighbours[size_t(face) * mesh.cells + cell] = beside[face];
        float* area = &mesh.areas[size_t(3 * face) * mesh.cells + cell];
        const float across = a.x - b.x;
        area[0] = b.y - a.y;
        area[mesh.cells] = cosine * across;
        area[2 * size_t(mesh.cells)] = sine * across;
      }
      mesh.volumes[cell] = 0.5f * twice;
    }
  return mesh;
}

State farFieldState() {
  const float density = 1.4f, pressure = 1.0f, speed = kMach * std::sqrt(kGamma * pressure / density);
  const Vector momentum{density * speed * std::cos(kIncidence), density * speed * std::sin(kIncidence), 0.0f};
  return {density, momentum, pressure / (kGamma - 1.0f) + 0.5f * density * speed * speed};
}

std::vector<float> uniformStates(const Mesh& mesh, const State& farField) {
  std::vector<float> states(size_t(kComponents) * mesh.cells);
  for (int cell = 0; cell < mesh.cells; ++cell) store(states.data(), cell, mesh.cells, farField);
  return states;
}

// The far field's flow with a pulse of pressure in some of the cells.
std::vector<float> disturbedStates(const Mesh& mesh, const State& farField, Random& random) {
  std::vector<float> states(size_t(kComponents) * mesh.cells);
  for (int cell = 0; cell < mesh.cells; ++cell) {
    State state = farField;
    state.energy *= random.uniform(0.95f, 1.05f) + (cell / 64 % 16 == 5 ? 0.5f : 0.0f);
    store(states.data(), cell, mesh.cells, state);
  }
  return states;
}

void referenceFlux(const Mesh& mesh, const State& farField, const std::vector<float>& states, std::vector<float>& fluxes) {
  const size_t cells = mesh.cells;
  for (size_t cell = 0; cell < cells; ++cell) {
    const State own = load(states.data(), int(cell), mesh.cells);
    State flux{};
    for (int face = 0; face < kFaces; ++face) {
      const int neighbour = mesh.neighbours[face * cells + cell];
      const float* area = &mesh.areas[3 * face * cells + cell];
      const State other = neighbour >= 0 ? load(states.data(), neighbour, mesh.cells) : own;
      flux = sum(flux, -1.0f, flowThrough(neighbour, own, pressureOf(own), other, farField, {area[0], area[cells], area[2 * cells]}));
    }
    store(fluxes.data(), int(cell), mesh.cells, flux);
  }
}

void referenceIteration(const Mesh& mesh, const State& farField, std::vector<float>& states) {
  const std::vector<float> before = states;
  std::vector<float> fluxes(states.size());
  for (int stage = 0; stage < kStages; ++stage) {
    referenceFlux(mesh, farField, states, fluxes);
    for (int cell = 0; cell < mesh.cells; ++cell) {
      const State start = load(before.data(), cell, mesh.cells);
      const float factor = stepFactorOf(start, mesh.volumes[cell]) / (kStages - stage);
      store(states.data(), cell, mesh.cells, sum(start, factor, load(fluxes.data(), cell, mesh.cells)));
    }
  }
}

struct Problem {
  int columns, rows, iterations;
};

// The device's iterations from these states beside the reference's.
bool isSolved(const char* name, const Mesh& mesh, const State& farField, std::vector<float> expected, const Problem& problem,
              Timings& timings) {
  const DeviceArray<int> neighbours(mesh.neighbours);
  const DeviceArray<float> areas(mesh.areas), volumes(mesh.volumes), states(expected), before(expected), fluxes(expected.size()),
      factors(mesh.cells);
  const int blocks = divideUp(mesh.cells, kBlock);
  timings.kernels([&] {
    for (int i = 0; i < problem.iterations; ++i) {
      WORKLOAD_CHECK(cudaMemcpy(before.data(), states.data(), states.size() * sizeof(float), cudaMemcpyDeviceToDevice));
      cfdStepFactor<<<blocks, kBlock>>>(states.data(), volumes.data(), factors.data(), mesh.cells);
      for (int stage = 0; stage < kStages; ++stage) {
        cfdFlux<<<blocks, kBlock>>>(states.data(), neighbours.data(), areas.data(), fluxes.data(), farField, mesh.cells);
        cfdTimeStep<<<blocks, kBlock>>>(before.data(), fluxes.data(), factors.data(), states.data(), 1.0f / (kStages - stage), mesh.cells);
      }
    }
  });
  timings.reference([&] {
    for (int i = 0; i < problem.iterations; ++i) referenceIteration(mesh, farField, expected);
  });

  // In a stage a cell adds four flows, each of up to 4 (energy and pressure) and rounded some ten times, over at most a third of the
  // cell's size: 4 x 10 x 4 / 3 x 2^-24, three stages an iteration.
  const float tolerance = 160 * 0x1p-24f * problem.iterations;
  return expectNear(std::string("states, ") + name, expected, states.download(), 0.0f, tolerance);
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"cfd",
                                        "Euler equations on an unstructured mesh, three kernels a Runge-Kutta stage",
                                        "71 x 57 cells, 3 iterations",
                                        "320 x 304 cells, 10 iterations",
                                        "480 x 485 cells, 2000 iterations",
                                        {"disturbed", "uniform"},
                                        "disturbed"});
  const Problem problem = options.pick(Problem{71, 57, 3}, Problem{320, 304, 10}, Problem{480, 485, 2000});

  Random random(34);
  const Mesh mesh = makeMesh(problem.columns, problem.rows, random);
  const State farField = farFieldState();
  Timings timings;
  bool correct = true;
  if (options.runs("disturbed")) correct = isSolved("disturbed", mesh, farField, disturbedStates(mesh, farField, random), problem, timings);
  if (options.runs("uniform")) correct = isSolved("uniform", mesh, farField, uniformStates(mesh, farField), problem, timings) && correct;
  timings.print();
  return report("cfd", correct);
}
