#include "exec/printf_format.hpp"

#include <cstdio>
#include <vector>

namespace warpwright::exec {
namespace {

struct Conversion {
  std::string flags;
  std::string width, precision;  // precision with its dot
  std::string length;
  char kind = 0;
};

// Reads one argument after the other out of the buffer.
class Cursor {
 public:
  explicit Cursor(const PrintfArguments& arguments) : arguments_(arguments) {}

  template <typename T>
  bool take(T& value) {
    offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    const bool ok = arguments_.read(offset_, sizeof(T), &value);
    offset_ += sizeof(T);
    return ok;
  }
  bool takePointer(u64& value) {
    if (arguments_.pointerBytes == 8) return take(value);
    u32 small = 0;
    const bool ok = take(small);
    value = small;
    return ok;
  }

 private:
  const PrintfArguments& arguments_;
  u64 offset_ = 0;
};

template <typename T>
std::string print(const std::string& format, T value) {
  const int length = std::snprintf(nullptr, 0, format.c_str(), value);
  if (length < 0) return {};
  std::vector<char> text(static_cast<std::size_t>(length) + 1);
  std::snprintf(text.data(), text.size(), format.c_str(), value);
  return {text.data(), static_cast<std::size_t>(length)};
}

class Formatter {
 public:
  Formatter(std::string_view format, const PrintfArguments& arguments) : format_(format), arguments_(arguments), cursor_(arguments) {}

  Printed run() {
    while (position_ < format_.size()) {
      const std::size_t percent = format_.find('%', position_);
      if (percent == std::string_view::npos) break;
      out_.text += format_.substr(position_, percent - position_);
      position_ = percent;
      if (!convert()) return {std::move(out_.text), -1};
    }
    if (position_ < format_.size()) out_.text += format_.substr(position_);
    return std::move(out_);
  }

 private:
  char peek() const { return position_ < format_.size() ? format_[position_] : '\0'; }

  std::string takeAll(std::string_view allowed) {
    std::string taken;
    while (peek() != '\0' && allowed.find(peek()) != std::string_view::npos) taken += format_[position_++];
    return taken;
  }

  // A number, or '*' for an argument.
  bool takeNumber(std::string& number) {
    if (peek() != '*') {
      number += takeAll("0123456789");
      return true;
    }
    ++position_;
    s32 value = 0;
    if (!cursor_.take(value)) return false;
    number += std::to_string(value);
    return true;
  }

  bool convert() {
    const std::size_t start = position_++;
    Conversion c;
    c.flags = takeAll("-+ #0");
    if (!takeNumber(c.width)) return false;
    if (peek() == '.') {
      ++position_;
      c.precision = ".";
      if (!takeNumber(c.precision)) return false;
    }
    c.length = takeAll("hljztL");
    c.kind = peek();
    if (c.kind != '\0') ++position_;
    if (c.kind == '%') {
      out_.text += '%';
      return true;
    }
    if (std::string_view("diuoxXcspeEfFgGaA").find(c.kind) == std::string_view::npos || c.kind == '\0') {
      out_.text += format_.substr(start, position_ - start);
      return true;
    }
    ++out_.conversions;
    return value(c);
  }

  bool value(const Conversion& c) {
    const std::string head = "%" + c.flags + c.width + c.precision;
    switch (c.kind) {
      case 'd':
      case 'i':
        return integer<s32, s64>(head, c);
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        return integer<u32, u64>(head, c);
      case 'c': {
        s32 character = 0;
        if (!cursor_.take(character)) return false;
        out_.text += print(head + "c", character);
        return true;
      }
      case 's':
        return text(head);
      case 'p': {
        u64 pointer = 0;
        if (!cursor_.takePointer(pointer)) return false;
        out_.text += print(head + "p", reinterpret_cast<void*>(pointer));
        return true;
      }
      default: {
        double number = 0;
        if (!cursor_.take(number)) return false;
        out_.text += print(head + c.kind, number);
        return true;
      }
    }
  }

  template <typename Small, typename Large>
  bool integer(const std::string& head, const Conversion& c) {
    const bool isLong =
        c.length == "ll" || c.length == "j" || ((c.length == "l" || c.length == "z" || c.length == "t") && arguments_.pointerBytes == 8);
    if (isLong) {
      Large number = 0;
      if (!cursor_.take(number)) return false;
      out_.text += print(head + "ll" + c.kind, number);
      return true;
    }
    Small number = 0;
    if (!cursor_.take(number)) return false;
    out_.text += print(head + (c.length[0] == 'h' ? c.length : "") + c.kind, number);
    return true;
  }

  bool text(const std::string& head) {
    u64 address = 0;
    if (!cursor_.takePointer(address)) return false;
    std::string string = "(null)";
    if (address != 0 && !arguments_.text(address, string)) return false;
    out_.text += print(head + "s", string.c_str());
    return true;
  }

  std::string_view format_;
  const PrintfArguments& arguments_;
  Cursor cursor_;
  std::size_t position_ = 0;
  Printed out_;
};

}  // namespace

Printed formatPrintf(std::string_view format, const PrintfArguments& arguments) { return Formatter(format, arguments).run(); }

}  // namespace warpwright::exec
