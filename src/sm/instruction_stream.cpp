#include "sm/instruction_stream.hpp"

#include <algorithm>

namespace warpwright::sm {

InstructionStream::InstructionStream(u32 lines, u32 lineBytes, u32 misses)
    : lineBytes_(lineBytes), isHere_(lines), misses_(misses), answers_(misses) {
  waiting_.reserve(misses);
}

void InstructionStream::miss(const mem::Request& request) {
  const GlobalAddress address = request.address;
  origin_ = request.origin;
  if (!holds(address)) {
    misses_.push(request);
    asked_ = address + lineBytes_;
    return moveTo(asked_);
  }
  ++used_;
  if (isHere(address))
    answers_.push(request);
  else
    waiting_.push_back(request);
  moveTo(address + lineBytes_);
}

void InstructionStream::moveTo(GlobalAddress address) {
  first_ = address;
  end_ = first_ + isHere_.size() * lineBytes_;
}

mem::Request InstructionStream::takeMiss() {
  const mem::Request request = misses_.front();
  misses_.pop();
  return request;
}

mem::Request InstructionStream::takeLine(Cycle now) {
  mem::Request request;
  request.address = asked_;
  request.lineBytes = static_cast<u32>(lineBytes_);
  request.sectors = (1u << lineBytes_ / mem::Request::kSectorBytes) - 1;
  request.type = mem::AccessType::prefetch;
  request.origin = origin_;
  request.born = now;
  isHere(asked_) = 0;
  asked_ += lineBytes_;
  ++underWay_;
  ++prefetched_;
  return request;
}

void InstructionStream::arrived(GlobalAddress address) {
  --underWay_;
  const auto waits = std::find_if(waiting_.begin(), waiting_.end(), [&](const mem::Request& each) { return each.address == address; });
  if (waits != waiting_.end()) {
    answers_.push(*waits);
    waiting_.erase(waits);
  } else if (holds(address)) {
    isHere(address) = 1;
  }
}

mem::Request InstructionStream::takeAnswer() {
  mem::Request response = answers_.front();
  answers_.pop();
  response.isResponse = true;
  return response;
}

}  // namespace warpwright::sm
