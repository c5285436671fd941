#include <algorithm>
#include <bit>
#include <warpwright/parallel_memory/hardware_cost.hpp>

namespace warpwright::parallel_memory {

std::vector<HardwarePart> samsCost(std::uint32_t q, std::uint32_t n) {
  const std::uint64_t lanes = std::uint64_t{1} << q;
  return {{"bank, a lane: multiplexers behind two-input XOR gates", q},
          {"bank: inputs of each multiplexer", n - q + 1},
          {"row, a lane: bits of the adder, and a multiplexer of two", n - q},
          {"offset, a lane: inputs of the multiplexer, and one of two", n - q},
          {"switches: crosspoints in, lanes x banks x 2", lanes * lanes * 2},
          {"switches: crosspoints out", lanes * lanes * 2}};
}

std::vector<HardwarePart> twoDsmmCost(const TwoDsmm::Size& size) {
  const auto rows = static_cast<std::uint32_t>(std::countr_zero(size.rows)),
             columns = static_cast<std::uint32_t>(std::countr_zero(size.columns));
  const std::uint64_t lanes = std::uint64_t{1} << (size.p + size.q);
  return {{"address generation, a lane: bits of the adder behind a multiplexer of five", std::max(rows, columns)},
          {"address generation: SRAM bits", lanes * (rows + columns)},
          {"translation, a lane: bits of the adder", rows + columns - size.p - size.q},
          {"routing, a lane: inputs of the two OR gates", (std::uint64_t{1} << size.p) + (std::uint64_t{1} << size.q)},
          {"routing: SRAM bits", lanes * (size.p + size.q)}};
}

}  // namespace warpwright::parallel_memory
