#include "mechanisms/affine_tags/tag.hpp"

#include <bit>
#include <vector>

#include "values/vector_class.hpp"

namespace warpwright::mechanisms::affine_tags {
namespace {

template <std::unsigned_integral Word>
bool keeps(Tag tag, const Word* lanes, LaneMask existing) {
  if (tag == Tag::generic) return true;
  const auto form = values::affineForm(lanes, existing);
  if (!form) return false;
  if (form->stride == 0) return true;
  return tag == Tag::affine && std::has_single_bit(form->stride);
}

bool halfKeeps(Tag tag, const u32* lanes, LaneMask existing, u32 shift) {
  if (tag == Tag::generic) return true;
  std::array<u16, kMaxWarpSize> half{};
  const u32 count = existing.greatest() + 1;
  for (u32 lane = 0; lane < count; ++lane) half[lane] = static_cast<u16>(lanes[lane] >> shift);
  return keeps(tag, half.data(), existing);
}

}  // namespace

bool holds(const RegisterTag& tag, const u32* lanes, LaneMask existing) {
  return keeps(tag.whole, lanes, existing) && halfKeeps(tag.low, lanes, existing, 0) && halfKeeps(tag.high, lanes, existing, 16);
}

bool isUniform(const u32* lanes, LaneMask existing) { return keeps(Tag::uniform, lanes, existing); }
bool isAffine(const u32* lanes, LaneMask existing) { return keeps(Tag::affine, lanes, existing); }

}  // namespace warpwright::mechanisms::affine_tags
