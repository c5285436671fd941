#include "mechanisms/tiny_cache/lane_caches.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "base/memory_units.hpp"

namespace warpwright::mechanisms::tiny_cache {
namespace {

u32 dirtyWords(const Geometry& geometry, const Line& line) {
  u32 count = 0;
  for (u32 word = 0; word < geometry.words(); ++word) count += geometry.bitsOf(line.dirty(), word) != 0;
  return count;
}

// What an access has of a word of its line: `of` of its bits.
struct Part {
  u32 of = 0;
  KnownWord value;
};

Part partOf(const LaneWords& words, u32 word) {
  const u32 begin = std::max(words.offset, word * kWordBytes), end = std::min(words.offset + words.bytes, (word + 1) * kWordBytes);
  const u32 low = ~u32{0} >> (kWordBytes - words.pieceBytes) * 8;
  Part part;
  for (u32 byte = begin; byte < end; byte += words.pieceBytes) {
    const u32 shift = byte % kWordBytes * 8, bits = low << shift;
    part.of |= bits;
    if (words.values == nullptr) continue;
    const u32 piece = (byte - words.offset) / words.pieceBytes;
    part.value.take({bits, words.values[piece * words.valueLanes] << shift}, bits);
  }
  return part;
}

}  // namespace

LaneCaches::LaneCaches(const Settings& settings, u32 lanes, u32 memoryDelay, Statistics& statistics)
    : settings_(settings),
      geometry_(settings.geometry()),
      stats_(statistics),
      below_(settings.lineBytes, memoryDelay),
      caches_(lanes, LaneCache(geometry_)),
      held_(std::size_t{lanes} * settings.lines),
      dirty_(kBuckets),
      streams_(settings.streams) {}

// visit(word of the line, part)
template <class Visit>
void LaneCaches::forEachWord(const LaneWords& words, Visit visit) {
  for (u32 word = words.offset / kWordBytes; word * kWordBytes < words.offset + words.bytes; ++word) visit(word, partOf(words, word));
}

LaneCache::Outcome LaneCaches::read(const LaneWords& words) {
  const LaneCache::Outcome outcome = caches_[words.lane].read(words.line, geometry_.granulesOf(words.offset, words.bytes));
  note(outcome, words);
  noteUse(outcome, words);
  if (fetches(outcome.event)) fetch(words, outcome);
  compare(words, outcome.entry);
  return outcome;
}

LaneCache::Outcome LaneCaches::write(const LaneWords& words) {
  const LaneCache::Outcome outcome = caches_[words.lane].write(words.line, geometry_.granulesOf(words.offset, words.bytes));
  note(outcome, words);
  noteUse(outcome, words);
  heldBy(words.lane, outcome.entry).writer = words.origin;
  if (outcome.event == Event::writeMiss) valuesOf(words.lane, outcome.entry) = {};
  if (!outcome.before.isDirty()) countDirty(words.line, 1);
  if (words.line.space() == Space::global) below_.noteStore(words.line, words.issued);
  store(words, outcome.entry);
  return outcome;
}

void LaneCaches::bypassWrite(const LaneWords& words) {
  drop(words.lane, words.line, &EvictionStats::bypassed);
  setBelow(words);
}

void LaneCaches::atomic(const LaneWords& words) {
  for (u32 lane = 0; lane < caches_.size(); ++lane) drop(LaneId(lane), words.line, &EvictionStats::atomic);
  LaneWords unknown = words;
  unknown.values = nullptr;
  setBelow(unknown);
  if (words.line.space() == Space::global) below_.noteAtomic(words.line);
}

void LaneCaches::dropAll(Cause cause) {
  for (u32 lane = 0; lane < caches_.size(); ++lane) {
    for (u32 entry = 0; entry < settings_.lines; ++entry) {
      if (caches_[lane].line(entry).state == State::invalid) continue;
      leave(LaneId(lane), {entry, caches_[lane].take(entry)}, cause);
    }
  }
}

void LaneCaches::forget() {
  for (LaneCache& cache : caches_) cache = LaneCache(geometry_);
  dirty_.assign(dirty_.size(), 0);
  leavers_.clear();
  streams_.forget();
  below_.forgetAtomics();
}

void LaneCaches::noteWait(Space space) {
  SpaceStats& stats = stats_.of(space);
  --stats.readHits;
  ++stats.readWaits;
}

void LaneCaches::note(const LaneCache::Outcome& outcome, const LaneWords& words) {
  if (outcome.victim) leave(words.lane, *outcome.victim, &EvictionStats::replaced);
  SpaceStats& stats = stats_.of(words.line.space());
  const u32 count = std::max(1u, words.bytes / kWordBytes);
  const bool isRead = outcome.event <= Event::readInvalid;
  ++(isRead ? stats.reads : stats.writes);
  (isRead ? stats.wordsRead : stats.wordsWritten) += count;
  static constexpr std::array kCounterOf = {&SpaceStats::readMisses,  &SpaceStats::readHits,  &SpaceStats::readsInvalid,
                                            &SpaceStats::writeMisses, &SpaceStats::writeHits, &SpaceStats::writesInvalid,
                                            &SpaceStats::writesLast};
  ++(stats.*kCounterOf[static_cast<std::size_t>(outcome.event)]);
}

void LaneCaches::noteUse(const LaneCache::Outcome& outcome, const LaneWords& words) {
  Held& held = heldBy(words.lane, outcome.entry);
  held.isUsed = !misses(outcome.event);
  if (!held.isUsed) held.bringer = words.origin.pc;
}

void LaneCaches::drop(LaneId lane, LineName line, Cause cause) {
  const u32 entry = caches_[lane].find(line);
  if (entry != LaneCache::kNone) leave(lane, {entry, caches_[lane].take(entry)}, cause);
}

// Its dirty words are below from now on.
void LaneCaches::leave(LaneId lane, const LaneCache::Leaving& leaving, Cause cause) {
  ++(stats_.evictions.*cause);
  const Line& line = leaving.line;
  const Held& held = heldBy(lane, leaving.entry);
  if (settings_.detectStreams && cause == &EvictionStats::replaced) streams_.left(held.bringer, held.isUsed);
  if (!line.isDirty()) return;
  countDirty(line.name, -1);
  SpaceStats& stats = stats_.of(line.name.space());
  ++stats.linesWrittenBack;
  stats.wordsWrittenBack += dirtyWords(geometry_, line);
  leavers_.push_back({line, held.values, held.writer});
  if (!line.name.isShared()) return;
  for (u32 word = 0; word < geometry_.words(); ++word)
    below_.setShared(line.name, word, held.values.word(word), geometry_.bitsOf(line.dirty(), word));
}

// What was not valid gets what the level below holds. Where that is not known, what the load asks for is what it has got; in global memory
// it is in any case, but when it cannot have come from there.
void LaneCaches::fetch(const LaneWords& words, const LaneCache::Outcome& outcome) {
  const u64 missing = outcome.before.invalidOf(geometry_.allGranules());
  LineValues& values = valuesOf(words.lane, outcome.entry);
  if (outcome.event == Event::readMiss) values = {};
  for (u32 word = 0; word < geometry_.words(); ++word) {
    if (const u32 bits = geometry_.bitsOf(missing, word)) values.take(word, below_.word(words.line, word, words.now), bits);
  }
  forEachWord(words, [&](u32 word, const Part& part) {
    u32 bits = part.of & part.value.known & geometry_.bitsOf(missing, word);
    if (words.line.isShared()) bits &= ~values.word(word).known;
    if (words.line.space() == Space::global && isDirtyElsewhere(words, word, part.value, bits)) noteStale(words, word);
    values.take(word, part.value, bits);
    if (words.line.isShared()) below_.setShared(words.line, word, part.value, bits);
  });
}

void LaneCaches::compare(const LaneWords& words, u32 entry) {
  LineValues& values = valuesOf(words.lane, entry);
  forEachWord(words, [&](u32 word, const Part& part) {
    const KnownWord held = values.word(word);
    if (!part.value.knows(part.of) || !held.knows(part.of)) ++stats_.uncheckedWords;
    if (held.differs(part.value, part.of)) noteStale(words, word);
    values.take(word, part.value, part.of & ~held.known);
  });
}

void LaneCaches::noteStale(const LaneWords& words, u32 word) {
  StaleStats& stale = stats_.stale;
  if (stale.words++ != 0) return;
  stale.pc.observe(words.origin.pc);
  stale.address.observe(words.line.number() * settings_.lineBytes + word * kWordBytes);
  stale.lane.observe(words.lane);
  stale.isShared.observe(words.line.isShared());
}

// Another lane has written some of the bits of the word that the load has got, and memory does not have them yet.
bool LaneCaches::isDirtyElsewhere(const LaneWords& words, u32 word, KnownWord value, u32 of) {
  if (of == 0 || dirty_[bucketOf(words.line)] == 0) return false;
  for (u32 lane = 0; lane < caches_.size(); ++lane) {
    if (lane == words.lane) continue;
    const u32 entry = caches_[lane].find(words.line);
    if (entry == LaneCache::kNone) continue;
    const u32 dirty = geometry_.bitsOf(caches_[lane].line(entry).dirty(), word) & of;
    const KnownWord held = valuesOf(LaneId(lane), entry).word(word);
    if (dirty != 0 && held.knows(dirty) && !held.differs(value, dirty)) return true;
  }
  return false;
}

// What goes past the caches to the level below.
void LaneCaches::setBelow(const LaneWords& words) {
  if (words.line.space() == Space::global) below_.noteStore(words.line, words.issued);
  if (!words.line.isShared()) return;
  forEachWord(words, [&](u32 word, const Part& part) { below_.setShared(words.line, word, part.value, part.of); });
}

void LaneCaches::store(const LaneWords& words, u32 entry) {
  LineValues& values = valuesOf(words.lane, entry);
  forEachWord(words, [&](u32 word, const Part& part) { values.take(word, part.value, part.of); });
}

void LaneCaches::countDirty(LineName line, s32 by) {
  if (line.space() == Space::global) dirty_[bucketOf(line)] += static_cast<u32>(by);
}

}  // namespace warpwright::mechanisms::tiny_cache
