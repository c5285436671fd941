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
#include "sm/ports/answers.hpp"
#include "sm/ports/arrival_stage.hpp"
#include "sm/ports/bulk_engine.hpp"
#include "sm/ports/clients.hpp"
#include "sm/ports/perfect_memory.hpp"

namespace warpwright::sm {

using NetworkPort = engine::Channel<mem::Request>;

class MemoryPorts {
 public:
  // out, in: to and from the network. Caches of 0 bytes are absent: what would go to them goes to the network; but a data cache of 0 bytes
  // still merges what is under way together, in its MSHRs. skip: caches in which nothing can change are not ticked.
  MemoryPorts(const config::Machine& machine, SmId sm, const mem::AddressMap& map, NetworkPort& out, NetworkPort& in, bool skip = true);

  // Makes the stages that machines have beyond the baseline, before time begins. Throws Error when there are too many.
  void addStages(const StageList<LaneStage>& lanes, const StageList<LineStage>& lines, OperationSource& operations);
  // What responses pass first. Before time begins.
  void addArrivals(std::unique_ptr<ArrivalStage> arrivals) { arrivals_ = std::move(arrivals); }
  std::span<LaneStage* const> laneStages() const { return laneStages_; }
  bool hasLineStages() const { return !lineStages_.empty(); }
  bool hasStages() const { return !stages_.empty(); }
  // Of both kinds, in the order of the chain.
  std::span<AccessStage* const> stages() const { return stages_; }

  // The way of the load/store unit's requests: the line stages, the caches, the network.
  bool canSend(const LineAccess& access) const { return canAccept(0, access); }
  void send(const LineAccess& access, Cycle now) { accept(0, access, now); }
  bool canFetch(Cycle now) const;
  // Instruction bytes; answered with `id`, or without further notice at the time returned. No more a cycle than the cache has ports.
  std::optional<Cycle> fetch(GlobalAddress address, u32 id, Cycle now, const mem::Origin& origin = {});

  // A stage has been told something: it may have something to do.
  void wake() { wakeUp_.atOnce(); }
  // One cycle: a response from the network, the caches, a request to the network. True when anything moved.
  bool tick(Cycle now);
  Cycle nextUseful(Cycle now) const;
  bool idle() const;
  bool hasAnswers() const { return !answers_.empty(); }
  // What was answered since the last call.
  std::span<const Answer> takeAnswers() { return answers_.take(); }

  BulkEngine& bulkEngine() { return *bulk_; }

  // The number that the load/store unit gave a request, from that on the network.
  static u32 ownId(u32 id) { return id & (kTag - 1); }

  // Before a launch: first-level caches hold nothing of what others may have written. Code is never written: it stays.
  void invalidate();
  // Before a launch: so many ways of each set are all that the data cache has, which is then empty. Beside other launches it has no more
  // than before.
  void limitDataCache(u32 ways, bool isAlone);

  // The instruction cache holds the lines of that code, without anybody having asked for them.
  void placeCode(GlobalAddress address, u64 bytes, Cycle now);

  // Packets exchanged with the network, headers included.
  u64 bytesSent() const { return bytesSent_; }
  u64 bytesReceived() const { return bytesReceived_; }

  // From now on the caches count accesses by who asked, too; begins and ends a launch in them, and adds all origins' together.
  void countByOrigin();
  void beginLaunch(u32 launch);
  void endLaunch(u32 launch, mem::TrafficByPc& into);
  void addTraffic(mem::Traffic& into) const;

  // Null when the machine has none.
  L1Cache* dataCache() const { return cacheOf(kData); }
  L1Cache* constantCache() const { return cacheOf(kConstant); }
  L1Cache* secondConstantCache() const { return behindConstants_ ? &behindConstants_->cache() : nullptr; }
  L1Cache* textureCache() const { return cacheOf(kTexture); }
  L1Cache* instructionCache() const { return instructions_ ? &instructions_->cache() : nullptr; }
  const InstructionStream* instructionStream() const { return stream_.get(); }

 private:
  // Clients of the network port; also the tag of their requests. Those of the data caches are the numbers of Route, kData first; those from
  // kFirstStage on are the stages.
  enum Sender : u32 {
    kData,
    kConstant,
    kTexture,
    kDirect,
    kInstruction,
    kDirectFetch,
    kBehind,
    kBulk,
    kFirstStage,
    kStream = 23,
    kSenders
  };
  using SenderSet = BitSet<Sender>;
  static constexpr u32 kTag = 1u << Answers::kBits, kMostStages = kStream - kFirstStage;
  static_assert(kMostStages < Answers::kAskers);

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

  L1Cache* cacheOf(Sender sender) const { return caches_[sender] ? &caches_[sender]->cache() : nullptr; }
  template <class Client, class... Arguments>
  Client& add(u32 sender, Arguments&&... arguments);
  template <class S>
  S& addStage(const std::function<std::unique_ptr<S>(const StageContext&)>& make, OperationSource& operations);
  // From line stage number `first` on.
  bool canAccept(std::size_t first, const LineAccess& access) const;
  void accept(std::size_t first, const LineAccess& access, Cycle now);
  void queue(Sender sender, DirectQueue& queue, const mem::Request& request);
  template <class Visit>
  void forEachTable(Visit visit) const;
  template <class Visit>
  void forEachWorking(Visit visit);
  bool receive(Cycle now);
  NetworkClient& clientOf(const mem::Request& response) const { return *clients_[response.id / kTag]; }
  static void deliver(NetworkClient& client, mem::Request& response, Cycle now);
  bool moveArrivals(Cycle now);
  bool tickClients(Cycle now);
  bool transmit(Cycle now);
  void transmitPerfectly(Cycle now);
  void toNetwork(mem::Request& request, u32 sender, Cycle now);
  void addressTo(mem::Request& request) const;

  SmId sm_;
  bool skip_;
  const mem::AddressMap& map_;
  const std::optional<u32> half_;  // of the chip; nothing: it has none
  NetworkPort& out_;
  NetworkPort& in_;
  const bool perfectFetch_;
  u32 fetchLineBytes_;
  u8 headerBytes_;  // of what goes to the network
  Answers answers_;
  WakeUp wakeUp_;
  std::unique_ptr<InstructionStream> stream_;                     // below the instruction cache; may be null
  std::array<std::unique_ptr<NetworkClient>, kSenders> clients_;  // by Sender
  std::array<DataCache*, kDirect + 1> caches_{};                  // by Route; kDirect stays null
  CacheBehind* behindConstants_ = nullptr;                        // null: there is none
  InstructionCache* instructions_ = nullptr;                      // null: there is none
  StreamLines* streamLines_ = nullptr;                            // the same
  DirectQueue *direct_ = nullptr, *directFetch_ = nullptr;
  BulkEngine* bulk_ = nullptr;
  std::unique_ptr<ArrivalStage> arrivals_;     // null: there is none
  std::vector<std::unique_ptr<Below>> below_;  // by stage
  std::vector<AccessStage*> stages_;           // lane stages, then line stages
  std::vector<StageClient*> stageClients_;     // the same
  std::vector<LaneStage*> laneStages_;
  std::vector<LineStage*> lineStages_;
  std::optional<PerfectMemory> perfect_;  // nothing: the memory beyond the port is simulated
  SenderSet waiting_;                     // have a request for the network
  u32 next_ = 0;                          // sender whose turn it is
  u32 dataWays_ = ~u32{0};                // limit of the data cache
  u64 bytesSent_ = 0, bytesReceived_ = 0;
};

}  // namespace warpwright::sm
