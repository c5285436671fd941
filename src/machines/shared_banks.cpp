#include "machines/shared_banks.hpp"

#include <algorithm>

#include "compiler/analysis/shared_layouts.hpp"
#include "config/bank_map.hpp"
#include "sm/access/shared_geometry.hpp"

namespace warpwright::machines {
namespace {

using parallel_memory::BankTable;

// An unknown addend may move the lanes to any word of a line; these stand for all.
constexpr u32 kShifts = 8;
// A variable of 16 bits is shifted out by then, and one that doubles is beyond shared memory.
constexpr u32 kIterations = 16;

Dim3 threadAt(u64 number, Dim3 block) {
  return {static_cast<u32>(number % block.x), static_cast<u32>(number / block.x % block.y), static_cast<u32>(number / block.x / block.y)};
}

}  // namespace

SharedBanks::SharedBanks(const config::Machine& machine) : machine_(machine), conflicts_(sm::sharedGeometry(machine)) {
  const u64 words = config::sharedWords(machine);
  if (config::choosesBankMaps(machine) || config::namesBankMaps(machine)) {
    for (const std::string& choice : config::bankMapChoices(machine))
      choices_.push_back(std::make_shared<BankTable>(*config::sharedBankMap(machine, choice), words));
  } else if (machine.sm.bankMap != "low_order") {
    fixed_ = std::make_shared<BankTable>(*config::sharedBankMap(machine, machine.sm.bankMap), words);
  }
}

access::SharedMaps SharedBanks::mapsFor(const exec::LaunchRequest& request) {
  if (config::namesBankMaps(machine_)) return byAccesses(request.launch->program->program);
  return {choices_.empty() ? fixed_ : byArrays(request), {}, {}};
}

// The last choice is no stride's, which is the layout of what names none (Gou, table 4.1). Families beyond the others are conflict-free in
// none of them, and have the last one that there is.
access::SharedMaps SharedBanks::byAccesses(const isa::Program& program) const {
  access::SharedMaps maps{choices_.back(), {choices_.begin(), choices_.end() - 1}, compiler::sharedLayouts(program)};
  for (u32& layout : maps.layoutOf) layout = std::min(layout, static_cast<u32>(maps.layouts.size()));
  return maps;
}

SharedBanks::Table SharedBanks::byArrays(const exec::LaunchRequest& request) {
  const Dim3 block = request.launch->block;
  Table& table = chosen_[{
      request.launch->program->number, request.launch->kernel->begin, {block.x, block.y, block.z}, request.launch->dynamicSharedBytes}];
  if (!table) table = chooseFor(*request.launch->kernel, block, request.launch->dynamicSharedBytes);
  return table;
}

// Line by line: a line has the map of the array that holds its first word.
SharedBanks::Table SharedBanks::chooseFor(const isa::Function& kernel, Dim3 block, u64 dynamicBytes) {
  std::vector<const BankTable*> mapOf;  // by line of all banks
  const BankTable& plain = *choices_.front();
  const u64 lineWords = u64{plain.banks()} * plain.lineWords(), lineBytes = lineWords * machine_.sharedBankBytes;
  mapOf.assign(plain.words() / lineWords + 1, &plain);
  for (const Region& region : regionsOf(kernel, dynamicBytes)) {
    const BankTable* best = choices_[bestFor(region, kernel, block)].get();
    for (u64 line = (region.begin + lineBytes - 1) / lineBytes; line * lineBytes < region.end && line < mapOf.size(); ++line)
      mapOf[line] = best;
  }
  std::vector<BankTable::Place> places;
  for (u64 word = 0; word < plain.words(); ++word) places.push_back((*mapOf[word / lineWords])[word]);
  return std::make_shared<BankTable>(parallel_memory::Shape{plain.banks(), plain.lineWords(), plain.words()}, std::move(places));
}

// The arrays; what is dynamic counts as one.
std::vector<SharedBanks::Region> SharedBanks::regionsOf(const isa::Function& kernel, u64 dynamicBytes) const {
  std::vector<Region> regions;
  const auto add = [&](u64 offset, u64 bytes) { regions.push_back({SharedOffset(offset), SharedOffset(offset + bytes)}); };
  for (const isa::SharedVariable& variable : kernel.sharedVariables) add(variable.offset, variable.size);
  if (dynamicBytes != 0) add(kernel.dynamicSharedOffset, dynamicBytes);
  return regions;
}

std::size_t SharedBanks::bestFor(const Region& region, const isa::Function& kernel, Dim3 block) {
  std::vector<Cost> costs(choices_.size());
  for (const isa::SharedAccess& access : kernel.sharedAccesses) {
    if (access.base < region.begin || access.base >= region.end) continue;
    for (std::size_t i = 0; i < choices_.size(); ++i) costs[i].add(costOf(access, region, block, *choices_[i]), access.weight);
  }
  return static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin());
}

// Of all warps of the block, on average over what is not known.
SharedBanks::Cost SharedBanks::costOf(const isa::SharedAccess& access, const Region& region, Dim3 block, const BankTable& table) {
  const u32 shifts = access.isShifted ? kShifts : 1, iterations = access.isRepeated ? kIterations : 1;
  Cost cost;
  for (u64 first = 0; first < block.count(); first += machine_.warpSize)
    for (u32 iteration = 0; iteration < iterations; ++iteration)
      for (u32 shift = 0; shift < shifts; ++shift)
        cost.add(costOfWarp(access, region, block, first, {iteration, shift * machine_.sharedBankBytes}, table),
                 1.0 / (shifts * iterations));
  return cost;
}

// A thread whose offset is outside the array does not execute the access: as far as all of the address is known, that tells who does.
SharedBanks::Cost SharedBanks::costOfWarp(const isa::SharedAccess& access, const Region& region, Dim3 block, u64 first, Unknown unknown,
                                          const BankTable& table) {
  const u64 bytes = table.words() * machine_.sharedBankBytes;
  const u32 lanes = static_cast<u32>(std::min<u64>(machine_.warpSize, block.count() - first));
  std::array<u64, kMaxWarpSize> offsets{};
  LaneMask executing;
  for (u32 lane = 0; lane < lanes; ++lane) {
    const u64 offset = static_cast<u64>(offsetOf(access, threadAt(first + lane, block), block, unknown.iteration) + unknown.bytes);
    offsets[lane] = offset % bytes;
    if (access.isShifted || (offset >= region.begin && offset < region.end)) executing.insert(lane);
  }
  if (executing.empty()) return {};
  if (access.isAtomic) {
    conflicts_.atomic(offsets.data(), executing, access.bytes, &table);
  } else {
    conflicts_.access(offsets.data(), executing, access.bytes, Spread::unknown, &table);
  }
  return {static_cast<double>(conflicts_.passes()), static_cast<double>(conflicts_.words())};
}

}  // namespace warpwright::machines
