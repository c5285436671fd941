#include "engine/quanta.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "engine/crew.hpp"
#include "engine/crew_size.hpp"
#include "engine/free_processors.hpp"

namespace warpwright::engine {
// Threads that share the work of each quantum. A domain stays with the thread in whose caches its state lies; a thread that is done takes
// what others have not begun, and keeps it. Which thread runs which domain does not change what it computes.
class Quanta::Workers {
 public:
  Workers(u32 helpers, Quanta& quanta)
      : quanta_(quanta), shares_(helpers + 1), size_(helpers, freeProcessors()), crew_(helpers, [this](u32 thread) { work(thread); }) {
    for (u32 i = 0; i < quanta.nodes_.size(); ++i) quanta.nodes_[i].owner = i % (helpers + 1);
    for (Share& share : shares_) share.indices.reserve(quanta.nodes_.size());
  }

  // indices: of the domains to run, in the order of all.
  void run(const std::vector<u32>& indices, Cycle until) {
    until_ = until;
    for (Share& share : shares_) {
      share.indices.clear();
      share.next = 0;
    }
    for (const u32 index : indices) shares_[quanta_.nodes_[index].owner].indices.push_back(index);
    const Clock::time_point begin = Clock::now();
    crew_.run(size_.helpers());
    size_.worked(indices.size(), Clock::now() - begin);
  }

 private:
  using Clock = std::chrono::steady_clock;

  struct alignas(kCacheLine) Share {
    std::vector<u32> indices;
    std::atomic<std::size_t> next{0};
  };

  void work(u32 thread) {
    for (std::size_t i = 0; i < shares_.size(); ++i) take(thread, shares_[(thread + i) % shares_.size()]);
  }
  void take(u32 thread, Share& share) {
    for (;;) {
      const std::size_t i = share.next.fetch_add(1, std::memory_order_relaxed);
      if (i >= share.indices.size()) return;
      Node& node = quanta_.nodes_[share.indices[i]];
      node.owner = thread;
      quanta_.runDomain(node, until_);
    }
  }

  Quanta& quanta_;
  std::vector<Share> shares_;  // by thread; the first is the caller's
  CrewSize size_;
  Cycle until_{};
  Crew crew_;
};

Quanta::Quanta(const std::vector<Domain*>& domains, const std::vector<Link>& links, const QuantaOptions& options)
    : nodes_(domains.size()), options_(options), next_(domains.size(), kNever), isLeft_(domains.size()) {
  for (u32 i = 0; i < domains.size(); ++i) nodes_[i].domain = domains[i];
  connect(links);
  work_.reserve(nodes_.size());
  if (options_.threads > 1) workers_ = std::make_unique<Workers>(options_.threads - 1, *this);
}

void Quanta::connect(const std::vector<Link>& links) {
  quantum_ = links.empty() ? 1 : ~u64{0};
  for (const Link& link : links) {
    quantum_ = std::min(quantum_, link.channel->latency());
    nodes_[link.from].sends.push_back({link.channel, link.to});
    nodes_[link.to].receives.push_back({link.channel, link.from});
  }
  if (quantum_ == 0) throw Error("a channel between domains has no latency", {}, "give it at least one core cycle");

  std::map<const ChannelBase*, const Note*> senders;
  for (Node& node : nodes_) {
    constexpr std::size_t kPerLine = std::tuple_size_v<decltype(NoteLine::notes)>;
    node.notes.resize((1 + node.sends.size() + node.receives.size() + kPerLine - 1) / kPerLine);
    std::size_t used = 0;
    const auto newNote = [&] {
      const std::size_t number = used++;
      return &node.notes[number / kPerLine].notes[number % kPerLine];
    };
    node.next = newNote();
    for (LinkEnd& end : node.sends) senders[end.channel] = end.note = newNote();
    for (LinkEnd& end : node.receives) end.note = newNote();
  }
  for (Node& node : nodes_) {
    for (LinkEnd& end : node.receives) end.sender = senders.at(end.channel);
  }
}

Quanta::~Quanta() = default;

// What one domain has left in a channel is something to do for the other; a credit, for one that waits for it.
void Quanta::countWhatIsUnderWay() {
  std::fill(isLeft_.begin(), isLeft_.end(), u8{!options_.skip});
  for (const u32 index : work_) {
    for (const LinkEnd& end : nodes_[index].sends) {
      if (end.note->first == kNever) continue;
      isLeft_[end.other] = true;
      next_[end.other] = std::min(next_[end.other], end.note->first);
    }
    for (const LinkEnd& end : nodes_[index].receives) {
      if (end.note->first == kNever) continue;
      isLeft_[end.other] = true;
      if (end.sender->outOfCredits) next_[end.other] = std::min(next_[end.other], end.note->first);
    }
  }
}

Cycle Quanta::nextUseful() const { return next_.empty() ? kNever : *std::min_element(next_.begin(), next_.end()); }

// Turns the ends of its channels, runs the domain if it has something to do, and writes down what it left for others.
void Quanta::runDomain(Node& node, Cycle until) {
  for (const LinkEnd& end : node.sends) end.channel->turnSender(side_);
  for (const LinkEnd& end : node.receives) end.channel->turnReceiver(side_);
  if (!options_.skip || node.domain->nextUseful() < until) node.domain->run(now_, until);
  for (const LinkEnd& end : node.sends) *end.note = {end.channel->firstSent(), end.channel->isOutOfCredits()};
  for (const LinkEnd& end : node.receives) end.note->first = end.channel->firstReturned();
  node.next->first = node.domain->nextUseful();
}

void Quanta::runDomains(Cycle until) {
  work_.clear();
  u32 awake = 0;
  for (u32 index = 0; index < nodes_.size(); ++index) {
    const bool runs = !options_.skip || next_[index] < until;
    if (runs) ++awake;
    if (runs || isLeft_[index]) work_.push_back(index);
  }
  side_ ^= 1;
  if (workers_ && awake > 1) {
    workers_->run(work_, until);
  } else {
    for (const u32 index : work_) runDomain(nodes_[index], until);
  }
  for (const u32 index : work_) next_[index] = nodes_[index].next->first;
}

Quanta::End Quanta::run(QuantumEnd& hook) {
  for (u32 index = 0; index < nodes_.size(); ++index) noteChange(index);
  for (;;) {
    countWhatIsUnderWay();
    const Cycle next = std::min(nextUseful(), hook.nextUseful());
    if (next == kNever) return End::idle;
    // Quanta begin at multiples of their length, so that what happens between them does not depend on what was skipped.
    if (options_.skip && next >= now_ + quantum_) now_ = Cycle{next.ticks / quantum_ * quantum_};
    const Cycle until = now_ + quantum_;
    runDomains(until);
    now_ = until;
    if (!hook.quantumEnded(now_)) return End::stopped;
  }
}

}  // namespace warpwright::engine
