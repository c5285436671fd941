// A long vector, request after request, in a memory whose banks are busy for several cycles: what buffers before the banks and another
// order of the requests gain (Gou, section 2.1).
#pragma once

#include <span>
#include <vector>
#include <warpwright/parallel_memory/bank_map.hpp>

namespace warpwright::parallel_memory {

struct StreamMemory {
  std::uint32_t issue = 1;    // requests that are sent in a cycle, at most
  std::uint32_t busy = 1;     // cycles that a bank takes for a row
  std::uint32_t buffers = 0;  // requests that wait before each bank (Harper 1991's input buffers)
};

struct Stream {
  Address base = 0, stride = 1;
  std::uint64_t length = 0;
};

std::vector<Address> inOrder(const Stream& stream);

// Out of order (Valero, Lang, Peiron and Ayguade, IEEE Trans. Computers 1995): the stream is cut into `parts` interleaved ones of `parts`
// times the stride, sent a group of `group` requests of one part at a time, with parts in turn. Where each group visits the banks of the
// first, they are sent in the first group's order of banks, so that a bank is always asked in equal distances. Groups at the end may be
// shorter.
std::vector<Address> outOfOrder(const BankMap& map, const Stream& stream, std::uint32_t parts, std::uint32_t group);

struct StreamTime {
  std::uint64_t cycles = 0;       // from the first request until the last bank has answered
  std::uint64_t stalled = 0;      // cycles in which fewer requests were sent than could have been, since a bank could take none
  std::uint32_t mostWaiting = 0;  // requests in the fullest buffer
};

// Requests are sent in order; one whose bank is busy and whose bank's buffer is full holds back those behind it. Requests of one cycle for
// one row are served together. Every address must be below map.words().
StreamTime timeOf(const BankMap& map, const StreamMemory& memory, std::span<const Address> requests);

// What no order and no buffer can go below: all requests sent at the full rate, the last bank's time behind them, and all words of
// all banks' rows wanted.
std::uint64_t leastCycles(const BankMap& map, const StreamMemory& memory, std::uint64_t length);

}  // namespace warpwright::parallel_memory
