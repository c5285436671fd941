// A file of the conformance suite: what its header says (see forms/case.py for the format) and its PTX.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace warpwright::conformance {

enum class Tolerance : u8 { exact, ulp, absolute, relative };

// One element's bits, or what stands for them.
struct Value {
  enum class Kind : u8 { bits, nan, anything } kind = Kind::bits;
  u64 bits = 0;
};

struct Column {
  std::string type;  // "u32"
  u32 size = 0;      // bytes of an element
  Tolerance tolerance = Tolerance::exact;
  double bound = 0;  // of the tolerance
  u64 offset = 0;    // bytes from the start of its buffer
  std::vector<Value> values;
};

struct TestFile {
  std::string name, form, ptx;
  u32 threads = 32, grid = 1, sharedBytes = 0;
  u32 warpSize = 0;                  // 0: any
  std::string ending = "completed";  // how the launch is to end
  std::optional<std::string> printed;
  std::vector<Column> parameters, inputs, outputs;
};

// Throws Error when the header is malformed.
TestFile readTestFile(const std::string& path);

// Bytes of a buffer that holds the columns.
u64 bufferBytes(const std::vector<Column>& columns);

// Whether `got` is acceptable where `expected` is asked for.
bool accepts(const Column& column, const Value& expected, u64 got);

}  // namespace warpwright::conformance
