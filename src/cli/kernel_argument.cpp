#include "cli/kernel_argument.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>

#include "base/error.hpp"
#include "base/file.hpp"

namespace warpwright::cli {
namespace {

struct TypeName {
  std::string_view name;
  ElementType type;
};
constexpr std::array<TypeName, 12> kTypes{{{"i8", ElementType::i8},
                                           {"u8", ElementType::u8},
                                           {"i16", ElementType::i16},
                                           {"u16", ElementType::u16},
                                           {"i32", ElementType::i32},
                                           {"u32", ElementType::u32},
                                           {"i64", ElementType::i64},
                                           {"u64", ElementType::u64},
                                           {"f32", ElementType::f32},
                                           {"f64", ElementType::f64},
                                           {"int", ElementType::i32},
                                           {"float", ElementType::f32}}};

// Calls function(T{}) with the C++ type of an element.
template <typename Function>
auto withType(ElementType type, Function&& function) {
  switch (type) {
    case ElementType::i8:
      return function(s8{});
    case ElementType::u8:
      return function(u8{});
    case ElementType::i16:
      return function(s16{});
    case ElementType::u16:
      return function(u16{});
    case ElementType::i32:
      return function(s32{});
    case ElementType::u32:
      return function(u32{});
    case ElementType::i64:
      return function(s64{});
    case ElementType::u64:
      return function(u64{});
    case ElementType::f32:
      return function(float{});
    case ElementType::f64:
      break;
  }
  return function(double{});
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw Error(fmt::format("argument '{}': {}", text, why), {}, std::string("the forms are\n") + kArgumentForms);
}

// The part before the next colon; the rest stays.
std::string_view cut(std::string_view& rest) {
  const auto colon = rest.find(':');
  const auto part = rest.substr(0, colon);
  rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
  return part;
}

template <typename T>
bool parseNumber(std::string_view text, T& value) {
  const char* begin = text.data();
  const char* const end = begin + text.size();
  std::from_chars_result result{};
  if constexpr (std::is_floating_point_v<T>) {
    result = std::from_chars(begin, end, value);
  } else {
    const bool hexadecimal = text.starts_with("0x");
    result = std::from_chars(begin + (hexadecimal ? 2 : 0), end, value, hexadecimal ? 16 : 10);
  }
  return result.ec == std::errc{} && result.ptr == end && !text.empty();
}

ElementType parseType(const std::string& whole, std::string_view name) {
  for (const TypeName& known : kTypes)
    if (known.name == name) return known.type;
  refuse(whole, fmt::format("'{}' is no type", name));
}

BufferFill parseFill(const std::string& whole, std::string_view text) {
  if (text.empty() || text == "zero") return {};
  if (text == "iota") return {BufferFill::Kind::iota, 0, {}};
  if (text.starts_with("file=")) return {BufferFill::Kind::file, 0, std::string(text.substr(5))};
  BufferFill fill{BufferFill::Kind::random, 0, {}};
  const auto kind = cut(text);
  if (kind == "random" && parseNumber(text, fill.seed)) return fill;
  refuse(whole, "its contents are zero, iota, random:SEED or file=PATH");
}

std::vector<u8> parseBytes(const std::string& whole, std::string_view digits) {
  std::vector<u8> bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    u8 byte = 0;
    const char* const end = digits.data() + i + 2;
    if (std::from_chars(digits.data() + i, end, byte, 16).ptr != end) refuse(whole, "not pairs of hexadecimal digits");
    bytes.push_back(byte);
  }
  if (digits.empty() || digits.size() % 2 != 0) refuse(whole, "not pairs of hexadecimal digits");
  return bytes;
}

KernelArgument parseBuffer(KernelArgument argument, std::string_view rest) {
  argument.isBuffer = true;
  argument.type = parseType(argument.text, cut(rest));
  if (!parseNumber(cut(rest), argument.count) || argument.count == 0) refuse(argument.text, "how many elements is a number from 1 up");
  if (argument.count > std::numeric_limits<u64>::max() / sizeof(u64)) refuse(argument.text, "too many elements");
  argument.fill = parseFill(argument.text, rest);
  return argument;
}

template <typename T>
T randomElement(std::mt19937_64& generator) {
  const u64 bits = generator();
  if constexpr (std::is_same_v<T, float>) return static_cast<float>(bits >> 40) * 0x1p-24F;
  if constexpr (std::is_same_v<T, double>) return static_cast<double>(bits >> 11) * 0x1p-53;
  return static_cast<T>(bits);
}

template <typename T, typename Next>
std::vector<u8> generate(u64 count, Next&& next) {
  std::vector<u8> bytes(count * sizeof(T));
  for (u64 i = 0; i < count; ++i) {
    const T value = next(i);
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof value);
  }
  return bytes;
}

std::vector<u8> fileBytes(const KernelArgument& argument) {
  const std::string contents = readFile(argument.fill.path);
  if (contents.size() != argument.bufferBytes())
    throw Error(
        fmt::format("'{}' has {} bytes, the buffer '{}' {}", argument.fill.path, contents.size(), argument.text, argument.bufferBytes()),
        {}, "give the buffer as many elements as the file holds");
  return {contents.begin(), contents.end()};
}

}  // namespace

const char* const kArgumentForms =
    "    i32:-5  u64:0x10  f32:1.5      a number; types i8 u8 i16 u16 i32 u32 i64 u64 f32 f64\n"
    "    bytes:0102ff                   any parameter, byte by byte\n"
    "    buf:f32:1024                   1024 zeros in device memory; the kernel gets their address\n"
    "    buf:f32:1024:iota              0, 1, 2 …; or zero, random:SEED, file=PATH (raw bytes)";

u32 sizeOf(ElementType type) {
  return withType(type, [](auto sample) { return static_cast<u32>(sizeof sample); });
}

KernelArgument parseArgument(const std::string& text) {
  KernelArgument argument;
  argument.text = text;
  std::string_view rest = text;
  const auto kind = cut(rest);
  if (kind == "buf") return parseBuffer(std::move(argument), rest);
  if (kind == "bytes") {
    argument.value = parseBytes(text, rest);
    return argument;
  }
  argument.type = parseType(text, kind);
  argument.value = withType(argument.type, [&](auto value) {
    if (!parseNumber(rest, value)) refuse(text, fmt::format("'{}' is no {} number", rest, kind));
    return generate<decltype(value)>(1, [value](u64) { return value; });
  });
  return argument;
}

std::vector<u8> initialBytes(const KernelArgument& argument) {
  if (argument.fill.kind == BufferFill::Kind::file) return fileBytes(argument);
  return withType(argument.type, [&](auto sample) {
    using T = decltype(sample);
    std::mt19937_64 generator(argument.fill.seed);
    switch (argument.fill.kind) {
      case BufferFill::Kind::iota:
        return generate<T>(argument.count, [](u64 i) { return static_cast<T>(i); });
      case BufferFill::Kind::random:
        return generate<T>(argument.count, [&](u64) { return randomElement<T>(generator); });
      default:
        return std::vector<u8>(argument.bufferBytes());
    }
  });
}

std::string elementText(ElementType type, const u8* bytes) {
  return withType(type, [bytes](auto value) {
    std::memcpy(&value, bytes, sizeof value);
    if constexpr (sizeof value == 1) return fmt::format("{}", static_cast<int>(value));
    return fmt::format("{}", value);
  });
}

}  // namespace warpwright::cli
