// Which bytes of a range were ever written (on request). A page whose bytes are all alike takes one byte here; only pages that are written
// in part have a note for each of theirs.
#pragma once

#include "base/types.hpp"
#include "exec/reservation.hpp"

namespace warpwright::exec {

class InitialisationMap {
 public:
  InitialisationMap() = default;
  // Nothing is written yet. Throws Error when the host refuses the address space.
  explicit InitialisationMap(u64 bytes);

  void mark(u64 offset, u64 bytes) { set(offset, bytes, Page::written); }
  void forget(u64 offset, u64 bytes) { set(offset, bytes, Page::untouched); }
  bool allWritten(u64 offset, u64 bytes) const { return !contains(offset, bytes, false); }
  bool anyWritten(u64 offset, u64 bytes) const { return contains(offset, bytes, true); }

 private:
  // Fresh memory of a reservation reads as zero: untouched.
  enum class Page : u8 { untouched, written, mixed };

  void set(u64 offset, u64 bytes, Page state);
  void setPart(u64 offset, u64 bytes, Page state);
  bool contains(u64 offset, u64 bytes, bool written) const;
  Page& page(u64 number) { return reinterpret_cast<Page*>(pages_.address())[number]; }
  const Page& page(u64 number) const { return reinterpret_cast<const Page*>(pages_.address())[number]; }
  u8* noteOf(u64 offset) const { return reinterpret_cast<u8*>(notes_.address()) + offset; }

  Reservation pages_;
  Reservation notes_;  // a byte for each, of mixed pages: 1: written
};

}  // namespace warpwright::exec
