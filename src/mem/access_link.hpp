// A link in the chain that data accesses of an SM pass: between the load/store unit and the first-level data cache. The baseline has none;
// mechanisms that serve accesses beside that cache are one.
#pragma once

#include <array>

#include "mem/request.hpp"

namespace warpwright::mem {

// The words of a line that an access touches, and what is in them.
struct WordAccess {
  static constexpr u32 kMostWords = 64;  // lines have up to 256 bytes

  u64 mask = 0;       // bit w: bytes [4 w, 4 w + 4) of the line
  bool whole = true;  // every byte of these words is touched, and `values` holds, by word, what is stored or loaded
  std::array<u32, kMostWords> values{};
};

// A memory agent (docs/memory-system.md) of the core clock. It answers a request itself, hands it to the cache, which then answers it, or
// does both in part, the answer coming from whoever is last. What it asks of the memory below goes to the network beside the cache's own
// requests.
class AccessLink {
 public:
  virtual ~AccessLink() = default;

  // Requests that it does not take go to the cache at once.
  virtual bool takes(const Request& request) const = 0;
  virtual bool canAccept(const Request& request) const = 0;
  // `words` stays valid until the request is answered.
  virtual void accept(const Request& request, const WordAccess& words, Cycle now) = 0;
  virtual const Request* peekResponse() const = 0;
  virtual Request takeResponse() = 0;

  virtual const Request* peekMiss() const = 0;
  virtual Request takeMiss() = 0;
  virtual bool canFill(const Request& response) const = 0;
  virtual void fill(const Request& response, Cycle now) = 0;

  // Before the cache's tick: what it hands to the cache is there in the same tick.
  virtual bool tick(Cycle now) = 0;
  virtual Cycle nextUseful(Cycle now) const = 0;
  virtual bool quiescent() const = 0;
  // Before a launch, as Cache::invalidate().
  virtual void invalidate() = 0;
};

}  // namespace warpwright::mem
