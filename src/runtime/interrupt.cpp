#include "runtime/interrupt.hpp"

#include <csignal>
#include <cstdlib>

namespace warpwright::runtime {
namespace {

volatile std::sig_atomic_t signalSeen = 0;

void onSignal(int number) { signalSeen = number; }

void watch(int number) {
  struct sigaction current {};
  if (sigaction(number, nullptr, &current) != 0) return;
  if ((current.sa_flags & SA_SIGINFO) || current.sa_handler != SIG_DFL) return;
  struct sigaction action {};
  action.sa_handler = onSignal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(number, &action, nullptr);
}

}  // namespace

void watchForInterrupt() {
  if (interrupted()) return;
  watch(SIGINT);
  watch(SIGTERM);
}

bool interrupted() { return signalSeen != 0; }

const char* interruptName() { return signalSeen == SIGTERM ? "SIGTERM" : "SIGINT (Ctrl-C)"; }

void dieOfInterrupt() {
  const int number = signalSeen;
  std::signal(number, SIG_DFL);
  std::raise(number);
  std::_Exit(128 + number);
}

}  // namespace warpwright::runtime
