#include "base/long_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace warpwright {
namespace {

constexpr std::chrono::milliseconds kPeriod{100};

}  // namespace

std::string longWorkText(const std::string& name, u64 pieces, u64 done, const std::string& piece, double seconds, double ofPiece) {
  const std::string now = piece.empty() ? "" : fmt::format(", now {}", piece);
  if (pieces == 0) return fmt::format("{}: {} done{}, for {}", name, done, now, durationText(ofPiece));
  const std::string text = fmt::format("{}: {} of {} done{}", name, done, pieces, now);
  if (done == 0) return text + fmt::format(", for {}", durationText(ofPiece));
  // What the piece under way has taken beyond the mean is no longer to come.
  const double mean = (seconds - ofPiece) / static_cast<double>(done);
  const double left = mean * static_cast<double>(pieces - std::min(done, pieces)) - std::min(ofPiece, mean);
  return text + fmt::format("; {} left", durationText(std::max(1.0, left)));
}

LongWork::LongWork(std::string name, u64 pieces, ProgressLine::In in) : name_(std::move(name)), pieces_(pieces), line_(in) {
  if (in != ProgressLine::In::nothing) watcher_ = std::thread([this] { watch(); });
}

LongWork::~LongWork() {
  {
    const std::lock_guard lock(mutex_);
    isOver_ = true;
  }
  changed_.notify_one();
  if (watcher_.joinable()) watcher_.join();
}

void LongWork::begin(std::string piece) {
  const std::lock_guard lock(mutex_);
  done_ += isUnderWay_;
  isUnderWay_ = true;
  piece_ = std::move(piece);
  pieceBegan_ = line_.seconds();
}

void LongWork::rest() {
  const std::lock_guard lock(mutex_);
  done_ += isUnderWay_;
  isUnderWay_ = false;
  line_.clear();
}

void LongWork::watch() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kPeriod, [this] { return isOver_; })) {
    if (!isUnderWay_ || !line_.isDue()) continue;
    const double seconds = line_.seconds();
    line_.show(longWorkText(name_, pieces_, done_, piece_, seconds, seconds - pieceBegan_));
  }
}

}  // namespace warpwright
