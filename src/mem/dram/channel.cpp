#include "mem/dram/channel.hpp"

#include <algorithm>
#include <bit>

namespace warpwright::mem {

using dram::Command;

namespace {

// Data of requests that can be on their way at once, one burst each.
u32 mostInFlight(const config::Dram& config) { return std::max(config.tCL, config.tWL) / dram::burstTicks(config) + 2; }

// What the columns of a request are columns of. Data that travel in another size than their sectors lie at the beginning of the line; that
// of a request for a part of it begins before the part.
struct Extent {
  GlobalAddress begin;
  u32 bytes = 0;
};

Extent extentOf(const Request& request) {
  if (request.travellingBytes() <= request.lineBytes) return {request.address, request.lineBytes};
  const u32 bytes = std::bit_ceil(request.travellingBytes());
  return {alignDown(request.address, bytes), bytes};
}

// The `number`-th column of `bytes` of the extent holds a byte that is asked for.
bool needsColumn(const Request& request, u32 number, u32 bytes) {
  if (request.pieces != 0) return number * bytes < request.travellingBytes();
  const u32 first = number * bytes / Request::kSectorBytes;
  const u32 last = ((number + 1) * bytes - 1) / Request::kSectorBytes;
  return last >= 31 ? (request.sectors >> first) != 0 : (request.sectors >> first & ((2u << (last - first)) - 1)) != 0;
}

}  // namespace

DramChannel::DramChannel(const config::Dram& config, bool skip)
    : config_(config),
      addresses_(config.channels, 1, 1, config.interleaveBytes, config.hashChannels),
      geometry_(config),
      timing_(config, dram::timingTable(config.kind)),
      queues_(config.ranks * config.banks, config.requestQueue * dram::mostColumns(config)),
      steps_(config.ranks * config.banks),
      refresh_(config),
      scheduler_(dram::schedulerList().make(config.scheduler, config)),
      hasOneCommandBus_(config.kind != config::DramKind::hbm2),
      skip_(skip),
      slots_(config.requestQueue),
      inFlight_(mostInFlight(config)),
      returns_(config.returnQueue),
      next_(refresh_.nextDue({})) {
  freeSlots_.reserve(config.requestQueue);
  for (u32 slot = config.requestQueue; slot-- > 0;) freeSlots_.push_back(static_cast<u16>(slot));
}

void DramChannel::accept(const Request& request, DramTick now) {
  settle(now);
  const u16 slot = freeSlots_.back();
  freeSlots_.pop_back();
  Pending& pending = slots_[slot] = {request, now, 0};
  const bool isWriting = isWrite(request.type);
  ++(isWriting ? stats_.writes : stats_.reads);
  stats_.requestedBytes += request.travellingBytes();
  stats_.bytesIn += request.wireBytes();

  const u32 bytes = dram::columnBytes(config_);
  const Extent extent = extentOf(request);
  const u32 columns = std::max(1u, extent.bytes / bytes);
  const ChannelAddress first = addresses_.local(extent.begin);
  dram::Access access;
  access.notBefore = now + 1;
  access.request = slot;
  access.isWrite = isWriting;
  access.wantsResponse = request.wantsResponse;
  for (u32 column = 0; column < columns; ++column) {
    if (!needsColumn(request, column, bytes)) continue;
    access.location = geometry_.location(first + u64{column} * bytes);
    stats_.bankConflicts += queues_.hasOtherRow(access.location);
    queues_.add(access);
    ++pending.columnsLeft;
  }
  next_ = std::min(next_, now + 1);
}

Request DramChannel::takeResponse() {
  const Request result = returns_.front();
  if (returnsFull()) next_ = {};
  returns_.pop();
  --responses_;
  return result;
}

bool DramChannel::tick(DramTick now) {
  settle(now);
  if (skip_ && now < next_) return false;
  bool progressed = finish(now);
  next_ = refreshRanks(now, progressed);
  next_ = std::min(next_, serveAccesses(now, progressed));
  next_ = std::min(next_, refresh_.nextDue(now));
  if (!inFlight_.empty()) next_ = std::min(next_, inFlight_.front().end);
  return progressed;
}

DramTick DramChannel::nextUseful(DramTick now) const { return std::max(next_, now + 1); }

const DramStats& DramChannel::statistics(DramTick now) {
  settle(now);
  return stats_;
}

// The state has been the same since the last call.
void DramChannel::settle(DramTick now) {
  if (now <= settled_) return;
  const u64 passed = now - settled_;
  stats_.ticks += passed;
  stats_.queue.add(queued(), passed);
  stats_.openTicks += queues_.open() != 0 ? passed : 0;
  if (queued() != 0) {
    stats_.activeTicks += passed;
  } else if (busEnd_ > settled_) {
    stats_.activeTicks += std::min(now, busEnd_) - settled_;
  }
  settled_ = now;
}

bool DramChannel::finish(DramTick now) {
  bool finished = false;
  for (; !inFlight_.empty() && inFlight_.front().end <= now; inFlight_.pop()) {
    Finishing& done = inFlight_.front();
    const u64 latency = done.end - done.arrival;
    if (isWrite(done.request.type)) {
      ++stats_.finishedWrites;
      stats_.writeLatency.add(latency);
    } else {
      ++stats_.finishedReads;
      stats_.readLatency.add(latency);
    }
    if (done.request.wantsResponse) {
      done.request.isResponse = true;
      stats_.bytesOut += done.request.wireBytes();
      returns_.push(done.request);
    }
    finished = true;
  }
  return finished;
}

u64 DramChannel::banksOf(u32 rank) const {
  const u64 all = config_.banks == 64 ? ~u64{0} : (u64{1} << config_.banks) - 1;
  return all << (rank * config_.banks);
}

// Returns the first tick in which a rank that is due gets its next command.
DramTick DramChannel::refreshRanks(DramTick now, bool& progressed) {
  DramTick next = dram::Proposal::kNone;
  for (u32 rank = 0; rank < config_.ranks; ++rank) {
    if (!refresh_.isDue(rank, now)) continue;
    const dram::Location location{.rank = rank};
    const u64 banks = banksOf(rank);
    const Command command = (queues_.open() & banks) != 0 ? Command::prechargeAll : Command::refresh;
    const DramTick ready = timing_.earliest(command, location);
    if (ready > now) {
      next = std::min(next, ready);
      continue;
    }
    issue(command, location, now);
    progressed = true;
    next = now + 1;
    if (command == Command::refresh) {
      refresh_.refreshed(rank);
    } else {
      for (u64 open = queues_.open() & banks; open != 0; open &= open - 1) queues_.closed(static_cast<u32>(std::countr_zero(open)));
    }
  }
  return next;
}

// Returns a tick before which no further access can get a command.
DramTick DramChannel::serveAccesses(DramTick now, bool& progressed) {
  for (;;) {
    u64 banks = queues_.waiting();
    for (u32 rank = 0; rank < config_.ranks; ++rank) {
      if (refresh_.isDue(rank, now)) banks &= ~banksOf(rank);
    }
    if (banks == 0) return dram::Proposal::kNone;
    steps_.update(queues_, timing_);
    const dram::Proposal proposal = scheduler_->propose({queues_, steps_, timing_, banks, now, returnsFull()});
    if (proposal.ready > now) return proposal.ready;
    serve(proposal, now);
    progressed = true;
    if (hasOneCommandBus_) return now + 1;
  }
}

void DramChannel::serve(const dram::Proposal& proposal, DramTick now) {
  dram::Access& access = queues_[proposal.access];
  const u32 bank = access.location.bank;
  if (proposal.command == Command::activate) {
    issue(Command::activate, access.location, now);
    if (origins_) ++origins_->of(slots_[access.request].request.origin).activations;
    queues_.activated(bank, access.location.row);
    if (access.outcome == dram::RowOutcome::hit) access.outcome = dram::RowOutcome::miss;
    return;
  }
  if (proposal.command == Command::precharge) {
    issue(Command::precharge, access.location, now);
    queues_.closed(bank);
    access.outcome = dram::RowOutcome::conflict;
    return;
  }
  // A closed page stays open for the accesses to it that already wait.
  const bool closes = config_.page == config::PagePolicy::closed && !queues_.hasLaterHit(proposal.access);
  const Command closing = access.isWrite ? Command::writePrecharge : Command::readPrecharge;
  moveData(proposal.access, closes ? closing : proposal.command, now);
  if (closes) queues_.closed(bank);
}

void DramChannel::moveData(dram::AccessId id, Command command, DramTick now) {
  const dram::Access access = queues_[id];
  issue(command, access.location, now);
  queues_.remove(id);

  const Direction direction = access.isWrite ? Direction::write : Direction::read;
  stats_.turnArounds += direction_ != Direction::none && direction_ != direction;
  direction_ = direction;
  busEnd_ = now + (access.isWrite ? config_.tWL : config_.tCL) + dram::burstTicks(config_);
  stats_.busyTicks += dram::burstTicks(config_);
  stats_.busTransactions += config_.burstLength;
  stats_.movedBytes += dram::columnBytes(config_);
  switch (access.outcome) {
    case dram::RowOutcome::hit:
      ++stats_.rowHits;
      break;
    case dram::RowOutcome::miss:
      ++stats_.rowMisses;
      break;
    case dram::RowOutcome::conflict:
      ++stats_.rowConflicts;
      break;
  }

  Pending& pending = slots_[access.request];
  if (origins_) {
    DramUse& use = origins_->of(pending.request.origin);
    (access.isWrite ? use.bytesWritten : use.bytesRead) += dram::columnBytes(config_);
  }
  if (--pending.columnsLeft != 0) return;
  inFlight_.push({pending.request, pending.arrival, busEnd_});
  responses_ += access.wantsResponse;
  freeSlots_.push_back(access.request);
}

void DramChannel::issue(Command command, const dram::Location& location, DramTick now) {
  timing_.issue(command, location, now);
  ++stats_.commands[command];
  if (observer_ != nullptr) observer_->issued(command, location, now);
}

}  // namespace warpwright::mem
