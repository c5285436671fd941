#include "mechanisms/elastic_mshr/stage.hpp"

#include <algorithm>

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
      storeWait_(settings.storeWait),
      chooser_(settings, machine),
      mshrs_(geometryOf(settings, machine.l1d)),
      combined_(settings.storeEntries, machine.l1d.lineBytes),
      stats_(statistics),
      input_(machine.l1d.inputQueue),
      requests_(machine.l1d.missQueue),
      acknowledgements_(std::max(machine.l1d.missQueue, settings.combineStores ? StoreBuffer::kMostStores : 0)),
      served_(machine.l1d.mshrs * machine.l1d.mergesPerMshr) {
  stats_.hardware = hardwareCost(machine.l1d.mshrs);
}

// Requests of the SM are for one normal block each.
void Stage::accept(const sm::LineAccess& access, Cycle now) {
  Access arrived{.request = access.request, .hyper = chooser_.blocksFor(access), .accepted = now};
  if (access.words != nullptr) arrived.bytes = access.words->bytes;
  input_.push(arrived);
  wake_ = {};
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
  if (!mem::isWrite(response.type)) return !isFilling_;
  if (!isCombined(response)) return acknowledgements_.space() != 0;
  const u32 entry =
      response.id & ((u32{1} << sm::StagesBelow::kOwnIdBits) - 1);  // bits above it are its way's (sm/ports/network_client.hpp)
  return acknowledgements_.space() >= combined_.waiting(entry);
}

void Stage::fill(const mem::Request& response, Cycle now) {
  wake_ = {};
  if (mem::isWrite(response.type)) return acknowledge(response, now);
  fill_ = response;
  isFilling_ = true;
  fillDone_ = now + ((response.travellingBytes() + fillBytes_ - 1) / fillBytes_ - 1);
}

void Stage::acknowledge(const mem::Request& write, Cycle now) {
  if (!isCombined(write)) return acknowledgements_.push(write, now + 1);
  combined_.acknowledged(write.id, [&](mem::Request store) {
    store.isResponse = true;
    acknowledgements_.push(store, now + 1);
  });
}

bool Stage::tick(Cycle now) {
  bool progress = isFilling_ && fillDone_ <= now;
  if (progress) finishFill(now);
  if (!input_.empty()) progress |= processInput(now);
  const bool sent = !combined_.empty() && sendStores(now);
  progress |= served_.advance(now);
  progress |= acknowledgements_.advance(now);
  progress |= requests_.advance(now);
  const bool canGoOn = sent || (!input_.empty() && stall_ == Stall::none);
  wake_ = canGoOn ? now + 1 : nextEvent();
  return progress || sent;
}

Cycle Stage::nextEvent() const {
  Cycle next = std::min({served_.nextReady(), acknowledgements_.nextReady(), requests_.nextReady()});
  if (isFilling_) next = std::min(next, fillDone_);
  if (combined_.empty()) return next;
  if (combined_.hasClosed() && !requests_.full()) return {};
  const std::optional<Cycle> oldest = combined_.oldest();
  return oldest ? std::min(next, *oldest + storeWait_) : next;
}

bool Stage::quiescent() const {
  return input_.empty() && requests_.empty() && acknowledgements_.empty() && mshrs_.used() == 0 && !isFilling_ && combined_.empty();
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

Stage::Stall Stage::process(const Access& access, Cycle now) {
  return mem::isWrite(access.request.type) ? store(access, now) : load(access, now);
}

// Stores are packed and go on at once (section 6.4.1, footnote 6), unless they are combined.
Stage::Stall Stage::store(const Access& access, Cycle now) {
  if (access.hyper > 1 && StoreBuffer::canCombine(access.request)) return combine(access, now);
  if (isBehindStores(access)) return Stall::store;
  if (requests_.full()) return Stall::buffer;
  ++stats_.stores;
  mshrs_.noteStore(blockOf(access.request));
  requests_.push(access.request, now + missLatency_);
  return Stall::none;
}

Stage::Stall Stage::combine(const Access& access, Cycle now) {
  const StoreBuffer::Outcome outcome = combined_.add(access.request, access.hyper, now);
  if (outcome == StoreBuffer::Outcome::full) {
    if (!combined_.isEmptying()) {
      combined_.closeOldest();
      ++stats_.combined.forRoom;
    }
    return Stall::store;
  }
  ++stats_.stores;
  ++(outcome == StoreBuffer::Outcome::opened ? stats_.combined.opened : stats_.combined.joined);
  mshrs_.noteStore(blockOf(access.request));
  return Stall::none;
}

// One write a cycle.
bool Stage::sendStores(Cycle now) {
  const std::optional<Cycle> oldest = combined_.oldest();
  if (oldest && *oldest + storeWait_ <= now) {
    combined_.closeOldest();
    ++stats_.combined.timedOut;
  }
  if (!combined_.hasClosed() || requests_.full()) return false;
  const mem::Request write = combined_.take();
  ++stats_.combined.writes;
  stats_.combined.bytes += write.dataBytes();
  requests_.push(write, now + missLatency_);
  return true;
}

// Stores to the block that are being put together go first, and at once.
bool Stage::isBehindStores(const Access& access) {
  if (combined_.empty() || !combined_.has(access.request.address)) return false;
  if (combined_.close(access.request.address)) ++stats_.combined.forOthers;
  return true;
}

// A load that cannot go on leaves no trace.
Stage::Stall Stage::load(const Access& access, Cycle now) {
  const u64 block = blockOf(access.request);
  if (isBehindStores(access)) return Stall::store;
  const Mshrs::Verdict verdict = mshrs_.find(block);
  if (verdict.outcome == Outcome::noEntry) return Stall::entry;
  if (verdict.outcome == Outcome::noSecondary) return Stall::secondary;
  const bool isPrimary = verdict.outcome == Outcome::primary;
  if (isPrimary && requests_.full()) return Stall::buffer;
  count(verdict, access);
  if (isPrimary) learn(block, access);
  Mshrs::Load waiting{access.request, access.accepted};
  waiting.request.isResponse = true;
  mshrs_.add(verdict, block, access.hyper, access.bytes, waiting);
  stats_.entriesUsed.observe(mshrs_.used());
  if (isPrimary) fire(access, verdict.entry, now);
  return Stall::none;
}

// A load that will fire a request of its own beside one in flight.
void Stage::learn(u64 block, const Access& access) {
  Predictor* predictor = chooser_.predictor();
  const Pc pc = access.request.origin.pc;
  if (predictor && mshrs_.hasNeighbour(block, access.hyper, pc)) predictor->missedNeighbour(pc, access.hyper);
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
  request.address = GlobalAddress(mshrs_.firstBlock(entry) * blockBytes_);
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
  if (Predictor* predictor = chooser_.predictor())
    predictor->arrived(fill_.origin.pc, fill_.lineBytes / blockBytes_, arrival.kept + arrival.duplicate);
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
  if (stall_ == Stall::store) stats_.stalls.stores += passed;
  stall_ = stall;
  stalledSince_ = now;
}

}  // namespace warpwright::mechanisms::elastic_mshr
