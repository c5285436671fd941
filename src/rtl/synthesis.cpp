#include "rtl/synthesis.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"

namespace warpwright::rtl {
namespace {

namespace fs = std::filesystem;

// A folder that goes when this goes.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "warpwright-rtl-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw Error("cannot make a folder in " + fs::temp_directory_path().string(), {}, "set TMPDIR");
    folder_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(std::string_view file) const { return (folder_ / file).string(); }

 private:
  fs::path folder_;
};

void requireYosys() {
  static const bool isThere = std::system("yosys -V >/dev/null 2>&1") == 0;
  if (!isThere) throw Error("Yosys is not there, which counts gates", {}, "install Debian's package yosys, or run tools/install-packages");
}

// The line behind which Yosys' statistics give a number: "     $_NAND_      354".
u64 cellsNamed(const std::string& statistics, std::string_view start) {
  u64 sum = 0;
  for (std::size_t at = statistics.find(start); at != std::string::npos; at = statistics.find(start, at + 1)) {
    const std::size_t number = statistics.find(' ', at);
    sum += std::stoull(statistics.substr(statistics.find_first_not_of(' ', number)));
  }
  return sum;
}

u64 pathLength(const std::string& text) {
  constexpr std::string_view kStart = "(length=";
  const std::size_t at = text.find(kStart);
  // Yosys counts the port or flip-flop at the beginning as number 0.
  return at == std::string::npos ? 0 : std::stoull(text.substr(at + kStart.size()));
}

std::string scriptFor(Target target) {
  if (target == Target::lut4) return "synth -flatten -lut 4 -top {1}; tee -q -o {2} stat";
  if (target == Target::lut6) return "synth -flatten -lut 6 -top {1}; tee -q -o {2} stat";
  return "synth -flatten -top {1}; abc -g cmos2; opt_clean; tee -q -o {2} stat; tee -q -o {3} ltp -noff";
}

}  // namespace

void synthesise(const Package& package, Target target, Counts& counts) {
  requireYosys();
  const Scratch scratch;
  std::string text;
  for (const Module& module : package.modules) text += module.text();
  const std::string design = scratch.path("design.sv"), statistics = scratch.path("stat"), path = scratch.path("path"),
                    log = scratch.path("log"), script = scratch.path("script");
  writeFile(design, text);
  writeFile(script,
            fmt::format(fmt::runtime("read_verilog -sv {0}; " + scriptFor(target) + "\n"), design, package.top().name(), statistics, path));
  if (std::system(fmt::format("yosys -q -s {} >{} 2>&1", script, log).c_str()) != 0)
    throw Error(fmt::format("Yosys failed on {}: {}", package.top().name(), readFile(log)));
  const std::string counted = readFile(statistics);
  if (target == Target::gates) {
    counts.gates = cellsNamed(counted, "$_NAND_") + cellsNamed(counted, "$_NOR_") + cellsNamed(counted, "$_NOT_");
    counts.flipFlops = cellsNamed(counted, "$_DFF") + cellsNamed(counted, "$_SDFF");
    counts.depth = pathLength(readFile(path));
  } else {
    (target == Target::lut4 ? counts.lut4 : counts.lut6) = cellsNamed(counted, "$lut");
  }
}

Counts synthesise(const Package& package) {
  Counts counts;
  for (const Target target : {Target::gates, Target::lut4, Target::lut6}) synthesise(package, target, counts);
  return counts;
}

u64 Synthesis::count(const std::string& design, std::string_view name) {
  struct Count {
    std::string_view name;
    Target target;
    u64 Counts::*member;
  };
  static constexpr std::array<Count, 5> kCounts = {{{"gates", Target::gates, &Counts::gates},
                                                    {"depth", Target::gates, &Counts::depth},
                                                    {"flip_flops", Target::gates, &Counts::flipFlops},
                                                    {"lut4", Target::lut4, &Counts::lut4},
                                                    {"lut6", Target::lut6, &Counts::lut6}}};
  if (name == "memory_bits") return makePackage(design).memoryBits;
  for (const Count& each : kCounts) {
    if (each.name != name) continue;
    Known& known = known_[design];
    bool& done = known.done[static_cast<std::size_t>(each.target)];
    if (!done) synthesise(makePackage(design), each.target, known.counts);
    done = true;
    return known.counts.*each.member;
  }
  throw Error(fmt::format("synthesis does not count '{}'", name), {}, "gates, depth, flip_flops, lut4, lut6 or memory_bits");
}

}  // namespace warpwright::rtl
