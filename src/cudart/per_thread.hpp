// The forms of functions with a default stream of each thread's own (nvcc -default-stream per-thread): stream 0 stands for
// cudaStreamPerThread while one of them runs.
#pragma once

#include "streams.hpp"

namespace warpwright::cudart {

template <auto function>
struct PerThread;

template <typename Result, typename... Arguments, Result (*function)(Arguments...)>
struct PerThread<function> {
  static Result call(Arguments... arguments) {
    const DefaultStreamPerThread scope;
    return function(arguments...);
  }
};

}  // namespace warpwright::cudart
