// The table, the exported symbols, the header and the page in the docs say the same.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <regex>
#include <set>
#include <sstream>

#include "cuda.h"
#include "driver_table.hpp"

namespace {

using namespace warpwright;

std::string read(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_TRUE(in) << path;
  return text.str();
}

std::set<std::string> exportedSymbols() {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen("nm -D --defined-only " WARPWRIGHT_BINARY_DIR "/lib/warpwright/libcuda.so.1", "r"),
                                                   pclose);
  std::set<std::string> symbols;
  char address[64], kind[8], name[256];
  while (pipe && std::fscanf(pipe.get(), "%63s %7s %255s", address, kind, name) == 3) symbols.insert(name);
  return symbols;
}

std::set<std::string> tableNames() {
  std::set<std::string> names;
  for (const auto& function : cuda::kDriverFunctions) EXPECT_TRUE(names.insert(std::string(function.name)).second) << function.name;
  return names;
}

TEST(DriverTable, EqualsTheExportedSymbols) { EXPECT_EQ(exportedSymbols(), tableNames()); }

TEST(DriverTable, PartialFunctionsSayWhichPart) {
  for (const auto& function : cuda::kDriverFunctions)
    if (function.status == cudart::ApiStatus::partial) EXPECT_FALSE(function.remark.empty()) << function.name;
}

TEST(DriverTable, ThePageIsUpToDate) {
  EXPECT_EQ(read(WARPWRIGHT_SOURCE_DIR "/docs/driver-functions.md"), cuda::driverPage()) << "run `ninja -C build driver-page`";
}

}  // namespace
