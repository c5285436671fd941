// Keeps what happens in a timed machine during a window of cycles, for traces.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "machines/trace/settings.hpp"
#include "mem/dram/channel.hpp"
#include "sm/pipeline_listener.hpp"

namespace warpwright::machines::trace {

struct InstructionRecord {
  SlotId slot;
  u32 warp = 0, launch = 0;
  Pc pc;
  u64 block = 0;
  LaneMask active;
  isa::Unit unit{};
  Cycle fetchBegan{}, fetched{};  // until then on its way, up to its issue in the warp's instruction buffer
  // kNever: it did not happen, or not yet.
  Cycle issued{}, dispatched = kNever, completed = kNever, memoryDone = kNever;

  // When nothing of it is left in the machine; `open`: where it is still under way.
  Cycle end(Cycle open) const;
};

// Of one SM: the instructions that issue in the window, in that order, each up to its end.
class PipelineRecorder final : public sm::PipelineListener {
 public:
  // most: instructions kept; the rest is left out.
  PipelineRecorder(const Window& window, std::size_t most) : window_(window), most_(most) {}

  void fetched(SlotId slot, u32 count, Cycle asked, Cycle now) override;
  void fetchDropped(SlotId slot) override;
  void issued(const sm::IssuedInstruction& instruction, Cycle now) override;
  void dispatched(u32 number, Cycle enters) override;
  void completed(u32 number, Cycle now) override;
  void memoryDone(u32 number, Cycle now) override;

  const std::vector<InstructionRecord>& records() const { return records_; }
  const std::string& text(const InstructionRecord& record) const { return texts_.at({record.launch, record.pc}); }
  Cycle last() const { return last_; }  // time of the last event
  bool isFull() const { return full_; }

 private:
  struct Fetch {
    Cycle began, arrived;
  };
  InstructionRecord* find(u32 number);
  Fetch takeFetch(SlotId slot);

  Window window_;
  std::size_t most_;
  u32 first_ = 0;  // number of the first record
  bool full_ = false;
  Cycle last_{};
  std::vector<InstructionRecord> records_;
  std::map<SlotId, std::deque<Fetch>> buffers_;      // by slot: of the instructions in the warp's buffer
  std::map<std::pair<u32, Pc>, std::string> texts_;  // by launch and pc, as modules may be gone when the trace is written
};

struct DramRecord {
  mem::dram::Command command{};
  u32 rank = 0, bank = 0;  // of all banks of the rank
  u64 row = 0;
  DramTick time{};
};

// Of one channel: the commands of the window.
class DramRecorder final : public mem::DramObserver {
 public:
  // The window in ticks of the channel's clock.
  DramRecorder(DramTick from, DramTick until, u32 banksPerGroup, std::size_t most)
      : from_(from), until_(until), banksPerGroup_(banksPerGroup), most_(most) {}
  void issued(mem::dram::Command command, const mem::dram::Location& location, DramTick now) override;
  const std::vector<DramRecord>& records() const { return records_; }
  bool isFull() const { return full_; }

 private:
  DramTick from_, until_;
  u32 banksPerGroup_;
  std::size_t most_;
  bool full_ = false;
  std::vector<DramRecord> records_;
};

}  // namespace warpwright::machines::trace
