// Prints docs/api-functions.md.
#include <cstdio>

#include "api_table.hpp"

int main() { std::fputs(warpwright::cudart::apiPage().c_str(), stdout); }
