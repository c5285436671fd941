#include "mem/cache/cache.hpp"

#include <algorithm>

namespace warpwright::mem {
namespace {

u32 setsOf(const config::Cache& config) {
  return config.bytes == 0 ? 1 : static_cast<u32>(config.bytes / (u64{config.ways} * config.lineBytes));
}

}  // namespace

static_assert(config::kMostCacheBanks <= 64);  // bits of busyBanks_

template <class Clock>
Cache<Clock>::Cache(const config::Cache& config, Atomics atomics, Interleave share)
    : config_(config),
      handlings_(handlings(config, atomics)),
      keepsLines_(config.bytes != 0),
      mayBypass_(false),
      sectorGroup_(config.sectorBytes / Request::kSectorBytes),
      tags_(config, setsOf(config), config.bytes == 0 ? config.mshrs : config.ways, share),
      mshrs_(config.mshrs, config.mergesPerMshr),
      input_(config.inputQueue),
      misses_(config.missQueue),
      // As many hits as are under way when each is taken at once.
      hits_((config.hitLatency + 1) * config.ports),
      acknowledgements_(config.missQueue),
      served_(config.mshrs * config.mergesPerMshr) {
  mayBypass_ = keepsLines_ && tags_.mayBypass();
}

template <class Clock>
void Cache<Clock>::accept(const Request& request, Tick now) {
  stats_.bytesFromAbove += request.wireBytes();
  input_.push({request, now.ticks});
  wake_ = 0;
}

template <class Clock>
const Request* Cache<Clock>::peekResponse() const {
  const Request* best = nullptr;
  u64 bestReady = ~u64{0};
  if (const u32* waiter = served_.peek()) {
    best = &mshrs_.waiter(*waiter).request;
    bestReady = served_.readyAt();
  }
  for (const auto* queue : {&acknowledgements_, &hits_}) {
    if (!queue->peek() || queue->readyAt() >= bestReady) continue;
    best = queue->peek();
    bestReady = queue->readyAt();
  }
  return best;
}

template <class Clock>
Request Cache<Clock>::takeResponse() {
  const Request* const next = peekResponse();
  Request response = *next;
  stats_.bytesToAbove += response.wireBytes();
  wake_ = 0;
  if (next == hits_.peek()) {
    hits_.take();
  } else if (next == acknowledgements_.peek()) {
    acknowledgements_.take();
  } else {
    mshrs_.release(served_.take());
  }
  return response;
}

template <class Clock>
Request Cache<Clock>::takeMiss() {
  Request request = misses_.take();
  stats_.bytesToBelow += request.wireBytes();
  wake_ = 0;
  return request;
}

template <class Clock>
void Cache<Clock>::fill(const Request& response, Tick now) {
  stats_.bytesFromBelow += response.wireBytes();
  wake_ = 0;
  if (!isFetched(response)) {
    acknowledgements_.push(response, now.ticks + 1);
    return;
  }
  const u32 ticks = (response.travellingBytes() + config_.fillBytesPerTick - 1) / config_.fillBytesPerTick;
  fill_ = response;
  filling_ = true;
  fillDone_ = now.ticks + ticks - 1;
}

template <class Clock>
bool Cache<Clock>::tick(Tick tick) {
  const u64 now = tick.ticks;
  settle(now);
  bool progress = filling_ && fillDone_ <= now;
  if (progress) finishFill(now);
  if (!input_.empty()) progress |= processInput(now);
  if (flushing()) progress |= flushOne(now);
  progress |= served_.advance(now);
  progress |= acknowledgements_.advance(now);
  progress |= hits_.advance(now);
  progress |= misses_.advance(now);
  wake_ = partsUseful(now);
  return progress;
}

template <class Clock>
u64 Cache<Clock>::partsUseful(u64 now) const {
  const bool canGoOn = !input_.empty() && (refusal_ == Refusal::none || refusal_ == Refusal::bankConflict);
  if (canGoOn || (flushing() && !misses_.full())) return now + 1;
  u64 next = std::min({served_.nextReady(), acknowledgements_.nextReady(), hits_.nextReady(), misses_.nextReady()});
  if (filling_) next = std::min(next, fillDone_);
  return next;
}

template <class Clock>
bool Cache<Clock>::quiescent() const {
  return input_.empty() && misses_.empty() && hits_.empty() && acknowledgements_.empty() && mshrs_.used() == 0 && !filling_ && !flushing();
}

template <class Clock>
void Cache<Clock>::invalidate() {
  for (u32 place = 0; place < tags_.places(); ++place) {
    Line& line = tags_[place];
    if (line.mshr != kNone) {
      line.dropWhenFilled = true;
    } else if (line.dirty == 0 && !tags_.isEmpty(place)) {
      tags_.drop(place);
    }
  }
}

template <class Clock>
bool Cache<Clock>::holds(u64 address) const {
  const u64 lineAddress = tags_.lineAddress(address);
  for (u32 place = 0; place < input_.size(); ++place) {
    if (tags_.lineAddress(input_[place].request.address) == lineAddress) return true;
  }
  return tags_.find(lineAddress) != kNone;
}

template <class Clock>
u32 Cache<Clock>::drop(u64 address, u32 sectors) {
  const u32 place = tags_.find(tags_.lineAddress(address));
  if (place == kNone) return 0;
  Line& line = tags_[place];
  const u32 dirty = line.dirty & sectors;
  line.dirty &= static_cast<u8>(~sectors);
  line.valid &= static_cast<u8>(~sectors);
  line.encode(0, 0, 0);
  tags_.forgetWritten(place, sectors);
  wake_ = 0;
  if (line.mshr != kNone) {
    line.dropWhenFilled = true;
  } else if ((line.valid | line.dirty) == 0) {
    tags_.drop(place);
  }
  return dirty;
}

template <class Clock>
bool Cache<Clock>::place(u64 address, u32 sectors, Tick now) {
  const u64 lineAddress = tags_.lineAddress(address);
  u32 place = tags_.find(lineAddress);
  if (place == kNone) {
    place = tags_.room(lineAddress);
    if (place == kNone) return false;
    tags_.install(place, lineAddress, kNoRequest, now.ticks);
  } else if (tags_[place].mshr == kNone) {
    tags_.touch(place, kNoRequest, true);
  }
  Line& line = tags_[place];
  if (line.mshr != kNone) return false;
  line.valid |= static_cast<u8>(sectors);
  line.dirty &= static_cast<u8>(~sectors);
  line.encode(sectors, 0, 0);
  wake_ = 0;
  return true;
}

template <class Clock>
void Cache<Clock>::flush() {
  flushCursor_ = 0;
  wake_ = 0;
}

template <class Clock>
const CacheStats& Cache<Clock>::statistics(Tick until) {
  settle(until.ticks);
  return stats_;
}

template <class Clock>
void Cache<Clock>::finishFill(u64 now) {
  filling_ = false;
  ++stats_.fills;
  const u32 entry = fill_.id;
  if (mshrs_[entry].place == kNone) return finishForwarded(entry, now);
  Line& line = tags_[mshrs_[entry].place];
  line.valid |= static_cast<u8>(fill_.sectors);
  line.encode(fill_.sectors, fill_.encoding, fill_.pieces);
  mshrs_.arrived(entry, fill_.sectors);
  if (listener_) listener_->filled(fill_);
  answerServed(entry, now);
  if (mshrs_[entry].pending != 0) return;
  line.mshr = kNone;
  tags_.fill(mshrs_[entry].place);
  stats_.fetchLatency.add(now + 1 - mshrs_[entry].since);
  const bool drops = !keepsLines_ || (line.dropWhenFilled && line.dirty == 0);
  line.dropWhenFilled = false;
  if (drops) tags_.drop(mshrs_[entry].place);
  mshrs_.freeIfUnused(entry);
}

// Of a read that has no line.
template <class Clock>
void Cache<Clock>::finishForwarded(u32 entry, u64 now) {
  mshrs_.arrived(entry, fill_.sectors);
  answerServed(entry, now);
  stats_.fetchLatency.add(now + 1 - mshrs_[entry].since);
  mshrs_.freeIfUnused(entry);
}

template <class Clock>
void Cache<Clock>::answerServed(u32 entry, u64 now) {
  const u32 place = mshrs_[entry].place;
  for (u32 index = mshrs_.popServed(entry); index != kNone; index = mshrs_.popServed(entry)) {
    Waiter& waiter = mshrs_.waiter(index);
    if (waiter.dirties) {
      tags_[place].valid |= static_cast<u8>(waiter.sectors);  // what it wrote in full was not fetched
      markDirty(place, waiter.sectors, waiter.request);
    }
    if (!waiter.request.wantsResponse) {
      mshrs_.drop(index);
      continue;
    }
    if (place == kNone) {
      waiter.request.encoding = fill_.encoding;
      waiter.request.pieces = fill_.pieces;
    } else {
      answer(waiter.request, waiter.sectors, tags_[place]);
    }
    stats_.latency.add(now + 1 - waiter.accepted);
    served_.push(index, now + 1);
  }
}

template <class Clock>
bool Cache<Clock>::flushOne(u64 now) {
  if (misses_.full()) return false;
  while (flushCursor_ < tags_.places() && tags_[flushCursor_].dirty == 0) ++flushCursor_;
  if (flushCursor_ == tags_.places()) {
    flushCursor_ = kNone;
    return true;
  }
  writeBack(flushCursor_++, now);
  return true;
}

template class Cache<CoreClock>;
template class Cache<L2Clock>;

}  // namespace warpwright::mem
