#include "rtl/module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/error.hpp"

namespace warpwright::rtl {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of('\n'), last = text.find_last_not_of("\n ");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first, last + 1 - first);
}

}  // namespace

std::string range(u32 width) { return width == 1 ? "" : fmt::format("[{}:0] ", width - 1); }

std::string literal(u32 width, u64 value) { return fmt::format("{}'h{:x}", width, value); }

u32 bitsFor(u64 count) { return count <= 2 ? 1 : static_cast<u32>(std::bit_width(count - 1)); }

std::string indented(std::string_view text, u32 spaces) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) result += std::string(spaces, ' ');
    result += std::string(text.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return result;
}

Module& Module::input(std::string name, u32 width) {
  ports_.push_back({std::move(name), width, false});
  return *this;
}

Module& Module::output(std::string name, u32 width) {
  ports_.push_back({std::move(name), width, true});
  return *this;
}

Module& Module::clocked() {
  isClocked_ = true;
  return *this;
}

Module& Module::body(std::string_view text) {
  body_ += indented(trimmed(text), 2);
  return *this;
}

Module& Module::wire(std::string_view name, u32 width) { return body(fmt::format("logic {}{};", range(width), name)); }

Module& Module::assign(std::string_view to, std::string_view value) { return body(fmt::format("assign {} = {};", to, value)); }

Module& Module::instance(const Module& of, std::string_view name, std::string_view connections) {
  std::string list = of.isClocked() ? ".clk, .reset" : "";
  for (const Port& port : of.ports()) {
    if (connections.find("." + port.name + "(") != std::string_view::npos) continue;
    list += (list.empty() ? "." : ", .") + port.name;
  }
  if (!connections.empty()) list += (list.empty() ? "" : ", ") + std::string(connections);
  return body(fmt::format("{} {}({});", of.name(), name, list));
}

Field Module::field(std::string_view port) const {
  u32 at[2] = {0, 0};
  for (const Port& each : ports_) {
    if (each.name == port) return {at[each.isOutput], each.width};
    at[each.isOutput] += each.width;
  }
  throw Error(fmt::format("module {} has no port {}", name_, port));
}

u32 Module::bitsOf(bool outputs) const {
  u32 sum = 0;
  for (const Port& port : ports_) sum += port.isOutput == outputs ? port.width : 0;
  return sum;
}

std::string Module::text() const {
  std::string list = isClocked_ ? "  input logic clk,\n  input logic reset" : "";
  for (const Port& port : ports_)
    list += fmt::format("{}  {} logic {}{}", list.empty() ? "" : ",\n", port.isOutput ? "output" : "input", range(port.width), port.name);
  return fmt::format("module {} (\n{}\n);\n{}endmodule\n", name_, list, body_);
}

}  // namespace warpwright::rtl
