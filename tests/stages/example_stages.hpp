// Small stages of the way to memory, for tests: between them they use all that a stage may do.
#pragma once

#include <array>
#include <bit>
#include <deque>
#include <vector>

#include "sm/access/stage.hpp"
#include "stats/statistics.hpp"

namespace warpwright::testing {

// What is ready to be answered, and is in the tick after.
class Responses {
 public:
  void add(mem::Request response) {
    response.isResponse = true;
    ready_.push_back(response);
  }
  const mem::Request* peek() const { return ready_.empty() ? nullptr : &ready_.front(); }
  mem::Request take() {
    const mem::Request response = ready_.front();
    ready_.pop_front();
    return response;
  }

 private:
  std::deque<mem::Request> ready_;
};

struct LastLineStats {
  u64 hits = 0, joined = 0, fetches = 0, drops = 0;
  static constexpr void fields(auto&& field) {
    using S = LastLineStats;
    field("hits", "accesses", "served from the line that is here", &S::hits);
    field("joined", "accesses", "served when the line on its way came", &S::joined);
    field("fetches", "lines", "asked for", &S::fetches);
    field("drops", "lines", "given up for a store, an atomic, a barrier or a launch", &S::drops);
  }
};

// Before the coalescers: each warp keeps the line that it loaded from last. Loads from it take two cycles.
class LastLine final : public sm::LaneStage {
 public:
  static constexpr u32 kHitCycles = 2;

  LastLine(const config::Machine& machine, const sm::StageContext& context, LastLineStats& stats)
      : lineBytes_(machine.l1d.lineBytes), below_(context.below), stats_(stats) {}

  bool canAccept(const sm::LaneAccess&) const override { return asks_.size() < 4; }
  void access(sm::LaneAccess& access, sm::MemoryOperation& operation, Cycle now) override {
    if (access.space != isa::Space::global) return;
    if (access.isStore || access.isAtomic) return dropStored(access);
    if (access.isTexel || access.isPrefetch || access.ordering != isa::Ordering::weak || access.lanes.empty() || !isOneLine(access)) return;
    const u64 line = lineOf(access.addresses[access.lanes.least()]);
    Buffer& buffer = buffers_[access.origin.slot];
    if (buffer.isPending && buffer.line != line) return;
    access.serve(access.lanes);
    operation.isGlobal = true;
    if (buffer.isValid && buffer.line == line) {
      ++stats_.hits;
      operation.ready = std::max(operation.ready, now + kHitCycles);
      return;
    }
    ++(buffer.isPending ? stats_.joined : stats_.fetches);
    if (!buffer.isPending) asks_.push_back(access.origin.slot);
    buffer.line = line;
    buffer.isPending = true;
    buffer.isValid = false;
    buffer.waiting.push_back(operation.entry);
    ++operation.awaited;
  }

  bool tick(Cycle now) override {
    bool any = false;
    for (; !asks_.empty(); any = true) {
      mem::Request request;
      request.address = GlobalAddress(buffers_[asks_.front()].line);
      request.lineBytes = lineBytes_;
      request.sectors = (1u << lineBytes_ / mem::Request::kSectorBytes) - 1;
      request.id = asks_.front();
      const sm::LineAccess line{request, sm::Route::l1Data};
      if (!below_.canAccept(line)) break;
      below_.ask(line, now);
      asks_.pop_front();
    }
    return any;
  }
  void fill(const mem::Request& response, Cycle) override {
    Buffer& buffer = buffers_[response.id];
    buffer.isPending = false;
    buffer.isValid = !std::exchange(buffer.isDropped, false);
    for (const u32 place : buffer.waiting) {
      mem::Request answer = response;
      answer.id = place;
      responses_.add(answer);
    }
    buffer.waiting.clear();
  }
  const mem::Request* peekResponse() const override { return responses_.peek(); }
  mem::Request takeResponse() override { return responses_.take(); }
  Cycle nextUseful(Cycle now) const override { return asks_.empty() ? kNever : now + 1; }
  bool quiescent() const override {
    return std::none_of(buffers_.begin(), buffers_.end(), [](const Buffer& each) { return each.isPending; });
  }
  void invalidate() override { dropAll(); }
  void barrierOpens(SlotId, Cycle) override { dropAll(); }

 private:
  struct Buffer {
    u64 line = 0;
    bool isValid = false, isPending = false, isDropped = false;
    std::vector<u32> waiting;  // places of operations
  };

  u64 lineOf(u64 address) const { return address & ~u64{lineBytes_ - 1}; }
  bool isOneLine(const sm::LaneAccess& access) const {
    const u64 line = lineOf(access.addresses[access.lanes.least()]);
    for (const LaneId lane : access.lanes) {
      const u64 address = access.addresses[lane];
      if (lineOf(address) != line || lineOf(address + access.bytes - 1) != line) return false;
    }
    return true;
  }
  void drop(Buffer& buffer) {
    if (!buffer.isValid && !buffer.isPending) return;
    ++stats_.drops;
    buffer.isValid = false;
    buffer.isDropped = buffer.isPending;
  }
  void dropAll() {
    for (Buffer& buffer : buffers_) drop(buffer);
  }
  void dropStored(const sm::LaneAccess& access) {
    for (const LaneId lane : access.lanes) {
      const u64 address = access.addresses[lane];
      for (Buffer& buffer : buffers_)
        if (buffer.line == lineOf(address) || buffer.line == lineOf(address + access.bytes - 1)) drop(buffer);
    }
  }

  const u32 lineBytes_;
  sm::StagesBelow& below_;
  LastLineStats& stats_;
  std::array<Buffer, sm::kMostWarps> buffers_;
  std::deque<u32> asks_;  // slots
  Responses responses_;
};

struct StoreBufferStats {
  u64 stores = 0, drains = 0, heldEnds = 0, heldFences = 0;
  static constexpr void fields(auto&& field) {
    using S = StoreBufferStats;
    field("stores", "accesses", "to shared memory, kept", &S::stores);
    field("drains", "operations", "that wrote them to the banks", &S::drains);
    field("held_ends", "times", "a block was kept from ending", &S::heldEnds);
    field("held_fences", "times", "a fence was kept from issuing", &S::heldFences);
  }
};

// Before the banks: stores to shared memory take one cycle, and reach the banks, a pass each, when a barrier opens, at a fence and at the
// end of the block. Until they have, no warp of the block goes on.
class StoreBuffer final : public sm::LaneStage {
 public:
  StoreBuffer(const config::Machine&, const sm::StageContext& context, StoreBufferStats& stats)
      : operations_(context.operations), stats_(stats) {}

  void blockBegins(SlotId firstSlot, u64) override { blocks_[firstSlot] = {}; }
  void access(sm::LaneAccess& access, sm::MemoryOperation& operation, Cycle now) override {
    if (access.space != isa::Space::shared) return;
    Block& block = blocks_[access.firstSlot];
    block.slots.insert(access.origin.slot);
    if (!access.isStore || access.isAtomic) return;
    ++stats_.stores;
    ++block.kept;
    access.serve(access.lanes);
    operation.ready = std::max(operation.ready, now + 1);
  }
  void barrierOpens(SlotId firstSlot, Cycle) override { drain(firstSlot); }
  bool mayPassFence(SlotId slot) override {
    for (u32 first = 0; first < blocks_.size(); ++first) {
      if (!blocks_[first].slots.contains(slot) || isClean(first)) continue;
      ++stats_.heldFences;
      drain(first);
      return false;
    }
    return true;
  }
  bool mayEnd(SlotId firstSlot) override {
    if (isClean(firstSlot)) return true;
    ++stats_.heldEnds;
    drain(firstSlot);
    return false;
  }
  sm::WarpSet held() const override {
    sm::WarpSet all;
    for (const Block& block : blocks_)
      if (block.isAsking || block.isDraining) all |= block.slots;
    return all;
  }
  bool tick(Cycle now) override {
    bool any = false;
    for (u32 first = 0; first < blocks_.size(); ++first) {
      Block& block = blocks_[first];
      if (block.isDraining && block.done <= now) {
        block.isDraining = false;
        any = true;
      }
      any |= block.isAsking && begin(first, now);
    }
    return any;
  }
  Cycle nextUseful(Cycle now) const override {
    Cycle next = kNever;
    for (const Block& block : blocks_) {
      if (block.isAsking) return now + 1;
      if (block.isDraining) next = std::min(next, std::max(block.done, now + 1));
    }
    return next;
  }
  void operationDone(const sm::MemoryOperation& operation, Cycle time) override { blocks_[operation.context.slot].done = time; }
  bool quiescent() const override {
    return std::none_of(blocks_.begin(), blocks_.end(), [](const Block& block) { return block.isAsking || block.isDraining; });
  }

 private:
  struct Block {
    sm::WarpSet slots;
    u32 kept = 0;
    bool isAsking = false, isDraining = false;
    Cycle done = kNever;  // of the drain
  };

  bool isClean(u32 first) const { return blocks_[first].kept == 0 && !blocks_[first].isDraining; }
  void drain(u32 first) {
    if (blocks_[first].kept != 0) blocks_[first].isAsking = true;
  }
  bool begin(u32 first, Cycle now) {
    Block& block = blocks_[first];
    if (block.isDraining || !operations_.canBegin()) return false;
    sm::MemoryOperation& operation = operations_.begin(*this);
    operation.context.slot = SlotId{first};
    operation.isStore = true;
    operation.sharedPasses = std::exchange(block.kept, 0);
    block.isAsking = false;
    block.isDraining = true;
    block.done = kNever;
    ++stats_.drains;
    operations_.submit(operation, now);
    return true;
  }

  sm::OperationSource& operations_;
  StoreBufferStats& stats_;
  std::array<Block, sm::kMostWarps> blocks_;  // by first slot
};

struct SplitterStats {
  u64 accesses = 0, pieces = 0;
  static constexpr void fields(auto&& field) {
    using S = SplitterStats;
    field("accesses", "requests", "of loads that were split", &S::accesses);
    field("pieces", "requests", "that they became", &S::pieces);
  }
};

// Behind the coalescers: global loads of several sectors become a request a sector, and are answered when all are there.
class Splitter final : public sm::LineStage {
 public:
  Splitter(const config::Machine&, const sm::StageContext& context, SplitterStats& stats) : below_(context.below), stats_(stats) {}

  bool takes(const sm::LineAccess& access) const override {
    return access.request.type == mem::AccessType::globalRead && mem::sectorCount(access.request.sectors) > 1;
  }
  bool canAccept(const sm::LineAccess&) const override { return freeEntry() != nullptr; }
  void accept(const sm::LineAccess& access, Cycle) override {
    *freeEntry() = {true, access.request, access.route, access.request.sectors, access.request.sectors};
    ++stats_.accesses;
  }
  bool tick(Cycle now) override {
    bool any = false;
    for (u32 number = 0; number < entries_.size(); ++number) {
      for (Entry& entry = entries_[number]; entry.toSend != 0; any = true) {
        mem::Request piece = entry.request;
        const u32 sector = entry.toSend & (~entry.toSend + 1);
        piece.sectors = sector;
        piece.id = number << 8 | sector;
        const sm::LineAccess line{piece, entry.route};
        if (!below_.canAccept(line)) break;
        below_.ask(line, now);
        entry.toSend &= ~sector;
        ++stats_.pieces;
      }
    }
    return any;
  }
  void fill(const mem::Request& response, Cycle) override {
    Entry& entry = entries_[response.id >> 8];
    entry.left &= ~(response.id & 0xff);
    if (entry.left != 0) return;
    responses_.add(entry.request);
    entry.used = false;
  }
  const mem::Request* peekResponse() const override { return responses_.peek(); }
  mem::Request takeResponse() override { return responses_.take(); }
  Cycle nextUseful(Cycle now) const override {
    return std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.toSend != 0; }) ? now + 1 : kNever;
  }
  bool quiescent() const override {
    return responses_.peek() == nullptr && std::none_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.used; });
  }

 private:
  struct Entry {
    bool used = false;
    mem::Request request;
    sm::Route route{};
    u32 toSend = 0, left = 0;  // sectors
  };
  Entry* freeEntry() const {
    for (Entry& entry : entries_)
      if (!entry.used) return &entry;
    return nullptr;
  }

  sm::StagesBelow& below_;
  SplitterStats& stats_;
  mutable std::array<Entry, 4> entries_;
  Responses responses_;
};

}  // namespace warpwright::testing
