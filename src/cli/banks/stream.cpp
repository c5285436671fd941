#include "cli/banks/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <warpwright/parallel_memory/stream.hpp>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/long_work.hpp"
#include "cli/banks/scheme_choice.hpp"
#include "cli/checks.hpp"
#include "stats/json.hpp"

namespace warpwright::cli {
namespace {

namespace pm = parallel_memory;

constexpr const char* kBanksStreamExamples =
    "Examples:\n"
    "  warpwright banks stream --scheme harper --q 3 --s 4 --busy 8 --length 128           a matched memory: 8 banks, busy for 8 cycles\n"
    "  warpwright banks stream --scheme low_order --q 4 --busy 8 --buffers 0,1,2,4,8\n"
    "  warpwright banks stream --scheme sams --q 3 --s 2 --issue 8 --length 64             8 lanes, fully pipelined banks\n"
    "  warpwright banks stream --scheme clustered --q 6 --c 3 --s 4 --at 7 --busy 8 --length 128\n"
    "\n"
    "Cycles from the first request to the last answer, in order for each depth of the banks' buffers and out of order without buffers.\n"
    "'least' is what full rate and all banks at work would take.\n";

struct BanksStreamChoice {
  SchemeChoice map;
  pm::StreamMemory memory;
  u64 length = 64, base = 0, strides = 16;
  std::vector<u32> buffers = {0, 1, 2, 4};
  std::string json, csv;
};

// Out of order without buffers: the interleaved parts and the requests sent of one in turn that take the fewest cycles.
struct OutOfOrder {
  u32 parts = 1, group = 1;
  u64 cycles = 0;
};

struct Row {
  u64 stride = 0, least = 0;
  std::vector<pm::StreamTime> inOrder;  // for each depth of the buffers
  OutOfOrder outOfOrder;
};

// Parts and groups are powers of two, since stride families are; a group has at most a request for each bank.
OutOfOrder bestOrder(const pm::BankMap& map, const pm::StreamMemory& memory, const pm::Stream& stream) {
  OutOfOrder best{1, 1, pm::timeOf(map, {memory.issue, memory.busy, 0}, pm::inOrder(stream)).cycles};
  for (u32 parts = 2; parts <= stream.length; parts *= 2) {
    for (u32 group = 1; group <= map.banks(); group *= 2) {
      const std::vector<u64> requests = pm::outOfOrder(map, stream, parts, group);
      const u64 cycles = pm::timeOf(map, {memory.issue, memory.busy, 0}, requests).cycles;
      if (cycles < best.cycles) best = {parts, group, cycles};
    }
  }
  return best;
}

Row rowOf(const pm::BankMap& map, const BanksStreamChoice& choice, u64 stride) {
  const pm::Stream stream{choice.base, stride, choice.length};
  Row row{stride, pm::leastCycles(map, choice.memory, choice.length), {}, bestOrder(map, choice.memory, stream)};
  const std::vector<u64> requests = pm::inOrder(stream);
  for (const u32 buffers : choice.buffers)
    row.inOrder.push_back(pm::timeOf(map, {choice.memory.issue, choice.memory.busy, buffers}, requests));
  return row;
}

std::string heading(const std::string& name, const pm::BankMap& map, const BanksStreamChoice& choice) {
  return fmt::format("{}: {} banks, busy for {} {}; {} {} a cycle; vectors of {} from {}\n", name, map.banks(), choice.memory.busy,
                     choice.memory.busy == 1 ? "cycle" : "cycles", choice.memory.issue, choice.memory.issue == 1 ? "request" : "requests",
                     choice.length, choice.base);
}

std::string tableOf(const BanksStreamChoice& choice, const std::vector<Row>& rows) {
  std::string text = fmt::format("{:>8}{:>8}", "stride", "least");
  for (const u32 buffers : choice.buffers) text += fmt::format("{:>8}", fmt::format("q={}", buffers));
  text += fmt::format("{:>14}{:>8}{:>8}\n", "out of order", "parts", "group");
  for (const Row& row : rows) {
    text += fmt::format("{:>8}{:>8}", row.stride, row.least);
    for (const pm::StreamTime& time : row.inOrder) text += fmt::format("{:>8}", time.cycles);
    text += fmt::format("{:>14}{:>8}{:>8}\n", row.outOfOrder.cycles, row.outOfOrder.parts, row.outOfOrder.group);
  }
  return text +
         "\nq: requests that wait before each bank; parts: interleaved parts of the vector, of each of which a group is sent in turn\n";
}

stats::Json jsonOf(const std::string& name, const pm::BankMap& map, const BanksStreamChoice& choice, const std::vector<Row>& rows) {
  stats::Json json = {{"map", name},
                      {"banks", map.banks()},
                      {"busy", choice.memory.busy},
                      {"issue", choice.memory.issue},
                      {"length", choice.length},
                      {"base", choice.base},
                      {"strides", stats::Json::array()}};
  for (const Row& row : rows) {
    stats::Json entry = {{"stride", row.stride}, {"least_cycles", row.least}, {"in_order", stats::Json::array()}};
    for (std::size_t i = 0; i < choice.buffers.size(); ++i)
      entry["in_order"].push_back({{"buffers", choice.buffers[i]},
                                   {"cycles", row.inOrder[i].cycles},
                                   {"stalled_cycles", row.inOrder[i].stalled},
                                   {"most_waiting", row.inOrder[i].mostWaiting}});
    entry["out_of_order"] = {{"parts", row.outOfOrder.parts}, {"group", row.outOfOrder.group}, {"cycles", row.outOfOrder.cycles}};
    json["strides"].push_back(std::move(entry));
  }
  return json;
}

std::string csvOf(const BanksStreamChoice& choice, const std::vector<Row>& rows) {
  std::string text = "stride,order,buffers,parts,group,cycles,least_cycles\n";
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < choice.buffers.size(); ++i)
      text += fmt::format("{},in order,{},1,1,{},{}\n", row.stride, choice.buffers[i], row.inOrder[i].cycles, row.least);
    text += fmt::format("{},out of order,0,{},{},{},{}\n", row.stride, row.outOfOrder.parts, row.outOfOrder.group, row.outOfOrder.cycles,
                        row.least);
  }
  return text;
}

void show(const BanksStreamChoice& choice) {
  const std::string name = choice.map.text();
  const u64 words = choice.base + choice.strides * choice.length;
  const auto map = pm::makeBankMap(name, memoryFor(choice.map, words));
  if (words > map->words())
    throw Error(fmt::format("the vector with stride {} reaches word {}, and the memory has {}", choice.strides, words - 1, map->words()),
                {}, "take fewer --strides, a shorter --length, or a larger memory with --n");
  std::vector<Row> rows;
  {
    LongWork work("strides", choice.strides);
    for (u64 stride = 1; stride <= choice.strides; ++stride) {
      work.begin(fmt::format("stride {}", stride));
      rows.push_back(rowOf(*map, choice, stride));
    }
  }
  fmt::print("{}{}", heading(name, *map, choice), tableOf(choice, rows));
  if (!choice.json.empty()) writeFile(choice.json, jsonOf(name, *map, choice, rows).dump(2) + "\n");
  if (!choice.csv.empty()) writeFile(choice.csv, csvOf(choice, rows));
}

}  // namespace

void addBankStream(CLI::App& banks, int& status) {
  CLI::App* command = banks.add_subcommand("stream", "Time long vectors in a memory whose banks are busy for several cycles");
  auto choice = std::make_shared<BanksStreamChoice>();
  addSchemeOptions(*command, choice->map);
  command->add_option("--busy", choice->memory.busy, "Cycles that a bank takes for a row; default 1")
      ->check(CLI::Range(1, 65536))
      ->type_name("CYCLES");
  command->add_option("--issue", choice->memory.issue, "Requests that are sent in a cycle; default 1")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  command->add_option("--buffers", choice->buffers, "Depths of the buffers before each bank, with commas; default 0,1,2,4")
      ->delimiter(',')
      ->check(wholeNumber())
      ->type_name("N,...");
  command->add_option("--length", choice->length, "Words of a vector; default 64")->check(CLI::Range(1, 1 << 20))->type_name("N");
  command->add_option("--strides", choice->strides, "Strides 1 to N; default 16")->check(CLI::Range(1, 65536))->type_name("N");
  command->add_option("--from", choice->base, "Address of the first word; default 0")->check(wholeNumber())->type_name("N");
  command->add_option("--json", choice->json, "Write the table as JSON")->type_name("FILE");
  command->add_option("--csv", choice->csv, "Write the table as CSV")->type_name("FILE");
  command->footer(kBanksStreamExamples);
  command->callback([choice, &status] {
    show(*choice);
    status = 0;
  });
}

}  // namespace warpwright::cli
