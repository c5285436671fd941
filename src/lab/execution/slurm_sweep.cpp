// Runs as job arrays of Slurm.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <list>
#include <thread>

#include "base/error.hpp"
#include "lab/execution/batch.hpp"
#include "lab/execution/folder_lock.hpp"
#include "lab/execution/interrupt.hpp"
#include "lab/execution/progress.hpp"
#include "lab/execution/run.hpp"
#include "lab/execution/slurm.hpp"
#include "lab/execution/sweep.hpp"

namespace warpwright::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kOutcomePeriod{250};  // of looking for outcomes
constexpr std::chrono::seconds kQueuePeriod{2};           // of asking the controller, which serves others too
constexpr int kUnansweredQuestions = 30;                  // a minute
constexpr std::chrono::milliseconds kTaskPeriod{100};     // of enforcing a task's limits
constexpr std::chrono::seconds kSlowFileSystem{5};        // until a file of another node is seen

// A batch that Slurm has, with what is still to come of it.
struct Open {
  Batch batch;
  std::vector<Id> runs;  // by index; 0: it has come
  std::chrono::steady_clock::time_point goneSince{};
};

class SlurmSweep {
 public:
  SlurmSweep(Store& store, Id experiment, const Simulator& simulator, const SweepOptions& options)
      : store_(store),
        experiment_(experiment),
        simulator_(simulator),
        options_(options),
        progress_(store, experiment, options),
        parent_(fs::absolute(store.database().file()).string() + ".slurm") {}

  SweepEnd run() {
    const InterruptWatch watch;
    {
      // Between commands on one store, a batch is there as a whole, submission and all, or not at all.
      const FolderLock lock(parent_);
      adopt();
      submitWaiting();
    }
    while (!open_.empty()) {
      if (watch.interrupted()) return SweepEnd::interrupted;
      collectAll();
      progress_.show();
      std::this_thread::sleep_for(kOutcomePeriod);
    }
    const FolderLock lock(parent_);
    std::error_code notEmpty;
    fs::remove(parent_, notEmpty);
    return SweepEnd::finished;
  }

 private:
  // Batches of an earlier call that ended before they did. What never came to Slurm, or is not written, waits again.
  void adopt() {
    const std::vector<std::string> ofExperiment = store_.owners(experiment_), ofAny = store_.owners();
    const auto has = [](const std::vector<std::string>& owners, const Batch& batch) {
      return std::find(owners.begin(), owners.end(), batch.owner()) != owners.end();
    };
    std::vector<std::string> inSlurm;
    for (const Batch& batch : batchesIn(parent_)) {
      const bool isInSlurm = batch.isSubmitted() || stateOf(batch) != Queue::gone;
      if (isInSlurm) inSlurm.push_back(batch.owner());
      if (!isInSlurm || !has(ofAny, batch)) {
        batch.remove();
      } else if (has(ofExperiment, batch)) {
        open_.push_back({batch, batch.runs()});
      }
    }
    for (const std::string& owner : ofAny)
      if (owner.starts_with(kSlurmOwner) && std::find(inSlurm.begin(), inSlurm.end(), owner) == inSlurm.end()) store_.release(owner);
  }

  static std::vector<Batch> batchesIn(const std::string& folder) {
    std::vector<Batch> batches;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) batches.emplace_back(entry.path().string());
    return batches;
  }

  void submitWaiting() {
    const u32 most = mostTasks();
    for (std::vector<Id> waiting; !(waiting = store_.waiting(experiment_, most)).empty();) {
      const Batch batch = Batch::make(parent_);
      try {
        submitTo(batch, store_.take(waiting, batch.owner()));
      } catch (const Error&) {
        store_.release(batch.owner());
        batch.remove();
        throw;
      }
    }
  }

  void submitTo(const Batch& batch, const std::vector<Id>& runs) {
    if (runs.empty()) return batch.remove();
    std::vector<Task> tasks;
    for (const Id run : runs) tasks.push_back({run, store_.specOf(run)});
    batch.write(tasks, options_.limits, simulator_.revision);
    submit(batch, options_.jobs, options_.slurmOptions, simulator_.executable);
    batch.markSubmitted();
    open_.push_back({batch, runs});
  }

  void collectAll() {
    const auto now = std::chrono::steady_clock::now();
    const bool ask = now >= nextQuestion_;
    if (ask) nextQuestion_ = now + kQueuePeriod;
    for (auto each = open_.begin(); each != open_.end();) {
      if (ask) question(*each);
      collect(*each);
      if (!isOver(*each)) {
        ++each;
        continue;
      }
      failWhatIsLeft(*each);
      each->batch.remove();
      each = open_.erase(each);
    }
  }

  void question(Open& open) {
    const Queue state = stateOf(open.batch);
    unanswered_ = state == Queue::unknown ? unanswered_ + 1 : 0;
    if (unanswered_ > kUnansweredQuestions)
      throw Error("Slurm's controller no longer answers", {}, "give the same command again once it does: finished tasks are merged then");
    const bool wasGone = open.goneSince.time_since_epoch().count() != 0;
    if (state == Queue::gone && !wasGone) open.goneSince = std::chrono::steady_clock::now();
    if (state == Queue::queued) open.goneSince = {};
  }

  void collect(Open& open) {
    for (u32 index = 0; index < open.runs.size(); ++index) {
      if (open.runs[index] == 0) continue;
      const std::optional<Outcome> outcome = open.batch.outcome(index);
      if (!outcome) continue;
      store_.finish(open.runs[index], open.batch.owner(), *outcome);
      open.runs[index] = 0;
    }
  }

  static bool isOver(const Open& open) {
    if (std::all_of(open.runs.begin(), open.runs.end(), [](Id run) { return run == 0; })) return true;
    const bool isGone = open.goneSince.time_since_epoch().count() != 0;
    return isGone && std::chrono::steady_clock::now() - open.goneSince > kSlowFileSystem;
  }

  void failWhatIsLeft(const Open& open) {
    for (u32 index = 0; index < open.runs.size(); ++index) {
      if (open.runs[index] == 0) continue;
      Outcome outcome{.state = State::failed, .message = "Slurm ended the task before it gave a result"};
      if (const std::string printed = open.batch.printed(index); !printed.empty()) outcome.message += ":\n" + printed;
      store_.finish(open.runs[index], open.batch.owner(), outcome);
    }
  }

  Store& store_;
  Id experiment_;
  const Simulator& simulator_;
  const SweepOptions& options_;
  Progress progress_;
  std::string parent_;
  std::list<Open> open_;
  std::chrono::steady_clock::time_point nextQuestion_{};
  int unanswered_ = 0;
};

}  // namespace

SweepEnd runOnSlurm(Store& store, Id experiment, const Simulator& simulator, const SweepOptions& options) {
  requireSlurm();
  releaseAbandoned(store);
  return SlurmSweep(store, experiment, simulator, options).run();
}

bool runSlurmTask(const std::string& folder, u32 index, const Simulator& simulator) {
  const Batch batch(folder);
  if (batch.hasOutcome(index)) return true;  // the task was begun anew after it had ended
  if (batch.revision() != simulator.revision)
    throw Error("the simulator on this node is another build than the one that planned the run", {}, "install the same on all nodes");
  Run run(batch.task(index).spec, simulator, batch.limits());
  const InterruptWatch watch;
  while (!run.check()) {
    if (watch.interrupted()) run.interrupt();
    std::this_thread::sleep_for(kTaskPeriod);
  }
  const Outcome outcome = run.outcome();
  // Slurm may begin the task anew; where it does not, what is printed here is the row's message.
  if (watch.interrupted() && outcome.state != State::done) {
    std::fputs((outcome.message + "\n").c_str(), stderr);
    return false;
  }
  batch.writeOutcome(index, outcome);
  return true;
}

}  // namespace warpwright::lab
