// Matrix products of warp groups (PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions").
//
// Of the 64 rows of A and D each warp of the group has 16, and computes these when it executes the product: it reads its operands then, the
// first moment at which PTX lets it. A program that changes an operand before it has waited for the product is at fault; here it finds the
// product of what was there.
// What the warps must do together is the wait. Who has passed wait_group may tell others that the operands in shared memory are free, and
// one thread may do so on behalf of all (as pipelines of tiles do, by an arrival at an mbarrier object). So by then every warp of the group
// must have read them: all four meet at wait_group, which PTX has them execute together, and need not meet anywhere else.
#include "exec/operations/warp_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "exec/matrix_descriptor.hpp"
#include "exec/operations/access.hpp"
#include "exec/operations/barrier.hpp"

namespace warpwright::exec {
namespace {

constexpr u32 kFragmentWords = 4;  // of A; that of B for eight columns has two
constexpr u32 kTileColumns = 8;    // that one plan multiplies
constexpr u32 kWarpRows = 16;
constexpr u32 kLanesOfLine = 4;  // neighbouring words of a line lie in so many lanes

// A register for each lane of the layout, several times.
using Fragment = std::array<u32, kFragmentWords * kMaxWarpSize>;

[[noreturn]] void refuse(const Grid& grid, const Issue& issue, const std::string& what, const std::string& remedy) {
  fault(site(grid, issue), issue.executing.least(), LaunchStatus::illegalInstruction, what, remedy);
}

u32 groupOf(const Issue& issue) { return issue.warp.index / isa::kWarpsOfGroup; }

// Four whole warps must be there: .sync.aligned.
void requireGroup(const Grid& grid, const Issue& issue) {
  const u32 warpSize = grid.request.limits.warpSize, group = groupOf(issue);
  if (warpSize != kMatrixLanes) {
    refuse(grid, issue, fmt::format("warp groups need warps of {} threads, this machine has {}", kMatrixLanes, warpSize),
           "choose a machine with warps of 32");
  }
  if (group >= kMostGroups)
    refuse(grid, issue, fmt::format("there is no warp group {}", group), fmt::format("blocks have at most {} warp groups", kMostGroups));
  const auto isWhole = [](const Warp& warp) { return warp.existing.size() == kMatrixLanes; };
  const std::span<const Warp> all = issue.block.warps;
  const u32 first = group * isa::kWarpsOfGroup, there = static_cast<u32>(std::ranges::count_if(all.subspan(first), isWhole));
  if (there < isa::kWarpsOfGroup) {
    refuse(grid, issue, fmt::format("warp group {} has {} of its four warps of 32 threads", group, there),
           "launch blocks of a multiple of 128 threads");
  }
  if (issue.executing.size() != kMatrixLanes) {
    refuse(grid, issue, fmt::format("an instruction of a warp group is executed by {} of the 32 threads of a warp", issue.executing.size()),
           "let all threads of the group's four warps execute it together, outside divergent code");
  }
  for (const Warp& warp : all.subspan(first, isa::kWarpsOfGroup)) {
    if (warp.tree.lanes().size() == kMatrixLanes) continue;
    refuse(grid, issue, fmt::format("threads of warp {} have exited, before the other warps of warp group {} are done", warp.index, group),
           "let no thread of the group exit before the last instruction of the group");
  }
}

// One value for the whole warp.
u64 uniformOf(const Grid& grid, const Issue& issue, const LaneOperand& operand) {
  const u32* const planes = source(issue.warp, operand);
  const u64 value = wide(grid, planes, LaneId{0});
  for (const LaneId lane : issue.executing) {
    if (wide(grid, planes, lane) == value) continue;
    refuse(grid, issue, "the threads of a warp give different matrix descriptors",
           "compute the descriptor from what all threads have alike");
  }
  return value;
}

bool accumulates(const Grid& grid, const Issue& issue) {
  const LaneMask scaled = predicate(issue.warp, issue.op.sources[2]) & issue.executing;
  if (!scaled.empty() && scaled != issue.executing)
    refuse(grid, issue, "the threads of a warp disagree on scale-d", "compute the predicate from what all threads have alike");
  return !scaled.empty();
}

// A or B in shared memory.
class SharedOperand {
 public:
  SharedOperand(Grid& grid, const Issue& issue, const LaneOperand& descriptor, isa::MatrixElement element, bool liesAlongK)
      : grid_(grid), issue_(issue), bits_(isa::bitsOf(element)), matrix_(decoded(descriptor), bits_, liesAlongK) {}

  // One register: lane l gets word `word` + l % 4 of line `line` + l / 4.
  void read(u32 line, u32 word, u32* to) {
    const u32 pieceBytes = matrix_.liesAlongK() ? 4 : bits_ / 8;
    std::fill_n(to, kMatrixLanes, 0u);
    for (u32 byte = 0; byte < 4; byte += pieceBytes) {
      LaneAddresses addresses;
      for (u32 lane = 0; lane < kMatrixLanes; ++lane) {
        const u32 position = (word + lane % kLanesOfLine) * 4 + byte;  // in the line, in bytes
        addresses.lane[lane] = matrix_.byteOf(line + lane / kLanesOfLine, position * 8 / bits_);
      }
      check(addresses, pieceBytes);
      for (u32 lane = 0; lane < kMatrixLanes; ++lane) {
        u32 piece = 0;
        std::memcpy(&piece, reinterpret_cast<const void*>(issue_.block.sharedBase() + addresses.lane[lane]), pieceBytes);
        to[lane] |= piece << 8 * byte;
      }
    }
  }

 private:
  MatrixDescriptor decoded(const LaneOperand& operand) const {
    const u64 bits = uniformOf(grid_, issue_, operand);
    const MatrixDescriptor descriptor(bits);
    if (descriptor.isEncoded) return descriptor;
    refuse(grid_, issue_, fmt::format("the matrix descriptor {:#x} has bits set that mean nothing", bits),
           "encode its address and its two offsets as (x & 0x3ffff) >> 4, in bits 0, 16 and 32, and the swizzling mode in bits 62 and 63");
  }

  void check(const LaneAddresses& addresses, u32 bytes) {
    Block& block = issue_.block;
    const auto accessOf = [&](u32 lane) {
      return BadAccess{BadAccess::Kind::load, isa::Space::shared, addresses.lane[lane], bytes, block.sharedBytes};
    };
    for (u32 lane = 0; lane < kMatrixLanes; ++lane) {
      const u64 address = addresses.lane[lane];
      if (address > block.sharedBytes || bytes > block.sharedBytes - address)
        throw outOfBounds(site(grid_, issue_), LaneId{lane}, accessOf(lane), grid_.memory);
      if (!block.written || block.written->shared.anyWritten(address, bytes)) continue;
      faultOrWarn(grid_, issue_.pc, LaunchStatus::useOfUninitialised,
                  [&] { return uninitialised(site(grid_, issue_), LaneId{lane}, accessOf(lane), grid_.memory); });
    }
    if (!block.races) return;
    OperandReads& reads = issue_.warp.operands;
    PendingRead& read = reads.pending.emplace_back(PendingRead{reads.groups, issue_.pc, bytes, {}});
    std::copy_n(addresses.lane, kMatrixLanes, read.offsets.begin());
  }

  Grid& grid_;
  const Issue& issue_;
  u32 bits_;
  SharedMatrix matrix_;
};

// The sign of every element.
u32 signsOf(isa::MatrixElement element) {
  switch (isa::bitsOf(element)) {
    case 8:
      return 0x8080'8080;
    case 16:
      return 0x8000'8000;
    default:
      return 0x8000'0000;
  }
}

// The warp's rows of A.
void readRows(Grid& grid, const Issue& issue, Fragment& to) {
  const isa::Matrix& matrix = issue.op.instruction->modifiers.matrix;
  const u32 firstRow = issue.warp.index % isa::kWarpsOfGroup * kWarpRows;
  if (matrix.sharedA) {
    SharedOperand a(grid, issue, issue.op.sources[0], matrix.a, !matrix.columnA);
    // Registers alternate between the upper and the lower eight rows.
    for (u32 reg = 0; reg < kFragmentWords; ++reg)
      a.read(firstRow + kWarpRows / 2 * (reg % 2), kLanesOfLine * (reg / 2), &to[reg * grid.lanes]);
  } else {
    std::copy_n(source(issue.warp, issue.op.sources[0]), kFragmentWords * grid.lanes, to.begin());
  }
  if (!matrix.negated) return;
  for (u32& word : to) word ^= signsOf(matrix.a);
}

}  // namespace

void groupMultiply(Grid& grid, const Issue& issue) {
  requireGroup(grid, issue);
  const Op& op = issue.op;
  const isa::Modifiers& modifiers = op.instruction->modifiers;
  const isa::Matrix& matrix = modifiers.matrix;
  constexpr Fragment kZeros{};
  Fragment a{}, b{};
  readRows(grid, issue, a);
  SharedOperand columns(grid, issue, op.sources[1], matrix.b, matrix.columnB);
  const bool adds = accumulates(grid, issue);
  const u32 words = op.matrix->matrix.words[0];  // of D for eight columns
  for (u32 tile = 0; tile < matrix.n / kTileColumns; ++tile) {
    for (u32 reg = 0; reg < 2; ++reg) columns.read(kTileColumns * tile, kLanesOfLine * reg, &b[reg * grid.lanes]);
    u32* const d = registers(issue.warp, op.destinations[0]) + tile * words * grid.lanes;
    multiply(*op.matrix, {d, a.data(), b.data(), adds ? d : kZeros.data(), grid.lanes}, modifiers);
  }
}

void groupCommit(Grid&, const Issue& issue) { ++issue.warp.operands.groups; }

void noteOperandReads(Block& block, Warp& warp, u64 groups) {
  std::erase_if(warp.operands.pending, [&](const PendingRead& read) {
    if (read.group >= groups) return false;
    LaneAddresses addresses;
    std::copy_n(read.offsets.begin(), kMatrixLanes, addresses.lane);
    summarise(addresses, LaneMask::first(kMatrixLanes), read.bytes);
    block.races->access(warp.index, {.pc = read.pc, .inShared = true, .bytes = read.bytes}, addresses, LaneMask::first(kMatrixLanes));
    return true;
  });
}

void groupWait(Grid& grid, const Issue& issue) {
  requireGroup(grid, issue);
  const u64 left = source(issue.warp, issue.op.sources[0])[0], groups = issue.warp.operands.groups;
  if (issue.block.races) noteOperandReads(issue.block, issue.warp, groups - std::min(groups, left));
  waitAsWarp(grid, issue, kGroupBarriers + groupOf(issue), isa::kWarpsOfGroup * kMatrixLanes);
}

}  // namespace warpwright::exec
