// The cache of one lane: states, control bits and tags, without data (figure 3 of the tinyCache paper; docs/tiny-cache.md).
#include <fmt/format.h>

#include <bit>
#include <stdexcept>

#include "rtl/designs/catalogue.hpp"
#include "rtl/recency.hpp"

namespace warpwright::rtl {
namespace {

Package make(const Values& values) {
  const u32 sets = values.number("sets"), ways = values.number("ways"), granules = values.number("granules"),
            nameBits = values.number("name-bits");
  if (!std::has_single_bit(sets)) throw std::invalid_argument("sets must be a power of two");
  const u32 setBits = bitsFor(sets), wayBits = bitsFor(ways), lines = sets * ways, entryBits = bitsFor(lines), tag = nameBits - setBits;
  if (nameBits <= setBits) throw std::invalid_argument("name-bits must be above the logarithm of the sets");
  Module module("lane_cache");
  module.clocked().input("access").input("write").input("name", nameBits).input("granules", granules);
  module.input("take").input("take_entry", entryBits);
  module.output("event_code", 3).output("entry", entryBits).output("leaves").output("dirty", granules);
  module.body(touchedFunction(ways)).body(oldestFunction(ways));
  module.body(fmt::format(R"(
localparam logic [1:0] INVALID = 2'd0, CLEAN = 2'd1, VALID = 2'd2, PARTLY_VALID = 2'd3;
logic [{lines}*2-1:0] states;
logic [{lines}*{tag}-1:0] tags;
logic [{lines}*{granules}-1:0] control;
logic [{sets}*{order}-1:0] order;
logic [{setBits}-1:0] set;
logic [{wayBits}-1:0] way, hit_way;
logic [{ways}-1:0] valid;
logic hit, has_invalid, has_new;
logic [1:0] state, next_state, leaving_state;
logic [{entryBits}-1:0] leaving;
logic [{granules}-1:0] bits, next_bits;
assign set = name[{setBits}-1:0];
always_comb begin
  hit = 1'b0;
  hit_way = '0;
  for (int i = 0; i < {ways}; i++) begin
    valid[i] = states[(set * {ways} + i) * 2 +: 2] != INVALID;
    if (valid[i] && tags[(set * {ways} + i) * {tag} +: {tag}] == name[{setBits} +: {tag}]) begin
      hit = 1'b1;
      hit_way = {wayBits}'(i);
    end
  end
end
assign way = hit ? hit_way : oldest(valid, order[set * {order} +: {order}]);
assign entry = {entryBits}'(32'(set) * {ways} + 32'(way));
assign state = states[entry * 2 +: 2];
assign bits = state == CLEAN || !hit ? '0 : control[entry * {granules} +: {granules}];
assign has_invalid = state == PARTLY_VALID && (granules & ~bits) != '0;
assign has_new = (granules & ~bits) != '0;
// 0 read miss, 1 read hit, 2 read of invalid granules; 3 write miss, 4 write hit, 5 write of invalid granules, 6 of the last of them.
always_comb begin
  next_bits = write ? bits | granules : bits;
  next_state = state;
  if (!hit) begin
    event_code = write ? 3'd3 : 3'd0;
    next_state = !write ? CLEAN : &granules ? VALID : PARTLY_VALID;
  end else if (!write) begin
    event_code = has_invalid ? 3'd2 : 3'd1;
    if (has_invalid) next_state = VALID;
  end else if (state != PARTLY_VALID) begin
    event_code = 3'd4;
    next_state = VALID;
  end else if (!has_new) event_code = 3'd4;
  else if (&next_bits) begin
    event_code = 3'd6;
    next_state = VALID;
  end else event_code = 3'd5;
end
// What leaves, by replacement or because it is taken; of its granules those that are written back.
assign leaving = take ? take_entry : entry;
assign leaving_state = states[leaving * 2 +: 2];
assign leaves = (take || (access && !hit)) && leaving_state != INVALID;
assign dirty = leaves && leaving_state[1] ? control[leaving * {granules} +: {granules}] : '0;
always_ff @(posedge clk)
  if (reset) states <= '0;
  else if (take) states[take_entry * 2 +: 2] <= INVALID;
  else if (access) begin
    states[entry * 2 +: 2] <= next_state;
    control[entry * {granules} +: {granules}] <= next_bits;
    tags[entry * {tag} +: {tag}] <= name[{setBits} +: {tag}];
    order[set * {order} +: {order}] <= touched(order[set * {order} +: {order}], way);
  end
)",
                          fmt::arg("lines", lines), fmt::arg("tag", tag), fmt::arg("granules", granules), fmt::arg("sets", sets),
                          fmt::arg("order", recencyBits(ways)), fmt::arg("setBits", setBits), fmt::arg("wayBits", wayBits),
                          fmt::arg("ways", ways), fmt::arg("entryBits", entryBits)));
  return {
      .modules = {module},
      .equations =
          "Invalid, clean (all valid), valid (those with a control bit dirty), partly valid (those with a control bit valid and dirty); "
          "An access, or a line that is taken, in a cycle.\n",
      .memoryBits = u64{lines} * (2 + tag + granules)};
}

}  // namespace

Design laneCacheDesign() {
  return {"lane-cache",
          "states, control bits and tags of one lane's cache (tinyCache)",
          {{"sets", "sets, a power of two", "2", 2, 16},
           {"ways", "ways", "8", 2, 8},
           {"granules", "granules of a line, which have a control bit each", "32", 2, 64},
           {"name-bits", "bits of a line's number", "26", 2, 60}},
          make};
}

}  // namespace warpwright::rtl
