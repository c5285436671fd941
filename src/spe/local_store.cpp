#include "spe/local_store.hpp"

#include <algorithm>
#include <bit>
#include <warpwright/parallel_memory/sams.hpp>

namespace warpwright::spe {
namespace {

using parallel_memory::Address;
using parallel_memory::Cell;

constexpr u32 kQ = 2;
constexpr u32 kN = 16;  // 2^16 words

// SAMS puts the second half of a line into the next row where s > q (equations 3.2 and 3.3), and with it into a line that may belong to
// another array and have another layout. Here such families have Harper's exclusive-or inside each line: the family's own strides stay
// without conflict, and so do unit strides that do not cross a multiple of 2^s words.
class HarperInLines final : public parallel_memory::BankMap {
 public:
  explicit HarperInLines(u32 s) : BankMap({LocalStore::kModules, 2, Address{1} << kN}), s_(s) {}
  Cell cellOf(Address address) const override {
    return {parallel_memory::harperBank(address, kQ, s_), address >> (kQ + 1), static_cast<u32>(address >> kQ & 1)};
  }

 private:
  u32 s_;
};

std::unique_ptr<parallel_memory::BankMap> layoutFor(u32 s) {
  if (s > kQ) return std::make_unique<HarperInLines>(s);
  return std::make_unique<parallel_memory::Sams>(kQ, s, kN);
}

std::size_t indexOf(Family family) { return family ? std::min(*family, LocalStore::kFamilies - 1) : LocalStore::kFamilies; }

}  // namespace

u32 familyOf(u32 strideWords) { return strideWords == 0 ? 0 : static_cast<u32>(std::countr_zero(strideWords)); }

LocalStore::LocalStore() : cells_(kWords), writtenAs_(kWords, kUnwritten) {
  for (u32 s = 0; s < kFamilies; ++s) maps_[s] = layoutFor(s);
  maps_[kFamilies] = std::make_unique<parallel_memory::NotAStride>(kQ, Address{kWords});
}

const parallel_memory::BankMap& LocalStore::mapOf(Family family) const { return *maps_[indexOf(family)]; }

std::size_t LocalStore::cellOf(u32 word, Family family) const {
  const Cell cell = mapOf(family).cellOf(word % kWords);
  return cell.row * kLineWords + cell.bank * 2 + cell.offset;
}

u32 LocalStore::read(u32 word, Family family) {
  const std::size_t cell = cellOf(word, family);
  const u8 written = writtenAs_[cell];
  if (written != kUnwritten && written != indexOf(family)) ++mismatches_;
  return cells_[cell];
}

void LocalStore::write(u32 word, Family family, u32 value) {
  const std::size_t cell = cellOf(word, family);
  cells_[cell] = value;
  writtenAs_[cell] = static_cast<u8>(indexOf(family));
}

u32 LocalStore::cyclesFor(std::span<const u32> words, Family family) const {
  std::array<std::array<u64, kLineWords>, kModules> rows{};  // of each module, those that are needed
  std::array<u32, kModules> counts{};
  for (const u32 word : words.first(std::min<std::size_t>(words.size(), kLineWords))) {
    const Cell cell = mapOf(family).cellOf(word % kWords);
    const auto known = std::span(rows[cell.bank]).first(counts[cell.bank]);
    if (std::ranges::find(known, cell.row) == known.end()) rows[cell.bank][counts[cell.bank]++] = cell.row;
  }
  return std::max(1u, *std::ranges::max_element(counts));
}

}  // namespace warpwright::spe
