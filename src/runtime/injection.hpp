// Fault injection for a device: what `--inject` asks for, and the account of what came of it.
#pragma once

#include <string>
#include <vector>

#include "exec/launch.hpp"
#include "stats/json_type.hpp"

namespace warpwright::runtime {

struct InjectionSettings {
  exec::InjectionPlan plan;
  u64 mostInstructions = 0;  // of warps, after which a functional launch is stopped; 0: no limit
  std::string file;          // the account is written there as JSON; empty: nowhere
};

// "seed=7,rate=1e-6,in=result+register,at=LAUNCH:BLOCK:WARP:TARGET:EVENT+…,choose=N,most=N,to=FILE". Throws Error that says what is wrong.
InjectionSettings parseInjection(const std::string& text);

// "1:0:3:result:17"
std::string textOf(const exec::InjectionPoint& point);

// A fault with its place in words.
struct LocatedFault {
  exec::InjectedFault fault;
  std::string kernel, file;
  u32 line = 0;            // of the source, or of the PTX; 0: unknown
  std::string ptx, where;  // the instruction's text; "bit 3 of register 7, block (0,0,0), thread (5,0,0)"
};

// All faults of a device's launches, the candidates for others, and a digest of what the host sees of the results.
class InjectionAccount {
 public:
  explicit InjectionAccount(const InjectionSettings& settings) : settings_(settings) {}

  void launchEnded(const exec::LaunchRequest& request, exec::LaunchResult& result, const exec::GlobalMemory& memory);
  // The host has copied these bytes from the device's memory.
  void copiedToHost(const void* bytes, u64 count);

  // The faults, one a line; empty: there is none.
  std::string text() const;
  stats::Json data() const;
  // To the file of the settings.
  void write() const;

 private:
  InjectionSettings settings_;
  std::vector<LocatedFault> faults_;
  std::vector<exec::InjectionCandidate> candidates_;
  std::vector<std::string> failures_;  // of launches: the first line of why
  u64 warpInstructions_ = 0;
  u64 bytes_ = 0, digest_ = 0xcbf2'9ce4'8422'2325;  // FNV-1a
};

}  // namespace warpwright::runtime
