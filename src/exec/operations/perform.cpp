#include "exec/operations/perform.hpp"

#include <array>
#include <type_traits>

#include "exec/dispatch.hpp"
#include "exec/operations/access.hpp"
#include "exec/operations/async.hpp"
#include "exec/operations/barrier.hpp"
#include "exec/operations/bulk.hpp"
#include "exec/operations/cluster_access.hpp"
#include "exec/operations/cluster_barrier.hpp"
#include "exec/operations/control.hpp"
#include "exec/operations/prefetch.hpp"
#include "exec/operations/special_registers.hpp"
#include "exec/operations/system_calls.hpp"
#include "exec/operations/tensor.hpp"
#include "exec/operations/texture_access.hpp"
#include "exec/operations/warp_group.hpp"
#include "exec/operations/warp_operations.hpp"
#include "exec/step_recorder.hpp"

namespace warpwright::exec {
namespace {

using Effect = void (*)(Grid&, const Issue&);

void tellWritten(Grid& grid, const Issue& issue, LaneMask written) {
  if (grid.issueEvents && written) raiseResult(grid, issue.block.index, issue.warp, issue.op, issue.pc, written);
}

// The path goes straight on.
template <Effect kEffect>
bool goesOn(Grid& grid, const Issue& issue) {
  kEffect(grid, issue);
  return true;
}

// The same of what has written its destinations when it is done.
template <Effect kEffect>
bool writes(Grid& grid, const Issue& issue) {
  kEffect(grid, issue);
  tellWritten(grid, issue, issue.executing);
  return true;
}

// The path is where the effect has put it.
template <Effect kEffect>
bool moves(Grid& grid, const Issue& issue) {
  kEffect(grid, issue);
  return false;
}

// The path may wait behind the instruction.
template <Effect kEffect>
bool passes(Grid& grid, const Issue& issue) {
  ++issue.path.pc;
  kEffect(grid, issue);
  return false;
}

template <LaunchStatus kStatus>
bool ends(Grid& grid, const Issue& issue) {
  stop(grid, issue, kStatus);
}

// A path that has polled for long lets others run.
bool goesOnUnlessPolling(Grid& grid, const Issue& issue) {
  if (!issue.op.polls || issue.warp.polls < grid.request.limits.pollsBeforeYield) return true;
  ++issue.path.pc;
  waitForOthers(grid, issue);
  return false;
}

bool load(Grid& grid, const Issue& issue) {
  access(grid, issue);
  const bool awaitsAtomics = grid.separate && grid.separate->recorder->record().awaitsAtomics;
  tellWritten(grid, issue, awaitsAtomics ? LaneMask{} : issue.executing - putOffLanes(grid));
  return goesOnUnlessPolling(grid, issue);
}

bool atomic(Grid& grid, const Issue& issue) {
  access(grid, issue);
  const auto deferred = grid.separate ? grid.separate->recorder->record().atomic : std::nullopt;
  const LaneMask later = deferred ? grid.separate->atomics[*deferred].mask : putOffLanes(grid);
  tellWritten(grid, issue, issue.executing - later);
  return goesOnUnlessPolling(grid, issue);
}

bool mbarrierOperation(Grid& grid, const Issue& issue) {
  access(grid, issue);
  tellWritten(grid, issue, issue.executing - putOffLanes(grid));
  return goesOnUnlessPolling(grid, issue);
}

bool store(Grid& grid, const Issue& issue) {
  if (endsFirstTurn(grid, issue)) {
    unissue(grid, issue);
    return false;
  }
  access(grid, issue);
  return true;
}

// All are read before one is written: a destination may be another's source.
void copyWords(Grid&, const Issue& issue) {
  const Op& op = issue.op;
  std::array<std::array<u32, kMaxWarpSize>, std::extent_v<decltype(Op::sources)>> read{};
  for (std::size_t i = 0; i < read.size(); ++i)
    if (op.destinations[i].present)
      for (const LaneId lane : issue.executing) read[i][lane] = source(issue.warp, op.sources[i])[lane];
  for (std::size_t i = 0; i < read.size(); ++i)
    if (op.destinations[i].present)
      for (const LaneId lane : issue.executing) registers(issue.warp, op.destinations[i])[lane] = read[i][lane];
}

void fence(Grid&, const Issue& issue) {
  if (issue.block.races && !issue.warp.isHelper) noteFence(issue);
}

}  // namespace

bool performUndefined(Grid& grid, const Issue& issue) { undefinedCode(grid, issue); }

Perform performOf(Handler handler) {
  switch (handler) {
    case Handler::undefined:
    case Handler::lane:
      return performUndefined;
    case Handler::load:
      return load;
    case Handler::store:
      return store;
    case Handler::atomic:
      return atomic;
    case Handler::mbarrier:
      return mbarrierOperation;
    case Handler::nothing:
      return goesOn<fence>;
    case Handler::copy:
      return writes<copyWords>;
    case Handler::prefetch:
      return goesOn<prefetch>;
    case Handler::specialRegister:
      return writes<specialRegister>;
    case Handler::activeMask:
      return writes<activeMask>;
    case Handler::shuffle:
      return shuffle;
    case Handler::vote:
      return vote;
    case Handler::match:
      return match;
    case Handler::reduce:
      return reduce;
    case Handler::elect:
      return elect;
    case Handler::warpSync:
      return warpSync;
    case Handler::texture:
      return writes<textureFetch>;
    case Handler::textureQuery:
      return writes<textureQuery>;
    case Handler::surface:
      return writes<surfaceAccess>;
    case Handler::matrix:
      return writes<matrixOperation>;
    case Handler::groupMultiply:
      return writes<groupMultiply>;
    case Handler::groupCommit:
      return goesOn<groupCommit>;
    case Handler::groupWait:
      return moves<groupWait>;
    case Handler::copyAsync:
      return goesOn<copyAsync>;
    case Handler::commitCopies:
      return goesOn<commitCopies>;
    case Handler::waitForCopies:
      return goesOn<waitForCopies>;
    case Handler::bulkCopy:
      return goesOn<copyBulk>;
    case Handler::commitBulk:
      return goesOn<commitBulk>;
    case Handler::waitForBulk:
      return goesOn<waitForBulk>;
    case Handler::systemCall:
      return goesOn<systemCall>;
    case Handler::sleep:
      return passes<waitForOthers>;
    case Handler::barrierArrive:
      return passes<barrierArrive>;
    case Handler::barrierSync:
    case Handler::barrierReduce:
      return moves<barrierSync>;
    case Handler::clusterArrive:
      return passes<clusterArrive>;
    case Handler::clusterWait:
      return clusterWait;
    case Handler::branch:
      return moves<branch>;
    case Handler::branchIndexed:
      return moves<branchIndexed>;
    case Handler::call:
      return moves<call>;
    case Handler::callIndirect:
      return moves<callIndirect>;
    case Handler::ret:
      return passes<ret>;
    case Handler::exit:
      return passes<exit>;
    case Handler::trap:
      return ends<LaunchStatus::trap>;
    case Handler::breakpoint:
      return ends<LaunchStatus::breakpoint>;
  }
  return performUndefined;
}

}  // namespace warpwright::exec
