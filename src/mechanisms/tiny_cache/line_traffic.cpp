#include "mechanisms/tiny_cache/line_traffic.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/memory_units.hpp"

namespace warpwright::mechanisms::tiny_cache {
namespace {

constexpr u32 kSector = mem::Request::kSectorBytes, kSectorWords = kSector / kWordBytes;

// Bytes of a word of the line that are dirty: bit b, byte b of the word.
u32 dirtyBytes(const Geometry& geometry, const Line& line, u32 word) {
  u32 bytes = 0;
  for (u32 byte = 0; byte < kWordBytes; ++byte)
    if ((line.dirty() & geometry.granulesOf(word * kWordBytes + byte, 1)) != 0) bytes |= 1u << byte;
  return bytes;
}

// All lines may leave at once while as many requests wait as may, and an access brings a write-back and a fetch a lane.
u32 mostQueued(const Settings& settings, u32 lanes, u32 lineBytes) {
  const u32 requestsPerLine = std::max(1u, settings.lineBytes / lineBytes);
  return settings.queue + (lanes * settings.lines + 2 * lanes) * requestsPerLine + 1;
}

}  // namespace

LineTraffic::LineTraffic(const Settings& settings, const config::Machine& machine, u32 lanes, sm::StagesBelow& below, BelowStats& stats)
    : settings_(settings),
      geometry_(settings.geometry()),
      lineBytes_(machine.l1d.lineBytes),
      regionBytes_(std::max(machine.l1d.lineBytes, settings.lineBytes)),
      headerBytes_(static_cast<u8>(machine.network.headerBytes)),
      readRoute_(machine.sm.cacheGlobalLoads ? sm::Route::l1Data : sm::Route::network),
      below_(below),
      stats_(stats),
      queue_(mostQueued(settings, lanes, machine.l1d.lineBytes)) {}

// --- fetches

void LineTraffic::begin(const mem::Origin& origin, const sm::LaunchPlan* plan) {
  origin_ = origin;
  plan_ = plan;
  begun_.clear();
}

u32 LineTraffic::freeFetch() {
  if (freeFetches_.empty()) {
    fetches_.emplace_back();
    return static_cast<u32>(fetches_.size() - 1);
  }
  const u32 entry = freeFetches_.back();
  freeFetches_.pop_back();
  return entry;
}

LineTraffic::Flight LineTraffic::fetch(LineName line) {
  const GlobalAddress address = line.address(settings_.lineBytes), region = alignDown(address, regionBytes_);
  const u32 first = static_cast<u32>(address - region) / kSector, count = std::max(1u, settings_.lineBytes / kSector);
  const u32 sectors = ((1u << count) - 1) << first;
  for (const u32 entry : begun_) {
    if (fetches_[entry].region != region) continue;
    fetches_[entry].sectors |= sectors;
    return {entry, fetches_[entry].turn};
  }
  const u32 entry = freeFetch();
  Fetch& fetch = fetches_[entry];
  fetch.region = region;
  fetch.sectors = sectors;
  fetch.isPrivate = line.isPrivate();
  fetch.left = 1;  // until send() knows
  fetch.waiting.clear();
  begun_.push_back(entry);
  ++inFlight_;
  return {entry, fetch.turn};
}

bool LineTraffic::await(const Flight& flight, u32 entry) {
  std::vector<u32>& waiting = fetches_[flight.fetch].waiting;
  if (std::find(waiting.begin(), waiting.end(), entry) != waiting.end()) return false;
  waiting.push_back(entry);
  return true;
}

void LineTraffic::send(Cycle now) {
  const u32 sectorsPerLine = lineBytes_ / kSector;
  for (const u32 entry : begun_) {
    Fetch& fetch = fetches_[entry];
    fetch.left = 0;
    for (u32 first = 0; first < regionBytes_ / kSector; first += sectorsPerLine) {
      const u32 sectors = fetch.sectors >> first & ((1u << sectorsPerLine) - 1);
      if (sectors == 0) continue;
      const mem::AccessType type = fetch.isPrivate ? mem::AccessType::localRead : mem::AccessType::globalRead;
      mem::Request request = requestFor(fetch.region + u64{first} * kSector, type, origin_);
      request.sectors = sectors;
      request.id = entry;
      queue_.push({false, entry, request, plan_, now + settings_.latency});
      ++fetch.left;
      ++stats_.fetches;
      stats_.sectors += static_cast<u64>(std::popcount(sectors));
    }
  }
  begun_.clear();
}

mem::Request LineTraffic::requestFor(GlobalAddress line, mem::AccessType type, const mem::Origin& origin) const {
  mem::Request request;
  request.address = line;
  request.lineBytes = lineBytes_;
  request.type = type;
  request.headerBytes = headerBytes_;
  request.origin = origin;
  return request;
}

// --- write-backs

// In the order of their addresses, so that what falls into one line of the first-level cache lies together; of words that several lanes
// have written, the last one's stays.
void LineTraffic::writeBack(const std::vector<Leaver>& leavers, const sm::LaunchPlan* plan, Cycle now) {
  order_.resize(leavers.size());
  std::iota(order_.begin(), order_.end(), 0u);
  const auto before = [&](u32 a, u32 b) {
    const u64 lineA = leavers[a].line.name.number(), lineB = leavers[b].line.name.number();
    return lineA != lineB ? lineA < lineB : a < b;
  };
  std::sort(order_.begin(), order_.end(), before);
  batch_.clear();
  std::size_t first = 0;  // of the batch, where the write-backs of this line can begin
  u64 last = ~u64{0};
  for (const u32 i : order_) {
    const Leaver& leaver = leavers[i];
    if (leaver.line.name.isShared()) continue;
    const GlobalAddress region = alignDown(leaver.line.name.address(settings_.lineBytes), regionBytes_);
    if (region != last) first = batch_.size();
    last = region;
    for (u32 word = 0; word < geometry_.words(); ++word) {
      const u32 bytes = dirtyBytes(geometry_, leaver.line, word);
      if (bytes == 0) continue;
      const GlobalAddress address = leaver.line.name.address(settings_.lineBytes) + word * kWordBytes;
      const GlobalAddress line = alignDown(address, lineBytes_);
      add(writes_[writeBackOf(line, leaver, first, plan)], static_cast<u32>(address - line) / kWordBytes, bytes, leaver.values.at(word));
    }
  }
  for (const u32 entry : batch_) queue_.push({true, entry, {}, nullptr, now + settings_.latency});
}

u32 LineTraffic::writeBackOf(GlobalAddress line, const Leaver& leaver, std::size_t first, const sm::LaunchPlan* plan) {
  for (std::size_t i = first; i < batch_.size(); ++i) {
    if (writes_[batch_[i]].request.address != line) continue;
    writes_[batch_[i]].request.origin = leaver.writer;
    return batch_[i];
  }
  return beginWriteBack(line, leaver, plan);
}

u32 LineTraffic::beginWriteBack(GlobalAddress line, const Leaver& leaver, const sm::LaunchPlan* plan) {
  u32 entry = static_cast<u32>(writes_.size());
  if (freeWrites_.empty()) {
    writes_.emplace_back();
  } else {
    entry = freeWrites_.back();
    freeWrites_.pop_back();
  }
  WriteBack& write = writes_[entry];
  const mem::AccessType type = leaver.line.name.isPrivate() ? mem::AccessType::localWrite : mem::AccessType::globalWrite;
  write = {requestFor(line, type, leaver.writer), {}, mark(), plan};
  write.request.id = entry;
  writesDone_.push_back(false);
  batch_.push_back(entry);
  ++stats_.writeBacks;
  return entry;
}

void LineTraffic::add(WriteBack& write, u32 word, u32 bytes, std::optional<u32> value) const {
  const u32 sector = word / kSectorWords;
  write.words.mask |= u64{1} << word;
  write.words.whole &= bytes == 0xf && value.has_value();
  write.words.values[word] = value.value_or(0);
  u32& written = write.words.bytes[sector];
  written |= bytes << word % kSectorWords * kWordBytes;
  write.request.sectors |= 1u << sector;
  const bool isWhole = written == ~u32{0};
  write.request.written[sector] = isWhole ? 0 : written;
  if (isWhole) write.request.wholeSectors |= 1u << sector;
}

void LineTraffic::completeWrite(u32 entry) {
  writesDone_[writes_[entry].number - firstWrite_] = true;
  freeWrites_.push_back(entry);
  for (; !writesDone_.empty() && writesDone_.front(); ++firstWrite_) writesDone_.pop_front();
}

// --- as a part of a memory agent

sm::LineAccess LineTraffic::lineAccess(const Queued& queued) const {
  if (!queued.isWrite) {
    const bool isPrivate = queued.request.type == mem::AccessType::localRead;
    return {queued.request, isPrivate ? sm::Route::l1Data : readRoute_, nullptr, queued.plan};
  }
  const WriteBack& write = writes_[queued.entry];
  return {write.request, sm::Route::l1Data, &write.words, write.plan};
}

bool LineTraffic::tick(Cycle now) {
  bool any = false;
  for (; !queue_.empty() && queue_.front().ready <= now; any = true) {
    Queued& next = queue_.front();
    (next.isWrite ? writes_[next.entry].request : next.request).born = now;
    const sm::LineAccess access = lineAccess(next);
    if (!below_.canAccept(access)) break;
    below_.ask(access, now);
    queue_.pop();
  }
  return any;
}

Cycle LineTraffic::nextUseful(Cycle now) const { return queue_.empty() ? kNever : std::max(now + 1, queue_.front().ready); }

void LineTraffic::fill(const mem::Request& response) {
  if (mem::isWrite(response.type)) return completeWrite(response.id);
  Fetch& fetch = fetches_[response.id];
  if (--fetch.left != 0) return;
  for (const u32 operation : fetch.waiting) {
    mem::Request& answer = answers_.emplace_back(response);
    answer.id = operation;
    answer.isResponse = true;
  }
  ++fetch.turn;
  --inFlight_;
  freeFetches_.push_back(response.id);
}

mem::Request LineTraffic::takeResponse() {
  const mem::Request response = answers_.front();
  answers_.pop_front();
  return response;
}

}  // namespace warpwright::mechanisms::tiny_cache
