#include "sass/kernel_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "sass/fields.hpp"

namespace warpwright::sass {
namespace {

constexpr const char* kTraceAnew = "the trace is incomplete or damaged: copy it anew, or trace the whole kernel again";
// What the memory system knows of a global address (sm/address_spaces.hpp).
constexpr u64 kGlobalEnd = u64{1} << 47;

// "1,0,0"
Dim3 placeIn(std::string_view value, const SourcePosition& where) {
  std::string text(value);
  std::ranges::replace(text, ',', ' ');
  Fields fields(text, where);
  const auto number = [&] { return static_cast<u32>(fields.decimal("the place of the block", std::numeric_limits<u32>::max())); };
  const u32 x = number(), y = number(), z = number();
  return {x, y, z};
}

class KernelReader {
 public:
  explicit KernelReader(LineReader& lines) : lines_(lines) {}

  std::shared_ptr<KernelTrace> read() {
    while (const std::optional<std::string_view> text = lines_.next()) {
      const std::size_t begin = text->find_first_not_of(" \t");
      if (begin != std::string_view::npos) line(text->substr(begin));
    }
    end();
    return std::move(trace_);
  }

 private:
  void line(std::string_view text) {
    if (text.front() == '-' && !hasHeader_) return header_.line(text, where());
    if (text.front() == '#') return mark(text);
    beginBody();
    if (const auto value = valueOf(text, "thread block")) return beginBlock(*value);
    if (const auto value = valueOf(text, "warp")) return beginWarp(*value);
    if (const auto value = valueOf(text, "insts")) return expect(*value);
    if (text.starts_with("cluster ")) return;
    instruction(text);
  }

  // Of a line "key = value".
  static std::optional<std::string_view> valueOf(std::string_view text, std::string_view key) {
    if (!text.starts_with(key)) return std::nullopt;
    text.remove_prefix(key.size());
    const std::size_t equals = text.find_first_not_of(" \t");
    if (equals == std::string_view::npos || text[equals] != '=') return std::nullopt;
    return text.substr(equals + 1);
  }

  void mark(std::string_view text) {
    if (text.starts_with("#BEGIN_TB")) {
      beginBody();
      if (inBlock_) fail("a block begins before the one before it has ended");
      inBlock_ = true;
      hasPlace_ = false;
    } else if (text.starts_with("#END_TB")) {
      beginBody();
      endBlock();
    }
  }

  void beginBody() {
    if (hasHeader_) return;
    hasHeader_ = true;
    trace_->header = header_.end(where());
    windows_.emplace(trace_->header);
  }

  void beginBlock(std::string_view value) {
    if (!inBlock_ || hasPlace_) fail("a block without #BEGIN_TB before it");
    const Dim3 place = placeIn(value, where());
    const Dim3& grid = trace_->header.grid;
    if (place.x >= grid.x || place.y >= grid.y || place.z >= grid.z)
      fail(fmt::format("block ({},{},{}) of a grid of ({},{},{})", place.x, place.y, place.z, grid.x, grid.y, grid.z));
    const u64 block = (u64{place.z} * grid.y + place.y) * grid.x + place.x;
    firstWarp_ = trace_->warps.size();
    if (!firstWarpOf_.emplace(block, firstWarp_).second)
      fail(fmt::format("block ({},{},{}) stands there twice", place.x, place.y, place.z));
    hasPlace_ = true;
    trace_->warps.resize(firstWarp_ + trace_->header.warps());
  }

  void beginWarp(std::string_view value) {
    if (!hasPlace_) fail("a warp before its block is named");
    endWarp();
    const u32 warps = trace_->header.warps();
    const u64 number = Fields(value, where()).decimal("the number of the warp");
    if (number >= warps) fail(fmt::format("warp {} of a block that has {}", number, warps));
    warp_ = &trace_->warps[firstWarp_ + number];
    if (warp_->end != 0) fail(fmt::format("warp {} of the block stands there twice", number));
    warpNumber_ = number;
    warp_->begin = trace_->steps.size();
    expected_.reset();
  }

  void expect(std::string_view value) {
    if (warp_ == nullptr) fail("a number of instructions before its warp is named");
    expected_ = Fields(value, where()).decimal("the number of instructions");
  }

  void endWarp() {
    if (warp_ == nullptr) return;
    warp_->end = trace_->steps.size();
    const u64 count = warp_->end - warp_->begin;
    if (expected_ && *expected_ != count)
      fail(fmt::format("warp {} has {} instructions, where its line 'insts' says {}", warpNumber_, count, *expected_));
    if (count == 0) fail(fmt::format("warp {} has no instructions", warpNumber_));
    warp_ = nullptr;
  }

  void endBlock() {
    if (!inBlock_) fail("a block ends that has not begun");
    endWarp();
    if (!hasPlace_) fail("a block ends that has not been named");
    for (u64 warp = firstWarp_; warp < trace_->warps.size(); ++warp)
      if (trace_->warps[warp].end == 0) fail(fmt::format("warp {} of the block is missing", warp - firstWarp_));
    inBlock_ = hasPlace_ = false;
  }

  void instruction(std::string_view text) {
    if (warp_ == nullptr)
      throw Error(fmt::format("'{}' stands where a block or a warp should begin", text.substr(0, 40)), where(),
                  "name a trace whose instructions are grouped by block, kernel-N.traceg: Accel-Sim's post-traces-processing makes it");
    parseInstruction(text, trace_->header, where(), parsed_);
    WarpStep step;
    step.code = trace_->code.numberOf(parsed_, trace_->header, where());
    step.mask = parsed_.mask;
    const CodeEntry& entry = trace_->code.at(step.code);
    if (entry.bytes != 0 && step.mask != 0) access(entry, step);
    if (entry.form == Form::unlisted && step.mask != 0) ++trace_->withoutAddresses[trace_->code.opcode(step.code)];
    if ((entry.form == Form::barrier || entry.form == Form::arrival) && step.mask != 0) ++warp_->barriers;
    trace_->steps.push_back(step);
  }

  void access(const CodeEntry& entry, WarpStep& step) {
    if (!parsed_.hasAddresses) {
      if (entry.space != isa::Space::constant) fail(fmt::format("{} has no addresses", parsed_.opcode));
      ++trace_->withoutAddresses[trace_->code.opcode(step.code)];
      return;
    }
    step.addresses = trace_->addresses.add(parsed_);
    LaneAddresses addresses;
    trace_->addresses.expand(step.addresses, LaneMask(step.mask), addresses);
    for (const LaneId lane : LaneMask(step.mask) & entry.lanes) note(entry, addresses[lane]);
  }

  void note(const CodeEntry& entry, u64 address) {
    const isa::Space space = entry.space == isa::Space::generic ? windows_->spaceOf(address) : entry.space;
    const u64 offset = windows_->offset(space, address);
    constexpr u64 kMostOwn = u64{16} << 20;  // of shared and local memory: their windows
    const u64 end = space == isa::Space::global ? kGlobalEnd : kMostOwn;
    if (space != isa::Space::constant && offset > end - entry.bytes)
      fail(fmt::format("{} at address {:#x}, which is outside its memory", parsed_.opcode, address));
    trace_->used.note(space, offset, entry.bytes);
  }

  void end() {
    beginBody();
    if (inBlock_) fail("the trace ends within a block");
    const u64 blocks = trace_->header.grid.count();
    if (firstWarpOf_.size() != blocks) fail(fmt::format("the trace has {} of the {} blocks of the grid", firstWarpOf_.size(), blocks));
    trace_->firstWarpOf.resize(blocks);
    for (const auto& [block, warp] : firstWarpOf_) trace_->firstWarpOf[block] = warp;
  }

  const SourcePosition& where() const { return lines_.where(); }
  [[noreturn]] void fail(const std::string& message) const { throw Error(message, where(), kTraceAnew); }

  LineReader& lines_;
  HeaderParser header_;
  bool hasHeader_ = false;
  std::shared_ptr<KernelTrace> trace_ = std::make_shared<KernelTrace>();
  std::optional<Windows> windows_;
  InstructionLine parsed_;

  bool inBlock_ = false, hasPlace_ = false;
  std::unordered_map<u64, u64> firstWarpOf_;  // by block, as in KernelTrace
  u64 firstWarp_ = 0;                         // … of the block that is being read
  u64 warpNumber_ = 0;
  WarpRange* warp_ = nullptr;    // of the warp that is being read
  std::optional<u64> expected_;  // its instructions
};

}  // namespace

std::shared_ptr<KernelTrace> readKernel(LineReader& lines) { return KernelReader(lines).read(); }

}  // namespace warpwright::sass
