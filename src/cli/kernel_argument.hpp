// Kernel arguments on the command line: "i32:5", "f32:1.5", "bytes:00ff", "buf:f32:1024:iota".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace warpwright::cli {

enum class ElementType : u8 { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 };
u32 sizeOf(ElementType type);

struct BufferFill {
  enum class Kind : u8 { zero, iota, random, file } kind = Kind::zero;
  u64 seed = 0;
  std::string path;
};

struct KernelArgument {
  std::string text;       // as given, for messages
  bool isBuffer = false;  // then the parameter is a pointer to `count` elements in device memory
  ElementType type = ElementType::i32;
  std::vector<u8> value;  // of a scalar
  u64 count = 0;
  BufferFill fill;
  u64 bufferBytes() const { return count * sizeOf(type); }
};

// Throws Error that shows the forms there are.
KernelArgument parseArgument(const std::string& text);

// The bytes a buffer begins with. iota: 0, 1, 2 …; random: floats in [0, 1), integers over their whole range, the same for the
// same seed everywhere. Throws Error when a file cannot be read or has another size.
std::vector<u8> initialBytes(const KernelArgument& argument);

// One element as text.
std::string elementText(ElementType type, const u8* bytes);

// The forms, for help texts and remedies.
extern const char* const kArgumentForms;

}  // namespace warpwright::cli
