#include "isa/result_pipe.hpp"

namespace warpwright::isa {

ResultPipe resultPipeOf(const Instruction& instruction) {
  switch (latencyOf(instruction)) {
    case Latency::multiply:
    case Latency::fma32:
    case Latency::add32:
    case Latency::fma16:
      return ResultPipe::multiplying;
    case Latency::simple:
    case Latency::add64:
    case Latency::shift:
      return ResultPipe::integer;
    case Latency::memory:
      return ResultPipe::memory;
    default:
      return ResultPipe::other;
  }
}

}  // namespace warpwright::isa
