#include "mechanisms/avc/vector_form.hpp"

namespace warpwright::mechanisms::avc {
namespace {

// Visits the parts that the mask touches: number, words.
template <class Visit>
void forEachPart(u32 wordsPerPart, WordMask mask, Visit visit) {
  const auto words = static_cast<WordMask>(lowBits(wordsPerPart));
  for (u32 part = 0; part * wordsPerPart < kWordsPerVector; ++part) {
    const WordMask ofPart = words << part * wordsPerPart;
    if ((mask & ofPart) != 0) visit(part, ofPart);
  }
}

}  // namespace

WordMask VectorForm::differing(const VectorForm& other, WordMask mask) const {
  WordMask result = 0;
  forEachPart(wordsPerPart, mask, [&](u32 part, WordMask words) { result |= parts[part] == other.parts[part] ? 0 : words; });
  return result;
}

void VectorForm::take(const VectorForm& other, WordMask mask) {
  wordsPerPart = other.wordsPerPart;
  forEachPart(wordsPerPart, mask, [&](u32 part, WordMask) { parts[part] = other.parts[part]; });
}

VectorEncoding VectorEncoder::encode(const u32* words, WordMask mask) const {
  VectorEncoding result{.succeeded = true, .form = {.parts = {}, .wordsPerPart = wordsPerPart_}};
  forEachPart(wordsPerPart_, mask, [&](u32 part, WordMask ofPart) {
    const values::Encoding encoding = encoder_.encode(words, LaneMask(mask & ofPart));
    result.succeeded &= encoding.succeeded();
    result.isSparse |= encoding.outcome == values::Encoding::Outcome::sparseMask;
    result.form.parts[part] = encoding.form;
  });
  return result;
}

}  // namespace warpwright::mechanisms::avc
