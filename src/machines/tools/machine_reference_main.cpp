// Writes docs/machines.md to standard output.
#include <cstdio>

#include "config/machine.hpp"
#include "machines/policies.hpp"

int main() {
  warpwright::machines::installPolicies();
  std::fputs(warpwright::config::machineReference().c_str(), stdout);
}
