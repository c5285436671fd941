#include "sass/line_reader.hpp"

#include <fmt/format.h>

namespace warpwright::sass {
namespace {

constexpr std::size_t kReadBytes = 256 * 1024;
// Far beyond an instruction with 32 addresses, or the name of a kernel.
constexpr std::size_t kMostLineBytes = 1024 * 1024;

}  // namespace

LineReader::LineReader(std::unique_ptr<ByteSource> source, const std::string& name) : source_(std::move(source)), where_{name, 0, 0} {}

std::optional<std::string_view> LineReader::next() {
  std::size_t end = text_.find('\n', begin_);
  while (end == std::string::npos) {
    const std::size_t searched = text_.size() - begin_;
    if (searched > kMostLineBytes)
      throw Error(fmt::format("a line of more than {} bytes", kMostLineBytes), {where_.file, where_.line + 1, 0},
                  "name a trace as Accel-Sim's tracer writes it");
    if (!refill()) break;
    end = text_.find('\n', begin_ + searched);
  }
  const bool isLast = end == std::string::npos;
  if (isLast && begin_ == text_.size()) return std::nullopt;
  std::string_view line = std::string_view(text_).substr(begin_, isLast ? std::string::npos : end - begin_);
  begin_ = isLast ? text_.size() : end + 1;
  ++where_.line;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Moves what is left of the text to its beginning and reads more behind it.
bool LineReader::refill() {
  if (hasEnded_) return false;
  text_.erase(0, begin_);
  begin_ = 0;
  const std::size_t before = text_.size();
  text_.resize(before + kReadBytes);
  const std::size_t count = source_->read(std::span(text_).subspan(before));
  text_.resize(before + count);
  hasEnded_ = count == 0;
  return !hasEnded_;
}

}  // namespace warpwright::sass
