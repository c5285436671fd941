#include "mechanisms/elastic_mshr/stage.hpp"

#include <algorithm>

#include "sm/launch_plan.hpp"

namespace warpwright::mechanisms::elastic_mshr {
namespace {

Geometry geometryOf(const Settings& settings, const config::Cache& mshrs) {
  return {.entries = mshrs.mshrs, .secondaries = mshrs.mergesPerMshr, .ways = settings.ways == 0 ? mshrs.mshrs : settings.ways};
}

}  // namespace

Stage::Stage(const Settings& settings, const config::Machine& machine, Statistics& statistics)
    : blockBytes_(machine.l1d.lineBytes),
      ports_(machine.l1d.ports),
      missLatency_(machine.l1d.missLatency),
      fillBytes_(machine.l1d.fillBytesPerTick),
      mshrs_(geometryOf(settings, machine.l1d)),
      stats_(statistics),
      input_(machine.l1d.inputQueue),
      requests_(machine.l1d.missQueue),
      acknowledgements_(machine.l1d.missQueue),
      served_(machine.l1d.mshrs * machine.l1d.mergesPerMshr) {}

// Requests of the SM are for one normal block each.
void Stage::accept(const sm::LineAccess& access, Cycle now) {
  Access arrived{.request = access.request, .hyper = hyperOf(access), .accepted = now};
  if (access.words != nullptr) arrived.bytes = access.words->bytes;
  input_.push(arrived);
  wake_ = {};
}

// Launches may take turns, but rarely do.
u32 Stage::hyperOf(const sm::LineAccess& access) {
  if (access.plan == nullptr || mem::isWrite(access.request.type)) return 1;
  if (access.plan->id != launch_) {
    launch_ = access.plan->id;
    granularities_ = access.plan->notes.find<Granularities>();
  }
  return granularities_ ? granularities_->bytes[access.request.origin.pc] / blockBytes_ : 1;
}

const mem::Request* Stage::peekResponse() const {
  const u32* served = served_.peek();
  const mem::Request* acknowledged = acknowledgements_.peek();
  if (!served || (acknowledged && acknowledgements_.readyAt() < served_.readyAt())) return acknowledged;
  return &mshrs_.load(*served).request;
}

mem::Request Stage::takeResponse() {
  wake_ = {};
  if (peekResponse() == acknowledgements_.peek()) return acknowledgements_.take();
  const u32 secondary = served_.take();
  mshrs_.release(secondary);
  return mshrs_.load(secondary).request;
}

mem::Request Stage::takeMiss() {
  wake_ = {};
  return requests_.take();
}

bool Stage::canFill(const mem::Request& response) const {
  return mem::isWrite(response.type) ? acknowledgements_.space() != 0 : !isFilling_;
}

void Stage::fill(const mem::Request& response, Cycle now) {
  wake_ = {};
  if (mem::isWrite(response.type)) return acknowledgements_.push(response, now + 1);
  fill_ = response;
  isFilling_ = true;
  fillDone_ = now + ((response.travellingBytes() + fillBytes_ - 1) / fillBytes_ - 1);
}

bool Stage::tick(Cycle now) {
  bool progress = isFilling_ && fillDone_ <= now;
  if (progress) finishFill(now);
  if (!input_.empty()) progress |= processInput(now);
  progress |= served_.advance(now);
  progress |= acknowledgements_.advance(now);
  progress |= requests_.advance(now);
  const bool canGoOn = !input_.empty() && stall_ == Stall::none;
  wake_ = canGoOn ? now + 1 : std::min({served_.nextReady(), acknowledgements_.nextReady(), requests_.nextReady()});
  if (isFilling_) wake_ = std::min(wake_, fillDone_);
  return progress;
}

bool Stage::quiescent() const {
  return input_.empty() && requests_.empty() && acknowledgements_.empty() && mshrs_.used() == 0 && !isFilling_;
}

bool Stage::processInput(Cycle now) {
  bool any = false;
  for (u32 port = 0; port < ports_ && !input_.empty(); ++port) {
    const Stall stall = process(input_.front(), now);
    noteStall(stall, now);
    if (stall != Stall::none) break;
    input_.pop();
    any = true;
  }
  return any;
}

// Stores are packed and go on at once (section 6.4.1, footnote 6).
Stage::Stall Stage::process(const Access& access, Cycle now) {
  if (!mem::isWrite(access.request.type)) return load(access, now);
  if (requests_.full()) return Stall::buffer;
  ++stats_.stores;
  mshrs_.noteStore(blockOf(access.request));
  requests_.push(access.request, now + missLatency_);
  return Stall::none;
}

// A load that cannot go on leaves no trace.
Stage::Stall Stage::load(const Access& access, Cycle now) {
  const u64 block = blockOf(access.request);
  const Mshrs::Verdict verdict = mshrs_.find(block);
  if (verdict.outcome == Outcome::noEntry) return Stall::entry;
  if (verdict.outcome == Outcome::noSecondary) return Stall::secondary;
  const bool isPrimary = verdict.outcome == Outcome::primary;
  if (isPrimary && requests_.full()) return Stall::buffer;
  count(verdict, access);
  Mshrs::Load waiting{access.request, access.accepted};
  waiting.request.isResponse = true;
  mshrs_.add(verdict, block, access.hyper, access.bytes, waiting);
  stats_.entriesUsed.observe(mshrs_.used());
  if (isPrimary) fire(access, verdict.entry, now);
  return Stall::none;
}

void Stage::count(const Mshrs::Verdict& verdict, const Access& access) {
  ++stats_.loads;
  for (const u32 bytes : access.bytes) stats_.bytesAsked += static_cast<u32>(std::popcount(bytes));
  if (verdict.outcome == Outcome::primary) {
    ++stats_.primaries;
    stats_.falsePrimaries += verdict.isFalsePrimary;
    ++(access.hyper == 1 ? stats_.fired1 : access.hyper == 2 ? stats_.fired2 : access.hyper == 4 ? stats_.fired4 : stats_.fired8);
    return;
  }
  ++(verdict.outcome == Outcome::secondary ? stats_.secondaries : stats_.reservations);
  stats_.overtaken += mshrs_.isOvertaken(verdict, blockOf(access.request));
}

void Stage::fire(const Access& access, u32 entry, Cycle now) {
  mem::Request request = access.request;
  request.address = mshrs_.firstBlock(entry) * blockBytes_;
  request.lineBytes = access.hyper * blockBytes_;
  request.sectors = (1u << request.lineBytes / mem::Request::kSectorBytes) - 1;
  request.wantsResponse = true;
  request.id = entry;
  stats_.bytesFired += request.lineBytes;
  requests_.push(request, now + missLatency_);
}

void Stage::finishFill(Cycle now) {
  isFilling_ = false;
  const Mshrs::Arrival arrival = mshrs_.arrived(fill_.id, [&](u32 secondary) {
    if (!mshrs_.load(secondary).request.wantsResponse) return mshrs_.release(secondary);
    served_.push(secondary, now + 1);
  });
  stats_.bytesLoaded += u64{fill_.lineBytes};
  stats_.bytesKept += u64{arrival.kept} * blockBytes_;
  stats_.bytesDropped += u64{arrival.dropped} * blockBytes_;
  stats_.bytesDuplicate += u64{arrival.duplicate} * blockBytes_;
  stats_.bytesTouched += arrival.bytesTouched;
}

// Time is counted when the access goes on, or goes on waiting for something else.
void Stage::noteStall(Stall stall, Cycle now) {
  if (stall == stall_) return;
  const u64 passed = now - stalledSince_;
  if (stall_ == Stall::entry) stats_.stalls.entries += passed;
  if (stall_ == Stall::secondary) stats_.stalls.secondaries += passed;
  if (stall_ == Stall::buffer) stats_.stalls.buffers += passed;
  stall_ = stall;
  stalledSince_ = now;
}

}  // namespace warpwright::mechanisms::elastic_mshr
