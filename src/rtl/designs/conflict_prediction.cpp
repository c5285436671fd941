// Bank-conflict aware scheduling (Gou, section 5.5, figure 5.7, table 5.3): the history cache, and the mask of memory warps with the
// counters beside it.
#include <fmt/format.h>

#include <bit>
#include <stdexcept>

#include "rtl/designs/catalogue.hpp"
#include "rtl/recency.hpp"

namespace warpwright::rtl {
namespace {

// A look-up comes before what is learnt in the same cycle. Values are in memory; valid bits and the order of use are in flip-flops.
Package makeHistory(const Values& values) {
  const u32 sets = values.number("sets"), ways = values.number("ways"), pcBits = values.number("pc-bits"),
            bits = values.number("value-bits");
  if (!std::has_single_bit(sets) || sets < 2) throw std::invalid_argument("sets must be a power of two, 2 or more");
  const u32 setBits = bitsFor(sets), wayBits = bitsFor(ways), tagBits = pcBits - setBits, lines = sets * ways;
  if (pcBits <= setBits) throw std::invalid_argument("pc-bits must be above the logarithm of the sets");
  Module module("conflict_history");
  module.clocked().input("clear").input("look_up").input("pc", pcBits);
  module.input("learn").input("learn_pc", pcBits).input("learn_value", bits);
  module.output("hit").output("value", bits);
  module.body(touchedFunction(ways)).body(oldestFunction(ways));
  module.body(fmt::format(R"(
logic [{entry}-1:0] entries [0:{lines}-1];
logic [{lines}-1:0] valid;
logic [{order}-1:0] order [0:{sets}-1];
logic [{setBits}-1:0] set, learn_set;
logic [{wayBits}-1:0] way, learn_way;
logic learn_hit;
logic [{lineBits}-1:0] learn_line;
assign learn_line = {lineBits}'(32'(learn_set) * {ways} + 32'(learn_way));
logic [{order}-1:0] order_read;
assign set = pc[{setBits}-1:0];
assign learn_set = learn_pc[{setBits}-1:0];
// Of the set that learns, after a look-up of the same set.
assign order_read = look_up && hit && set == learn_set ? touched(order[learn_set], way) : order[learn_set];
always_comb begin
  {{hit, learn_hit}} = '0;
  way = '0;
  learn_way = oldest(valid[learn_set * {ways} +: {ways}], order_read);
  value = '0;
  for (int i = 0; i < {ways}; i++) begin
    if (valid[set * {ways} + i] && entries[set * {ways} + i][{bits} +: {tag}] == pc[{setBits} +: {tag}]) begin
      hit = 1'b1;
      way = {wayBits}'(i);
      value = entries[set * {ways} + i][{bits}-1:0];
    end
    if (valid[learn_set * {ways} + i] && entries[learn_set * {ways} + i][{bits} +: {tag}] == learn_pc[{setBits} +: {tag}]) begin
      learn_hit = 1'b1;
      learn_way = {wayBits}'(i);
    end
  end
end
always_ff @(posedge clk) begin
  if (look_up && hit) order[set] <= touched(order[set], way);
  if (learn) begin
    order[learn_set] <= touched(order_read, learn_way);
    entries[learn_line] <= {{learn_pc[{setBits} +: {tag}], learn_value}};
  end
  if (reset || clear) valid <= '0;
  else if (learn) valid[learn_line] <= 1'b1;
end
)",
                          fmt::arg("entry", tagBits + bits), fmt::arg("lines", lines), fmt::arg("order", recencyBits(ways)),
                          fmt::arg("sets", sets), fmt::arg("setBits", setBits), fmt::arg("wayBits", wayBits), fmt::arg("ways", ways),
                          fmt::arg("bits", bits), fmt::arg("tag", tagBits), fmt::arg("lineBits", bitsFor(lines))));
  return {
      .modules = {module},
      .equations =
          "Gou (2011), section 5.5.2. An instruction is known by the bits of its number; it is foreseen to need the banks as long as it "
          "did the last time. Least recently used instructions go.\n",
      .memoryBits = u64{lines} * (tagBits + bits)};
}

// The counter holds cycles until the banks are free; an access issues only when it is 0, as memory warps are masked before.
Package makeMask(const Values& values) {
  const u32 warps = values.number("warps"), bits = values.number("value-bits"), interval = values.number("interval");
  const u32 counterBits = bitsFor((u64{1} << bits) + interval);
  Module module("conflict_mask");
  module.clocked().input("ready", warps).input("memory", warps).input("issues_access").input("foreseen", bits);
  module.input("served").input("is_last").input("conflicts", bits);
  module.output("eligible", warps).output("needed", bits);
  module.body(fmt::format(R"(
logic [{counter}-1:0] until_free;
logic [{bits}-1:0] accumulator;
logic [{bits}:0] sum;
// An AND and a NAND gate a warp.
assign eligible = ready & ~(memory & {{{warps}{{until_free != '0}}}});
assign sum = {bits1}'(accumulator) + {bits1}'(conflicts);
assign needed = sum[{bits}] ? '1 : sum[{bits}-1:0];
always_ff @(posedge clk)
  if (reset) begin
    until_free <= '0;
    accumulator <= '0;
  end else begin
    if (issues_access) until_free <= {counter}'(foreseen) + {start};
    else if (until_free != '0) until_free <= until_free - {one};
    if (served) accumulator <= is_last ? '0 : needed;
  end
)",
                          fmt::arg("counter", counterBits), fmt::arg("bits", bits), fmt::arg("bits1", bits + 1), fmt::arg("warps", warps),
                          fmt::arg("start", literal(counterBits, interval - 1)), fmt::arg("one", literal(counterBits, 1))));
  return {
      .modules = {module},
      .equations =
          "Gou (2011), equations 5.6 and 5.7: after an access whose conflicts are foreseen, no memory instruction is eligible for as many "
          "cycles as its sub-warps need the banks. Conflicts of the sub-warps are added up for the history cache.\n"};
}

}  // namespace

Design conflictHistoryDesign() {
  return {"conflict-history",
          "the bank conflict history cache (Gou, section 5.5.2, table 5.3)",
          {{"sets", "sets, a power of two", "256", 2, 1024},
           {"ways", "ways", "2", 2, 8},
           {"pc-bits", "bits of an instruction's number", "14", 2, 30},
           {"value-bits", "bits of cycles, log2 of the warp size", "5", 1, 8}},
          makeHistory};
}

Design conflictMaskDesign() {
  return {"conflict-mask",
          "which warps may issue while an access occupies the banks, with its counters (Gou, figure 5.7, table 5.3)",
          {{"warps", "warps of an SM", "32", 1, 64},
           {"value-bits", "bits of cycles, log2 of the warp size", "5", 1, 8},
           {"interval", "sub-warps of a warp, cycles of an access without conflict", "4", 1, 32}},
          makeMask};
}

}  // namespace warpwright::rtl
