// 2DSMM, the 2D strided multi-access memory of Gou's thesis (section 3.3, appendix B).
#pragma once

#include <warpwright/parallel_memory/bank_map.hpp>

namespace warpwright::parallel_memory {

// 2^p x 2^q banks for a space of `rows` x `columns` words, both powers of two, p <= q. Without conflict for 2^(p+q) words with vertical
// stride VS of family vs and horizontal stride HS of family hs:
//
//   strided row, forward diagonal, backward diagonal, block of 2^p x 2^q         at every place
//   continuous row                                                               from columns that are multiples of 2^(q + min(p, hs))
//   continuous block of 2^p x 2^q                                                from multiples of 2^min(p, vs) and 2^min(q, hs)
//
// The linear address of (i, j) is i columns + j. The thesis has two vertical functions with the same properties: that of section 3.3,
// (i (x) T_v + alpha + beta) mod 2^p, and that of section 3.4.2, ((i + (alpha + beta) 2^vs) (x) T_v) mod 2^p.
class TwoDsmm final : public BankMap {
 public:
  struct Size {
    std::uint32_t p = 1, q = 1;
    Address rows = 0, columns = 0;
  };
  struct Families {
    std::uint32_t vs = 0, hs = 0;
  };
  enum class Vertical { section33, section342 };
  // That of section 3.4.2 needs p + vs below 64.
  TwoDsmm(Size size, Families families, Vertical vertical = Vertical::section33);

  // The stride families can be changed at run time; what lies in the memory must then be moved.
  void configure(Families families);

  Cell cellOf(Address address) const override { return cellAt(address / size_.columns, address % size_.columns); }
  Cell cellAt(Address i, Address j) const;
  const Size& size() const { return size_; }

 private:
  std::uint32_t verticalBank(Address i, Address alphaAndBeta) const;

  Size size_;
  Families families_;
  Vertical vertical_;
};

}  // namespace warpwright::parallel_memory
