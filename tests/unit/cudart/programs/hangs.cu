// Kernels that never end, and their likes that do: the first argument says which runs.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstring>
#include <thread>

namespace cg = cooperative_groups;

// --- that never end
__global__ void emptyLoop(volatile int*) {
  for (;;) asm volatile("");
}
__global__ void countingLoop(volatile int*) {
  for (unsigned i = 0;; ++i) asm volatile("" ::"r"(i));
}
__global__ void flagNobodySets(volatile int* memory) {
  while (memory[0] == 0) {
  }
  memory[1] = 1;
}
__global__ void flagAndCount(volatile int* memory) {
  int polls = 0;
  while (memory[0] == 0) ++polls;
  memory[1] = polls;
}
__global__ void flagAndSleep(volatile int* memory) {
  while (memory[0] == 0) __nanosleep(100);
}
__global__ void flagOfALaneThatWaits(volatile int* memory) {
  if (threadIdx.x % 2 == 0) {
    while (memory[1] == 0) {
    }
    memory[0] = 1;
  } else {
    while (memory[0] == 0) {
    }
    memory[1] = 1;
  }
}
__global__ void flagOfABlock(volatile int*) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x >= 32) {
    while (flag == 0) {
    }
  }
  __syncthreads();
}
__global__ void lockThatIsTaken(int* memory) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&memory[0], 0, 1) != 0) {
    }
  }
}
__global__ void storesTheSame(volatile int* memory) {
  while (memory[0] == 0) memory[1 + blockIdx.x * blockDim.x + threadIdx.x] = 7;
}
__global__ void partOfAGrid(int*) {
  if (blockIdx.x != 0) cg::this_grid().sync();
}

// --- that end
__global__ void longLoop(volatile int* memory) {
  unsigned x = threadIdx.x;
  for (int i = 0; i < 30000; ++i) x = x * 1664525u + 1013904223u;
  if (x == 1) memory[1] = 1;
}
// Nothing changes for long, but the last warp that runs sets the flag.
__global__ void lateFlag(volatile int* memory) {
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
    unsigned x = clock();
    for (int i = 0; i < 30000; ++i) x = x * 1664525u + 1013904223u;
    memory[1] = static_cast<int>(x | 1);
    __threadfence();
    memory[0] = 1;
  }
  while (memory[0] == 0) {
  }
}
__global__ void flagAfterATime(volatile int* memory) {
  const long long begin = clock64();
  while (clock64() - begin < 100000) {
  }
  memory[1] = 1;
}
__global__ void lockThatIsFreed(int* memory) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&memory[0], 0, 1) != 0) {
  }
  unsigned x = clock();
  for (int i = 0; i < 10000; ++i) x = x * 1664525u + 1013904223u;
  memory[1] += static_cast<int>(x | 1);
  __threadfence();
  atomicExch(&memory[0], 0);
}
__global__ void pollsWithAMeeting(volatile int* memory) {
  __shared__ volatile int seen;
  do {
    if (threadIdx.x == 0) seen = blockIdx.x == 0 ? ++memory[2] > 2000 : memory[0];
    __syncthreads();
  } while (!seen);
  if (blockIdx.x == 0) memory[0] = 1;
}

// Longer than anybody waits, but not for ever.
__global__ void count(unsigned long long* out, unsigned long long n) {
  unsigned long long sum = threadIdx.x;
  for (unsigned long long i = 0; i < n; ++i) sum = sum * 6364136223846793005ull + i;
  *out = sum;
}

struct Entry {
  const char* name;
  void (*run)(int* memory);
};
#define ENTRY(kernel) {#kernel, [](int* memory) { kernel<<<4, 64>>>(memory); }}
const Entry kEntries[] = {
    ENTRY(emptyLoop), ENTRY(countingLoop), ENTRY(flagNobodySets), ENTRY(flagAndCount), ENTRY(flagAndSleep), ENTRY(flagOfALaneThatWaits),
    ENTRY(flagOfABlock), ENTRY(storesTheSame), ENTRY(longLoop), ENTRY(lateFlag), ENTRY(flagAfterATime), ENTRY(lockThatIsFreed),
    ENTRY(pollsWithAMeeting),
    {"lockThatIsTaken",
     [](int* memory) {
       const int taken = 1;
       cudaMemcpy(memory, &taken, sizeof taken, cudaMemcpyHostToDevice);
       lockThatIsTaken<<<4, 64>>>(memory);
     }},
    {"partOfAGrid",
     [](int* memory) {
       void* arguments[] = {&memory};
       cudaLaunchCooperativeKernel(reinterpret_cast<void*>(partOfAGrid), dim3(4), dim3(64), arguments);
     }},
    {"hostSetsTheFlag",
     [](int*) {
       int* shared = nullptr;
       cudaMallocManaged(&shared, 4096);
       std::memset(shared, 0, 4096);
       std::thread host([shared] {
         std::this_thread::sleep_for(std::chrono::seconds(2));
         *const_cast<volatile int*>(shared) = 1;
       });
       flagNobodySets<<<4, 64>>>(shared);
       cudaDeviceSynchronize();
       host.join();
     }},
    {"count", [](int* memory) { count<<<4, 64>>>(reinterpret_cast<unsigned long long*>(memory), 1ull << 60); }},
};

// Leaves its traces on every multiprocessor, before the kernel that counts.
__global__ void comesFirst(int* memory) { memory[512 + blockIdx.x] = blockIdx.x; }

int main(int argc, char** argv) {
  int* memory = nullptr;
  cudaMalloc(&memory, 4096);
  cudaMemset(memory, 0, 4096);
  comesFirst<<<64, 32>>>(memory);
  for (const Entry& entry : kEntries)
    if (argc > 1 && !std::strcmp(argv[1], entry.name)) entry.run(memory);
  const cudaError_t status = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(status));
  return status == cudaSuccess ? 0 : 3;
}
