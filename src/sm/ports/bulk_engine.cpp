#include "sm/ports/bulk_engine.hpp"

#include <algorithm>
#include <utility>

#include "base/memory_units.hpp"

namespace warpwright::sm {
namespace {

constexpr u32 kRequestsAhead = 2;  // of what the network takes

// The bytes of a sector from one on.
u32 bytesOf(u32 first, u32 count) { return static_cast<u32>(lowBits(count) << first); }

// Writes name the sectors that they write in full apart from the others.
void noteWholeSectors(mem::Request& write) {
  for (u32 sector = 0; sector < write.written.size(); ++sector) {
    if (write.written[sector] != ~u32{0}) continue;
    write.wholeSectors |= 1u << sector;
    write.written[sector] = 0;
  }
}

}  // namespace

BulkEngine::BulkEngine(const PortContext& context, const config::Machine& machine)
    : NetworkClient(context.number, context.wakeUp),
      latency_(machine.sm.bulkLatency),
      bytesPerCycle_(machine.sm.bulkBytesPerCycle),
      mostBytes_(machine.sm.bulkBytesInFlight),
      lineBytes_(machine.l1d.lineBytes),
      readLatency_(machine.sm.bulkReadLatency),
      readBytes_(machine.sm.bulkReadBytes),
      remoteLatency_(machine.sm.remoteSharedLatency / 2),
      remoteBytes_(std::min(machine.sm.bulkReadBytes, machine.sm.remoteSharedBytes)),
      out_(kRequestsAhead) {}

u32 BulkEngine::newJob() {
  if (free_.empty()) {
    jobs_.emplace_back();
    return static_cast<u32>(jobs_.size() - 1);
  }
  const u32 id = free_.back();
  free_.pop_back();
  jobs_[id].requests.clear();
  jobs_[id].isSent = jobs_[id].goesElsewhere = false;
  jobs_[id].sent = jobs_[id].outstanding = 0;
  return id;
}

// Neighbouring runs may share a line.
void BulkEngine::addRun(Job& job, const exec::GlobalRun& run, const mem::Request& form) const {
  for (u32 done = 0; done < run.bytes;) {
    const GlobalAddress address = run.address + done, line = alignDown(address, lineBytes_);
    if (job.requests.empty() || job.requests.back().address != line) {
      job.requests.push_back(form);
      job.requests.back().address = line;
    }
    mem::Request& request = job.requests.back();
    const auto offset = static_cast<u32>(address - line), inSector = offset % kSectorBytes;
    const u32 bytes = std::min(run.bytes - done, kSectorBytes - inSector);
    request.sectors |= 1u << offset / kSectorBytes;
    if (job.isStore) request.written[offset / kSectorBytes] |= bytesOf(inSector, bytes);
    done += bytes;
  }
}

u32 BulkEngine::begin(const exec::BulkRecord& copy, const mem::Origin& origin, Cycle now) {
  const u32 id = newJob();
  Job& job = jobs_[id];
  job.isStore = copy.isStore;
  job.bytes = copy.bytes;
  job.goesElsewhere = copy.isRemote && copy.runs.empty();
  job.earliest = now + (job.isStore || job.goesElsewhere ? readLatency_ : latency_);
  mem::Request form;
  form.lineBytes = lineBytes_;
  form.type = copy.isStore ? mem::AccessType::globalWrite : mem::AccessType::globalRead;
  form.origin = origin;
  form.id = id;
  for (const exec::GlobalRun& run : copy.runs) addRun(job, run, form);
  if (job.isStore) std::ranges::for_each(job.requests, noteWholeSectors);
  queue_.push_back(id);
  wake();
  return id;
}

bool BulkEngine::hasRoom(const Job& job) const {
  if (job.requests.empty()) return true;
  const u32 bytes = job.requests[job.sent].dataBytes();
  return !out_.full() && (bytesInFlight_ == 0 || bytesInFlight_ + bytes <= mostBytes_);
}

u32 BulkEngine::bytesPerCycle(const Job& job) const {
  if (job.goesElsewhere) return remoteBytes_;
  return job.isStore || job.requests.empty() ? readBytes_ : bytesPerCycle_;
}

// A copy that touches no global memory keeps the engine for as long as its bytes pass.
bool BulkEngine::work(Cycle now) {
  const u32 id = queue_.front();
  Job& job = jobs_[id];
  if (now < std::max(job.earliest, next_) || !hasRoom(job)) return false;
  const u32 rate = bytesPerCycle(job);
  if (job.requests.empty()) {
    next_ = now + (job.bytes + rate - 1) / rate;
  } else {
    mem::Request& request = job.requests[job.sent++];
    request.born = now;
    out_.push(request);
    job.outstanding += !job.isStore;
    bytesInFlight_ += request.dataBytes();
    next_ = now + (request.dataBytes() + rate - 1) / rate;
  }
  if (job.sent < job.requests.size()) return true;
  queue_.pop_front();
  job.isSent = true;
  if (job.isStore) news_.push_back({id, true, next_});
  // A store is complete after its source was read, never at once.
  job.earliest = job.isStore ? next_ + 1 : job.goesElsewhere ? next_ + remoteLatency_ : next_;
  finishIfDone(id, now);
  return true;
}

void BulkEngine::finishIfDone(u32 id, Cycle now) {
  const Job& job = jobs_[id];
  if (!job.isSent || job.outstanding != 0) return;
  news_.push_back({id, false, std::max(now, job.earliest)});
}

Cycle BulkEngine::nextLine(Cycle now) const {
  const Job& job = jobs_[queue_.front()];
  return hasRoom(job) ? std::max({now + 1, job.earliest, next_}) : kNever;
}

void BulkEngine::doFill(const mem::Request& response, Cycle now) {
  bytesInFlight_ -= response.dataBytes();
  if (mem::isWrite(response.type)) return;
  --jobs_[response.id].outstanding;
  finishIfDone(response.id, now);
}

mem::Request BulkEngine::doTakeRequest(Cycle) {
  const mem::Request request = out_.front();
  out_.pop();
  return request;
}

std::span<const BulkEngine::News> BulkEngine::takeNews() {
  taken_.clear();
  std::swap(news_, taken_);
  return taken_;
}

}  // namespace warpwright::sm
