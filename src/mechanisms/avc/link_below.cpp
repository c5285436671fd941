// What the link exchanges with the memory below: vectors, and sectors of encoded ones.
#include <algorithm>
#include <bit>
#include <utility>

#include "mechanisms/avc/link.hpp"
#include "mechanisms/avc/sectors.hpp"

namespace warpwright::mechanisms::avc {
namespace {

u64 bytesOf(u32 sectors) { return u64{mem::sectorCount(sectors)} * mem::Request::kSectorBytes; }

}  // namespace

// Whether the vector can be encoded is known when it has come; the values tell now who will keep it.
bool Link::miss(const Access& access, Cycle now) {
  if (Fetch* fetch = fetchOf(access.request.address)) {
    if (fetch->waiting.size() + 1 >= merges_) return false;
    if (!access.isReplay) ++stats_.merges;
    fetch->waiting.push_back(access);
    fetch->waiting.back().isReplay = true;
    return true;
  }
  const VectorEncoding data = encode(access);
  if (!data.succeeded) return handOver(access, stats_.genericMisses, now);
  Fetch* fetch = startFetch(access.request, now);
  if (!fetch) return false;
  fetch->mask = access.mask;
  fetch->data = data;
  if (!access.isReplay) ++stats_.fetches;
  return true;
}

// Words in the vector's place below come first. An access that overwrites them all goes on, unless others wait for them.
bool Link::needsPlace(const Access& access) {
  const GlobalAddress address = access.request.address;
  if (!compact_.isNeeded(address)) return false;
  return !supersedes(access) || fetchOf(compact_.lineOf(address), sectorOf(compact_.placeOf(address))) != nullptr;
}

bool Link::awaitPlace(const Access& access, Cycle now) {
  const GlobalAddress address = access.request.address;
  const bool isRead = !mem::isWrite(access.request.type);
  Fetch* fetch = fetchOf(compact_.lineOf(address), sectorOf(compact_.placeOf(address)));
  if (!fetch) fetch = fetchPlaces(access.request, now);
  if (!fetch || fetch->waiting.size() >= merges_) return false;
  if (isRead && !access.isReplay) ++stats_.below.reads;
  fetch->waiting.push_back(access);
  fetch->waiting.back().isReplay |= isRead;
  return true;
}

// The sector of the vector's place. Its other places come along if they are needed and their line here is the vector's own, so that all of
// them find room together. Null: as many fetches as can be are under way.
Link::Fetch* Link::fetchPlaces(const mem::Request& cause, Cycle now) {
  const GlobalAddress line = compact_.lineOf(cause.address);
  const u64 lineBytes = settings_.geometry.lineBytes();
  mem::Request request = cause;
  request.address = line;
  request.lineBytes = kVectorBytes;
  request.sectors = sectorOf(compact_.placeOf(cause.address));
  request.wholeSectors = 0;
  request.written = {};
  request.type = mem::AccessType::localRead;
  request.wantsResponse = true;
  Fetch* fetch = startFetch(request, now);
  if (!fetch) return nullptr;
  for (u32 place = 0; place < compact_.placesPerLine(); ++place) {
    const GlobalAddress other = compact_.vectorAt(line, place);
    const bool comes = sectorOf(place) == request.sectors && other / lineBytes == cause.address / lineBytes && compact_.isNeeded(other);
    fetch->places |= comes ? 1u << place : 0;
  }
  ++stats_.below.fetches;
  if (mem::isWrite(cause.type)) {
    ++stats_.below.fetchesForWrites;
  } else {
    stats_.below.bytesNotRead += cause.dataBytes() - request.dataBytes();
  }
  return fetch;
}

// Null: as many as can be are under way.
Link::Fetch* Link::startFetch(const mem::Request& request, Cycle now) {
  const auto fetch = std::find_if(fetches_.begin(), fetches_.end(), [](const Fetch& each) { return !each.used; });
  if (fetch == fetches_.end()) return nullptr;
  fetch->used = true;
  fetch->request = request;
  fetch->mask = 0;
  fetch->places = 0;
  ++fetching_;
  mem::Request sent = request;
  sent.id = static_cast<u32>(fetch - fetches_.begin());
  requests_.push(sent, now + missLatency_);
  return &*fetch;
}

Link::Fetch* Link::fetchOf(GlobalAddress address, u32 sectors) {
  if (fetching_ == 0) return nullptr;
  const auto isOf = [&](const Fetch& each) {
    return each.used && each.request.address == address && (each.request.sectors & sectors) != 0;
  };
  const auto found = std::find_if(fetches_.begin(), fetches_.end(), isOf);
  return found == fetches_.end() ? nullptr : &*found;
}

// Words written while they are on their way are newer than what comes.
void Link::forgetFetched(GlobalAddress address, WordMask written) {
  if (Fetch* fetch = fetchOf(address)) fetch->mask &= ~written;
}

void Link::fill(const mem::Request& response, Cycle now) {
  if (joint_) joint_->tick(now);
  Fetch& fetch = fetches_[response.id];
  const bool isOfPlaces = fetch.places != 0;
  if (isOfPlaces) {
    fillPlaces(fetch);
  } else {
    fillVector(fetch, now);
  }
  writeBackEvicted(now);
  const bool isFirstAnswered = isOfPlaces && answer(fetch.waiting.front(), now);
  for (std::size_t i = isFirstAnswered ? 1 : 0; i < fetch.waiting.size(); ++i) replays_.push(fetch.waiting[i]);
  fetch.waiting.clear();
  fetch.used = false;
  --fetching_;
}

// A vector that was written and evicted meanwhile lies below as a whole.
void Link::fillVector(const Fetch& fetch, Cycle now) {
  const GlobalAddress address = fetch.request.address;
  noteFetched(fetch.request);
  if (fetch.mask != 0 && !compact_.isNeeded(address)) avc_.fill(address, fetch.mask, fetch.data, evicted_);
  mem::Request response = fetch.request;
  response.isResponse = true;
  filled_.push(response, now + 1);
}

// The read for which places were fetched, if all its words came with them.
bool Link::answer(const Access& access, Cycle now) {
  const AffineVectorCache::Vector vector = avc_.vector(access.request.address);
  if (mem::isWrite(access.request.type) || (access.mask & ~vector.valid) != 0) return false;
  check(access, access.mask, vector.form);
  mem::Request response = access.request;
  response.isResponse = true;
  filled_.push(response, now + 1);
  return true;
}

void Link::fillPlaces(const Fetch& fetch) {
  for (u32 rest = fetch.places; rest != 0; rest &= rest - 1) {
    const GlobalAddress address = compact_.vectorAt(fetch.request.address, static_cast<u32>(std::countr_zero(rest)));
    if (!compact_.isNeeded(address)) continue;
    compact_.fetched(address, evicted_);
    ++stats_.below.vectorsFetched;
  }
}

mem::Request Link::takeMiss() {
  if (joint_) cache_.retry();  // it may wait for encoded lines to leave
  return requests_.take();
}

void Link::release(u64 line, Cycle now) {
  avc_.evictLine(GlobalAddress(line * settings_.geometry.lineBytes()), evicted_);
  writeBackEvicted(now);
}

void Link::writeBackEvicted(Cycle now) {
  for (const EvictedVector& vector : evicted_) {
    const bool isBelow = !vector.dirty && (vector.withLine || !compact_.holds(vector.address));
    if (isBelow || staysEncoded(vector)) {
      notePlace(vector, now);
    } else {
      writeDecoded(vector, now);
    }
  }
  writePlaces(now);
  evicted_.clear();
}

bool Link::staysEncoded(const EvictedVector& vector) {
  if (!vector.withLine || !compact_.isOn()) return false;
  if (compact_.keep(vector)) return true;
  ++stats_.below.sparseMasks;
  return false;
}

mem::Origin Link::takeWriter(GlobalAddress address) {
  const auto found = writers_.find(address);
  if (found == writers_.end()) return {};
  const mem::Origin writer = found->second;
  writers_.erase(found);
  return writer;
}

// Together with what the first-level cache has changed in it.
void Link::writeDecoded(const EvictedVector& vector, Cycle now) {
  compact_.forget(vector.address);
  const u32 changed = cache_.drop(vector.address, kAllSectors);
  mem::Request request;
  request.address = vector.address;
  request.lineBytes = kVectorBytes;
  request.sectors = sectorsWithAny(vector.valid) | changed;
  request.wholeSectors = sectorsWithAll(vector.valid) | changed;
  request.type = mem::AccessType::writeBack;
  request.wantsResponse = false;
  request.origin = takeWriter(vector.address);
  requests_.push(request, now + missLatency_);
  ++stats_.writeBacks;
  if (changed != 0) ++stats_.mergedWriteBacks;
}

// A vector that lies below encoded: its line is written when all of it is known.
void Link::notePlace(const EvictedVector& vector, Cycle now) {
  if (!compact_.holds(vector.address)) return;
  const GlobalAddress line = compact_.lineOf(vector.address);
  if (placeWrite_.line != line) writePlaces(now);
  placeWrite_.line = line;
  const u32 place = 1u << compact_.placeOf(vector.address);
  placeWrite_.known |= place;
  if (!vector.dirty) return;
  placeWrite_.changed |= place;
  placeWrite_.origin = takeWriter(vector.address);
  placeWrite_.decodedBytes += bytesOf(sectorsWithAny(vector.valid));
  ++stats_.below.vectorsWritten;
  stats_.below.vectorsHeld.observe(compact_.size());
}

// Of places that hold nothing it does not matter what is written.
void Link::writePlaces(Cycle now) {
  const PlaceWrite write = std::exchange(placeWrite_, {});
  if (write.changed == 0) return;
  mem::Request request;
  for (u32 place = 0; place < compact_.placesPerLine(); ++place) {
    if ((write.changed >> place & 1) != 0) request.sectors |= sectorOf(place);
  }
  request.wholeSectors = request.sectors;
  for (u32 place = 0; place < compact_.placesPerLine(); ++place) {
    const bool isKnown = (write.known >> place & 1) != 0 || !compact_.holds(compact_.vectorAt(write.line, place));
    if (!isKnown) request.wholeSectors &= ~sectorOf(place);
  }
  request.address = write.line;
  request.lineBytes = kVectorBytes;
  request.type = mem::AccessType::writeBack;
  request.wantsResponse = false;
  request.origin = write.origin;
  requests_.push(request, now + missLatency_);
  ++stats_.below.writeBacks;
  stats_.below.bytesNotWritten += write.decodedBytes - bytesOf(request.sectors);
}

}  // namespace warpwright::mechanisms::avc
