// How each line lies in DRAM. That is decided when the line is compressed, from the values that global memory has then, and
// stays until the line is written again: of the time of the memory side, whatever values SMs have stored since. No bytes are kept, as no
// value depends on them.
#pragma once

#include <array>
#include <functional>
#include <unordered_map>
#include <vector>

#include "mechanisms/line_compression/form.hpp"
#include "mechanisms/line_compression/settings.hpp"

namespace warpwright::mechanisms::line_compression {

// Copies a line that begins at the address; false: its values are not known.
using LineReader = std::function<bool(GlobalAddress line, std::span<std::byte> into)>;

class LineSizes {
 public:
  LineSizes(const Settings& settings, u32 lineBytes, LineReader read);

  // Pieces of 32 bytes of a line that is not compressed.
  u32 mostPieces() const { return lineBytes_ / kPieceBytes; }
  // As DRAM holds it. Of a line that only the host has written that is said now.
  Form formOf(GlobalAddress line);
  // It is being written, as it is.
  Form compress(GlobalAddress line);
  // It is being written in this form.
  void keep(GlobalAddress line, Form form) { this->form(line) = form; }
  // The host has written those bytes.
  void forget(GlobalAddress begin, u64 bytes);
  // Its values can be known.
  bool isKnown(GlobalAddress line) { return read_(line, values()); }

 private:
  static constexpr u32 kLinesOfPage = 4096;
  using Page = std::array<Form, kLinesOfPage>;  // no pieces: not decided

  std::span<std::byte> values() { return {values_.data(), lineBytes_}; }
  Form& form(GlobalAddress line);
  Form formNow(GlobalAddress line);
  Form asItIs() const { return {static_cast<u8>(mostPieces()), 0}; }

  const u32 lineBytes_;
  const bool copiesToo_;
  const std::vector<compression::Codec> codecs_;
  const compression::Variants variants_;
  const LineReader read_;
  std::unordered_map<u64, Page> pages_;
  std::array<std::byte, 128> values_;
};

}  // namespace warpwright::mechanisms::line_compression
