// Prints docs/driver-functions.md.
#include <cstdio>

#include "driver_table.hpp"

int main() { std::fputs(warpwright::cuda::driverPage().c_str(), stdout); }
