// The table of `--data`.
#include <fmt/format.h>

#include "profile/data/report.hpp"
#include "profile/units.hpp"

namespace warpwright::profile {
namespace {

using values::VectorClass;

std::string argumentsText(const std::set<u32>& arguments) {
  if (arguments.empty()) return {};
  return fmt::format(", argument{} {}", arguments.size() == 1 ? "" : "s", fmt::join(arguments, ", "));
}

std::string bitsText(stats::Ratio bits) { return ratioText(bits, 1); }

std::string ratioOf(const Content& content, const Compressed& compressed) { return ratioText(content.ratio(compressed)) + "x"; }

// Whole percents; only nothing is "0%", and only all "100%".
std::string shareText(u64 lines, u64 all) {
  const u64 percent = (lines * 200 + all) / (2 * all);
  if (lines != 0 && percent == 0) return "<1%";
  if (lines != all && percent == 100) return ">99%";
  return fmt::format("{}%", percent);
}

void contentRow(TextPage& page, std::string_view what, const Content& content) {
  if (content.lines == 0) return;
  const auto share = [&](u64 lines) { return shareText(lines, content.lines); };
  page.row("  {:<6}{:>8} |{:>7}{:>7}{:>7}{:>7}{:>7} |{:>6}{:>6}{:>7} |{:>4}", what, countText(content.lines),
           share(content.kinds[LineKind::zero]), share(content.kinds[LineKind::repeated]), share(content.kinds[LineKind::narrow]),
           share(content.classes[VectorClass::uniform]), share(content.classes[VectorClass::affine]), ratioOf(content, content.bdi),
           ratioOf(content, content.fpc), ratioOf(content, content.cPack), bitsText(content.values.entropy()));
}

}  // namespace

void appendData(TextPage& page, const KernelData& data) {
  if (data.empty()) return;
  page.heading("Data in global memory, in lines of 128 B");
  page.row("  {:<6}{:>8} |{:>7}{:>7}{:>7}{:>7}{:>7} |{:>6}{:>6}{:>7} |{:>4}", "", "", "", "re-", "", "uni-", "", "", "", "", "bits");
  page.row("  {:<6}{:>8} |{:>7}{:>7}{:>7}{:>7}{:>7} |{:>6}{:>6}{:>7} |{:>4}", "", "lines", "zero", "peated", "narrow", "form", "affine",
           "BDI", "FPC", "C-Pack", "/32");
  for (const ArrayData& array : data.arrays()) {
    page.row("  {}{}{}:", clipped(array.name, 40), array.bytes == 0 ? "" : ", " + bytesText(array.bytes), argumentsText(array.arguments));
    contentRow(page, "loaded", array.loaded);
    contentRow(page, "stored", array.stored);
  }
}

}  // namespace warpwright::profile
