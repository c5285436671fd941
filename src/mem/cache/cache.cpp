#include "mem/cache/cache.hpp"

#include <algorithm>

namespace warpwright::mem {

static_assert(config::kMostCacheBanks <= 64);  // bits of busyBanks_

template <class Clock>
Cache<Clock>::Cache(const config::Cache& config, Atomics atomics, Interleave share)
    : config_(config),
      handlings_(handlings(config, atomics)),
      keepsLines_(config.bytes != 0),
      mayBypass_(false),
      sectorGroup_(config.sectorBytes / Request::kSectorBytes),
      piecesOfLine_(config.lineBytes / Request::kPieceBytes),
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
  Arrival& arrival = input_.extend();
  arrival.request = request;
  arrival.accepted = now;
  wake_ = {};
}

template <class Clock>
const Request* Cache<Clock>::peekResponse() const {
  const Request* best = nullptr;
  Tick bestReady = kNeverOf<Clock>;
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
  wake_ = {};
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
  wake_ = {};
  return request;
}

template <class Clock>
void Cache<Clock>::fill(const Request& response, Tick now) {
  stats_.bytesFromBelow += response.wireBytes();
  wake_ = {};
  if (!isFetched(response)) {
    acknowledgements_.push(response, now + 1);
    return;
  }
  const u32 ticks = (response.travellingBytes() + config_.fillBytesPerTick - 1) / config_.fillBytesPerTick;
  fill_ = response;
  filling_ = true;
  fillDone_ = now + (ticks - 1);
}

template <class Clock>
bool Cache<Clock>::tick(Tick now) {
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
auto Cache<Clock>::partsUseful(Tick now) const -> Tick {
  const bool canGoOn = !input_.empty() && (refusal_ == Refusal::none || refusal_ == Refusal::bankConflict);
  if (canGoOn || (flushing() && !misses_.full())) return now + 1;
  Tick next = std::min({served_.nextReady(), acknowledgements_.nextReady(), hits_.nextReady(), misses_.nextReady()});
  if (filling_) next = std::min(next, fillDone_);
  return next;
}

template <class Clock>
bool Cache<Clock>::quiescent() const {
  return input_.empty() && misses_.empty() && hits_.empty() && acknowledgements_.empty() && mshrs_.used() == 0 && !filling_ && !flushing();
}

template <class Clock>
void Cache<Clock>::invalidate() {
  for (u32 frame = 0; frame < tags_.frames(); ++frame) {
    Line& line = tags_[frame];
    if (line.mshr != kNone) {
      line.dropWhenFilled = true;
    } else if (line.dirty == 0 && !tags_.isEmpty(frame)) {
      dropLine(frame);
    }
  }
}

template <class Clock>
bool Cache<Clock>::holds(GlobalAddress address) const {
  const GlobalAddress lineAddress = tags_.lineAddress(address);
  for (u32 frame = 0; frame < input_.size(); ++frame) {
    if (tags_.lineAddress(input_[frame].request.address) == lineAddress) return true;
  }
  return tags_.find(lineAddress) != kNone;
}

template <class Clock>
u32 Cache<Clock>::drop(GlobalAddress address, u32 sectors) {
  const u32 frame = tags_.find(tags_.lineAddress(address));
  if (frame == kNone) return 0;
  Line& line = tags_[frame];
  const u32 dirty = line.dirty & sectors;
  line.dirty &= static_cast<u8>(~sectors);
  line.valid &= static_cast<u8>(~sectors);
  line.encode(0, 0, 0);
  tags_.forgetWritten(frame, sectors);
  wake_ = {};
  if (line.mshr != kNone) {
    line.dropWhenFilled = true;
  } else if ((line.valid | line.dirty) == 0) {
    dropLine(frame);
  }
  return dirty;
}

// Where a line that comes without having been asked for lies from now on; kNone: nowhere, or it is being fetched.
template <class Clock>
u32 Cache<Clock>::frameForPlaced(GlobalAddress lineAddress, Tick now) {
  u32 frame = tags_.find(lineAddress);
  if (makeRoom(lineAddress, frame, piecesOfLine_, now) != Refusal::none) return kNone;
  if (frame == kNone) {
    frame = tags_.room(lineAddress);
    if (frame == kNone) return kNone;
    noteLeaving(frame, AccessType::globalRead);
    tags_.install(frame, lineAddress, kNoRequest, now.ticks);
  } else if (tags_[frame].mshr == kNone) {
    tags_.touch(frame, kNoRequest, true);
  }
  return tags_[frame].mshr == kNone ? frame : kNone;
}

template <class Clock>
bool Cache<Clock>::place(GlobalAddress address, u32 sectors, Tick now) {
  const u32 frame = frameForPlaced(tags_.lineAddress(address), now);
  if (frame == kNone) return false;
  Line& line = tags_[frame];
  line.valid |= static_cast<u8>(sectors);
  line.dirty &= static_cast<u8>(~sectors);
  line.encode(sectors, 0, 0);
  wake_ = {};
  return true;
}

template <class Clock>
Beside Cache<Clock>::readBeside(const Request& request) {
  const u32 frame = tags_.find(tags_.lineAddress(request.address));
  if (frame == kNone) return Beside::isAbsent;
  const Line& line = tags_[frame];
  const u32 missing = request.sectors & ~u32{line.valid};
  if (missing == 0) {
    tags_.touch(frame, request, true);
    return Beside::isHere;
  }
  const bool comes = line.mshr != kNone && (missing & ~u32{mshrs_[line.mshr].pending}) == 0;
  return comes ? Beside::isFetched : Beside::isAbsent;
}

// Of a line that is there already nothing is changed.
template <class Clock>
void Cache<Clock>::keep(const Request& response, Tick now) {
  const GlobalAddress lineAddress = tags_.lineAddress(response.address);
  if (tags_.find(lineAddress) != kNone) return;
  const u32 frame = tags_.room(lineAddress);
  if (frame == kNone) return;
  if (tags_[frame].dirty != 0) {
    if (!canEvict()) return;
    evict(frame, now);
  }
  place(response.address, response.sectors, now);
}

template <class Clock>
bool Cache<Clock>::touch(const TouchedLine& touched, Tick now) {
  const u32 frame = frameForPlaced(tags_.lineAddress(touched.address), now);
  if (frame == kNone) return false;
  Line& line = tags_[frame];
  line.valid |= static_cast<u8>(touched.touched);
  line.encode(touched.touched, 0, 0);
  const bool keepsWrites = isKept(handlings_[static_cast<std::size_t>(AccessType::globalWrite)]);
  if (keepsWrites && touched.stored != 0) markDirty(frame, touched.stored, kNoRequest);
  wake_ = {};
  return true;
}

template <class Clock>
void Cache<Clock>::flush() {
  flushCursor_ = 0;
  wake_ = {};
}

template <class Clock>
const CacheStats& Cache<Clock>::statistics(Tick until) {
  settle(until);
  return stats_;
}

template <class Clock>
void Cache<Clock>::finishFill(Tick now) {
  filling_ = false;
  ++stats_.fills;
  const u32 entry = fill_.id;
  if (mshrs_[entry].frame == kNone) return finishForwarded(entry, now);
  Line& line = tags_[mshrs_[entry].frame];
  noteMoved(&CacheStats::sectorsFilled, &CacheUse::sectorsFilled, fill_.origin, sectorCount(fill_.sectors));
  line.valid |= static_cast<u8>(fill_.sectors);
  line.encode(fill_.sectors, fill_.encoding, fill_.pieces);
  mshrs_.arrived(entry, fill_.sectors);
  if (listener_) listener_->filled(fill_);
  answerServed(entry, now);
  if (mshrs_[entry].pending != 0) return;
  line.mshr = kNone;
  tags_.fill(mshrs_[entry].frame);
  noteAnswered(entry, now);
  const bool drops = !keepsLines_ || (line.dropWhenFilled && line.dirty == 0);
  line.dropWhenFilled = false;
  if (drops) dropLine(mshrs_[entry].frame);
  mshrs_.freeIfUnused(entry);
}

// Of a read that has no line.
template <class Clock>
void Cache<Clock>::finishForwarded(u32 entry, Tick now) {
  mshrs_.arrived(entry, fill_.sectors);
  answerServed(entry, now);
  noteAnswered(entry, now);
  mshrs_.freeIfUnused(entry);
}

template <class Clock>
void Cache<Clock>::answerServed(u32 entry, Tick now) {
  const u32 frame = mshrs_[entry].frame;
  for (u32 index = mshrs_.popServed(entry); index != kNone; index = mshrs_.popServed(entry)) {
    Waiter<Clock>& waiter = mshrs_.waiter(index);
    const bool isRefused = waiter.dirties && refusesPart(waiter.request, 0, tags_[frame]);
    u32 late = 0;
    if (waiter.dirties && !isRefused) {
      late = ticksToMakeWhole(waiter.request, 0, frame);
      tags_[frame].valid |= static_cast<u8>(waiter.sectors);  // what it wrote in full was not fetched
      markDirty(frame, waiter.sectors, waiter.request);
    }
    if (!waiter.request.wantsResponse) {
      mshrs_.drop(index);
      continue;
    }
    if (frame == kNone) {
      waiter.request.encoding = fill_.encoding;
      waiter.request.pieces = fill_.pieces;
    } else {
      answer(waiter.request, waiter.sectors, tags_[frame]);
      if (isRefused) waiter.request.encoding = tags_[frame].encoding;
    }
    lastServed_ = std::max(lastServed_, now + 1 + late);
    stats_.latency.add(lastServed_ - waiter.accepted);
    served_.push(index, lastServed_);
  }
}

template <class Clock>
bool Cache<Clock>::flushOne(Tick now) {
  if (misses_.full()) return false;
  while (flushCursor_ < tags_.frames() && tags_[flushCursor_].dirty == 0) ++flushCursor_;
  if (flushCursor_ == tags_.frames()) {
    flushCursor_ = kNone;
    return true;
  }
  writeBack(flushCursor_++, now);
  return true;
}

template class Cache<CoreClock>;
template class Cache<L2Clock>;

}  // namespace warpwright::mem
