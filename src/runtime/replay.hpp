// Runs the launches of a checkpoint again, without their program.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "exec/reservation.hpp"
#include "runtime/checkpoint_file.hpp"
#include "runtime/device.hpp"

namespace warpwright::runtime {

class Replay {
 public:
  // Reads the settings of the run. Throws Error for a file that cannot be replayed.
  explicit Replay(const std::string& file);

  // Of the run: width of addresses and what compiles its modules.
  const Settings& settings() const { return settings_; }
  // Its machine, with some keys changed. Throws Error as config::parseMachine().
  config::Machine machine(config::Overrides overrides = {}) const { return config::parseMachine(machine_, name_, overrides); }
  bool isTimed() const { return isTimed_; }

  // Runs the next launch; none: there are no more. Throws Error when the memory of the launch cannot be had.
  std::optional<LaunchOutcome> next(Device& device);

 private:
  void loadModule(Device& device, const stats::Json& record);
  void restoreMemory(Device& device, const stats::Json& record);
  Launch launchOf(const stats::Json& record) const;

  std::string name_;  // of the file
  CheckpointReader file_;
  std::string machine_;  // TOML
  bool isTimed_ = false;
  Settings settings_;
  std::map<u32, const Module*> modules_;  // by their number in the file
  std::vector<exec::Reservation> hostMemory_;
};

}  // namespace warpwright::runtime
