#include "mechanisms/memory_classes/observer.hpp"

#include <algorithm>
#include <bit>

#include "base/memory_units.hpp"
#include "stats/named_structure.hpp"
#include "values/float_class.hpp"

namespace warpwright::mechanisms::memory_classes {
namespace {

using values::Strides;
using values::VectorClass;

constexpr u32 kLineBytes = 128;

// The registers' layout has 32 lanes, or 64 (exec/launch.cpp).

}  // namespace

Observer::Observer(const isa::Program& program, u32 warpsPerBlock, u32 lanes, const Settings& settings)
    : lanes_(lanes), settings_(settings), kinds_(program, warpsPerBlock), affineByOrigin_(program.code.size()) {}

void Observer::issue(const exec::IssueEvent& event) {
  for (u32 i = 0; i < pending_; ++i) classify(loads_[i].event);
  pending_ = 0;
  ++stats_.instructions;
  kinds_.issue(event);
}

void Observer::memory(const exec::MemoryEvent& event) {
  if (event.space == isa::Space::global) countLines(event);
  // Vectors of words: what moves bytes and half-words has none.
  if (event.values == nullptr || isa::sizeOf(event.instruction->type) < kWordBytes) return;
  if (event.space == isa::Space::local) kinds_.privateAccess(event);
  if (event.isStore) return classify(event);
  Load& load = loads_[pending_++];
  load.event = event;
  std::copy_n(event.addresses, lanes_, load.addresses.begin());
  load.event.addresses = load.addresses.data();
}

void Observer::classify(const exec::MemoryEvent& event) {
  if (event.space == isa::Space::local) return classifyPrivate(event);
  if (event.space != isa::Space::global && event.space != isa::Space::shared) return;
  TrafficStats& traffic = event.space == isa::Space::global ? stats_.globalWords : stats_.sharedWords;
  for (u32 word = 0; word < event.bytesPerLane / kWordBytes; ++word) {
    const u32* values = event.values + u64{word} * exec::layoutLanes(lanes_);
    (event.isStore ? traffic.stores : traffic.loads).count(values::classOf(values, event.mask, Strides::powersOfTwo));
  }
}

// Lanes that access different words of their private memory are served one word after the other (section 2.2).
void Observer::classifyPrivate(const exec::MemoryEvent& event) {
  for (LaneMask left = event.mask; !left.empty();) {
    const u64 address = event.addresses[left.least()];
    LaneMask together;
    for (const LaneId lane : left) {
      if (event.addresses[lane] == address) together |= LaneMask::of(lane);
    }
    left &= ~together;
    for (u32 word = 0; word < event.bytesPerLane / kWordBytes; ++word) countPrivate(event, word, together);
  }
}

void Observer::countPrivate(const exec::MemoryEvent& event, u32 word, LaneMask lanes) {
  const u32* values = event.values + u64{word} * exec::layoutLanes(lanes_);
  const VectorClass found = privateClass(values, lanes);
  (event.isStore ? stats_.privateWords.stores : stats_.privateWords.loads).count(found);
  if (values::isAffine(found)) ++affineByOrigin_[kinds_.originOf(event, word)];
  if (values::classOf(values, lanes, Strides::powersOfTwo) == VectorClass::generic) {
    if (values::affineForm(values, lanes)) ++stats_.privateStrided;
    if (values::isFloatAffine(values, lanes)) ++stats_.privateFloatAffine;
  }
  const auto countPart = [&](ClassStats& counts) {
    return [&](u32, const u32* part, LaneMask active) { counts.count(privateClass(part, active)); };
  };
  values::forEachPart(values, lanes, lanes_, 16, countPart(stats_.private16));
  values::forEachPart(values, lanes, lanes_, 8, countPart(stats_.private8));
}

VectorClass Observer::privateClass(const u32* values, LaneMask lanes) const {
  const VectorClass found = values::classOf(values, lanes, Strides::powersOfTwo);
  const bool isAffine = found == VectorClass::generic && settings_.floatAffine && values::isFloatAffine(values, lanes);
  return isAffine ? VectorClass::affine : found;
}

void Observer::countLines(const exec::MemoryEvent& event) {
  lines_.clear();
  for (const LaneId lane : event.mask) {
    const u64 line = event.addresses[lane] / kLineBytes;
    if (lines_.empty() || lines_.back() != line) lines_.push_back(line);
  }
  std::sort(lines_.begin(), lines_.end());
  stats_.globalLines += static_cast<u64>(std::unique(lines_.begin(), lines_.end()) - lines_.begin());
}

MemoryClassStats Observer::stats() const {
  MemoryClassStats all = stats_;
  for (NumberKinds::Origin origin = 0; origin < affineByOrigin_.size(); ++origin)
    if (kinds_.isFloat(origin)) all.privateAffineFloats += affineByOrigin_[origin];
  return all;
}

void Observer::collect(stats::NamedStatistics& into) const { into.add("memory_classes", stats::Structure(stats())); }

}  // namespace warpwright::mechanisms::memory_classes
