#include "stats/named_statistics.hpp"

#include <nlohmann/json.hpp>

#include "stats/json_writer.hpp"

namespace warpwright::stats {

NamedStatistics::NamedStatistics(const NamedStatistics& other) {
  for (const auto& [name, part] : other.parts_) parts_.emplace(name, part->clone());
}

NamedStatistics& NamedStatistics::operator=(NamedStatistics other) noexcept {
  parts_.swap(other.parts_);
  return *this;
}

void NamedStatistics::add(std::string_view name, const AnyStatistics& statistics) {
  const auto found = parts_.find(name);
  if (found != parts_.end()) return found->second->merge(statistics);
  parts_.emplace(name, statistics.clone());
}

const AnyStatistics* NamedStatistics::find(std::string_view name) const {
  const auto found = parts_.find(name);
  return found == parts_.end() ? nullptr : found->second.get();
}

void NamedStatistics::forEach(const std::function<void(const std::string&, const AnyStatistics&)>& visit) const {
  for (const auto& [name, part] : parts_) visit(name, *part);
}

void merge(NamedStatistics& into, const NamedStatistics& from) {
  for (const auto& [name, part] : from.parts_) into.add(name, *part);
}

NamedStatistics delta(const NamedStatistics& later, const NamedStatistics& earlier) {
  NamedStatistics result;
  for (const auto& [name, part] : later.parts_) {
    const AnyStatistics* before = earlier.find(name);
    result.parts_.emplace(name, before == nullptr ? part->clone() : part->delta(*before));
  }
  return result;
}

void NamedStatistics::write(JsonWriter& to) const {
  for (const auto& [name, part] : parts_) {
    to.open(name);
    part->write(to);
    to.close();
  }
}

Json AnyStatistics::json() const {
  JsonWriter writer;
  write(writer);
  return writer.take();
}

Json toJson(const NamedStatistics& statistics) {
  JsonWriter writer;
  statistics.write(writer);
  return writer.take();
}

}  // namespace warpwright::stats
