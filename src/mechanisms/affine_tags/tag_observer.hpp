// Follows the tags of all warps of a launch (or an SM's share of one) and compares them with the values.
#pragma once

#include <bitset>
#include <optional>
#include <unordered_map>
#include <vector>

#include "exec/launch.hpp"
#include "exec/observer.hpp"
#include "mechanisms/affine_tags/operands.hpp"
#include "mechanisms/affine_tags/static_tags.hpp"
#include "mechanisms/affine_tags/statistics.hpp"
#include "mechanisms/affine_tags/tag_file.hpp"

namespace warpwright::mechanisms::affine_tags {

// What the tags say of the instruction that was executed last.
struct LastOperation {
  Tag needed = Tag::generic;       // the least of its operands and results; generic for all but operations of functional units
  std::bitset<256> compactReads;   // registers read with a tag
  std::bitset<256> compactWrites;  // registers written with a tag
  u32 conversions = 0;             // affine operands of a vector operation
  bool overflow = false;
};

class TagObserver {
 public:
  TagObserver(const exec::LaunchRequest& request, TagRules rules);

  void blockBegins(u64 block);
  void blockEnds(u64 block);
  void issue(const exec::IssueEvent& event) {
    last_ = {};
    countReads(event, 1);
  }
  void issueTakenBack(const exec::IssueEvent& event) { countReads(event, ~u64{0}); }
  void result(const exec::ResultEvent& event);

  // Null for a warp of no resident block.
  const TagFile* tagsOf(const exec::WarpId& warp) { return fileOf(warp); }
  const LastOperation& last() const { return last_; }
  const AffineTagStats& statistics() const { return statistics_; }

 private:
  using Block = std::vector<TagFile>;  // one a warp

  TagFile* fileOf(const exec::WarpId& warp);
  const Operation& operationOf(Pc pc, const isa::Instruction& instruction);
  void countReads(const exec::IssueEvent& event, u64 times);

  const u32 addressBits_, warps_, registers_;
  const TagRules rules_;
  std::vector<Operation> operations_;  // by pc; described when first met
  std::optional<StaticTags> static_;   // with TagRules::fromCode
  std::vector<Block> slots_;
  std::vector<u32> free_;
  std::unordered_map<u64, u32> resident_;  // slot, by block
  u64 lastBlock_ = ~u64{0};
  Block* lastResident_ = nullptr;
  LastOperation last_;
  AffineTagStats statistics_;
};

}  // namespace warpwright::mechanisms::affine_tags
