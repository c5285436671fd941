// DNA texts: of a genome, and of those who are related to it.
#pragma once

#include <algorithm>
#include <string>

#include "random.hpp"

namespace workloads {

// Numbers in the order of the letters.
__host__ __device__ inline unsigned baseNumber(char base) { return base == 'A' ? 0 : base == 'C' ? 1 : base == 'G' ? 2 : 3; }

// Four bases of ten are C or G.
inline char drawBase(Random& random) { return (random.below(10) < 4 ? "CG" : "AT")[random.below(2)]; }

// Four bases of ten are C or G and nearly half of the text is repeats, as in the human genome (International Human Genome Sequencing
// Consortium, Nature 2001): copies of earlier pieces of some 300 bases with a tenth changed, and short units in tandem.
inline std::string makeGenome(int length, Random& random) {
  std::string text;
  while (int(text.size()) < length) {
    for (int i = 100 + random.below(500); i > 0; --i) text += drawBase(random);
    const int size = 200 + random.below(200), from = random.below(unsigned(text.size()));
    for (int i = 0; i < size && from + i < int(text.size()); ++i) text += random.below(10) == 0 ? drawBase(random) : text[from + i];
    const std::string unit = text.substr(text.size() - 1 - random.below(5));
    for (int copies = random.below(12); copies > 0; --copies) text += unit;
  }
  return text.substr(0, length);
}

// The text with one base of so many drawn anew.
inline std::string mutated(std::string text, unsigned oneOf, Random& random) {
  for (char& base : text)
    if (random.below(oneOf) == 0) base = drawBase(random);
  return text;
}

}  // namespace workloads
