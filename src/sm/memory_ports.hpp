// The memory below the load/store unit and the fetch unit, as far as it belongs to the SM: first-level caches and the port to the network.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/bit_set.hpp"
#include "config/machine.hpp"
#include "engine/channel.hpp"
#include "mem/partition/address_map.hpp"
#include "sm/access/stage.hpp"
#include "sm/access/stage_list.hpp"
#include "sm/instruction_stream.hpp"
#include "sm/memory_operation.hpp"

namespace warpwright::sm {

using NetworkPort = engine::Channel<mem::Request>;

// A request of the load/store unit or the fetch unit that has been answered.
struct Answer {
  bool isFetch = false;
  u32 id = 0;
};

class MemoryPorts {
 public:
  // out, in: to and from the network. Caches of 0 bytes are absent: what would go to them goes to the network; but a data cache of 0 bytes
  // still merges what is under way together, in its MSHRs. skip: caches in which nothing can change are not ticked.
  MemoryPorts(const config::Machine& machine, u32 sm, const mem::AddressMap& map, NetworkPort& out, NetworkPort& in, bool skip = true);

  // Makes the stages that machines have beyond the baseline, before time begins. Throws Error when there are too many.
  void addStages(const StageList<LaneStage>& lanes, const StageList<LineStage>& lines, OperationSource& operations);
  std::span<LaneStage* const> laneStages() const { return laneStages_; }
  bool hasLineStages() const { return !lineStages_.empty(); }
  bool hasStages() const { return !stages_.empty(); }
  // Of both kinds, in the order of the chain.
  std::span<const std::unique_ptr<AccessStage>> stages() const { return stages_; }

  // The way of the load/store unit's requests: the line stages, the caches, the network.
  bool canSend(const LineAccess& access) const { return canAccept(0, access); }
  void send(const LineAccess& access, Cycle now) { accept(0, access, now); }
  bool canFetch(Cycle now) const;
  // Instruction bytes; answered with `id`, or without further notice at the time returned. No more a cycle than the cache has ports.
  std::optional<Cycle> fetch(u64 address, u32 id, Cycle now, const mem::Origin& origin = {});

  // A stage has been told something: it may have something to do.
  void wake() { wake_ = {}; }
  // One cycle: a response from the network, the caches, a request to the network. True when anything moved.
  bool tick(Cycle now);
  Cycle nextUseful(Cycle now) const;
  bool idle() const;
  bool hasAnswers() const { return !answers_.empty(); }
  // What was answered since the last call.
  std::span<const Answer> takeAnswers();

  // The number that the load/store unit gave a request, from that on the network.
  static u32 ownId(u32 id) { return id & ((1u << kTagShift) - 1); }

  // Before a launch: first-level caches hold nothing of what others may have written. Code is never written: it stays.
  void invalidate();

  // Packets exchanged with the network, headers included.
  u64 bytesSent() const { return bytesSent_; }
  u64 bytesReceived() const { return bytesReceived_; }

  // Null when the machine has none.
  // From now on the caches count accesses by who asked, too; begins and ends a launch in them, and adds all origins' together.
  void countByOrigin();
  void beginLaunch(u32 launch);
  void endLaunch(u32 launch, mem::TrafficByPc& into);
  void addTraffic(mem::Traffic& into) const;

  L1Cache* dataCache() const { return caches_[kData].get(); }
  L1Cache* constantCache() const { return caches_[kConstant].get(); }
  L1Cache* textureCache() const { return caches_[kTexture].get(); }
  L1Cache* instructionCache() const { return caches_[kInstruction].get(); }
  const InstructionStream* instructionStream() const { return stream_.get(); }

 private:
  // Senders on the network port; also the tag of their requests. The caches' numbers are those of Route. Those from kFirstStage on are the
  // stages.
  enum Sender : u32 { kData, kConstant, kTexture, kDirect, kInstruction, kDirectFetch, kFirstStage, kStream = 15 };
  using SenderSet = BitSet<Sender>;
  static constexpr u32 kTagShift = 28, kMostStages = kStream - kFirstStage;
  // Of the ids below the tag, these bits say whose request it is: the load/store unit's, or that of stage number n - 1.
  static constexpr u32 kAskerShift = StagesBelow::kOwnIdBits, kAskers = 1u << (kTagShift - kAskerShift);
  static_assert(kMostStages < kAskers);

  // What is behind a stage.
  class Below final : public StagesBelow {
   public:
    // stage: its number; lines: the number of line stages before those behind it.
    Below(MemoryPorts& ports, u32 stage, u32 lines) : ports_(ports), stage_(stage), lines_(lines) {}
    bool canAccept(const LineAccess& access) const override { return ports_.canAccept(lines_, access); }
    void pass(const LineAccess& access, Cycle now) override { ports_.accept(lines_, access, now); }
    void ask(const LineAccess& access, Cycle now) override;

   private:
    MemoryPorts& ports_;
    u32 stage_, lines_;
  };

  L1Cache* cacheOf(u32 sender) const { return sender < caches_.size() ? caches_[sender].get() : nullptr; }
  AccessStage* stageOf(u32 sender) const { return sender - kFirstStage < stages_.size() ? stages_[sender - kFirstStage].get() : nullptr; }
  template <class S>
  S& addStage(const std::function<std::unique_ptr<S>(const StageContext&)>& make, OperationSource& operations);
  // From line stage number `first` on.
  bool canAccept(std::size_t first, const LineAccess& access) const;
  void accept(std::size_t first, const LineAccess& access, Cycle now);
  bool canDeliver(const mem::Request& response) const;
  void deliver(const mem::Request& response, Cycle now);
  bool takeResponses(u32 sender, Cycle now);
  template <class Visit>
  void forEachTable(Visit visit) const;
  bool receive(Cycle now);
  bool tickStages(Cycle now);
  bool tickCaches(Cycle now);
  void tickStream(Cycle now);
  bool transmit(Cycle now);
  bool answerFromStream(Cycle now);
  mem::Request takeWaiting(u32 sender, Cycle now);

  u16 sm_;
  bool skip_;
  const mem::AddressMap& map_;
  NetworkPort& out_;
  NetworkPort& in_;
  u32 fetchLineBytes_;
  u8 headerBytes_;                                    // of what goes to the network
  std::array<std::unique_ptr<L1Cache>, 5> caches_;    // by Sender; kDirect stays empty
  std::vector<std::unique_ptr<AccessStage>> stages_;  // lane stages, then line stages
  std::vector<std::unique_ptr<Below>> below_;         // by stage
  std::vector<LaneStage*> laneStages_;
  std::vector<LineStage*> lineStages_;
  std::unique_ptr<InstructionStream> stream_;  // below the instruction cache; may be null
  RingQueue<mem::Request> direct_, directFetch_;
  SenderSet waiting_;      // have a request for the network
  SenderSet undelivered_;  // caches with answers that a stage does not take yet
  Cycle wake_{};           // the caches do nothing before
  u32 next_ = 0;           // sender whose turn it is
  u64 bytesSent_ = 0, bytesReceived_ = 0;
  std::vector<Answer> answers_, taken_;
};

}  // namespace warpwright::sm
