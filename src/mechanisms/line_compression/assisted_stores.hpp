// Stores of whole lines, where assist warps compress (section 5.2.2): they wait in a buffer until a routine of low priority has made them
// smaller. What finds no room there, or waits too long, goes on as it is.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "mechanisms/line_compression/line_sizes.hpp"
#include "mechanisms/line_compression/statistics.hpp"
#include "sm/access/stage.hpp"
#include "sm/assistance.hpp"

namespace warpwright::mechanisms::line_compression {

// Where the buffer lies (section 5.2.2).
struct StoreBufferPlace {
  StoreBuffer in = StoreBuffer::own;
  u64 sharedBytesPerSm = 0;
  config::Cache levelOne;  // without the sets of the buffer
};

class AssistedStores final : public sm::LineStage, private sm::AssistanceClient {
 public:
  // What the context has, and the statistics, outlive it.
  AssistedStores(const Settings& settings, u32 lineBytes, const StoreBufferPlace& place, const sm::StageContext& context,
                 std::shared_ptr<const sm::AssistanceLink> link, Statistics& statistics);

  bool takes(const sm::LineAccess& access) const override;
  // Where the buffer is full, what is below decides.
  bool canAccept(const sm::LineAccess& access) const override { return hasRoom(access) || below_.canAccept(access); }
  void accept(const sm::LineAccess& access, Cycle now) override;
  bool tick(Cycle now) override;
  Cycle nextUseful(Cycle now) const override;
  bool quiescent() const override { return inUse_ == 0; }

 private:
  enum class State : u8 { free, waits, asked, due };
  struct Entry {
    State state = State::free;
    mem::Request request;
    sm::Route route{};
    const mem::WordAccess* words = nullptr;
    const sm::LaunchPlan* plan = nullptr;
    SlotId warp;
    Cycle patience{};                // it waits no longer
    compression::Variants variants;  // with which its routine compresses
    Form form;                       // that its values have then
    u32 turn = 0;                    // how often the entry was used: who comes too late is of an earlier one

    sm::LineAccess access() const { return {request, route, words, plan, warp}; }
  };

  bool hasRoom(const sm::LineAccess& access) const { return inUse_ < roomFor(access); }
  u64 roomFor(const sm::LineAccess& access) const;
  std::span<const std::byte> lineOf(const Entry& entry) const;
  void giveForm(Entry& entry) const;
  void worked(u8 encoding);
  void ask(u32 index, Cycle now);
  u32 ticketOf(u32 index) const { return entries_[index].turn * static_cast<u32>(entries_.size()) + index; }
  void assisted(u32 ticket, std::span<const std::byte> buffer, Cycle now) override;

  const u32 lineBytes_, wholeLine_;  // sectors of it
  const u64 mostWait_;
  const std::vector<compression::Codec> codecs_;
  const BdiOrder bdiOrder_;
  const std::array<std::string, compression::kCodecs> routines_;  // that compress
  sm::StagesBelow& below_;
  const std::shared_ptr<const sm::AssistanceLink> link_;
  Statistics& stats_;
  compression::Variants variants_;  // with the encoding of BDI that is to be tried first
  const StoreBuffer in_;
  const u64 sharedBytesPerSm_;
  std::optional<mem::SetPlacement> levelOne_;  // of a cache that lends the buffer sets
  std::vector<Entry> entries_;
  u32 inUse_ = 0;
  bool mayAsk_ = false;  // something has come or ended since
  Cycle nextTry_{};
};

}  // namespace warpwright::mechanisms::line_compression
