#include "lab/analysis/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace warpwright::lab {
namespace {

using Json = nlohmann::ordered_json;

std::string pointOf(const RunInfo& run) {
  const std::string parameters = textOf(run.parameters);
  return run.program + " on " + run.machine + (parameters.empty() ? "" : " with " + parameters);
}

std::map<std::string, RunInfo> byPoint(Store& store, Id experiment) {
  std::map<std::string, RunInfo> runs;
  for (RunInfo& run : store.runs(experiment)) runs.emplace(pointOf(run), std::move(run));
  return runs;
}

void flatten(const Json& value, const std::string& path, std::map<std::string, double>& numbers) {
  if (value.is_object()) {
    for (const auto& [name, member] : value.items()) flatten(member, path.empty() ? name : path + "." + name, numbers);
  } else if (value.is_number()) {
    numbers[path] = value.get<double>();
  }
}

struct KernelNumbers {
  std::string label;
  std::map<std::string, double> numbers;
};

std::vector<KernelNumbers> numbersOf(Store& store, Id run) {
  return store.database().understood([&] {
    std::vector<KernelNumbers> kernels;
    for (const KernelInfo& kernel : store.kernels(run)) {
      kernels.push_back({kernel.label, {}});
      flatten(Json::parse(kernel.statistics), "", kernels.back().numbers);
    }
    return kernels;
  });
}

double relativeChange(const MetricChange& change) {
  if (change.before == 0) return change.after == 0 ? 0 : INFINITY;
  return std::abs(change.after - change.before) / std::abs(change.before);
}

// A histogram lists the bins in use alone: one that is missing counts nothing.
std::vector<MetricChange> changesOf(const std::map<std::string, double>& before, const std::map<std::string, double>& after) {
  std::vector<MetricChange> changes;
  const auto value = [](const std::map<std::string, double>& numbers, const std::string& name) {
    const auto found = numbers.find(name);
    return found == numbers.end() ? 0.0 : found->second;
  };
  for (const auto& [name, number] : before)
    if (value(after, name) != number) changes.push_back({name, number, value(after, name)});
  for (const auto& [name, number] : after)
    if (!before.contains(name) && number != 0) changes.push_back({name, 0, number});
  std::stable_sort(changes.begin(), changes.end(),
                   [](const MetricChange& a, const MetricChange& b) { return relativeChange(a) > relativeChange(b); });
  return changes;
}

std::vector<std::string> causesOf(const RunInfo& left, const RunInfo& right) {
  std::vector<std::string> causes;
  if (left.revision != right.revision) causes.emplace_back("simulator");
  if (left.programHash != right.programHash) causes.emplace_back("program");
  if (left.configurationHash != right.configurationHash) causes.emplace_back("machine");
  if (causes.empty() && left.key != right.key) causes.emplace_back("arguments or options");
  return causes;
}

class Comparer {
 public:
  Comparer(Store& left, Store& right) : left_(left), right_(right) {}

  void compareRuns(const std::string& point, const RunInfo& left, const RunInfo& right) {
    const std::vector<std::string> causes = causesOf(left, right);
    const std::size_t before = result.changes.size();
    if (left.state != right.state)
      result.changes.push_back({point, {}, causes, fmt::format("{} → {}", nameOf(left.state), nameOf(right.state)), {}});
    else
      compareKernels(point, left, right, causes);
    if (result.changes.size() == before) ++(left.state == State::done ? result.same : result.without);
  }

  Comparison result;

 private:
  void compareKernels(const std::string& point, const RunInfo& left, const RunInfo& right, const std::vector<std::string>& causes) {
    const std::vector<KernelNumbers> before = numbersOf(left_, left.run), after = numbersOf(right_, right.run);
    for (const KernelNumbers& kernel : before) {
      const auto other = find(after, kernel.label);
      if (other == after.end()) {
        result.changes.push_back({point, kernel.label, causes, "no longer launched", {}});
        continue;
      }
      std::vector<MetricChange> changes = changesOf(kernel.numbers, other->numbers);
      if (!changes.empty()) result.changes.push_back({point, kernel.label, causes, {}, std::move(changes)});
    }
    for (const KernelNumbers& kernel : after)
      if (find(before, kernel.label) == before.end()) result.changes.push_back({point, kernel.label, causes, "not launched before", {}});
  }

  static std::vector<KernelNumbers>::const_iterator find(const std::vector<KernelNumbers>& kernels, const std::string& label) {
    return std::find_if(kernels.begin(), kernels.end(), [&](const KernelNumbers& kernel) { return kernel.label == label; });
  }

  Store& left_;
  Store& right_;
};

std::string textOf(const RunChange& change, u64 most) {
  std::string text = change.point + (change.kernel.empty() ? "" : ", " + change.kernel);
  if (!change.causes.empty()) text += fmt::format("  (differs: {})", fmt::join(change.causes, ", "));
  text += change.note.empty() ? "\n" : ": " + change.note + "\n";
  const std::size_t shown = most == 0 ? change.metrics.size() : std::min<std::size_t>(most, change.metrics.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const MetricChange& metric = change.metrics[i];
    const std::string share = metric.before == 0 ? "new" : fmt::format("{:+.2f} %", 100 * (metric.after - metric.before) / metric.before);
    text += fmt::format("  {:<56} {:>16} → {:<16} {}\n", metric.metric, metric.before, metric.after, share);
  }
  if (shown < change.metrics.size()) text += fmt::format("  … and {} more (--all shows them)\n", change.metrics.size() - shown);
  return text;
}

}  // namespace

Comparison compare(Store& left, const ExperimentInfo& leftExperiment, Store& right, const ExperimentInfo& rightExperiment) {
  const std::map<std::string, RunInfo> before = byPoint(left, leftExperiment.id), after = byPoint(right, rightExperiment.id);
  Comparer comparer(left, right);
  for (const auto& [point, run] : before) {
    const auto other = after.find(point);
    if (other == after.end())
      comparer.result.onlyLeft.push_back(point);
    else
      comparer.compareRuns(point, run, other->second);
  }
  for (const auto& [point, run] : after)
    if (!before.contains(point)) comparer.result.onlyRight.push_back(point);
  return std::move(comparer.result);
}

std::string asText(const Comparison& comparison, u64 most) {
  std::string text;
  for (const RunChange& change : comparison.changes) text += textOf(change, most);
  for (const std::string& point : comparison.onlyLeft) text += "only in the first: " + point + "\n";
  for (const std::string& point : comparison.onlyRight) text += "only in the second: " + point + "\n";
  text += fmt::format("{} runs have the same statistics, {} kernels or runs differ", comparison.same, comparison.changes.size());
  if (comparison.without != 0) text += fmt::format(", {} runs have no statistics in either", comparison.without);
  return text + "\n";
}

}  // namespace warpwright::lab
