// Which of the process's simulated GPUs the calling thread talks to.
#pragma once

#include "base/types.hpp"

namespace warpwright::cudart {

class CurrentDevice {
 public:
  static u32 ordinal() { return ordinal_; }
  static void set(u32 ordinal) { ordinal_ = ordinal; }

 private:
  inline static thread_local u32 ordinal_ = 0;
};

// While one is alive, the calling thread talks to that device.
class OnDevice {
 public:
  explicit OnDevice(u32 ordinal) : outer_(CurrentDevice::ordinal()) { CurrentDevice::set(ordinal); }
  ~OnDevice() { CurrentDevice::set(outer_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  u32 outer_;
};

}  // namespace warpwright::cudart
