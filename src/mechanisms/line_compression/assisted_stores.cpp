#include "mechanisms/line_compression/assisted_stores.hpp"

#include <algorithm>
#include <utility>

#include "mechanisms/line_compression/routines/layout.hpp"
#include "mechanisms/line_compression/routines/routines.hpp"
#include "mechanisms/line_compression/sm_side.hpp"

namespace warpwright::mechanisms::line_compression {
namespace {

constexpr u64 kRetry = 64;  // cycles

}  // namespace

AssistedStores::AssistedStores(const Settings& settings, u32 lineBytes, const StoreBufferPlace& place, const sm::StageContext& context,
                               std::shared_ptr<const sm::AssistanceLink> link, Statistics& statistics)
    : lineBytes_(lineBytes),
      wholeLine_((1u << lineBytes / mem::Request::kSectorBytes) - 1),
      mostWait_(settings.mostWait),
      codecs_(codecsOf(settings.codec)),
      bdiOrder_(settings.bdiOrder),
      routines_{routines::nameToCompress(compression::Codec::bdi), routines::nameToCompress(compression::Codec::fpc),
                routines::nameToCompress(compression::Codec::cPack)},
      below_(context.below),
      link_(std::move(link)),
      stats_(statistics),
      variants_(variantsOf(settings)),
      in_(place.in),
      sharedBytesPerSm_(place.sharedBytesPerSm),
      entries_(settings.smEntries) {
  if (in_ != StoreBuffer::l1 || settings.firstLevel != FirstLevel::whole) return;
  levelOne_.emplace(place.levelOne, mem::setsOf(place.levelOne), place.levelOne.ways, mem::Interleave{});
  context.cache.placeBy(*levelOne_);
}

// In shared memory it has what the blocks of the launch leave when as many as fit are there.
u64 AssistedStores::roomFor(const sm::LineAccess& access) const {
  if (in_ != StoreBuffer::shared || access.plan == nullptr) return entries_.size();
  const u64 taken = u64{access.plan->request.limits.residentBlocksPerSm} * access.plan->sharedPerBlock;
  return std::min<u64>(entries_.size(), (sharedBytesPerSm_ - std::min(taken, sharedBytesPerSm_)) / lineBytes_);
}

bool AssistedStores::takes(const sm::LineAccess& access) const {
  const mem::Request& request = access.request;
  return access.warp && request.type == mem::AccessType::globalWrite && request.lineBytes == lineBytes_ &&
         request.wholeSectors == wholeLine_ && access.words != nullptr && access.words->whole && isOfChosenKernel(access);
}

std::span<const std::byte> AssistedStores::lineOf(const Entry& entry) const {
  return std::as_bytes(std::span(entry.words->values)).first(lineBytes_);
}

void AssistedStores::giveForm(Entry& entry) const {
  entry.variants = variants_;
  entry.form = formOf(codecs_, lineOf(entry), variants_);
}

void AssistedStores::worked(u8 encoding) {
  if (bdiOrder_ == BdiOrder::last && codecOf(encoding) == compression::Codec::bdi) variants_.bdiFirst = bdiEncodingIn(encoding);
}

void AssistedStores::accept(const sm::LineAccess& access, Cycle now) {
  ++stats_.stores;
  if (!hasRoom(access)) {
    ++stats_.overflows;
    return below_.pass(access, now);
  }
  ++stats_.bufferedStores;
  const auto free = std::ranges::find(entries_, State::free, &Entry::state);
  *free = {State::waits, access.request, access.route, access.words, access.plan, *access.warp, now + mostWait_, {}, {}, free->turn + 1};
  giveForm(*free);
  ++inUse_;
  mayAsk_ = true;
}

// With the best codec for the line; choosing it takes no time (section 7.3). Where the routine can never run, the store goes on.
void AssistedStores::ask(u32 index, Cycle now) {
  Entry& entry = entries_[index];
  if (entry.variants != variants_) giveForm(entry);
  const compression::Codec codec = entry.form.encoding == 0 ? codecs_.front() : codecOf(entry.form.encoding);
  const std::string& routine = routines_[static_cast<std::size_t>(codec)];
  if (!link_->offered->knows(entry.warp, routine)) {
    ++stats_.unassistedStores;
    entry.state = State::due;
    return;
  }
  std::array<std::byte, routines::kBufferBytes> buffer{};
  std::ranges::copy(lineOf(entry), buffer.begin());
  buffer[routines::kFirstAt] = static_cast<std::byte>(entry.variants.bdiFirst);
  if (link_->offered->ask({entry.warp, routine, buffer, ticketOf(index), {}}, *this, now)) entry.state = State::asked;
}

void AssistedStores::assisted(u32 ticket, std::span<const std::byte> buffer, Cycle) {
  mayAsk_ = true;
  const u32 index = ticket % static_cast<u32>(entries_.size());
  Entry& entry = entries_[index];
  if (entry.state != State::asked || ticketOf(index) != ticket) return;
  entry.state = State::due;
  if (buffer.empty()) {
    ++stats_.unassistedStores;
    return;
  }
  ++stats_.compressions;
  if (entry.form.encoding == 0) return;
  const auto packed = compression::compress(codecOf(entry.form.encoding), lineOf(entry), entry.variants);
  ++stats_.comparedLines;
  const u32 at = routines::packedAt(entry.form.encoding, lineBytes_, entry.variants);
  stats_.wrongLines += !std::ranges::equal(buffer.subspan(at).first(packed->size()), *packed);
  entry.request.pieces = entry.form.pieces;
  entry.request.encoding = entry.form.encoding;
  worked(entry.form.encoding);
  ++stats_.compressedStores;
}

// What waits is asked for again when a routine of this part has ended, and now and then, as others may have ended too.
bool AssistedStores::tick(Cycle now) {
  if (inUse_ == 0) return false;
  bool changed = false;
  const bool mayAsk = std::exchange(mayAsk_, false) || now >= nextTry_;
  if (mayAsk) nextTry_ = now + kRetry;
  for (u32 index = 0; index < entries_.size(); ++index) {
    Entry& entry = entries_[index];
    if (entry.state == State::free) continue;
    const State before = entry.state;
    if (entry.state == State::waits && mayAsk) ask(index, now);
    if ((entry.state == State::waits || entry.state == State::asked) && now >= entry.patience) {
      ++stats_.unassistedStores;
      if (entry.state == State::asked) link_->offered->cancel(entry.warp, ticketOf(index), *this);
      entry.state = State::due;
    }
    if (entry.state == State::due && below_.canAccept(entry.access())) {
      below_.pass(entry.access(), now);
      entry.state = State::free;
      --inUse_;
    }
    changed |= entry.state != before;
  }
  return changed;
}

Cycle AssistedStores::nextUseful(Cycle now) const {
  Cycle next = kNever;
  for (const Entry& entry : entries_) {
    if (entry.state == State::free) continue;
    const Cycle useful = entry.state == State::due     ? now + 1
                         : entry.state == State::asked ? entry.patience
                                                       : std::min(nextTry_, entry.patience);
    next = std::min(next, useful);
  }
  if (mayAsk_) next = std::min(next, now + 1);
  return std::max(next, now + 1);
}

}  // namespace warpwright::mechanisms::line_compression
