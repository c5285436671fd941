#include "sm/fetch.hpp"

#include <utility>

namespace warpwright::sm {

FetchUnit::FetchUnit(const config::Machine& machine, MemoryPorts& ports, Events& events, PipelineListener* listener)
    : sm_(machine.sm),
      pcShift_(static_cast<u32>(std::countr_zero(machine.sm.instructionBytes))),
      cores_(machine.schedulersPerSm),
      width_(machine.sm.fetchWidth),
      room_(machine.sm.instructionBuffer),
      isGreedy_(machine.sm.fetchOrder == config::FetchOrder::greedyThenYoungest),
      hasL0_(machine.sm.l0Bytes != 0),
      mostFetches_(isGreedy_ ? kMostOnTheWay : 1),
      ports_(ports),
      events_(events),
      listener_(listener),
      last_(cores_, kNoWarp) {
  if (!hasL0_) return;
  for (u32 core = 0; core < cores_; ++core) l0_.emplace_back(machine);
}

void FetchUnit::start(SlotId slot, GlobalAddress address, const mem::Origin& origin) {
  streams_[slot].origin = origin;
  streams_[slot].code = address - u64{origin.pc} * sm_.instructionBytes;
  age_[slot] = nextAge_++;
  running_.insert(slot);
  redirect(slot, address);
}

void FetchUnit::stop(SlotId slot) {
  running_.erase(slot);
  redirect(slot, GlobalAddress{});
}

void FetchUnit::redirect(SlotId slot, GlobalAddress address) {
  Stream& stream = streams_[slot];
  stream.next = address;
  stream.origin.pc = Pc(static_cast<u32>((address - stream.code) >> pcShift_));
  stream.position = static_cast<u32>((address >> pcShift_) % width_);
  stream.buffered = stream.inFlight = stream.fetches = stream.oldest = 0;
  ++stream.generation;
  if (listener_) listener_->fetchDropped(slot);
  update(slot);
}

bool FetchUnit::work(Cycle now) {
  const bool asked = hasL0_ && askForLines(now);
  u32 begun = 0;
  const auto mayBegin = [&] { return begun < sm_.fetchesPerCycle && wanting_ && (!asksPorts() || ports_.canFetch(now)); };
  if (!isGreedy_) {
    for (; mayBegin(); ++begun) {
      const SlotId slot = wanting_.nextFrom(next_);
      fetchNext(slot, now);
      next_ = slot + 1;
    }
    return asked || begun != 0;
  }
  for (u32 i = 0; i < cores_ && mayBegin(); ++i) {
    const SlotId slot = nextOf(static_cast<u32>((now.ticks + i) % cores_));
    if (slot == kNoWarp) continue;
    fetchNext(slot, now);
    ++begun;
  }
  return asked || begun != 0;
}

// The warp that issued last, as long as its buffer has room, else the youngest that has.
SlotId FetchUnit::nextOf(u32 core) const {
  if (last_[core] != kNoWarp && wanting_.contains(last_[core])) return last_[core];
  SlotId best = kNoWarp;
  for (const SlotId slot : wanting_) {
    if (slot % cores_ == core && (best == kNoWarp || age_[slot] > age_[best])) best = slot;
  }
  return best;
}

void FetchUnit::fetchNext(SlotId slot, Cycle now) {
  Stream& stream = streams_[slot];
  // A fetch ends with its aligned piece, and brings no more than the buffer holds.
  const u32 count = std::min(width_ - stream.position, room_ - stream.buffered - stream.inFlight);
  const u32 place = (stream.oldest + stream.fetches++) % kMostOnTheWay;
  stream.ring[place] = {count, false, now};
  stream.inFlight += count;
  ask(slot, count << kCountShift | place << kPlaceShift | (stream.generation % kGenerations) << kGenerationShift | slot, now);
  if (origins_) ++origins_->of(stream.origin).fetches;
  stream.next += u64{count} << pcShift_;
  stream.origin.pc = Pc(stream.origin.pc + count);
  stream.position += count;
  if (stream.position == width_) stream.position = 0;
  ++fetches_;
  update(slot);
}

void FetchUnit::ask(SlotId slot, u32 id, Cycle now) {
  const Stream& stream = streams_[slot];
  if (asksPorts()) {
    if (const std::optional<Cycle> answer = ports_.fetch(stream.next, id, now, stream.origin)) answered(id, *answer);
    return;
  }
  L0Instructions& l0 = l0_[slot % cores_];
  if (l0.finds(stream.next)) return answered(id, now);
  if (l0.await(stream.next, id, stream.origin)) answered(id, now + 1);
}

// A line a cycle, the sub-cores in turn.
bool FetchUnit::askForLines(Cycle now) {
  if (mayAskForLine() > now || !ports_.canFetch(now)) return false;
  u32 core = static_cast<u32>(now.ticks % cores_);
  while (!l0_[core].wantsLine() || l0_[core].mayAsk() > now) core = (core + 1) % cores_;
  if (freeLines_.empty()) {
    freeLines_.push_back(static_cast<u32>(lines_.size()));
    lines_.emplace_back();
  }
  const u32 index = freeLines_.back();
  freeLines_.pop_back();
  const L0Instructions::Wanted wanted = l0_[core].takeWanted(now);
  lines_[index] = {core, wanted};
  // A hit is booked, and its answer would come by no event of its own.
  if (const std::optional<Cycle> answer = ports_.fetch(wanted.line, kLine | index, now, wanted.origin))
    events_.add(std::max(*answer, now + 1), {Event::Kind::lineFetched, false, {}, nullptr, kLine | index});
  return true;
}

// When the first sub-core that wants one may ask for a line; kNever: none does.
Cycle FetchUnit::mayAskForLine() const {
  Cycle first = kNever;
  for (const L0Instructions& l0 : l0_)
    if (l0.wantsLine()) first = std::min(first, l0.mayAsk());
  return first;
}

void FetchUnit::answered(u32 id, Cycle now) {
  if ((id & kLine) != 0) return lineArrived(id & ~kLine, now);
  events_.add(now + std::max(1u, sm_.decodeLatency), {Event::Kind::fetched, false, {}, nullptr, id});
}

void FetchUnit::lineArrived(u32 index, Cycle now) {
  const AskedLine line = lines_[index];
  freeLines_.push_back(index);
  l0_[line.core].arrived(line.wanted, [&](u32 fetch) { answered(fetch, now); });
}

// Instructions come into the buffer in the order of the code, whichever fetch is here first.
void FetchUnit::arrived(u32 id, Cycle now) {
  const SlotId slot{id & (kSlots - 1)};
  Stream& stream = streams_[slot];
  if ((id >> kGenerationShift) % kGenerations != stream.generation % kGenerations) return;
  stream.ring[id >> kPlaceShift & (kMostOnTheWay - 1)].isHere = true;
  for (; stream.fetches != 0 && stream.ring[stream.oldest].isHere; --stream.fetches) {
    const OnTheWay& fetch = stream.ring[stream.oldest];
    stream.buffered += fetch.count;
    stream.inFlight -= fetch.count;
    if (listener_) listener_->fetched(slot, fetch.count, fetch.asked, now);
    stream.oldest = (stream.oldest + 1) % kMostOnTheWay;
  }
  if (stream.fetches == 0) stream.oldest = 0;
  update(slot);
}

u64 FetchUnit::l0Misses() const {
  u64 misses = 0;
  for (const L0Instructions& l0 : l0_) misses += l0.misses();
  return misses;
}

}  // namespace warpwright::sm
