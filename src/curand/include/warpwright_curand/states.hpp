// States of generators in kernels: how they begin, go on and jump. Sequences are those of cuRAND's device interface; what its documentation
// leaves open (how a seed becomes a state) is as programs that nvcc builds have it.
#pragma once

#include "warpwright_curand/generators.hpp"
#include "warpwright_curand/jump_tables.hpp"

namespace warpwright::curand {

// The second number of a pair that a normal distribution made, for its next call. A call of another one forgets it.
enum class SpareOf : Word { nobody, normal, logNormal };
template <typename Real>
struct Spare {
  Real value;
  SpareOf owner;
};
struct Spares {
  Spare<float> single;
  Spare<double> wide;
};

struct XorwowState {
  Xorwow generator;
  Spares spares;
};

struct MrgState {
  Mrg32k3a generator;
  Spares spares;
};

struct PhiloxState {
  Wide counterLow, counterHigh, key;
  Words4 words;  // of the counter
  Word used;     // of them
  Spares spares;
};

__device__ inline void forget(Spares& spares) { spares.single.owner = spares.wide.owner = SpareOf::nobody; }

// ---- XORWOW

// The polynomial of one step, in the table of a jump, applied to a state (Horner's scheme would do the same backwards).
__device__ inline void jumpXorwow(Xorwow& generator, const Word (&polynomial)[5]) {
  Xorwow walker = generator, sum{};
  for (int i = 0; i < 160; ++i) {
    if ((polynomial[i / 32] >> (i % 32)) & 1)
      for (int word = 0; word < 5; ++word) sum.shift[word] ^= walker.shift[word];
    walker.next();
  }
  for (int word = 0; word < 5; ++word) generator.shift[word] = sum.shift[word];
}

__device__ inline void jumpXorwow(Xorwow& generator, Wide times, const Word (&table)[64][5]) {
  for (int bit = 0; times != 0; ++bit, times >>= 1)
    if (times & 1) jumpXorwow(generator, table[bit]);
}

__device__ inline void skip(XorwowState& state, Wide steps) {
  jumpXorwow(state.generator, steps, kXorwowSteps);
  state.generator.weyl += static_cast<Word>(steps) * Xorwow::kWeylStep;
}

// 2^67 steps each, after which the Weyl sequence is where it was.
__device__ inline void skipSequences(XorwowState& state, Wide sequences) { jumpXorwow(state.generator, sequences, kXorwowSequences); }

__device__ inline void begin(XorwowState& state, Wide seed, Wide sequence, Wide offset) {
  const Word low = (static_cast<Word>(seed) ^ 0xaad26b49u) * 1099087573u;
  const Word high = (static_cast<Word>(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
  state.generator = {{123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low}, 6615241u + high + low};
  forget(state.spares);
  skipSequences(state, sequence);
  skip(state, offset);
}

__device__ inline Word next(XorwowState& state) { return state.generator.next(); }

// ---- MRG32k3a

__device__ inline void transform(Word (&values)[3], const Word* matrix, Wide modulus) {
  Word result[3];
  for (int row = 0; row < 3; ++row) {
    Wide sum = 0;
    for (int i = 0; i < 3; ++i) sum = (sum + static_cast<Wide>(matrix[3 * row + i]) * values[i] % modulus) % modulus;
    result[row] = static_cast<Word>(sum);
  }
  for (int i = 0; i < 3; ++i) values[i] = result[i];
}

__device__ inline void jumpMrg(Mrg32k3a& generator, Wide times, const Word (&table)[64][18]) {
  for (int bit = 0; times != 0; ++bit, times >>= 1) {
    if (!(times & 1)) continue;
    transform(generator.first, table[bit], Mrg32k3a::kModulus1);
    transform(generator.second, table[bit] + 9, Mrg32k3a::kModulus2);
  }
}

__device__ inline void skip(MrgState& state, Wide steps) { jumpMrg(state.generator, steps, kMrgSteps); }
__device__ inline void skipSubsequences(MrgState& state, Wide subsequences) { jumpMrg(state.generator, subsequences, kMrgSubsequences); }
__device__ inline void skipSequences(MrgState& state, Wide sequences) { jumpMrg(state.generator, sequences, kMrgSequences); }

__device__ inline void begin(MrgState& state, Wide seed, Wide subsequence, Wide offset) {
  constexpr Wide kBegin = 12345;
  state.generator = {{kBegin, kBegin, kBegin}, {kBegin, kBegin, kBegin}};
  if (seed != 0) {
    const Wide low = static_cast<Word>(seed) ^ 0x55555555u, high = static_cast<Word>(seed >> 32) ^ 0xAAAAAAAAu;
    const Wide factors1[] = {low, high, low}, factors2[] = {high, low, high};
    for (int i = 0; i < 3; ++i) {
      state.generator.first[i] = static_cast<Word>(factors1[i] * kBegin % Mrg32k3a::kModulus1);
      state.generator.second[i] = static_cast<Word>(factors2[i] * kBegin % Mrg32k3a::kModulus2);
    }
  }
  forget(state.spares);
  skipSubsequences(state, subsequence);
  skip(state, offset);
}

__device__ inline Word nextRaw(MrgState& state) { return state.generator.next(); }

// ---- Philox

__device__ inline void refill(PhiloxState& state) { state.words = philox(state.counterLow, state.counterHigh, state.key); }

__device__ inline void countUp(PhiloxState& state, Wide counters) {
  state.counterLow += counters;
  if (state.counterLow < counters) ++state.counterHigh;
  refill(state);
}

__device__ inline void skip(PhiloxState& state, Wide steps) {
  state.used += steps % 4;
  const Wide carried = state.used / 4;
  state.used %= 4;
  countUp(state, steps / 4 + carried);
}

// 2^66 steps each.
__device__ inline void skipSequences(PhiloxState& state, Wide sequences) {
  state.counterHigh += sequences;
  refill(state);
}

__device__ inline void begin(PhiloxState& state, Wide seed, Wide sequence, Wide offset) {
  state.counterLow = 0;
  state.counterHigh = sequence;
  state.key = seed;
  state.used = 0;
  forget(state.spares);
  skip(state, offset);
}

__device__ inline Word next(PhiloxState& state) {
  const Word word = state.words.words[state.used];
  if (++state.used == 4) {
    state.used = 0;
    countUp(state, 1);
  }
  return word;
}

__device__ inline Words4 nextFour(PhiloxState& state) {
  const Words4 old = state.words;
  countUp(state, 1);
  Words4 result;
  for (Word i = 0; i < 4; ++i) {
    const Word at = state.used + i;
    result.words[i] = at < 4 ? old.words[at] : state.words.words[at - 4];
  }
  return result;
}

}  // namespace warpwright::curand
