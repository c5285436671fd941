#include "mechanisms/avc/link.hpp"

#include <algorithm>
#include <bit>

#include "mechanisms/avc/sectors.hpp"

namespace warpwright::mechanisms::avc {
namespace {

bool isOfOneBlock(const mem::Origin& a, const mem::Origin& b) { return a.launch == b.launch && a.block == b.block; }

bool isGlobal(const mem::Request& request) {
  return request.type == mem::AccessType::globalRead || request.type == mem::AccessType::globalWrite;
}

}  // namespace

Link::Link(const Settings& settings, const config::Cache& levelOne, const sm::StageContext& context)
    : settings_(settings),
      ports_(levelOne.ports),
      hitLatency_(levelOne.hitLatency),
      missLatency_(levelOne.missLatency),
      merges_(levelOne.mergesPerMshr),
      // A line that makes room, the vector that conflicts, and a fetch.
      mostEvictions_(settings.geometry.vectorsPerLine + 2),
      cache_(context.cache),
      below_(context.below),
      joint_(joinTags(levelOne)),
      avc_(settings.geometry, joint_ ? joint_->ofVectors() : std::make_unique<OwnPlacement>(settings.geometry)),
      compact_(avc_, settings.geometry),
      encoder_(settings.strideBits, settings.geometry.subVectors),
      input_(levelOne.inputQueue + settings.extraLatency * levelOne.ports),
      replays_(levelOne.mshrs * levelOne.mergesPerMshr),
      fetches_(levelOne.mshrs),
      hits_((levelOne.hitLatency + 1) * levelOne.ports),
      filled_(levelOne.mshrs),
      requests_(levelOne.missQueue + 2 * mostEvictions_) {}

std::unique_ptr<JointTags> Link::joinTags(const config::Cache& levelOne) {
  if (!settings_.isPresent() || !settings_.geometry.jointTags) return nullptr;
  const JointTags::Owner owner{.canRelease = [this] { return hasRoomForEvictions(); },
                               .release = [this](u64 line, Cycle now) { release(line, now); }};
  auto joint = std::make_unique<JointTags>(settings_.geometry, levelOne, cache_, owner);
  cache_.placeBy(joint->ofLevelOne());
  return joint;
}

bool Link::takes(const sm::LineAccess& access) const {
  if (!settings_.isPresent() || access.route != sm::Route::l1Data || access.words == nullptr) return false;
  const mem::Request& request = access.request;
  const bool isLocal = request.type == mem::AccessType::localRead || request.type == mem::AccessType::localWrite;
  return isLocal || (settings_.global && isGlobal(request));
}

void Link::accept(const sm::LineAccess& access, Cycle now) {
  const mem::Request& request = access.request;
  input_.push({request, access.words, static_cast<WordMask>(access.words->mask), now + 1 + settings_.extraLatency});
  ++(mem::isWrite(request.type) ? stats_.writes : stats_.reads);
}

bool Link::tick(Cycle now) {
  if (joint_) joint_->tick(now);
  bool progress = filled_.advance(now);
  for (u32 port = 0; port < ports_; ++port) {
    RingQueue<Access>& queue = replays_.empty() ? input_ : replays_;
    if (queue.empty() || queue.front().ready > now) break;
    Access access = queue.front();
    const WordMask before = access.mask;
    if (process(access, now)) {
      queue.pop();
    } else if (access.mask != before) {
      queue.front() = access;  // the rest has its turn at the next port
    } else {
      ++stats_.blocked;
      break;
    }
    progress = true;
  }
  progress |= hits_.advance(now);
  progress |= requests_.advance(now);
  return progress;
}

Cycle Link::nextUseful(Cycle now) const {
  Cycle next = std::min({hits_.nextReady(), filled_.nextReady(), requests_.nextReady()});
  if (!input_.empty()) next = std::min(next, input_.front().ready);
  if (!replays_.empty()) next = now + 1;
  return std::max(next, now + 1);
}

bool Link::quiescent() const {
  return input_.empty() && replays_.empty() && hits_.empty() && filled_.empty() && requests_.empty() && fetching_ == 0;
}

// Vectors of global data are never dirty; those of private memory belong to threads that have ended, or, as on a machine without this
// cache, stay until their frame is needed.
void Link::invalidate() {
  avc_.dropClean();
  compact_.clear();
}

LinkStats Link::stats() const {
  LinkStats stats = stats_;
  stats.state = avc_.stats();
  if (joint_) stats.joint = joint_->stats();
  return stats;
}

VectorEncoding Link::encode(const Access& access) {
  if (!access.words->whole) return {};
  const VectorEncoding encoding = encoder_.encode(access.words->values.data(), access.mask);
  if (encoding.isSparse) ++stats_.sparseMasks;
  return encoding;
}

// False: it has to wait, or some of its words have been served and the others remain.
bool Link::process(Access& access, Cycle now) {
  if (!canEvict() || hits_.full() || !below_.canAccept(access.line())) return false;
  if (needsPlace(access)) return awaitPlace(access, now);
  if (!mem::isWrite(access.request.type)) return read(access, now);
  return isGlobal(access.request) ? writeGlobal(access, now) : write(access, now);
}

bool Link::write(const Access& access, Cycle now) {
  const GlobalAddress address = access.request.address;
  forgetFetched(address, access.mask);
  writers_[address] = access.request.origin;
  const bool isWhole = access.words->whole;
  const bool isHere = isWhole && avc_.write(address, access.mask, encode(access), evicted_);
  if (!isWhole) avc_.writePartly(address, access.mask, evicted_);
  writeBackEvicted(now);
  if (!isHere) compact_.writtenBeside(address);
  if (!isHere) return handOver(access, isWhole ? stats_.genericWrites : stats_.partialWrites, now);
  ++stats_.writesHere;
  dropSuperseded(address);
  mem::Request response = access.request;
  response.isResponse = true;
  if (response.wantsResponse) hits_.push(response, now + hitLatency_);
  return true;
}

// Global stores go below; what is here of their words is out of date.
bool Link::writeGlobal(const Access& access, Cycle now) {
  forgetFetched(access.request.address, access.mask);
  avc_.drop(access.request.address, access.mask);
  return handOver(access, stats_.genericWrites, now);
}

bool Link::read(Access& access, Cycle now) {
  if (access.isReplay) ++stats_.replays;
  const GlobalAddress address = access.request.address;
  // What the cache has of a vector is newer than memory: it fetches the rest of it itself.
  const auto found = avc_.read(address, access.mask, cache_.holds(address));
  if (found.source == Source::levelOne) return handOver(access, stats_.levelOneReads, now);
  if (found.source == Source::memory) return miss(access, now);
  check(access, found.words, found.form);
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

bool Link::handOver(const Access& access, u64& count, Cycle now) {
  if (!access.isReplay) ++count;
  below_.pass(access.line(), now);
  return true;
}

// Private memory of threads that have ended is left to those that come to their slot. A thread that reads it reads what it never wrote: the
// program has no value there, and what the functional machine has is another than what is here.
bool Link::isOfOthers(const mem::Request& request) const {
  if (isGlobal(request)) return false;
  const auto found = writers_.find(request.address);
  return found != writers_.end() && !isOfOneBlock(found->second, request.origin);
}

void Link::check(const Access& access, WordMask mask, const VectorForm& form) {
  const mem::WordAccess& words = *access.words;
  if (!words.whole || isOfOthers(access.request)) return;
  for (WordMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto word = static_cast<u32>(std::countr_zero(rest));
    if (words.values[word] != form.at(word)) ++stats_.wrongWords;
  }
}

// Whose a vector is from now on, unless its block has written to it.
void Link::noteFetched(const mem::Request& request) {
  if (isGlobal(request)) return;
  const auto [writer, isNew] = writers_.try_emplace(request.address, request.origin);
  if (!isNew && !isOfOneBlock(writer->second, request.origin)) writer->second = request.origin;
}

// Sectors whose words are all valid here serve no one any more.
void Link::dropSuperseded(GlobalAddress address) {
  const u32 sectors = sectorsWithAll(avc_.vector(address).valid);
  if (sectors == 0) return;
  stats_.superseded += static_cast<u64>(std::popcount(cache_.drop(address, sectors)));
}

}  // namespace warpwright::mechanisms::avc
