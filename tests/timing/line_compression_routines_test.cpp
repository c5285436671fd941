// The codecs as routines of assist warps against the codecs as functions: the same bytes both ways, for lines of both sizes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <random>
#include <regex>

#include "mechanisms/line_compression/form.hpp"
#include "mechanisms/line_compression/routines/layout.hpp"
#include "mechanisms/line_compression/routines/routines.hpp"
#include "runtime/device.hpp"

namespace warpwright {
namespace {

using compression::Codec;
using mechanisms::line_compression::Choice;
namespace lines = mechanisms::line_compression;
namespace routines = mechanisms::line_compression::routines;

using Line = std::vector<std::byte>;
using Buffer = std::array<std::byte, routines::kBufferBytes>;

// Calls a routine with a buffer a block.
std::string callerOf(const std::string& routine) {
  return fmt::format(R"(
.visible .entry run_{0}(.param .u64 data)
{{
  .shared .align 16 .b8 buffer[{1}];
  .reg .u32 %r<8>;
  .reg .u64 %d<4>;
  .reg .pred %p;
  ld.param.u64 %d0, [data];
  mov.u32 %r0, %ctaid.x;
  mul.wide.u32 %d1, %r0, {1};
  add.u64 %d0, %d0, %d1;
  mov.u32 %r1, buffer;
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %r2;
in:
  setp.ge.u32 %p, %r4, {2};
  @%p bra there;
  mul.wide.u32 %d2, %r4, 4;
  add.u64 %d2, %d0, %d2;
  ld.global.u32 %r5, [%d2];
  shl.b32 %r6, %r4, 2;
  add.u32 %r6, %r6, %r1;
  st.shared.u32 [%r6], %r5;
  add.u32 %r4, %r4, %r3;
  bra in;
there:
  bar.sync 0;
  {{
    .param .b32 where;
    st.param.b32 [where], %r1;
    call.uni {0}, (where);
  }}
  bar.sync 0;
  mov.u32 %r4, %r2;
out:
  setp.ge.u32 %p, %r4, {2};
  @%p bra done;
  mul.wide.u32 %d2, %r4, 4;
  add.u64 %d2, %d0, %d2;
  shl.b32 %r6, %r4, 2;
  add.u32 %r6, %r6, %r1;
  ld.shared.u32 %r5, [%r6];
  st.global.u32 [%d2], %r5;
  add.u32 %r4, %r4, %r3;
  bra out;
done:
  ret;
}}
)",
                     routine, routines::kBufferBytes, routines::kBufferBytes / 4);
}

class Routines {
 public:
  Routines(Choice choice, u32 lineBytes) {
    // As functions that are called, which preserve registers.
    std::string text = routines::textOf({.codec = choice, .by = lines::By::routines}, lineBytes, 64);
    const std::regex head("\\.func (\\w+)\\(.*\n\\.pragma .* lanes=0x([0-9a-f]+)");
    for (std::sregex_iterator each(text.begin(), text.end(), head), end; each != end; ++each)
      lanes_[(*each)[1]] = static_cast<u32>(std::popcount(std::stoul((*each)[2], nullptr, 16)));
    text = std::regex_replace(text, std::regex("\n\\.pragma [^\n]*"), "");
    for (const Codec codec : lines::codecsOf(choice)) {
      text += callerOf(routines::nameToCompress(codec));
      for (u8 encoding = 1; encoding < lines::kEncodings; ++encoding)
        if (lines::codecOf(encoding) == codec) text += callerOf(routines::nameToDecompress(encoding));
    }
    runtime::Settings settings;
    settings.machine = config::loadMachine("fermi-caba");
    device_ = std::make_unique<runtime::Device>(settings);
    module_ = &device_->loadModule(text, "routines.ptx");
  }

  void run(const std::string& routine, std::vector<Buffer>& buffers) {
    if (buffers.empty()) return;
    const u64 bytes = buffers.size() * sizeof(Buffer);
    const u64 data = device_->memory().allocate(bytes, exec::AllocationKind::device).value();
    auto* host = exec::GlobalMemory::hostPointer(GlobalAddress(data));
    std::memcpy(host, buffers.data(), bytes);
    runtime::Launch launch;
    launch.module = module_;
    launch.kernel = module_->loaded->program.findFunction("run_" + routine);
    launch.grid = {static_cast<u32>(buffers.size())};
    launch.block = {lanes_.at(routine)};
    launch.parameters.resize(sizeof data);
    std::memcpy(launch.parameters.data(), &data, sizeof data);
    const runtime::LaunchOutcome outcome = device_->launch(launch);
    ASSERT_EQ(outcome.status, exec::LaunchStatus::completed) << outcome.message;
    std::memcpy(buffers.data(), host, bytes);
  }

 private:
  std::map<std::string, u32> lanes_;  // by routine
  std::unique_ptr<runtime::Device> device_;
  const runtime::Module* module_ = nullptr;
};

// What the codecs look for, with an exception now and then: bytes that differ from a base or from zero in their last ones, words with
// patterns by segment, words that share their first bytes.
Line makeLine(std::mt19937_64& random, u32 lineBytes) {
  Line line(lineBytes);
  const auto below = [&](u64 limit) { return random() % limit; };
  const auto put = [&](u32 at, u64 value, u32 bytes) { std::memcpy(line.data() + at, &value, bytes); };
  const u32 value = 2u << below(3), kind = static_cast<u32>(below(6));
  const u64 base = random() >> below(60), repeated = random();
  const u32 delta = 1 + static_cast<u32>(below(value));
  const u64 values[4] = {random(), random(), random(), random()};
  for (u32 at = 0; at < lineBytes; at += value) {
    const u64 near = static_cast<u64>(static_cast<s64>(random()) >> (64 - 8 * std::min(delta, 7u)));
    if (kind == 0) put(at, below(8) == 0 ? near : base + near, value);
    if (kind == 1) put(at, near, value);
    if (kind == 2) put(at, repeated * (value == 8), value);
  }
  for (u32 at = 0; at < lineBytes && kind > 2; at += 4) {
    constexpr u32 kShapes = 8;
    const u32 segment = kind == 3 ? static_cast<u32>(values[at / 32]) % kShapes : static_cast<u32>(values[0] >> 8) % kShapes;
    const u32 word = static_cast<u32>(random());
    const u32 shaped[kShapes] = {0,
                                 static_cast<u32>(static_cast<s32>(word) >> 28),
                                 static_cast<u32>(static_cast<s32>(word) >> 24),
                                 (word & 255) * 0x01010101,
                                 static_cast<u32>(static_cast<s32>(word) >> 16),
                                 word << 16,
                                 (static_cast<u32>(static_cast<s8>(word)) & 0xffff) | static_cast<u32>(static_cast<s8>(word >> 8)) << 16,
                                 word};
    const u32 ofDictionary[4] = {0, word & 255, static_cast<u32>(values[below(4)]),
                                 (static_cast<u32>(values[below(4)]) & ~255u) | (word & 255)};
    put(at, kind == 4 ? ofDictionary[below(4)] : shaped[segment], 4);
  }
  if (below(6) == 0) put(static_cast<u32>(below(lineBytes / 4)) * 4, random(), 4);
  return line;
}

class EachLineSize : public ::testing::TestWithParam<std::tuple<Choice, u32>> {};
INSTANTIATE_TEST_SUITE_P(All, EachLineSize,
                         ::testing::Combine(::testing::Values(Choice::bdi, Choice::fpc, Choice::cPack), ::testing::Values(64u, 128u)));

constexpr u32 kLines = 6000;

TEST_P(EachLineSize, CompressesBitForBit) {
  const auto [choice, lineBytes] = GetParam();
  const Codec codec = lines::codecsOf(choice).front();
  std::mt19937_64 random(lineBytes + static_cast<u32>(choice));
  std::vector<Line> all;
  std::vector<Buffer> buffers(kLines);
  for (Buffer& buffer : buffers) {
    all.push_back(makeLine(random, lineBytes));
    std::ranges::copy(all.back(), buffer.begin());
  }
  Routines(choice, lineBytes).run(routines::nameToCompress(codec), buffers);
  std::map<u8, u32> seen;
  for (u32 i = 0; i < kLines; ++i) {
    const auto wanted = compression::compress(codec, all[i]);
    u32 size = 0;
    std::memcpy(&size, buffers[i].data() + routines::kSizeAt, sizeof size);
    ASSERT_EQ(size, wanted ? wanted->size() : lineBytes) << i;
    if (!wanted) continue;
    const u8 encoding = lines::encodingOf(codec, all[i]);
    ++seen[encoding];
    const auto* begin = buffers[i].data() + routines::packedAt(encoding, lineBytes);
    ASSERT_EQ(Line(begin, begin + wanted->size()), *wanted) << i << ' ' << lines::nameOf(encoding);
  }
  EXPECT_GE(seen.size(), codec == Codec::bdi ? 7u : 1u);
  for (const auto& [encoding, count] : seen) EXPECT_GT(count, 20u) << lines::nameOf(encoding);
}

TEST_P(EachLineSize, MakesWhole) {
  const auto [choice, lineBytes] = GetParam();
  const Codec codec = lines::codecsOf(choice).front();
  std::mt19937_64 random(lineBytes * 3 + static_cast<u32>(choice));
  std::map<u8, std::pair<std::vector<Line>, std::vector<Buffer>>> byEncoding;
  for (u32 i = 0; i < kLines; ++i) {
    const Line line = makeLine(random, lineBytes);
    const auto packed = compression::compress(codec, line);
    if (!packed) continue;
    const u8 encoding = lines::encodingOf(codec, line);
    auto& [all, buffers] = byEncoding[encoding];
    all.push_back(line);
    std::ranges::copy(*packed, buffers.emplace_back().begin() + routines::packedAt(encoding, lineBytes));
  }
  Routines made(choice, lineBytes);
  for (auto& [encoding, lot] : byEncoding) {
    auto& [all, buffers] = lot;
    made.run(routines::nameToDecompress(encoding), buffers);
    for (std::size_t i = 0; i < all.size(); ++i)
      ASSERT_EQ(Line(buffers[i].begin(), buffers[i].begin() + lineBytes), all[i]) << i << ' ' << lines::nameOf(encoding);
  }
}

}  // namespace
}  // namespace warpwright
