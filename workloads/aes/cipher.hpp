// AES as FIPS-197 writes it, byte by byte: the S-box, key expansion, and the cipher and inverse cipher as steps on bytes.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace aes {

using Byte = std::uint8_t;
using Bytes = std::vector<Byte>;
constexpr int kBlockBytes = 16;

// Multiplication in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (section 4.2).
inline Byte multiply(Byte a, Byte b) {
  Byte product = 0;
  for (; b != 0; b >>= 1) {
    if (b & 1) product ^= a;
    a = Byte((a << 1) ^ (a & 0x80 ? 0x1b : 0));
  }
  return product;
}

struct SubstitutionBoxes {
  std::array<Byte, 256> forward{}, inverse{};

  // Multiplicative inverse, then the affine map (section 5.1.1).
  SubstitutionBoxes() {
    for (int x = 0; x < 256; ++x) {
      Byte reciprocal = 1;  // x^254
      for (int i = 0; i < 254; ++i) reciprocal = multiply(reciprocal, Byte(x));
      Byte s = 0x63;
      for (int shift = 0; shift < 5; ++shift) s ^= Byte((reciprocal << shift) | (reciprocal >> (8 - shift)));
      forward[x] = s;
      inverse[s] = Byte(x);
    }
  }
};

inline const SubstitutionBoxes& boxes() {
  static const SubstitutionBoxes instance;
  return instance;
}

struct Key {
  int rounds = 0;
  Bytes schedule;  // 16 bytes for each of rounds + 1 round keys
};

// Section 5.2; the key has 16, 24 or 32 bytes.
inline Key expandKey(const Bytes& cipherKey) {
  const size_t keyBytes = cipherKey.size();
  Key key;
  key.rounds = int(keyBytes / 4) + 6;
  key.schedule = cipherKey;
  Byte roundConstant = 1;
  while (key.schedule.size() < size_t(kBlockBytes) * (key.rounds + 1)) {
    const size_t at = key.schedule.size();
    std::array<Byte, 4> word;
    for (int i = 0; i < 4; ++i) word[i] = key.schedule[at - 4 + i];
    if (at % keyBytes == 0) {
      word = {word[1], word[2], word[3], word[0]};
      for (Byte& byte : word) byte = boxes().forward[byte];
      word[0] ^= roundConstant;
      roundConstant = multiply(roundConstant, 2);
    } else if (keyBytes > 24 && at % keyBytes == 16) {
      for (Byte& byte : word) byte = boxes().forward[byte];
    }
    for (int i = 0; i < 4; ++i) key.schedule.push_back(key.schedule[at - keyBytes + i] ^ word[i]);
  }
  return key;
}

// Multiplies a column by the circulant matrix whose first row is `row`.
inline void mixColumn(Byte* column, const std::array<Byte, 4>& row) {
  Byte mixed[4] = {};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) mixed[i] ^= multiply(row[(j - i + 4) % 4], column[j]);
  for (int i = 0; i < 4; ++i) column[i] = mixed[i];
}

constexpr std::array<Byte, 4> kMix = {2, 3, 1, 1}, kInverseMix = {14, 11, 13, 9};

// The state is 16 bytes, column by column: row r of column c is byte 4 c + r.
inline void addRoundKey(Byte* state, const Key& key, int round) {
  for (int i = 0; i < kBlockBytes; ++i) state[i] ^= key.schedule[kBlockBytes * round + i];
}

// SubBytes and ShiftRows; `direction` is 1, or -1 for their inverses.
inline void substituteAndShift(Byte* state, const std::array<Byte, 256>& box, int direction) {
  Byte shifted[kBlockBytes];
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row) shifted[4 * column + row] = box[state[4 * ((column + direction * row + 4) % 4) + row]];
  for (int i = 0; i < kBlockBytes; ++i) state[i] = shifted[i];
}

inline void encryptBlock(Byte* state, const Key& key) {
  addRoundKey(state, key, 0);
  for (int round = 1; round <= key.rounds; ++round) {
    substituteAndShift(state, boxes().forward, 1);
    for (int column = 0; column < 4 && round < key.rounds; ++column) mixColumn(state + 4 * column, kMix);
    addRoundKey(state, key, round);
  }
}

inline void decryptBlock(Byte* state, const Key& key) {
  addRoundKey(state, key, key.rounds);
  for (int round = key.rounds - 1; round >= 0; --round) {
    substituteAndShift(state, boxes().inverse, -1);
    addRoundKey(state, key, round);
    for (int column = 0; column < 4 && round > 0; ++column) mixColumn(state + 4 * column, kInverseMix);
  }
}

}  // namespace aes
