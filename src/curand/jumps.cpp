#include "jumps.hpp"

#include <array>

namespace warpwright::curand {
namespace {

// ---- a jump is a product with a power of the matrix of one step: of bits for XORWOW, of remainders for MRG32k3a

constexpr int kBits = 160;
using Bits = std::array<Word, 5>;
using BitMatrix = std::array<Bits, kBits>;  // what each bit of a state becomes

Bits transformed(const BitMatrix& matrix, const Bits& bits) {
  Bits result{};
  for (int i = 0; i < kBits; ++i) {
    if (!((bits[i / 32] >> (i % 32)) & 1)) continue;
    for (int word = 0; word < 5; ++word) result[word] ^= matrix[i][word];
  }
  return result;
}

BitMatrix product(const BitMatrix& later, const BitMatrix& earlier) {
  BitMatrix result;
  for (int i = 0; i < kBits; ++i) result[i] = transformed(later, earlier[i]);
  return result;
}

BitMatrix stepOfXorwow() {
  BitMatrix result;
  for (int i = 0; i < kBits; ++i) {
    Xorwow state{};
    state.shift[i / 32] = Word{1} << (i % 32);
    state.next();
    for (int word = 0; word < 5; ++word) result[i][word] = state.shift[word];
  }
  return result;
}

Xorwow transformed(const BitMatrix& matrix, const Xorwow& state) {
  Bits bits;
  for (int word = 0; word < 5; ++word) bits[word] = state.shift[word];
  bits = transformed(matrix, bits);
  Xorwow result{{bits[0], bits[1], bits[2], bits[3], bits[4]}, state.weyl};
  return result;
}

using Square = std::array<std::array<Wide, 3>, 3>;

Square product(const Square& a, const Square& b, Wide modulus) {
  Square result{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) result[i][j] = (result[i][j] + a[i][k] * b[k][j]) % modulus;
  return result;
}

struct MrgMatrix {
  Square first, second;
};

MrgMatrix product(const MrgMatrix& a, const MrgMatrix& b) {
  return {product(a.first, b.first, Mrg32k3a::kModulus1), product(a.second, b.second, Mrg32k3a::kModulus2)};
}

MrgMatrix stepOfMrg() {
  using M = Mrg32k3a;
  return {{{{0, 1, 0}, {0, 0, 1}, {M::kModulus1 - M::kA13Negative, M::kA12, 0}}},
          {{{0, 1, 0}, {0, 0, 1}, {M::kModulus2 - M::kA23Negative, 0, M::kA21}}}};
}

void transform(const Square& matrix, Word (&values)[3], Wide modulus) {
  Word result[3];
  for (int i = 0; i < 3; ++i) {
    Wide sum = 0;
    for (int k = 0; k < 3; ++k) sum = (sum + matrix[i][k] * values[k]) % modulus;
    result[i] = static_cast<Word>(sum);
  }
  for (int i = 0; i < 3; ++i) values[i] = result[i];
}

Mrg32k3a transformed(const MrgMatrix& matrix, Mrg32k3a state) {
  transform(matrix.first, state.first, Mrg32k3a::kModulus1);
  transform(matrix.second, state.second, Mrg32k3a::kModulus2);
  return state;
}

template <typename Matrix>
Matrix squaredOften(Matrix matrix, int times) {
  for (; times > 0; --times) matrix = product(matrix, matrix);
  return matrix;
}

template <typename State, typename Matrix>
State jumpBy(State state, Matrix matrix, Wide steps) {
  for (; steps > 0; steps >>= 1) {
    if (steps & 1) state = transformed(matrix, state);
    if (steps > 1) matrix = product(matrix, matrix);
  }
  return state;
}

// ---- seeds

// SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014): seeds that resemble each other give
// states that do not.
Wide mixed(Wide& state) {
  Wide z = state += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

Xorwow seeded(Wide seed, Xorwow) {
  Xorwow state{};
  for (Word& word : state.shift) word = static_cast<Word>(mixed(seed));
  state.weyl = static_cast<Word>(mixed(seed));
  state.shift[0] |= 1;  // not all zeros
  return state;
}

Mrg32k3a seeded(Wide seed, Mrg32k3a) {
  Mrg32k3a state{};
  for (Word& word : state.first) word = static_cast<Word>(1 + mixed(seed) % (Mrg32k3a::kModulus1 - 1));
  for (Word& word : state.second) word = static_cast<Word>(1 + mixed(seed) % (Mrg32k3a::kModulus2 - 1));
  return state;
}

// From a lane to the next. The Weyl sequence of XORWOW returns to where it was after 2³² steps.
Xorwow nextLane(const Xorwow& state) {
  static const BitMatrix matrix = squaredOften(stepOfXorwow(), 67);
  return transformed(matrix, state);
}

Mrg32k3a nextLane(const Mrg32k3a& state) {
  static const MrgMatrix matrix = squaredOften(stepOfMrg(), 76);
  return transformed(matrix, state);
}

}  // namespace

Xorwow jump(const Xorwow& state, Wide steps) {
  Xorwow result = jumpBy(state, stepOfXorwow(), steps);
  result.weyl = state.weyl + static_cast<Word>(steps) * Xorwow::kWeylStep;
  return result;
}

Mrg32k3a jump(const Mrg32k3a& state, Wide steps) { return jumpBy(state, stepOfMrg(), steps); }

template <typename State>
std::vector<State> lanesOf(Wide seed, Wide steps) {
  std::vector<State> lanes{jump(seeded(seed, State{}), steps)};
  while (lanes.size() < kLanes) lanes.push_back(nextLane(lanes.back()));
  return lanes;
}

template std::vector<Xorwow> lanesOf<Xorwow>(Wide, Wide);
template std::vector<Mrg32k3a> lanesOf<Mrg32k3a>(Wide, Wide);

}  // namespace warpwright::curand
