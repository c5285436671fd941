#include "runtime/textures.hpp"

#include <cstring>

namespace warpwright::runtime {
namespace {

constexpr u64 kObjectTag = u64{1} << 62;

template <typename Map>
const typename Map::mapped_type* lookUp(const Map& map, u64 handle) {
  const auto found = map.find(handle);
  return found == map.end() ? nullptr : &found->second;
}

}  // namespace

u64 Textures::addTexture(const exec::Texture& texture) {
  const u64 handle = kObjectTag | next_++;
  textures_.emplace(handle, texture);
  return handle;
}

u64 Textures::addSurface(const exec::Image& image) {
  const u64 handle = kObjectTag | next_++;
  surfaces_.emplace(handle, image);
  return handle;
}

bool Textures::removeTexture(u64 handle) { return (handle & kObjectTag) != 0 && textures_.erase(handle) != 0; }
bool Textures::removeSurface(u64 handle) { return (handle & kObjectTag) != 0 && surfaces_.erase(handle) != 0; }

void Textures::unbind(u64 reference) {
  textures_.erase(reference);
  surfaces_.erase(reference);
}

const exec::Texture* Textures::texture(u64 handle) const { return lookUp(textures_, handle); }
const exec::Image* Textures::surface(u64 handle) const { return lookUp(surfaces_, handle); }

void Textures::clear() {
  textures_.clear();
  surfaces_.clear();
}

Array* Arrays::create(exec::GlobalMemory& memory, Array array) {
  exec::Image& image = array.image;
  constexpr u64 kRowUnit = 32;
  image.rowBytes = (u64{image.width} * image.format.bytes() + kRowUnit - 1) / kRowUnit * kRowUnit;
  image.sliceBytes = image.rowBytes * image.height;
  const u64 bytes = image.sliceBytes * image.slices;
  const auto address = memory.allocate(bytes, exec::AllocationKind::device, "array");
  if (!address) return nullptr;
  image.address = *address;
  std::memset(exec::GlobalMemory::hostPointer(*address), 0, bytes);
  auto owned = std::make_unique<Array>(array);
  Array* const result = owned.get();
  arrays_.emplace(result, std::move(owned));
  return result;
}

Array* Arrays::find(const void* array) {
  const auto found = arrays_.find(array);
  return found == arrays_.end() ? nullptr : found->second.get();
}

bool Arrays::free(exec::GlobalMemory& memory, const void* array) {
  const auto found = arrays_.find(array);
  if (found == arrays_.end()) return false;
  memory.free(found->second->image.address);
  arrays_.erase(found);
  return true;
}

}  // namespace warpwright::runtime
