#include "sm/backend.hpp"

#include <algorithm>

namespace warpwright::sm {
namespace {

enum PipeKind : u32 { integer, fp32, fp64, sfu, loadStore, tensor };

}  // namespace

Backend::Backend(const config::Sm& sm)
    : sharedInteger_(sm.integerOnFp32),
      collectors_(sm.collectors),
      banks_(std::max(1u, sm.registerBanks)),
      ports_(std::max(1u, sm.writeBackPorts)) {
  pipes_[integer].free.resize(std::max(1u, sm.integer.count));
  pipes_[fp32].free.resize(std::max(1u, sm.fp32.count));
  pipes_[fp64].free.resize(std::max(1u, sm.fp64.count));
  pipes_[sfu].free.resize(std::max(1u, sm.sfu.count));
  pipes_[loadStore].free.resize(std::max(1u, sm.loadStore.count));
  pipes_[tensor].free.resize(std::max(1u, sm.tensor.count));
}

u32 Backend::pipeSetOf(isa::Unit unit) {
  switch (unit) {
    case isa::Unit::fp32:
      return fp32;
    case isa::Unit::fp64:
      return fp64;
    case isa::Unit::sfu:
      return sfu;
    case isa::Unit::load_store:
      return loadStore;
    case isa::Unit::tensor:
      return tensor;
    default:
      return integer;
  }
}

Cycle& Backend::earliest(PipeSet& set) { return *std::min_element(set.free.begin(), set.free.end()); }

bool Backend::canIssue(isa::Unit unit, Cycle now) const {
  if (!collectors_.empty()) return collectors_.front() <= now;
  const u32 kind = pipeSetOf(unit);
  const PipeSet& set = pipes_[kind == integer && sharedInteger_ ? u32{fp32} : kind];
  return *std::min_element(set.free.begin(), set.free.end()) <= now + 1;
}

Cycle Backend::nextFree(Cycle now) const {
  if (!collectors_.empty()) return collectors_.front() >= now ? collectors_.front() : kNever;
  Cycle next = kNever;
  for (const PipeSet& set : pipes_) {
    for (const Cycle free : set.free) {
      if (free > now) next = std::min(next, Cycle{free.ticks - 1});
    }
  }
  return next;
}

Cycle Backend::dispatch(const InstructionInfo& info, u32 slot, Cycle now) {
  Cycle ready = now + 1;
  if (!collectors_.empty()) {
    for (u32 i = 0; i < info.readCount; ++i) {
      const Cycle read = banks_[bankOf(info.reads[i], slot)].book(now + 1, now);
      stats_.readConflicts += read - (now + 1);
      ready = std::max(ready, read + 1);
    }
  }
  stats_.operandReads += info.readCount;
  const u32 kind = pipeSetOf(info.unit);
  Cycle& free = earliest(pipes_[kind == integer && sharedInteger_ ? u32{fp32} : kind]);
  const Cycle enters = std::max(ready, free);
  stats_.dispatchWaits += enters - ready;
  free = enters + info.interval;
  if (!collectors_.empty()) holdCollector(enters);
  return enters;
}

// The collector that is free first takes its place among the others.
void Backend::holdCollector(Cycle until) {
  std::size_t place = 0;
  for (; place + 1 < collectors_.size() && collectors_[place + 1] < until; ++place) collectors_[place] = collectors_[place + 1];
  collectors_[place] = until;
}

Cycle Backend::writeBack(const InstructionInfo& info, u32 slot, Cycle time, Cycle now) {
  if (info.writeCount == 0) return time;
  const Cycle port = ports_.bookAny(time, now);
  stats_.writeBackConflicts += port - time;
  Cycle done = port;
  if (!collectors_.empty()) {
    for (u32 i = 0; i < info.writeCount; ++i) {
      const Cycle write = banks_[bankOf(info.writes[i], slot)].book(port, now);
      stats_.writeConflicts += write - port;
      done = std::max(done, write);
    }
  }
  stats_.operandWrites += info.writeCount;
  return done;
}

}  // namespace warpwright::sm
