#include "mem/partition/partner_reads.hpp"

#include <algorithm>

namespace warpwright::mem {

PartnerReads::PartnerReads(u32 most) : arrived_(most), misses_(most), answers_(most) { waiting_.reserve(most); }

bool PartnerReads::tick(Cache<L2Clock>& cache) {
  const std::size_t waited = waiting_.size();
  std::erase_if(waiting_, [&](const Request& request) { return lookUp(request, cache); });
  if (arrived_.empty()) return waiting_.size() != waited;
  if (!lookUp(arrived_.front(), cache)) waiting_.push_back(arrived_.front());
  arrived_.pop();
  return true;
}

// False: its line is on its way.
bool PartnerReads::lookUp(const Request& request, Cache<L2Clock>& cache) {
  switch (cache.readBeside(request)) {
    case Beside::isFetched:
      return false;
    case Beside::isHere:
      answers_.push(request);
      answers_[answers_.size() - 1].isResponse = true;
      return true;
    case Beside::isAbsent:
      misses_.push(request);
      ++underWay_;
      return true;
  }
  return true;
}

void PartnerReads::fill(const Request& response, Cache<L2Clock>& cache, L2Tick now) {
  cache.keep(response, now);
  answers_.push(response);
  --underWay_;
}

}  // namespace warpwright::mem
