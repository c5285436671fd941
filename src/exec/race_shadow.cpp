#include "exec/race_shadow.hpp"

#include <algorithm>

#include "base/memory_units.hpp"

namespace warpwright::exec {
namespace {}  // namespace

RaceShadow::Page& RaceShadow::page(u64 number) {
  if (number == lastNumber_) return *last_;
  std::unique_ptr<Page>& page = pages_[number];
  if (!page) {
    page = std::make_unique<Page>();
    order_.push_back(number);
  }
  lastNumber_ = number;
  last_ = page.get();
  if (order_.size() > mostPages_ && order_.front() != number) {
    pages_.erase(order_.front());
    order_.pop_front();
    hasForgotten_ = true;
  }
  return *last_;
}

RaceWord& RaceShadow::word(u64 byte) {
  const u64 word = byte / kWordBytes;
  return page(word / kWordsPerPage)[word % kWordsPerPage];
}

void RaceShadow::forget(u64 byte, u64 bytes) {
  constexpr u64 kPageBytes = kWordsPerPage * kWordBytes;
  for (const u64 end = byte + bytes; byte < end; byte = (byte / kPageBytes + 1) * kPageBytes) {
    const auto found = pages_.find(byte / kPageBytes);
    if (found == pages_.end()) continue;
    const u64 pageEnd = std::min(end, (byte / kPageBytes + 1) * kPageBytes);
    for (u64 at = byte; at < pageEnd; at += kWordBytes) (*found->second)[at / kWordBytes % kWordsPerPage] = {};
  }
}

}  // namespace warpwright::exec
