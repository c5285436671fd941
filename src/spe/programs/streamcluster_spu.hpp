// What the SPU does of streamcluster: it measures how far points are from centres, one after the other by its critical loop (AoS: the
// coordinates of a point, four at a time), elsewhere four at a time (SoA).
#pragma once

#include <span>

#include "spe/programs/loops.hpp"
#include "spe/programs/streamcluster_access.hpp"

namespace warpwright::spe::streamcluster {

class OnSpu final : public Engine {
 public:
  explicit OnSpu(Spu& spu);
  OnSpu(const OnSpu&) = delete;
  OnSpu& operator=(const OnSpu&) = delete;

  Outcome speedy(const BlockOfPoints& block, const std::vector<float>& thresholds) override;
  Outcome refine(float price, const std::vector<u32>& candidates) override;
  std::vector<Point> points() override;

 private:
  // What points are measured from, four of them at a time.
  struct Centre {
    Dimensions coordinates;
    Quad number;
  };
  struct Cursor {
    Quad data, point, moves;
  };

  // The PPU's side.
  template <typename Value>
  void write(u32 main, std::span<const Value> values);

  void begin(const std::array<u32, 4>& control, u32 words);
  void fetchPoints();
  Outcome end(const Quad& ways, const Quad& gained);

  // Code: void(tag, batches), for each portion of the points.
  template <typename Code>
  void inPortions(std::string_view name, Code&& code);
  void openFirst();
  void openByThreshold();
  Quad sumOfCosts();
  // Chosen: Quad(const Four&, way), a mask of the points that go over to the centre.
  template <typename Chosen>
  void sweep(std::string_view name, const Quad& batches, const Centre& centre, Cursor& cursor, Chosen&& chosen);

  void tryCandidate(const Quad& candidate, Quad& gained);
  void clear();
  Quad savedByMoves(const Quad& candidate);
  void stay(const Cursor& cursor, const Quad& difference, const Quad& slots, const Quad& savings);
  Quad withClosing(Quad gain);
  void moveFromClosing();
  void close();
  void open(const Quad& candidate);

  Quad dataOf(const Quad& number);
  Centre centreAt(const Quad& number);
  Cursor atFirst();
  void append(const Quad& number);
  Quad offsetOfSaving(const Quad& point, const Quad& slots);
  Quad less(const Quad& count) { return spu_.ai(count, -1); }

  Spu& spu_;
  Access access_;
  std::vector<u32> memory_;
  u32 points_ = 0;  // of the block, with those that fill it up
  Quad zero_, ones_;
  Quad count_, batches_, tries_, price_;  // the control block
  Quad centres_;                          // how many there are
};

}  // namespace warpwright::spe::streamcluster
