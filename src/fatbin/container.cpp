#include "fatbin/container.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/error.hpp"
#include "fatbin/container_reader.hpp"
#include "fatbin/decompress.hpp"

namespace warpwright::fatbin {

std::string Architecture::name() const {
  if (version == 0) return "unknown";
  return fmt::format("sm_{}{}", version, suffix == 0 ? std::string() : std::string(1, suffix));
}

std::string Entry::payload() const { return decompress(*this); }

std::string Entry::ptx() const {
  if (kind != Kind::ptx)
    throw Error(fmt::format("the entry for {} at offset 0x{:x} is not PTX", architecture.name(), offset), {origin},
                "choose an entry with PTX");
  std::string text = payload();
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

std::optional<u32> Entry::registerBound() const {
  constexpr std::string_view option = "-maxrregcount=";
  const auto at = options.find(option);
  if (at == std::string::npos) return std::nullopt;
  std::string_view number = std::string_view(options).substr(at + option.size());
  number = number.substr(0, number.find(' '));
  u32 bound = 0;
  const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), bound);
  if (code != std::errc{} || end != number.data() + number.size() || bound == 0)
    throw Error(fmt::format("the entry at offset 0x{:x} asks for '{}' registers", offset, number), {origin},
                "compile with nvcc -maxrregcount=N, N from 1 to 255");
  return bound;
}

bool Container::hasPtx() const {
  return std::any_of(entries.begin(), entries.end(), [](const Entry& entry) { return entry.kind == Kind::ptx; });
}

std::vector<Container> read(std::span<const std::byte> bytes, const std::string& origin) {
  std::vector<Container> containers;
  u64 at = 0;
  while (true) {
    while (at < bytes.size() && bytes[at] == std::byte{0}) ++at;
    if (at == bytes.size()) return containers;
    FirstContainer first = readFirst(bytes.subspan(at), {origin, at});
    containers.push_back(std::move(first.container));
    at += first.size;
  }
}

}  // namespace warpwright::fatbin
