// The allocation logic of vector MSHRs, fully associative, plain or elastic with deferred reservation (Gou, section 6.4.2, figure 6.5,
// table 6.1). What the simulator keeps besides, stores that overtake loads, is not in the paper's circuit and not here.
#include <fmt/format.h>

#include <bit>
#include <stdexcept>

#include "rtl/designs/catalogue.hpp"
#include "rtl/logic.hpp"

namespace warpwright::rtl {
namespace {

// Tags split in two (figure 6.5b): the block's number in its hyper block of eight is compared under the mask of the hyper block's size.
constexpr u32 kOffsetBits = 3, kLoadBits = 3;

std::string compare(u32 entries, u32 bits, bool isElastic) {
  std::string text = fmt::format("always_comb\n  for (int e = 0; e < {}; e++) begin\n    is_free[e] = loads[e * {} +: {}] == '0;\n",
                                 entries, kLoadBits, kLoadBits);
  text += fmt::format("    is_same[e] = waiting[e] && tags[e * {0} +: {0}] == block;\n", bits);
  if (isElastic)
    text += fmt::format(
        "    covers[e] = hyper_fired[e] && tags[e * {0} + {1} +: {2}] == block[{0}-1:{1}] &&\n"
        "        ((tags[e * {0} +: {1}] ^ block[{1}-1:0]) & (3'b111 << sizes[e * 2 +: 2])) == '0;\n",
        bits, kOffsetBits, bits - kOffsetBits);
  return text + "  end";
}

Package make(const Values& values) {
  const u32 entries = values.number("entries"), bits = values.number("block-bits"), secondaries = values.number("secondaries");
  const bool isElastic = values.number("elastic") != 0;
  if (!std::has_single_bit(entries)) throw std::invalid_argument("entries must be a power of two");
  const u32 number = bitsFor(entries);
  Module module(isElastic ? "elastic_mshrs" : "vector_mshrs");
  module.clocked().input("load").input("block", bits);
  if (isElastic) module.input("hyper", 2);
  module.input("arrive").input("arrive_entry", number).input("release_load").input("release_entry", number);
  module.output("outcome", 3).output("entry", number);
  if (isElastic) module.output("packet", number);
  module.wire("tags", entries * bits).wire("waiting", entries).wire("loads", entries * kLoadBits);
  module.wire("is_free", entries).wire("is_same", entries).wire("free_entry", number).wire("same_entry", number);
  if (isElastic) {
    module.wire("sizes", entries * 2).wire("packets", entries * number).wire("hyper_fired", entries).wire("covers", entries);
    module.body(lowestSet("packet", "covers", entries));
  }
  module.body(compare(entries, bits, isElastic))
      .body(lowestSet("free_entry", "is_free", entries))
      .body(lowestSet("same_entry", "is_same", entries));
  module.assign("entry", "is_same != '0 ? same_entry : free_entry");
  module.body(fmt::format(
      R"(
// 0 primary, 1 secondary, 2 reservation; 3 no entry, 4 no place for a secondary load: the load waits.
always_comb
  if (is_same != '0) outcome = loads[same_entry * {loads} +: {loads}] < {most} ? 3'd1 : 3'd4;
  else if (is_free == '0) outcome = 3'd3;
  else outcome = {covered};
logic takes, allocates;
assign takes = load && outcome <= 3'd2;
assign allocates = load && (outcome == 3'd0 || outcome == 3'd2);
always_ff @(posedge clk)
  if (reset) begin
    waiting <= '0;
    loads <= '0;{resetElastic}
  end else begin
    for (int e = 0; e < {entries}; e++) begin
      if (takes && entry == {number}'(e)) loads[e * {loads} +: {loads}] <= loads[e * {loads} +: {loads}] + 3'd1;
      if (allocates && entry == {number}'(e)) begin
        tags[e * {bits} +: {bits}] <= block;
        waiting[e] <= 1'b1;{allocateElastic}
      end
      if (arrive && {arrival}) waiting[e] <= 1'b0;{arriveElastic}
      if (release_load && release_entry == {number}'(e)) loads[e * {loads} +: {loads}] <= loads[e * {loads} +: {loads}] - 3'd1;
    end
  end
)",
      fmt::arg("loads", kLoadBits), fmt::arg("most", literal(kLoadBits, secondaries)), fmt::arg("bits", bits),
      fmt::arg("covered", isElastic ? "covers != '0 ? 3'd2 : 3'd0" : "3'd0"),
      fmt::arg("resetElastic", isElastic ? "\n    hyper_fired <= '0;" : ""), fmt::arg("entries", entries), fmt::arg("number", number),
      fmt::arg("allocateElastic", isElastic ? fmt::format(R"(
        sizes[e * 2 +: 2] <= hyper;
        packets[e * {0} +: {0}] <= outcome == 3'd0 ? entry : packet;
        hyper_fired[e] <= outcome == 3'd0 && hyper != 2'd0;)",
                                                          number)
                                            : ""),
      fmt::arg("arrival",
               isElastic ? fmt::format("packets[e * {0} +: {0}] == arrive_entry", number) : fmt::format("arrive_entry == {}'(e)", number)),
      fmt::arg("arriveElastic",
               isElastic ? fmt::format("\n      if (arrive && arrive_entry == {}'(e)) hyper_fired[e] <= 1'b0;", number) : "")));
  return {
      .modules = {module},
      .equations =
          "Gou (2011), section 6.4. A load whose block an MSHR has is secondary. A load that a hyper block in flight covers reserves an "
          "MSHR and fires nothing. Any other is primary and fires a request for 2^hyper blocks. One of `load`, `arrive` and "
          "`release_load` in a cycle.\n"};
}

}  // namespace

Design vectorMshrsDesign() {
  return {"vector-mshrs",
          "allocation logic of vector MSHRs with deferred reservation (Gou, figure 6.5, table 6.1)",
          {{"entries", "MSHRs, a power of two", "64", 2, 64},
           {"block-bits", "bits of a block's number", "27", 4, 48},
           {"secondaries", "loads that wait in an MSHR", "2", 1, 7},
           {"elastic", "0: without hyper blocks, the baseline", "1", 0, 1}},
          make};
}

}  // namespace warpwright::rtl
