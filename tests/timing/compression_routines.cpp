#include "compression_routines.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <regex>

#include "base/error.hpp"
#include "mechanisms/line_compression/form.hpp"
#include "mechanisms/line_compression/routines/routines.hpp"

namespace warpwright::testing {
namespace {

namespace lines = mechanisms::line_compression;
namespace routines = lines::routines;

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

// As functions that are called, which preserve registers.
std::string withCallers(const std::string& text, const lines::Settings& settings) {
  std::string result = std::regex_replace(text, std::regex("\n\\.pragma [^\n]*"), "");
  for (const compression::Codec codec : lines::codecsOf(settings.codec)) {
    result += callerOf(routines::nameToCompress(codec));
    for (u8 encoding = 1; encoding < lines::kEncodings; ++encoding)
      if (lines::codecOf(encoding) == codec) result += callerOf(routines::nameToDecompress(encoding));
  }
  return result;
}

using lines::Choice;
const CodecVariant kVariants[] = {
    {"bdi", {.codec = Choice::bdi}},
    {"bdi_last", {.codec = Choice::bdi, .bdiOrder = lines::BdiOrder::last}},
    {"fpc4", {.codec = Choice::fpc, .fpcSegmentWords = 4}},
    {"fpc8", {.codec = Choice::fpc}},
    {"fpc16", {.codec = Choice::fpc, .fpcSegmentWords = 16}},
    {"fpc32", {.codec = Choice::fpc, .fpcSegmentWords = 32}},
    {"c_pack", {.codec = Choice::cPack}},
    {"c_pack_zero", {.codec = Choice::cPack, .cPackZeroInDictionary = true}},
};

}  // namespace

std::span<const CodecVariant> codecVariants() { return kVariants; }

compression::Variants CodecVariant::of(u32 i) const {
  compression::Variants variants = lines::variantsOf(settings);
  if (settings.bdiOrder == lines::BdiOrder::last) variants.bdiFirst = static_cast<compression::BdiEncoding>(i % compression::kBdiEncodings);
  return variants;
}

CompressionRoutines::CompressionRoutines(lines::Settings settings, u32 lineBytes) {
  settings.by = lines::By::routines;
  const std::string text = routines::textOf(settings, lineBytes, 64);
  const std::regex head("\\.func (\\w+)\\(.*\n\\.pragma .* lanes=0x([0-9a-f]+)");
  for (std::sregex_iterator each(text.begin(), text.end(), head), end; each != end; ++each)
    lanes_[(*each)[1]] = static_cast<u32>(std::popcount(std::stoul((*each)[2], nullptr, 16)));
  runtime::Settings device;
  device.machine = config::loadMachine("fermi-caba");
  device_ = std::make_unique<runtime::Device>(device);
  module_ = &device_->loadModule(withCallers(text, settings), "routines.ptx");
}

void CompressionRoutines::run(const std::string& routine, std::vector<Buffer>& buffers) {
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
  if (outcome.status != exec::LaunchStatus::completed) throw Error(routine + ": " + outcome.message);
  std::memcpy(buffers.data(), host, bytes);
  device_->memory().free(GlobalAddress(data));
}

}  // namespace warpwright::testing
