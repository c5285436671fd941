#include "mechanisms/elastic_mshr/energy_events.hpp"

#include "energy/event_energies.hpp"
#include "energy/sram.hpp"
#include "mechanisms/elastic_mshr/hardware_cost.hpp"

namespace warpwright::mechanisms::elastic_mshr {
namespace {

using energy::Energy;

constexpr const char* kUnit = "elastic_mshr";
constexpr u32 kAddressBits = 40;  // as those of other caches (docs/energy.md)
// Of an entry of the table that guesses sizes: which of four, a counter (predictor.hpp), and the number of an instruction, as long as that
// of the thesis's history cache (table 5.3).
constexpr u32 kPredictorBits = 2 + 2 + 14;

class Events {
 public:
  Events(const Settings& settings, const config::Machine& machine, const energy::Table& table)
      : settings_(settings), machine_(machine), table_(table) {}

  std::vector<energy::CountedEvent> all() {
    addMshrs();
    if (settings_.granularity == Choice::predicted) addPredictor();
    if (settings_.combineStores) addStores();
    const double cycle = 1 / (static_cast<double>(machine_.coreClockKhz) * 1e3);
    add(kUnit, "leakage", "", energyOf(static_cast<double>(machine_.multiprocessors) * leakage_, cycle));
    return std::move(events_);
  }

 private:
  void add(const char* unit, const char* name, const char* counter, const Energy& each) {
    events_.push_back({unit, name, kCounters, counter, each});
  }
  energy::SramEstimate estimated(const energy::Sram& sram) {
    const energy::SramEstimate estimate = energy::estimate(sram, table_.nanometres);
    leakage_ += estimate.leakage;
    return estimate;
  }

  // A load is compared with all blocks in flight, and with their sizes.
  void addMshrs() {
    const energy::EventEnergies baseline(table_, machine_);
    add("l1d", "mshr_search", "loads", *baseline.find("l1d.mshr_search"));
    for (const char* allocated : {"primaries", "reservations"}) add("l1d", "mshr_allocate", allocated, *baseline.find("l1d.mshr_allocate"));
    const u32 sizeBits = 2 * machine_.l1d.mshrs;  // hardware_cost.hpp
    add(kUnit, "search", "loads", energy::searchEnergy(sizeBits, table_.nanometres));
    leakage_ += energy::estimate({(sizeBits + 7) / 8, 2, 1, 1}, table_.nanometres).leakage;
  }

  // Read for a primary load, written when its packet has come.
  void addPredictor() {
    const auto table = estimated({u64{settings_.predictorEntries} * kPredictorBits / 8, kPredictorBits, 1, 1});
    add(kUnit, "predict", "primaries", table.read + table.write);
  }

  // An entry holds what one channel has side by side; a store writes a block of it, and is compared with all entries.
  void addStores() {
    const u32 blockBytes = machine_.l1d.lineBytes;
    const auto data = estimated({u64{settings_.storeEntries} * machine_.dram.interleaveBytes, blockBytes * 8, 1, 1});
    const Energy search = energy::searchEnergy(u64{settings_.storeEntries} * kAddressBits, table_.nanometres);
    for (const char* counter : {"combined.opened", "combined.joined"}) add(kUnit, "store_write", counter, search + data.write);
    add(kUnit, "store_read", "combined.bytes", (1.0 / blockBytes) * data.read);
  }

  const Settings& settings_;
  const config::Machine& machine_;
  const energy::Table& table_;
  energy::Power leakage_;
  std::vector<energy::CountedEvent> events_;
};

}  // namespace

std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table) {
  return Events(settings, machine, table).all();
}

}  // namespace warpwright::mechanisms::elastic_mshr
