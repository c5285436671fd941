#include <algorithm>
#include <stdexcept>
#include <warpwright/parallel_memory/stream.hpp>

namespace warpwright::parallel_memory {
namespace {

struct Bank {
  std::uint64_t free = 0;  // the cycle from which it can begin another row, all that wait served
  std::uint64_t sentAt = 0, row = 0;
  bool wasSent = false;
};

class BusyBanks {
 public:
  BusyBanks(const BankMap& map, const StreamMemory& memory) : map_(map), memory_(memory), banks_(map.banks()) {}

  // Whether a bank takes the request in this cycle.
  bool take(Address address, std::uint64_t now) {
    const Cell cell = map_.cellOf(address);
    Bank& bank = banks_[cell.bank];
    if (bank.wasSent && bank.sentAt == now && bank.row == cell.row) return true;
    const std::uint64_t waiting = waitingAt(bank, now);
    if (bank.free > now && waiting >= memory_.buffers) return false;
    bank = {std::max(bank.free, now) + memory_.busy, now, cell.row, true};
    time.mostWaiting = std::max(time.mostWaiting, static_cast<std::uint32_t>(waitingAt(bank, now)));
    time.cycles = std::max(time.cycles, bank.free);
    return true;
  }

  StreamTime time;

 private:
  // Requests that have not begun: each takes `busy` cycles of the time until the bank is free.
  std::uint64_t waitingAt(const Bank& bank, std::uint64_t now) const { return bank.free <= now ? 0 : (bank.free - now - 1) / memory_.busy; }

  const BankMap& map_;
  StreamMemory memory_;
  std::vector<Bank> banks_;
};

constexpr std::uint32_t kNever = ~0u;

// The requests of a group in the order in which the first group visits their banks; unchanged where it visits others, or one twice.
void arrange(const BankMap& map, std::span<const Address> first, std::span<Address> group) {
  std::vector<std::uint32_t> turn(map.banks(), kNever);
  const auto turnOf = [&](Address address) -> std::uint32_t& { return turn[map.cellOf(address).bank]; };
  for (std::uint32_t i = 0; i < first.size(); ++i) {
    if (turnOf(first[i]) != kNever) return;
    turnOf(first[i]) = i;
  }
  if (std::any_of(group.begin(), group.end(), [&](Address address) { return turnOf(address) == kNever; })) return;
  std::stable_sort(group.begin(), group.end(), [&](Address a, Address b) { return turnOf(a) < turnOf(b); });
}

}  // namespace

std::vector<Address> inOrder(const Stream& stream) {
  std::vector<Address> requests(stream.length);
  for (std::uint64_t i = 0; i < stream.length; ++i) requests[i] = stream.base + i * stream.stride;
  return requests;
}

std::vector<Address> outOfOrder(const BankMap& map, const Stream& stream, std::uint32_t parts, std::uint32_t group) {
  if (parts == 0 || group == 0) throw std::invalid_argument("out of order: parts and group must be at least 1");
  std::vector<Address> requests;
  requests.reserve(stream.length);
  const std::uint64_t chunk = std::uint64_t{parts} * group;
  for (std::uint64_t begin = 0; begin < stream.length; begin += chunk) {
    for (std::uint64_t part = 0; part < parts; ++part) {
      const std::size_t from = requests.size();
      for (std::uint64_t i = begin + part; i < std::min(begin + chunk, stream.length); i += parts)
        requests.push_back(stream.base + i * stream.stride);
      const std::span<Address> all(requests);
      arrange(map, all.first(std::min<std::size_t>(group, all.size())), all.subspan(from));
    }
  }
  return requests;
}

StreamTime timeOf(const BankMap& map, const StreamMemory& memory, std::span<const Address> requests) {
  if (memory.issue == 0 || memory.busy == 0) throw std::invalid_argument("stream: issue and busy must be at least 1");
  BusyBanks banks(map, memory);
  std::size_t next = 0;
  for (std::uint64_t now = 0; next < requests.size(); ++now) {
    std::uint32_t sent = 0;
    while (sent < memory.issue && next < requests.size() && banks.take(requests[next], now)) ++sent, ++next;
    if (sent < memory.issue && next < requests.size()) ++banks.time.stalled;
  }
  return banks.time;
}

std::uint64_t leastCycles(const BankMap& map, const StreamMemory& memory, std::uint64_t length) {
  if (length == 0) return 0;
  const auto up = [](std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; };
  return std::max(up(length, memory.issue) - 1 + memory.busy, up(length, std::uint64_t{map.banks()} * map.lineWords()) * memory.busy);
}

}  // namespace warpwright::parallel_memory
