// How an access comes to a local store with SAMS: the stride control signals of table 4.1, from which the address generation unit (AGU)
// makes addresses and the address translation unit (ATU) a layout.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "spe/local_store.hpp"

namespace warpwright::spe {

// By their signals <use_stride_family, use_stride>.
enum class Port : u8 {
  normal = 0b00,      // narrow: neighbours, in no layout
  wide = 0b01,        // rows of all modules as they are: for transfers and fetches
  unitStride = 0b10,  // narrow: neighbours in the layout for a stride (a structure of an array)
  strided = 0b11,     // narrow: words a stride apart (a field of structures)
};
inline constexpr std::size_t kPorts = 4;
inline constexpr std::array<std::string_view, kPorts> kPortNames{"normal", "wide", "unit stride", "strided"};

constexpr bool usesStrideFamily(Port port) { return (static_cast<u8>(port) & 0b10) != 0; }
constexpr bool usesStride(Port port) { return (static_cast<u8>(port) & 0b01) != 0; }

// The words that an access reaches, and the layout in which the ATU looks for them.
struct PortAccess {
  Port port = Port::normal;
  std::array<u32, LocalStore::kLineWords> all{};
  u32 count = 0;
  Family family;
  bool isTranslated = true;  // false: AGU and ATU are bypassed

  std::span<const u32> words() const { return std::span(all).first(count); }
  PortAccess first(u32 some) const { return {port, all, some, family, isTranslated}; }
};

// What the signals make of the address of a word and of the processor's stride in words, which is not 0. The wide port reaches the whole
// line that the word is in.
PortAccess accessOf(Port port, u32 word, u32 strideWords);

}  // namespace warpwright::spe
