#include "mechanisms/affine_tags/compact_pipeline.hpp"

#include <algorithm>
#include <bit>

namespace warpwright::mechanisms::affine_tags {
namespace {

// Bit i: register number i of the operands is among those.
u32 maskOf(const std::array<u8, sm::InstructionInfo::kMostReads>& registers, u32 count, const std::bitset<256>& among) {
  u32 mask = 0;
  for (u32 i = 0; i < count; ++i) mask |= u32{among.test(registers[i])} << i;
  return mask;
}

u8 without(std::array<u8, sm::InstructionInfo::kMostReads>& registers, u32 count, u32 mask) {
  u8 left = 0;
  for (u32 i = 0; i < count; ++i) {
    if ((mask >> i & 1) == 0) registers[left++] = registers[i];
  }
  return left;
}

}  // namespace

bool CompactPipeline::tick(Cycle now) {
  const bool moved = inner_->tick(now);
  closed_ = inner_->closed();
  return moved;
}

void CompactPipeline::issue(const sm::Issued& instruction, Cycle now) {
  tags_.statistics.tagsRead += instruction.info->readCount;
  tags_.statistics.tagsWritten += instruction.info->writeCount;
  if (goesToScalarPipe(*instruction.info)) return issueScalar(instruction, now);
  const Variant variant = variantOf(*instruction.info);
  sm::Issued narrowed = instruction;
  narrowed.info = &infoOf(variant);
  count(variant, *narrowed.info);
  inner_->issue(narrowed, now);
}

// Address arithmetic and loop counters: what the uniform datapath of current machines takes.
bool CompactPipeline::goesToScalarPipe(const sm::InstructionInfo& info) const {
  return settings_.scalarPipe && tags_.last->needed == Tag::uniform && info.flow == sm::Flow::compute && info.unit == isa::Unit::integer;
}

void CompactPipeline::issueScalar(const sm::Issued& instruction, Cycle now) {
  const Cycle enters = std::max(now + 1, scalarFree_);
  scalarFree_ = enters + 1;
  ++tags_.statistics.scalar;
  tags_.statistics.bankReadsSaved += instruction.info->readCount;
  tags_.statistics.bankWritesSaved += instruction.info->writeCount;
  if (listener_ != nullptr) listener_->dispatched(instruction.number, enters);
  events_.add(enters + instruction.info->latency, instruction.completion());
}

CompactPipeline::Variant CompactPipeline::variantOf(const sm::InstructionInfo& info) const {
  const LastOperation& last = *tags_.last;
  Variant variant{&info, 0, 0, false, last.overflow ? 1U : 0U};
  if (settings_.operandsApart) {
    variant.reads = maskOf(info.reads, info.readCount, last.compactReads);
    if (info.flow == sm::Flow::compute) variant.writes = maskOf(info.writes, info.writeCount, last.compactWrites);
  }
  variant.isShort = settings_.shortOccupancy && last.needed != Tag::generic;
  if (settings_.reissueConversions) variant.passes += last.conversions;
  return variant;
}

// Instructions that the tags change nothing of keep their description.
const sm::InstructionInfo& CompactPipeline::infoOf(const Variant& variant) {
  if (variant.reads == 0 && variant.writes == 0 && !variant.isShort && variant.passes == 0) return *variant.info;
  const auto [entry, isNew] = variants_.try_emplace(variant, *variant.info);
  sm::InstructionInfo& info = entry->second;
  if (!isNew) return info;
  info.readCount = without(info.reads, info.readCount, variant.reads);
  info.writeCount = without(info.writes, info.writeCount, variant.writes);
  // An iterative unit repeats itself as often as it has lanes to serve.
  constexpr u32 kMostLanes = 2;
  if (variant.isShort) info.interval = std::max(1U, (info.interval * kMostLanes + warpSize_ - 1) / warpSize_);
  info.latency += variant.passes * info.interval;
  info.interval += variant.passes * info.interval;
  return info;
}

void CompactPipeline::count(const Variant& variant, const sm::InstructionInfo& narrowed) {
  TimedTagStats& statistics = tags_.statistics;
  statistics.issuedAgain += variant.passes;
  statistics.bankReadsSaved += static_cast<u64>(std::popcount(variant.reads));
  statistics.bankWritesSaved += static_cast<u64>(std::popcount(variant.writes));
  if (!variant.isShort || narrowed.interval >= variant.info->interval) return;
  ++statistics.shortened;
  statistics.cyclesSaved += variant.info->interval - narrowed.interval;
}

}  // namespace warpwright::mechanisms::affine_tags
