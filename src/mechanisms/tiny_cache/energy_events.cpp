#include "mechanisms/tiny_cache/energy_events.hpp"

#include "energy/event_energies.hpp"
#include "energy/sram.hpp"
#include "mechanisms/tiny_cache/hardware.hpp"
#include "mem/request.hpp"

namespace warpwright::mechanisms::tiny_cache {
namespace {

using energy::Energy;

constexpr const char* kUnit = "tiny_cache";
// A line comes once for all lanes that have missed it, past all of them: twice as far as a word to the lane in the middle.
constexpr double kToAllLanes = 2;

class Events {
 public:
  Events(const Settings& settings, const config::Machine& machine, const energy::Table& table)
      : words_(settings.geometry().words()),
        data_(energy::estimate(wordsOf(settings.geometry()), table.nanometres)),
        lines_(energy::estimate(linesOf(settings.geometry()), table.nanometres)),
        tags_(energy::estimate(tagsOf(settings.geometry()), table.nanometres)),
        controls_(energy::estimate(controlsOf(settings.geometry()), table.nanometres)),
        search_(energy::searchEnergy(searchedBits(settings.geometry()), table.nanometres)),
        energies_(table, machine) {
    for (const char* space : {"global.", "private.", "shared."}) addCaches(space);
    for (const char* space : {"global.", "private."}) addToLevelOne(space);
    addBelow();
    const double cycle = 1 / (static_cast<double>(machine.coreClockKhz) * 1e3);
    add(kUnit, "leakage", "", energyOf(energy::footprintOf(hardware(settings, machine).arrays, table.nanometres).leakage, cycle));
  }

  std::vector<energy::CountedEvent> take() { return std::move(events_); }

 private:
  void add(const char* unit, const char* name, const std::string& counter, const Energy& each) {
    events_.push_back({unit, name, kCounters, counter, each});
  }
  // An event of the baseline that the caches cause; machines without the part have none.
  void addOf(const char* unit, const char* name, const std::string& counter, double times = 1) {
    if (const Energy* each = energies_.find(std::string(unit) + "." + name)) add(unit, name, counter, times * *each);
  }

  void addCaches(const std::string& space) {
    for (const char* looked : {"reads", "writes"}) add(kUnit, "tag", space + looked, search_ + controls_.read);
    for (const char* served : {"read_hits", "read_waits"}) add(kUnit, "read", space + served, data_.read);
    add(kUnit, "write", space + "words_written", data_.write + controls_.write);
    for (const char* missed : {"read_misses", "reads_invalid"})
      add(kUnit, "fill", space + missed, lines_.write + tags_.write + controls_.write);
    add(kUnit, "write_back", space + "words_written_back", data_.read);
  }

  void addToLevelOne(const std::string& space) {
    for (const char* missed : {"read_misses", "reads_invalid"}) addOf("coalescer", "lane", space + missed);
    addOf("coalescer", "lane", space + "lines_written_back");
    addOf("data_crossbar", "cache_word", space + "words_written_back");
  }

  // Lines that come from below, and the words that go to the banks of shared memory; those that go to L1 are addToLevelOne()'s.
  void addBelow() {
    addOf("data_crossbar", "cache_word", "below.sectors", kToAllLanes * mem::Request::kSectorBytes / sizeof(u32));
    addOf("shared_memory", "read", "below.shared_lines", words_);
    addOf("data_crossbar", "shared_word", "below.shared_lines", kToAllLanes * words_);
    addOf("shared_memory", "write", "shared.words_written_back");
    addOf("data_crossbar", "shared_word", "shared.words_written_back");
  }

  double words_;
  energy::SramEstimate data_, lines_, tags_, controls_;
  Energy search_;
  energy::EventEnergies energies_;
  std::vector<energy::CountedEvent> events_;
};

}  // namespace

std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table) {
  // Caches that are not there cost nothing and have a line all the same, so that columns of experiments exist with and without them.
  if (!settings.isPresent()) return {{kUnit, "leakage", kCounters, "", Energy{}}};
  return Events(settings, machine, table).take();
}

}  // namespace warpwright::mechanisms::tiny_cache
