// Stores of neighbouring warps that go on together: the thesis's outlook (Gou, section 7.2), which says that patterns of stores are known
// too, and leaves the hardware open. Here without time.
//
// A store whose instruction has a larger size than a block opens an entry for the hyper block around it, and later stores to it join. The
// entry is closed, and then sent as one write, when every byte of it has been stored, when it has taken as many stores as it can
// acknowledge, and by whoever uses the buffer: after a time, before a load or another store of its blocks, when its entry is needed. Its
// stores are acknowledged when the write is.
#pragma once

#include <optional>
#include <vector>

#include "base/ring_queue.hpp"
#include "mem/request.hpp"

namespace warpwright::mechanisms::elastic_mshr {

class StoreBuffer {
 public:
  static constexpr u32 kMostStores = 16;  // of an entry
  enum class Outcome : u8 { opened, joined, full };

  // blockBytes: of a normal block, the size of all stores that come.
  StoreBuffer(u32 entries, u32 blockBytes);

  // A store can be part of a larger one: its data travel as they are.
  static bool canCombine(const mem::Request& store) { return store.pieces == 0 && store.encoding == 0; }
  // hyper: what it opens, in blocks. `full`: nothing has changed.
  Outcome add(const mem::Request& store, u32 hyper, Cycle now);
  // An entry that is still to be sent has bytes of the block.
  bool has(GlobalAddress blockAddress) const;
  // Closes the entry that has the block. False: none is open.
  bool close(GlobalAddress blockAddress);
  void closeOldest();

  // When the entry that has been open for longest was opened; nothing: none is open.
  std::optional<Cycle> oldest() const;
  bool hasClosed() const { return !closed_.empty(); }
  // The write of the entry that was closed first, whose id is the entry's number. An entry whose stores want no acknowledgement is free
  // with that.
  mem::Request take();
  // Stores of the entry that want to be acknowledged.
  u32 waiting(u32 entry) const { return entries_[entry].stores; }
  // The write has been acknowledged: `answer` gets each of these stores.
  template <class Answer>
  void acknowledged(u32 number, Answer answer) {
    Entry& entry = entries_[number];
    for (u32 store = 0; store < entry.stores; ++store) answer(stores_[number * kMostStores + store]);
    entry.state = State::free;
    --used_;
  }
  bool empty() const { return used_ == 0; }
  bool isFull() const { return used_ == entries_.size(); }
  // An entry will be free without anybody's doing.
  bool isEmptying() const;

 private:
  static constexpr u32 kNone = ~u32{0};
  enum class State : u8 { free, open, closed, sent };
  struct Entry {
    State state = State::free;
    mem::Request write;
    u32 taken = 0;   // stores
    u32 stores = 0;  // of them, those that want to be acknowledged
    Cycle opened{};
  };
  bool covers(const Entry& entry, GlobalAddress blockAddress) const;
  u32 findOpen(GlobalAddress blockAddress) const;
  u32 oldestOpen() const;
  void open(const mem::Request& store, u32 hyper, Cycle now);
  void join(u32 number, const mem::Request& store);
  bool isComplete(const Entry& entry) const;
  void closeEntry(u32 number);

  u32 blockBytes_;
  u32 used_ = 0;
  std::vector<Entry> entries_;
  std::vector<mem::Request> stores_;  // that want to be acknowledged: kMostStores of each entry
  RingQueue<u32> closed_;             // entries that are still to be sent
};

}  // namespace warpwright::mechanisms::elastic_mshr
