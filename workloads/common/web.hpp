// Addresses of web pages and logs of those who read them.
#pragma once

#include <string>
#include <vector>

#include "zipf.hpp"

namespace workloads {

// Requests for pages of one proxy follow Zipf's law with exponents from 0.64 to 0.83 (Breslau, Cao, Fan, Phillips, Shenker: "Web Caching
// and Zipf-like Distributions", INFOCOM 1999); this is the middle.
constexpr double kPagePopularity = 0.73;

// Distinct addresses: a few sites have most pages, paths are made of words, and pages of one site share how they begin.
inline std::vector<std::string> makeUrls(int count, Random& random) {
  static const char* const kWords[] = {"news",  "archive", "images", "products", "index",  "about", "weather", "sport", "maps",
                                       "users", "forum",   "search", "download", "papers", "music", "travel",  "help",  "shop"};
  static const char* const kDomains[] = {".com", ".org", ".net", ".edu", ".co.uk", ".de"};
  constexpr int kWordCount = sizeof(kWords) / sizeof(*kWords), kDomainCount = sizeof(kDomains) / sizeof(*kDomains);
  const int sites = 1 + count / 20;
  const Zipf siteOf(sites, kPagePopularity);
  std::vector<std::string> urls;
  for (int page = 0; page < count; ++page) {
    const int site = siteOf.draw(random);
    std::string url = "http://www." + std::string(kWords[site % kWordCount]) + std::to_string(site) + kDomains[site % kDomainCount];
    for (int depth = random.below(4); depth > 0; --depth) url += "/" + std::string(kWords[random.below(kWordCount)]);
    urls.push_back(url + "/" + std::to_string(page) + ".html");
  }
  return urls;
}

// Lines of text that end with a newline, and where each begins; the last offset is the size of the text.
struct Lines {
  std::vector<char> text;
  std::vector<int> offsets{0};

  int count() const { return int(offsets.size()) - 1; }
  void add(const std::string& line) {
    text.insert(text.end(), line.begin(), line.end());
    text.push_back('\n');
    offsets.push_back(int(text.size()));
  }
};

}  // namespace workloads
