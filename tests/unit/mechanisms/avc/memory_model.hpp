// An affine vector cache, the first-level cache beside it and the memory behind both, with values, one access after the other. The
// first-level cache keeps lines of one vector in sectors that are valid or not and dirty or not, as mem::Cache does.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "mechanisms/avc/compact_below.hpp"

namespace warpwright::mechanisms::avc::test {

using Words = std::array<u32, kWordsPerVector>;

struct Level1Line {
  u32 valid = 0, dirty = 0;  // bit s: sector s
  Words words{};
};

class MemoryModel {
 public:
  // lanes: words of a vector that are used; wordsPerSector: of the first-level cache; level1Lines: how many lines that holds.
  MemoryModel(const Geometry& geometry, u32 lanes, u32 wordsPerSector, std::size_t level1Lines)
      : avc(geometry),
        below(avc, geometry),
        lanes_(lanes),
        wordsPerSector_(wordsPerSector),
        level1Lines_(level1Lines),
        encoder_(3, geometry.subVectors) {}

  AffineVectorCache avc;
  CompactBelow below;
  std::map<GlobalAddress, Level1Line> level1;  // by address
  std::map<GlobalAddress, Words> memory;

  Words read(GlobalAddress address, WordMask mask) {
    Words result{};
    awaitPlace(address);
    while (mask != 0) mask &= ~readSome(address, mask, result);
    return result;
  }

  void write(GlobalAddress address, WordMask mask, const Words& words) {
    if (mask != lowBits(lanes_)) awaitPlace(address);
    const bool isHere = avc.write(address, mask, encoder_.encode(words.data(), mask), evicted_);
    settle();
    if (isHere) {
      dropSuperseded(address);
    } else {
      below.writtenBeside(address);
      writeLevel1(address, mask, words);
    }
  }

  // The low halves of the words.
  void writePartly(GlobalAddress address, WordMask mask, const Words& words) {
    awaitPlace(address);
    avc.writePartly(address, mask, evicted_);
    settle();
    below.writtenBeside(address);
    Level1Line& line = fetch(address, sectorsOf(mask));
    forEach(mask, [&](u32 word) { line.words[word] = (line.words[word] & 0xffff'0000) | (words[word] & 0xffff); });
    line.dirty |= sectorsOf(mask);
  }

  void evictVector(GlobalAddress address) {
    avc.evictVector(address, evicted_);
    settle();
  }
  void evictLine(GlobalAddress address) {
    avc.evictLine(address, evicted_);
    settle();
  }
  void evictLevel1(GlobalAddress address) {
    const auto line = level1.find(address);
    if (line == level1.end()) return;
    writeBack(address, line->second, 0);
    level1.erase(line);
  }

  // The word as a read of it alone would find it, without any change.
  u32 view(GlobalAddress address, u32 word) const {
    const AffineVectorCache::Vector vector = avc.vector(address);
    if (vector.valid >> word & 1) return vector.form.at(word);
    if (const CompactBelow::Place* place = below.place(address); place && (place->valid() >> word & 1)) return place->form.at(word);
    const auto line = level1.find(address);
    if (line != level1.end() && (line->second.valid >> word / wordsPerSector_ & 1) != 0) return line->second.words[word];
    const auto place = memory.find(address);
    return place == memory.end() ? 0 : place->second[word];
  }

 private:
  template <class Visit>
  void forEach(WordMask mask, Visit visit) const {
    for (u32 word = 0; word < lanes_; ++word) {
      if (mask >> word & 1) visit(word);
    }
  }

  u32 sectorsOf(WordMask mask) const {
    u32 sectors = 0;
    forEach(mask, [&](u32 word) { sectors |= 1u << word / wordsPerSector_; });
    return sectors;
  }

  WordMask readSome(GlobalAddress address, WordMask mask, Words& result) {
    const auto line = level1.find(address);
    const bool holds = line != level1.end() && (sectorsOf(mask) & ~line->second.valid) == 0;
    const AffineVectorCache::Read found = avc.read(address, mask, holds);
    if (found.source == Source::here) {
      forEach(found.words, [&](u32 word) { result[word] = found.form.at(word); });
      return found.words;
    }
    if (found.source == Source::levelOne) {
      forEach(mask, [&](u32 word) { result[word] = line->second.words[word]; });
      return mask;
    }
    // What the first-level cache has of the line is newer than memory: the miss is its own.
    if (line != level1.end()) {
      const Level1Line& filled = fetch(address, sectorsOf(mask));
      forEach(mask, [&](u32 word) { result[word] = filled.words[word]; });
      return mask;
    }
    forEach(mask, [&](u32 word) { result[word] = memory[address][word]; });
    if (!avc.fill(address, mask, encoder_.encode(result.data(), mask), evicted_)) fetch(address, sectorsOf(mask));
    settle();
    return mask;
  }

  void awaitPlace(GlobalAddress address) {
    if (!below.isNeeded(address)) return;
    below.fetched(address, evicted_);
    settle();
  }

  // Brings sectors in.
  Level1Line& fetch(GlobalAddress address, u32 sectors) {
    if (!level1.contains(address) && level1.size() == level1Lines_) evictLevel1(level1.begin()->first);
    Level1Line& line = level1[address];
    for (u32 word = 0; word < lanes_; ++word) {
      const u32 sector = 1u << word / wordsPerSector_;
      if (sectors & ~line.valid & sector) line.words[word] = memory[address][word];
    }
    line.valid |= sectors;
    return line;
  }

  void writeLevel1(GlobalAddress address, WordMask mask, const Words& words) {
    Level1Line& line = fetch(address, sectorsOf(mask));
    forEach(mask, [&](u32 word) { line.words[word] = words[word]; });
    line.dirty |= sectorsOf(mask);
  }

  void writeBack(GlobalAddress address, const Level1Line& line, WordMask except) {
    for (u32 word = 0; word < lanes_; ++word) {
      if ((line.dirty >> word / wordsPerSector_ & 1) != 0 && (except >> word & 1) == 0) memory[address][word] = line.words[word];
    }
  }

  // Sectors whose words are all valid in the affine vector cache are of no further use.
  void dropSuperseded(GlobalAddress address) {
    const auto line = level1.find(address);
    if (line == level1.end()) return;
    const WordMask valid = avc.vector(address).valid;
    line->second.valid &= sectorsOf(~valid);
    line->second.dirty &= line->second.valid;
    if (line->second.valid == 0) level1.erase(line);
  }

  // Merges what leaves the affine vector cache with what the first-level cache has of it, in memory.
  void settle() {
    for (const EvictedVector& vector : evicted_) {
      if (!vector.dirty && (vector.withLine || !below.holds(vector.address))) continue;
      if (vector.withLine && below.keep(vector)) continue;
      below.forget(vector.address);
      if (const auto line = level1.find(vector.address); line != level1.end()) {
        writeBack(vector.address, line->second, vector.valid);
        level1.erase(line);
      }
      forEach(vector.valid, [&](u32 word) { memory[vector.address][word] = vector.form.at(word); });
    }
    evicted_.clear();
  }

  u32 lanes_, wordsPerSector_;
  std::size_t level1Lines_;
  VectorEncoder encoder_;
  Evictions evicted_;
};

}  // namespace warpwright::mechanisms::avc::test
