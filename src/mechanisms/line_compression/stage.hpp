// Between a memory partition and its DRAM channel: lines become smaller on their way down and whole again on their way up.
//
// Where the networks have lines compressed, too, they pass as they are, and the stage knows their sizes alone.
//
// Each request first asks for the size of its line. A read then goes on for as many pieces as the line has in DRAM, and what comes back is
// made whole. A write of a whole line is compressed; one of a part goes on as it is when DRAM holds the line uncompressed, else the line is
// read, and written whole. A request waits while an earlier one for the same line is in the stage.
#pragma once

#include <vector>

#include "base/ring_queue.hpp"
#include "mechanisms/line_compression/line_sizes.hpp"
#include "mechanisms/line_compression/metadata.hpp"
#include "mechanisms/line_compression/statistics.hpp"
#include "mem/delay_queue.hpp"
#include "mem/dram_stage.hpp"

namespace warpwright::mechanisms::line_compression {

class Stage final : public mem::DramStage {
 public:
  // Sizes, addresses and statistics outlive it.
  Stage(const Settings& settings, u32 lineBytes, LineSizes& sizes, const MetadataAddresses& addresses, Statistics& statistics);

  bool canAccept(const mem::Request& request) const override;
  void accept(const mem::Request& request, L2Tick now) override;
  const mem::Request* peekResponse() const override;
  mem::Request takeResponse() override;

  const mem::Request* peekMiss() const override { return down_.empty() ? nullptr : &down_.front(); }
  mem::Request takeMiss() override;
  bool canFill(const mem::Request& response) const override;
  void fill(const mem::Request& response, L2Tick now) override;

  bool tick(L2Tick now) override;
  L2Tick nextUseful(L2Tick now) const override;
  bool quiescent() const override;

 private:
  enum class State : u8 { free, awaitsMetadata, awaitsLine, due };

  struct Entry {
    mem::Request request;
    State state = State::free;
    BlockId block = 0;
    L2Tick due{};
  };

  bool isWhole(const mem::Request& request) const { return request.wholeSectors == wholeLine_; }
  GlobalAddress lineOf(const mem::Request& request) const { return alignDown(request.address, lineBytes_); }
  void askForMetadata(u32 index);
  void metadataCame(BlockId block, L2Tick now);
  void sizeKnown(u32 index, L2Tick now);
  void read(Entry& entry);
  void writePart(Entry& entry, u32 index);
  void writeLine(Entry& entry, L2Tick now);
  mem::Request own(GlobalAddress address, mem::AccessType type, u32 bytes, u32 id) const;
  bool sendDue(L2Tick now);
  void send(Entry& entry);

  const Reach reach_;
  const bool compressesWrites_;      // else whoever wrote a line has
  const u32 lineBytes_, wholeLine_;  // sectors of it
  const u64 compressLatency_, decompressLatency_;
  LineSizes& sizes_;
  const MetadataAddresses& addresses_;
  Statistics& stats_;
  MetadataCache metadata_;
  std::vector<Entry> entries_;
  std::vector<u32> inUse_;  // entries, in the order in which they came
  RingQueue<mem::Request> down_, up_;
  mem::DelayQueue<mem::Request, L2Clock> decompressed_;
};

}  // namespace warpwright::mechanisms::line_compression
