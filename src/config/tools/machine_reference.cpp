// Writes docs/machines.md to standard output.
#include <cstdio>

#include "config/machine.hpp"

int main() { std::fputs(warpwright::config::machineReference().c_str(), stdout); }
