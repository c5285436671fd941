// A line stage and the first-level cache behind it, as the conformance harness sees them: one memory agent.
#pragma once

#include <deque>
#include <map>
#include <memory>

#include "sm/access/stage.hpp"
#include "stats/json.hpp"
#include "unit/mem/conformance/conform.hpp"

namespace warpwright::testing {

// What every word of memory holds, whatever is stored: lines of one value, of equal distances, and of neither.
inline u32 wordAt(u64 address) {
  const auto word = static_cast<u32>(address / 4);
  const u32 line = word / 32;
  if (line % 3 == 0) return 7 * line;
  return line % 3 == 1 ? line + 4 * word : static_cast<u32>(mem::conformance::mix(word));
}

// The words of a request; stores of parts of sectors say nothing of whole ones.
inline mem::WordAccess wordsOf(const mem::Request& request) {
  mem::WordAccess words;
  words.whole = !mem::isWrite(request.type) || request.sectors == request.wholeSectors;
  for (u32 word = 0; word < request.lineBytes / 4; ++word) {
    words.values[word] = wordAt(request.address + word * 4);
    if ((request.sectors >> word / 8 & 1) == 0) continue;
    words.mask |= u64{1} << word;
    words.bytes[word / 8] |= 0xfu << word % 8 * 4;
  }
  return words;
}

template <class Stage>
class StageAdapter final : private sm::StagesBelow, private sm::OperationSource {
 public:
  // make(context) gives the stage; count(stage) what it has counted, as JSON. plan: of the launch that all accesses belong to.
  template <class Make, class Count>
  StageAdapter(const config::Cache& cache, Make make, Count count, const sm::LaunchPlan* plan = nullptr)
      : cache_(cache, mem::Atomics::below), stage_(make(sm::StageContext{cache_, *this, *this})), count_(count), plan_(plan) {}

  u32 inputs() const { return 1; }
  u32 outputs() const { return 1; }
  bool canAccept(u32, const mem::Request& request) const {
    const mem::WordAccess words = wordsOf(request);
    const sm::LineAccess line{request, sm::Route::l1Data, &words, plan_};
    return stage_->takes(line) ? stage_->canAccept(line) : cache_.canAccept(request);
  }
  void accept(u32, const mem::Request& request, u64 now) {
    const sm::LineAccess line{request, sm::Route::l1Data, &words_.emplace_back(wordsOf(request)), plan_};
    if (stage_->takes(line)) return stage_->accept(line, {now});
    cache_.accept(request, {now});
  }
  const mem::Request* peek(u32) const { return answers_.empty() ? nullptr : &answers_.front(); }
  mem::Request take(u32) {
    const mem::Request answer = answers_.front();
    answers_.pop_front();
    return answer;
  }
  const mem::Request* peekMiss() const { return cache_.peekMiss() ? cache_.peekMiss() : stage_->peekMiss(); }
  mem::Request takeMiss() {
    if (cache_.peekMiss()) return cache_.takeMiss();
    mem::Request miss = stage_->takeMiss();
    miss.id |= kOfStage;
    return miss;
  }
  bool canFill(const mem::Request& response) const {
    return (response.id & kOfStage) != 0 ? stage_->canFill(response) : cache_.canFill(response);
  }
  void fill(const mem::Request& response, u64 now) {
    if ((response.id & kOfStage) == 0) return cache_.fill(response, {now});
    mem::Request own = response;
    own.id &= ~kOfStage;
    stage_->fill(own, {now});
  }
  bool tick(u64 now) {
    bool any = stage_->tick({now});
    for (; stage_->peekResponse(); any = true) answers_.push_back(stage_->takeResponse());
    any |= cache_.tick({now});
    for (; cache_.peekResponse(); any = true) answer(cache_.takeResponse(), now);
    // What the stage answers now is taken in the next tick.
    isAnswered_ = stage_->peekResponse() != nullptr;
    return any;
  }
  u64 nextUseful(u64 now) const {
    return isAnswered_ ? now + 1 : std::min(cache_.nextUseful({now}).ticks, stage_->nextUseful(Cycle{now}).ticks);
  }
  bool quiescent() const { return answers_.empty() && cache_.quiescent() && stage_->quiescent(); }
  void flush() { cache_.flush(); }
  stats::Json statistics(u64 now) { return {{"cache", stats::toJson(cache_.statistics({now}))}, {"stage", count_(*stage_)}}; }
  void check(stats::Conservation& laws) const { checkAtRest(cache_.statistics(), laws); }

 private:
  static constexpr u32 kAsked = 1u << kOwnIdBits, kOfStage = 1u << 31;

  bool canAccept(const sm::LineAccess& access) const override { return cache_.canAccept(access.request); }
  void pass(const sm::LineAccess& access, Cycle now) override { cache_.accept(access.request, now); }
  void ask(const sm::LineAccess& access, Cycle now) override {
    mem::Request own = access.request;
    own.id |= kAsked;
    cache_.accept(own, now);
  }
  bool canBegin() const override { return false; }
  sm::MemoryOperation& begin(sm::AccessStage&) override { return operation_; }
  void submit(sm::MemoryOperation&, Cycle) override {}

  void answer(mem::Request response, u64 now) {
    if ((response.id & kAsked) == 0) return answers_.push_back(response);
    response.id &= ~kAsked;
    stage_->fill(response, {now});
  }

  sm::L1Cache cache_;
  sm::MemoryOperation operation_;
  std::unique_ptr<Stage> stage_;
  std::function<stats::Json(const Stage&)> count_;
  const sm::LaunchPlan* plan_;
  std::deque<mem::WordAccess> words_;
  std::deque<mem::Request> answers_;
  bool isAnswered_ = false;
};

}  // namespace warpwright::testing
