#include "mechanisms/tiny_cache/treatment.hpp"

#include "sm/launch_plan.hpp"

namespace warpwright::mechanisms::tiny_cache {
namespace {

using isa::CacheOp;
using isa::Opcode;
using isa::Ordering;

Opcode opcodeOf(const sm::LaneAccess& access) { return access.plan->request.launch->program->program.code[access.origin.pc].opcode; }

// Asks for a level below, or says that the data will not be needed again.
bool namesAnotherLevel(CacheOp cache) {
  return cache != CacheOp::none && cache != CacheOp::ca && cache != CacheOp::nc && cache != CacheOp::wb;
}

bool isExcluded(bool isShared, Bypass bypass) { return bypass == Bypass::all || bypass == (isShared ? Bypass::shared : Bypass::global); }

}  // namespace

Treatment treatmentOf(const sm::LaneAccess& access, const Settings& settings) {
  const bool isShared = access.space == isa::Space::shared;
  if (access.isTexel || access.isPrefetch || access.lanes.empty()) return Treatment::none;
  if (!isShared && access.space != isa::Space::global) return Treatment::none;
  const Opcode opcode = opcodeOf(access);
  // Acquires and releases order accesses to the other space, too.
  const bool isWeak = access.ordering == Ordering::weak || access.ordering == Ordering::relaxed || access.ordering == Ordering::volatile_;
  if (!isWeak || opcode == Opcode::mbarrier) return Treatment::orders;
  if (isExcluded(isShared, settings.bypass)) return Treatment::excluded;
  if (access.isAtomic) return Treatment::atomic;
  // Asynchronous copies, and loads whose data go to other lanes.
  if (opcode != Opcode::ld && opcode != Opcode::st) return Treatment::bypasses;
  if (access.ordering != Ordering::weak || namesAnotherLevel(access.cache)) return Treatment::bypasses;
  return access.isStore && !settings.geometry().isWhole(access.bytes) ? Treatment::bypasses : Treatment::cached;
}

}  // namespace warpwright::mechanisms::tiny_cache
