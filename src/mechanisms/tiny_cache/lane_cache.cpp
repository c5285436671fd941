#include "mechanisms/tiny_cache/lane_cache.hpp"

#include <utility>

namespace warpwright::mechanisms::tiny_cache {

u32 LaneCache::find(LineName name) const {
  const u32 first = firstEntryOf(name);
  for (u32 entry = first; entry < first + geometry_.ways; ++entry)
    if (lines_[entry].state != State::invalid && lines_[entry].name == name) return entry;
  return kNone;
}

LaneCache::Outcome LaneCache::read(LineName name, u64 granules) {
  const u32 entry = find(name);
  if (entry == kNone) {
    const Outcome outcome = allocate(name, Event::readMiss);
    lines_[outcome.entry].state = State::clean;
    return outcome;
  }
  Line& line = lines_[entry];
  const Line before = line;
  line.used = ++clock_;
  if (line.isValid(granules)) return {Event::readHit, entry, before};
  line.state = State::valid;
  return {Event::readInvalid, entry, before};
}

LaneCache::Outcome LaneCache::write(LineName name, u64 granules) {
  const u32 entry = find(name);
  if (entry == kNone) {
    const Outcome outcome = allocate(name, Event::writeMiss);
    Line& line = lines_[outcome.entry];
    line.state = State::partlyValid;
    line.control = granules;
    // A write of a whole line leaves nothing invalid.
    if (granules == geometry_.allGranules()) line.state = State::valid;
    return outcome;
  }
  Line& line = lines_[entry];
  const Line before = line;
  line.used = ++clock_;
  if (line.state == State::clean) line.control = 0;
  const bool isNew = (granules & ~line.control) != 0;
  line.control |= granules;
  if (line.state != State::partlyValid) {
    line.state = State::valid;
    return {Event::writeHit, entry, before};
  }
  if (!isNew) return {Event::writeHit, entry, before};
  if (line.control != geometry_.allGranules()) return {Event::writeInvalid, entry, before};
  line.state = State::valid;
  return {Event::writeLast, entry, before};
}

Line LaneCache::take(u32 entry) { return std::exchange(lines_[entry], {}); }

LaneCache::Outcome LaneCache::allocate(LineName name, Event event) {
  Outcome outcome{event, victimIn(firstEntryOf(name))};
  Line& line = lines_[outcome.entry];
  if (line.state != State::invalid) outcome.victim = {outcome.entry, line};
  line = {.name = name, .used = ++clock_};
  return outcome;
}

// A free entry, or that of the line that was used longest ago.
u32 LaneCache::victimIn(u32 firstEntry) const {
  u32 victim = firstEntry;
  for (u32 entry = firstEntry; entry < firstEntry + geometry_.ways; ++entry) {
    if (lines_[entry].state == State::invalid) return entry;
    if (lines_[entry].used < lines_[victim].used) victim = entry;
  }
  return victim;
}

}  // namespace warpwright::mechanisms::tiny_cache
