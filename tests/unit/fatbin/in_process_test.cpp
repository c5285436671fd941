#include "fatbin/in_process.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <memory>

#include "builder.hpp"

namespace warpwright::fatbin {
namespace {

using namespace test;

// .nvFatBinSegment, 24 bytes.
struct Wrapper {
  u32 magic = 0x466243b1, version = 1;
  const void* data = nullptr;
  const void* second = nullptr;
};

const char* const kRemedy = "\n  remedy: build the program anew with nvcc -cudart shared or warpwright-cc";

// Bytes that end where readable memory ends.
class AtTheEdge {
 public:
  explicit AtTheEdge(const std::string& bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    readable_ = (bytes.size() + page - 1) / page * page;
    size_ = readable_ + page;
    base_ = static_cast<char*>(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base_ + readable_, page, PROT_NONE);
    begin_ = base_ + readable_ - bytes.size();
    std::memcpy(begin_, bytes.data(), bytes.size());
  }
  ~AtTheEdge() { munmap(base_, size_); }
  AtTheEdge(const AtTheEdge&) = delete;
  AtTheEdge& operator=(const AtTheEdge&) = delete;

  const char* begin() const { return begin_; }
  // The first address that is not readable.
  const char* end() const { return base_ + readable_; }

 private:
  std::size_t readable_ = 0, size_ = 0;
  char *base_ = nullptr, *begin_ = nullptr;
};

TEST(InProcess, OneUnit) {
  const std::string bytes = container(entry({.flags = 0x8011}) + entry({.kind = 2}));
  const Wrapper wrapper{.data = bytes.data()};
  const auto containers = wrapperContainers(&wrapper, "app");
  ASSERT_EQ(containers.size(), 1u);
  EXPECT_EQ(containers[0].entries.size(), 2u);
  EXPECT_EQ(containers[0].entries[0].ptx(), kPtx);
}

TEST(InProcess, PlainText) {
  const Wrapper wrapper{.data = kPtx.c_str()};
  EXPECT_EQ(wrapperContainers(&wrapper, "app").at(0).entries.at(0).ptx(), kPtx);
}

TEST(InProcess, LinkedUnits) {
  const std::string linked = container(entry({.kind = 2})), first = container(entry({.name = "1"})),
                    second = container(entry({.name = "2"}));
  const void* const units[] = {first.data(), second.data(), nullptr};
  const Wrapper wrapper{.version = 2, .data = linked.data(), .second = units};
  const auto containers = wrapperContainers(&wrapper, "app");
  ASSERT_EQ(containers.size(), 2u);
  EXPECT_EQ(containers[0].entries.at(0).name, "1");
  EXPECT_EQ(containers[1].entries.at(0).name, "2");
}

TEST(InProcess, LinkedCodeWithoutItsUnits) {
  const std::string linked = container(entry({.kind = 2}));
  const Wrapper wrapper{.version = 2, .data = linked.data()};
  const auto containers = wrapperContainers(&wrapper, "app");
  ASSERT_EQ(containers.size(), 1u);
  EXPECT_FALSE(containers[0].hasPtx());
}

TEST(InProcess, ImagesAreWrappersContainersOrText) {
  // What follows a container of unknown size ends it.
  const std::string bytes = container(entry(), false) + std::string(8, '\0');
  const Wrapper wrapper{.data = bytes.data()};
  for (const void* const image :
       {static_cast<const void*>(&wrapper), static_cast<const void*>(bytes.data()), static_cast<const void*>(kPtx.data())})
    EXPECT_EQ(imageContainers(image, "app").at(0).entries.at(0).ptx(), kPtx);
}

TEST(InProcess, NothingBeyondTheMemoryIsRead) {
  for (const bool sized : {true, false}) {
    const AtTheEdge memory(container(entry(), sized));
    EXPECT_EQ(imageContainers(memory.begin(), "app").at(0).entries.at(0).ptx(), kPtx);
  }
  const AtTheEdge unended(kPtx);
  EXPECT_EQ(imageContainers(unended.begin(), "app").at(0).entries.at(0).ptx(), kPtx);
}

TEST(InProcess, SizesAreCheckedAgainstTheMemory) {
  const std::string whole = container(entry({.contents = std::string(80, 'x')}));
  const AtTheEdge memory(whole.substr(0, 100));
  EXPECT_EQ(
      errorOf([&] { imageContainers(memory.begin(), "app"); }),
      "app: error: damaged fat binary at offset 0x0: its 144 bytes do not fit in the 84 that are left\n  remedy: build the file anew");
}

TEST(InProcess, Refusals) {
  const auto error = [](const void* wrapper) { return errorOf([&] { wrapperContainers(wrapper, "app"); }); };
  const AtTheEdge memory(std::string(8, 'x'));
  const Wrapper unknown{.magic = 0x12345678}, newer{.version = 3}, empty{}, astray{.data = memory.end()},
      endless{.version = 2, .second = memory.end()};
  EXPECT_EQ(error(nullptr), std::string("app: error: device code is registered in an unknown format") + kRemedy);
  EXPECT_EQ(error(memory.begin()), std::string("app: error: device code is registered in an unknown format") + kRemedy);
  EXPECT_EQ(error(&unknown), std::string("app: error: device code is registered in an unknown format") + kRemedy);
  EXPECT_EQ(error(&newer), std::string("app: error: device code is registered in format 3; 1 and 2 are known") + kRemedy);
  EXPECT_EQ(error(&empty), std::string("app: error: no device code is embedded") + kRemedy);
  EXPECT_EQ(error(&astray), std::string("app: error: the registered device code is not in memory") + kRemedy);
  EXPECT_EQ(error(&endless), std::string("app: error: the list of linked device code has no end") + kRemedy);
}

TEST(InProcess, ListWithoutEnd) {
  const std::string unit = container(entry());
  const void* const address = unit.data();
  const AtTheEdge list(std::string(reinterpret_cast<const char*>(&address), sizeof address));
  const Wrapper wrapper{.version = 2, .second = list.begin()};
  EXPECT_EQ(errorOf([&] { wrapperContainers(&wrapper, "app"); }),
            std::string("app: error: the list of linked device code has no end") + kRemedy);
}

TEST(InProcess, EmptyText) {
  const Wrapper wrapper{.data = ""};
  EXPECT_EQ(errorOf([&] { wrapperContainers(&wrapper, "app"); }),
            "app: error: the device code at offset 0x0 is neither PTX text nor a fat binary\n"
            "  remedy: build it with nvcc or warpwright-cc, or name PTX");
}

}  // namespace
}  // namespace warpwright::fatbin
