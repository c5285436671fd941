// Writes docs/mechanisms.md to standard output.
#include <cstdio>

#include "mechanisms/reference.hpp"

int main() { std::fputs(warpwright::mechanisms::mechanismReference().c_str(), stdout); }
