// Any bytes: the reader gives a trace, which can be played to its end, or an Error. Lists of kernels likewise.
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "sass/trace_list.hpp"
#include "unit/sass/played.hpp"

namespace {

using namespace warpwright;

void tryTrace(std::string_view text) {
  try {
    sass::Played played(text);
    for (u64 block = 0; block < played.trace().header.grid.count(); ++block)
      if (!played.playBlock(block)) std::abort();
  } catch (const Error&) {
  }
}

void tryList(std::string_view text) {
  try {
    sass::LineReader lines(sass::textOf(text, "kernelslist.g"), "kernelslist.g");
    sass::readList(lines, "no/such/folder");
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  tryTrace(text);
  tryList(text);
  return 0;
}
