#include "mechanisms/line_compression/line_sizes.hpp"

#include <algorithm>
#include <utility>

namespace warpwright::mechanisms::line_compression {

LineSizes::LineSizes(const Settings& settings, u32 lineBytes, LineReader read)
    : lineBytes_(lineBytes),
      copiesToo_(settings.copiesToo),
      codecs_(codecsOf(settings.codec)),
      variants_(variantsOf(settings)),
      read_(std::move(read)) {}

Form& LineSizes::form(GlobalAddress line) {
  const u64 number = line / lineBytes_;
  return pages_[number / kLinesOfPage][number % kLinesOfPage];
}

Form LineSizes::formOf(GlobalAddress line) {
  Form& known = form(line);
  if (known.pieces == 0) known = copiesToo_ ? formNow(line) : asItIs();
  return known;
}

Form LineSizes::compress(GlobalAddress line) { return form(line) = formNow(line); }

Form LineSizes::formNow(GlobalAddress line) { return isKnown(line) ? line_compression::formOf(codecs_, values(), variants_) : asItIs(); }

void LineSizes::forget(GlobalAddress begin, u64 bytes) {
  if (bytes == 0) return;
  for (u64 number = begin / lineBytes_, last = (begin + (bytes - 1)) / lineBytes_; number <= last;) {
    const u64 page = number / kLinesOfPage, end = std::min(last + 1, (page + 1) * kLinesOfPage);
    if (const auto found = pages_.find(page); found != pages_.end())
      std::fill(found->second.begin() + number % kLinesOfPage, found->second.begin() + (end - 1) % kLinesOfPage + 1, Form{});
    number = end;
  }
}

}  // namespace warpwright::mechanisms::line_compression
