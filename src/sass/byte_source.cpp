#include "sass/byte_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.hpp"
#include "sass/xz_source.hpp"

namespace warpwright::sass {
namespace {

class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::string& file) : name_(file), file_(std::fopen(file.c_str(), "rb")) {
    if (!file_) throw Error(fmt::format("cannot open the trace '{}': {}", file, std::strerror(errno)), {}, "name a file that can be read");
  }

  std::size_t read(std::span<char> into) override {
    const std::size_t count = std::fread(into.data(), 1, into.size(), file_.get());
    if (count == 0 && std::ferror(file_.get()) != 0)
      throw Error(fmt::format("cannot read the trace '{}': {}", name_, std::strerror(errno)), {}, "name a file that can be read");
    return count;
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string name_;
  std::unique_ptr<std::FILE, Close> file_;
};

class TextSource final : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : rest_(text) {}

  std::size_t read(std::span<char> into) override {
    const std::size_t count = std::min(into.size(), rest_.size());
    std::copy_n(rest_.begin(), count, into.begin());
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

// A source, behind bytes that have been read from it already.
class Prefixed final : public ByteSource {
 public:
  Prefixed(std::string prefix, std::unique_ptr<ByteSource> rest) : prefix_(std::move(prefix)), begin_(prefix_), rest_(std::move(rest)) {}

  std::size_t read(std::span<char> into) override {
    const std::size_t count = begin_.read(into);
    return count != 0 ? count : rest_->read(into);
  }

 private:
  std::string prefix_;
  TextSource begin_;
  std::unique_ptr<ByteSource> rest_;
};

// What the source begins with, to be read again.
std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source, const std::string& name) {
  std::string begin(kXzMagic.size(), '\0');
  std::size_t count = 0;
  while (count < begin.size()) {
    const std::size_t more = source->read(std::span(begin).subspan(count));
    if (more == 0) break;
    count += more;
  }
  begin.resize(count);
  const bool isXz = begin == kXzMagic;
  auto whole = std::make_unique<Prefixed>(std::move(begin), std::move(source));
  if (!isXz) return whole;
  return decompressXz(std::move(whole), name);
}

}  // namespace

std::unique_ptr<ByteSource> openTrace(const std::string& file) { return decompressed(std::make_unique<FileSource>(file), file); }

std::unique_ptr<ByteSource> textOf(std::string_view text, const std::string& name) {
  return decompressed(std::make_unique<TextSource>(text), name);
}

}  // namespace warpwright::sass
