// What the lines of global memory hold that a launch loads: as they were when it first did.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <unordered_map>

#include "access/coalescer.hpp"
#include "exec/memory.hpp"

namespace warpwright::profile {

class LineContents {
 public:
  // The memory must outlive it.
  explicit LineContents(const exec::GlobalMemory& memory) : memory_(memory) {}
  const exec::GlobalMemory& memory() const { return memory_; }

  // Before the access happens. Sector numbers are address / 32. Lines that reach beyond what the device may access are left out.
  // Several may be called side by side while nothing changes the memory.
  void touch(std::span<const u64> sectors, bool load, bool store);
  // Of two that have seen a line loaded, this one's contents count.
  void merge(const LineContents& other);

  struct Line {
    GlobalAddress address;
    std::span<const std::byte> loaded;  // what the first load found; empty: not loaded
    std::span<const std::byte> stored;  // what lies there now; empty: not stored
  };
  // By address.
  void forEach(const std::function<void(const Line&)>& visit) const;
  void clear() { pages_.clear(); }

 private:
  static constexpr u32 kLinesPerPage = 64;
  static constexpr u64 kPageBytes = u64{kLinesPerPage} * access::kLineBytes;

  struct Page {
    u64 loaded = 0, stored = 0;  // a bit a line
    std::array<std::byte, kPageBytes> contents;
    std::span<std::byte> line(u32 index) {
      return std::span(contents).subspan(std::size_t{index} * access::kLineBytes, access::kLineBytes);
    }
    std::span<const std::byte> line(u32 index) const {
      return std::span(contents).subspan(std::size_t{index} * access::kLineBytes, access::kLineBytes);
    }
  };

  bool isWithin(GlobalAddress address) const;

  const exec::GlobalMemory& memory_;
  std::unordered_map<u64, Page> pages_;  // by address / kPageBytes
};

}  // namespace warpwright::profile
