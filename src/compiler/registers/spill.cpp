#include "compiler/registers/spill.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "compiler/analysis/next_use.hpp"
#include "compiler/registers/code_editor.hpp"
#include "compiler/registers/register_set.hpp"
#include "compiler/registers/reload.hpp"
#include "compiler/registers/rematerialisation.hpp"

namespace warpwright::compiler {
namespace {

class Spiller {
 public:
  Spiller(MachineFunction& function, const SpillRequest& request)
      : function_(function),
        request_(request),
        flow_(buildControlFlow(function)),
        liveness_(function, flow_),
        loops_(findLoops(flow_)),
        nextUse_(function, flow_, liveness_, loops_),
        recipes_(function),
        editor_(function, flow_),
        reloads_(function, request.unitClass),
        predecessors_(reversed(flow_.successors)),
        entry_(flow_.blocks.size()),
        exit_(flow_.blocks.size()) {}

  void run() {
    if (flow_.blocks.empty()) return;
    findRecipes();
    for (const u32 b : reversePostorder(flow_.successors, 0)) {
      entry_[b] = enterBlock(b);
      walk(b);
    }
    for (u32 b = 0; b < flow_.blocks.size(); ++b)
      for (const u32 successor : flow_.successors[b]) couple(b, successor);
    editor_.apply();
  }

 private:
  bool isMine(u32 unit) const {
    const bool word = unit < function_.words();
    return request_.unitClass == UnitClass::words ? word && unit != kStackWord : !word;
  }
  u32 rankOf(u32 unit) const { return request_.rank.empty() ? 0 : request_.rank[unit]; }

  void findRecipes() {
    recipe_.assign(function_.units(), kNone);
    if (request_.unitClass == UnitClass::predicates) return;
    for (u32 unit = 0; unit < function_.words(); ++unit) recipe_[unit] = recipes_.recipeOf(unit);
  }

  // --- what is in registers at the beginning of a block
  RegisterSet enterBlock(u32 block) {
    RegisterSet result(function_.units());
    if (predecessors_[block].empty()) return result;
    const u32 loop = loops_.loopAt(block);
    const std::vector<u32> candidates = loop == kNoNode ? liveEntries(block) : loopEntries(block, loop);
    for (const u32 unit : candidates) {
      if (result.size() == request_.limit) break;
      result.insert(unit);
    }
    return result;
  }

  // How many of the processed predecessors have the unit in a register at their end, in tenths; 10: all of them.
  u32 availability(u32 block, u32 unit) const {
    u32 have = 0, known = 0;
    for (const u32 predecessor : predecessors_[block]) {
      if (!exit_[predecessor]) continue;
      ++known;
      have += exit_[predecessor]->contains(unit);
    }
    return known == 0 ? 0 : have * 10 / known;
  }

  std::vector<u32> liveUnits(u32 block) const {
    std::vector<u32> units;
    liveness_.liveIn(block).forEach([&](u32 unit) {
      if (isMine(unit)) units.push_back(unit);
    });
    return units;
  }

  void sortByNextUse(u32 block, std::vector<u32>& units) const {
    std::sort(units.begin(), units.end(), [&](u32 a, u32 b) {
      if (rankOf(a) != rankOf(b)) return rankOf(a) > rankOf(b);
      const u32 distanceA = nextUse_.atEntry(block, a), distanceB = nextUse_.atEntry(block, b);
      return distanceA != distanceB ? distanceA < distanceB : a < b;
    });
  }

  // What all predecessors have, then what some have, the nearest first. What none has is reloaded where it is read.
  std::vector<u32> liveEntries(u32 block) const {
    std::vector<u32> all, some;
    for (const u32 unit : liveUnits(block)) {
      const u32 have = availability(block, unit);
      if (have == 10) all.push_back(unit);
      if (have > 0 && have < 10 && nextUse_.atEntry(block, unit) < NextUse::kLoopExit) some.push_back(unit);
    }
    sortByNextUse(block, all);
    sortByNextUse(block, some);
    all.insert(all.end(), some.begin(), some.end());
    return all;
  }

  // What the loop reads, then what lives through it as far as its code leaves registers for it.
  std::vector<u32> loopEntries(u32 block, u32 loop) const {
    std::vector<u32> used, through;
    for (const u32 unit : liveUnits(block)) (nextUse_.atEntry(block, unit) < NextUse::kLoopExit ? used : through).push_back(unit);
    sortByNextUse(block, used);
    sortByNextUse(block, through);
    std::erase_if(through, [&](u32 unit) { return availability(block, unit) == 0; });
    const u32 pressure = pressureInside(loop), throughCount = static_cast<u32>(through.size());
    const u32 others = pressure > throughCount ? pressure - throughCount : 0;
    const u32 room = request_.limit > others ? request_.limit - others : 0;
    if (through.size() > room) through.resize(room);
    // A value that nothing has in a register costs a reload whether it is put in front of the loop or in it: in front of it.
    used.insert(used.end(), through.begin(), through.end());
    return used;
  }

  u32 pressureInside(u32 loop) const {
    u32 most = 0;
    for (const u32 block : loops_.loops[loop].blocks)
      liveness_.walkBackward(block, [&](u32, const NumberSet& live) {
        u32 count = 0;
        live.forEach([&](u32 unit) { count += isMine(unit); });
        most = std::max(most, count);
      });
    return most;
  }

  // --- through a block
  void walk(u32 block) {
    RegisterSet held = entry_[block];
    findDeaths(block);
    for (u32 i = flow_.blocks[block].begin; i < flow_.blocks[block].end; ++i) step(block, i, held);
    exit_[block] = std::move(held);
  }

  // Units that instruction i is the last to touch.
  void findDeaths(u32 block) {
    deaths_.assign(flow_.blocks[block].end - flow_.blocks[block].begin, {});
    liveness_.walkBackward(block, [&](u32 i, const NumberSet& live) {
      const auto note = [&](u32 unit) {
        if (!live.test(unit)) deaths_[i - flow_.blocks[block].begin].push_back(unit);
      };
      forEachSourceUnit(function_, function_.code[i], note);
      forEachDestinationUnit(function_, function_.code[i], note);
    });
  }

  void step(u32 block, u32 position, RegisterSet& held) {
    const MachineInstruction& instruction = function_.code[position];
    std::vector<u32> reads, writes;
    const auto collect = [&](std::vector<u32>& list) {
      return [&](u32 unit) {
        if (isMine(unit) && std::find(list.begin(), list.end(), unit) == list.end()) list.push_back(unit);
      };
    };
    forEachSourceUnit(function_, instruction, collect(reads));
    if (!liveness_.overwrites(position)) forEachDestinationUnit(function_, instruction, collect(reads));
    forEachDestinationUnit(function_, instruction, collect(writes));
    bringIn(block, position, reads, held);
    for (const u32 unit : deaths_[position - flow_.blocks[block].begin]) held.erase(unit);
    for (const u32 unit : writes) held.insert(unit);
    evict(block, position + 1, writes, held);
    for (const u32 unit : deaths_[position - flow_.blocks[block].begin]) held.erase(unit);
  }

  void bringIn(u32 block, u32 position, const std::vector<u32>& reads, RegisterSet& held) {
    std::vector<u32> missing;
    for (const u32 unit : reads)
      if (!held.contains(unit)) missing.push_back(unit);
    if (missing.empty()) return;
    const RegisterSet available = held;
    for (const u32 unit : missing) held.insert(unit);
    evict(block, position, reads, held);
    // Recipes may read what is in registers before and after the eviction.
    const auto canRepeat = [&](u32 recipe) {
      return recipes_.holdsAt(recipe, position, [&](u32 unit) { return available.contains(unit) && held.contains(unit); });
    };
    for (const MachineInstruction& reload : reloads_.make(missing, recipe_, canRepeat, function_.code[position]))
      editor_.before(reloadPosition(position), reload);
  }

  // A call is preceded by the step of the stack pointer, behind which the frame has another distance.
  u32 reloadPosition(u32 position) const {
    const bool moved = position > 0 && isCall(function_.code[position]) && isRegister(function_.code[position - 1].destinations[0]) &&
                       function_.code[position - 1].destinations[0].index == kStackWord;
    return moved ? position - 1 : position;
  }

  // What one instruction names stays, even where that alone is more than the limit.
  void evict(u32 block, u32 position, const std::vector<u32>& keep, RegisterSet& held) {
    while (held.size() > request_.limit) {
      const u32 victim = chooseVictim(block, position, keep, held);
      if (victim == kNone) return;
      held.erase(victim);
    }
  }

  u32 chooseVictim(u32 block, u32 position, const std::vector<u32>& keep, const RegisterSet& held) const {
    u32 victim = kNone, bestRank = 0;
    u64 farthest = 0;
    for (const u32 unit : held.units()) {
      if (std::find(keep.begin(), keep.end(), unit) != keep.end()) continue;
      const u32 rank = rankOf(unit);
      u64 distance = nextUse_.from(block, position, unit);
      if (recipe_[unit] != kNone) distance *= kCheapness;
      const bool better =
          victim == kNone || rank < bestRank || (rank == bestRank && (distance > farthest || (distance == farthest && unit < victim)));
      if (!better) continue;
      victim = unit;
      bestRank = rank;
      farthest = distance;
    }
    return victim;
  }

  // --- between blocks
  void couple(u32 from, u32 to) {
    if (!exit_[from] || !exit_[to]) return;
    std::vector<u32> missing;
    for (const u32 unit : entry_[to].units())
      if (!exit_[from]->contains(unit)) missing.push_back(unit);
    if (missing.empty()) return;
    std::sort(missing.begin(), missing.end());
    const auto isConstant = [&](u32 recipe) { return recipes_.isConstant(recipe); };
    editor_.onEdge(from, to, reloads_.make(missing, recipe_, isConstant, function_.code[flow_.blocks[from].end - 1]));
  }

  // A computation is repeated in a few cycles, a reload takes tens of them.
  static constexpr u64 kCheapness = 4;

  MachineFunction& function_;
  const SpillRequest& request_;
  ControlFlow flow_;
  Liveness liveness_;
  Loops loops_;
  NextUse nextUse_;
  Rematerialisation recipes_;
  CodeEditor editor_;
  Reloads reloads_;
  Graph predecessors_;
  std::vector<u32> recipe_;  // per unit
  std::vector<RegisterSet> entry_;
  std::vector<std::optional<RegisterSet>> exit_;
  std::vector<std::vector<u32>> deaths_;  // per instruction of the current block
};

}  // namespace

void spill(MachineFunction& function, const SpillRequest& request) {
  if (request.unitClass == UnitClass::predicates) {
    function.predicateHolds = function.words();
    for (u32 p = 0; p < function.predicates; ++p) function.newGroup(1, 1);
  }
  Spiller(function, request).run();
}

}  // namespace warpwright::compiler
