// Whatever the bytes of a file or of a memory image: an Error or containers, never a crash, a hang or a read beyond their end.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/error.hpp"
#include "fatbin/device_code.hpp"
#include "fatbin/in_process.hpp"
#include "fatbin/select.hpp"

namespace {

using namespace warpwright;

// A bound below the reader's own keeps the fuzzer at work instead of filling memory.
constexpr u64 kLargestDecompressed = 1 << 20;

template <typename Action>
void attempt(const Action& action) {
  try {
    action();
  } catch (const Error&) {
  }
}

void require(bool holds) {
  if (!holds) std::abort();
}

void exercise(const std::vector<fatbin::Container>& containers) {
  for (const fatbin::Container& container : containers) {
    for (const fatbin::Entry& entry : container.entries) {
      attempt([&] { entry.registerBound(); });
      if (entry.size > kLargestDecompressed) continue;
      attempt([&] { require(entry.payload().size() == entry.size); });
      attempt([&] { require(entry.ptx().find('\0') == std::string::npos); });
    }
    attempt([&] { require(fatbin::selectPtx(container, 75).entry->kind == fatbin::Kind::ptx); });
  }
  attempt([&] { require(!fatbin::selectPtx(containers, 20).empty()); });
}

// Readable memory that ends with the last byte of the input.
class Image {
 public:
  Image() {
    base_ = static_cast<char*>(mmap(nullptr, kSize + page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    require(base_ != MAP_FAILED && mprotect(base_ + kSize, page_, PROT_NONE) == 0);
  }
  const void* holding(std::string_view bytes) {
    char* const begin = base_ + kSize - bytes.size();
    std::memcpy(begin, bytes.data(), bytes.size());
    return begin;
  }
  static constexpr std::size_t kSize = 1 << 20;

 private:
  const std::size_t page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  char* base_ = nullptr;
};

bool isWrapper(std::string_view bytes) { return bytes.starts_with("\xb1\x43\x62\x46"); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  attempt([&] { exercise(fatbin::fileContainers(bytes, "input")); });
  // The pointers of a wrapper would lead anywhere; what a pointer leads to is what is tried here.
  if (size == 0 || size > Image::kSize || isWrapper(bytes)) return 0;
  static Image image;
  attempt([&] { exercise(fatbin::imageContainers(image.holding(bytes), "input")); });
  return 0;
}
