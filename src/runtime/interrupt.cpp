#include "runtime/interrupt.hpp"

#include <csignal>
#include <cstdlib>

namespace warpwright::runtime {
namespace {

volatile std::sig_atomic_t interruptSeen = 0;

void onInterrupt(int) { interruptSeen = 1; }

}  // namespace

void watchForInterrupt() {
  struct sigaction current {};
  if (sigaction(SIGINT, nullptr, &current) != 0) return;
  if (interruptSeen || (current.sa_flags & SA_SIGINFO) || current.sa_handler != SIG_DFL) return;
  struct sigaction action {};
  action.sa_handler = onInterrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return interruptSeen != 0; }

void dieOfInterrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::raise(SIGINT);
  std::_Exit(128 + SIGINT);
}

}  // namespace warpwright::runtime
