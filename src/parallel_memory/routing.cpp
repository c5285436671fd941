#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <warpwright/parallel_memory/prime.hpp>
#include <warpwright/parallel_memory/routing.hpp>
#include <warpwright/parallel_memory/two_dsmm.hpp>

namespace warpwright::parallel_memory {
namespace {

std::vector<std::uint32_t> primePowersOf(std::uint32_t number) {
  std::vector<std::uint32_t> powers;
  for (std::uint32_t prime = 2; number > 1; ++prime) {
    if (prime > number / prime) prime = number;
    std::uint32_t power = 1;
    for (; number % prime == 0; number /= prime) power *= prime;
    if (power > 1) powers.push_back(power);
  }
  return powers;
}

constexpr std::uint32_t kUnset = ~0u;

// One of a stage's settings, which must go to one place, to which nothing else goes.
bool set(std::vector<std::uint32_t>& settings, std::uint32_t from, std::uint32_t to) {
  if (settings[from] != kUnset) return settings[from] == to;
  for (const std::uint32_t other : settings)
    if (other == to) return false;
  settings[from] = to;
  return true;
}

}  // namespace

std::uint64_t Network::crosspoints() const {
  std::uint64_t sum = 0;
  for (const SwitchStage& stage : stages) sum += stage.crosspoints();
  return sum;
}

Network crossbar(const BankMap& map, std::size_t lanes) {
  return {"crossbar", {{1, static_cast<std::uint32_t>(lanes), map.banks() * map.lineWords(), 1}}};
}

Network twoStageNetwork(std::uint32_t p, std::uint32_t q, Bundle bundle) {
  const std::uint32_t rows = 1u << p, columns = 1u << q;
  if (bundle == Bundle::columns) return {"two stages by columns", {{1, columns, columns, rows}, {columns, rows, rows, 1}}};
  return {"two stages by rows", {{1, rows, rows, columns}, {rows, columns, columns, 1}}};
}

std::optional<TwoStageSettings> twoStageSettings(std::span<const std::uint32_t> banks, std::uint32_t p, std::uint32_t q, Bundle bundle) {
  const std::uint32_t rows = 1u << p, columns = 1u << q;
  if (banks.size() != std::size_t{rows} * columns) throw std::invalid_argument("two-stage routing: as many words as banks are needed");
  const bool byColumns = bundle == Bundle::columns;
  const std::uint32_t bundles = byColumns ? columns : rows, words = byColumns ? rows : columns;
  TwoStageSettings settings{std::vector(bundles, kUnset), std::vector(bundles, std::vector(words, kUnset))};
  for (std::uint32_t item = 0; item < banks.size(); ++item) {
    const std::uint32_t row = item / columns, column = item % columns, mv = banks[item] / columns, mh = banks[item] % columns;
    const std::uint32_t place = byColumns ? mh : mv;
    if (!set(settings.first, byColumns ? column : row, place)) return std::nullopt;
    if (!set(settings.second[place], byColumns ? row : column, byColumns ? mv : mh)) return std::nullopt;
  }
  return settings;
}

ChineseRemainderNetwork::ChineseRemainderNetwork(std::uint32_t banks) : banks_(banks), factors_(primePowersOf(banks)) {
  if (banks == 0) throw std::invalid_argument("Chinese Remainder Network: there must be a bank");
}

Network ChineseRemainderNetwork::network() const {
  Network network{"Chinese Remainder Network", {}};
  for (const std::uint32_t factor : factors_) network.stages.push_back({banks_ / factor, factor, factor, 1});
  return network;
}

std::optional<std::vector<ChineseRemainderNetwork::Setting>> ChineseRemainderNetwork::settingsFor(Address base, Address stride) const {
  if (std::gcd(stride, Address{banks_}) != 1) return std::nullopt;
  std::vector<Setting> settings;
  for (const std::uint32_t factor : factors_)
    settings.push_back({static_cast<std::uint32_t>(stride % factor), static_cast<std::uint32_t>(base % factor)});
  return settings;
}

std::uint32_t ChineseRemainderNetwork::route(std::uint32_t lane, std::span<const Setting> settings) const {
  // Stage by stage: a step of banks_ / factor changes the one remainder, and of those steps there are `factor`.
  std::uint32_t at = lane;
  for (std::size_t stage = 0; stage < factors_.size(); ++stage) {
    const std::uint32_t factor = factors_[stage], step = banks_ / factor;
    const std::uint64_t wanted = (std::uint64_t{settings[stage].factor} * (at % factor) + settings[stage].offset) % factor;
    while (at % factor != wanted) at = (at + step) % banks_;
  }
  return at;
}

namespace {

bool isRemainder(const BankMap& map) {
  return dynamic_cast<const PrimeBanks*>(&map) != nullptr || dynamic_cast<const PrimeWithUnusedCells*>(&map) != nullptr ||
         dynamic_cast<const PrimeByRemainders*>(&map) != nullptr;
}

// Nothing for a pattern that is no stride.
std::optional<Address> strideOf(const Pattern& pattern) {
  if (pattern.offsets.size() < 2) return std::nullopt;
  const Address stride = pattern.offsets[1] - pattern.offsets[0];
  for (std::size_t lane = 1; lane < pattern.offsets.size(); ++lane)
    if (pattern.offsets[lane] - pattern.offsets[lane - 1] != stride) return std::nullopt;
  return stride;
}

// Whether two stages serve the pattern from every base address from which its words lie in banks of their own.
bool twoStagesServe(const TwoDsmm& map, const Pattern& pattern, Bundle bundle) {
  const auto [p, q, rows, columns] = map.size();
  std::vector<std::uint32_t> banks(pattern.offsets.size());
  for (Address base = 0; base + pattern.offsets.back() < map.words(); ++base) {
    if (!pattern.mayBeginAt(base)) continue;
    for (std::size_t lane = 0; lane < banks.size(); ++lane) banks[lane] = map.cellOf(base + pattern.offsets[lane]).bank;
    if (twoStageSettings(banks, p, q, bundle)) continue;
    std::sort(banks.begin(), banks.end());
    if (std::adjacent_find(banks.begin(), banks.end()) == banks.end()) return false;
  }
  return true;
}

}  // namespace

Network networkFor(const BankMap& map, const Pattern& pattern) {
  if (const auto* twoDsmm = dynamic_cast<const TwoDsmm*>(&map); twoDsmm != nullptr && pattern.offsets.size() == map.banks()) {
    const auto [p, q, rows, columns] = twoDsmm->size();
    for (const Bundle bundle : {Bundle::columns, Bundle::rows})
      if (twoStagesServe(*twoDsmm, pattern, bundle)) return twoStageNetwork(p, q, bundle);
  }
  if (isRemainder(map)) {
    const ChineseRemainderNetwork remainders(map.banks());
    const auto stride = strideOf(pattern);
    if (stride && pattern.offsets.size() <= map.banks() && remainders.settingsFor(0, *stride)) return remainders.network();
  }
  return crossbar(map, pattern.offsets.size());
}

}  // namespace warpwright::parallel_memory
