// The memory below the load/store unit and the fetch unit, as far as it belongs to the SM: first-level caches and the port to the network.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "config/machine.hpp"
#include "engine/channel.hpp"
#include "mem/access_link.hpp"
#include "mem/cache/cache.hpp"
#include "mem/partition/address_map.hpp"
#include "sm/instruction_stream.hpp"
#include "sm/memory_operation.hpp"

namespace warpwright::sm {

using L1Cache = mem::Cache<CoreClock>;
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

  // Puts a link between the load/store unit and the data cache. Before time begins.
  void insert(std::unique_ptr<mem::AccessLink> link) { link_ = std::move(link); }

  bool canSend(const RoutedRequest& request, Cycle now) const;
  // words: what an access link may want to know of a request to the data cache; they stay until the request is answered. Null: no link
  // takes it.
  void send(const RoutedRequest& request, Cycle now, const mem::WordAccess* words = nullptr);
  bool canFetch(Cycle now) const;
  // Instruction bytes; answered with `id`, or without further notice at the time returned. No more a cycle than the cache has ports.
  std::optional<Cycle> fetch(u64 address, u32 id, Cycle now, const mem::Origin& origin = {});

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
  const mem::AccessLink* link() const { return link_.get(); }
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
  // Senders on the network port; also the tag of their requests. The caches' numbers are those of Route.
  enum Sender : u32 { kData, kConstant, kTexture, kDirect, kInstruction, kDirectFetch, kLink, kStream, kSenders };
  using SenderSet = u32;  // bit s: sender s
  static constexpr u32 kTagShift = 28;

  L1Cache* cacheOf(u32 sender) const { return sender < caches_.size() ? caches_[sender].get() : nullptr; }
  template <class Visit>
  void forEachTable(Visit visit) const;
  bool linkTakes(const RoutedRequest& request) const;
  bool receive(Cycle now);
  bool tickLink(Cycle now);
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
  std::array<std::unique_ptr<L1Cache>, 5> caches_;  // by Sender; kDirect stays empty
  std::unique_ptr<mem::AccessLink> link_;           // before the data cache; may be null
  std::unique_ptr<InstructionStream> stream_;       // below the instruction cache; may be null
  RingQueue<mem::Request> direct_, directFetch_;
  SenderSet waiting_ = 0;  // have a request for the network
  Cycle wake_{};           // the caches do nothing before
  u32 next_ = 0;           // sender whose turn it is
  u64 bytesSent_ = 0, bytesReceived_ = 0;
  std::vector<Answer> answers_, taken_;
};

}  // namespace warpwright::sm
