// Structures in the local store of an SPE with SAMS, field by field or each as a whole: the intrinsics and macros of Gou's table 4.4, and a
// type that says the same of a structure of C++.
//
// The macros take the SPU first; otherwise they are the thesis's, whose AOS_DMA_PET is a misprint of PUT and whose log2sizeof is a family,
// which the stride register's AGU computes: familyOf().
#pragma once

#include <cstddef>
#include <type_traits>

#include "spe/spu.hpp"

// NOLINTBEGIN(cppcoreguidelines-macro-usage): the interface that the thesis gives programs.
#define BEGIN_MULTI_VIEW(spu, structure) (spu).setstride(sizeof(structure))
#define SOA_GET(spu, base, offset) (spu).lqwsd(base, offset)
#define SOA_PUT(spu, base, offset, value) (spu).stqwsd(value, base, offset)
#define AOS_GET(spu, base, offset) (spu).lqwsfd(base, offset)
#define AOS_PUT(spu, base, offset, value) (spu).stqwsfd(value, base, offset)
#define AOS_DMA_GET(spu, local, main, size, tag, structure) \
  (spu).mfcGet(local, main, size, tag, ::warpwright::spe::familyOf(sizeof(structure) / sizeof(::warpwright::u32)))
#define AOS_DMA_PUT(spu, local, main, size, tag, structure) \
  (spu).mfcPut(local, main, size, tag, ::warpwright::spe::familyOf(sizeof(structure) / sizeof(::warpwright::u32)))
// NOLINTEND(cppcoreguidelines-macro-usage)

namespace warpwright::spe {

// An array of structures of words. The stride of an SPU is set where begin() says so, as it is one register for all arrays.
template <typename Structure>
class View {
  static_assert(std::is_standard_layout_v<Structure> && sizeof(Structure) % sizeof(u32) == 0, "structures are of whole words");

 public:
  // From this byte of the local store on.
  View(Spu& spu, u32 address) : spu_(spu), base_(spu.ila(address)) {}

  void begin() { spu_.setstride(sizeof(Structure)); }

  // A field of four structures from `first` on.
  template <typename Field>
  Quad field(Field Structure::*member, s32 first = 0) {
    return spu_.lqwsd(base_, offsetOf(member, first));
  }
  template <typename Field>
  void setField(Field Structure::*member, const Quad& values, s32 first = 0) {
    spu_.stqwsd(values, base_, offsetOf(member, first));
  }
  // Four words of a structure, from this one of its words on.
  Quad words(s32 structure, s32 word = 0) { return spu_.lqwsfd(base_, offsetOf(structure, word)); }
  void setWords(const Quad& values, s32 structure, s32 word = 0) { spu_.stqwsfd(values, base_, offsetOf(structure, word)); }

  // So many structures on.
  void advance(s32 structures) { base_ = spu_.ai(base_, structures * kBytes); }

 private:
  static constexpr auto kBytes = static_cast<s32>(sizeof(Structure));

  template <typename Field>
  static s32 offsetOf(Field Structure::*member, s32 structure) {
    static_assert(sizeof(Field) == sizeof(u32), "fields are words");
    const Structure example{};
    const auto* const field = reinterpret_cast<const std::byte*>(&(example.*member));
    return structure * kBytes + static_cast<s32>(field - reinterpret_cast<const std::byte*>(&example));
  }
  static s32 offsetOf(s32 structure, s32 word) { return structure * kBytes + word * static_cast<s32>(sizeof(u32)); }

  Spu& spu_;
  Quad base_;
};

}  // namespace warpwright::spe
