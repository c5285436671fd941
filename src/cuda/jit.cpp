#include "jit.hpp"

#include <algorithm>
#include <cstring>

namespace warpwright::cuda {

JitOptions::JitOptions(unsigned int count, CUjit_option* options, void** values)
    : count_(count), options_(options), values_(values), valid_(count == 0 || (options && values)) {
  if (!valid_) return;
  for (unsigned int i = 0; i < count_; ++i) {
    if (options_[i] >= CU_JIT_NUM_OPTIONS) valid_ = false;
    const auto number = reinterpret_cast<uintptr_t>(values_[i]);
    if (options_[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) errorCapacity_ = number;
    if (options_[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES) infoCapacity_ = number;
    if (options_[i] == CU_JIT_MAX_REGISTERS) maxRegisters_ = static_cast<u32>(number);
  }
}

unsigned int JitOptions::indexOf(CUjit_option option) const {
  return static_cast<unsigned int>(std::find(options_, options_ + count_, option) - options_);
}

void JitOptions::write(CUjit_option buffer, CUjit_option size, uintptr_t capacity, const std::string& text) const {
  const unsigned int at = indexOf(buffer), sizeAt = indexOf(size);
  if (at == count_ || sizeAt == count_ || !values_[at] || capacity == 0) return;
  const std::size_t length = std::min<std::size_t>(text.size(), capacity - 1);
  auto* const to = static_cast<char*>(values_[at]);
  std::memcpy(to, text.data(), length);
  to[length] = '\0';
  values_[sizeAt] = reinterpret_cast<void*>(static_cast<uintptr_t>(length));
}

void JitOptions::report(const std::string& error) const {
  if (count_ == 0) return;
  write(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, errorCapacity_, error);
  write(CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, infoCapacity_, "");
}

}  // namespace warpwright::cuda
