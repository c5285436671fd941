#include "rtl/bits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright::rtl {

u64 Bits::get(Field field) const {
  u64 value = 0;
  for (u32 done = 0; done < field.width;) {
    const u32 at = field.at + done, now = std::min(32 - at % 32, field.width - done);
    value |= u64{words_[at / 32] >> at % 32 & static_cast<u32>((u64{1} << now) - 1)} << done;
    done += now;
  }
  return value;
}

void Bits::put(Field field, u64 value) {
  for (u32 done = 0; done < field.width;) {
    const u32 at = field.at + done, now = std::min(32 - at % 32, field.width - done);
    const u32 mask = static_cast<u32>((u64{1} << now) - 1);
    u32& word = words_[at / 32];
    word = (word & ~(mask << at % 32)) | (static_cast<u32>(value >> done) & mask) << at % 32;
    done += now;
  }
}

Bits Bits::slice(Field field) const {
  Bits part(field.width);
  for (u32 done = 0; done < field.width; done += 32) {
    const u32 now = std::min(32u, field.width - done);
    part.put({done, now}, get({field.at + done, now}));
  }
  return part;
}

void Bits::paste(u32 at, const Bits& part) {
  for (u32 done = 0; done < part.width(); done += 32) {
    const u32 now = std::min(32u, part.width() - done);
    put({at + done, now}, part.get({done, now}));
  }
}

std::string Bits::hex() const {
  std::string text;
  for (u32 digit = (width_ + 3) / 4; digit-- > 0;) text += fmt::format("{:x}", get({digit * 4, std::min(4u, width_ - digit * 4)}));
  return text;
}

}  // namespace warpwright::rtl
