#pragma once

#include <any>
#include <optional>
#include <string>
#include <vector>

#include "config/machine.hpp"

namespace warpwright::mechanisms::conflict_aware {

// How the cycles that an access will need the banks for are foreseen.
enum class Predictor : u8 {
  lastValue,   // as many as at the instruction's last execution (section 5.5.1)
  confidence,  // the same, but a value that proved right several times is given up only when it was wrong as often
  mean,        // a running mean over the instruction's executions
  twoLevel,    // as many as followed the last time that the instruction had its last few values
  oracle,      // as many as it will: no hardware knows, it bounds what any predictor can gain
};

// Which accesses are foreseen.
enum class Scope : u8 {
  shared,  // those of shared memory
  memory,  // all: also those that wait for the banks of a first-level cache
};

struct Settings {
  Predictor predictor = Predictor::lastValue;
  u32 sets = 256, ways = 2;         // of the history cache; no sets: everything misses
  u32 pcBits = 14;                  // of an instruction's number
  u32 defaultCycles = 0;            // foreseen beyond a cycle a sub-warp when the history cache misses
  bool letViolateWhenIdle = false;  // section 5.6.2: memory instructions may issue too early when nothing else can
  bool oneAccessPerWarp = false;    // section 5.7, second choice
  Scope scope = Scope::shared;
};

std::vector<config::MechanismSetting> settingRows();
std::optional<std::string> problem(const std::any& settings, const config::Machine& machine);

}  // namespace warpwright::mechanisms::conflict_aware
