#include "lab/execution/interrupt.hpp"

namespace warpwright::lab {
namespace {

volatile std::sig_atomic_t asked = 0;

void ask(int) { asked = 1; }

}  // namespace

InterruptWatch::InterruptWatch() {
  asked = 0;
  struct sigaction action {};
  action.sa_handler = ask;
  sigaction(SIGINT, &action, &interrupt_);
  sigaction(SIGTERM, &action, &terminate_);
}

InterruptWatch::~InterruptWatch() {
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
}

bool InterruptWatch::interrupted() const { return asked != 0; }

}  // namespace warpwright::lab
