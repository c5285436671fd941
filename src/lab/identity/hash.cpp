#include "lab/identity/hash.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "base/error.hpp"
#include "base/file.hpp"

namespace warpwright::lab {

Hasher::Hasher() : context_(EVP_MD_CTX_new()) {
  if (context_ == nullptr || EVP_DigestInit_ex(context_, EVP_sha256(), nullptr) != 1) throw Error("OpenSSL offers no SHA-256");
}

Hasher::~Hasher() { EVP_MD_CTX_free(context_); }

Hasher& Hasher::add(std::string_view text) {
  const std::string length = std::to_string(text.size()) + ":";
  EVP_DigestUpdate(context_, length.data(), length.size());
  EVP_DigestUpdate(context_, text.data(), text.size());
  return *this;
}

std::string Hasher::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_DigestFinal_ex(context_, digest.data(), &size);
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

std::string hashOf(std::string_view text) { return Hasher().add(text).hex(); }

std::string hashOfFile(const std::string& path) { return hashOf(readFile(path)); }

}  // namespace warpwright::lab
