// The path of a local store with SAMS in several layouts (Gou, sections 4.3.2 and 4.4, tables 4.1 and 4.4): a layout for each access, "not
// a stride" among them, and shuffles for a wide port that moves whole lines.
//
// Lines are 2^(q+1) words. SAMS puts the second half of a line into the next row where s > q (equations 3.2 and 3.3), so that a line would
// hold words of two lines, which may have two layouts, and no shuffle of one line could put it in order. As in the SPE of this project such
// families have Harper's exclusive-or inside each line.
#include <fmt/format.h>

#include <bit>
#include <memory>
#include <stdexcept>
#include <warpwright/parallel_memory/sams.hpp>

#include "rtl/designs/catalogue.hpp"
#include "rtl/designs/memories.hpp"
#include "rtl/logic.hpp"

namespace warpwright::rtl {
namespace {

namespace pm = parallel_memory;

struct Layout {
  u32 family = 0;
  bool isNas = false;
};

u32 familyBits(const WideMemory& memory) { return bitsFor(memory.n); }

pm::Cell cellOf(const WideMemory& memory, const Layout& layout, u64 address) {
  const auto [n, q, wordBits] = memory;
  const u64 row = address >> (q + 1);
  if (layout.isNas) return pm::NotAStride(q, u64{1} << n).cellOf(address);
  if (layout.family <= q) return pm::Sams(q, layout.family, n).cellOf(address);
  return {pm::harperBank(address, q, layout.family), row, static_cast<u32>(address >> q & 1)};
}

Module translation(const WideMemory& memory) {
  const auto [n, q, wordBits] = memory;
  Module module("local_store_atu");
  module.input("address", n).input("family", familyBits(memory)).input("nas");
  module.output("bank", q).output("row", memory.rowBits()).output("offset");
  const u32 layoutBits = familyBits(memory) + 1;
  module.wire("layout", layoutBits).assign("layout", "{nas, family}");
  const auto cell = [&](u64 layout, u64 address) {
    const bool isNas = layout >> (layoutBits - 1) != 0;
    return cellOf(memory, {static_cast<u32>(isNas ? 0 : layout), isNas}, address);
  };
  module.body(linear({"bank", "address", "layout", q, n, layoutBits}, [&](u64 layout, u64 address) { return cell(layout, address).bank; }));
  module.body(
      linear({"offset", "address", "layout", 1, n, layoutBits}, [&](u64 layout, u64 address) { return cell(layout, address).offset; }));
  return module.assign("row", fmt::format("address[{}:{}]", n - 1, q + 1));
}

// Table 4.1. The family of a stride is the number of zeros at its end; of stride 0 it is 0.
Module generation(const WideMemory& memory, const Module& strides) {
  Module module("local_store_agu");
  module.input("base", memory.n).input("stride", memory.n).input("use_stride").input("use_stride_family");
  module.output("addresses", memory.lanes() * memory.n).output("family", familyBits(memory));
  module.body(lowestSet("family", "stride", memory.n));
  module.wire("step", memory.n).assign("step", fmt::format("use_stride && use_stride_family ? stride : {}", literal(memory.n, 1)));
  return module.instance(strides, "strides", ".stride(step)");
}

// Cells of the words of a line, as wires `cell_WORD` of bank and offset.
void placeWords(Module& module, const WideMemory& memory, const Module& atu) {
  for (u32 word = 0; word < memory.cells(); ++word) {
    module.wire(fmt::format("cell_{}", word), memory.q + 1);
    module.instance(atu, fmt::format("word_{}", word),
                    fmt::format(".address({{row, {0}}}), .bank(cell_{1}[{2}:1]), .row(), .offset(cell_{1}[0])", literal(memory.q + 1, word),
                                word, memory.q));
  }
}

Module shuffle(const WideMemory& memory, const Module& atu, bool isRead) {
  const u32 bits = memory.cells() * memory.wordBits;
  Module module(isRead ? "post_read_shuffle" : "pre_write_shuffle");
  module.input("row", memory.rowBits()).input("family", familyBits(memory)).input("nas");
  module.input(isRead ? "line" : "wide", bits).output(isRead ? "wide" : "line", bits);
  placeWords(module, memory, atu);
  std::string text = "always_comb begin\n";
  if (!isRead) text += "  line = '0;\n";
  for (u32 word = 0; word < memory.cells(); ++word) {
    const std::string ours = fmt::format("wide[{} +: {}]", word * memory.wordBits, memory.wordBits);
    const std::string cell = fmt::format("line[cell_{} * {} +: {}]", word, memory.wordBits, memory.wordBits);
    text += isRead ? fmt::format("  {} = {};\n", ours, cell) : fmt::format("  {} = {};\n", cell, ours);
  }
  return module.body(text + "end");
}

struct Parts {
  Module strides, agu, atu, in, out, afterRead, beforeWrite;
};

Module wholePath(const WideMemory& memory, const Parts& parts) {
  const u32 lanes = memory.lanes(), lineBits = memory.cells() * memory.wordBits, rowBits = memory.rowBits();
  Module module("local_store");
  module.clocked().input("base", memory.n).input("stride", memory.n).input("use_stride").input("use_stride_family").input("nas_line");
  module.input("write").input("data", lanes * memory.wordBits).input("wide_data", lineBits).input("from_memory", lineBits);
  module.output("rows", lanes * rowBits).output("enables", memory.cells()).output("to_memory", lineBits);
  module.output("lanes", lanes * memory.wordBits).output("wide", lineBits);
  module.wire("addresses", lanes * memory.n).wire("family", familyBits(memory)).wire("nas").wire("is_wide");
  module.wire("banks", lanes * memory.q).wire("lane_rows", lanes * rowBits).wire("offsets", lanes);
  module.wire("narrow_rows", lanes * rowBits)
      .wire("narrow_enables", memory.cells())
      .wire("narrow_line", lineBits)
      .wire("wide_line", lineBits);
  module.wire("row", rowBits).assign("row", fmt::format("base[{}:{}]", memory.n - 1, memory.q + 1));
  module.assign("is_wide", "use_stride && !use_stride_family");
  module.assign("nas", "is_wide ? nas_line : !use_stride_family");
  module.instance(parts.agu, "agu", "");
  for (u32 lane = 0; lane < lanes; ++lane)
    module.instance(parts.atu, fmt::format("atu_{}", lane),
                    fmt::format(".address(addresses[{} +: {}]), .bank(banks[{} +: {}]), .row(lane_rows[{} +: {}]), .offset(offsets[{}])",
                                lane * memory.n, memory.n, lane * memory.q, memory.q, lane * rowBits, rowBits, lane));
  module.instance(parts.in, "in", ".rows(narrow_rows), .enables(narrow_enables), .to_memory(narrow_line)");
  module.instance(parts.beforeWrite, "before_write", ".wide(wide_data), .line(wide_line)");
  module.assign("rows", fmt::format("is_wide ? {{{}{{row}}}} : narrow_rows", lanes));
  module.assign("enables", fmt::format("is_wide ? {{{}{{write}}}} : narrow_enables", memory.cells()));
  module.assign("to_memory", "is_wide ? wide_line : narrow_line");
  module.wire("banks_read", lanes * memory.q).wire("offsets_read", lanes).wire("row_read", rowBits);
  module.wire("family_read", familyBits(memory)).wire("nas_read");
  module.body(R"(
// The banks answer in the next cycle.
always_ff @(posedge clk)
  if (reset) {banks_read, offsets_read, row_read, family_read, nas_read} <= '0;
  else {banks_read, offsets_read, row_read, family_read, nas_read} <= {banks, offsets, row, family, nas};
)");
  module.instance(parts.out, "out", ".banks(banks_read), .offsets(offsets_read)");
  return module.instance(parts.afterRead, "after_read", ".row(row_read), .family(family_read), .nas(nas_read), .line(from_memory)");
}

// What is kept until the banks answer.
struct Read {
  std::vector<pm::Cell> lanes, line;
};

std::vector<pm::Cell> lineCells(const WideMemory& memory, const Layout& layout, u64 row) {
  std::vector<pm::Cell> cells;
  for (u32 word = 0; word < memory.cells(); ++word) cells.push_back(cellOf(memory, layout, row << (memory.q + 1) | word));
  return cells;
}

class Model {
 public:
  Model(const WideMemory& memory, const Module& top) : memory_(memory), top_(top) {
    read_ = {std::vector<pm::Cell>(memory.lanes()), lineCells(memory, {}, 0)};
  }

  Bits operator()(const Bits& inputs) {
    const auto get = [&](std::string_view port) { return inputs.get(top_.field(port)); };
    const bool usesStride = get("use_stride") != 0, usesFamily = get("use_stride_family") != 0, isWide = usesStride && !usesFamily;
    const u64 base = get("base"), stride = get("stride"), step = usesStride && usesFamily ? stride : 1, mask = (u64{1} << memory_.n) - 1;
    const Layout layout{stride == 0 ? 0 : static_cast<u32>(std::countr_zero(stride)), isWide ? get("nas_line") != 0 : !usesFamily};
    const Bits fromMemory = inputs.slice(top_.field("from_memory"));
    Bits outputs(top_.outputBits());
    outputs.paste(top_.field("lanes").at, routeOut(memory_, read_.lanes, fromMemory));
    outputs.paste(top_.field("wide").at, routeOut(memory_, read_.line, fromMemory));
    read_.lanes.clear();
    for (u32 lane = 0; lane < memory_.lanes(); ++lane) read_.lanes.push_back(cellOf(memory_, layout, (base + lane * step) & mask));
    read_.line = lineCells(memory_, layout, base >> (memory_.q + 1));
    const Routed routed = isWide ? wideIn(base, get("write") != 0, inputs.slice(top_.field("wide_data")))
                                 : routeIn(memory_, read_.lanes, get("write") != 0, inputs.slice(top_.field("data")));
    outputs.paste(top_.field("rows").at, routed.rows);
    outputs.paste(top_.field("enables").at, routed.enables);
    outputs.paste(top_.field("to_memory").at, routed.toMemory);
    return outputs;
  }

 private:
  Routed wideIn(u64 base, bool write, const Bits& data) const {
    Routed routed = routeIn(memory_, {}, write, data);
    for (u32 bank = 0; bank < memory_.lanes(); ++bank)
      routed.rows.put({bank * memory_.rowBits(), memory_.rowBits()}, base >> (memory_.q + 1));
    for (u32 word = 0; word < memory_.cells(); ++word) {
      const u32 cell = read_.line[word].bank * 2 + read_.line[word].offset;
      if (write) routed.enables.put({cell, 1}, 1);
      routed.toMemory.put({cell * memory_.wordBits, memory_.wordBits}, data.get({word * memory_.wordBits, memory_.wordBits}));
    }
    return routed;
  }

  WideMemory memory_;
  Module top_;
  Read read_;
};

Package make(const Values& values) {
  const WideMemory memory{values.number("n"), values.number("q"), values.number("width")};
  if (memory.n < memory.q + 2) throw std::invalid_argument("n must be at least q + 2");
  const Module strides = strideAgu(memory, "stride_agu"), atu = translation(memory);
  const Parts parts{strides,
                    generation(memory, strides),
                    atu,
                    switchIn(memory),
                    switchOut(memory),
                    shuffle(memory, atu, true),
                    shuffle(memory, atu, false)};
  return {.modules = {strides, parts.agu, atu, parts.in, parts.out, parts.afterRead, parts.beforeWrite, wholePath(memory, parts)},
          .equations = R"(Gou (2011), sections 4.3.2 and 4.4.1. The row is `a >> (q+1)` in every layout. Bank and offset:

- "not a stride": `(a >> 1) mod 2^q` and `a[0]`
- families s from 0 to q: those of SAMS, equations 3.1 and 3.3
- families above q: Harper's `(a (x) T_H(q, s)) mod 2^q` and `a[q]`, inside the line

`use_stride_family`, `use_stride` (table 4.1): 00 words side by side, not a stride; 01 the wide port, a whole line through the shuffles; 10 words side
by side in the layout of the stride's family; 11 words a stride apart. The family is the number of zeros at the end of the stride.
)",
          .model = Model(memory, wholePath(memory, parts))};
}

}  // namespace

Design localStoreDesign() {
  return {
      "local-store",
      "a local store's path with a layout for each access, NaS, and shuffles of the wide port (Gou, figure 4.5)",
      {{"n", "logarithm of the words", "16", 3, 40}, {"q", "logarithm of the banks", "2", 1, 4}, {"width", "bits of a word", "32", 1, 64}},
      make};
}

}  // namespace warpwright::rtl
