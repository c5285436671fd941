// Writes docs/timing.md to standard output.
#include <cstdio>

#include "machines/timing_profile.hpp"

int main() { std::fputs(warpwright::machines::timingReference().c_str(), stdout); }
