#include "exec/mbarrier.hpp"

namespace warpwright::exec {

void Mbarrier::set(u32 pending, u32 expected, s64 transactions, bool parity) {
  constexpr u64 kTransactionMask = (u64{1} << 21) - 1;
  word_ = kLives | pending | u64{expected} << 20 | (static_cast<u64>(transactions) & kTransactionMask) << 40 | u64{parity} << 63;
}

void Mbarrier::update(u32 pending, u32 expected, s64 transactions) {
  if (pending == 0 && transactions == 0) return set(expected, expected, 0, !parity());
  set(pending, expected, transactions, parity());
}

bool Mbarrier::arrive(u32 count) {
  if (count > pending()) return false;
  update(pending() - count, expected(), transactions());
  return true;
}

bool Mbarrier::arriveAndDrop(u32 count) {
  if (count > pending() || count > expected()) return false;
  update(pending() - count, expected() - count, transactions());
  return true;
}

bool Mbarrier::expect(u32 arrivals) {
  if (arrivals > kMostArrivals - pending()) return false;
  set(pending() + arrivals, expected(), transactions(), parity());
  return true;
}

bool Mbarrier::addTransactions(s64 more) {
  const s64 sum = transactions() + more;
  if (sum > kMostTransactions || sum < -kMostTransactions) return false;
  // Expecting more never completes a phase.
  if (more > 0)
    set(pending(), expected(), sum, parity());
  else
    update(pending(), expected(), sum);
  return true;
}

}  // namespace warpwright::exec
