// Address generation and switches of memories with rows of two words (Gou, figure 3.8 and section 4.4.1).
#include <fmt/format.h>

#include "rtl/designs/memories.hpp"

namespace warpwright::rtl {

Module strideAgu(const WideMemory& memory, const std::string& name) {
  Module module(name);
  module.input("base", memory.n).input("stride", memory.n).output("addresses", memory.lanes() * memory.n);
  for (u32 lane = 0; lane < memory.lanes(); ++lane)
    module.assign(fmt::format("addresses[{} +: {}]", lane * memory.n, memory.n),
                  fmt::format("base + {} * stride", literal(memory.n, lane)));
  return module;
}

Module switchIn(const WideMemory& memory) {
  Module module("switch_in");
  const u32 lanes = memory.lanes(), cells = memory.cells(), rowBits = memory.rowBits();
  module.input("banks", lanes * memory.q).input("lane_rows", lanes * rowBits).input("offsets", lanes).input("write");
  module.input("data", lanes * memory.wordBits);
  module.output("rows", lanes * rowBits).output("enables", cells).output("to_memory", cells * memory.wordBits);
  module.body(fmt::format(R"(
logic is_bank, is_cell;
always_comb begin
  rows = '0;
  enables = '0;
  to_memory = '0;
  for (int lane = 0; lane < {lanes}; lane++)
    for (int bank = 0; bank < {lanes}; bank++) begin
      is_bank = banks[lane * {q} +: {q}] == {q}'(bank);
      rows[bank * {row} +: {row}] |= lane_rows[lane * {row} +: {row}] & {{{row}{{is_bank}}}};
      for (int offset = 0; offset < 2; offset++) begin
        is_cell = is_bank && offsets[lane] == 1'(offset);
        enables[bank * 2 + offset] |= write && is_cell;
        to_memory[(bank * 2 + offset) * {word} +: {word}] |= data[lane * {word} +: {word}] & {{{word}{{is_cell}}}};
      end
    end
end
)",
                          fmt::arg("lanes", lanes), fmt::arg("q", memory.q), fmt::arg("row", rowBits), fmt::arg("word", memory.wordBits)));
  return module;
}

Module switchOut(const WideMemory& memory) {
  Module module("switch_out");
  module.input("banks", memory.lanes() * memory.q).input("offsets", memory.lanes());
  module.input("from_memory", memory.cells() * memory.wordBits).output("lanes", memory.lanes() * memory.wordBits);
  module.body(fmt::format(R"(
logic is_cell;
always_comb begin
  lanes = '0;
  for (int lane = 0; lane < {lanes}; lane++)
    for (int cell_ = 0; cell_ < {cells}; cell_++) begin
      is_cell = {{banks[lane * {q} +: {q}], offsets[lane]}} == {cellBits}'(cell_);
      lanes[lane * {word} +: {word}] |= from_memory[cell_ * {word} +: {word}] & {{{word}{{is_cell}}}};
    end
end
)",
                          fmt::arg("lanes", memory.lanes()), fmt::arg("cells", memory.cells()), fmt::arg("q", memory.q),
                          fmt::arg("cellBits", memory.q + 1), fmt::arg("word", memory.wordBits)));
  return module;
}

Routed routeIn(const WideMemory& memory, const std::vector<parallel_memory::Cell>& cells, bool write, const Bits& data) {
  const u32 word = memory.wordBits, rowBits = memory.rowBits();
  Routed routed{Bits(memory.lanes() * rowBits), Bits(memory.cells()), Bits(memory.cells() * word)};
  for (u32 lane = 0; lane < cells.size(); ++lane) {
    const auto& [bank, row, offset] = cells[lane];
    const Field rowAt{bank * rowBits, rowBits}, wordAt{(bank * 2 + offset) * word, word};
    routed.rows.put(rowAt, routed.rows.get(rowAt) | row);
    if (write) routed.enables.put({bank * 2 + offset, 1}, 1);
    routed.toMemory.put(wordAt, routed.toMemory.get(wordAt) | data.get({lane * word, word}));
  }
  return routed;
}

Bits routeOut(const WideMemory& memory, const std::vector<parallel_memory::Cell>& cells, const Bits& fromMemory) {
  const u32 word = memory.wordBits;
  Bits lanes(static_cast<u32>(cells.size()) * word);
  for (u32 lane = 0; lane < cells.size(); ++lane)
    lanes.put({lane * word, word}, fromMemory.get({(cells[lane].bank * 2 + cells[lane].offset) * word, word}));
  return lanes;
}

}  // namespace warpwright::rtl
