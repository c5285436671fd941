#include "mechanisms/tiny_cache/lane_cache.hpp"

#include <utility>

namespace warpwright::mechanisms::tiny_cache {

u32 LaneCache::find(LineName name) const {
  const u32 first = firstPlaceOf(name);
  for (u32 place = first; place < first + geometry_.ways; ++place)
    if (lines_[place].state != State::invalid && lines_[place].name == name) return place;
  return kNone;
}

LaneCache::Outcome LaneCache::read(LineName name, u64 granules) {
  const u32 place = find(name);
  if (place == kNone) {
    const Outcome outcome = allocate(name, Event::readMiss);
    lines_[outcome.place].state = State::clean;
    return outcome;
  }
  Line& line = lines_[place];
  line.used = ++clock_;
  if (line.isValid(granules)) return {Event::readHit, place};
  line.state = State::valid;
  return {Event::readInvalid, place};
}

LaneCache::Outcome LaneCache::write(LineName name, u64 granules) {
  const u32 place = find(name);
  if (place == kNone) {
    const Outcome outcome = allocate(name, Event::writeMiss);
    Line& line = lines_[outcome.place];
    line.state = State::partlyValid;
    line.control = granules;
    // A write of a whole line leaves nothing invalid.
    if (granules == geometry_.allGranules()) line.state = State::valid;
    return outcome;
  }
  Line& line = lines_[place];
  line.used = ++clock_;
  if (line.state == State::clean) line.control = 0;
  const bool isNew = (granules & ~line.control) != 0;
  line.control |= granules;
  if (line.state != State::partlyValid) {
    line.state = State::valid;
    return {Event::writeHit, place};
  }
  if (!isNew) return {Event::writeHit, place};
  if (line.control != geometry_.allGranules()) return {Event::writeInvalid, place};
  line.state = State::valid;
  return {Event::writeLast, place};
}

Line LaneCache::take(u32 place) { return std::exchange(lines_[place], {}); }

LaneCache::Outcome LaneCache::allocate(LineName name, Event event) {
  Outcome outcome{event, victimIn(firstPlaceOf(name))};
  Line& line = lines_[outcome.place];
  if (line.state != State::invalid) outcome.victim = {outcome.place, line};
  line = {.name = name, .used = ++clock_};
  return outcome;
}

// A free place, or that of the line that was used longest ago.
u32 LaneCache::victimIn(u32 firstPlace) const {
  u32 victim = firstPlace;
  for (u32 place = firstPlace; place < firstPlace + geometry_.ways; ++place) {
    if (lines_[place].state == State::invalid) return place;
    if (lines_[place].used < lines_[victim].used) victim = place;
  }
  return victim;
}

}  // namespace warpwright::mechanisms::tiny_cache
