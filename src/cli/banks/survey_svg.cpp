// The bars of a survey as SVG.
#include <fmt/format.h>

#include <algorithm>

#include "cli/banks/survey.hpp"

namespace warpwright::cli {
namespace {

// Pixels.
constexpr u32 kLeft = 48, kTop = 40, kHeight = 240, kBottom = 90, kBar = 14, kGap = 4;

u32 worstOf(const Survey& survey) {
  u32 worst = 1;
  for (const SurveyRow& row : survey.rows) worst = std::max(worst, row.degrees.worst);
  return worst;
}

double heightOf(double degree, u32 worst) { return kHeight * degree / worst; }

std::string rectangle(double x, double height, const char* colour) {
  return fmt::format("<rect x=\"{}\" y=\"{:.2f}\" width=\"{}\" height=\"{:.2f}\" fill=\"{}\"/>\n", x, kTop + kHeight - height, kBar, height,
                     colour);
}

std::string gridLine(u32 degree, u32 worst, u32 width) {
  const double y = kTop + kHeight - heightOf(degree, worst);
  return fmt::format(
      "<line x1=\"{}\" x2=\"{}\" y1=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"#ddd\"/>\n<text x=\"{}\" y=\"{:.2f}\" "
      "text-anchor=\"end\">{}</text>\n",
      kLeft, width, y, y, kLeft - 6, y + 4, degree);
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

}  // namespace

std::string surveySvg(const Survey& survey) {
  const u32 worst = worstOf(survey);
  const u32 width = kLeft + static_cast<u32>(survey.rows.size()) * (kBar + kGap) + kGap;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" "
      "font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"{2}\" y=\"16\" font-size=\"13\">{3}, {4} banks, {5} lanes</text>\n"
      "<text x=\"{2}\" y=\"31\">conflict degree: mean (dark), worst (light)</text>\n",
      std::max(width, 360u), kTop + kHeight + kBottom, kLeft, escaped(survey.map), survey.banks, survey.lanes);
  for (u32 degree = 1; degree <= worst; degree *= 2) text += gridLine(degree, worst, width);
  u32 x = kLeft + kGap;
  for (const SurveyRow& row : survey.rows) {
    text += "<g><title>" + escaped(row.pattern) + fmt::format(": worst {}, mean {:.3f}</title>\n", row.degrees.worst, row.degrees.mean);
    text += rectangle(x, heightOf(row.degrees.worst, worst), "#e0b070") + rectangle(x, heightOf(row.degrees.mean, worst), "#2b5d8a");
    const u32 y = kTop + kHeight + 8, middle = x + kBar / 2 + 4;
    text += fmt::format("<text transform=\"translate({},{}) rotate(-90)\" text-anchor=\"end\">{}</text></g>\n", middle, y,
                        escaped(row.pattern));
    x += kBar + kGap;
  }
  return text + "</svg>\n";
}

}  // namespace warpwright::cli
