// Settings from the environment, the one way in which `warpwright run` talks to the program that it starts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/device.hpp"
#include "runtime/report.hpp"

namespace warpwright::runtime {

struct EnvironmentVariable {
  const char* name;
  const char* value;  // form of its value, for help texts
  const char* text;
};
inline constexpr EnvironmentVariable kMachineVariable{"WARPWRIGHT_MACHINE", "NAME|FILE.toml",
                                                      "the machine to simulate: a preset or a machine file (v100)"};
inline constexpr EnvironmentVariable kDevicesVariable{"WARPWRIGHT_DEVICES", "1…16", "how many such machines the program finds (1)"};
inline constexpr EnvironmentVariable kSetVariable{"WARPWRIGHT_SET", "KEY=VALUE;…", "change keys of the machine (docs/machines.md)"};
inline constexpr EnvironmentVariable kJsonVariable{"WARPWRIGHT_JSON", "FILE", "write the profile as JSON to FILE at the end"};
inline constexpr EnvironmentVariable kCsvVariable{"WARPWRIGHT_CSV", "FILE",
                                                  "write the timing of each timed launch as CSV to FILE at the end"};
inline constexpr EnvironmentVariable kLinesVariable{"WARPWRIGHT_LINES", "0|1", "also print the profile per source line"};
inline constexpr EnvironmentVariable kKernelVariable{"WARPWRIGHT_KERNEL", "TEXT",
                                                     "print the tables of kernels with TEXT in their names alone"};
inline constexpr EnvironmentVariable kDataVariable{"WARPWRIGHT_DATA", "0|1",
                                                   "also print what the arrays of each kernel hold, and how well it compresses"};
inline constexpr EnvironmentVariable kQuietVariable{"WARPWRIGHT_QUIET", "0|1",
                                                    "print no profile and no progress; why something failed is printed all the same"};
inline constexpr EnvironmentVariable kCheckVariable{
    "WARPWRIGHT_CHECK", "LIST",
    "further checks, separated by commas: uninitialised, races, synchronisation, neighbours, all, "
    "or none (default)"};
inline constexpr EnvironmentVariable kOnFaultVariable{
    "WARPWRIGHT_ON_FAULT", "stop|warn", "kernels that access memory out of bounds are stopped (default), or go on with a warning"};
inline constexpr EnvironmentVariable kAddressBitsVariable{"WARPWRIGHT_ADDRESS_BITS", "32|64",
                                                          "width of device addresses (as the program was compiled)"};
inline constexpr EnvironmentVariable kDumpVariable{"WARPWRIGHT_DUMP", "FOLDER", "write the PTX and the machine code of each module there"};
inline constexpr EnvironmentVariable kMaxRegistersVariable{"WARPWRIGHT_MAX_REGISTERS", "N",
                                                           "upper bound for the registers of a thread; what finds no register is spilled"};
inline constexpr EnvironmentVariable kSpillFirstVariable{"WARPWRIGHT_SPILL_FIRST", "distant|affine",
                                                         "what is spilled first: values read latest (default), or uniform and affine ones"};
inline constexpr EnvironmentVariable kTimedVariable{"WARPWRIGHT_TIMED", "0|1",
                                                    "simulate every cycle of the machine, not only what its programs compute"};
inline constexpr EnvironmentVariable kThreadsVariable{"WARPWRIGHT_THREADS", "N",
                                                      "host threads of a timed simulation (1); the results are the same with any number"};
inline constexpr EnvironmentVariable kNoSkipVariable{"WARPWRIGHT_NO_SKIP", "0|1",
                                                     "simulate idle cycles one by one: slower, with the same results"};
inline constexpr EnvironmentVariable kMaxCyclesVariable{"WARPWRIGHT_MAX_CYCLES", "N", "stop a timed kernel after so many cycles"};
inline constexpr EnvironmentVariable kMaxSecondsVariable{"WARPWRIGHT_MAX_SECONDS", "N",
                                                         "stop a kernel after so many seconds of the host, and say where its threads are"};
inline constexpr EnvironmentVariable kTraceVariable{"WARPWRIGHT_TRACE", "FILE", "write a trace of the timed machine for Perfetto to FILE"};
inline constexpr EnvironmentVariable kTraceWindowVariable{"WARPWRIGHT_TRACE_WINDOW", "FROM:TO",
                                                          "core cycles that traces show, TO not included; either may be left out"};
inline constexpr EnvironmentVariable kKonataVariable{"WARPWRIGHT_KONATA", "FILE", "write a pipeline log for Konata to FILE"};
inline constexpr EnvironmentVariable kSeriesVariable{"WARPWRIGHT_SERIES", "FILE", "write the counters over time as CSV to FILE"};
inline constexpr EnvironmentVariable kIntervalVariable{"WARPWRIGHT_INTERVAL", "N", "core cycles of a row of the series (1000)"};
inline constexpr EnvironmentVariable kPcHistogramVariable{
    "WARPWRIGHT_PC_HISTOGRAM", "SM[:BLOCK]",
    "keep in the profile at which instructions the threads of an SM, or of one block there, stand"};
inline constexpr EnvironmentVariable kPcIntervalVariable{"WARPWRIGHT_PC_INTERVAL", "N",
                                                         "core cycles of a sample of the PC histogram (128)"};
inline constexpr EnvironmentVariable kEnergyVariable{"WARPWRIGHT_ENERGY", "TABLE",
                                                     "account for the energy of timed launches with the costs of TABLE, a name or a file"};
inline constexpr EnvironmentVariable kFunctionalUntilVariable{
    "WARPWRIGHT_FUNCTIONAL_UNTIL", "KERNEL[#N]", "time begins with the first, or N-th, launch of KERNEL; those before are only computed"};
inline constexpr EnvironmentVariable kSampleBlocksVariable{
    "WARPWRIGHT_SAMPLE_BLOCKS", "N|P%",
    "simulate so many blocks of each timed launch in detail and estimate its cycles; the others are only computed"};
inline constexpr EnvironmentVariable kSampleVariable{
    "WARPWRIGHT_SAMPLE", "P%", "execute each launch first and time as many as it takes to know the cycles to within so much"};
inline constexpr EnvironmentVariable kSampleTimesVariable{"WARPWRIGHT_SAMPLE_TIMES", "FOLDER",
                                                          "keep what launches of a sampled program take in FOLDER, and time none twice"};
inline constexpr EnvironmentVariable kSamplePartVariable{
    "WARPWRIGHT_SAMPLE_PART", "K/N", "of the launches of a sampled program that must be timed, time the K-th of N shares"};
inline constexpr EnvironmentVariable kCheckpointVariable{"WARPWRIGHT_CHECKPOINT", "FILE",
                                                         "record the launches from where time begins in FILE, for `warpwright replay`"};
inline constexpr EnvironmentVariable kInjectVariable{
    "WARPWRIGHT_INJECT", "KEY=VALUE,…", "flip bits of what kernels compute (docs/fault-injection.md): seed=1,rate=1e-6,in=result"};
inline constexpr EnvironmentVariable kVariables[] = {
    kSampleTimesVariable,     kSamplePartVariable,  kSampleVariable,      kSampleBlocksVariable, kCheckpointVariable,
    kTraceVariable,           kTraceWindowVariable, kKonataVariable,      kSeriesVariable,       kIntervalVariable,
    kFunctionalUntilVariable, kEnergyVariable,      kPcHistogramVariable, kPcIntervalVariable,   kTimedVariable,
    kThreadsVariable,         kNoSkipVariable,      kMaxCyclesVariable,   kMaxSecondsVariable,   kMaxRegistersVariable,
    kSpillFirstVariable,      kMachineVariable,     kSetVariable,         kJsonVariable,         kCsvVariable,
    kLinesVariable,           kKernelVariable,      kDataVariable,        kQuietVariable,        kCheckVariable,
    kOnFaultVariable,         kAddressBitsVariable, kDumpVariable,        kDevicesVariable,      kInjectVariable};

inline constexpr const char* kDefaultMachine = "v100";

struct Environment {
  std::string machine = kDefaultMachine;
  u32 devices = 1;                     // that a program of the CUDA runtime finds
  std::vector<std::string> overrides;  // of the machine's keys: "l1d.ways=8"
  exec::Checks checks;
  std::optional<u32> addressBits;
  std::string dumpFolder;
  u32 maxRegisters = isa::kMaxRegisters;
  compiler::SpillPolicy spillPolicy = compiler::SpillPolicy::standard;
  std::optional<machines::TimingOptions> timing;
  u64 mostSeconds = 0;  // 0: no limit
  machines::trace::Settings trace;
  std::optional<machines::PcHistogramSettings> pcHistogram;
  std::string energyTable;  // name or file; empty: none
  std::string functionalUntil, checkpointFile;
  machines::BlockSample sample;
  std::optional<double> sampleError;  // as Settings has it
  std::string sampleTimes;            // the same
  SamplePart samplePart;              // the same
  std::optional<InjectionSettings> injection;
  bool data = false;
  ReportSettings report;
};

// Reads a list such as "races,uninitialised"; throws Error that names the nearest check.
exec::Checks parseChecks(std::string_view list);

// "stop" or "warn"; throws Error for anything else.
exec::OnFault parseOnFault(std::string_view name);

// "3%" as a share: above 0 and up to 100 %; throws Error for anything else.
double parseSampleError(const std::string& text);

// "FROM:TO" in core cycles, either of which may be left out; throws Error for anything else, and for a window without a cycle.
machines::trace::Window parseTraceWindow(const std::string& text);

// "distant" or "affine"; throws Error for anything else.
compiler::SpillPolicy parseSpillPolicy(std::string_view name);

// Throws Error for a value that no variable allows.
Environment readEnvironment();

// The environment of one of several devices: those behind the first write files of their own, out.device1.json beside out.json.
Environment ofDevice(const Environment& environment, u32 ordinal);

// The settings of a device. Throws Error when the machine cannot be loaded.
Settings settingsFrom(const Environment& environment, u32 addressBitsOfCode);

}  // namespace warpwright::runtime
