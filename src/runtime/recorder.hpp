// Writes launches to a checkpoint as they run.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "exec/memory.hpp"
#include "runtime/checkpoint_file.hpp"
#include "runtime/launch.hpp"
#include "runtime/settings.hpp"
#include "runtime/textures.hpp"

namespace warpwright::runtime {

class LaunchRecorder {
 public:
  // All of them must outlive it. Throws Error when the file cannot be written.
  LaunchRecorder(const Settings& settings, exec::GlobalMemory& memory, const Textures& textures);

  // Around each recorded launch.
  void launchBegins(const Launch& launch);
  void launchEnded();

 private:
  void addModule(const Module& module);
  stats::Json changedMemory();

  exec::GlobalMemory& memory_;
  const Textures& textures_;
  CheckpointWriter file_;
  std::set<u32> modules_;                            // in the file
  std::map<u64, std::vector<std::byte>> afterLast_;  // what each allocation held when the last launch had ended, by address
};

}  // namespace warpwright::runtime
