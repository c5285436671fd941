// A pipeline whose instructions read, execute and write as few lanes as their tags allow. It wraps another one, to which it gives each
// instruction with what is left of its operands and of its time in a pipe.
#pragma once

#include <map>

#include "mechanisms/affine_tags/settings.hpp"
#include "mechanisms/affine_tags/statistics.hpp"
#include "mechanisms/affine_tags/tag_observer.hpp"
#include "sm/parts.hpp"

namespace warpwright::mechanisms::affine_tags {

// What an SM's observers, pipeline and statistics share.
struct SmTags {
  const LastOperation* last = nullptr;  // of the launch whose instruction issues
  TimedTagStats statistics;
};

class CompactPipeline final : public sm::Pipeline {
 public:
  CompactPipeline(std::unique_ptr<sm::Pipeline> inner, const sm::PipelineContext& context, const Settings& settings, u32 warpSize,
                  SmTags& tags)
      : inner_(std::move(inner)),
        events_(context.events),
        listener_(context.listener),
        settings_(settings),
        warpSize_(warpSize),
        tags_(tags) {}

  sm::WarpSet refused(const sm::UnitNeeds& needs, Cycle now) const override { return inner_->refused(needs, now); }
  void issue(const sm::Issued& instruction, Cycle now) override;
  void memorySent(const sm::MemoryOperation& operation, Cycle now) override { inner_->memorySent(operation, now); }
  void dataArrived(const sm::MemoryOperation& operation, Cycle time, Cycle now) override { inner_->dataArrived(operation, time, now); }
  bool tick(Cycle now) override;
  Cycle nextUseful(Cycle now) const override { return inner_->nextUseful(now); }
  u32 lanesTogether() const override { return inner_->lanesTogether(); }
  sm::BackendStats stats() const override { return inner_->stats(); }
  void countByOrigin() override { inner_->countByOrigin(); }
  mem::OriginTable<mem::SmUse>* origins() override { return inner_->origins(); }

 private:
  // What tags change of a static instruction.
  struct Variant {
    const sm::InstructionInfo* info;
    u32 reads, writes;  // bit i: register i of the list needs no bank
    bool isShort;
    u32 passes;
    auto operator<=>(const Variant&) const = default;
  };

  bool goesToScalarPipe(const sm::InstructionInfo& info) const;
  void issueScalar(const sm::Issued& instruction, Cycle now);
  Variant variantOf(const sm::InstructionInfo& info) const;
  const sm::InstructionInfo& infoOf(const Variant& variant);
  void count(const Variant& variant, const sm::InstructionInfo& narrowed);

  std::unique_ptr<sm::Pipeline> inner_;
  sm::Events& events_;
  sm::PipelineListener* listener_;
  const Settings settings_;
  const u32 warpSize_;
  SmTags& tags_;
  Cycle scalarFree_{};
  std::map<Variant, sm::InstructionInfo> variants_;
};

}  // namespace warpwright::mechanisms::affine_tags
