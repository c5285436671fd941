// The clock, and the chain that times dependent steps.
#pragma once

#include <cstddef>
#include <vector>

#include "../common/device.hpp"

namespace micro {

using Clock = long long;
constexpr int kWarpSize = 32;

__device__ inline Clock readClock() {
  Clock now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now) : : "memory");
  return now;
}

// Goes on when the value is there: a store needs it.
template <class T>
__device__ void await(T value) {
  __shared__ volatile T sink;
  sink = value;
}

// A step is an object with a type Place and a member step(Place&) that goes from one place to the next, and can only begin when it has it.
constexpr int kSteps = 8;

template <int Count, class Step>
__device__ void goOn(const Step& step, typename Step::Place& place) {
#pragma unroll
  for (int i = 0; i < Count; ++i) step.step(place);
}

template <class Place>
__device__ Clock clockWhenThere(Place place) {
  await(place);
  return readClock();
}

// Cycles of kSteps steps of straight code: those of twice as many less those of so many, behind as many that are not counted. What
// surrounds the steps falls out. The first round brings the code into the instruction cache.
template <class Step>
__device__ Clock timeChain(const Step& step, typename Step::Place warmUp, typename Step::Place start) {
  Clock took = 0;
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {
    typename Step::Place place = round == 0 ? warmUp : start;
    goOn<kSteps>(step, place);
    const Clock first = clockWhenThere(place);
    goOn<kSteps>(step, place);
    const Clock second = clockWhenThere(place);
    goOn<2 * kSteps>(step, place);
    const Clock third = clockWhenThere(place);
    took = (third - second) - (second - first);
  }
  return took;
}

// The step comes from memory, so that its operands lie in registers.
template <class Step>
__global__ void chain(const Step* stored, typename Step::Place warmUp, typename Step::Place start, long long laneBytes, Clock* result) {
  const Step step = *stored;
  const long long offset = laneBytes * threadIdx.x;
  using Place = typename Step::Place;
  const Clock cycles = timeChain(step, static_cast<Place>(warmUp + offset), static_cast<Place>(start + offset));
  if (threadIdx.x == 0) *result = cycles;
}

template <class T>
T valueOf(const workloads::DeviceArray<T>& array) {
  workloads::finishKernels();
  return array.download().front();
}

// Lanes that go, each from a place `laneBytes` behind the one before.
struct Lanes {
  int count = 1;
  long long bytes = 0;
};

// Cycles of a step. The first round begins elsewhere when `start` may be walked only once.
template <class Step>
double cyclesPerStep(const Step& step, typename Step::Place start, typename Step::Place warmUp, Lanes lanes = {}) {
  const workloads::DeviceArray<Step> stored(std::vector<Step>{step});
  workloads::DeviceArray<Clock> result(1);
  chain<<<1, lanes.count>>>(stored.data(), warmUp, start, lanes.bytes, result.data());
  return static_cast<double>(valueOf(result)) / kSteps;
}
template <class Step>
double cyclesPerStep(const Step& step, typename Step::Place start, Lanes lanes = {}) {
  return cyclesPerStep(step, start, start, lanes);
}

}  // namespace micro
