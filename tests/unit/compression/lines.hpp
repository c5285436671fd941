// Lines of memory made of numbers.
#pragma once

#include <cstring>
#include <vector>

#include "compression/codec.hpp"

namespace warpwright::compression {

template <class T>
Bytes lineOf(const std::vector<T>& values) {
  Bytes line(values.size() * sizeof(T));
  std::memcpy(line.data(), values.data(), line.size());
  return line;
}

// first, first + step, …
template <class T>
Bytes sequence(std::size_t lineBytes, T first, T step) {
  std::vector<T> values(lineBytes / sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(first + static_cast<T>(i) * step);
  return lineOf(values);
}

}  // namespace warpwright::compression
