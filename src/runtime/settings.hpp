// How a device simulates.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/compiler.hpp"
#include "config/machine.hpp"
#include "exec/launch.hpp"
#include "machines/block_sampling.hpp"
#include "machines/pc_histogram/settings.hpp"
#include "machines/timing_options.hpp"
#include "machines/trace/settings.hpp"
#include "mechanisms/mechanism.hpp"
#include "runtime/injection.hpp"
#include "runtime/sample_part.hpp"

namespace warpwright::machines {
class EnergyModel;
}

namespace warpwright::runtime {

struct Settings {
  config::Machine machine;
  exec::Checks checks;
  bool profile = true;
  bool data = false;                                         // with it, what the arrays of each kernel hold
  std::optional<machines::TimingOptions> timing;             // simulate every cycle; needs a timed machine. None: functional
  machines::trace::Settings trace;                           // of a timed simulation
  std::optional<machines::PcHistogramSettings> pcHistogram;  // the same; none: none is kept
  std::shared_ptr<const machines::EnergyModel> energy;       // the same, of `machine`; null: none is accounted
  std::optional<InjectionSettings> injection;                // faults in what is computed; none: none, and no account
  std::string functionalUntil;   // KERNEL or KERNEL#N: launches before its first, or N-th, take no time; empty: none
  machines::BlockSample sample;  // of each timed launch
  // Launches are executed first, and timed where that is needed to know the cycles of launches that are alike with an interval this wide to
  // either side, as a share of them. None: all are timed. Needs a profile, and no checks but of bounds.
  std::optional<double> sampleError;
  std::string sampleTimes;  // the folder that keeps what launches take (launch_times.hpp); empty: none does
  SamplePart samplePart;
  std::string checkpointFile;  // launches are recorded there from where time begins; empty: nowhere
  u64 mostSeconds = 0;         // of the host, after which a launch is stopped; 0: no limit
  bool progress = false;       // show launches of over two seconds on stderr
  u32 addressBits = 64;
  u32 maxRegisters = isa::kMaxRegisters;  // upper bound for every function
  compiler::SpillPolicy spillPolicy = compiler::SpillPolicy::standard;
  std::vector<const compiler::AnalysisKind*> analyses;  // of the code, beside those of the machine's mechanisms
  // Called for the device itself, and for each timed machine that it makes.
  std::function<mechanisms::Mechanisms(const config::Machine& machine)> makeMechanisms = mechanisms::makeMechanisms;
  std::function<void(std::string_view text)> print;  // gets what kernels print; empty: the process's standard output does
  std::function<bool()> mustStop;                    // asked now and then while a launch runs; true stops it. Empty: nobody asks
  std::string dumpFolder;                            // PTX and machine code of every module are written here; empty: nowhere
};

}  // namespace warpwright::runtime
