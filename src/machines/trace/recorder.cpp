#include "machines/trace/recorder.hpp"

#include <algorithm>

#include "isa/disassembler.hpp"

namespace warpwright::machines::trace {
namespace {

constexpr u32 kAddressBits = 64;

}  // namespace

Cycle InstructionRecord::end(Cycle open) const {
  if (completed == kNever) return std::max(open, issued + 1);
  return memoryDone == kNever ? completed : std::max(completed, memoryDone);
}

InstructionRecord* PipelineRecorder::find(u32 number) {
  const u32 index = number - first_;
  return index < records_.size() ? &records_[index] : nullptr;
}

void PipelineRecorder::fetched(SlotId slot, u32 count, Cycle asked, Cycle now) {
  buffers_[slot].insert(buffers_[slot].end(), count, {asked, now});
}

void PipelineRecorder::fetchDropped(SlotId slot) { buffers_[slot].clear(); }

PipelineRecorder::Fetch PipelineRecorder::takeFetch(SlotId slot) {
  std::deque<Fetch>& buffer = buffers_[slot];
  const Fetch fetch = buffer.front();
  buffer.pop_front();
  return fetch;
}

void PipelineRecorder::issued(const sm::IssuedInstruction& instruction, Cycle now) {
  const Fetch fetch = takeFetch(instruction.slot);
  if (!window_.contains(now)) return;
  full_ = full_ || records_.size() >= most_;
  if (full_) return;
  if (records_.empty()) first_ = instruction.number;
  InstructionRecord record;
  record.slot = instruction.slot;
  record.warp = instruction.warp;
  record.launch = instruction.launch;
  record.pc = instruction.pc;
  record.block = instruction.block;
  record.active = instruction.executing;
  record.unit = isa::unitOf(*instruction.instruction);
  record.fetchBegan = fetch.began;
  record.fetched = fetch.arrived;
  record.issued = now;
  records_.push_back(record);
  last_ = std::max(last_, now);
  std::string& text = texts_[{instruction.launch, instruction.pc}];
  if (text.empty()) text = isa::disassemble(*instruction.instruction, kAddressBits);
}

void PipelineRecorder::dispatched(u32 number, Cycle enters) {
  if (InstructionRecord* record = find(number)) record->dispatched = enters;
}

void PipelineRecorder::completed(u32 number, Cycle now) {
  InstructionRecord* const record = find(number);
  if (!record) return;
  record->completed = now;
  last_ = std::max(last_, now);
}

void PipelineRecorder::memoryDone(u32 number, Cycle now) {
  InstructionRecord* const record = find(number);
  if (!record) return;
  record->memoryDone = now;
  last_ = std::max(last_, now);
}

void DramRecorder::issued(mem::dram::Command command, const mem::dram::Location& location, DramTick now) {
  if (now < from_ || now >= until_) return;
  full_ = full_ || records_.size() >= most_;
  if (full_) return;
  records_.push_back({command, location.rank, location.group * banksPerGroup_ + location.bank, location.row, now});
}

}  // namespace warpwright::machines::trace
