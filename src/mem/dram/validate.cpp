#include "mem/dram/validate.hpp"

#include <fmt/format.h>

#include <bit>
#include <initializer_list>
#include <string_view>

#include "base/error.hpp"
#include "mem/dram/bank_queues.hpp"
#include "mem/dram/geometry.hpp"

namespace warpwright::mem::dram {

namespace {

struct Key {
  std::string_view name;
  u32 value;
};

void requirePositive(std::initializer_list<Key> keys) {
  for (const Key& key : keys) {
    if (key.value == 0) throw Error(fmt::format("dram.{} is 0", key.name), {}, fmt::format("set dram.{} to 1 or more", key.name));
  }
}

void requirePowerOfTwo(std::initializer_list<Key> keys) {
  for (const Key& key : keys) {
    if (!std::has_single_bit(key.value)) {
      throw Error(fmt::format("dram.{} = {} is no power of two", key.name, key.value), {}, "addresses are mapped by their bits");
    }
  }
}

void require(bool holds, const std::string& message, const std::string& remedy) {
  if (!holds) throw Error(message, {}, remedy);
}

void validateGeometry(const config::Dram& d) {
  requirePositive(
      {{"channels", d.channels}, {"data_rate", d.dataRate}, {"request_queue", d.requestQueue}, {"return_queue", d.returnQueue}});
  requirePowerOfTwo({{"ranks", d.ranks},
                     {"bank_groups", d.bankGroups},
                     {"banks", d.banks},
                     {"row_bytes", d.rowBytes},
                     {"interleave_bytes", d.interleaveBytes},
                     {"bus_bytes", d.busBytes},
                     {"burst_length", d.burstLength}});
  require(d.banks >= d.bankGroups, fmt::format("dram.banks = {} is less than dram.bank_groups = {}", d.banks, d.bankGroups),
          "dram.banks counts the banks of all groups of a rank");
  require(d.kind != config::DramKind::gddr3 || d.bankGroups == 1, fmt::format("dram.bank_groups = {}, but GDDR3 has none", d.bankGroups),
          "set dram.bank_groups to 1");
  require(u64{d.ranks} * d.banks <= 64, fmt::format("dram.ranks x dram.banks = {} exceeds 64", u64{d.ranks} * d.banks),
          "use fewer ranks or banks, or more channels");
  require(columnBytes(d) <= d.rowBytes && columnBytes(d) <= d.interleaveBytes,
          fmt::format("a column of {} B (dram.bus_bytes x dram.burst_length) exceeds dram.row_bytes = {} or dram.interleave_bytes = {}",
                      columnBytes(d), d.rowBytes, d.interleaveBytes),
          "use shorter bursts, or larger rows and pieces");
  const u64 accesses = u64{d.requestQueue} * mostColumns(d);
  require(accesses < kNoAccess, fmt::format("dram.request_queue = {} has {} column accesses", d.requestQueue, accesses),
          fmt::format("set dram.request_queue to {} or less", (kNoAccess - 1) / mostColumns(d)));
}

void validateTiming(const config::Dram& d) {
  require(d.burstLength % d.dataRate == 0,
          fmt::format("dram.burst_length = {} is no multiple of dram.data_rate = {}", d.burstLength, d.dataRate),
          "a burst takes whole ticks of the command clock");
  const u32 shortest = d.tCL + burstTicks(d) > d.tWL ? d.tCL + burstTicks(d) - d.tWL : 0;
  require(d.tRTW == 0 || d.tRTW >= shortest,
          fmt::format("dram.t_rtw = {}: data of a write would collide with data of the read before it", d.tRTW),
          fmt::format("set dram.t_rtw to 0 (chosen for you) or to dram.t_cl + burst - dram.t_wl = {} or more", shortest));
  require(d.tREFI == 0 || d.tREFI > d.tRFC + d.tRC,
          fmt::format("dram.t_refi = {} leaves no time beside dram.t_rfc = {} and dram.t_rc = {}", d.tREFI, d.tRFC, d.tRC),
          "set dram.t_refi to 0 (no refresh) or to a larger value");
}

}  // namespace

void validate(const config::Dram& dram) {
  validateGeometry(dram);
  validateTiming(dram);
}

}  // namespace warpwright::mem::dram
