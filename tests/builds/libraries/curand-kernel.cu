// Random numbers made in kernels (curand_kernel.h): words and uniform numbers are to be those of NVIDIA's header, to the bit, and normal
// ones nearly. What is expected here is what this program computed when nvcc 13 had built it with that header.
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>
#include <initializer_list>

constexpr int kThreads = 64, kWords = 18, kNormals = 9;

__device__ void put(unsigned*& words, unsigned word) { *words++ = word; }
__device__ void put(unsigned*& words, double value) {
  put(words, static_cast<unsigned>(__double2loint(value)));
  put(words, static_cast<unsigned>(__double2hiint(value)));
}

template <typename State>
__global__ void numbers(unsigned* words, double* normals, unsigned long long seed, unsigned long long sequence, unsigned long long offset) {
  State state;
  curand_init(seed, sequence * threadIdx.x, offset * threadIdx.x, &state);
  words += threadIdx.x * kWords;
  normals += threadIdx.x * kNormals;
  for (int i = 0; i < 5; ++i) put(words, curand(&state));
  for (int i = 0; i < 3; ++i) put(words, __float_as_uint(curand_uniform(&state)));
  for (int i = 0; i < 2; ++i) put(words, curand_uniform_double(&state));
  for (int i = 0; i < 3; ++i) *normals++ = curand_normal(&state);
  *normals++ = curand_log_normal(&state, 0.5f, 0.25f);  // the third normal number's companion is forgotten
  *normals++ = curand_normal2(&state).y;
  for (int i = 0; i < 3; ++i) *normals++ = curand_normal_double(&state);
  *normals++ = curand_log_normal_double(&state, 0.5, 0.25);
  skipahead(1000003, &state);
  put(words, curand(&state));
  skipahead_sequence(5, &state);
  put(words, curand(&state));
  for (int i = 0; i < 4; ++i) put(words, curand(&state));
}

__global__ void fours(unsigned* words, double* normals) {
  curandStatePhilox4_32_10_t state;
  curand_init(7, 0, threadIdx.x, &state);
  words += threadIdx.x * kWords;
  normals += threadIdx.x * kNormals;
  const uint4 four = curand4(&state);
  for (const unsigned word : {four.x, four.y, four.z, four.w}) put(words, word);
  const float4 units = curand_uniform4(&state);
  for (const float unit : {units.x, units.y, units.z, units.w}) put(words, __float_as_uint(unit));
  const double2 pair = curand_uniform2_double(&state);
  for (const double unit : {pair.x, pair.y}) put(words, unit);
  for (int i = 0; i < 6; ++i) put(words, curand(&state));
  const float4 some = curand_normal4(&state);
  for (const float value : {some.x, some.y, some.z, some.w}) *normals++ = value;
  const float4 others = curand_log_normal4(&state, 0.5f, 0.25f);
  for (const float value : {others.x, others.y, others.z, others.w}) *normals++ = value;
  *normals++ = curand_normal2_double(&state).x;
}

struct Expected {
  unsigned words;     // hash of all
  double normals[3];  // sum of all, the first thread's first, the last thread's last
};

bool isAsExpected(const char* name, const unsigned* words, const double* normals, const Expected& expected) {
  if (cudaDeviceSynchronize() != cudaSuccess) return false;
  unsigned hash = 2166136261u;  // FNV-1a, by words
  for (int i = 0; i < kThreads * kWords; ++i) hash = (hash ^ words[i]) * 16777619u;
  double sum = 0;
  for (int i = 0; i < kThreads * kNormals; ++i) sum += normals[i];
  const double found[] = {sum, normals[0], normals[kThreads * kNormals - 1]};
  bool right = hash == expected.words;
  for (int i = 0; i < 3; ++i) right &= std::fabs(found[i] - expected.normals[i]) < 1e-4;
  std::printf("%s: %s {0x%08xu, {%.9g, %.9g, %.9g}}\n", name, right ? "right" : "WRONG", hash, found[0], found[1], found[2]);
  return right;
}

int main() {
  unsigned* words = nullptr;
  double* normals = nullptr;
  cudaMallocManaged(reinterpret_cast<void**>(&words), kThreads * kWords * sizeof(unsigned));
  cudaMallocManaged(reinterpret_cast<void**>(&normals), kThreads * kNormals * sizeof(double));
  constexpr unsigned long long kSeed = 0x123456789abcdefull, kSequence = 0x100000003ull, kOffset = 0x1000000007ull;
  numbers<curandState><<<1, kThreads>>>(words, normals, kSeed, kSequence, kOffset);
  bool right = isAsExpected("XORWOW", words, normals, {0x6708a408u, {246.908241, 0.647673547, 0.981580123}});
  numbers<curandStateMRG32k3a><<<1, kThreads>>>(words, normals, kSeed, kSequence, kOffset);
  right &= isAsExpected("MRG32k3a", words, normals, {0x66b9a4f3u, {259.490023, 1.09405851, 1.04789766}});
  numbers<curandStatePhilox4_32_10_t><<<1, kThreads>>>(words, normals, kSeed, kSequence, kOffset);
  right &= isAsExpected("Philox", words, normals, {0x4a4eee37u, {209.13857, 0.925701141, 1.87415783}});
  fours<<<1, kThreads>>>(words, normals);
  right &= isAsExpected("fours", words, normals, {0xa32bc078u, {488.778531, -0.242112547, 0.259529694}});
  return right ? 0 : 1;
}
