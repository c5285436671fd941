// What carries out the instructions that no lane function does: looked up once, when a kernel is decoded.
#pragma once

#include "exec/decode.hpp"

namespace warpwright::exec {

Perform performOf(Handler handler);

}  // namespace warpwright::exec
