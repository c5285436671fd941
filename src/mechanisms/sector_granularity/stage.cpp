#include "mechanisms/sector_granularity/stage.hpp"

#include "sm/launch_plan.hpp"

namespace warpwright::mechanisms::sector_granularity {

u32 sectorsBeside(u32 sectors, u32 bytes, u32 lineBytes) {
  const u32 perBlock = bytes / mem::Request::kSectorBytes, block = (u32{1} << perBlock) - 1;
  u32 all = 0;
  for (u32 first = 0; first < lineBytes / mem::Request::kSectorBytes; first += perBlock) {
    if ((sectors >> first & block) != 0) all |= block << first;
  }
  return all & ~sectors;
}

bool Stage::takes(const sm::LineAccess& access) const {
  const mem::AccessType type = access.request.type;
  const bool isLoad = type == mem::AccessType::globalRead || type == mem::AccessType::localRead;
  return isLoad && access.route == sm::Route::l1Data;
}

// Of what another stage asks for, as far as it does not say for which launch, nothing is known. Launches may take turns, but rarely do.
u32 Stage::bytesOf(const sm::LineAccess& access) {
  if (access.plan == nullptr) return mem::Request::kSectorBytes;
  if (access.plan->id != launch_) {
    launch_ = access.plan->id;
    notes_ = access.plan->notes.find<Notes>();
  }
  if (notes_ == nullptr) return mem::Request::kSectorBytes;
  const mem::Request& request = access.request;
  return notes_->loads.bytesOf(request.origin, request.address, request.lineBytes, access.plan->request.launch->grid);
}

void Stage::accept(const sm::LineAccess& access, Cycle now) {
  mem::Request load = access.request;
  load.along = static_cast<u8>(sectorsBeside(load.sectors, bytesOf(access), load.lineBytes));
  ++stats_.loads;
  stats_.widened += load.along != 0;
  stats_.sectorsAsked += mem::sectorCount(load.sectors);
  stats_.sectorsAlong += mem::sectorCount(load.along);
  below_.pass({load, access.route, access.words, access.plan}, now);
}

}  // namespace warpwright::mechanisms::sector_granularity
