// Bulk copies that are under way (PTX ISA, "cp.async.bulk" and the instructions of that family).
//
// What reads global memory, or sends to another block, reads its source when it is issued, as cp.async does. Its destination is written
// when a thread waits for the phase of an mbarrier object that the copy's bytes complete, and threads' arrivals alone do not: as late as
// PTX allows. What writes global memory reads its source when the thread waits for its group (.read suffices), and writes when it waits
// without .read, or exits. So a program that looks at a destination too early finds old data, and one that reuses a source too early spoils
// the copy, the same in every run.
//
// On a machine that is stepped the copy engine of the SM says when the bytes have been read, and when they have arrived.
#pragma once

#include <deque>
#include <vector>

#include "base/types.hpp"
#include "exec/tensor_tile.hpp"
#include "isa/instruction.hpp"

namespace warpwright::exec {

class Block;
struct Warp;

// A block that gets the bytes, and its mbarrier object that counts them.
struct BulkDestination {
  Block* block = nullptr;
  SharedOffset offset, barrier;
  bool isDone = false;
};

struct BulkCopy {
  isa::BulkOp operation = isa::BulkOp::none;
  isa::AtomicOp reduction = isa::AtomicOp::none;
  isa::DataType type = isa::DataType::none;  // of a reduction
  isa::TensorMap::Swizzle swizzle{};
  isa::TensorMap::Element element{};  // of a tensor
  Pc pc;
  Block* block = nullptr;  // whose thread issued it
  Warp* warp = nullptr;
  LaneId lane;
  u32 group = 0;        // of its thread
  SharedOffset source;  // of a store
  std::vector<GlobalRun> runs;
  std::vector<BulkDestination> destinations;
  std::vector<std::byte> data;  // in the order of a box's bytes
  bool isRead = false, isDone = false;

  u32 bytes() const { return static_cast<u32>(data.size()); }
};

// Of a grid. Entries keep their memory.
class BulkCopies {
 public:
  // The number of one to fill in.
  u32 add() {
    ++underWay_;
    if (free_.empty()) {
      copies_.emplace_back();
      return static_cast<u32>(copies_.size() - 1);
    }
    const u32 number = free_.back();
    free_.pop_back();
    BulkCopy& copy = copies_[number];
    copy.runs.clear();
    copy.destinations.clear();
    copy.data.clear();
    copy.isRead = copy.isDone = false;
    return number;
  }
  void remove(u32 number) {
    --underWay_;
    free_.push_back(number);
  }
  BulkCopy& operator[](u32 number) { return copies_[number]; }
  u32 underWay() const { return underWay_; }

  std::vector<u32> reductions;  // stepping: in global memory, that are performed when stores are published

 private:
  std::deque<BulkCopy> copies_;
  std::vector<u32> free_;
  u32 underWay_ = 0;
};

// A copy of which a block is a destination, where it is not stepped.
struct BulkArrival {
  u32 copy = 0, destination = 0;
};

}  // namespace warpwright::exec
