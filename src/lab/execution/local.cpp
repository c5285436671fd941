// Runs as processes of this machine.
#include <poll.h>

#include <algorithm>
#include <list>
#include <memory>

#include "base/error.hpp"
#include "lab/execution/interrupt.hpp"
#include "lab/execution/owner.hpp"
#include "lab/execution/progress.hpp"
#include "lab/execution/run.hpp"
#include "lab/execution/sweep.hpp"

namespace warpwright::lab {
namespace {

// How often limits are enforced; the end of a run wakes us at once.
constexpr int kPollMilliseconds = 100;

class LocalSweep {
 public:
  LocalSweep(Store& store, Id experiment, const Simulator& simulator, const SweepOptions& options)
      : store_(store), experiment_(experiment), simulator_(simulator), options_(options), progress_(store, experiment, options) {}

  ~LocalSweep() {
    active_.clear();
    try {
      store_.release(owner_);
    } catch (const Error&) {
      // The store cannot be written, which was reported; the next sweep finds this process gone and releases its runs itself.
    }
  }

  SweepEnd run() {
    const InterruptWatch watch;
    while (!watch.interrupted()) {
      fill();
      if (active_.empty() && !othersRun()) return SweepEnd::finished;
      wait();
      collect();
      progress_.show();
    }
    return SweepEnd::interrupted;
  }

 private:
  struct Active {
    Id id;
    std::unique_ptr<Run> run;
  };

  void fill() {
    while (active_.size() < options_.jobs) {
      const std::optional<Id> id = store_.claim(experiment_, owner_);
      if (!id) return;
      active_.push_back({*id, std::make_unique<Run>(store_.specOf(*id), simulator_, options_.limits)});
    }
  }

  // Another process's runs of this experiment are waited for, and taken over if it dies; those of Slurm are not.
  bool othersRun() {
    releaseAbandoned(store_);
    const std::vector<std::string> owners = store_.owners(experiment_);
    const std::vector<ProgramProgress> programs = store_.progress(experiment_);
    return std::any_of(owners.begin(), owners.end(), isProcess) ||
           std::any_of(programs.begin(), programs.end(), [](const auto& program) { return program.waiting != 0; });
  }

  void wait() {
    std::vector<pollfd> descriptors;
    for (const Active& active : active_) descriptors.push_back({active.run->descriptor(), POLLIN, 0});
    poll(descriptors.data(), descriptors.size(), kPollMilliseconds);
  }

  void collect() {
    for (auto each = active_.begin(); each != active_.end();) {
      if (!each->run->check()) {
        ++each;
        continue;
      }
      store_.finish(each->id, owner_, each->run->outcome());
      each = active_.erase(each);
    }
  }

  Store& store_;
  Id experiment_;
  const Simulator& simulator_;
  const SweepOptions& options_;
  Progress progress_;
  std::string owner_ = thisProcess();
  std::list<Active> active_;
};

}  // namespace

void releaseAbandoned(Store& store) {
  for (const std::string& owner : store.owners())
    if (isProcess(owner) && !lives(owner)) store.release(owner);
}

SweepEnd runHere(Store& store, Id experiment, const Simulator& simulator, const SweepOptions& options) {
  releaseAbandoned(store);
  return LocalSweep(store, experiment, simulator, options).run();
}

}  // namespace warpwright::lab
