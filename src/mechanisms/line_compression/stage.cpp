#include "mechanisms/line_compression/stage.hpp"

#include <algorithm>

namespace warpwright::mechanisms::line_compression {
namespace {

using mem::AccessType;
using mem::Request;

// No SM has this number: what the stage asks for itself.
constexpr u16 kOwn = 0xffff;
// Of such requests: of metadata, for the entry that asked first; else the entry that reads its line.
constexpr u32 kOfMetadata = 1u << 31;

bool isOwn(const Request& request) { return request.origin.sm == kOwn; }

}  // namespace

Stage::Stage(const Settings& settings, u32 lineBytes, LineSizes& sizes, const MetadataAddresses& addresses, Statistics& statistics)
    : reach_(settings.reach),
      compressesWrites_(settings.reach == Reach::memory || settings.secondLevel == SecondLevel::whole),
      lineBytes_(lineBytes),
      wholeLine_((1u << lineBytes / Request::kSectorBytes) - 1),
      compressLatency_(settings.compressLatency),
      decompressLatency_(settings.decompressLatency),
      sizes_(sizes),
      addresses_(addresses),
      stats_(statistics),
      metadata_(settings.metadataBytes, settings.metadataWays),
      entries_(settings.entries),
      down_(4 * settings.entries),
      up_(settings.entries),
      decompressed_(settings.entries) {
  inUse_.reserve(settings.entries);
}

// Beside the requests that it was handed, each entry may send three of the stage's own: for metadata, for what makes room for them, and for
// the rest of the line. Room is kept for these, so that nothing on the way up ever waits for it.
bool Stage::canAccept(const Request& request) const {
  if (inUse_.size() == entries_.size() || down_.size() >= entries_.size()) return false;
  const auto isOfLine = [&](u32 index) { return lineOf(entries_[index].request) == lineOf(request); };
  return std::none_of(inUse_.begin(), inUse_.end(), isOfLine);
}

void Stage::accept(const Request& request, L2Tick now) {
  const auto free = std::find_if(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.state == State::free; });
  const u32 index = static_cast<u32>(free - entries_.begin());
  inUse_.push_back(index);
  *free = {.request = request, .state = State::awaitsMetadata, .block = addresses_.blockOf(lineOf(request))};
  ++(isWrite(request.type) ? stats_.writes : stats_.reads);
  if (metadata_.holds(free->block)) {
    ++stats_.metadata.hits;
    sizeKnown(index, now);
  } else {
    askForMetadata(index);
  }
  sendDue(now);
}

void Stage::askForMetadata(u32 index) {
  const BlockId block = entries_[index].block;
  const bool isAsked = std::any_of(inUse_.begin(), inUse_.end(), [&](u32 other) {
    return other != index && entries_[other].state == State::awaitsMetadata && entries_[other].block == block;
  });
  if (isAsked) {
    ++stats_.metadata.merged;
    return;
  }
  ++stats_.metadata.misses;
  down_.push(own(addresses_.addressOf(block), AccessType::globalRead, kMetadataBlockBytes, kOfMetadata | index));
}

Request Stage::own(GlobalAddress address, AccessType type, u32 bytes, u32 id) const {
  Request request;
  request.address = address;
  request.lineBytes = bytes;
  request.sectors = (1u << bytes / Request::kSectorBytes) - 1;
  request.wholeSectors = request.sectors;
  request.type = type;
  request.wantsResponse = !isWrite(type);
  request.origin.sm = kOwn;
  request.id = id;
  return request;
}

void Stage::metadataCame(BlockId block, L2Tick now) {
  if (const std::optional<BlockId> written = metadata_.fill(block)) {
    ++stats_.metadata.writeBacks;
    down_.push(own(addresses_.addressOf(*written), AccessType::writeBack, kMetadataBlockBytes, 0));
  }
  for (const u32 index : inUse_)
    if (entries_[index].state == State::awaitsMetadata && entries_[index].block == block) sizeKnown(index, now);
}

void Stage::sizeKnown(u32 index, L2Tick now) {
  Entry& entry = entries_[index];
  entry.state = State::due;
  entry.due = now;
  const bool isWriting = isWrite(entry.request.type);
  if (isWriting && !isWhole(entry.request)) ++stats_.partialWrites;
  if (!sizes_.isKnown(lineOf(entry.request))) {
    ++stats_.foreign;
    return;
  }
  if (!isWriting) return read(entry);
  isWhole(entry.request) ? writeLine(entry, now) : writePart(entry, index);
}

void Stage::read(Entry& entry) {
  const Form form = sizes_.formOf(lineOf(entry.request));
  if (form.pieces == sizes_.mostPieces()) return;
  entry.request.pieces = form.pieces;
  entry.request.encoding = form.encoding;
  ++stats_.compressedReads;
}

void Stage::writePart(Entry& entry, u32 index) {
  const GlobalAddress line = lineOf(entry.request);
  const u8 pieces = sizes_.formOf(line).pieces;
  if (pieces == sizes_.mostPieces()) return;
  ++stats_.mergedWrites;
  entry.state = State::awaitsLine;
  Request rest = own(line, AccessType::globalRead, lineBytes_, index);
  rest.pieces = pieces;
  stats_.pieces += pieces;
  down_.push(rest);
}

void Stage::writeLine(Entry& entry, L2Tick now) {
  const GlobalAddress line = lineOf(entry.request);
  const u32 before = sizes_.formOf(line).pieces, most = sizes_.mostPieces();
  Form form{entry.request.pieces, entry.request.encoding};
  if (form.pieces == 0) form = {static_cast<u8>(most), 0};
  entry.state = State::due;
  entry.due = now;
  if (compressesWrites_) {
    form = sizes_.compress(line);
    stats_.compressedInHardware();
    entry.due = now + compressLatency_;
  }
  sizes_.keep(line, form);
  if (form.pieces != before) {
    ++stats_.metadata.changed;
    metadata_.change(entry.block);
  }
  // A part that was merged goes down with the rest of its line.
  entry.request.pieces = form.pieces != most || !isWhole(entry.request) ? form.pieces : u8{0};
  entry.request.encoding = form.encoding;
  stats_.compressedWrites += form.pieces != most ? 1 : 0;
}

bool Stage::sendDue(L2Tick now) {
  bool any = false;
  for (std::size_t i = 0; i < inUse_.size() && down_.size() < entries_.size();) {
    Entry& entry = entries_[inUse_[i]];
    if (entry.state != State::due || entry.due > now) {
      ++i;
      continue;
    }
    send(entry);
    inUse_.erase(inUse_.begin() + static_cast<std::ptrdiff_t>(i));
    any = true;
  }
  return any;
}

void Stage::send(Entry& entry) {
  const u32 asked = mem::sectorCount(entry.request.sectors);
  stats_.uncompressedPieces += asked;
  stats_.pieces += entry.request.pieces != 0 ? entry.request.pieces : asked;
  down_.push(entry.request);
  entry.state = State::free;
}

Request Stage::takeMiss() {
  const Request request = down_.front();
  down_.pop();
  return request;
}

bool Stage::canFill(const Request& response) const { return isOwn(response) || (!up_.full() && !decompressed_.full()); }

void Stage::fill(const Request& response, L2Tick now) {
  if (isOwn(response)) {
    if ((response.id & kOfMetadata) != 0) return metadataCame(entries_[response.id & ~kOfMetadata].block, now);
    stats_.decompressedInHardware();
    return writeLine(entries_[response.id], now + decompressLatency_);
  }
  if (reach_ == Reach::network && !isWrite(response.type)) return up_.push(response);
  Request whole = response;
  whole.pieces = whole.encoding = 0;
  if (response.pieces == 0 || isWrite(response.type)) return up_.push(whole);
  stats_.decompressedInHardware();
  decompressed_.push(whole, now + decompressLatency_);
  decompressed_.advance(now);
}

const Request* Stage::peekResponse() const {
  if (const Request* whole = decompressed_.peek()) return whole;
  return up_.empty() ? nullptr : &up_.front();
}

Request Stage::takeResponse() {
  if (decompressed_.peek() != nullptr) return decompressed_.take();
  const Request response = up_.front();
  up_.pop();
  return response;
}

bool Stage::tick(L2Tick now) {
  const bool isWhole = decompressed_.advance(now);
  return sendDue(now) || isWhole;
}

L2Tick Stage::nextUseful(L2Tick now) const {
  L2Tick next = decompressed_.nextReady();
  if (down_.size() < entries_.size()) {
    for (const u32 index : inUse_)
      if (entries_[index].state == State::due) next = std::min(next, entries_[index].due);
  }
  return std::max(next, now + 1);
}

bool Stage::quiescent() const { return inUse_.empty() && down_.empty() && up_.empty() && decompressed_.empty(); }

}  // namespace warpwright::mechanisms::line_compression
