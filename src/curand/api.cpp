// cuRAND's host interface.
#include <cstdio>
#include <mutex>
#include <unordered_set>

#include "curand.h"
#include "jumps.hpp"
#include "sequences.hpp"

using namespace warpwright::curand;

struct curandGenerator_st {
  curandRngType_t type = CURAND_RNG_PSEUDO_XORWOW;
  bool forHost = false;
  cudaStream_t stream = nullptr;
  Wide seed = 0;
  Wide next = 0;          // number of the word that comes next
  void* lanes = nullptr;  // states in device memory
  bool ready = false;     // the lanes are where `next` says
};

namespace {

struct Generators {
  std::mutex mutex;
  std::unordered_set<curandGenerator_t> alive;
};

// Never destroyed: programs may destroy generators from destructors of static objects.
Generators& generators() {
  static Generators* const all = new Generators;
  return *all;
}

bool isAlive(curandGenerator_t generator) {
  const std::lock_guard lock(generators().mutex);
  return generators().alive.contains(generator);
}

curandStatus_t statusOf(cudaError_t error) {
  if (error == cudaSuccess) return CURAND_STATUS_SUCCESS;
  return error == cudaErrorMemoryAllocation ? CURAND_STATUS_ALLOCATION_FAILED : CURAND_STATUS_LAUNCH_FAILURE;
}

template <typename Body>
curandStatus_t with(curandGenerator_t generator, Body&& body) {
  return isAlive(generator) ? body(*generator) : CURAND_STATUS_NOT_INITIALIZED;
}

// Puts the lanes where the next number says: those before its lane are a step ahead.
template <typename State>
cudaError_t prepareLanes(curandGenerator_st& generator) {
  if (generator.ready) return cudaSuccess;
  std::vector<State> lanes = lanesOf<State>(generator.seed, generator.next / kLanes);
  for (Word lane = 0; lane < generator.next % kLanes; ++lane) lanes[lane].next();
  const size_t bytes = lanes.size() * sizeof(State);
  if (!generator.lanes)
    if (const cudaError_t status = cudaMalloc(&generator.lanes, bytes); status != cudaSuccess) return status;
  const cudaError_t status = cudaMemcpyAsync(generator.lanes, lanes.data(), bytes, cudaMemcpyHostToDevice, generator.stream);
  generator.ready = status == cudaSuccess;
  return status;
}

template <typename State>
cudaError_t wordsOfLanes(curandGenerator_st& generator, Word* words, Wide count) {
  if (const cudaError_t status = prepareLanes<State>(generator); status != cudaSuccess) return status;
  return laneWords(words, count, static_cast<State*>(generator.lanes), generator.next, generator.stream);
}

cudaError_t prepare(curandGenerator_st& generator) {
  if (generator.type == CURAND_RNG_PSEUDO_XORWOW) return prepareLanes<Xorwow>(generator);
  return generator.type == CURAND_RNG_PSEUDO_MRG32K3A ? prepareLanes<Mrg32k3a>(generator) : cudaSuccess;
}

cudaError_t nextWords(curandGenerator_st& generator, Word* words, Wide count) {
  cudaError_t status = cudaErrorInvalidValue;
  if (generator.type == CURAND_RNG_PSEUDO_PHILOX4_32_10)
    status = philoxWords(words, count, generator.seed, generator.next, generator.stream);
  else if (generator.type == CURAND_RNG_PSEUDO_MRG32K3A)
    status = wordsOfLanes<Mrg32k3a>(generator, words, count);
  else
    status = wordsOfLanes<Xorwow>(generator, words, count);
  if (status == cudaSuccess) generator.next += count;
  return status;
}

// Fills device memory of `words` words. Body: cudaError_t(Word*).
template <typename Body>
cudaError_t onDevice(const curandGenerator_st& generator, void* output, Wide words, Body&& body) {
  if (!generator.forHost) return body(static_cast<Word*>(output));
  void* memory = nullptr;
  cudaError_t status = cudaMalloc(&memory, words * sizeof(Word));
  if (status == cudaSuccess) status = body(static_cast<Word*>(memory));
  if (status == cudaSuccess) status = cudaMemcpyAsync(output, memory, words * sizeof(Word), cudaMemcpyDeviceToHost, generator.stream);
  if (memory) cudaFree(memory);
  return status;
}

template <typename Real>
curandStatus_t generate(curandGenerator_t handle, Real* output, size_t count, const Parameters& parameters) {
  return with(handle, [&](curandGenerator_st& generator) {
    if (count == 0) return CURAND_STATUS_SUCCESS;
    if (!output) return CURAND_STATUS_OUT_OF_RANGE;
    if (parameters.distribution != Distribution::uniform && count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    const Wide words = count * (sizeof(Real) / sizeof(Word));
    return statusOf(onDevice(generator, output, words, [&](Word* memory) {
      const cudaError_t status = nextWords(generator, memory, words);
      return status == cudaSuccess ? distribute<Real>(memory, count, parameters, generator.stream) : status;
    }));
  });
}

bool isPseudo(curandRngType_t type) {
  return type == CURAND_RNG_PSEUDO_XORWOW || type == CURAND_RNG_PSEUDO_MRG32K3A || type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
}

curandStatus_t create(curandGenerator_t* result, curandRngType_t type, bool forHost) {
  if (type == CURAND_RNG_PSEUDO_DEFAULT) type = CURAND_RNG_PSEUDO_XORWOW;
  if (!result) return CURAND_STATUS_OUT_OF_RANGE;
  if (!isPseudo(type)) {
    std::fprintf(stderr, "warpwright: curandCreateGenerator: generator %d is not there (docs/libraries.md lists those that are)\n", type);
    return CURAND_STATUS_TYPE_ERROR;
  }
  auto* const generator = new curandGenerator_st;
  generator->type = type;
  generator->forHost = forHost;
  const std::lock_guard lock(generators().mutex);
  generators().alive.insert(generator);
  *result = generator;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t refuse(const char* function) {
  std::fprintf(stderr, "warpwright: the program calls %s, which is not supported (docs/libraries.md lists what works)\n", function);
  return CURAND_STATUS_TYPE_ERROR;
}

}  // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) { return create(generator, type, false); }

curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) { return create(generator, type, true); }

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  {
    const std::lock_guard lock(generators().mutex);
    if (generators().alive.erase(generator) == 0) return CURAND_STATUS_NOT_INITIALIZED;
  }
  if (generator->lanes) cudaFree(generator->lanes);
  delete generator;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int* version) {
  if (!version) return CURAND_STATUS_OUT_OF_RANGE;
  *version = WARPWRIGHT_CURAND_MAJOR * 1000;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CURAND_STATUS_OUT_OF_RANGE;
  *value = type == MAJOR_VERSION ? WARPWRIGHT_CURAND_MAJOR : 0;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t handle, cudaStream_t stream) {
  return with(handle, [&](curandGenerator_st& generator) {
    generator.stream = stream;
    return CURAND_STATUS_SUCCESS;
  });
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t handle, unsigned long long seed) {
  return with(handle, [&](curandGenerator_st& generator) {
    generator.seed = seed;
    generator.next = 0;
    generator.ready = false;
    return CURAND_STATUS_SUCCESS;
  });
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t handle, unsigned long long offset) {
  return with(handle, [&](curandGenerator_st& generator) {
    generator.next = offset;
    generator.ready = false;
    return CURAND_STATUS_SUCCESS;
  });
}

// There is one order.
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t handle, curandOrdering_t order) {
  return with(handle, [&](curandGenerator_st&) {
    return order >= CURAND_ORDERING_PSEUDO_BEST && order <= CURAND_ORDERING_PSEUDO_DYNAMIC ? CURAND_STATUS_SUCCESS
                                                                                           : CURAND_STATUS_OUT_OF_RANGE;
  });
}

curandStatus_t curandGenerateSeeds(curandGenerator_t handle) {
  return with(handle, [](curandGenerator_st& generator) { return statusOf(prepare(generator)); });
}

curandStatus_t curandGenerate(curandGenerator_t handle, unsigned int* output, size_t count) {
  return with(handle, [&](curandGenerator_st& generator) {
    if (count == 0) return CURAND_STATUS_SUCCESS;
    if (!output) return CURAND_STATUS_OUT_OF_RANGE;
    return statusOf(onDevice(generator, output, count, [&](Word* memory) { return nextWords(generator, memory, count); }));
  });
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output, size_t count) {
  return generate(generator, output, count, {});
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output, size_t count) {
  return generate(generator, output, count, {});
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output, size_t count, float mean, float deviation) {
  return generate(generator, output, count, {Distribution::normal, mean, deviation});
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output, size_t count, double mean, double deviation) {
  return generate(generator, output, count, {Distribution::normal, mean, deviation});
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* output, size_t count, float mean, float deviation) {
  return generate(generator, output, count, {Distribution::logNormal, mean, deviation});
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* output, size_t count, double mean, double deviation) {
  return generate(generator, output, count, {Distribution::logNormal, mean, deviation});
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t, unsigned int) { return refuse(__func__); }
curandStatus_t curandGenerateLongLong(curandGenerator_t, unsigned long long*, size_t) { return refuse(__func__); }
curandStatus_t curandGeneratePoisson(curandGenerator_t, unsigned int*, size_t, double) { return refuse(__func__); }
curandStatus_t curandGenerateBinomial(curandGenerator_t, unsigned int*, size_t, unsigned int, double) { return refuse(__func__); }
