#include "fatbin/elf_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"

namespace warpwright::fatbin {
namespace {

std::string self() { return readFile("/proc/self/exe"); }

TEST(ElfFile, LibrariesAndSectionsOfThisProgram) {
  const std::string bytes = self();
  const ElfFile file(bytes, "self");
  const auto libraries = file.neededLibraries();
  EXPECT_NE(std::find_if(libraries.begin(), libraries.end(), [](const auto& name) { return name.starts_with("libc.so"); }),
            libraries.end());
  EXPECT_TRUE(file.section(".text"));
  EXPECT_FALSE(file.section(".nv_fatbin"));
}

TEST(ElfFile, RefusesOtherFiles) {
  EXPECT_THROW(ElfFile("#!/bin/sh\n", "script"), Error);
  EXPECT_THROW(ElfFile("", "empty"), Error);
  EXPECT_THROW(readFile("/no/such/file"), Error);
}

// Whatever is cut off or overwritten in the headers: an Error or a result, never a crash.
TEST(ElfFile, SurvivesDamage) {
  const std::string whole = self();
  for (const std::size_t size : {16u, 63u, 64u, 1000u, 100000u}) {
    const std::string cut = whole.substr(0, size);
    EXPECT_THROW(ElfFile(cut, "cut"), Error) << size;
  }
  for (std::size_t at = 16; at < 64; ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(0xff);
    try {
      ElfFile(damaged, "damaged").neededLibraries();
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace warpwright::fatbin
