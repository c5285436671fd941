#include "report/code_data.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/error.hpp"

namespace warpwright::report {
namespace {

u64 lostBefore(const Json& line) {
  u64 lost = 0;
  for (const Json& cycles : line.at("lost")) lost += cycles.get<u64>();
  return lost;
}

Json worstOf(const Json& code, std::size_t most) {
  std::vector<u64> lost;
  for (const Json& line : code) lost.push_back(lostBefore(line));
  std::vector<std::size_t> places(code.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, std::ranges::greater{}, [&](std::size_t place) { return lost[place]; });
  places.resize(std::min(most, places.size()));
  std::ranges::sort(places);
  Json lines = Json::array();
  for (const std::size_t place : places) lines.push_back(code[place]);
  return lines;
}

}  // namespace

Json codeOf(const Json& code, std::size_t most) {
  try {
    return {{"instructions", code.size()}, {"lines", worstOf(code, most)}};
  } catch (const Json::exception&) {
    throw Error("the code of a program in the store is damaged", {}, "run the experiment anew in another store");
  }
}

}  // namespace warpwright::report
