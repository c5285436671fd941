#include "mechanisms/avc/link.hpp"

#include <algorithm>
#include <bit>

namespace warpwright::mechanisms::avc {
namespace {

constexpr u32 kWordsPerSector = mem::Request::kSectorBytes / 4;
constexpr u32 kSectors = kWordsPerVector / kWordsPerSector;
constexpr u32 kAllSectors = (1u << kSectors) - 1;
constexpr u32 kSectorWords = (1u << kWordsPerSector) - 1;

// Sectors of which the mask has any word, and all words.
u32 sectorsWithAny(WordMask mask) {
  u32 sectors = 0;
  for (u32 sector = 0; sector < kSectors; ++sector) sectors |= (mask >> sector * kWordsPerSector & kSectorWords) != 0 ? 1u << sector : 0;
  return sectors;
}
u32 sectorsWithAll(WordMask mask) { return kAllSectors & ~sectorsWithAny(~mask); }

bool isGlobal(const mem::Request& request) {
  return request.type == mem::AccessType::globalRead || request.type == mem::AccessType::globalWrite;
}

}  // namespace

Link::Link(const Settings& settings, const config::Cache& levelOne, sm::L1Cache& cache)
    : settings_(settings),
      ports_(levelOne.ports),
      hitLatency_(levelOne.hitLatency),
      missLatency_(levelOne.missLatency),
      merges_(levelOne.mergesPerMshr),
      // A line that makes room, the vector that conflicts, and a fetch.
      mostEvictions_(settings.geometry.vectorsPerLine + 2),
      cache_(cache),
      avc_(settings.geometry),
      encoder_(settings.strideBits),
      input_(levelOne.inputQueue + settings.extraLatency * levelOne.ports),
      replays_(levelOne.mshrs * levelOne.mergesPerMshr),
      fetches_(levelOne.mshrs),
      hits_((levelOne.hitLatency + 1) * levelOne.ports),
      filled_(levelOne.mshrs),
      requests_(levelOne.missQueue + 2 * mostEvictions_) {}

bool Link::takes(const mem::Request& request) const {
  if (!settings_.isPresent()) return false;
  const bool isLocal = request.type == mem::AccessType::localRead || request.type == mem::AccessType::localWrite;
  return isLocal || (settings_.global && isGlobal(request));
}

void Link::accept(const mem::Request& request, const mem::WordAccess& words, Cycle now) {
  input_.push({request, &words, static_cast<WordMask>(words.mask), now.ticks + 1 + settings_.extraLatency});
  ++(mem::isWrite(request.type) ? stats_.writes : stats_.reads);
}

bool Link::tick(Cycle now) {
  bool progress = filled_.advance(now.ticks);
  for (u32 port = 0; port < ports_; ++port) {
    RingQueue<Access>& queue = replays_.empty() ? input_ : replays_;
    if (queue.empty() || queue.front().ready > now.ticks) break;
    Access access = queue.front();
    const WordMask before = access.mask;
    if (process(access, now.ticks)) {
      queue.pop();
    } else if (access.mask != before) {
      queue.front() = access;  // the rest has its turn at the next port
    } else {
      ++stats_.blocked;
      break;
    }
    progress = true;
  }
  progress |= hits_.advance(now.ticks);
  progress |= requests_.advance(now.ticks);
  return progress;
}

Cycle Link::nextUseful(Cycle now) const {
  u64 next = std::min({hits_.nextReady(), filled_.nextReady(), requests_.nextReady()});
  if (!input_.empty()) next = std::min(next, input_.front().ready);
  if (!replays_.empty()) next = now.ticks + 1;
  return {std::max(next, now.ticks + 1)};
}

bool Link::quiescent() const {
  return input_.empty() && replays_.empty() && hits_.empty() && filled_.empty() && requests_.empty() && fetching_ == 0;
}

// Vectors of global data are never dirty; those of private memory belong to threads that have ended, or, as on a machine without this
// cache, stay until their place is needed.
void Link::invalidate() { avc_.dropClean(); }

LinkStats Link::stats() const {
  LinkStats stats = stats_;
  stats.state = avc_.stats();
  return stats;
}

values::Encoding Link::encode(const Access& access) {
  if (!access.words->whole) return {};
  const values::Encoding encoding = encoder_.encode(access.words->values.data(), access.mask);
  if (encoding.outcome == values::Encoding::Outcome::sparseMask) ++stats_.sparseMasks;
  return encoding;
}

// False: it has to wait, or some of its words have been served and the others remain.
bool Link::process(Access& access, u64 now) {
  if (!hasRoomForEvictions() || hits_.full() || !cache_.canAccept(access.request)) return false;
  if (!mem::isWrite(access.request.type)) return read(access, now);
  return isGlobal(access.request) ? writeGlobal(access) : write(access, now);
}

bool Link::write(const Access& access, u64 now) {
  const u64 address = access.request.address;
  forgetFetched(address, access.mask);
  const bool isWhole = access.words->whole;
  const bool isHere = isWhole && avc_.write(address, access.mask, encode(access), evicted_);
  if (!isWhole) avc_.writePartly(address, access.mask, evicted_);
  writeBackEvicted(now);
  if (!isHere) return handOver(access, isWhole ? stats_.genericWrites : stats_.partialWrites, now);
  ++stats_.writesHere;
  dropSuperseded(address);
  mem::Request response = access.request;
  response.isResponse = true;
  if (response.wantsResponse) hits_.push(response, now + hitLatency_);
  return true;
}

// Global stores go below; what is here of their words is out of date.
bool Link::writeGlobal(const Access& access) {
  forgetFetched(access.request.address, access.mask);
  avc_.drop(access.request.address, access.mask);
  return handOver(access, stats_.genericWrites, 0);
}

bool Link::read(Access& access, u64 now) {
  if (access.isReplay) ++stats_.replays;
  const u64 address = access.request.address;
  // What the cache has of a vector is newer than memory: it fetches the rest of it itself.
  const auto found = avc_.read(address, access.mask, cache_.holds(address));
  if (found.source == Source::levelOne) return handOver(access, stats_.levelOneReads, now);
  if (found.source == Source::memory) return miss(access, now);
  check(*access.words, found.words, found.form);
  access.mask &= ~found.words;
  if (access.mask != 0) {
    if (!access.isReplay) ++stats_.partialHits;
    access.isReplay = true;
    return false;
  }
  if (!access.isReplay) ++stats_.hits;
  mem::Request response = access.request;
  response.isResponse = true;
  hits_.push(response, now + hitLatency_);
  return true;
}

// Whether the vector can be encoded is known when it has come; the values tell now who will keep it.
bool Link::miss(const Access& access, u64 now) {
  if (Fetch* fetch = fetchOf(access.request.address)) {
    if (fetch->waiting.size() + 1 >= merges_) return false;
    if (!access.isReplay) ++stats_.merges;
    fetch->waiting.push_back(access);
    fetch->waiting.back().isReplay = true;
    return true;
  }
  const values::Encoding data = encode(access);
  if (!data.succeeded()) return handOver(access, stats_.genericMisses, now);
  const auto place = std::find_if(fetches_.begin(), fetches_.end(), [](const Fetch& each) { return !each.used; });
  if (place == fetches_.end()) return false;
  place->used = true;
  place->request = access.request;
  place->mask = access.mask;
  place->data = data;
  ++fetching_;
  if (!access.isReplay) ++stats_.fetches;
  mem::Request request = access.request;
  request.id = static_cast<u32>(place - fetches_.begin());
  requests_.push(request, now + missLatency_);
  return true;
}

Link::Fetch* Link::fetchOf(u64 address) {
  if (fetching_ == 0) return nullptr;
  const auto isOf = [&](const Fetch& each) { return each.used && each.request.address == address; };
  const auto found = std::find_if(fetches_.begin(), fetches_.end(), isOf);
  return found == fetches_.end() ? nullptr : &*found;
}

// Words written while they are on their way are newer than what comes.
void Link::forgetFetched(u64 address, WordMask written) {
  if (Fetch* fetch = fetchOf(address)) fetch->mask &= ~written;
}

void Link::fill(const mem::Request& response, Cycle now) {
  Fetch& fetch = fetches_[response.id];
  const u64 address = fetch.request.address;
  if (fetch.mask != 0) avc_.fill(address, fetch.mask, fetch.data, evicted_);
  writeBackEvicted(now.ticks);
  mem::Request answer = fetch.request;
  answer.isResponse = true;
  filled_.push(answer, now.ticks + 1);
  for (Access& each : fetch.waiting) replays_.push(each);
  fetch.waiting.clear();
  fetch.used = false;
  --fetching_;
}

bool Link::handOver(const Access& access, u64& count, u64 now) {
  if (!access.isReplay) ++count;
  cache_.accept(access.request, {now});
  return true;
}

void Link::check(const mem::WordAccess& words, WordMask mask, const values::CompactForm& form) {
  if (!words.whole) return;
  for (WordMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto word = static_cast<u32>(std::countr_zero(rest));
    if (words.values[word] != form.at(word)) ++stats_.wrongWords;
  }
}

// Sectors whose words are all valid here serve no one any more.
void Link::dropSuperseded(u64 address) {
  const u32 sectors = sectorsWithAll(avc_.vector(address).valid);
  if (sectors == 0) return;
  stats_.superseded += static_cast<u64>(std::popcount(cache_.drop(address, sectors)));
}

// A vector leaves together with what the first-level cache has changed in it.
void Link::writeBackEvicted(u64 now) {
  for (const EvictedVector& vector : evicted_) {
    if (!vector.dirty) continue;
    const u32 changed = cache_.drop(vector.address, kAllSectors);
    mem::Request request;
    request.address = vector.address;
    request.lineBytes = kVectorBytes;
    request.sectors = sectorsWithAny(vector.valid) | changed;
    request.wholeSectors = sectorsWithAll(vector.valid) | changed;
    request.type = mem::AccessType::writeBack;
    request.wantsResponse = false;
    requests_.push(request, now + missLatency_);
    ++stats_.writeBacks;
    if (changed != 0) ++stats_.mergedWriteBacks;
  }
  evicted_.clear();
}

}  // namespace warpwright::mechanisms::avc
