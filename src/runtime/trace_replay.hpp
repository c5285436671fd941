// Plays SASS traces of a program on a timed machine, one command after the other.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/device.hpp"
#include "sass/trace_list.hpp"

namespace warpwright::runtime {

// Throws Error where traces cannot be played: on a machine without timing or with warps of another size, and with mechanisms or settings
// that need values.
void requirePlayable(const Settings& settings);

class TraceReplay {
 public:
  explicit TraceReplay(sass::TraceList list) : list_(std::move(list)) {}

  // Plays the commands up to the next kernel, that included; none: there are no more. Throws Error.
  std::optional<LaunchOutcome> next(Device& device);
  // What the traces did not say, of the kernels that were played.
  std::vector<std::string> remarks() const;

 private:
  LaunchOutcome play(Device& device, const sass::KernelFile& file);

  sass::TraceList list_;
  std::size_t at_ = 0;
  std::map<std::string, u64> withoutAddresses_;  // warp instructions, by opcode
};

}  // namespace warpwright::runtime
