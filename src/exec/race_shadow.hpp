// Who touched each word of a memory last, for the race detector. Pages are made where something is touched.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <unordered_map>

#include "base/types.hpp"

namespace warpwright::exec {

// One warp's access to a word of four bytes.
struct RaceTouch {
  u64 moment = 0;  // of its warp; 0: there was no access
  Pc pc;
  u32 block = 0;
  u32 value = 0;     // of a plain store: its bytes, where they lie in the word
  u8 warp = 0;       // in the block
  u8 lane = 0;       // the last one
  u8 otherLane = 0;  // of a read by several lanes, one of the others; else the same
  u8 bytes : 4 = 0;  // of the word, a bit each
  u8 writes : 1 = 0;
  u8 strong : 1 = 0;     // atomic, volatile or ordered
  u8 blockOnly : 1 = 0;  // strong to the threads of its block alone
  u8 hasValue : 1 = 0;
};

// Readers of two warps are remembered: one of them always differs from the next writer's. So are two writers of strong writes, which
// follow each other without an order.
struct RaceWord {
  RaceTouch write, otherWrite, read, otherRead;
};

class RaceShadow {
 public:
  // Beyond so many bytes the oldest pages are given up: what they held is taken to be ordered.
  explicit RaceShadow(u64 mostBytes) : mostPages_(mostBytes / sizeof(Page)) {}

  // Bytes are numbered as the memory that it shadows numbers them: by address in global memory, by offset in shared memory.
  RaceWord& word(u64 byte);
  void forget(u64 byte, u64 bytes);
  bool hasForgotten() const { return hasForgotten_; }

 private:
  static constexpr u64 kWordsPerPage = 256;
  using Page = std::array<RaceWord, kWordsPerPage>;

  Page& page(u64 number);

  u64 mostPages_;
  std::unordered_map<u64, std::unique_ptr<Page>> pages_;
  std::deque<u64> order_;  // of their making
  u64 lastNumber_ = ~u64{0};
  Page* last_ = nullptr;
  bool hasForgotten_ = false;
};

}  // namespace warpwright::exec
