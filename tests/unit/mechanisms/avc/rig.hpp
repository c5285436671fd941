// A link and its cache, whose requests below are answered by hand.
#pragma once

#include <gtest/gtest.h>

#include <deque>

#include "mechanisms/avc/link.hpp"
#include "unit/mechanisms/avc/words.hpp"
#include "unit/sm/stage_context.hpp"

namespace warpwright::mechanisms::avc {

using sm::testing::NoOperations;
using sm::testing::OnlyCache;

inline constexpr GlobalAddress kA{0}, kB{1 << 20};
inline constexpr u32 kHitLatency = 5;

inline config::Cache levelOne() {
  config::Cache cache;
  cache.bytes = 16384;
  cache.hitLatency = kHitLatency;
  return cache;
}

class Rig : public ::testing::Test {
 protected:
  struct Answer {
    u32 id = 0;
    u64 cycle = 0;
    bool isOfCache = false;
  };

  Link& link() {
    if (!link_) link_ = std::make_unique<Link>(settings, levelOne_, sm::StageContext{cache, below_, operations_});
    return *link_;
  }

  // Whether a link of these settings takes such requests.
  bool takes(mem::AccessType type, sm::Route route = sm::Route::l1Data) {
    mem::Request request;
    request.type = type;
    const mem::WordAccess words;
    return Link(settings, levelOne_, {cache, below_, operations_}).takes({request, route, &words});
  }
  // One that the link takes has room.
  bool canAccept() { return link().canAccept({mem::Request{}}); }
  void accept(const mem::Request& request, const mem::WordAccess& words) { link().accept({request, sm::Route::l1Data, &words}, now); }

  void access(mem::AccessType type, GlobalAddress address, WordMask mask, bool affine, u32 id = 0, bool whole = true) {
    mem::WordAccess& access = words_.emplace_back();
    access.mask = mask;
    access.whole = whole;
    for (u32 word = 0; word < kWordsPerVector; ++word) access.values[word] = affine ? 100 + word : word * word * 7 + 3;
    mem::Request request;
    request.address = address;
    request.lineBytes = kVectorBytes;
    request.sectors = 15;
    for (u32 sector = 0; sector < 4; ++sector) request.wholeSectors |= (mask >> 8 * sector & 255) == 255 ? 1u << sector : 0;
    if (mem::isWrite(type)) request.sectors = request.wholeSectors;
    request.type = type;
    request.id = id;
    request.origin = origin;
    ASSERT_TRUE(link().takes({request, sm::Route::l1Data, &access}));
    ASSERT_TRUE(canAccept());
    accept(request, access);
  }
  void write(GlobalAddress address, WordMask mask, bool affine) { access(mem::AccessType::localWrite, address, mask, affine); }
  void read(GlobalAddress address, WordMask mask, bool affine, u32 id = 1) {
    access(mem::AccessType::localRead, address, mask, affine, id);
  }

  void run(u64 cycles = 30) {
    for (const Cycle end = now + cycles; now < end;) {
      now = now + 1;
      link().tick(now);
      for (; link().peekResponse(); link().takeResponse()) answers.push_back({link().peekResponse()->id, now.ticks, false});
      for (; link().peekMiss();) below.push_back(link().takeMiss());
      cache.tick(now);
      for (; cache.peekResponse(); cache.takeResponse()) answers.push_back({cache.peekResponse()->id, now.ticks, true});
      for (; cache.peekMiss();) belowCache.push_back(cache.takeMiss());
    }
  }

  Settings settings;
  Cycle now{};
  mem::Origin origin;  // of the accesses to come
  config::Cache levelOne_ = levelOne();
  sm::L1Cache cache{levelOne_, mem::Atomics::below};
  std::vector<Answer> answers;
  std::vector<mem::Request> below, belowCache;

 private:
  OnlyCache below_{cache};
  NoOperations operations_;
  std::unique_ptr<Link> link_;
  std::deque<mem::WordAccess> words_;
};

}  // namespace warpwright::mechanisms::avc
