// Modules of SystemVerilog, as text with a list of ports.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rtl/bits.hpp"

namespace warpwright::rtl {

struct Port {
  std::string name;
  u32 width = 1;
  bool isOutput = false;
};

class Module {
 public:
  explicit Module(std::string name) : name_(std::move(name)) {}

  Module& input(std::string name, u32 width = 1);
  Module& output(std::string name, u32 width = 1);
  // With ports `clk` and `reset` (synchronous), which are not among ports().
  Module& clocked();
  // What stands between the ports and the end. Lines as they are; in a text over several of them, blank ones are left out at both ends.
  Module& body(std::string_view text);
  Module& wire(std::string_view name, u32 width = 1);
  Module& assign(std::string_view to, std::string_view value);
  // An instance whose ports are wires of the same names, but for those that `connections` names: ".port(wire), .port(wire)".
  Module& instance(const Module& of, std::string_view name, std::string_view connections);

  const std::string& name() const { return name_; }
  const std::vector<Port>& ports() const { return ports_; }
  bool isClocked() const { return isClocked_; }
  // Where a port lies among the inputs, or among the outputs, one behind the other in the order of ports(), the first at bit 0.
  Field field(std::string_view port) const;
  u32 inputBits() const { return bitsOf(false); }
  u32 outputBits() const { return bitsOf(true); }

  std::string text() const;

 private:
  u32 bitsOf(bool outputs) const;

  std::string name_;
  std::vector<Port> ports_;
  bool isClocked_ = false;
  std::string body_;
};

// "[7:0] "; of one bit nothing.
std::string range(u32 width);
// "8'h1f"
std::string literal(u32 width, u64 value);
// Bits that tell so many things apart, at least one.
u32 bitsFor(u64 count);
// The text with each line that many spaces further in.
std::string indented(std::string_view text, u32 spaces);

}  // namespace warpwright::rtl
