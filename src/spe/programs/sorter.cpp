#include "spe/programs/sorter.hpp"

namespace warpwright::spe {

Quad Sorter::shuffle(const Quad& first, const Quad& second, const std::array<u32, 4>& lanes) {
  const auto [found, isNew] = patterns_.try_emplace(lanes);
  if (isNew) found->second = spu_.pattern(wordPattern(lanes[0], lanes[1], lanes[2], lanes[3]));
  return spu_.shufb(first, second, found->second);
}

Quad Sorter::gather(const std::vector<Quad>& quads, const std::array<u32, 4>& wanted) {
  Quad result = quads[wanted[0] / 4];
  std::array<u32, 4> from{};  // the lane of `result` that has it
  for (u32 i = 0; i < 4; ++i) from[i] = wanted[i] % 4;
  for (u32 begin = 0; begin < 4;) {
    u32 end = begin + 1;
    while (end < 4 && wanted[end] / 4 == wanted[begin] / 4) ++end;
    if (begin > 0) {
      std::array<u32, 4> lanes{};
      for (u32 i = 0; i < end; ++i) lanes[i] = i < begin ? from[i] : 4 + wanted[i] % 4;
      result = shuffle(result, quads[wanted[begin] / 4], lanes);
      for (u32 i = 0; i < 4; ++i) from[i] = i;
    }
    begin = end;
  }
  return result;
}

std::array<Quad, 4> Sorter::transpose(const std::array<Quad, 4>& rows) {
  constexpr std::array<u32, 4> kLow{0, 4, 1, 5}, kHigh{2, 6, 3, 7};
  const Quad even0 = shuffle(rows[0], rows[2], kLow), odd0 = shuffle(rows[1], rows[3], kLow);
  const Quad even1 = shuffle(rows[0], rows[2], kHigh), odd1 = shuffle(rows[1], rows[3], kHigh);
  return {shuffle(even0, odd0, kLow), shuffle(even0, odd0, kHigh), shuffle(even1, odd1, kLow), shuffle(even1, odd1, kHigh)};
}

}  // namespace warpwright::spe
