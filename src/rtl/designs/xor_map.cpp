// Any bank map that is linear over GF(2), as a network of exclusive-or gates.
#include <fmt/format.h>

#include <bit>
#include <stdexcept>
#include <warpwright/parallel_memory/schemes.hpp>

#include "rtl/designs/catalogue.hpp"
#include "rtl/logic.hpp"

namespace warpwright::rtl {
namespace {

namespace pm = parallel_memory;

struct Widths {
  u32 address = 0, bank = 0, row = 0;
};

// Bank, row and offset of a word as one number; lines of two words.
u64 packed(const pm::Cell& cell, const Widths& widths) {
  return cell.bank | cell.row << widths.bank | u64{cell.offset} << (widths.bank + widths.row);
}

void requireLinear(const pm::BankMap& map, const Widths& widths, const std::string& name) {
  std::vector<u64> columns;
  for (u32 bit = 0; bit < widths.address; ++bit) columns.push_back(packed(map.cellOf(u64{1} << bit), widths));
  for (u64 address = 0; address < map.words(); ++address) {
    u64 sum = 0;
    for (u64 rest = address; rest != 0; rest &= rest - 1) sum ^= columns[static_cast<u32>(std::countr_zero(rest))];
    if (sum != packed(map.cellOf(address), widths))
      throw std::invalid_argument(fmt::format("{} is not linear over GF(2): the cell of word {} is no exclusive-or", name, address));
  }
}

Package make(const Values& values) {
  const std::string& name = values.text("map");
  const std::shared_ptr<const pm::BankMap> map = pm::makeBankMap(name, {});
  if (!std::has_single_bit(map->words()) || !std::has_single_bit(map->banks()) || map->banks() < 2 || map->words() > 1 << 20)
    throw std::invalid_argument("the map must have powers of two of banks, two or more, and of words, 2^20 or fewer");
  const u32 n = static_cast<u32>(std::countr_zero(map->words())), banks = static_cast<u32>(std::countr_zero(map->banks()));
  if (n <= banks + map->lineWords() - 1) throw std::invalid_argument("the map must have several rows");
  const Widths widths{n, banks, n - banks - (map->lineWords() - 1)};
  requireLinear(*map, widths, name);

  Module module("xor_map");
  module.input("address", n).output("bank", widths.bank).output("row", widths.row);
  const auto part = [&](std::string_view to, u32 bits, u32 shift) {
    for (u32 bit = 0; bit < bits; ++bit) {
      u64 mask = 0;
      for (u32 in = 0; in < n; ++in) mask |= (packed(map->cellOf(u64{1} << in), widths) >> (shift + bit) & 1) << in;
      module.assign(bits == 1 ? std::string(to) : fmt::format("{}[{}]", to, bit), xorOf("address", mask));
    }
  };
  part("bank", widths.bank, 0);
  part("row", widths.row, widths.bank);
  if (map->lineWords() == 2) {
    module.output("offset");
    part("offset", 1, widths.bank + widths.row);
  }
  const u32 outputBits = module.outputBits();
  return {.modules = {module},
          .equations = fmt::format("The map `{}`: each bit of bank, row and offset is the exclusive-or of bits of the address.\n", name),
          .model = [=](const Bits& inputs) {
            Bits outputs(outputBits);
            outputs.put({0, outputBits}, packed(map->cellOf(inputs.get({0, n})), widths));
            return outputs;
          }};
}

}  // namespace

Design xorMapDesign() {
  return {"xor-map",
          "a bank map that is linear over GF(2), as exclusive-or gates (docs/bank-maps.md)",
          {{"map", "a map as `warpwright banks --scheme` takes it, such as matrix:0x9,0x12", "harper:q=3,s=4,n=12"}},
          make};
}

}  // namespace warpwright::rtl
