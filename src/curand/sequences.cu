#include "sequences.hpp"

namespace warpwright::curand {
namespace {

constexpr int kThreads = 128;

int blocksFor(Wide elements) {
  const Wide blocks = (elements + kThreads - 1) / kThreads;
  return static_cast<int>(blocks < 1 ? 1 : blocks < 4096 ? blocks : 4096);
}

template <typename... Parameters>
cudaError_t launch(void (*kernel)(Parameters...), int blocks, cudaStream_t stream, Parameters... parameters) {
  void* arguments[] = {&parameters...};
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(blocks), dim3(kThreads), arguments, 0, stream);
}

__device__ Wide ownIndex() { return static_cast<Wide>(blockIdx.x) * kThreads + threadIdx.x; }
__device__ Wide indexStride() { return static_cast<Wide>(gridDim.x) * kThreads; }

// Word n is word n % 4 of the counter n / 4.
__global__ void philoxKernel(Word* words, Wide count, Wide seed, Wide first) {
  const Wide firstCounter = first / 4, end = first + count;
  for (Wide counter = firstCounter + ownIndex(); counter * 4 < end; counter += indexStride()) {
    const Words4 four = philox(counter, 0, seed);
    for (int i = 0; i < 4; ++i) {
      const Wide n = counter * 4 + i;
      if (n >= first && n < end) words[n - first] = four.words[i];
    }
  }
}

template <typename State>
__global__ void laneKernel(Word* words, Wide count, State* lanes, Wide first) {
  const Wide lane = ownIndex();
  if (lane >= kLanes) return;
  State state = lanes[lane];
  for (Wide at = (lane + kLanes - first % kLanes) % kLanes; at < count; at += kLanes) words[at] = state.next();
  lanes[lane] = state;
}

// In (0, 1].
__device__ float unit(const Word* words, float) { return (static_cast<float>(words[0]) + 0.5f) * 0x1p-32f; }
__device__ double unit(const Word* words, double) {
  const Wide bits = (static_cast<Wide>(words[0]) << 21) ^ (words[1] >> 11);
  return (static_cast<double>(bits) + 1) * 0x1p-53;
}

__device__ void put(Word* words, float value) { words[0] = __float_as_uint(value); }
__device__ void put(Word* words, double value) {
  words[0] = static_cast<Word>(__double2loint(value));
  words[1] = static_cast<Word>(__double2hiint(value));
}

template <typename Real>
constexpr int kWordsOf = sizeof(Real) / sizeof(Word);

template <typename Real>
__global__ void uniformKernel(Word* words, Wide count) {
  for (Wide i = ownIndex(); i < count; i += indexStride()) put(words + i * kWordsOf<Real>, unit(words + i * kWordsOf<Real>, Real()));
}

// Two normal numbers from two uniform ones (Box, Muller: "A Note on the Generation of Random Normal Deviates", 1958).
template <typename Real, bool exponentials>
__global__ void normalKernel(Word* words, Wide count, Real mean, Real deviation) {
  for (Wide i = ownIndex(); 2 * i < count; i += indexStride()) {
    Word* const one = words + 2 * i * kWordsOf<Real>;
    Word* const other = one + kWordsOf<Real>;
    const Real radius = sqrt(Real(-2) * log(unit(one, Real()))) * deviation;
    const Real turns = Real(2) * unit(other, Real());
    const Real a = radius * sinpi(turns) + mean, b = radius * cospi(turns) + mean;
    put(one, exponentials ? exp(a) : a);
    put(other, exponentials ? exp(b) : b);
  }
}

}  // namespace

cudaError_t philoxWords(Word* words, Wide count, Wide seed, Wide first, cudaStream_t stream) {
  return launch(philoxKernel, blocksFor(count / 4 + 2), stream, words, count, seed, first);
}

template <typename State>
cudaError_t laneWords(Word* words, Wide count, State* lanes, Wide first, cudaStream_t stream) {
  return launch(laneKernel<State>, kLanes / kThreads, stream, words, count, lanes, first);
}
template cudaError_t laneWords<Xorwow>(Word*, Wide, Xorwow*, Wide, cudaStream_t);
template cudaError_t laneWords<Mrg32k3a>(Word*, Wide, Mrg32k3a*, Wide, cudaStream_t);

template <typename Real>
cudaError_t distribute(Word* words, Wide count, const Parameters& p, cudaStream_t stream) {
  const Real mean = static_cast<Real>(p.mean), deviation = static_cast<Real>(p.deviation);
  switch (p.distribution) {
    case Distribution::uniform:
      return launch(uniformKernel<Real>, blocksFor(count), stream, words, count);
    case Distribution::normal:
      return launch(normalKernel<Real, false>, blocksFor(count / 2), stream, words, count, mean, deviation);
    case Distribution::logNormal:
      return launch(normalKernel<Real, true>, blocksFor(count / 2), stream, words, count, mean, deviation);
  }
  return cudaErrorInvalidValue;
}
template cudaError_t distribute<float>(Word*, Wide, const Parameters&, cudaStream_t);
template cudaError_t distribute<double>(Word*, Wide, const Parameters&, cudaStream_t);

}  // namespace warpwright::curand
