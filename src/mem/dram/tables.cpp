// The timing tables. Parameters mean what the JEDEC standards of the kinds say: JESD21-C (GDDR3), JESD212 (GDDR5), JESD250 (GDDR6),
// JESD235 (HBM2).
#include <algorithm>

#include "mem/dram/constraint.hpp"
#include "mem/dram/geometry.hpp"

namespace warpwright::mem::dram {

namespace {

using config::Dram;
using config::DramKind;

constexpr CommandSet kAct = bit(Command::activate);
constexpr CommandSet kPre = bit(Command::precharge);
constexpr CommandSet kPreAll = bit(Command::prechargeAll);
constexpr CommandSet kRd = bit(Command::read);
constexpr CommandSet kRda = bit(Command::readPrecharge);
constexpr CommandSet kWr = bit(Command::write);
constexpr CommandSet kWra = bit(Command::writePrecharge);
constexpr CommandSet kRef = bit(Command::refresh);

u32 difference(u32 left, u32 right) { return left > right ? left - right : 0; }

u32 oneTick(const Dram&) { return 1; }
u32 tRCD(const Dram& d) { return d.tRCD; }
u32 tRP(const Dram& d) { return d.tRP; }
u32 tRAS(const Dram& d) { return d.tRAS; }
// Some published sets have tRC < tRAS + tRP; a row is still neither closed nor opened any sooner.
u32 tRC(const Dram& d) { return std::max(d.tRC, d.tRAS + d.tRP); }
u32 tRRD(const Dram& d) { return d.tRRD; }
u32 tRRDL(const Dram& d) { return std::max(d.tRRD, d.tRRDL); }
u32 tFAW(const Dram& d) { return d.tFAW; }
u32 tCCD(const Dram& d) { return d.tCCD; }
u32 tCCDL(const Dram& d) { return std::max(d.tCCD, d.tCCDL); }
u32 tRTP(const Dram& d) { return d.tRTP; }
u32 tRFC(const Dram& d) { return d.tRFC; }
u32 burst(const Dram& d) { return burstTicks(d); }
u32 writeData(const Dram& d) { return d.tWL + burstTicks(d); }
u32 writeToPrecharge(const Dram& d) { return writeData(d) + d.tWR; }
u32 writeToRead(const Dram& d) { return writeData(d) + d.tWTR; }
u32 writeToReadLong(const Dram& d) { return writeData(d) + std::max(d.tWTR, d.tWTRL); }
// Two ticks in which nobody drives the data bus, unless tRTW says otherwise.
u32 readToWrite(const Dram& d) { return d.tRTW != 0 ? d.tRTW : difference(d.tCL + burstTicks(d) + 2, d.tWL); }
u32 readPrechargeToClosed(const Dram& d) { return d.tRTP + d.tRP; }
u32 writePrechargeToClosed(const Dram& d) { return writeToPrecharge(d) + d.tRP; }
u32 otherRank(const Dram& d) { return burstTicks(d) + d.tRTRS; }
u32 readToOtherRanksWrite(const Dram& d) { return difference(d.tCL + otherRank(d), d.tWL); }
u32 writeToOtherRanksRead(const Dram& d) { return difference(d.tWL + otherRank(d), d.tCL); }

constexpr Constraint kBankRows[] = {
    {Level::bank, kAct, kAct, tRC},
    {Level::bank, kAct, kColumnCommands, tRCD},
    {Level::bank, kAct, kPre, tRAS},
    {Level::bank, kPre, kAct, tRP},
    {Level::bank, kRd, kPre, tRTP},
    {Level::bank, kWr, kPre, writeToPrecharge},
    {Level::bank, kRda, kAct, readPrechargeToClosed},
    {Level::bank, kWra, kAct, writePrechargeToClosed},
};

constexpr Constraint kRankRows[] = {
    {Level::rank, kAct, kAct, tRRD},
    {Level::rank, kAct, kAct, tFAW, 4},
    {Level::rank, kAct, kPreAll, tRAS},
    {Level::rank, kReads, kPreAll, tRTP},
    {Level::rank, kWrites, kPreAll, writeToPrecharge},
    {Level::rank, kPreAll, kAct, tRP},
    {Level::rank, kReads, kReads, tCCD},
    {Level::rank, kWrites, kWrites, tCCD},
    {Level::rank, kWrites, kReads, writeToRead},
};

constexpr Constraint kDataBusRows[] = {
    {Level::channel, kReads, kReads, burst},
    {Level::channel, kWrites, kWrites, burst},
    {Level::channel, kReads, kWrites, readToWrite},
    {Level::rank, kReads, kReads, otherRank, 1, Scope::other},
    {Level::rank, kWrites, kWrites, otherRank, 1, Scope::other},
    {Level::rank, kReads, kWrites, readToOtherRanksWrite, 1, Scope::other},
    {Level::rank, kWrites, kReads, writeToOtherRanksRead, 1, Scope::other},
};

constexpr Constraint kRefreshRows[] = {
    {Level::rank, kAct, kRef, tRC},
    {Level::rank, kPre | kPreAll, kRef, tRP},
    {Level::rank, kRda, kRef, readPrechargeToClosed},
    {Level::rank, kWra, kRef, writePrechargeToClosed},
    {Level::rank, kRef, kAct | kRef, tRFC},
};

// Not GDDR3: it has no bank groups.
constexpr Constraint kBankGroupRows[] = {
    {Level::bankGroup, kAct, kAct, tRRDL},
    {Level::bankGroup, kReads, kReads, tCCDL},
    {Level::bankGroup, kWrites, kWrites, tCCDL},
    {Level::bankGroup, kWrites, kReads, writeToReadLong},
};

constexpr Constraint kOneCommandBus[] = {
    {Level::channel, kAllCommands, kAllCommands, oneTick},
};

// JESD235: row commands and column commands have pins of their own.
constexpr Constraint kRowAndColumnCommandBus[] = {
    {Level::channel, kRowCommands, kRowCommands, oneTick},
    {Level::channel, kColumnCommands, kColumnCommands, oneTick},
};

}  // namespace

std::vector<Constraint> timingTable(DramKind kind) {
  std::vector<std::span<const Constraint>> groups = {kBankRows, kRankRows, kDataBusRows, kRefreshRows};
  if (kind != DramKind::gddr3) groups.emplace_back(kBankGroupRows);
  if (kind == DramKind::hbm2) {
    groups.emplace_back(kRowAndColumnCommandBus);
  } else {
    groups.emplace_back(kOneCommandBus);
  }
  std::vector<Constraint> table;
  for (const auto rows : groups) {
    for (const Constraint& row : rows) table.push_back(row);
  }
  return table;
}

}  // namespace warpwright::mem::dram
