// SHA-256, by OpenSSL: names for what a run is made of.
#pragma once

#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace warpwright::lab {

class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  // The length goes in too: ("a", "bc") and ("ab", "c") differ.
  Hasher& add(std::string_view text);
  std::string hex();  // of all that was added; ends it

 private:
  evp_md_ctx_st* context_;
};

std::string hashOf(std::string_view text);
// Throws Error when it cannot be read.
std::string hashOfFile(const std::string& path);

}  // namespace warpwright::lab
