// Packets under way, and the flits that they travel as.
#pragma once

#include <vector>

#include "base/types.hpp"
#include "mem/request.hpp"

namespace warpwright::mem {

using PacketId = u32;

struct Packet {
  Request request;
  u32 destination = 0;  // output of the network
  u32 flits = 0;
  NetworkTick accepted{};
};

// The first flit of a packet is its head, the last its tail; a packet of one flit is both.
class Flit {
 public:
  Flit() = default;
  Flit(PacketId packet, bool isHead, bool isTail) : bits_(packet << 2 | u32{isHead} << 1 | u32{isTail}) {}
  PacketId packet() const { return bits_ >> 2; }
  bool isHead() const { return (bits_ & 2) != 0; }
  bool isTail() const { return (bits_ & 1) != 0; }

 private:
  u32 bits_ = 0;
};

// Packets, which keep their ids until they are released.
class PacketPool {
 public:
  explicit PacketPool(u32 capacity) : packets_(capacity) {
    free_.reserve(capacity);
    for (u32 id = capacity; id-- > 0;) free_.push_back(id);
  }

  PacketId add() {
    const PacketId id = free_.back();
    free_.pop_back();
    return id;
  }
  void release(PacketId id) { free_.push_back(id); }
  Packet& operator[](PacketId id) { return packets_[id]; }
  const Packet& operator[](PacketId id) const { return packets_[id]; }
  u32 inUse() const { return static_cast<u32>(packets_.size() - free_.size()); }

 private:
  std::vector<Packet> packets_;
  std::vector<PacketId> free_;
};

}  // namespace warpwright::mem
