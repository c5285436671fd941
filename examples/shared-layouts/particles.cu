// Two arrays of structures in shared memory, each used by fields and whole in one kernel (docs/bank-maps.md):
//   warpwright-cc -O3 -o particles examples/shared-layouts/particles.cu
//   warpwright run --machine gtx480 --set sm.memory.bank_map=per_access --mechanism shared-layouts ./particles
// With an argument, accesses name no layout.
#include <warpwright/shared_layout.h>

#include <cstdio>
#include <vector>

struct Particle {
  float place[3], mass, speed[3], charge;  // eight words: family 3
};
struct Cell {
  float field[3], potential;  // four: family 2
};

constexpr int kThreads = 128, kRounds = 8;

// How a word of an array of structures is accessed.
template <class Structure>
struct Named {
  static __device__ float load(const float* word) {
    return __uint_as_float(warpwright::loadShared<warpwright::layoutOf<Structure>()>(word));
  }
  static __device__ void store(float* word, float value) {
    warpwright::storeShared<warpwright::layoutOf<Structure>()>(word, __float_as_uint(value));
  }
};
template <class Structure>
struct Plain {
  static __device__ float load(const float* word) { return *static_cast<const volatile float*>(word); }
  static __device__ void store(float* word, float value) { *static_cast<volatile float*>(word) = value; }
};

// Neighbouring threads copy neighbouring words: the structures as a whole.
template <template <class> class Access, class Structure>
__device__ void copyIn(Structure* to, const Structure* from, int thread) {
  float* const words = reinterpret_cast<float*>(to);
  for (unsigned word = thread; word < kThreads * sizeof(Structure) / sizeof(float); word += kThreads)
    Access<Structure>::store(words + word, reinterpret_cast<const float*>(from)[word]);
}
template <template <class> class Access, class Structure>
__device__ void copyOut(Structure* to, const Structure* from, int thread) {
  const float* const words = reinterpret_cast<const float*>(from);
  for (unsigned word = thread; word < kThreads * sizeof(Structure) / sizeof(float); word += kThreads)
    reinterpret_cast<float*>(to)[word] = Access<Structure>::load(words + word);
}

// Each thread has a particle and a cell, of which it reads and writes fields.
template <template <class> class Access>
__global__ void move(Particle* particles, const Cell* cells, float step) {
  extern __shared__ float shared[];
  Particle* const own = reinterpret_cast<Particle*>(shared);
  Cell* const around = reinterpret_cast<Cell*>(own + kThreads);
  const int thread = threadIdx.x, first = blockIdx.x * kThreads;
  copyIn<Access>(own, particles + first, thread);
  copyIn<Access>(around, cells + first, thread);
  __syncthreads();
  Particle* const mine = own + thread;
  for (int round = 0; round < kRounds; ++round) {
    const Cell* const here = around + (thread + round) % kThreads;
    const float strength = step * Access<Particle>::load(&mine->charge) / Access<Particle>::load(&mine->mass);
    for (int axis = 0; axis < 3; ++axis) {
      const float speed = Access<Particle>::load(&mine->speed[axis]) + strength * Access<Cell>::load(&here->field[axis]);
      Access<Particle>::store(&mine->speed[axis], speed);
      Access<Particle>::store(&mine->place[axis], Access<Particle>::load(&mine->place[axis]) + step * speed);
    }
  }
  __syncthreads();
  copyOut<Access>(particles + first, own, thread);
}

int main(int arguments, char**) {
  constexpr int kBlocks = 16, kCount = kBlocks * kThreads;
  constexpr float kStep = 0.125f;
  std::vector<Particle> particles(kCount);
  std::vector<Cell> cells(kCount);
  for (int i = 0; i < kCount; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      particles[i].place[axis] = static_cast<float>((i * 7 + axis) % 64);
      particles[i].speed[axis] = static_cast<float>((i * 5 + axis) % 16) - 8;
      cells[i].field[axis] = static_cast<float>((i * 3 + axis) % 8) - 4;
    }
    particles[i].mass = static_cast<float>(1 << i % 3);
    particles[i].charge = i % 2 == 0 ? 1.0f : -1.0f;
    cells[i].potential = 0;
  }
  Particle* onDevice = nullptr;
  Cell* cellsOnDevice = nullptr;
  cudaMalloc(&onDevice, kCount * sizeof(Particle));
  cudaMalloc(&cellsOnDevice, kCount * sizeof(Cell));
  cudaMemcpy(onDevice, particles.data(), kCount * sizeof(Particle), cudaMemcpyHostToDevice);
  cudaMemcpy(cellsOnDevice, cells.data(), kCount * sizeof(Cell), cudaMemcpyHostToDevice);
  constexpr std::size_t kShared = kThreads * (sizeof(Particle) + sizeof(Cell));
  if (arguments > 1)
    move<Plain><<<kBlocks, kThreads, kShared>>>(onDevice, cellsOnDevice, kStep);
  else
    move<Named><<<kBlocks, kThreads, kShared>>>(onDevice, cellsOnDevice, kStep);
  std::vector<Particle> moved(kCount);
  cudaMemcpy(moved.data(), onDevice, kCount * sizeof(Particle), cudaMemcpyDeviceToHost);

  // All numbers are small multiples of powers of two: sums are exact in any order.
  for (int i = 0; i < kCount; ++i) {
    const int first = i / kThreads * kThreads;
    for (int axis = 0; axis < 3; ++axis) {
      float speed = particles[i].speed[axis], place = particles[i].place[axis];
      for (int round = 0; round < kRounds; ++round) {
        speed += kStep * particles[i].charge / particles[i].mass * cells[first + (i - first + round) % kThreads].field[axis];
        place += kStep * speed;
      }
      if (moved[i].speed[axis] != speed || moved[i].place[axis] != place) {
        std::printf("particle %d, axis %d: speed %g, place %g instead of %g, %g\n", i, axis, moved[i].speed[axis], moved[i].place[axis],
                    speed, place);
        return 1;
      }
    }
  }
  std::printf("%d particles moved\n", kCount);
  return 0;
}
