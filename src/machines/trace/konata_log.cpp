// The log format "Kanata 0004" of the pipeline viewer Konata: commands, tab-separated, in the order of time.
#include <fmt/format.h>

#include <algorithm>

#include "machines/trace/tracer.hpp"

namespace warpwright::machines::trace {
namespace {

struct Line {
  Cycle time;
  u64 instruction;
  std::string text;
};

class Log {
 public:
  void add(const PipelineRecorder& pipeline, SmId sm) {
    for (const InstructionRecord& record : pipeline.records()) add(record, pipeline.text(record), sm, pipeline.last());
  }

  std::string text() {
    // Stages of an instruction stay in their order within a cycle.
    std::stable_sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) { return a.time < b.time; });
    std::string text = "Kanata\t0004\n";
    Cycle now{};
    if (!lines_.empty()) text += fmt::format("C=\t{}\n", (now = lines_.front().time).ticks);
    for (const Line& line : lines_) {
      if (line.time != now) text += fmt::format("C\t{}\n", line.time - now);
      now = line.time;
      text += line.text;
    }
    return text;
  }

 private:
  // Fe: instruction cache and decoder; Ib: the warp's instruction buffer; Is: operands are collected; Ex: a pipe executes; Me: the memory
  // system is at work; Wb: the result waits for its way back.
  void add(const InstructionRecord& record, const std::string& text, SmId sm, Cycle open) {
    const u64 id = next_++;
    const Cycle end = record.end(open);
    const u32 thread = sm << 8 | record.slot;
    put(record.fetchBegan, id,
        fmt::format("I\t{0}\t{0}\t{1}\nL\t{0}\t0\tSM {2} slot {3}: {4}\nL\t{0}\t1\tlaunch {5} block {6} warp {7} pc {8} lanes {9:#x}\n", id,
                    thread, sm, record.slot, text, record.launch, record.block, record.warp, record.pc, record.active.bits()));
    stage(id, record.fetchBegan, "Fe");
    stage(id, record.fetched, "Ib");
    stage(id, record.issued, "Is");
    const bool isMemory = record.memoryDone != kNever;
    if (record.dispatched != kNever) stage(id, std::min(record.dispatched, end), isMemory ? "Me" : "Ex");
    if (isMemory && record.memoryDone < end) stage(id, std::max(record.memoryDone, record.dispatched), "Wb");
    // Type 1, a flush, is what the viewer knows for an instruction without an end.
    put(end, id, fmt::format("R\t{}\t{}\t{}\n", id, id, record.completed == kNever ? 1 : 0));
  }
  void stage(u64 id, Cycle from, const char* name) { put(from, id, fmt::format("S\t{}\t0\t{}\n", id, name)); }
  void put(Cycle time, u64 id, std::string text) { lines_.push_back({time, id, std::move(text)}); }

  u64 next_ = 0;
  std::vector<Line> lines_;
};

}  // namespace

std::string konataLog(const Recording& recording) {
  Log log;
  for (u32 i = 0; i < recording.pipelines.size(); ++i) log.add(*recording.pipelines[i], SmId{i});
  return log.text();
}

}  // namespace warpwright::machines::trace
