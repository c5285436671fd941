#include "mem/cache/tags.hpp"

namespace warpwright::mem {
namespace {

template <class Action>
void forEachSector(u32 sectors, Action action) {
  for (u32 sector = 0; sectors >> sector != 0; ++sector) {
    if ((sectors >> sector & 1) != 0) action(sector);
  }
}

}  // namespace

u32 Tags::addWritten(u32 frame, u32 sectors, const SectorBytes& bytes, u32 shift) {
  u32 full = 0;
  forEachSector(sectors, [&](u32 sector) {
    u32& known = written_[frame][sector];
    known |= bytes[sector - shift];
    if (known == ~u32{0}) full |= 1u << sector;
  });
  return full;
}

void Tags::forgetWritten(u32 frame, u32 sectors) {
  if (!keepsWritten_) return;
  forEachSector(sectors, [&](u32 sector) { written_[frame][sector] = 0; });
}

SectorBytes Tags::written(u32 frame, u32 sectors) const {
  SectorBytes result{};
  if (!keepsWritten_) return result;
  forEachSector(sectors, [&](u32 sector) { result[sector] = written_[frame][sector]; });
  return result;
}

}  // namespace warpwright::mem
