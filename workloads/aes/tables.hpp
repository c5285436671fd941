// The tables and key schedules of the table-driven cipher: substitution and column mixing in one look-up per byte.
// Words hold a column with row 0 in the lowest byte.
#pragma once

#include "cipher.hpp"

namespace aes {

using Word = std::uint32_t;
constexpr int kTableWords = 256;
constexpr int kMaximumScheduleWords = 60;  // 14 rounds

struct Tables {
  std::vector<Word> mixed;  // four tables of 256 words: table r serves row r
  std::vector<Word> last;   // the bare substitution box, for the round without mixing
};

inline Word packColumn(const Byte* column) {
  return Word(column[0]) | Word(column[1]) << 8 | Word(column[2]) << 16 | Word(column[3]) << 24;
}

inline Tables makeTables(const std::array<Byte, 256>& box, const std::array<Byte, 4>& mix) {
  Tables tables;
  for (int row = 0; row < 4; ++row) {
    for (int x = 0; x < kTableWords; ++x) {
      Byte column[4] = {};
      column[row] = box[x];
      mixColumn(column, mix);
      tables.mixed.push_back(packColumn(column));
    }
  }
  tables.last.assign(box.begin(), box.end());
  return tables;
}

inline std::vector<Word> packSchedule(const Bytes& schedule) {
  std::vector<Word> words(kMaximumScheduleWords, 0);
  for (size_t i = 0; i < schedule.size() / 4; ++i) words[i] = packColumn(&schedule[4 * i]);
  return words;
}

inline std::vector<Word> encryptionSchedule(const Key& key) { return packSchedule(key.schedule); }

// The equivalent inverse cipher (FIPS-197 section 5.3.5): round keys in reverse order, the inner ones through InvMixColumns.
inline std::vector<Word> decryptionSchedule(const Key& key) {
  Bytes reversed;
  for (int round = key.rounds; round >= 0; --round) {
    Bytes roundKey(key.schedule.begin() + kBlockBytes * round, key.schedule.begin() + kBlockBytes * (round + 1));
    for (int column = 0; column < 4 && round > 0 && round < key.rounds; ++column) mixColumn(&roundKey[4 * column], kInverseMix);
    reversed.insert(reversed.end(), roundKey.begin(), roundKey.end());
  }
  return packSchedule(reversed);
}

// One block through the tables, as the kernels do it; `direction` is 1 to encrypt, -1 to decrypt.
inline void transformBlock(const Tables& tables, const std::vector<Word>& schedule, int rounds, int direction, Byte* block) {
  Byte state[kBlockBytes];
  for (int i = 0; i < kBlockBytes; ++i) state[i] = block[i] ^ Byte(schedule[i / 4] >> (8 * (i % 4)));
  for (int round = 1; round <= rounds; ++round) {
    Word next[4];
    for (int column = 0; column < 4; ++column) {
      next[column] = schedule[4 * round + column];
      for (int row = 0; row < 4; ++row) {
        const Byte byte = state[4 * ((column + direction * row + 4) % 4) + row];
        next[column] ^= round < rounds ? tables.mixed[row * kTableWords + byte] : tables.last[byte] << (8 * row);
      }
    }
    for (int i = 0; i < kBlockBytes; ++i) state[i] = Byte(next[i / 4] >> (8 * (i % 4)));
  }
  for (int i = 0; i < kBlockBytes; ++i) block[i] = state[i];
}

}  // namespace aes
