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

bool isExcluded(isa::Space space, Bypass bypass) {
  if (space == isa::Space::shared) return passesShared(bypass);
  return space == isa::Space::global ? passesGlobal(bypass) : bypass == Bypass::all;
}

}  // namespace

bool isOurs(const sm::LaneAccess& access, const Settings& settings) {
  if (access.isTexel || access.isPrefetch || access.lanes.empty()) return false;
  return access.space == isa::Space::global || access.space == isa::Space::shared ||
         (access.space == isa::Space::local && settings.privateToo);
}

Treatment treatmentOf(const sm::LaneAccess& access, Bypass bypass, const Settings& settings) {
  if (!isOurs(access, settings)) return Treatment::none;
  const Opcode opcode = opcodeOf(access);
  // Acquires and releases order accesses to the other spaces, too.
  const bool isWeak = access.ordering == Ordering::weak || access.ordering == Ordering::relaxed || access.ordering == Ordering::volatile_;
  if (!isWeak || opcode == Opcode::mbarrier) return Treatment::orders;
  if (access.isAtomic) return Treatment::atomic;
  // Asynchronous copies, and loads whose data go to other lanes.
  if (isExcluded(access.space, bypass) || (opcode != Opcode::ld && opcode != Opcode::st)) return Treatment::bypasses;
  if (access.ordering != Ordering::weak || namesAnotherLevel(access.cache)) return Treatment::bypasses;
  return access.isStore && !settings.geometry().isWhole(access.bytes) ? Treatment::bypasses : Treatment::cached;
}

}  // namespace warpwright::mechanisms::tiny_cache
