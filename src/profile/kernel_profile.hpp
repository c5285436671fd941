// The counters of one kernel, merged over its launches.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "profile/collector.hpp"
#include "profile/counters.hpp"
#include "profile/data/array_data.hpp"
#include "stats/named_statistics.hpp"

namespace warpwright::profile {

struct SourceLine {
  std::string file;  // empty, with line 0: code without a source line
  u32 line = 0;
  // By file and line; code without a line comes last.
  bool operator<(const SourceLine& other) const {
    return std::tuple(line == 0, std::string_view(file), line) < std::tuple(other.line == 0, std::string_view(other.file), other.line);
  }
};

SourceLine sourceLineOf(const isa::Program& program, const isa::Instruction& instruction);

struct LineProfile {
  Counters counters;
  std::array<Strides, kAccessKinds> strides;  // by AccessKind
  u64 footprintSectors = 0;                   // distinct sectors of global memory in a launch, summed over launches
};

// What a launch needs of a thread or block.
struct Resources {
  u32 registers = 0;
  u64 sharedBytes = 0, localBytes = 0;
};

struct LaunchTotals {
  u64 launches = 0, failed = 0, nanoseconds = 0;
  u64 blocks = 0, blocksDone = 0, warps = 0, threads = 0;

  static constexpr void fields(auto&& field) {
    using L = LaunchTotals;
    field("launches", "launches", "launches, whatever their end", &L::launches);
    field("failed", "launches", "launches that did not complete", &L::failed);
    field("nanoseconds", "ns", "simulated time", &L::nanoseconds);
    field("blocks", "blocks", "blocks launched", &L::blocks);
    field("blocks_done", "blocks", "blocks that ran to their end", &L::blocksDone);
    field("warps", "warps", "warps launched", &L::warps);
    field("threads", "threads", "threads launched", &L::threads);
  }
};

class KernelProfile {
 public:
  KernelProfile(std::string name, std::string module, u32 warpSize);

  // Gives the counters of this launch alone.
  Counters add(const exec::LaunchRequest& request, const exec::LaunchResult& result, u64 nanoseconds, Collector& collector);
  // What mechanisms observed of a launch.
  void addMechanisms(const stats::NamedStatistics& observed) { merge(mechanisms_, observed); }
  // Simulated time of a launch that was added.
  void addTime(u64 nanoseconds) { totals_.nanoseconds += nanoseconds; }
  // A further part of the launch added last.
  void addFurtherPart(const exec::LaunchRequest& request, const exec::LaunchResult& result, Collector& collector);

  const std::string& name() const { return name_; }      // as in the program: mangled
  const std::string& module() const { return module_; }  // the module's source name
  u32 warpSize() const { return warpSize_; }
  const LaunchTotals& totals() const { return totals_; }
  const exec::LaunchShape& firstShape() const { return firstShape_; }
  bool shapesVary() const { return shapesVary_; }
  const Resources& resources() const { return resources_; }  // of the first launch
  const Counters& counters() const { return counters_; }
  const FootprintCounters& footprint() const { return footprint_; }
  const stats::NamedStatistics& mechanisms() const { return mechanisms_; }
  const KernelData& data() const { return data_; }  // empty where contents are not looked at
  u64 distinctSectors() const;                      // of all launches together
  u64 distinctLines() const;
  const std::map<SourceLine, LineProfile>& lines() const { return lines_; }

  // Conservation laws that some launch broke, and those broken by the sums as they stand. Empty unless the simulator is wrong.
  std::vector<std::string> violations() const;

 private:
  Counters addCounts(const exec::LaunchRequest& request, const exec::LaunchResult& result, Collector& collector);
  void addLaunch(const exec::LaunchRequest& request, const exec::LaunchResult& result, u64 nanoseconds);
  void checkLaunch(const Counters& launch, u64 accessLanes, const exec::LaunchResult& result, bool boundsChecked);

  std::string name_, module_;
  u32 warpSize_;
  LaunchTotals totals_;
  exec::LaunchShape firstShape_;
  bool shapesVary_ = false;
  Resources resources_;
  Counters counters_;
  FootprintCounters footprint_;
  stats::NamedStatistics mechanisms_;
  KernelData data_;
  TouchedSectors touched_;
  std::map<SourceLine, LineProfile> lines_;
  std::vector<std::string> violations_;
};

}  // namespace warpwright::profile
