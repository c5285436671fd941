#include "sm/backend.hpp"

#include <algorithm>

namespace warpwright::sm {
namespace {

Pipe pipeOf(isa::Unit unit, bool integerOnFp32) {
  switch (unit) {
    case isa::Unit::fp32:
      return Pipe::fp32;
    case isa::Unit::fp64:
      return Pipe::fp64;
    case isa::Unit::sfu:
      return Pipe::sfu;
    case isa::Unit::load_store:
      return Pipe::loadStore;
    case isa::Unit::tensor:
      return Pipe::tensor;
    default:
      return integerOnFp32 ? Pipe::fp32 : Pipe::integer;
  }
}

// A bit for each port of bank 0, where the first ports of all banks come before the second ones.
u64 portsOfFirstBank(u32 banks, u32 ports) {
  u64 bits = 0;
  for (u32 port = 0; port < ports; ++port) bits |= u64{1} << port * banks;
  return bits;
}

}  // namespace

std::string_view name(Pipe pipe) {
  constexpr std::string_view kNames[] = {"integer", "fp32", "fp64", "sfu", "load_store", "tensor"};
  return kNames[static_cast<std::size_t>(pipe)];
}

const config::Pipes& pipesOf(const config::Sm& sm, Pipe pipe) {
  const config::Pipes* const pipes[] = {&sm.integer, &sm.fp32, &sm.fp64, &sm.sfu, &sm.loadStore, &sm.tensor};
  return *pipes[static_cast<std::size_t>(pipe)];
}

Backend::Backend(const config::Sm& sm)
    : collectors_(sm.collectors),
      bankCount_(sm.registerBanks),
      portsOfBank_(portsOfFirstBank(sm.registerBanks, sm.registerBankPorts)),
      bankPorts_(sm.registerBanks * sm.registerBankPorts),
      writeBackPorts_(std::max(1u, sm.writeBackPorts)) {
  for (std::size_t unit = 0; unit < pipeSetOf_.size(); ++unit)
    pipeSetOf_[unit] = static_cast<u8>(pipeOf(static_cast<isa::Unit>(unit), sm.integerOnFp32));
  for (u32 i = 0; i < sm.collectors; ++i) collectors_.push({});
  for (std::size_t index = 0; index < kPipes; ++index) {
    pipes_[index].pipe = static_cast<Pipe>(index);
    pipes_[index].free.resize(std::max(1u, sm::pipesOf(sm, pipes_[index].pipe).count));
  }
}

bool Backend::canIssue(isa::Unit unit, Cycle now) const {
  if (hasCollectors()) return collectors_.front() <= now;
  return pipesOf(unit).earliest() <= now + 1;
}

Cycle Backend::nextFree(Cycle now) const {
  if (hasCollectors()) return collectors_.front() >= now ? collectors_.front() : kNever;
  Cycle next = kNever;
  for (const PipeSet& set : pipes_) {
    for (const Cycle free : set.free) {
      if (free > now) next = std::min(next, Cycle{free.ticks - 1});
    }
  }
  return next;
}

Cycle Backend::dispatch(const InstructionInfo& info, SlotId slot, Cycle now, u32 held) {
  Cycle ready = now + 1 + held;
  if (hasCollectors()) {
    u64 conflicts = 0;
    for (u32 i = 0; i < info.readCount; ++i) {
      const Cycle read = bookBank(info.reads[i], slot, now + 1, now);
      conflicts += read - (now + 1);
      ready = std::max(ready, read + 1);
    }
    stats_.readConflicts += conflicts;
  }
  stats_.operandReads += info.readCount;
  PipeSet& pipes = pipesOf(info.unit);
  const Cycle enters = std::max(ready, pipes.earliest());
  stats_.dispatchWaits[pipes.pipe] += enters - ready;
  stats_.pipeCycles[pipes.pipe] += info.interval;
  pipes.take(enters + info.interval);
  if (hasCollectors()) holdCollector(enters);
  return enters;
}

// The collector that is free first is put in order among the others: as a rule, near their end.
void Backend::holdCollector(Cycle until) {
  collectors_.pop();
  collectors_.push(until);
  u32 place = collectors_.size() - 1;
  for (; place != 0 && collectors_[place - 1] > until; --place) collectors_[place] = collectors_[place - 1];
  collectors_[place] = until;
}

Cycle Backend::writeBack(const InstructionInfo& info, SlotId slot, Cycle time, Cycle now) {
  if (info.writeCount == 0) return time;
  const Cycle port = writeBackPorts_.bookAny(time, now);
  stats_.writeBackConflicts += port - time;
  Cycle done = port;
  if (hasCollectors()) {
    u64 conflicts = 0;
    for (u32 i = 0; i < info.writeCount; ++i) {
      const Cycle write = bookBank(info.writes[i], slot, port, now);
      conflicts += write - port;
      done = std::max(done, write);
    }
    stats_.writeConflicts += conflicts;
  }
  stats_.operandWrites += info.writeCount;
  return info.isBypassed ? time : done;
}

}  // namespace warpwright::sm
