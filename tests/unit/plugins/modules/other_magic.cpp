// Has the symbol by chance.
#include <cstdint>

namespace {
constexpr std::uint64_t kNumber = 42;
}

extern "C" const void* warpwright_plugin();
const void* warpwright_plugin() { return &kNumber; }
