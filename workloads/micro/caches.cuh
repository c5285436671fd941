// Size, ways, line and fetched bytes of caches: rings that are walked in order, and the accesses of a round that take longer than a hit.
//
// A ring as large as a cache that replaces the line used longest ago (or that came first) stays in it. One line more, and each of the lines
// of that set is displaced just before it is needed again: a round misses ways + 1 lines. After P. Mei and X. Chu, "Dissecting GPU Memory
// Hierarchy through Microbenchmarking", IEEE TPDS 2017, section 4.
#pragma once

#include <algorithm>

#include "latency.cuh"

namespace micro {

struct Round {
  Clock fastest;
  unsigned slow;  // accesses that took longer than the limit
};

// The last of `rounds` rounds of `steps` accesses each.
template <class Load>
__global__ void timeEach(Load load, typename Load::Place place, int rounds, int steps, Clock limit, Round* result) {
  Round round{};
#pragma unroll 1
  for (int number = 0; number < rounds; ++number) {
    round = {limit, 0};
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
      const Clock begin = readClock();
      load.step(place);
      const Clock took = clockWhenThere(place) - begin;
      round.slow += took > limit ? 1 : 0;
      round.fastest = took < round.fastest ? took : round.fastest;
    }
  }
  *result = round;
}

template <class Area>
class CacheProbe {
 public:
  // upTo: no cache of this kind is larger. searchStride: what the size is a multiple of.
  explicit CacheProbe(size_t upTo) : area_(2 * upTo), upTo_(upTo) {
    // A miss takes much longer than a hit; half of a hit again tells them apart.
    const Clock hit = round(1, kLeastFetch, 4, 1 << 20).fastest;
    limit_ = hit + hit / 2;
  }

  // Bytes that a miss brings: of those that lie in a row, every so many. 0: there is no miss.
  size_t fetchedBytes() const {
    constexpr unsigned kSteps = 64;
    const auto start = area_.link(kSteps, kLeastFetch);
    displaceCaches();  // linking may have brought them in
    const unsigned slow = roundFrom(start, kSteps, 1, limit_).slow;
    return slow == 0 ? 0 : kSteps * kLeastFetch / slow;
  }

  // The most bytes of which, `stride` bytes apart, all accesses hit.
  size_t size(size_t stride) const {
    size_t fits = 1, tooMany = upTo_ / stride + 1;
    while (tooMany - fits > 1) {
      const size_t middle = (fits + tooMany) / 2;
      (slow(middle, stride) == 0 ? fits : tooMany) = middle;
    }
    return fits * stride;
  }

  struct Shape {
    size_t ways, lineBytes;
  };
  // Pieces beyond the size come one by one. Those of the same line each miss, besides all pieces of the lines that it displaces; the first
  // of the next line makes another set miss.
  Shape shape(size_t size, size_t fetched) const {
    const size_t fits = size / fetched;
    const unsigned first = slow(fits + 1, fetched);
    size_t pieces = 1;
    while (slow(fits + 1 + pieces, fetched) == first + pieces) ++pieces;
    return {(first - 1) / pieces, pieces * fetched};
  }

 private:
  static constexpr size_t kLeastFetch = 32;

  unsigned slow(size_t elements, size_t stride) const { return round(elements, stride, 2, limit_).slow; }
  Round round(size_t elements, size_t stride, int rounds, Clock limit) const {
    return roundFrom(area_.link(elements, stride), elements, rounds, limit);
  }
  template <class Place>
  Round roundFrom(Place start, size_t elements, int rounds, Clock limit) const {
    workloads::DeviceArray<Round> result(1);
    timeEach<<<1, 1>>>(area_.load(), start, rounds, static_cast<int>(elements), limit, result.data());
    return valueOf(result);
  }

  Area area_;
  size_t upTo_;
  Clock limit_;
};

// searchStride: what the size is a multiple of; 0: the bytes that a miss brings.
template <class Area>
void measureCache(Report& report, size_t upTo, size_t searchStride = 0) {
  const CacheProbe<Area> probe(upTo);
  const size_t fetched = probe.fetchedBytes();
  report.row("fetched", static_cast<double>(fetched), "bytes");
  if (fetched == 0) return;
  const size_t size = probe.size(searchStride != 0 ? searchStride : fetched);
  report.row("size", static_cast<double>(size), "bytes");
  if (size == upTo) return;
  const auto shape = probe.shape(size, fetched);
  report.row("ways", static_cast<double>(shape.ways), "lines");
  report.row("line", static_cast<double>(shape.lineBytes), "bytes");
}

// --- whatever the cache replaces: mean time of an access, by the size of the ring

// The last of two rounds.
template <class Load>
__global__ void timeRing(Load load, typename Load::Place place, int steps, Clock* result) {
  Clock took = 0;
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {
    const Clock begin = clockWhenThere(place);
#pragma unroll 1
    for (int step = 0; step < steps; step += kSteps) goOn<kSteps>(load, place);
    took = clockWhenThere(place) - begin;
  }
  *result = took;
}

// Two sizes an octave: one in the middle.
template <class Area>
void measureRings(Report& report, const std::string& name, size_t upTo) {
  constexpr size_t kLeast = 1024, kStride = 128;
  const Area area(upTo);
  const auto row = [&](size_t bytes) {
    if (bytes > upTo) return;
    workloads::DeviceArray<Clock> result(1);
    const size_t steps = bytes / kStride;
    const auto start = area.link(steps, kStride);
    timeRing<<<1, 1>>>(area.load(), start, static_cast<int>(steps), result.data());
    report.row(name + " bytes=" + std::to_string(bytes), static_cast<double>(valueOf(result)) / static_cast<double>(steps), "cycles");
  };
  for (size_t bytes = kLeast; bytes <= upTo; bytes *= 2) {
    row(bytes);
    row(bytes + bytes / 2);
  }
}

constexpr size_t kMostFirstLevelBytes = 512 * 1024;

inline void measureAllRings(Report& report) {
  measureRings<GlobalArea<CachedLoad>>(report, "l1", kMostFirstLevelBytes);
  measureRings<TextureArea>(report, "texture", kMostFirstLevelBytes);
  measureRings<ConstantArea>(report, "constant", kConstantBytes);
  measureRings<GlobalArea<L2Load>>(report, "l2", 4 * std::max<size_t>(attribute(cudaDevAttrL2CacheSize), kMostFirstLevelBytes));
}

inline void measureL1(Report& report) { measureCache<GlobalArea<CachedLoad>>(report, kMostFirstLevelBytes); }
inline void measureTextureCache(Report& report) { measureCache<TextureArea>(report, kMostFirstLevelBytes); }
inline void measureConstantCache(Report& report) { measureCache<ConstantArea>(report, kConstantBytes / 2); }
inline void measureL2(Report& report) {
  constexpr size_t kLine = 128;
  measureCache<GlobalArea<L2Load>>(report, 2 * attribute(cudaDevAttrL2CacheSize), kLine);
}

}  // namespace micro
