// Which lines of global memory a launch has touched, and in which order for the last time: what a cache holds behind it follows from that
// (Barr and others, "Accelerating Multiprocessor Simulation with a Memory Timestamp Record", ISPASS 2005).
#pragma once

#include <unordered_map>
#include <vector>

#include "base/memory_units.hpp"
#include "base/touched_line.hpp"
#include "exec/observer.hpp"

namespace warpwright::sampling {

// Bytes, each a power of two: of a line of the cache that is to hold what was touched (32 to 256), and of what the first-level caches of
// data and of texels ask it for at once, aligned, when they miss.
struct LineSizes {
  u32 line = 128, loads = kSectorBytes, texels = kSectorBytes;
};

class RecentLines final : public exec::Observer {
 public:
  explicit RecentLines(const LineSizes& sizes) : sizes_(sizes) {}

  bool wantsIssue() const override { return false; }
  void memory(const exec::MemoryEvent& event) override;
  void texels(const exec::TexelEvent& event) override;

  u64 count() const { return count_; }
  // At most so many, those touched last, the last of all at the end. A line has all the sectors that were ever touched, or asked for beside
  // those that were.
  std::vector<TouchedLine> latest(u64 most) const;
  void forget();

 private:
  static constexpr u64 kPageBytes = 64 * 1024;
  struct Line {
    u64 time = 0;  // 0: never
    u8 touched = 0, stored = 0;
  };
  using Page = std::vector<Line>;

  // unit: what lies in the same one comes along, aligned.
  void touch(u64 address, u64 bytes, u64 unit, bool stores);
  Line& lineAt(u64 address);

  LineSizes sizes_;
  u64 time_ = 0, count_ = 0;
  std::unordered_map<u64, Page> pages_;  // by number
  u64 lastNumber_ = 0;
  Page* last_ = nullptr;  // of lastNumber_; maps never move what they hold
};

}  // namespace warpwright::sampling
