// A trace, line by line.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "sass/byte_source.hpp"

namespace warpwright::sass {

class LineReader {
 public:
  // name: of the file, for messages.
  LineReader(std::unique_ptr<ByteSource> source, const std::string& name);

  // The next line without its end, which stays as it is until the next call; none: there are no more. Throws Error for damaged data, and
  // for a line that no tracer writes.
  std::optional<std::string_view> next();
  // The line that next() gave last.
  const SourcePosition& where() const { return where_; }

 private:
  bool refill();

  std::unique_ptr<ByteSource> source_;
  SourcePosition where_;
  std::string text_;  // read ahead; from begin_ on
  std::size_t begin_ = 0;
  bool hasEnded_ = false;
};

}  // namespace warpwright::sass
