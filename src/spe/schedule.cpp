#include "spe/schedule.hpp"

#include <algorithm>
#include <map>

namespace warpwright::spe {
namespace {

class Scheduler {
 public:
  Scheduler(const Block& block, const Machine& machine) : code_(block.instructions), machine_(machine), nodes_(code_.size()) {
    for (u32 i = 0; i < code_.size(); ++i) connect(i);
    for (u32 i = static_cast<u32>(code_.size()); i-- > 0;) {
      nodes_[i].height = latencyOf(i);
      for (const Edge& edge : nodes_[i].after) nodes_[i].height = std::max(nodes_[i].height, edge.latency + nodes_[edge.to].height);
    }
  }

  std::vector<u32> run() {
    std::vector<u32> order;
    for (u64 cycle = 0; order.size() < code_.size(); ++cycle)
      for (const Pipe pipe : {Pipe::even, Pipe::odd})
        if (const u32 chosen = best(cycle, pipe); chosen != kNone) {
          order.push_back(chosen);
          take(chosen, cycle);
        }
    return order;
  }

 private:
  static constexpr u32 kNone = ~0u;
  struct Edge {
    u32 to = 0, latency = 0;
  };
  struct Node {
    std::vector<Edge> after;
    u32 waitsFor = 0, height = 0;
    u64 ready = 0;
    bool taken = false;
  };

  u32 latencyOf(u32 i) const { return isLoad(code_[i].opcode) ? machine_.loadLatency() : kindOf(unitOf(code_[i].opcode)).latency; }
  Pipe pipeOf(u32 i) const { return kindOf(unitOf(code_[i].opcode)).pipe; }

  void addEdge(u32 from, u32 to, u32 latency) {
    nodes_[from].after.push_back({to, latency});
    ++nodes_[to].waitsFor;
  }

  // Every value is written once: what reads it comes after.
  void connect(u32 i) {
    const Instruction& instruction = code_[i];
    for (const ValueId source : instruction.sources)
      if (const auto writer = writers_.find(source); source != kNoValue && writer != writers_.end())
        addEdge(writer->second, i, latencyOf(writer->second));
    if (instruction.target != kNoValue) writers_[instruction.target] = i;
    for (u32 before = 0; before < i; ++before)
      if (mustFollow(code_[before], instruction)) addEdge(before, i, 1);
  }
  static bool isFence(Opcode opcode) { return opcode == Opcode::setstride || unitOf(opcode) == Unit::channel; }
  static bool mustFollow(const Instruction& first, const Instruction& second) {
    if (unitOf(second.opcode) == Unit::branch || isFence(first.opcode) || isFence(second.opcode)) return true;
    const bool stores = isStore(first.opcode) || isStore(second.opcode);
    return stores && first.touched.overlaps(second.touched);
  }

  u32 best(u64 cycle, Pipe pipe) const {
    u32 found = kNone;
    for (u32 i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      if (node.taken || node.waitsFor != 0 || node.ready > cycle || pipeOf(i) != pipe) continue;
      if (found == kNone || node.height > nodes_[found].height) found = i;
    }
    return found;
  }
  void take(u32 i, u64 cycle) {
    nodes_[i].taken = true;
    for (const Edge& edge : nodes_[i].after) {
      --nodes_[edge.to].waitsFor;
      nodes_[edge.to].ready = std::max(nodes_[edge.to].ready, cycle + edge.latency);
    }
  }

  const std::vector<Instruction>& code_;
  const Machine& machine_;
  std::vector<Node> nodes_;
  std::map<ValueId, u32> writers_;
};

}  // namespace

std::vector<u32> scheduled(const Block& block, const Machine& machine) { return Scheduler(block, machine).run(); }

std::string Schedules::keyOf(const Block& block) {
  const std::vector<Instruction>& code = block.instructions;
  std::string key;
  const auto append = [&](u64 number) { key.append(reinterpret_cast<const char*>(&number), sizeof(u32)); };
  std::vector<u32> accesses;
  for (u32 i = 0; i < code.size(); ++i) {
    const Instruction& instruction = code[i];
    append(static_cast<u64>(instruction.opcode));
    for (const ValueId source : instruction.sources) {
      const u64 writer = source < writers_.size() ? writers_[source] : 0;
      append(writer < before_ ? 0 : writer - before_ + 1);
    }
    if (instruction.target != kNoValue) {
      if (instruction.target >= writers_.size()) writers_.resize(instruction.target + 1);
      writers_[instruction.target] = before_ + i;
    }
    if (instruction.touched.begin == instruction.touched.end) continue;
    for (const u32 earlier : accesses)
      if ((isStore(code[earlier].opcode) || isStore(instruction.opcode)) && code[earlier].touched.overlaps(instruction.touched))
        append(earlier);
    append(~u32{0});
    accesses.push_back(i);
  }
  before_ += code.size();
  return key;
}

const std::vector<u32>& Schedules::of(const Block& block) {
  const auto [found, isNew] = known_.try_emplace(keyOf(block));
  if (isNew) found->second = scheduled(block, machine_);
  return found->second;
}

}  // namespace warpwright::spe
