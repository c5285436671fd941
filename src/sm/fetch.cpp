#include "sm/fetch.hpp"

namespace warpwright::sm {

void FetchUnit::start(SlotId slot, GlobalAddress address, const mem::Origin& origin) {
  streams_[slot].origin = origin;
  streams_[slot].code = address - u64{origin.pc} * sm_.instructionBytes;
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
  stream.position = static_cast<u32>(address / sm_.instructionBytes % sm_.fetchWidth);
  stream.buffered = stream.inFlight = 0;
  ++stream.generation;
  if (listener_) listener_->fetchDropped(slot);
  update(slot);
}

void FetchUnit::consume(SlotId slot) {
  --streams_[slot].buffered;
  update(slot);
}

void FetchUnit::update(SlotId slot) {
  const Stream& stream = streams_[slot];
  const bool runs = running_.contains(slot);
  available_.set(slot, runs && stream.buffered != 0);
  // One fetch at a time for a warp, and only with room for all that it may bring.
  wanting_.set(slot, runs && stream.inFlight == 0 && stream.buffered < sm_.instructionBuffer);
}

bool FetchUnit::tick(Cycle now) {
  u32 begun = 0;
  for (; begun < sm_.fetchesPerCycle && wanting_ && ports_.canFetch(now); ++begun) fetchNext(now);
  return begun != 0;
}

void FetchUnit::fetchNext(Cycle now) {
  const SlotId slot = wanting_.nextFrom(next_);
  Stream& stream = streams_[slot];
  // A fetch ends with its aligned piece, and brings no more than the buffer holds.
  const u32 count = std::min(sm_.fetchWidth - stream.position, sm_.instructionBuffer - stream.buffered);
  const u32 id = count << kCountShift | (stream.generation & 0xffff) << kGenerationShift | slot;
  if (const std::optional<Cycle> answer = ports_.fetch(stream.next, id, now, stream.origin)) answered(id, *answer);
  if (origins_) ++origins_->of(stream.origin).fetches;
  stream.next += u64{count} * sm_.instructionBytes;
  stream.origin.pc = Pc(stream.origin.pc + count);
  stream.position += count;
  if (stream.position == sm_.fetchWidth) stream.position = 0;
  stream.inFlight = count;
  stream.asked = now;
  next_ = slot + 1;
  ++fetches_;
  update(slot);
}

void FetchUnit::arrived(u32 id, Cycle now) {
  const SlotId slot{id & (kSlots - 1)};
  Stream& stream = streams_[slot];
  if ((id >> kGenerationShift & 0xffff) != (stream.generation & 0xffff)) return;
  const u32 count = id >> kCountShift;
  stream.buffered += count;
  stream.inFlight = 0;
  if (listener_) listener_->fetched(slot, count, stream.asked, now);
  update(slot);
}

}  // namespace warpwright::sm
