// Long vectors: closed forms, and a second model that walks every cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <warpwright/parallel_memory/clustered.hpp>
#include <warpwright/parallel_memory/conflicts.hpp>
#include <warpwright/parallel_memory/interleaving.hpp>
#include <warpwright/parallel_memory/sams.hpp>
#include <warpwright/parallel_memory/schemes.hpp>
#include <warpwright/parallel_memory/stream.hpp>

namespace warpwright::parallel_memory {
namespace {

std::uint64_t cyclesOf(const BankMap& map, const StreamMemory& memory, const Stream& stream) {
  return timeOf(map, memory, inOrder(stream)).cycles;
}

// Low-order interleaving visits B = banks / gcd(banks, stride) banks in turn. Without buffers request k begins in cycle
// floor(k / B) max(busy, B) + k mod B.
TEST(Stream, InterleavedBanksInTurn) {
  const LowOrder map(16, 1 << 14);
  for (const std::uint32_t busy : {1u, 3u, 8u, 16u, 20u}) {
    for (Address stride = 1; stride <= 40; ++stride) {
      const std::uint64_t inTurn = 16 / std::gcd<Address>(16, stride), last = 99;
      EXPECT_EQ(cyclesOf(map, {1, busy, 0}, {5, stride, last + 1}),
                last / inTurn * std::max<std::uint64_t>(busy, inTurn) + last % inTurn + busy)
          << busy << ' ' << stride;
    }
  }
}

// A matched memory with Harper's scheme: in order family s alone runs at the full rate, without any buffer.
TEST(Stream, HarperInOrder) {
  const HarperXor map(3, 4, 1 << 12);
  const StreamMemory matched{1, 8, 0};
  for (const Address sigma : {1, 3, 5, 7, 9}) EXPECT_EQ(cyclesOf(map, matched, {0, sigma << 4, 64}), 64u - 1 + 8) << sigma;
  EXPECT_GT(cyclesOf(map, matched, {0, 4, 64}), 64u - 1 + 8);
}

// Valero and others: a vector of 2^lambda words in a matched memory of 2^t banks with Harper's scheme, s >= t, is without conflict for the
// families s - N ... s, N = min(lambda - t, s). At every base address.
TEST(Stream, OutOfOrderServesAWindowOfFamilies) {
  constexpr std::uint32_t t = 3, s = 4, lambda = 6;
  const HarperXor map(t, s, 1 << 14);
  const StreamMemory matched{1, 1u << t, 0};
  const std::uint64_t full = (1u << lambda) - 1 + matched.busy;
  for (std::uint32_t family = 0; family <= s + 2; ++family) {
    bool isFull = true;
    for (const Address sigma : {1, 3, 5})
      for (Address base = 0; base < 200; ++base) {
        const Stream stream{base, sigma << family, 1u << lambda};
        const std::uint32_t parts = family < s ? 1u << (s - family) : 1;
        isFull = isFull && timeOf(map, matched, outOfOrder(map, stream, parts, 1u << t)).cycles == full;
      }
    EXPECT_EQ(isFull, family + (lambda - t) >= s && family <= s) << family;
  }
}

// The example of Gou's section 2.1: a stride-2 stream of 16 words in a memory that serves stride 4 is two streams of 8.
TEST(Stream, StrideTwoAsTwoStreamsOfStrideFour) {
  const HarperXor map(3, 2, 1 << 10);
  const StreamMemory lanes{8, 1, 0};
  std::uint64_t worst = 0;
  for (Address base = 0; base < 64; ++base) {
    const Stream stream{base, 2, 16};
    EXPECT_EQ(timeOf(map, lanes, outOfOrder(map, stream, 2, 8)).cycles, 2u) << base;
    worst = std::max(worst, timeOf(map, lanes, inOrder(stream)).cycles);
  }
  EXPECT_GT(worst, 2u);
}

TEST(Stream, AnotherOrderOfTheSameRequests) {
  const HarperXor map(3, 4, 1 << 14);
  for (const std::uint64_t length : {1u, 7u, 64u, 100u}) {
    for (const std::uint32_t parts : {1u, 2u, 4u, 128u}) {
      const Stream stream{3, 6, length};
      std::vector<Address> ordered = outOfOrder(map, stream, parts, 8);
      std::sort(ordered.begin(), ordered.end());
      EXPECT_EQ(ordered, inOrder(stream)) << length << ' ' << parts;
    }
  }
}

// Two clusters' windows: family s, and the families of the clusters' bits.
TEST(Stream, ClustersServeTwoWindows) {
  const Clustered map({6, 3, 4, 8}, 1 << 18);
  const auto isFree = [&](Address stride) {
    for (Address base = 0; base < 3000; base += 7)
      for (const std::uint32_t degree : {conflictDegree(map, inOrder({base, stride, 8}))})
        if (degree != 1) return false;
    return true;
  };
  for (const Address sigma : {1, 3, 5, 7}) {
    EXPECT_TRUE(isFree(sigma << 4)) << sigma;
    EXPECT_TRUE(isFree(sigma << 8)) << sigma;
    EXPECT_FALSE(isFree(sigma << 10)) << sigma;
  }
  EXPECT_THROW(Clustered({6, 7, 4, 8}, 1 << 12), std::invalid_argument);
  EXPECT_THROW(Clustered({6, 3, 2, 8}, 1 << 12), std::invalid_argument);
  EXPECT_THROW(Clustered({6, 3, 4, 2}, 1 << 12), std::invalid_argument);
}

// A bank that is walked cycle by cycle, with its queue.
std::uint64_t walked(const BankMap& map, const StreamMemory& memory, const std::vector<Address>& requests) {
  struct Bank {
    std::uint32_t left = 0;  // cycles of the row that it brings
    std::uint32_t waiting = 0;
    std::set<std::uint64_t> rowsNow;
  };
  std::vector<Bank> banks(map.banks());
  std::size_t next = 0;
  const auto isIdle = [](const Bank& bank) { return bank.left == 0 && bank.waiting == 0; };
  for (std::uint64_t now = 0;; ++now) {
    if (next == requests.size() && std::all_of(banks.begin(), banks.end(), isIdle)) return now;
    for (Bank& bank : banks) {
      bank.rowsNow.clear();
      if (bank.left == 0 && bank.waiting > 0) --bank.waiting, bank.left = memory.busy;
    }
    for (std::uint32_t sent = 0; sent < memory.issue && next < requests.size(); ++sent, ++next) {
      const Cell cell = map.cellOf(requests[next]);
      Bank& bank = banks[cell.bank];
      if (bank.rowsNow.contains(cell.row)) continue;
      if (isIdle(bank))
        bank.left = memory.busy;
      else if (bank.waiting < memory.buffers)
        ++bank.waiting;
      else
        break;
      bank.rowsNow = {cell.row};
    }
    for (Bank& bank : banks)
      if (bank.left > 0) --bank.left;
  }
}

TEST(Stream, AsAMemoryThatIsWalkedCycleByCycle) {
  std::mt19937 random(7);
  const auto upTo = [&](std::uint32_t most) { return std::uniform_int_distribution<std::uint32_t>(1, most)(random); };
  for (int i = 0; i < 600; ++i) {
    const char* const names[] = {"low_order", "harper:s=3", "sams:s=2", "prime", "skewing", "nas"};
    const auto map = makeBankMap(names[upTo(6) - 1], {upTo(4) + 1, 14});
    const StreamMemory memory{upTo(8), upTo(9), upTo(6) - 1};
    const Stream stream{upTo(64), upTo(40), upTo(200)};
    const std::vector<Address> requests = i % 2 == 0 ? inOrder(stream) : outOfOrder(*map, stream, upTo(5), upTo(16));
    const StreamTime time = timeOf(*map, memory, requests);
    EXPECT_EQ(time.cycles, walked(*map, memory, requests)) << names[0] << i;
    EXPECT_LE(time.mostWaiting, memory.buffers);
    EXPECT_GE(time.cycles, leastCycles(*map, memory, stream.length));
  }
}

// Harper 1991: where the stream is spread evenly, buffers deep enough reach the full rate after a start that they cannot save.
TEST(Stream, BuffersReachTheFullRateAfterAStart) {
  const HarperXor map(3, 4, 1 << 16);
  const auto excess = [&](std::uint32_t buffers, std::uint64_t length) {
    return cyclesOf(map, {1, 8, buffers}, {0, 8, length}) - leastCycles(map, {1, 8, buffers}, length);
  };
  EXPECT_GT(excess(0, 512), 400u);
  EXPECT_EQ(excess(8, 512), excess(8, 1024));
  EXPECT_GT(excess(8, 512), 0u);
}

TEST(Stream, NothingToSend) {
  const LowOrder map(4, 64);
  EXPECT_EQ(timeOf(map, {}, {}).cycles, 0u);
  EXPECT_EQ(leastCycles(map, {}, 0), 0u);
  EXPECT_THROW(timeOf(map, {0, 1, 0}, {}), std::invalid_argument);
  EXPECT_THROW(timeOf(map, {1, 0, 0}, {}), std::invalid_argument);
  EXPECT_THROW(outOfOrder(map, {}, 0, 1), std::invalid_argument);
}

}  // namespace
}  // namespace warpwright::parallel_memory
