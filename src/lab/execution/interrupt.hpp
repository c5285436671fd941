// Ctrl-C and SIGTERM as something to ask for, while it lives.
#pragma once

#include <csignal>

namespace warpwright::lab {

class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  bool interrupted() const;

 private:
  struct sigaction interrupt_, terminate_;  // as they were
};

}  // namespace warpwright::lab
