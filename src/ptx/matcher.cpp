#include "ptx/matcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "base/nearest.hpp"

namespace warpwright::ptx {
namespace {

using Words = std::span<const std::string_view>;

const ModifierValue* find(const Slot& slot, std::string_view word) {
  const auto found = std::find_if(slot.values.begin(), slot.values.end(), [&](const ModifierValue& value) { return value.text == word; });
  return found == slot.values.end() ? nullptr : &*found;
}

bool matchInOrder(const Row& row, Words words, Modifiers& modifiers) {
  std::size_t used = 0;
  for (const Slot& slot : row.slots) {
    const ModifierValue* value = used < words.size() ? find(slot, words[used]) : nullptr;
    if (value == nullptr && !slot.optional) return false;
    if (value == nullptr) continue;
    applyModifier(slot.category, *value, modifiers);
    ++used;
  }
  return used == words.size();
}

bool matchInAnyOrder(const Row& row, Words words, Modifiers& modifiers) {
  u64 filled = 0;  // bit per slot; rows have far fewer than 64
  for (const std::string_view word : words) {
    bool taken = false;
    for (std::size_t i = 0; i < row.slots.size() && !taken; ++i) {
      const ModifierValue* value = (filled >> i & 1) == 0 ? find(row.slots[i], word) : nullptr;
      if (value == nullptr) continue;
      applyModifier(row.slots[i].category, *value, modifiers);
      filled |= u64{1} << i;
      taken = true;
    }
    if (!taken) return false;
  }
  for (std::size_t i = 0; i < row.slots.size(); ++i)
    if ((filled >> i & 1) == 0 && !row.slots[i].optional) return false;
  return true;
}

bool matches(const Row& row, Words words, Modifiers& modifiers) {
  return row.anyOrder ? matchInAnyOrder(row, words, modifiers) : matchInOrder(row, words, modifiers);
}

// Edits between two modifiers; 0 for equal ones.
u32 editCost(std::string_view a, std::string_view b) {
  if (a == b) return 0;
  std::vector<u32> row(b.size() + 1);
  for (u32 j = 0; j <= b.size(); ++j) row[j] = j;
  for (u32 i = 0; i < a.size(); ++i) {
    u32 diagonal = row[0];
    row[0] = i + 1;
    for (u32 j = 0; j < b.size(); ++j) {
      const u32 substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// A type that exists was hardly a slip of the pen: another modifier is the likelier mistake.
u32 changeCost(std::string_view word, std::string_view value) {
  constexpr u32 kOtherType = 6;
  return word != value && typeNamed(word) != Type::none ? kOtherType : editCost(word, value);
}

struct Repair {
  u32 cost = std::numeric_limits<u32>::max();
  std::string text;
};

// Aligns words with slots at least cost. A word may be dropped or changed into a slot's value, and a mandatory slot may be filled
// with its first value; each costs the letters involved.
class Aligner {
 public:
  Aligner(const Row& row, Words words) : row_(row), words_(words) {}

  Repair run() {
    std::vector<Repair> next = lastRow();
    for (std::size_t slot = row_.slots.size(); slot-- > 0;) next = step(row_.slots[slot], next);
    return next[0];
  }

 private:
  // No slots left: whatever words remain are dropped.
  std::vector<Repair> lastRow() const {
    std::vector<Repair> result(words_.size() + 1);
    result.back().cost = 0;
    for (std::size_t w = words_.size(); w-- > 0;) result[w].cost = result[w + 1].cost + dropCost(words_[w]);
    return result;
  }

  static u32 dropCost(std::string_view word) { return static_cast<u32>(word.size()) + 1; }

  // next[w]: the best repair of words w… with the slots after this one.
  std::vector<Repair> step(const Slot& slot, const std::vector<Repair>& next) const {
    std::vector<Repair> result(next.size());
    for (std::size_t w = next.size(); w-- > 0;) {
      Repair& best = result[w];
      if (slot.optional) best = next[w];
      if (!slot.optional) offer(best, next[w], slot.values.front().text, dropCost(slot.values.front().text));
      if (w == words_.size()) continue;
      for (const ModifierValue& value : slot.values) offer(best, next[w + 1], value.text, changeCost(words_[w], value.text));
      if (result[w + 1].cost + dropCost(words_[w]) < best.cost) best = {result[w + 1].cost + dropCost(words_[w]), result[w + 1].text};
    }
    return result;
  }

  static void offer(Repair& best, const Repair& rest, std::string_view value, u32 cost) {
    if (rest.cost + cost >= best.cost) return;
    best = {rest.cost + cost, fmt::format(".{}{}", value, rest.text)};
  }

  const Row& row_;
  Words words_;
};

std::string nearestOpcode(std::string_view word) {
  std::vector<std::string> candidates;
  for (const Row& row : grammar())
    if (candidates.empty() || candidates.back() != name(row.opcode)) candidates.emplace_back(name(row.opcode));
  return nearestName(word, candidates);
}

}  // namespace

std::vector<std::string_view> splitWord(std::string_view word) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t dot = word.find('.');
    parts.push_back(word.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    word.remove_prefix(dot + 1);
  }
}

std::vector<Match> matchForms(std::string_view word) {
  std::vector<Match> result;
  const std::vector<std::string_view> parts = splitWord(word);
  const std::optional<Opcode> opcode = opcodeNamed(parts[0]);
  if (!opcode) return result;
  for (const Row& row : rowsOf(*opcode)) {
    Match match{&row, {}};
    if (matches(row, Words(parts).subspan(1), match.modifiers)) result.push_back(match);
  }
  return result;
}

std::string nearestForm(std::string_view word) {
  // Longer words than any form are not worth aligning; malformed text can make them megabytes long.
  constexpr std::size_t kLongest = 120;
  const std::vector<std::string_view> parts = splitWord(word.substr(0, kLongest));
  std::string opcodeName(parts[0]);
  std::optional<Opcode> opcode = opcodeNamed(opcodeName);
  if (!opcode) opcodeName = nearestOpcode(opcodeName);
  opcode = opcodeNamed(opcodeName);
  if (!opcode) return {};
  Repair best;
  for (const Row& row : rowsOf(*opcode)) {
    Repair repair = Aligner(row, Words(parts).subspan(1)).run();
    if (repair.cost < best.cost) best = std::move(repair);
  }
  return opcodeName + best.text;
}

}  // namespace warpwright::ptx
