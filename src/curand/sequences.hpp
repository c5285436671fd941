// The kernels of the library as host functions: each launches and returns what the launch does.
#pragma once

#include <cuda_runtime_api.h>

#include "warpwright_curand/generators.hpp"

namespace warpwright::curand {

// Words `first` … `first` + count - 1 of a sequence.
cudaError_t philoxWords(Word* words, Wide count, Wide seed, Wide first, cudaStream_t stream);
// The lanes' states lie in device memory, each at its next number; they move on.
template <typename State>
cudaError_t laneWords(Word* words, Wide count, State* lanes, Wide first, cudaStream_t stream);

// What words become, in their place: a float of each, a double of each two.
enum class Distribution { uniform, normal, logNormal };
struct Parameters {
  Distribution distribution = Distribution::uniform;
  double mean = 0, deviation = 1;  // of the normal numbers, also where their exponentials are given
};
template <typename Real>
cudaError_t distribute(Word* words, Wide count, const Parameters& parameters, cudaStream_t stream);

}  // namespace warpwright::curand
