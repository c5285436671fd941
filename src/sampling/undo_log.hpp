// The bytes of global memory that a launch on the functional machine replaces, so that it can be run again as if it had not been run.
#pragma once

#include <array>
#include <memory>
#include <unordered_map>

#include "exec/observer.hpp"

namespace warpwright::sampling {

// Hears of accesses before they happen. Stores to surfaces are told of later, and allocations by kernels are in no event: see
// replayable.hpp.
class UndoLog final : public exec::Observer {
 public:
  bool wantsIssue() const override { return false; }
  void memory(const exec::MemoryEvent& event) override;

  // Puts the bytes back, and forgets them.
  void undo();
  void forget();

 private:
  // Exactly the bytes that were stored to are kept: the host may write beside them meanwhile.
  static constexpr u64 kPageBytes = 4096, kWordBits = 64;
  struct Page {
    std::array<u64, kPageBytes / kWordBits> kept{};  // a bit a byte
    std::array<std::byte, kPageBytes> bytes;
  };

  void keep(u64 address, u64 bytes);
  void keepInPage(u64 address, u64 bytes);

  std::unordered_map<u64, std::unique_ptr<Page>> pages_;  // by number
  u64 lastNumber_ = 0;
  Page* last_ = nullptr;  // of lastNumber_
};

}  // namespace warpwright::sampling
