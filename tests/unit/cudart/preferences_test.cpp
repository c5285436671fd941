// What a program prefers its kernels' caches to be for reaches the machine with each launch.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command_result.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// The first of that name anywhere below; null when there is none.
const json* find(const json& node, const std::string& name) {
  if (!node.is_structured()) return nullptr;
  if (node.is_object() && node.contains(name)) return &node.at(name);
  for (const json& member : node)
    if (const json* found = find(member, name)) return found;
  return nullptr;
}

TEST(Preferences, OfEachLaunchAreFollowed) {
  const fs::path file = fs::temp_directory_path() / ("warpwright_preferences_test_" + std::to_string(getpid()));
  const Result result =
      run(kCommand + "run --quiet --machine fermi-esesc --mechanism tiny-cache --json " + file.string() + " " PREFERENCES);
  ASSERT_EQ(result.status, 0) << result.output << result.errors;
  EXPECT_EQ(result.output, "no error, 5\n");
  const json launches = json::parse(std::ifstream(file)).at("kernels").at(0).at("timing").at("launches");
  fs::remove(file);
  ASSERT_EQ(launches.size(), 5u);
  // Shared memory's accesses are cached, global memory's are: as cudaFuncCachePreferShared, L1, Equal, None say, then as the device does.
  const bool shared[] = {true, false, true, true, false}, global[] = {false, true, true, true, true};
  for (std::size_t i = 0; i < 5; ++i) {
    const json* counted = find(launches.at(i), "tiny_cache");
    ASSERT_NE(counted, nullptr);
    EXPECT_EQ(counted->at("shared").at("reads") != 0, shared[i]) << "launch " << i;
    EXPECT_EQ(counted->at("global").at("reads") != 0, global[i]) << "launch " << i;
  }
}

}  // namespace
