// What texture and surface handles stand for on a device, and the arrays that hold texels.
#pragma once

#include <map>
#include <memory>

#include "exec/memory.hpp"
#include "exec/texture.hpp"

namespace warpwright::runtime {

// A handle is the number of an object with a tag above it, so that no device address looks like one; a reference's handle is the address
// of its module variable.
class Textures final : public exec::ResourceTable {
 public:
  // Objects. The removing functions return false for what is no object of the kind.
  u64 addTexture(const exec::Texture& texture);
  bool removeTexture(u64 handle);
  u64 addSurface(const exec::Image& image);
  bool removeSurface(u64 handle);

  // References, by the address of their variable. Binding again replaces.
  void bindTexture(u64 reference, const exec::Texture& texture) { textures_.insert_or_assign(reference, texture); }
  void bindSurface(u64 reference, const exec::Image& image) { surfaces_.insert_or_assign(reference, image); }
  void unbind(u64 reference);

  const exec::Texture* texture(u64 handle) const override;
  const exec::Image* surface(u64 handle) const override;
  void clear();

  // All of them, by handle.
  const std::map<u64, exec::Texture>& textures() const { return textures_; }
  const std::map<u64, exec::Image>& surfaces() const { return surfaces_; }
  void restore(std::map<u64, exec::Texture> textures, std::map<u64, exec::Image> surfaces) {
    textures_ = std::move(textures);
    surfaces_ = std::move(surfaces);
  }

 private:
  std::map<u64, exec::Texture> textures_;
  std::map<u64, exec::Image> surfaces_;
  u64 next_ = 1;
};

// An array of texels in device memory. Rows follow one another (a multiple of 32 bytes apart), where real devices tile them.
struct Array {
  exec::Image image;
  u64 width = 0, height = 0, depth = 0;  // as asked for: 0 for dimensions that it does not have
  u32 flags = 0;                         // of the program, given back
};

class Arrays {
 public:
  // Zeroed; null when memory is exhausted. `array.image` needs format and sizes; address and distances are set here.
  Array* create(exec::GlobalMemory& memory, Array array);
  // Null for what is no live array.
  Array* find(const void* array);
  bool free(exec::GlobalMemory& memory, const void* array);
  void clear() { arrays_.clear(); }

 private:
  std::map<const void*, std::unique_ptr<Array>> arrays_;
};

}  // namespace warpwright::runtime
