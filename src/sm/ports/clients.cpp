#include "sm/ports/clients.hpp"

#include <utility>

namespace warpwright::sm {

DataCache::DataCache(const PortContext& context, const config::Cache& cache)
    : NetworkClient(context.number, context.wakeUp), answers_(context.answers), skip_(context.skip), cache_(cache, mem::Atomics::below) {}

bool DataCache::work(Cycle now) {
  bool progressed = cache_.tick(now);
  for (; cache_.peekResponse() && answers_.canDeliver(*cache_.peekResponse()); progressed = true)
    answers_.deliver(cache_.takeResponse(), now);
  holdsAnswer_ = cache_.peekResponse() != nullptr;
  return progressed;
}

CacheBehind::CacheBehind(const PortContext& context, const config::Cache& cache, DataCache& above)
    : NetworkClient(context.number, context.wakeUp), skip_(context.skip), cache_(cache, mem::Atomics::below), above_(above) {
  above_.leadToCache();
}

bool CacheBehind::tick(Cycle now) {
  bool progressed = false;
  L1Cache& above = above_.cache();
  for (; above.peekMiss() && cache_.canAccept(*above.peekMiss()); progressed = true) cache_.accept(above.takeMiss(), now);
  if (!skip_ || cache_.nextUseful(previous(now)) <= now) progressed |= cache_.tick(now);
  for (; cache_.peekResponse() && above_.canFill(*cache_.peekResponse()); progressed = true) above_.fill(cache_.takeResponse(), now);
  return progressed;
}

Cycle CacheBehind::nextUseful(Cycle now) const {
  return cache_.peekResponse() || above_.cache().peekMiss() ? now + 1 : cache_.nextUseful(now);
}

InstructionCache::InstructionCache(const PortContext& context, const config::Cache& cache, InstructionStream* stream)
    : NetworkClient(context.number, context.wakeUp),
      answers_(context.answers),
      skip_(context.skip),
      cache_(cache, mem::Atomics::below),
      stream_(stream) {}

std::optional<Cycle> InstructionCache::fetch(const mem::Request& request, Cycle now) {
  if (const std::optional<Cycle> answer = cache_.bookHit(request, now)) return answer;
  cache_.accept(request, now);
  wake();
  return {};
}

bool InstructionCache::takeFromStream(Cycle now) {
  if (!stream_ || stream_->answers().empty() || !cache_.canFill(stream_->answers().front())) return false;
  fill(stream_->takeAnswer(), now);
  return true;
}

bool InstructionCache::tick(Cycle now) {
  bool progressed = false;
  if (!skip_ || cache_.nextUseful(previous(now)) <= now) {
    progressed = cache_.tick(now);
    for (; cache_.peekResponse(); progressed = true) answers_.deliverFetch(cache_.takeResponse().id);
  }
  while (stream_ && cache_.peekMiss()) stream_->miss(cache_.takeMiss());
  return progressed;
}

Cycle InstructionCache::nextUseful(Cycle now) const { return stream_ && !stream_->answers().empty() ? now + 1 : cache_.nextUseful(now); }

StageClient::StageClient(const PortContext& context, std::unique_ptr<AccessStage> stage)
    : NetworkClient(context.number, context.wakeUp), answers_(context.answers), skip_(context.skip), stage_(std::move(stage)) {}

bool StageClient::tick(Cycle now) {
  bool progressed = false;
  if (!skip_ || stage_->nextUseful(previous(now)) <= now) progressed = stage_->tick(now);
  for (; stage_->peekResponse() && answers_.canDeliver(*stage_->peekResponse()); progressed = true)
    answers_.deliver(stage_->takeResponse(), now);
  return progressed;
}

DirectQueue::DirectQueue(const PortContext& context, Kind kind, u32 room)
    : NetworkClient(context.number, context.wakeUp), answers_(context.answers), kind_(kind), queue_(room) {}

void DirectQueue::doFill(const mem::Request& response, Cycle now) {
  if (kind_ == Kind::instructions) return answers_.deliverFetch(response.id);
  answers_.deliver(response, now);
}

mem::Request DirectQueue::doTakeRequest(Cycle) {
  const mem::Request request = queue_.front();
  queue_.pop();
  return request;
}

}  // namespace warpwright::sm
