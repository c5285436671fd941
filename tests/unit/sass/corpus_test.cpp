// The inputs of the fuzz target, without fuzzing.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace warpwright::sass {
namespace {

TEST(SassCorpus, Replay) {
  std::size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(WARPWRIGHT_SOURCE_DIR "/tests/fuzz/corpus/sass")) {
    SCOPED_TRACE(file.path().filename());
    const std::string bytes = readFile(file.path());
    EXPECT_EQ(LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()), 0);
    ++count;
  }
  EXPECT_GE(count, 10u);
}

}  // namespace
}  // namespace warpwright::sass
