#include "rtl/recency.hpp"

#include <fmt/format.h>

#include "rtl/module.hpp"

namespace warpwright::rtl {

std::string touchedFunction(u32 ways) {
  return fmt::format(R"(
function automatic logic [{bits}-1:0] touched(input logic [{bits}-1:0] order, input logic [{wayBits}-1:0] way);
  touched = order;
  for (int other = 0; other < {ways}; other++) begin
    touched[32'(way) * {ways} + other] = 1'b1;
    touched[other * {ways} + 32'(way)] = 1'b0;
  end
endfunction
)",
                     fmt::arg("bits", recencyBits(ways)), fmt::arg("ways", ways), fmt::arg("wayBits", bitsFor(ways)));
}

std::string oldestFunction(u32 ways) {
  return fmt::format(R"(
function automatic logic [{wayBits}-1:0] oldest(input logic [{ways}-1:0] valid, input logic [{bits}-1:0] order);
  oldest = '0;
  for (int way = {ways} - 1; way >= 0; way--) if (order[way * {ways} +: {ways}] == '0) oldest = {wayBits}'(way);
  for (int way = {ways} - 1; way >= 0; way--) if (!valid[way]) oldest = {wayBits}'(way);
endfunction
)",
                     fmt::arg("bits", recencyBits(ways)), fmt::arg("ways", ways), fmt::arg("wayBits", bitsFor(ways)));
}

}  // namespace warpwright::rtl
