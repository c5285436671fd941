// The table of assist warps: entries, what each may stage, and the choice among them.
#include <fmt/format.h>

#include <stdexcept>

#include "rtl/designs/catalogue.hpp"
#include "rtl/logic.hpp"

namespace warpwright::rtl {
namespace {

struct Sizes {
  u32 entries, warps, groups, instructions;
  u32 entryBits() const { return bitsFor(entries); }
  u32 warpBits() const { return bitsFor(warps); }
  u32 groupBits() const { return bitsFor(groups); }
};

constexpr u32 kPriorities = 3, kPriorityBits = 2;  // as the simulator numbers them: 0 high, 1 normal, 2 low

// Sums of what is staged, and of what is deployed and waits, that the limits speak of.
std::string totals(const Sizes& sizes) {
  return fmt::format(R"(
always_comb begin
  {{staged_low, live, held}} = '0;
  staged_beside = '0;
  for (int e = 0; e < {entries}; e++) begin
    if (in_use[e] && priorities[e * 2 +: 2] == LOW) staged_low += 8'(staged[e * {bits} +: {bits}]);
    if (in_use[e] && priorities[e * 2 +: 2] != HIGH) begin
      held += 8'd1;
      if (is_deployed[e]) live += 8'd1;
    end
    for (int other = 0; other < {entries}; other++)
      if (in_use[other] && priorities[other * 2 +: 2] != LOW && warp_of[other * {warp} +: {warp}] == warp_of[e * {warp} +: {warp}])
        staged_beside[e * 8 +: 8] += 8'(staged[other * {bits} +: {bits}]);
  end
end
)",
                     fmt::arg("entries", sizes.entries), fmt::arg("bits", sizes.instructions), fmt::arg("warp", sizes.warpBits()));
}

// Entries that may go on, or begin: one of a group for a warp at a time.
std::string candidates(const Sizes& sizes, const Values& limits) {
  return fmt::format(R"(
always_comb
  for (int e = 0; e < {entries}; e++) begin
    is_alone[e] = 1'b1;
    for (int other = 0; other < {entries}; other++)
      if (is_deployed[other] && warp_of[other * {warp} +: {warp}] == warp_of[e * {warp} +: {warp}] &&
          group_of[other * {group} +: {group}] == group_of[e * {group} +: {group}]) is_alone[e] = 1'b0;
    has_room_for[e] = priorities[e * 2 +: 2] == LOW || staged_beside[e * 8 +: 8] < 8'd{warpEntries};
    may_stage[e] = in_use[e] && has_room_for[e] && (priorities[e * 2 +: 2] != LOW || staged_low < 8'd{lowEntries}) &&
        (is_deployed[e] ? !is_through[e] && (staged[e * {bits} +: {bits}] == '0 || next_of[e * {bits} +: {bits}] != end_of[e * {bits} +: {bits}])
                        : is_alone[e] && (priorities[e * 2 +: 2] == HIGH || live < 8'd{mostLive}));
  end
)",
                     fmt::arg("entries", sizes.entries), fmt::arg("warp", sizes.warpBits()), fmt::arg("group", sizes.groupBits()),
                     fmt::arg("bits", sizes.instructions), fmt::arg("warpEntries", limits.number("warp-entries")),
                     fmt::arg("lowEntries", limits.number("low-entries")), fmt::arg("mostLive", limits.number("most-live")));
}

// The highest priority that has a candidate; of its candidates the next behind the last that was chosen, going round.
std::string choiceOf(const Sizes& sizes) {
  return fmt::format(R"(
always_comb begin
  can_stage = 1'b0;
  chosen = '0;
  chosen_priority = '0;
  for (int priority_ = 2; priority_ >= 0; priority_--) begin
    for (int e = {entries} - 1; e >= 0; e--)
      if (may_stage[e] && priorities[e * 2 +: 2] == 2'(priority_)) begin
        can_stage = 1'b1;
        chosen = {number}'(e);
        chosen_priority = 2'(priority_);
      end
    for (int e = {entries} - 1; e >= 0; e--)
      if (may_stage[e] && priorities[e * 2 +: 2] == 2'(priority_) && {number}'(e) > last[priority_ * {number} +: {number}]) chosen = {number}'(e);
  end
end
)",
                     fmt::arg("entries", sizes.entries), fmt::arg("number", sizes.entryBits()));
}

std::string changes(const Sizes& sizes) {
  return fmt::format(R"(
always_ff @(posedge clk)
  if (reset) begin
    {{in_use, is_deployed, is_through}} <= '0;
    last <= '0;
  end else begin
    if (insert && has_room) begin
      in_use[free_entry] <= 1'b1;
      {{is_deployed[free_entry], is_through[free_entry]}} <= '0;
      warp_of[free_entry * {warp} +: {warp}] <= warp;
      group_of[free_entry * {group} +: {group}] <= group;
      priorities[free_entry * 2 +: 2] <= priority_code;
      end_of[free_entry * {bits} +: {bits}] <= length;
      next_of[free_entry * {bits} +: {bits}] <= '0;
      staged[free_entry * {bits} +: {bits}] <= '0;
    end
    if (stage && can_stage) begin
      is_deployed[chosen] <= 1'b1;
      staged[chosen * {bits} +: {bits}] <= staged[chosen * {bits} +: {bits}] + {one};
      next_of[chosen * {bits} +: {bits}] <= next_of[chosen * {bits} +: {bits}] + {one};
      last[chosen_priority * {number} +: {number}] <= chosen;
    end
    if (issued) staged[which * {bits} +: {bits}] <= staged[which * {bits} +: {bits}] - {one};
    if (through) is_through[which] <= 1'b1;
    if (ended) {{in_use[which], is_deployed[which]}} <= '0;
  end
)",
                     fmt::arg("warp", sizes.warpBits()), fmt::arg("group", sizes.groupBits()), fmt::arg("bits", sizes.instructions),
                     fmt::arg("number", sizes.entryBits()), fmt::arg("one", literal(sizes.instructions, 1)));
}

Package make(const Values& values) {
  const Sizes sizes{values.number("entries"), values.number("warps"), values.number("groups"), values.number("instruction-bits")};
  const u32 entries = sizes.entries;
  Module module("assist_table");
  module.clocked().input("insert").input("warp", sizes.warpBits()).input("group", sizes.groupBits()).input("priority_code", kPriorityBits);
  module.input("length", sizes.instructions)
      .input("stage")
      .input("issued")
      .input("through")
      .input("ended")
      .input("which", sizes.entryBits());
  module.output("has_room").output("free_entry", sizes.entryBits()).output("can_stage").output("chosen", sizes.entryBits());
  module.body("localparam logic [1:0] HIGH = 2'd0, LOW = 2'd2;");
  for (const char* name : {"in_use", "is_deployed", "is_through", "is_alone", "has_room_for", "may_stage", "is_free"})
    module.wire(name, entries);
  module.wire("warp_of", entries * sizes.warpBits()).wire("group_of", entries * sizes.groupBits()).wire("priorities", entries * 2);
  for (const char* name : {"end_of", "next_of", "staged"}) module.wire(name, entries * sizes.instructions);
  module.wire("last", kPriorities * sizes.entryBits()).wire("chosen_priority", kPriorityBits);
  module.wire("staged_low", 8).wire("live", 8).wire("held", 8).wire("staged_beside", entries * 8);
  module.assign("is_free", "~in_use").body(lowestSet("free_entry", "is_free", entries));
  module.assign("has_room", fmt::format("is_free != '0 && (priority_code == HIGH || held < 8'd{})", values.number("limit")));
  module.body(totals(sizes)).body(candidates(sizes, values)).body(choiceOf(sizes)).body(changes(sizes));
  return {
      .modules = {module},
      .equations =
          "An entry waits until an instruction of it is staged, and is deployed then. High priority comes before normal and low, equals "
          "take turns. Limits: entries that are not of high priority, instructions of low priority that are staged, of others for "
          "each warp, and deployed ones that are not of high priority. One change in a cycle.\n",
      .memoryBits = u64{entries} * (3 + sizes.warpBits() + sizes.groupBits() + kPriorityBits + 3 * sizes.instructions)};
}

}  // namespace

Design assistTableDesign() {
  return {"assist-table",
          "the table of assist warps: entries, limits and the choice of what is staged",
          {{"entries", "entries", "16", 2, 64},
           {"warps", "warps of an SM", "48", 2, 64},
           {"groups", "groups of routines", "4", 2, 16},
           {"instruction-bits", "bits of the number of an instruction in its routine", "6", 2, 8},
           {"limit", "entries that are not of high priority", "8", 1, 64},
           {"low-entries", "instructions of low priority that are staged", "2", 1, 64},
           {"warp-entries", "instructions of other priorities that are staged for a warp", "2", 1, 64},
           {"most-live", "deployed ones that are not of high priority", "4", 1, 64}},
          make};
}

}  // namespace warpwright::rtl
