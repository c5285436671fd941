// The generators of 32-bit words, step by step and in jumps. All of it runs on host and device.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define WARPWRIGHT_CURAND_BOTH __host__ __device__
#else
#define WARPWRIGHT_CURAND_BOTH
#endif

namespace warpwright::curand {

using Word = std::uint32_t;
using Wide = std::uint64_t;

// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011): four words from a counter and a key.
struct Words4 {
  Word words[4];
};

WARPWRIGHT_CURAND_BOTH inline Words4 philox(Wide counterLow, Wide counterHigh, Wide key) {
  constexpr Word kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57, kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  Word c0 = static_cast<Word>(counterLow), c1 = static_cast<Word>(counterLow >> 32), c2 = static_cast<Word>(counterHigh),
       c3 = static_cast<Word>(counterHigh >> 32);
  Word k0 = static_cast<Word>(key), k1 = static_cast<Word>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const Wide p0 = Wide{kMultiplier0} * c0, p1 = Wide{kMultiplier1} * c2;
    c0 = static_cast<Word>(p1 >> 32) ^ c1 ^ k0;
    c2 = static_cast<Word>(p0 >> 32) ^ c3 ^ k1;
    c1 = static_cast<Word>(p1);
    c3 = static_cast<Word>(p0);
    k0 += kWeyl0;
    k1 += kWeyl1;
  }
  return {{c0, c1, c2, c3}};
}

// XORWOW (Marsaglia: "Xorshift RNGs", Journal of Statistical Software 8, 2003).
struct Xorwow {
  Word shift[5];
  Word weyl;

  WARPWRIGHT_CURAND_BOTH Word next() {
    const Word t = shift[0] ^ (shift[0] >> 2);
    for (int i = 0; i < 4; ++i) shift[i] = shift[i + 1];
    shift[4] = (shift[4] ^ (shift[4] << 4)) ^ (t ^ (t << 1));
    weyl += kWeylStep;
    return shift[4] + weyl;
  }
  static constexpr Word kWeylStep = 362437;
};

// MRG32k3a (L'Ecuyer: "Good Parameters and Implementations for Combined Multiple Recursive Random Number Generators", Operations Research
// 47, 1999). Its words lie in 1 … 2³² - 209.
struct Mrg32k3a {
  Word first[3], second[3];  // oldest first

  static constexpr Wide kModulus1 = 4294967087, kModulus2 = 4294944443;
  static constexpr Wide kA12 = 1403580, kA13Negative = 810728, kA21 = 527612, kA23Negative = 1370589;

  WARPWRIGHT_CURAND_BOTH Word next() {
    const Wide p1 = (kA12 * first[1] + kA13Negative * (kModulus1 - first[0])) % kModulus1;
    const Wide p2 = (kA21 * second[2] + kA23Negative * (kModulus2 - second[0])) % kModulus2;
    for (int i = 0; i < 2; ++i) {
      first[i] = first[i + 1];
      second[i] = second[i + 1];
    }
    first[2] = static_cast<Word>(p1);
    second[2] = static_cast<Word>(p2);
    return static_cast<Word>(p1 > p2 ? p1 - p2 : p1 + kModulus1 - p2);
  }
};

// What these two are divided into: number n of a sequence is number n / kLanes of the lane n % kLanes, and lanes lie far apart in the
// generator's cycle (cuRAND Library, "Generator Options": 2⁶⁷ steps for XORWOW, 2⁷⁶ for MRG32k3a).
inline constexpr Word kLanes = 4096;

}  // namespace warpwright::curand
