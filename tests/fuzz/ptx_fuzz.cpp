// Any bytes: the parser gives a module or an Error, nothing else.
//   fuzz_ptx -max_total_time=60 <a scratch folder> tests/fuzz/corpus/ptx
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "ptx/parser.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    warpwright::ptx::parse(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.ptx");
  } catch (const warpwright::Error&) {
  }
  return 0;
}
