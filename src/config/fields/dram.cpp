// [dram]. Defaults: the GTX480 configuration of GPGPU-Sim, GDDR5 at 924 MHz.
#include "config/fields/rows.hpp"

namespace warpwright::config {

template <>
inline constexpr std::array<std::string_view, 4> kNamesOf<DramKind> = {"gddr3", "gddr5", "gddr6", "hbm2"};
template <>
inline constexpr std::array<std::string_view, 2> kNamesOf<PagePolicy> = {"open", "closed"};

Rows<Dram> dramRows() {
  using D = Dram;
  static constexpr Range kTicks = {1, 65'535}, kTicksOrNone = {0, 1'000'000};
  static constexpr std::array kRows = {
      choice<&D::kind>("kind", "The standard, whose rules between commands hold. Default: gddr5 (GTX480)."),
      row<&D::clockKhz>("clock_khz", "kHz", {1'000, 100'000'000},
                        "Clock of commands, in which the times below count. Default: 924 MHz (GTX480)."),
      row<&D::channels>("channels", "channels", {1, 256}, "One a memory partition. Default: 6 (GTX480)."),
      row<&D::busBytes>("bus_bytes", "bytes", {1, 128, true}, "Width of a channel's data bus. Default: 8, two chips of 32 bits (GTX480)."),
      row<&D::dataRate>("data_rate", "transfers", {1, 16, true}, "A tick of the clock. Default: 4 (GTX480)."),
      row<&D::burstLength>("burst_length", "transfers", {1, 64, true}, "Of one column command. Default: 8 (GTX480)."),
      row<&D::ranks>("ranks", "ranks", {1, 8, true}, "Of a channel. Default: 1."),
      row<&D::bankGroups>("bank_groups", "groups", {1, 16, true}, "Of a rank. Default: 4 (GTX480)."),
      row<&D::banks>("banks", "banks", {1, 128, true}, "Of a rank, all groups together. Default: 16 (GTX480)."),
      row<&D::rowBytes>("row_bytes", "bytes", {256, 65'536, true},
                        "Of a bank's row, over the whole channel. Default: 2048, as two chips with 1 KB pages."),
      row<&D::tCL>("t_cl", "ticks", kTicks, "Read command to data. Default: 12 (GTX480)."),
      row<&D::tWL>("t_wl", "ticks", kTicks, "Write command to data. Default: 4 (GTX480)."),
      row<&D::tRCD>("t_rcd", "ticks", kTicks, "Activation to a column command. Default: 12 (GTX480)."),
      row<&D::tRP>("t_rp", "ticks", kTicks, "Precharge to activation. Default: 12 (GTX480)."),
      row<&D::tRAS>("t_ras", "ticks", kTicks, "Activation to precharge. Default: 28 (GTX480)."),
      row<&D::tRC>("t_rc", "ticks", kTicks, "Activation to activation of one bank. Default: 40 (GTX480)."),
      row<&D::tRRD>("t_rrd", "ticks", kTicks, "Activation to activation of another bank. Default: 6 (GTX480)."),
      row<&D::tCCD>("t_ccd", "ticks", kTicks, "Column command to column command. Default: 2 (GTX480)."),
      row<&D::tCCDL>("t_ccdl", "ticks", kTicks, "The same within a bank group. Default: 3 (GTX480)."),
      row<&D::tRTP>("t_rtp", "ticks", kTicks, "Read to precharge. Default: 2 (GTX480)."),
      row<&D::tWTR>("t_wtr", "ticks", kTicks, "End of written data to a read (tCDLR). Default: 5 (GTX480)."),
      row<&D::tWR>("t_wr", "ticks", kTicks, "End of written data to precharge. Default: 12 (GTX480)."),
      row<&D::tRTW>("t_rtw", "ticks", kTicksOrNone,
                    "Read command to write command; 0: t_cl + burst - t_wl and two ticks in which nobody drives the bus. Default: 0."),
      row<&D::tRRDL>("t_rrdl", "ticks", kTicksOrNone, "As t_rrd, within a bank group; 0: the same. Default: 0."),
      row<&D::tWTRL>("t_wtrl", "ticks", kTicksOrNone, "As t_wtr, within a bank group; 0: the same. Default: 0."),
      row<&D::tRTRS>("t_rtrs", "ticks", kTicksOrNone, "Between the data of two ranks. Default: 0."),
      row<&D::tFAW>("t_faw", "ticks", kTicksOrNone, "Window of at most four activations; 0: no such limit. Default: 0, as GPGPU-Sim."),
      row<&D::tREFI>("t_refi", "ticks", kTicksOrNone, "Between refreshes; 0: none. Default: 0, as GPGPU-Sim."),
      row<&D::tRFC>("t_rfc", "ticks", kTicksOrNone, "Of a refresh. Default: 0, as GPGPU-Sim."),
      policy<&D::scheduler>("scheduler", dramSchedulers, "Which access a channel serves next. Default: fr_fcfs (GTX480)."),
      choice<&D::page>("page", "Rows stay `open` after an access or are `closed`. Default: open (GTX480)."),
      row<&D::requestQueue>("request_queue", "requests", {1, 65'536}, "Of a channel. Default: 32, that of Gou's GT200 (table 5.4)."),
      row<&D::returnQueue>("return_queue", "responses", {1, 65'536}, "Of a channel. Default: 32, as the request queue."),
      row<&D::interfaceQueue>(
          "interface_queue", "responses", {0, 65'536},
          "Behind the channel's own return_queue: responses that wait for the partition to take them, as many beside another "
          "return_queue. Default: 64; chosen, as no source gives one."),
      row<&D::fixedLatency>(
          "fixed_latency", "core cycles", {0, 100'000},
          "Added to each response: controller and physical interface, which have room for all responses that the bus can bring "
          "meanwhile. Default: 0; the GTX480 configuration of GPGPU-Sim "
          "has 100."),
      row<&D::perfectLatency>(
          "perfect_latency", "ticks", {0, 1'000'000},
          "DRAM without a limit: all that a partition asks for is there so many ticks later, however much it asks for; there are no rows, "
          "commands and bus, and nothing counts or charges bytes on it. 0: DRAM is simulated. For what bandwidth costs a program "
          "(`warpwright run --what-if`). Default: 0."),
      row<&D::interleaveBytes>("interleave_bytes", "bytes", {32, 65'536, true},
                               "Consecutive bytes of one channel. Default: 256 (GTX480; Gou, table 6.2)."),
      policy<&D::hashChannels>("hash_channels", channelHashes,
                               "How pieces change their order among the channels, so that strides spread. Default: false."),
  };
  return kRows;
}

}  // namespace warpwright::config
