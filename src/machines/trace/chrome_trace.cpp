// The trace event format of Chrome ("JSON object format"), which Perfetto opens. A microsecond of the viewer is a core cycle.
#include <fmt/format.h>

#include <algorithm>

#include "machines/trace/tracer.hpp"
#include "stats/json.hpp"

namespace warpwright::machines::trace {
namespace {

// Processes of the trace: counters of the machine, SMs, DRAM channels.
constexpr u32 kMachine = 0, kFirstSm = 1, kFirstChannel = 10'000;
// Threads of an SM: warp slots, then pipes. Events that overlap go side by side, as slices of one thread must nest.
constexpr u32 kLanes = 256, kFirstPipe = 64;

std::string escaped(const std::string& text) { return stats::Json(text).dump(); }

class Writer {
 public:
  explicit Writer(const Recording& recording) : recording_(recording) {}

  std::string write() {
    nameProcess(kMachine, recording_.machine.name);
    for (const Sample& sample : recording_.samples) counters(sample);
    for (u32 i = 0; i < recording_.pipelines.size(); ++i) pipeline(*recording_.pipelines[i], SmId{i});
    for (u32 i = 0; i < recording_.channels.size(); ++i) dram(*recording_.channels[i], PartitionId{i});
    const stats::Json other = {{"machine", recording_.machine.name},
                               {"core_clock_khz", recording_.machine.coreClockKhz},
                               {"time_unit", "core cycle"},
                               {"complete", recording_.isComplete}};
    return "{\"displayTimeUnit\":\"ns\",\"otherData\":" + other.dump() + ",\"traceEvents\":[\n" + text_ + "\n]}\n";
  }

 private:
  void put(const std::string& event) {
    if (!text_.empty()) text_ += ",\n";
    text_ += event;
  }
  void nameProcess(u32 pid, const std::string& name) {
    put(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"tid":0,"args":{{"name":{}}}}})", pid, escaped(name)));
  }
  void nameThread(u32 pid, u32 tid, const std::string& name) {
    put(fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})", pid, tid, escaped(name)));
  }

  // The first lane of the row that is free at `from`; it is taken up to `until`.
  u32 lane(u32 pid, u32 row, const std::string& name, Cycle from, Cycle until) {
    std::vector<Cycle>& lanes = lanes_[{pid, row}];
    const auto free = std::find_if(lanes.begin(), lanes.end(), [&](Cycle end) { return end <= from; });
    const auto number = static_cast<u32>(free - lanes.begin());
    if (free == lanes.end()) {
      lanes.push_back(until);
      nameThread(pid, row * kLanes + number, number == 0 ? name : fmt::format("{} +{}", name, number));
    } else {
      *free = until;
    }
    return row * kLanes + number;
  }

  void slice(const char* category, u32 pid, u32 row, const std::string& track, const std::string& name, Cycle from, Cycle until,
             const std::string& arguments) {
    const u32 tid = lane(pid, row, track, from, until);
    put(fmt::format(R"({{"ph":"X","cat":"{}","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})", category, escaped(name), pid,
                    tid, from.ticks, until - from, arguments));
  }

  void pipeline(const PipelineRecorder& recorder, SmId sm) {
    if (recorder.records().empty()) return;
    const u32 pid = kFirstSm + sm;
    nameProcess(pid, fmt::format("SM {}", sm));
    std::vector<const InstructionRecord*> dispatched;
    for (const InstructionRecord& record : recorder.records()) {
      const std::string arguments = fmt::format(R"("launch":{},"block":{},"warp":{},"pc":{},"lanes":"{:#x}")", record.launch, record.block,
                                                record.warp, record.pc, record.active.bits());
      slice("warp", pid, record.slot, fmt::format("warp slot {:02}", record.slot), recorder.text(record), record.issued,
            record.end(recorder.last()), arguments);
      if (record.dispatched != kNever) dispatched.push_back(&record);
    }
    std::stable_sort(dispatched.begin(), dispatched.end(), [](auto a, auto b) { return a->dispatched < b->dispatched; });
    for (const InstructionRecord* record : dispatched) {
      const Cycle until = std::max(record->dispatched + 1, record->end(recorder.last()));
      slice("pipe", pid, kFirstPipe + static_cast<u32>(record->unit), fmt::format("pipe {}", isa::name(record->unit)),
            recorder.text(*record), record->dispatched, until, fmt::format(R"("slot":{})", record->slot));
    }
  }

  // Commands are placed in core cycles, with the fraction that the two clocks make, and last a tick of their clock.
  void dram(const DramRecorder& recorder, PartitionId channel) {
    if (recorder.records().empty()) return;
    const u32 pid = kFirstChannel + channel;
    nameProcess(pid, fmt::format("DRAM channel {}", channel));
    const double tick = static_cast<double>(recording_.machine.coreClockKhz) / recording_.machine.dram.clockKhz;
    std::map<u32, bool> named;
    for (const DramRecord& record : recorder.records()) {
      const u32 tid = record.rank * recording_.machine.dram.banks + record.bank;
      if (!std::exchange(named[tid], true)) nameThread(pid, tid, fmt::format("rank {} bank {:02}", record.rank, record.bank));
      put(fmt::format(R"({{"ph":"X","cat":"dram","name":"{}","pid":{},"tid":{},"ts":{:.4f},"dur":{:.4f},"args":{{"row":{},"tick":{}}}}})",
                      mem::dram::name(record.command), pid, tid, tick * static_cast<double>(record.time.ticks), tick, record.row,
                      record.time.ticks));
    }
  }

  void counter(const char* name, Cycle time, const stats::Json& values) {
    put(fmt::format(R"({{"ph":"C","cat":"counter","name":"{}","pid":{},"tid":0,"ts":{},"args":{}}})", name, kMachine, time.ticks,
                    values.dump()));
  }
  void cache(const char* name, Cycle time, const mem::CacheStats& stats) {
    counter(name, time, {{"hits", stats.hits.total()}, {"misses", stats.misses.total()}, {"merges", stats.merges.total()}});
  }
  // A counter's value holds from its time on: that of an interval stands at its beginning.
  void counters(const Sample& sample) {
    if (sample.until <= recording_.settings.window.from || sample.from >= recording_.settings.window.until) return;
    counter("warp instructions", sample.from, {{"issued", sample.stats.sm.warpInstructions}});
    cache("L1 data", sample.from, sample.stats.l1d);
    cache("L1 instruction", sample.from, sample.stats.l1i);
    cache("L1 constant", sample.from, sample.stats.l1c);
    cache("texture cache", sample.from, sample.stats.texture);
    cache("L2", sample.from, sample.stats.memory.partition.l2);
    counter("DRAM bytes", sample.from, {{"moved", sample.stats.memory.dram.movedBytes}});
  }

  const Recording& recording_;
  std::string text_;
  std::map<std::pair<u32, u32>, std::vector<Cycle>> lanes_;  // by process and row: until when each is taken
};

}  // namespace

std::string chromeTrace(const Recording& recording) { return Writer(recording).write(); }

}  // namespace warpwright::machines::trace
