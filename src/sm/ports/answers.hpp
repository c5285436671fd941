// Where the answers to data accesses and fetches go.
#pragma once

#include <span>
#include <vector>

#include "sm/access/stage.hpp"
#include "sm/ports/network_client.hpp"

namespace warpwright::sm {

// A request of the load/store unit or the fetch unit that has been answered.
struct Answer {
  bool isFetch = false;
  u32 id = 0;
};

class Answers {
 public:
  // A request's id: the asker's own number, above it the asker (0 for the load/store unit, else 1 + the number of a stage), and above
  // kBits whatever carries it on.
  static constexpr u32 kBits = 27;
  static constexpr u32 kAskerShift = StagesBelow::kOwnIdBits, kAskers = 1u << (kBits - kAskerShift);
  static u32 idOf(u32 stage, u32 own) { return own | (stage + 1) << kAskerShift; }

  // The next stage, by number; it outlives the answers.
  void addStage(NetworkClient& stage) { stages_.push_back(&stage); }

  // Whether whoever asked takes the answer now.
  bool canDeliver(const mem::Request& response) const {
    const u32 asker = (response.id >> kAskerShift) % kAskers;
    return asker == 0 || stages_[asker - 1]->canFill(response);
  }
  void deliver(const mem::Request& response, Cycle now);
  void deliverFetch(u32 id) { answers_.push_back({true, id}); }

  bool empty() const { return answers_.empty(); }
  // Those of the units since the last call.
  std::span<const Answer> take();

 private:
  std::vector<NetworkClient*> stages_;
  std::vector<Answer> answers_, taken_;
};

}  // namespace warpwright::sm
