#include "compiler/regions/find_regions.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "compiler/regions/effects.hpp"
#include "compiler/regions/region.hpp"

namespace warpwright::compiler {
namespace {

using Positions = std::set<u32>;

// Instructions that may be put into another order, if each stays behind what it reads, and accesses to memory behind the stores that they
// are behind of: no register is written here that one before has named.
class Line {
 public:
  Line(const ptx::Function& kernel, const Stretch& stretch, const std::vector<bool>& uniform, const std::vector<u32>& mentions)
      : kernel_(kernel), stretch_(stretch), uniform_(uniform), mentions_(mentions), writer_(kernel.registers.size(), kNobody) {
    for (u32 position = stretch.begin; position < stretch.end; ++position)
      forEachWritten(kernel.body[position], [&](u32 reg) { writer_[reg] = position; });
    for (u32 position = stretch.begin; position < stretch.end; ++position) isComputed_.push_back(isComputed(position));
  }

  // What belongs to a region for these, all of which it has, and nothing from `end` on; nothing where it needs or gives more words than it
  // may.
  std::optional<Positions> regionFor(const Positions& wanted, u32 mostWords, u32 end) const {
    Positions banned;
    for (;;) {
      const Positions region = closure(wanted, banned, end);
      if (!std::ranges::includes(region, wanted)) return std::nullopt;
      const std::vector<u32> results = resultsOf(region);
      const auto isStuck = [&](u32 reg) { return !wordsOf(kernel_, {reg}); };
      const auto stuck = std::ranges::find_if(results, isStuck);
      if (stuck == results.end()) return fits(region, results, mostWords) ? std::optional(region) : std::nullopt;
      banned.insert(writer_[*stuck]);
    }
  }

  u32 workOf(const Positions& region) const {
    u32 work = 0;
    for (const u32 position : region) work += isLong(kernel_.body[position]) ? kLongWork : 1;
    return work;
  }

  // The order in which those of the region follow one another, with stores and what is behind them in memory where it was; nothing: there
  // is none.
  std::optional<std::vector<u32>> orderAround(const Positions& region) const {
    std::vector<u32> order, behind;
    std::vector<bool> ofRegion(kernel_.registers.size()), ofOthers(kernel_.registers.size());
    bool storesBehind = false;
    for (u32 position = stretch_.begin; position < stretch_.end; ++position) {
      const ptx::Instruction& instruction = kernel_.body[position];
      bool needsRegion = false, needsOthers = storesBehind && (isPlainLoad(instruction) || isPlainStore(instruction));
      forEachRead(instruction, [&](u32 reg) {
        needsRegion = needsRegion || ofRegion[reg];
        needsOthers = needsOthers || ofOthers[reg];
      });
      const bool isInside = region.contains(position);
      if (isInside && needsOthers) return std::nullopt;
      if (isInside || needsRegion || needsOthers)
        forEachWritten(instruction, [&](u32 reg) { (isInside ? ofRegion : ofOthers)[reg] = true; });
      if (isInside) continue;
      (needsRegion || needsOthers ? behind : order).push_back(position);
      storesBehind = storesBehind || ((needsRegion || needsOthers) && isPlainStore(instruction));
    }
    std::ranges::copy(region, std::back_inserter(order));
    std::ranges::copy(behind, std::back_inserter(order));
    return order;
  }

 private:
  static constexpr u32 kNobody = ~u32{0};

  bool computesHere(u32 reg) const { return writer_[reg] != kNobody && isComputed_[writer_[reg] - stretch_.begin]; }

  // From registers that can be handed on, if not from what is computed so: predicates and parts of words cannot.
  bool isComputed(u32 position) const {
    bool is = isPure(kernel_.body[position]);
    forEachRead(kernel_.body[position], [&](u32 reg) { is = is && (uniform_[reg] || wordsOf(kernel_, {reg}) || computesHere(reg)); });
    return is;
  }

  // All that can be computed from what the wanted ones are computed from, if it comes of one of them, or is needed for what does.
  Positions closure(const Positions& wanted, const Positions& banned, u32 end) const {
    const std::set<u32> keys = keysBehind(wanted);
    Positions possible;
    for (u32 position = stretch_.begin; position < end; ++position) {
      if (banned.contains(position) || !isComputed_[position - stretch_.begin]) continue;
      bool isKnown = true, isOfKeys = false;
      forEachRead(kernel_.body[position], [&](u32 reg) {
        const bool isInside = keys.contains(reg) || (writer_[reg] != kNobody && possible.contains(writer_[reg]));
        isOfKeys = isOfKeys || isInside;
        isKnown = isKnown && (isInside || uniform_[reg]);
      });
      if (isKnown && isOfKeys) possible.insert(position);
    }
    Positions region;
    for (const u32 position : possible) {
      bool comesOfOne = wanted.contains(position);
      forEachRead(kernel_.body[position],
                  [&](u32 reg) { comesOfOne = comesOfOne || (writer_[reg] != kNobody && region.contains(writer_[reg])); });
      if (comesOfOne) region.insert(position);
    }
    for (u32 position = stretch_.end; position-- > stretch_.begin;) {
      if (!region.contains(position)) continue;
      forEachRead(kernel_.body[position], [&](u32 reg) {
        if (writer_[reg] != kNobody && possible.contains(writer_[reg])) region.insert(writer_[reg]);
      });
    }
    return region;
  }

  // Registers that come from elsewhere, or from memory.
  std::set<u32> keysBehind(const Positions& wanted) const {
    std::set<u32> keys;
    std::vector<u32> open(wanted.begin(), wanted.end());
    Positions seen = wanted;
    while (!open.empty()) {
      const u32 position = open.back();
      open.pop_back();
      forEachRead(kernel_.body[position], [&](u32 reg) {
        if (uniform_[reg]) return;
        if (!computesHere(reg))
          keys.insert(reg);
        else if (seen.insert(writer_[reg]).second)
          open.push_back(writer_[reg]);
      });
    }
    return keys;
  }

  std::vector<u32> resultsOf(const Positions& region) const {
    std::vector<u32> inside(kernel_.registers.size());
    for (const u32 position : region) {
      forEachRead(kernel_.body[position], [&](u32 reg) { ++inside[reg]; });
      forEachWritten(kernel_.body[position], [&](u32 reg) { ++inside[reg]; });
    }
    std::vector<u32> results;
    for (const u32 position : region)
      forEachWritten(kernel_.body[position], [&](u32 reg) {
        if (inside[reg] != mentions_[reg]) results.push_back(reg);
      });
    return results;
  }

  bool fits(const Positions& region, const std::vector<u32>& results, u32 mostWords) const {
    std::set<u32> keys;
    for (const u32 position : region)
      forEachRead(kernel_.body[position], [&](u32 reg) {
        if (!uniform_[reg] && !(writer_[reg] != kNobody && region.contains(writer_[reg]))) keys.insert(reg);
      });
    const std::optional<u32> in = wordsOf(kernel_, {keys.begin(), keys.end()}), out = wordsOf(kernel_, results);
    return in && out && *in > 0 && *in <= mostWords && *out > 0 && *out <= mostWords && orderAround(region);
  }

  const ptx::Function& kernel_;
  const Stretch stretch_;
  const std::vector<bool>& uniform_;
  const std::vector<u32>& mentions_;
  std::vector<u32> writer_;       // by register, in this line
  std::vector<bool> isComputed_;  // by position in it
};

class Gatherer {
 public:
  Gatherer(ptx::Function& kernel, const RegionSearch& search)
      : kernel_(kernel),
        search_(search),
        uniform_(uniformRegisters(kernel)),
        targets_(jumpTargets(kernel)),
        mentions_(mentionsOf(kernel)) {}

  std::vector<Stretch> run() {
    std::vector<Stretch> regions;
    for (u32 begin = 0; begin < kernel_.body.size();) {
      const u32 end = lineFrom(begin);
      if (end == begin) {
        ++begin;
        continue;
      }
      const std::optional<Stretch> region = gather({begin, end});
      if (region) regions.push_back(*region);
      begin = region ? region->end : end;
    }
    return regions;
  }

 private:
  bool isMarked(u32 position) const {
    return targets_[position] ||
           std::ranges::any_of(kernel_.pragmas, [&](const ptx::Pragma& pragma) { return pragma.position == position; });
  }

  static bool mayMove(const ptx::Instruction& instruction) {
    return isPure(instruction) || isPlainLoad(instruction) || isPlainStore(instruction) || isOfThread(instruction);
  }

  u32 lineFrom(u32 begin) const {
    std::vector<bool> named(kernel_.registers.size());
    u32 position = begin;
    for (; position < kernel_.body.size(); ++position) {
      const ptx::Instruction& instruction = kernel_.body[position];
      if (!mayMove(instruction) || (position != begin && isMarked(position))) break;
      bool writesNamed = false;
      forEachRead(instruction, [&](u32 reg) { named[reg] = true; });
      forEachWritten(instruction, [&](u32 reg) { writesNamed = writesNamed || named[reg]; });
      if (writesNamed) break;
      forEachWritten(instruction, [&](u32 reg) { named[reg] = true; });
    }
    return position;
  }

  std::optional<Stretch> gather(const Stretch& stretch) {
    const Line line(kernel_, stretch, uniform_, mentions_);
    std::vector<u32> seeds;
    for (u32 position = stretch.begin; position < stretch.end; ++position)
      if (isSeed(position)) seeds.push_back(position);
    std::optional<Positions> region = fromOneSeed(line, seeds, stretch.end);
    if (!region) region = fromFirstPart(line, seeds, stretch);
    if (!region) return std::nullopt;
    return rearrange(stretch, *region, *line.orderAround(*region));
  }

  // As many of those behind the first as fit together with it.
  std::optional<Positions> fromOneSeed(const Line& line, const std::vector<u32>& seeds, u32 end) const {
    for (std::size_t first = 0; first < seeds.size(); ++first) {
      Positions wanted{seeds[first]};
      std::optional<Positions> region = line.regionFor(wanted, search_.mostWords, end);
      if (!region) continue;
      for (std::size_t next = first + 1; next < seeds.size(); ++next) {
        if (region->contains(seeds[next])) continue;
        Positions more = wanted;
        more.insert(seeds[next]);
        std::optional<Positions> larger = line.regionFor(more, search_.mostWords, end);
        if (!larger) continue;
        wanted = std::move(more);
        region = std::move(larger);
      }
      if (line.workOf(*region) >= search_.leastWork) return region;
    }
    return std::nullopt;
  }

  // All of the line's first part, as long as that may be: what gives too many results may give fewer before its end.
  std::optional<Positions> fromFirstPart(const Line& line, std::vector<u32> seeds, const Stretch& stretch) const {
    constexpr u32 kLongest = 1024;  // instructions, for the time that it takes
    if (stretch.end - stretch.begin > kLongest) return std::nullopt;
    for (u32 end = stretch.end; end > stretch.begin; --end) {
      while (!seeds.empty() && seeds.back() >= end) seeds.pop_back();
      if (seeds.empty()) break;
      std::optional<Positions> region = line.regionFor({seeds.begin(), seeds.end()}, search_.mostWords, end);
      if (region && line.workOf(*region) >= search_.leastWork) return region;
    }
    return std::nullopt;
  }

  bool isSeed(u32 position) const { return isPure(kernel_.body[position]) && search_.isWanted(kernel_.body[position]); }

  Stretch rearrange(const Stretch& stretch, const Positions& region, const std::vector<u32>& order) {
    std::vector<ptx::Instruction> moved;
    for (const u32 position : order) moved.push_back(kernel_.body[position]);
    std::ranges::move(moved, kernel_.body.begin() + stretch.begin);
    const auto first = std::ranges::find(order, *region.begin());
    const u32 begin = stretch.begin + static_cast<u32>(first - order.begin());
    return {begin, begin + static_cast<u32>(region.size())};
  }

  ptx::Function& kernel_;
  const RegionSearch& search_;
  const std::vector<bool> uniform_, targets_;
  const std::vector<u32> mentions_;
};

}  // namespace

std::vector<Stretch> gatherRegions(ptx::Function& kernel, const RegionSearch& search) { return Gatherer(kernel, search).run(); }

}  // namespace warpwright::compiler
