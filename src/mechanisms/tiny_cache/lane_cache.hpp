// The cache of one lane, without time and without data: states, control bits and tags (figure 3 of the paper).
#pragma once

#include <optional>
#include <vector>

#include "mechanisms/tiny_cache/geometry.hpp"
#include "mechanisms/tiny_cache/line_name.hpp"

namespace warpwright::mechanisms::tiny_cache {

// A granule is what has a control bit: a half-word in the paper.
enum class State : u8 {
  invalid,      // I
  clean,        // C: all granules valid; control bits of no meaning
  valid,        // D_v: all granules valid, those with a control bit dirty
  partlyValid,  // D_pv: those with a control bit valid and dirty, the others invalid
};

// What an access meets. All but the misses are tag hits.
enum class Event : u8 {
  readMiss,      // rm: the block is fetched
  readHit,       // rh, rh(v)
  readInvalid,   // rh(i): the block is fetched, and merged into the granules that are invalid
  writeMiss,     // wm: nothing is fetched
  writeHit,      // wh, wh(v)
  writeInvalid,  // wh(i)
  writeLast,     // wh(last): of the last granule that was invalid
};
constexpr bool fetches(Event event) { return event == Event::readMiss || event == Event::readInvalid; }
constexpr bool misses(Event event) { return event == Event::readMiss || event == Event::writeMiss; }

struct Line {
  LineName name;
  State state = State::invalid;
  u64 control = 0;  // bit g: of granule g
  u64 used = 0;     // when last, for replacement

  bool isDirty() const { return state == State::valid || state == State::partlyValid; }
  // What a write-back writes.
  u64 dirty() const { return isDirty() ? control : 0; }
  bool isValid(u64 granules) const { return invalidOf(granules) == 0; }
  // Those of the granules that the line does not hold.
  u64 invalidOf(u64 granules) const {
    if (state == State::partlyValid) return granules & ~control;
    return state == State::invalid ? granules : 0;
  }
};

class LaneCache {
 public:
  static constexpr u32 kNone = ~u32{0};

  // A line that leaves; what is dirty of it is written back (rpl).
  struct Leaving {
    u32 entry = kNone;
    Line line;
  };
  struct Outcome {
    Event event{};
    u32 entry = kNone;  // of the line
    Line before{};      // the line before the access; invalid when it was not there
    std::optional<Leaving> victim{};
  };

  explicit LaneCache(const Geometry& geometry) : geometry_(geometry), lines_(geometry.lines) {}

  // Of granules of one line. What is fetched counts as being there from now on.
  Outcome read(LineName name, u64 granules);
  Outcome write(LineName name, u64 granules);
  // kNone: it is not there. Changes nothing.
  u32 find(LineName name) const;
  // The line that was at this entry, which is free now.
  Line take(u32 entry);

  const Line& line(u32 entry) const { return lines_[entry]; }
  u32 size() const { return static_cast<u32>(lines_.size()); }

 private:
  // Makes room for the line, which is not there.
  Outcome allocate(LineName name, Event event);
  u32 victimIn(u32 firstEntry) const;
  u32 firstEntryOf(LineName name) const { return static_cast<u32>(name.number() % geometry_.sets()) * geometry_.ways; }

  Geometry geometry_;
  std::vector<Line> lines_;  // a set after the other
  u64 clock_ = 0;
};

}  // namespace warpwright::mechanisms::tiny_cache
