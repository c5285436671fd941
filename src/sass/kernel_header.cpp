#include "sass/kernel_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sass/fields.hpp"

namespace warpwright::sass {
namespace {

constexpr u64 kMostNumber = std::numeric_limits<u32>::max();
// An SM has 64 warps at most (CUDA C++ Programming Guide, "Technical Specifications"), and a block 1024 threads.
constexpr u64 kMostThreads = 1024;
constexpr std::array<u32, 6> kArchitectures{70, 75, 80, 86, 89, 90};
constexpr u32 kFirstTracer = 1, kLastTracer = 5;

// "(4,1,1)"
Dim3 extentOf(std::string_view value, std::string_view what, const SourcePosition& where) {
  std::string text(value);
  const bool isBracketed = text.starts_with('(') && text.ends_with(')');
  if (!isBracketed || std::ranges::count(text, ',') != 2)
    throw Error(fmt::format("'{}' where {} is due", value, what), where, "it is three numbers: (X,Y,Z)");
  text = text.substr(1, text.size() - 2);
  std::ranges::replace(text, ',', ' ');
  Fields fields(text, where);
  const auto number = [&] { return static_cast<u32>(fields.decimal(what, kMostNumber)); };
  const u32 x = number(), y = number(), z = number();
  if (x == 0 || y == 0 || z == 0) throw Error(fmt::format("{} is {}: none of it may be 0", what, value), where, "trace the kernel anew");
  return {x, y, z};
}

u64 numberOf(std::string_view value, std::string_view what, const SourcePosition& where, u64 most = kMostNumber) {
  return Fields(value, where).decimal(what, most);
}

struct Key {
  std::string_view name;
  bool isNeeded;
  void (*take)(KernelHeader& header, std::string_view value, const SourcePosition& where);
};

constexpr std::array<Key, 10> kKeys{{
    {"kernel name", true, [](KernelHeader& header, std::string_view value, const SourcePosition&) { header.name = value; }},
    {"grid dim", true,
     [](KernelHeader& header, std::string_view value, const SourcePosition& where) { header.grid = extentOf(value, "the grid", where); }},
    {"block dim", true,
     [](KernelHeader& header, std::string_view value, const SourcePosition& where) { header.block = extentOf(value, "the block", where); }},
    {"shmem", true,
     [](KernelHeader& header, std::string_view value, const SourcePosition& where) {
       header.sharedBytes = numberOf(value, "the bytes of shared memory", where);
     }},
    {"nregs", true,
     [](KernelHeader& header, std::string_view value, const SourcePosition& where) {
       header.registers = static_cast<u32>(numberOf(value, "the number of registers", where, 255));
     }},
    {"binary version", true,
     [](KernelHeader& header, std::string_view value, const SourcePosition& where) {
       header.smVersion = static_cast<u32>(numberOf(value, "the compute capability", where));
     }},
    {"accelsim tracer version", true,
     [](KernelHeader& header, std::string_view value, const SourcePosition& where) {
       header.tracerVersion = static_cast<u32>(numberOf(value, "the tracer's version", where));
     }},
    {"shmem base_addr", false,
     [](KernelHeader& header, std::string_view value, const SourcePosition& where) {
       header.sharedBase = Fields(value, where).hexadecimal("the address of shared memory");
     }},
    {"local mem base_addr", false,
     [](KernelHeader& header, std::string_view value, const SourcePosition& where) {
       header.localBase = Fields(value, where).hexadecimal("the address of local memory");
     }},
    {"enable lineinfo", false,
     [](KernelHeader& header, std::string_view value, const SourcePosition& where) {
       header.hasLines = numberOf(value, "0 or 1", where, 1) == 1;
     }},
}};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace

void HeaderParser::line(std::string_view text, const SourcePosition& where) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    throw Error(fmt::format("'{}' is no line of a header", text.substr(0, 40)), where, "it is written: -key = value");
  const std::string_view name = trimmed(text.substr(1, equals - 1)), value = trimmed(text.substr(equals + 1));
  const auto key = std::ranges::find(kKeys, name, &Key::name);
  if (key == kKeys.end()) return;
  key->take(header_, value, where);
  seen_ |= 1u << (key - kKeys.begin());
}

KernelHeader HeaderParser::end(const SourcePosition& where) const {
  for (std::size_t i = 0; i < kKeys.size(); ++i)
    if (kKeys[i].isNeeded && (seen_ >> i & 1) == 0)
      throw Error(fmt::format("the header has no line '-{} = …'", kKeys[i].name), where, "name a trace of Accel-Sim's tracer");
  if (std::ranges::find(kArchitectures, header_.smVersion) == kArchitectures.end())
    throw Error(fmt::format("a trace of sm_{}", header_.smVersion), where,
                "traces of sm_70, sm_75, sm_80, sm_86, sm_89 and sm_90 can be read: trace on such a GPU");
  if (header_.tracerVersion < kFirstTracer || header_.tracerVersion > kLastTracer)
    throw Error(fmt::format("a trace of version {} of Accel-Sim's tracer", header_.tracerVersion), where,
                fmt::format("versions {} to {} can be read: trace with one of them", kFirstTracer, kLastTracer));
  if (header_.block.count() > kMostThreads)
    throw Error(fmt::format("a block of {} threads", header_.block.count()), where, "no GPU has blocks of more than 1024: trace anew");
  return header_;
}

}  // namespace warpwright::sass
