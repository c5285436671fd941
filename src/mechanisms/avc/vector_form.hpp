// How a vector is encoded: a base and a stride for all its words, or for each of some sub-vectors, as section 3.2 suggests.
#pragma once

#include <array>

#include "mechanisms/avc/geometry.hpp"
#include "values/compact_form.hpp"

namespace warpwright::mechanisms::avc {

struct VectorForm {
  std::array<values::CompactForm, kMostSubVectors> parts;
  u32 wordsPerPart = kWordsPerVector;

  u32 at(u32 word) const { return parts[word / wordsPerPart].at(word); }
  bool operator==(const VectorForm&) const = default;

  // Words of those parts that the mask touches whose base and stride are not as in `other`.
  WordMask differing(const VectorForm& other, WordMask mask) const;
  // Takes over the parts that the mask touches.
  void take(const VectorForm& other, WordMask mask);
};

struct VectorEncoding {
  bool succeeded = false;
  bool isSparse = false;  // failed for want of a pair from which the stride of a sub-vector could be estimated
  VectorForm form;
};

// The encoding units, one a sub-vector. A vector is encoded when all its sub-vectors are that the mask touches.
class VectorEncoder {
 public:
  VectorEncoder(u32 strideBits, u32 subVectors) : encoder_(strideBits), wordsPerPart_(kWordsPerVector / subVectors) {}

  VectorEncoding encode(const u32* words, WordMask mask) const;

 private:
  values::Encoder encoder_;
  u32 wordsPerPart_;
};

}  // namespace warpwright::mechanisms::avc
