// Where the text of a trace comes from, piece by piece: traces are larger than memory.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace warpwright::sass {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills the beginning of `into`, which is not empty, and says how much of it; 0: the text has ended. Throws Error for damaged data.
  virtual std::size_t read(std::span<char> into) = 0;
};

// A file, decompressed where it begins as xz files do. Throws Error when it cannot be read.
std::unique_ptr<ByteSource> openTrace(const std::string& file);
// A text at hand, which it must not outlive; `name` is for messages.
std::unique_ptr<ByteSource> textOf(std::string_view text, const std::string& name);

}  // namespace warpwright::sass
