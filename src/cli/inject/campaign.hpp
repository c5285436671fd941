// A program run again and again, each time with faults, and compared with what it does without.
#pragma once

#include <string>
#include <vector>

#include "base/types.hpp"
#include "stats/json.hpp"

namespace warpwright::cli {

struct CampaignSettings {
  std::vector<std::string> words;  // the program and its arguments, or a PTX file and those of `warpwright kernel`
  u32 runs = 100, faultsPerRun = 1, jobs = 1;
  u64 seed = 1;
  std::string targets = "result";  // as the key `in` of --inject has them
  std::string detectedBy;          // STRUCTURE.COUNTER of a mechanism; empty: nothing detects
  bool isQuiet = false;
};

// What came of a run. Detected: the counter says so, whatever the results were.
enum class FaultOutcome : u8 { masked, detected, silent, crashing };
inline constexpr u32 kFaultOutcomes = 4;
inline constexpr const char* kFaultOutcomeNames[kFaultOutcomes] = {"masked", "detected", "silent", "crashing"};

struct FaultRun {
  stats::Json faults;  // as runtime::InjectionAccount has them
  FaultOutcome outcome = FaultOutcome::masked;
  FaultOutcome results = FaultOutcome::masked;  // of what is detected, without the detection: masked is corrected
  std::string detail;                           // what differs
};

struct Campaign {
  std::vector<FaultRun> runs;  // in the order of their faults
  int status = 0;              // of the program without faults
  double seconds = 0;
};

// Throws Error where the program does not run to its end without faults, or has too few places for them.
Campaign runCampaign(const CampaignSettings& settings);

// What a program writes, but for times, which differ from run to run: numbers before ns, us, ms or s.
std::string withoutTimes(const std::string& output);

}  // namespace warpwright::cli
