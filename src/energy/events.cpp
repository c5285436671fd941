#include "energy/events.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace warpwright::energy {
namespace {

// The same for each cache, by its section of a machine file.
void addCache(std::vector<Event>& to, const std::string& unit) {
  to.push_back({unit, "tag", "look-up", "tags of all ways of a set, read and compared", Origin::arrays});
  to.push_back({unit, "read", "sector", "of 32 bytes, read from the data array: of hits, and of dirty sectors that leave", Origin::arrays});
  to.push_back({unit, "write", "sector", "written by an access from above", Origin::arrays});
  to.push_back({unit, "fill", "sector", "written by a response from below, with its share of a line's tag", Origin::arrays});
  to.push_back({unit, "mshr_search", "access", "all entries compared with the address of an access that missed", Origin::arrays});
  to.push_back({unit, "mshr_allocate", "entry", "written, and read again when it is freed", Origin::arrays});
  to.push_back({unit, "leakage", "core cycle", "of all instances on the chip", Origin::arrays});
}

std::vector<Event> makeEvents() {
  const auto pipe = [](std::string name, std::string_view text) {
    return Event{"pipe", std::move(name), "lane operation", text, Origin::table};
  };
  std::vector<Event> all = {
      {"instruction", "fetch", "fetch", "read of the instruction cache's data array by an instruction buffer", Origin::arrays},
      {"instruction", "decode", "warp instruction", "decoding, and the instruction buffer", Origin::table},
      {"instruction", "issue", "warp instruction", "scheduler and scoreboard", Origin::table},
      {"register_file", "read", "register of a warp", "one row of a bank, whatever lanes are active", Origin::arrays},
      {"register_file", "write", "register of a warp", "one row of a bank, whatever lanes are active", Origin::arrays},
      {"register_file", "leakage", "core cycle", "of all SMs", Origin::arrays},
      {"operand_collector", "operand", "register of a warp", "from the bank into a collector and from there to a pipe", Origin::arrays},
      pipe("int_add", "32-bit addition, comparison, logic, shift"),
      pipe("int_multiply", "32-bit multiplication, also with addition"),
      pipe("int_divide", "32-bit division or remainder"),
      pipe("fp16_fma", "half-precision operation"),
      pipe("fp32_fma", "single-precision addition, multiplication or both"),
      pipe("fp32_divide", "single-precision division or square root by a pipe"),
      pipe("fp64_fma", "double-precision addition, multiplication or both"),
      pipe("fp64_divide", "double-precision division or square root"),
      pipe("special", "reciprocal, root, exponential, logarithm, sine of the special function unit"),
      pipe("convert", "between formats"),
      pipe("move", "copy, selection, permutation of bytes"),
      pipe("predicate", "logic of predicates, votes"),
      pipe("shuffle", "32 bits from another lane"),
      {"pipe", "tensor", "multiply-add", "of half-precision factors, of the matrix unit", Origin::table},
      {"pipe", "branch", "warp instruction", "target, and masks of lanes", Origin::table},
      {"coalescer", "lane", "active lane", "its address compared with others'", Origin::table},
      {"coalescer", "access", "warp instruction", "entry with its lanes' offsets, written and read when answers come", Origin::arrays},
      {"data_crossbar", "cache_word", "lane word", "32 bits between a lane and a first-level cache", Origin::arrays},
      {"data_crossbar", "shared_word", "lane word", "32 bits between a lane and the banks of shared memory", Origin::arrays},
      {"shared_memory", "read", "word", "of a bank's width, from it; lanes that share it count once", Origin::arrays},
      {"shared_memory", "write", "word", "of a bank's width, to it", Origin::arrays},
      {"shared_memory", "leakage", "core cycle", "of all SMs", Origin::arrays},
  };
  for (const char* unit : {"l1d", "l1i", "l1c", "l15c", "texture_cache", "l2", "llc"}) addCache(all, unit);
  const std::vector<Event> rest = {
      {"network", "route", "flit", "that left a router: written to a buffer, read, and switched", Origin::arrays},
      {"network", "arbitrate", "flit", "that left a router", Origin::table},
      {"network", "link", "flit", "over the wires behind a router", Origin::arrays},
      {"dram", "activate", "command", "opening a row, with the precharge that follows", Origin::dram},
      {"dram", "read", "command", "a burst, interface included", Origin::dram},
      {"dram", "write", "command", "a burst, interface included", Origin::dram},
      {"dram", "refresh", "command", "of all banks", Origin::dram},
      {"dram", "open", "tick", "of a channel's command clock with a row open", Origin::dram},
      {"dram", "precharged", "tick", "of a channel's command clock with all banks precharged", Origin::dram},
      {"sm", "active_cycle", "core cycle", "of an SM with warps: clock, and what pipelines take whatever they do", Origin::table},
      {"sm", "idle_cycle", "core cycle", "of an SM without warps", Origin::table},
  };
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

}  // namespace

std::span<const Event> events() {
  static const std::vector<Event> kEvents = makeEvents();
  return kEvents;
}

const Event* findEvent(std::string_view path) {
  const auto found = std::ranges::find_if(events(), [&](const Event& event) { return event.path() == path; });
  return found == events().end() ? nullptr : &*found;
}

std::span<const std::string_view> lengths() {
  // From the register banks to the pipes; from the lanes to the banks of shared memory and of the first-level cache; behind a router.
  static constexpr std::array<std::string_view, 3> kLengths = {"register_to_pipe", "lane_to_memory", "network_link"};
  return kLengths;
}

}  // namespace warpwright::energy
