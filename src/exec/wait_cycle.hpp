// Why a block makes no progress: threads that wait for each other, or for threads that have exited.
#pragma once

#include <string>

#include "exec/block.hpp"

namespace warpwright::exec {

// "barrier 0 waits for threads at barrier 1, and barrier 1 for threads at barrier 0"; empty when some thread can go on.
std::string waitsInCircle(const Block& block);

}  // namespace warpwright::exec
