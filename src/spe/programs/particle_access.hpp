// How `fluidanimate` reaches particles in the local store: with views on the SPE that has them, else with shuffles.
//
// A vector of three words is a triple. Four particles of a cell that follow each other are a batch, whose words are sorted by field; the
// third batch of a cell has two particles only, and what its loads bring for others is not theirs. Cells begin at lines.
#pragma once

#include <memory>

#include "spe/programs/sorter.hpp"

namespace warpwright::spe::fluidanimate {

template <typename Value>
struct Vector {
  Value x{}, y{}, z{};
};

// Where a triple or a word lies, and what else it takes to load it or to store it; for more than one access.
struct Place {
  s32 offset = 0;
  std::array<Quad, 3> bases;     // for each word
  Quad align;                    // a shuffle that brings a triple out of two quads
  std::array<Quad, 3> patterns;  // shuffles that insert a word
};

class ParticleAccess {
 public:
  virtual ~ParticleAccess() = default;

  virtual Place triple(const Quad& base, s32 offset) = 0;
  // The triple so many quads further on.
  virtual Place triple(const Place& other, s32 further) = 0;
  virtual Place word(const Quad& base, s32 offset) = 0;
  // Before what lies there is stored for the first time.
  virtual void prepareToStore(Place& place, u32 words) = 0;

  virtual Quad load(const Place& place) = 0;  // a triple; lane 3 is what follows
  virtual void store(const Quad& value, const Place& place) = 0;
  virtual Quad loadWord(const Place& place) = 0;  // in the preferred slot
  virtual void storeWord(const Quad& value, const Place& place) = 0;
  // Where the base is at a multiple of sixteen.
  virtual Quad alignedWord(const Quad& base, s32 offset) = 0;

  virtual Vector<Quad> loadBatch(const Quad& cell, u32 batch, u32 array) = 0;
  virtual void storeBatch(const Vector<Quad>& value, const Quad& cell, u32 batch, u32 array) = 0;
  virtual Quad loadDensities(const Quad& cell, u32 batch) = 0;
  virtual void storeDensities(const Quad& value, const Quad& cell, u32 batch) = 0;
};

// For the SPU's machine.
std::unique_ptr<ParticleAccess> accessFor(Spu& spu, Sorter& sorter);

}  // namespace warpwright::spe::fluidanimate
