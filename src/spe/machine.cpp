#include "spe/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "base/error.hpp"
#include "base/nearest.hpp"

namespace warpwright::spe {
namespace {

using M = Machine;

constexpr std::string_view kPrefix = "spe.";

constexpr std::array kFields{
    Field{"sams", "", 0, 0, false,
          "Whether the local store keeps arrays in layouts of their own (section 4.3.2). Default: as the SPE's name says.", &M::sams},
    Field{"inbound_stages", "cycles", 0, 16, false,
          "What address generation, translation and the switch to the modules add to loads, stores, fetches and taken branches. Default: "
          "0, and "
          "3 with SAMS: 0.76 ns, two cycles, and one for latches and retiming (section 4.4.2).",
          &M::inboundStages},
    Field{"outbound_stages", "cycles", 0, 16, false,
          "What the switch behind the modules adds to loads. Default: 0, and 1 with SAMS: 0.35 ns (section 4.4.2).", &M::outboundStages},
    Field{"hint_latency", "cycles", 0, 64, false,
          "From a hint to its branch, that hide the penalty. Default: 15 (IBM, programming tutorial, table 1).", &M::hintLatency},
    Field{"fetch_bytes", "bytes", 32, 128, true, "Of an instruction fetch. Default: 64 (section 4.3.2).", &M::fetchBytes},
    Field{"fetches_ahead", "fetches", 0, 4, false,
          "That straight code is fetched ahead by. Default: 2, chosen: the buffers hold 3.5 lines of 32 instructions (Flachs et al., \"The "
          "microarchitecture of the Synergistic Processor for a Cell processor\", 2006).",
          &M::fetchesAhead},
    Field{"dma_latency", "cycles", 0, 1'000'000, false,
          "From a command of the memory flow controller to its first bytes. Default: 320, 100 ns at 3.2 GHz (Kistler, Perrone, Petrini, "
          "\"Cell "
          "multiprocessor communication network: built for speed\", IEEE Micro 26(3), 2006: less than that).",
          &M::dmaLatency},
    Field{"dma_bytes_per_cycle", "bytes", 1, 1'024, false, "That transfers move. Default: 8, 25.6 GB/s (the same).", &M::dmaBytesPerCycle},
    Field{"dma_queue", "commands", 1, 1'024, false, "That may wait. Default: 16 (Cell Broadband Engine Architecture: the SPU's queue).",
          &M::dmaQueue},
    Field{"dma_port_bytes", "bytes", 16, 128, true,
          "That a transfer moves in a cycle in which it has the local store's port. Default: 128, the wide port (section 4.4.2).",
          &M::dmaPortBytes},
    Field{"order", "", 0, 0, false,
          "In which the instructions of a block stand: `program`, as they were written, as gcc 4.1 at -O1 leaves them, which the thesis "
          "compiled "
          "with; `scheduled`, by critical path, for two pipes. Default: program.",
          &M::order},
};

constexpr std::array kKinds{
    Kind{"original", "the Cell's", false, 0, 0},
    Kind{"sams", "with a SAMS local store, as the thesis evaluates it: loads of 10 cycles, stores of 7, branches of 21", true, 3, 1},
    Kind{"sams-overlapped", "its work begins while registers are read (figure 4.7b), so that two of its inbound stages are left to be seen",
         true, 2, 1},
    Kind{"sams-base-register",
         "addresses are made and translated while registers are read, from a base register of its own, which costs nothing here: only the "
         "two "
         "switches are seen (section 4.4.2)",
         true, 1, 1},
    Kind{"long-latency", "the original with the latencies of sams and none of its layouts (footnote 6)", false, 3, 1},
};

constexpr std::array<std::string_view, 2> kOrders{"program", "scheduled"};

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

// The names of what has names.
template <class Items, class Name>
std::vector<std::string> namesOf(const Items& items, Name&& name) {
  std::vector<std::string> names;
  for (const auto& item : items) names.emplace_back(name(item));
  return names;
}

[[noreturn]] void refuse(const Field& field, std::string_view value) {
  throw Error(fmt::format("{} = {} is out of range: {}", field.key(), value, field.rangeText()));
}

bool numberOf(std::string_view text, u32& number) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc{} && end == text.data() + text.size();
}

void assign(Machine& machine, const Field& field, std::string_view value) {
  std::visit(Overloaded{
                 [&](u32 Machine::*member) {
                   u32 number = 0;
                   if (!numberOf(value, number) || number < field.minimum || number > field.maximum) refuse(field, value);
                   if (field.powerOfTwo && !std::has_single_bit(number)) refuse(field, value);
                   machine.*member = number;
                 },
                 [&](bool Machine::*member) {
                   if (value != "true" && value != "false") refuse(field, value);
                   machine.*member = value == "true";
                 },
                 [&](Order Machine::*member) {
                   const auto found = std::ranges::find(kOrders, value);
                   if (found == kOrders.end()) refuse(field, value);
                   machine.*member = static_cast<Order>(found - kOrders.begin());
                 },
             },
             field.member);
}

void assign(Machine& machine, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos) throw Error("a setting is written KEY=VALUE, not '" + setting + "'", {}, "as spe.fetches_ahead=0");
  const std::string key = setting.substr(0, equals);
  if (const Field* const field = findField(key)) return assign(machine, *field, std::string_view(setting).substr(equals + 1));
  throw unknownName("key of an SPE", key, namesOf(kFields, [](const Field& each) { return each.key(); }), {},
                    "`warpwright spe machines` lists them");
}

}  // namespace

std::string Field::key() const { return std::string(kPrefix) + std::string(name); }

std::string Field::rangeText() const {
  return std::visit(Overloaded{
                        [&](u32 Machine::*) { return fmt::format("{} to {}{}", minimum, maximum, powerOfTwo ? ", a power of two" : ""); },
                        [](bool Machine::*) { return std::string("true or false"); },
                        [](Order Machine::*) { return fmt::format("{} or {}", kOrders[0], kOrders[1]); },
                    },
                    member);
}

std::string Field::valueText(const Machine& machine) const {
  return std::visit(Overloaded{
                        [&](u32 Machine::*of) { return fmt::format("{}", machine.*of); },
                        [&](bool Machine::*of) { return fmt::format("{}", machine.*of); },
                        [&](Order Machine::*of) { return fmt::format("\"{}\"", kOrders[static_cast<std::size_t>(machine.*of)]); },
                    },
                    member);
}

std::span<const Field> fields() { return kFields; }

const Field* findField(std::string_view key) {
  if (!key.starts_with(kPrefix)) return nullptr;
  const auto found = std::ranges::find(kFields, key.substr(kPrefix.size()), &Field::name);
  return found == kFields.end() ? nullptr : &*found;
}

std::span<const Kind> kinds() { return kKinds; }

Machine machineOf(const std::string& name) { return machineOf(name, {}); }

Machine machineOf(const std::string& name, std::span<const std::string> settings) {
  const auto found = std::ranges::find(kKinds, name, &Kind::name);
  if (found == kKinds.end())
    throw unknownName("SPE", name, namesOf(kKinds, [](const Kind& kind) { return kind.name; }), {}, "`warpwright spe machines` lists them");
  Machine machine{.name = name, .sams = found->sams, .inboundStages = found->inboundStages, .outboundStages = found->outboundStages};
  for (const std::string& setting : settings) assign(machine, setting);
  return machine;
}

std::string toToml(const Machine& machine) {
  std::string text = fmt::format("name = \"{}\"\n\n[spe]\n", machine.name);
  for (const Field& field : kFields) text += fmt::format("{} = {}\n", field.name, field.valueText(machine));
  return text;
}

std::string machinesText() {
  std::string text = "SPEs\n";
  for (const Kind& kind : kKinds) text += fmt::format("  {:<20}{}\n", kind.name, kind.text);
  text += "\nKeys for --set, and for `set` and sweeps of experiments\n";
  for (const Field& field : kFields) {
    const std::string_view unit = field.unit;
    text += fmt::format("  {}: {}{}{}\n      {}\n", field.key(), field.rangeText(), unit.empty() ? "" : " ", unit, field.text);
  }
  return text;
}

}  // namespace warpwright::spe
