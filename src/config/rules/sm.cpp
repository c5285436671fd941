// Rules of [sm] and of the timed parts of an SM.
#include <fmt/format.h>

#include "config/bank_map.hpp"
#include "config/carve_outs.hpp"
#include "config/fields/rows.hpp"
#include "config/rules/lists.hpp"

namespace warpwright::config {

using M = Machine;

namespace {

bool isInOrder(const M& machine) { return machine.sm.pipeline == Pipeline::inOrder; }

// Empty when nothing is.
std::string wrongWithBankMap(const M& machine) {
  if (choosesBankMaps(machine) || namesBankMaps(machine) || machine.sm.bankMap == "low_order") return {};
  try {
    sharedBankMap(machine, machine.sm.bankMap);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

// The same.
std::string wrongWithCarveOuts(const M& machine) {
  try {
    carveOutsOf(machine.sm.carveOuts);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

}  // namespace

std::vector<Rule> smRules() {
  return {
      {{"chip.cluster_multiprocessors", "sm.pipeline.model"},
       "clusters of several blocks need a scoreboarded pipeline",
       [](const M& m) { return m.clusterMultiprocessors == 0 || !isInOrder(m); }},
      {{"sm.threads_per_block", "sm.warps", "sm.warp_size"},
       "the largest block must fit on an SM: at most sm.warps x sm.warp_size threads",
       [](const M& m) { return u64{m.threadsPerBlock} <= u64{m.warpsPerSm} * m.warpSize; }},
      {{"sm.registers", "sm.register_allocation_unit"},
       "sm.registers must be a multiple of sm.register_allocation_unit",
       [](const M& m) { return m.registersPerSm % m.registerAllocationUnit == 0; }},
      {{"sm.registers", "sm.warp_size", "sm.registers_per_thread"},
       "sm.registers must hold one warp of sm.warp_size threads with sm.registers_per_thread registers",
       [](const M& m) { return m.registersPerSm >= m.registersPerThread * m.warpSize; }},
      {{"sm.shared_bytes_per_block", "sm.shared_bytes"},
       "sm.shared_bytes_per_block must not exceed sm.shared_bytes",
       [](const M& m) { return m.sharedBytesPerBlock <= m.sharedBytesPerSm; }},
      {{"sm.shared_bytes_per_block_optin", "sm.shared_bytes"},
       "sm.shared_bytes_per_block_optin must not exceed sm.shared_bytes",
       [](const M& m) { return m.sharedBytesPerBlockOptin <= m.sharedBytesPerSm; }},
      {{"sm.shared_bytes_per_block_optin", "sm.shared_bytes_per_block"},
       "sm.shared_bytes_per_block_optin must be at least sm.shared_bytes_per_block",
       [](const M& m) { return m.sharedBytesPerBlockOptin >= m.sharedBytesPerBlock; }},
      {{"sm.shared_bytes_per_block_optin", "sm.shared_reserved_bytes", "sm.shared_bytes"},
       "the largest block must fit on an SM with what the system takes for it",
       [](const M& m) { return m.sharedReservedBytes == 0 || m.sharedBytesPerBlockOptin + m.sharedReservedBytes <= m.sharedBytesPerSm; }},
  };
}

std::vector<Rule> pipelineRules() {
  std::vector<Rule> result = {
      {{"sm.warps"}, "a timed SM has at most 64 warps", [](const M& m) { return m.warpsPerSm <= 64; }, true},
      {{"sm.pipeline.instruction_buffer", "sm.pipeline.fetch_width"},
       "sm.pipeline.instruction_buffer must hold what one fetch brings",
       [](const M& m) { return m.sm.instructionBuffer >= m.sm.fetchWidth; },
       true},
      {{"sm.pipeline.fetches_per_cycle", "l1i.ports", "l1i.input_queue"},
       "the instruction cache must take and serve what is fetched in a cycle",
       [](const M& m) { return m.l1i.bytes == 0 || (m.l1i.ports >= m.sm.fetchesPerCycle && m.l1i.inputQueue >= m.sm.fetchesPerCycle); },
       true},
      {{"sm.pipeline.prefetch_lines", "l1i.bytes", "l1i.sector_bytes", "l1i.line_bytes"},
       "code is fetched ahead of an instruction cache, in whole lines of it",
       [](const M& m) { return m.sm.prefetchLines == 0 || (m.l1i.bytes != 0 && m.l1i.sectorBytes == m.l1i.lineBytes); },
       true},
      {{"sm.pipeline.l0_bytes", "l1i.bytes", "l1i.sector_bytes", "l1i.line_bytes"},
       "a sub-core's instruction cache holds whole lines, at least one, of that of the SM",
       [](const M& m) {
         return m.sm.l0Bytes == 0 || (m.l1i.bytes != 0 && m.l1i.sectorBytes == m.l1i.lineBytes && m.sm.l0Bytes % m.l1i.lineBytes == 0);
       },
       true},
      {{"sm.pipeline.l0_prefetch_lines", "sm.pipeline.l0_bytes"},
       "lines are fetched ahead of a sub-core's instruction cache: sm.pipeline.l0_bytes must not be 0",
       [](const M& m) { return m.sm.l0PrefetchLines == 0 || m.sm.l0Bytes != 0; },
       true},
      {{"sm.pipeline.l0_line_interval", "sm.pipeline.l0_bytes"},
       "lines come to a sub-core's instruction cache: sm.pipeline.l0_bytes must not be 0",
       [](const M& m) { return m.sm.l0LineInterval == 1 || m.sm.l0Bytes != 0; },
       true},
      {{"sm.pipeline.instruction_buffer", "sm.pipeline.issue_width"},
       "sm.pipeline.instruction_buffer must hold what issues in one cycle",
       [](const M& m) { return m.sm.instructionBuffer >= m.sm.issueWidth; },
       true},
      {{"sm.pipeline.scheduler", "sm.pipeline.issue_width"},
       "strict barrel processing has one instruction of a warp in flight: issue_width must be 1",
       [](const M& m) { return m.sm.scheduler != "strict_barrel" || m.sm.issueWidth == 1; },
       true},
      {{"sm.pipeline.model", "sm.pipeline.stages", "sm.pipeline.memory_stages"},
       "an in-order pipeline has fetch, decode, execution and write-back stages beside its memory stages: at least 4",
       [](const M& m) { return !isInOrder(m) || m.sm.stages >= m.sm.memoryStages + 4; },
       true},
      {{"sm.pipeline.model", "sm.schedulers", "sm.pipeline.issue_width", "sm.pipeline.write_back_ports"},
       "an in-order pipeline has one stage of each kind: one scheduler, one instruction, one write-back port",
       [](const M& m) { return !isInOrder(m) || (m.schedulersPerSm == 1 && m.sm.issueWidth == 1 && m.sm.writeBackPorts == 1); },
       true},
      {{"sm.pipeline.dependences", "sm.pipeline.model", "sm.pipeline.collectors", "sm.pipeline.issue_width"},
       "control bits count cycles from issue to issue, one instruction a time: sm.pipeline.model must be \"scoreboard\" (pipes side by "
       "side), sm.pipeline.collectors 0 and sm.pipeline.issue_width 1",
       [](const M& m) {
         return m.sm.dependences == Dependences::scoreboard || (!isInOrder(m) && m.sm.collectors == 0 && m.sm.issueWidth == 1);
       },
       true},
      {{"sm.pipeline.operand_window", "sm.pipeline.model", "sm.pipeline.collectors", "sm.pipeline.issue_width"},
       "operands are read in a window by pipes side by side without collectors, one instruction a time: sm.pipeline.model must be "
       "\"scoreboard\", sm.pipeline.collectors 0 and sm.pipeline.issue_width 1",
       [](const M& m) { return m.sm.operandWindow == 0 || (!isInOrder(m) && m.sm.collectors == 0 && m.sm.issueWidth == 1); },
       true},
      {{"sm.pipeline.operand_window", "sm.pipeline.register_banks", "sm.schedulers"},
       "each sub-core needs register banks of its own: sm.pipeline.register_banks must be a multiple of sm.schedulers",
       [](const M& m) { return m.sm.operandWindow == 0 || m.sm.registerBanks % m.schedulersPerSm == 0; },
       true},
      {{"sm.pipeline.operand_cache", "sm.pipeline.operand_window"},
       "operands are kept beside register banks whose ports are limited: sm.pipeline.operand_window must not be 0",
       [](const M& m) { return !m.sm.operandCache || m.sm.operandWindow != 0; },
       true},
      {{"sm.memory.sub_core_queue", "sm.pipeline.model"},
       "sub-cores buffer memory instructions beside pipes of their own: sm.pipeline.model must be \"scoreboard\"",
       [](const M& m) { return m.sm.subCoreQueue == 0 || !isInOrder(m); },
       true},
      {{"sm.memory.sub_core_queue", "sm.memory.queue", "sm.schedulers"},
       "sm.memory.queue must hold what all sub-cores buffer: at least sm.memory.sub_core_queue x sm.schedulers",
       [](const M& m) { return m.sm.subCoreQueue == 0 || m.sm.memoryQueue >= m.sm.subCoreQueue * m.schedulersPerSm; },
       true},
      {{"sm.memory.sub_core_queue", "sm.pipes.load_store.count", "sm.schedulers"},
       "each sub-core computes addresses of its own: sm.pipes.load_store.count must be at least sm.schedulers",
       [](const M& m) { return m.sm.subCoreQueue == 0 || m.sm.loadStore.count >= m.schedulersPerSm; },
       true},
      {{"sm.pipeline.model", "sm.pipeline.collectors"},
       "an in-order pipeline reads operands in a stage of its own, without collectors",
       [](const M& m) { return !isInOrder(m) || m.sm.collectors == 0; },
       true},
      {{"sm.pipeline.register_banks", "sm.pipeline.register_bank_ports"},
       "an SM has at most 64 ports of register banks, all banks together",
       [](const M& m) { return m.sm.registerBanks * m.sm.registerBankPorts <= 64; },
       true},
      {{"sm.memory.bank_map", "sm.shared_banks", "sm.shared_bytes_per_block_optin"},
       "must be `per_array`, `per_array:harper`, `per_access`, or a bank map for these banks that holds all words",
       [](const M& m) { return wrongWithBankMap(m).empty(); },
       true,
       wrongWithBankMap},
      {{"sm.memory.carve_outs"},
       "must be sizes in KiB, ascending, with blanks between them",
       [](const M& m) { return wrongWithCarveOuts(m).empty(); },
       true,
       wrongWithCarveOuts},
      {{"sm.memory.carve_outs", "sm.memory.unified_bytes"},
       "carve-outs are those of a memory that L1 and shared memory share: both keys or neither",
       [](const M& m) { return m.sm.carveOuts.empty() == (m.sm.unifiedBytes == 0); },
       true},
      {{"sm.memory.stores_in_flight", "sm.pipeline.model"},
       "an in-order pipeline has places for so many stores: sm.memory.stores_in_flight must not be 0",
       [](const M& m) { return !isInOrder(m) || m.sm.storesInFlight != 0; },
       true},
      {{"sm.memory.bank_map_latency", "sm.pipeline.model"},
       "in an in-order pipeline the logic of the bank map takes stages (sm.pipeline.memory_stages)",
       [](const M& m) { return !isInOrder(m) || m.sm.bankMapLatency == 0; },
       true},
      {{"sm.memory.pass_latency", "sm.pipeline.model"},
       "in an in-order pipeline an access stays in the first memory stage for a cycle a pass (sm.pipeline.memory_stages)",
       [](const M& m) { return !isInOrder(m) || m.sm.passLatency == 1; },
       true},
      {{"sm.memory.unified_banks", "sm.pipeline.model"},
       "in an in-order pipeline the memory stages are the way to shared memory alone",
       [](const M& m) { return !isInOrder(m) || !m.sm.unifiedBanks; },
       true},
      {{"sm.pipeline.scheduler", "sm.pipeline.two_level_active", "sm.warps"},
       "the active set of a two-level scheduler cannot exceed sm.warps",
       [](const M& m) { return m.sm.scheduler != "two_level" || m.sm.twoLevelActive <= m.warpsPerSm; },
       true},
  };
  for (const Part<Pipes>& part : pipesParts()) {
    if (part.member == &Sm::tensor) continue;
    result.push_back({{fmt::format("sm.pipes.{}.count", part.name)},
                      "every SM needs pipes of this kind; only sm.pipes.tensor.count may be 0",
                      [member = part.member](const M& m) { return (m.sm.*member).count > 0; },
                      true});
  }
  for (const Part<LatencyOf>& part : operationParts()) {
    if (part.member == &Sm::branch) continue;
    result.push_back(
        {{fmt::format("sm.operations.{}.latency", part.name), "sm.pipeline.collectors"},
         "a dependent instruction issues 3 cycles later at the earliest, 2 where sm.pipeline.collectors = 0: operands are read, and "
         "the pipe takes a cycle",
         [member = part.member](const M& m) { return isInOrder(m) || (m.sm.*member).latency > cyclesToPipe(m.sm); },
         true});
  }
  for (const Part<LatencyOf>& part : finerOperationParts()) {
    result.push_back({{fmt::format("sm.operations.{}.latency", part.name), fmt::format("sm.operations.{}.interval", part.name),
                       "sm.pipeline.collectors"},
                      "a part of a class has both numbers or neither (0), and a latency as the classes have",
                      [member = part.member](const M& m) {
                        const LatencyOf& of = m.sm.*member;
                        if (of.latency == 0 || of.interval == 0) return of.latency == of.interval;
                        return isInOrder(m) || of.latency > cyclesToPipe(m.sm);
                      },
                      true});
  }
  return result;
}

}  // namespace warpwright::config
