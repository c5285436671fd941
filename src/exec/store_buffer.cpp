#include "exec/store_buffer.hpp"

#include <algorithm>
#include <cstring>

#include "exec/memory.hpp"

namespace warpwright::exec {
namespace {

constexpr std::size_t kFirstTableSize = 256;

}  // namespace

StoreBuffer::StoreBuffer() : table_(kFirstTableSize) {}

void StoreBuffer::store(GlobalAddress address, u32 bytes, const void* data) {
  const auto* from = static_cast<const u8*>(data);
  pieces_.push_back({address, bytes, static_cast<u32>(data_.size())});
  data_.insert(data_.end(), from, from + bytes);
  while (bytes != 0) {
    const u32 offset = static_cast<u32>(address % kBlockBytes);
    const u32 count = std::min(bytes, static_cast<u32>(kBlockBytes) - offset);
    BlockBytes& block = findOrAdd(address / kBlockBytes);
    std::memcpy(block.bytes.data() + offset, from, count);
    block.written |= lowBits(count) << offset;
    address += count;
    from += count;
    bytes -= count;
  }
}

bool StoreBuffer::patchBlocks(GlobalAddress address, u32 bytes, void* data) const {
  auto* to = static_cast<u8*>(data);
  bool any = false;
  for (u32 i = 0; i < bytes;) {
    const u32 offset = static_cast<u32>((address + i) % kBlockBytes);
    const u32 count = std::min(bytes - i, static_cast<u32>(kBlockBytes) - offset);
    if (const BlockBytes* block = find((address + i) / kBlockBytes)) {
      for (u32 byte = 0; byte < count; ++byte) {
        if ((block->written >> (offset + byte) & 1) == 0) continue;
        to[i + byte] = block->bytes[offset + byte];
        any = true;
      }
    }
    i += count;
  }
  return any;
}

void StoreBuffer::publish(GlobalMemory& memory) {
  for (const Piece& piece : pieces_) {
    std::memcpy(GlobalMemory::hostPointer(piece.address), data_.data() + piece.data, piece.bytes);
    if (memory.tracksInitialisation()) memory.markInitialised(piece.address, piece.bytes);
  }
  pieces_.clear();
  data_.clear();
  filter_.fill(0);
  for (const u32 index : used_) table_[index].block = ~u64{0};
  used_.clear();
}

const StoreBuffer::BlockBytes* StoreBuffer::find(u64 block) const {
  for (u64 index = hash(block);; ++index) {
    const BlockBytes& entry = table_[index & (table_.size() - 1)];
    if (entry.block == block) return &entry;
    if (entry.block == ~u64{0}) return nullptr;
  }
}

StoreBuffer::BlockBytes& StoreBuffer::findOrAdd(u64 block) {
  if (used_.size() * 2 >= table_.size()) grow();
  for (u64 index = hash(block);; ++index) {
    const auto at = static_cast<u32>(index & (table_.size() - 1));
    BlockBytes& entry = table_[at];
    if (entry.block == block) return entry;
    if (entry.block != ~u64{0}) continue;
    entry.block = block;
    entry.written = 0;
    used_.push_back(at);
    const u64 bit = hash(block) % kFilterBits;
    filter_[bit / 64] |= u64{1} << bit % 64;
    return entry;
  }
}

void StoreBuffer::grow() {
  const std::vector<BlockBytes> old = std::move(table_);
  const std::vector<u32> indices = std::move(used_);
  table_.assign(old.size() * 2, {});
  used_.clear();
  for (const u32 index : indices) {
    BlockBytes& entry = findOrAdd(old[index].block);
    entry.written = old[index].written;
    entry.bytes = old[index].bytes;
  }
}

}  // namespace warpwright::exec
