#include "mechanisms/conflict_aware/predictor.hpp"

#include <algorithm>
#include <array>

#include "mechanisms/conflict_aware/history_cache.hpp"

namespace warpwright::mechanisms::conflict_aware {
namespace {

// What an instruction is known by says `Entry`: learn(cycles) and predict(). A new one learns first.
template <class Entry>
class Known final : public ConflictPredictor {
 public:
  Known(const Settings& settings, u32 mostCycles)
      : cache_(settings.sets, settings.ways), pcMask_((u32{1} << settings.pcBits) - 1), mostCycles_(mostCycles) {}

  void clear() override { cache_.clear(); }
  std::optional<u32> predict(Pc pc) override {
    const Entry* entry = cache_.find(pc & pcMask_);
    return entry ? std::optional(entry->predict()) : std::nullopt;
  }
  void learn(Pc pc, u32 cycles) override {
    bool isNew = false;
    Entry* entry = cache_.findOrReplace(pc & pcMask_, isNew);
    if (entry != nullptr) entry->learn(std::min(cycles, mostCycles_), isNew);
  }

 private:
  HistoryCache<Entry> cache_;
  const u32 pcMask_, mostCycles_;
};

// Section 5.5.1.
struct LastValue {
  u32 value = 0;
  u32 predict() const { return value; }
  void learn(u32 cycles, bool) { value = cycles; }
};

// A two-bit counter guards the value.
struct Confident {
  u32 value = 0, confidence = 0;
  u32 predict() const { return value; }
  void learn(u32 cycles, bool isNew) {
    if (!isNew && cycles == value) {
      confidence = std::min(3u, confidence + 1);
    } else if (isNew || confidence == 0) {
      value = cycles;
    } else {
      --confidence;
    }
  }
};

// A new value counts for a quarter: two bits of a fraction behind the value's.
struct Mean {
  static constexpr u32 kFraction = 2;
  u32 quarters = 0;
  u32 predict() const { return (quarters + (1u << (kFraction - 1))) >> kFraction; }
  void learn(u32 cycles, bool isNew) {
    if (isNew) {
      quarters = cycles << kFraction;
    } else {
      quarters += cycles;
      quarters -= (quarters - cycles + (1u << (kFraction - 1))) >> kFraction;
    }
  }
};

// The last values choose one of several, as branch predictors of two levels do: what came after them the last time (Yeh and Patt,
// "Two-Level Adaptive Training Branch Prediction", 1991).
struct TwoLevel {
  static constexpr u32 kPatterns = 16;
  u32 history = 0;  // of the last two values, two bits of each
  std::array<u32, kPatterns> values{};
  u32 predict() const { return values[history]; }
  void learn(u32 cycles, bool isNew) {
    if (isNew) values.fill(cycles);
    values[history] = cycles;
    history = (history << 2 | (cycles & 3)) & (kPatterns - 1);
  }
};

}  // namespace

std::unique_ptr<ConflictPredictor> makePredictor(const Settings& settings, u32 mostCycles) {
  switch (settings.predictor) {
    case Predictor::confidence:
      return std::make_unique<Known<Confident>>(settings, mostCycles);
    case Predictor::mean:
      return std::make_unique<Known<Mean>>(settings, mostCycles);
    case Predictor::twoLevel:
      return std::make_unique<Known<TwoLevel>>(settings, mostCycles);
    default:
      return std::make_unique<Known<LastValue>>(settings, mostCycles);
  }
}

}  // namespace warpwright::mechanisms::conflict_aware
