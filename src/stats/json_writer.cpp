#include "stats/json_writer.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace warpwright::stats {

struct JsonWriter::State {
  // Objects that have been opened and not closed, the outermost first.
  std::vector<std::pair<std::string, Json>> open;

  Json& atHand() { return open.back().second; }
};

JsonWriter::JsonWriter() : state_(std::make_unique<State>()) { state_->open.emplace_back("", Json::object()); }

JsonWriter::~JsonWriter() = default;

void JsonWriter::open(std::string_view name) { state_->open.emplace_back(name, Json::object()); }

void JsonWriter::close() {
  auto [name, object] = std::move(state_->open.back());
  state_->open.pop_back();
  state_->atHand()[name] = std::move(object);
}

void JsonWriter::add(std::string_view name, u64 value) { state_->atHand()[std::string(name)] = value; }

void JsonWriter::add(std::string_view name, std::span<const u64> values) {
  Json array = Json::array();
  for (const u64 value : values) array.push_back(value);
  state_->atHand()[std::string(name)] = std::move(array);
}

void JsonWriter::add(std::string_view name, Ratio value) { state_->atHand()[std::string(name)] = value ? Json(*value) : Json(nullptr); }

Json JsonWriter::take() { return std::move(state_->open.front().second); }

}  // namespace warpwright::stats
