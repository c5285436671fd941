// A bank map of one's own: which strides find conflicts in it, and a table that `warpwright` takes.
#include <cstdio>
#include <warpwright/parallel_memory/conflicts.hpp>

namespace pm = warpwright::parallel_memory;

// 32 banks; each row is rotated by three more than the row before.
class Rotated final : public pm::BankMap {
 public:
  Rotated() : BankMap({.banks = 32, .lineWords = 1, .words = 1 << 14}) {}
  pm::Cell cellOf(pm::Address a) const override { return {static_cast<std::uint32_t>((a + 3 * (a / 32)) % 32), a / 32, 0}; }
};

int main() {
  const Rotated map;
  for (const pm::Address stride : {1, 2, 16, 32, 33}) {
    const pm::Degrees degrees = pm::degreesOf(pm::BankTable(map), pm::stridedPattern(stride, 32));
    std::printf("stride %d: worst degree %u, mean %.3f\n", static_cast<int>(stride), degrees.worst, degrees.mean);
  }
  pm::writeTable(map, map.words(), "rotated.map");
}
