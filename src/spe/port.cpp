#include "spe/port.hpp"

namespace warpwright::spe {
namespace {

PortAccess wideAccess(u32 word) {
  PortAccess access{.port = Port::wide, .count = LocalStore::kLineWords, .isTranslated = false};
  for (u32 i = 0; i < access.count; ++i) access.all[i] = word / access.count * access.count + i;
  return access;
}

}  // namespace

PortAccess accessOf(Port port, u32 word, u32 strideWords) {
  if (port == Port::wide) return wideAccess(word);
  PortAccess access{.port = port, .count = LocalStore::kModules};
  if (usesStrideFamily(port)) access.family = familyOf(strideWords);
  const u32 stride = usesStride(port) ? strideWords : 1;
  for (u32 i = 0; i < access.count; ++i) access.all[i] = word + i * stride;
  return access;
}

}  // namespace warpwright::spe
