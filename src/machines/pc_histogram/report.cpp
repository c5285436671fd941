#include "machines/pc_histogram/report.hpp"

#include <fmt/format.h>

#include "isa/disassembler.hpp"
#include "profile/units.hpp"
#include "stats/json.hpp"

namespace warpwright::machines {
namespace {

using profile::countText;
using profile::percentText;
using profile::ratioText;
using stats::Json;

Json instructionJson(Pc pc, const PcInstruction& instruction) {
  const bool hasSource = instruction.source.line != 0;
  return {{"pc", u32{pc}},
          {"ptx_line", instruction.ptxLine == 0 ? Json(nullptr) : Json(instruction.ptxLine)},
          {"file", hasSource ? Json(instruction.source.file) : Json(nullptr)},
          {"line", hasSource ? Json(instruction.source.line) : Json(nullptr)},
          {"text", instruction.text},
          {"pairs_together", instruction.pairs.together},
          {"pairs", instruction.pairs.all}};
}

Json launchJson(const KernelPcHistogram::Launch& launch) {
  Json rows = Json::array();
  for (const PcCount& count : launch.counts) rows.push_back({count.from.ticks, count.block, u32{count.pc}, count.threads});
  return {{"launch", launch.number}, {"rows", std::move(rows)}};
}

}  // namespace

void KernelPcHistogram::add(u64 launch, PcHistogram histogram, const isa::Program& program) {
  merge(sums, histogram.sums);
  isComplete = isComplete && histogram.isComplete;
  if (histogram.counts.empty()) return;
  for (const auto& [pc, pairs] : histogram.pairs) {
    const isa::Instruction& instruction = program.code.at(pc);
    PcInstruction& into = instructions[pc];
    into.ptxLine = instruction.ptxLine;
    into.source = profile::sourceLineOf(program, instruction);
    into.text = isa::disassemble(instruction, program.addressBits);
    merge(into.pairs, pairs);
  }
  launches.push_back({launch, std::move(histogram.counts)});
}

Json pcHistogramJson(const KernelPcHistogram& histogram) {
  const PcHistogramSettings& settings = histogram.settings;
  Json result = {{"sm", settings.sm},
                 {"block", settings.block ? Json(*settings.block) : Json(nullptr)},
                 {"interval", settings.interval},
                 {"complete", histogram.isComplete},
                 {"figures", pcFiguresJson(histogram.sums)},
                 {"instructions", Json::array()},
                 {"columns", {"from", "block", "pc", "threads"}},
                 {"launches", Json::array()}};
  for (const auto& [pc, instruction] : histogram.instructions) result["instructions"].push_back(instructionJson(pc, instruction));
  for (const KernelPcHistogram::Launch& launch : histogram.launches) result["launches"].push_back(launchJson(launch));
  return result;
}

void appendPcHistogram(profile::TextPage& page, const KernelPcHistogram& histogram) {
  const PcHistogramSettings& settings = histogram.settings;
  const auto percent = [&](std::string_view name) { return percentText(pcFigure(name, histogram.sums)); };
  const auto number = [&](std::string_view name) { return ratioText(pcFigure(name, histogram.sums), 1); };
  page.heading(fmt::format("PC histogram of SM {}{}: {} samples, one every {} cycles{}", settings.sm,
                           settings.block ? fmt::format(", block {}", *settings.block) : "", countText(histogram.sums.samples),
                           settings.interval, histogram.isComplete ? "" : " (cut)"));
  page.row("  {:<32}{:>8}   at most {}; {} of a block", "threads in a sample", number("threads"), countText(histogram.sums.mostThreads),
           countText(histogram.sums.mostBlockThreads));
  page.row("  {:<32}{:>8}   those of a block at {}", "instructions they stand at", number("instructions"), number("block_instructions"));
  page.row("  {:<32}{:>8}   of a block; {} of different ones", "two warps at one instruction", percent("together_in_block"),
           percent("together_across_blocks"));
  page.row("  {:<32}{:>8}   at the instruction behind it {}", "  where one is at a global load", percent("together_at_loads"),
           percent("together_behind_loads"));
  page.row("  {:<32}{:>8}   at the instruction behind it {}", "  where one is at a barrier", percent("together_at_barriers"),
           percent("together_behind_barriers"));
  page.row("  {:<32}{:>8}", "  elsewhere", percent("together_elsewhere"));
}

}  // namespace warpwright::machines
